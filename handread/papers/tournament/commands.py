"""The duplicate tournament of players: ``handread experiment tournament``."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from handread.cli.experiment import experiment
from handread.cli.groups import Drawn, Rules, Running, spread
from handread.cli.help import examples
from handread.cli.options import (
    MOST,
    MOST_GAMES,
    Game,
    Ties,
    TiesOption,
    usage,
    usage_errors,
)
from handread.lazy import lazily

with lazily():
    import handread.papers.tournament.study as tournament_study
    import handread.papers.tournament.text as tournament_texts
    import handread.readers as registry
    import handread.simulate as simulation


BASIC = ("BPM", "BPT", "BPL")
"""The players who do not model their opponents after 3rd street."""


@spread
@examples(
    (
        "three players for a short time",
        "handread experiment tournament --players GOM,BPM,people --sessions 2 --deals 5",
    ),
    ("the tournament of the paper", "handread experiment tournament --csv five.csv"),
)
def tournament(
    *,
    players: Annotated[
        str,
        typer.Option(
            help="Players, 2 to 8: BPM, BPT, BPL, GOM, SOM of Billings et al., or policies by "
            "name; a name may be repeated.",
            metavar="NAME,NAME,...",
        ),
    ] = "BPM,BPT,BPL,GOM,SOM",
    sessions: Annotated[
        int, typer.Option(help="Number of sessions.", min=1, max=MOST, metavar="N")
    ] = 20,
    deals: Annotated[
        int,
        typer.Option(
            help="Number of deals of a session, which the players remember.",
            min=1,
            max=MOST_GAMES,
            metavar="N",
        ),
    ] = 500,
    reference: Annotated[
        str | None,
        typer.Option(
            help="Players with whom the others are compared. Default: BPM, BPT and BPL, as far "
            "as they play.",
            metavar="NAME,...",
        ),
    ] = None,
    game: Game = None,
    ties: TiesOption = Ties.SPLIT,
    running: Running,
    output: Drawn,
) -> None:
    """Play a duplicate tournament of Loki's players.

    Each deal is played once for every rotation of the players, to cancel the luck of the cards.
    """
    entrants, setup = entrants_at_table(players, game, ties)
    with usage_errors():
        kinds = dict.fromkeys(entrant.name for entrant in entrants)
        basic = [kind for kind in kinds if kind in BASIC]
        others = [kind for kind in kinds if kind not in BASIC]
        wanted = (basic if others else []) if reference is None else listed(reference)
        reference_kinds = tournament_study.checked_reference(entrants, wanted)
    terms = {
        "command": "tournament",
        "players": tournament_study.terms_of(entrants),
        "setup": repr(setup),
        "deals": deals,
    }
    measure = partial(
        tournament_study.tournament, entrants, setup, sessions, deals, reference_kinds
    )
    figure = "tournament_figure"
    experiment(
        measure, tournament_texts.tournament_text, terms, running, output.csv, output.plot, figure
    )


def entrants_at_table(
    players: str, game: str | None, ties: Ties
) -> tuple[tuple[tournament_study.Entrant, ...], simulation.Setup]:
    """Return the players of an option and their table, or raise a usage error."""
    names = listed(players)
    if len(names) < 2:
        raise usage(f"{players!r}: expected two players or more, such as GOM,BPM")
    with usage_errors():
        entrants = tuple(registry.load_player(name) for name in names)
        setup = Rules(len(names), game, ties).played_by()
        simulation.check_analyzed(tournament_study.table_of(entrants, setup))
        return entrants, setup


def listed(names: str) -> list[str]:
    """Return the names of a list with commas."""
    listed = [name.strip() for name in names.split(",")] if names else []
    if not all(listed):
        raise usage(f"{names!r}: expected names between the commas")
    return listed
