"""The tables behind Loki: ``handread experiment starting-hands`` and ``action-frequencies``."""

from __future__ import annotations

from typing import Annotated

import typer

from handread.cli.experiment import experiment
from handread.cli.groups import Output, Players, Running, spread, table_setup
from handread.cli.help import examples
from handread.cli.options import (
    MOST_GAMES,
    Games,
    Seats,
    SevenSeats,
    Ties,
    usage_errors,
)


@spread
@examples(
    ("few games, for a first look", "handread experiment starting-hands --games 100"),
    (
        "the whole table, at a table of four",
        "handread experiment starting-hands --seats 4 --csv income.csv",
    ),
)
def starting_hands(
    *,
    games: Annotated[
        int,
        typer.Option(
            help="Number of games for each starting hand.", min=2, max=MOST_GAMES, metavar="N"
        ),
    ] = 100_000,
    seats: SevenSeats = 7,
    running: Running,
    output: Output,
) -> None:
    """Income of every starting hand against random hands.

    All players stay to the showdown.
    """
    from functools import partial

    from handread.papers.loki import study as loki
    from handread.papers.loki.text import starting_hands_text

    terms = {"command": "starting-hands", "games": games, "seats": seats}
    measure = partial(loki.starting_hands, seats, games)
    experiment(measure, starting_hands_text, terms, running, output.csv)


@spread
@examples(
    ("players of a policy", "handread experiment action-frequencies --games 50 --policy people"),
    (
        "Loki's opponent modellers",
        "handread experiment action-frequencies --games 50 --players GOM,GOM,GOM",
    ),
)
def action_frequencies(
    *,
    games: Games = 2000,
    seats: Seats = 7,
    table: Players,
    players: Annotated[
        str | None,
        typer.Option(
            help="Players, in place of --seats, --policy and --seat; names as in experiment "
            "tournament.",
            metavar="NAME,NAME,...",
        ),
    ] = None,
    running: Running,
    output: Output,
) -> None:
    """Count folds, calls and raises, by street and cost.

    Loki expects its opponents to act as often as these players do.
    """
    from functools import partial

    from handread.papers.loki import study as loki
    from handread.papers.loki.text import action_frequencies_text
    from handread.papers.tournament.commands import entrants_at_table
    from handread.papers.tournament.study import table_of, terms_of

    terms: dict[str, object] = {"command": "action-frequencies"}
    if players is not None:
        entrants, base = entrants_at_table(players, None, Ties.SPLIT)
        setup = table_of(entrants, base)
        terms |= {"setup": repr(base), "players": terms_of(entrants)}
    else:
        with usage_errors():
            setup = table_setup(table.models(), seats, None, Ties.SPLIT)
        terms["setup"] = repr(setup)
    measure = partial(loki.action_frequencies, setup, games)
    experiment(measure, action_frequencies_text, terms, running, output.csv)
