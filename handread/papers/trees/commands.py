"""Learning curves of relational trees: ``handread experiment learning-curves``."""

from functools import partial

from handread.cli.declared import option
from handread.cli.experiment import experiment
from handread.cli.groups import DrawnOptions, RunningOptions, spread
from handread.cli.help import examples
from handread.cli.options import MOST_GAMES, whole_numbers
from handread.cli.rare import setting
from handread.lazy import lazily

with lazily():
    import handread.papers.trees.study as trees_study
    import handread.papers.trees.text as trees_text

MOST_TO_LEARN = 100_000


@spread
@examples(
    (
        "few games, for a first look",
        "handread experiment learning-curves --games 10,50 --set others=50",
    ),
    ("both figures", "handread experiment learning-curves --output curves.csv --plot curves.png"),
)
def learning_curves(
    *,
    games: str = option(
        "Numbers of games of a player to learn from, separated by commas.",
        "N,N,...",
        default="10,25,50,100,200,400,800,1600,2300",
    ),
    others: int | None = setting(
        "Number of games of other players, for the prior. Default: 10 for each 23 of the most "
        "games to learn from.",
        min=10,
        max=MOST_GAMES,
    ),
    running: RunningOptions,
    output: DrawnOptions,
) -> None:
    """Ponsen et al. 2008: how fast trees learn a player.

    Figures 1 and 2 of the paper, for eight players: trees predict the actions and the outcomes of
    held-out games without learning, with a prior from the games of others, and with the prior
    corrected for the player.
    """
    expected = f"numbers from 1 to {MOST_TO_LEARN:,}, such as 100,400"
    sizes = whole_numbers(games, MOST_TO_LEARN, f"--games {games}: expected {expected}")
    others = max(10, 10 * max(sizes) // 23) if others is None else others
    terms = {"command": "learning-curves", "sizes": list(sizes), "others": others}
    measure = partial(trees_study.learning_curves, sizes, others)
    experiment(measure, trees_text.learning_text, terms, running, output, figure="learning_figure")
