"""The ladder of players, and policy iteration: ``experiment ladder``, ``policy improve``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import handread.cli.options as shared
from handread.cli.declared import option
from handread.cli.experiment import experiment
from handread.cli.groups import OutputOptions, RuleOptions, RunningOptions, spread
from handread.cli.help import examples
from handread.cli.rare import setting
from handread.lazy import lazily

with lazily():
    import handread.named_readers as registry
    import handread.papers.strong.improve as improving
    import handread.papers.strong.ladder as ladders
    import handread.papers.strong.text as texts
    import handread.papers.tournament.study as tournament_study
    import handread.policy as policies
    import handread.whole_files as whole_files
    from handread.cli import console

ALL = "strong, people-average, default, honest, tight, loose, rollouts, uniform, BPM, BPT, BPL, GOM"
"""The players of stud. SOM, who remembers nothing from deal to deal here, is GOM."""


@spread
@examples(
    (
        "one match, in a minute",
        "handread experiment ladder --players tight --set against=loose --games 100",
    ),
    ("everybody, in hours", "handread experiment ladder --games 4000 --output ladder.csv"),
)
def ladder(
    *,
    players: list[str] | None = shared.simulated_players(
        f"policies or players. Default: {ALL}.", shared.player_names
    ),
    against: str = setting("Their opponents.", "NAME,...", default="strong,people-average"),
    reading: str = setting(
        "The policy by which players without one are read.", "POLICY", default="default"
    ),
    games: int = option(
        "Number of deals of a match, each played twice.", min=2, max=shared.MOST_GAMES, default=1000
    ),
    game: shared.Game = None,
    running: RunningOptions,
    output: OutputOptions,
) -> None:
    """Measure how much players win from each other.

    Two kinds of players sit alternately, at six seats and heads-up. Each deal is played twice, the
    second time with the cards exchanged.
    """
    names, others = shared.listed(players or [ALL]), shared.listed([against])
    with shared.usage_errors():
        entrants, opponents = ([registry.load_player(n) for n in some] for some in (names, others))
        setup = RuleOptions(2, game).played_by(reading)
        for player in (*entrants, *opponents):
            tournament_study.table_of([player, player], setup)
    if not any(player.name != other.name for player in entrants for other in opponents):
        raise shared.usage("expected two different players")
    terms = {
        "command": "ladder",
        "players": tournament_study.terms_of([*entrants, *opponents]),
        "setup": setup,
        "games": games,
    }
    measure = partial(ladders.ladder, entrants, opponents, setup, games)
    experiment(measure, texts.ladder_text, terms, running, output)


@spread
@examples(
    (
        "a policy of razz after two small rounds",
        "handread policy improve --game razz --games 2 --set deals=4 -o razz.toml",
    ),
    (
        "the best answer to a policy",
        "handread policy improve --policy strong --set against=strong -o answer.toml",
    ),
)
def improve(
    *,
    output: Path = shared.file_option("File for the policy.", flags="-o --output", default=...),
    policy: str = option(
        "The policy to begin with.", "NAME", names=shared.policy_names, default="people-average"
    ),
    game: shared.Game = None,
    games: int = option("Number of rounds.", min=1, max=10_000, default=100),
    deals: int = setting("Deals of a round, of 24 games each.", min=1, max=100_000, default=400),
    against: str | None = setting(
        "Policies of the opponents, who stay as they are. Default: people and earlier versions.",
        "NAME,...",
    ),
    running: RunningOptions,
) -> None:
    """Improve a policy by games against others.

    In each round all decisions of some games are played with each legal action, and the policy is
    moved to those that win more. The same command resumes after an interruption.
    """
    frozen = {} if against is None else {"population": dict.fromkeys(shared.listed([against]), 1.0)}
    with shared.usage_errors():
        setup = RuleOptions(2, game).played_by()
        terms = improving.Iteration(policy, setup, games, deals, itself=against is None, **frozen)
        terms.check()
    named = ("start", "setup", "rounds", "deals", "population")
    kept = {"command": "improve", **{name: getattr(terms, name) for name in named}}
    with running.begin(kept, output) as run:
        weights = terms.run(run)
        gains = terms.gains(weights, run)
        improved = policies.LogitPolicy.of(weights, output.stem, title=f"{policy}, improved")
        text = policies.policy_text(policies.PolicyFile(improved))
        whole_files.write_text_whole(output, running.heading() + text)
    console.emit(texts.gains_text(gains, policy) + f"written to {output}\n")
