"""The duplicate tournament of players: ``handread experiment tournament``."""

from functools import partial

import handread.cli.options as shared
from handread.cli.experiment import experiment
from handread.cli.groups import DrawnOptions, RuleOptions, RunningOptions, spread
from handread.cli.help import examples
from handread.cli.options import listed, player_names, simulated_players, usage, usage_errors
from handread.cli.rare import setting
from handread.lazy import lazily

with lazily():
    import handread.named_readers as registry
    import handread.papers.tournament.study as tournament_study
    import handread.papers.tournament.text as tournament_texts
    import handread.simulate as simulation

BASIC = ("BPM", "BPT", "BPL")
"""The players who do not model their opponents after 3rd street."""


@spread
@examples(
    ("two sessions of five deals", "handread experiment tournament --set sessions=2 --set deals=5"),
    ("the tournament of the paper", "handread experiment tournament --output five.csv"),
)
def tournament(
    *,
    players: list[str] | None = simulated_players(
        "BPM, BPT, BPL, GOM, SOM of Billings et al., or policies by name; 2 to 8, of whom some "
        "may be the same. Default: BPM,BPT,BPL,GOM,SOM.",
        player_names,
    ),
    sessions: int = setting("Number of sessions.", default=20),
    deals: int = setting(
        "Number of deals of a session, which the players remember.",
        max=shared.MOST_GAMES,
        default=500,
    ),
    reference: str | None = setting(
        "Players with whom the others are compared. Default: BPM, BPT and BPL, as far as they "
        "play.",
        "NAME,...",
    ),
    game: shared.Game = None,
    ties: shared.TiesOption = shared.Ties.SPLIT,
    running: RunningOptions,
    output: DrawnOptions,
) -> None:
    """Play a duplicate tournament of Loki's players.

    Each deal is played once for every rotation of the players, to cancel the luck of the cards.
    """
    entrants, setup = entrants_at_table(players or ["BPM,BPT,BPL,GOM,SOM"], game, ties)
    reference_kinds = _reference(entrants, reference)
    terms = {
        "command": "tournament",
        "players": tournament_study.terms_of(entrants),
        "setup": setup,
        "deals": deals,
    }
    play = partial(tournament_study.tournament, entrants, setup)
    measure = partial(play, sessions, deals, reference_kinds)
    text = tournament_texts.tournament_text
    experiment(measure, text, terms, running, output, figure="tournament_figure")


def _reference(
    entrants: "tuple[tournament_study.Entrant, ...]", reference: str | None
) -> tuple[str, ...]:
    kinds = dict.fromkeys(entrant.name for entrant in entrants)
    basic = [kind for kind in kinds if kind in BASIC]
    wanted = basic if len(basic) < len(kinds) else []
    if reference is not None:
        wanted = listed([reference] if reference else [])
    with usage_errors():
        return tournament_study.checked_reference(entrants, wanted)


def entrants_at_table(
    players: list[str], game: str | None, ties: shared.Ties
) -> "tuple[tuple[tournament_study.Entrant, ...], simulation.Setup]":
    """Return the players that an option names and their table, or raise a usage error."""
    names = listed(players)
    if len(names) < 2:
        raise usage(f"{','.join(players)!r}: expected two players or more, such as GOM,BPM")
    with usage_errors():
        entrants = tuple(registry.load_player(name) for name in names)
        setup = RuleOptions(len(names), game, ties).played_by()
        tournament_study.table_of(entrants, setup)  # refuses a game that a player does not read
        return entrants, setup
