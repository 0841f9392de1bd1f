"""The tables behind Loki: ``handread experiment starting-hands`` and ``action-frequencies``."""

from __future__ import annotations

from typing import Annotated

import typer

from handread.cli.chosen import table_setup
from handread.cli.experiments import run_experiment
from handread.cli.help import examples
from handread.cli.options import (
    MOST_GAMES,
    Csv,
    Games,
    Knowledge,
    Lapse,
    PolicyName,
    SeatModels,
    Seats,
    Seed,
    SevenSeats,
    Ties,
    Workers,
    usage_errors,
)


@examples(
    ("few games, for a first look", "handread experiment starting-hands --games 100"),
    (
        "the whole table, at a table of four",
        "handread experiment starting-hands --seats 4 --csv income.csv",
    ),
)
def starting_hands(
    games: Annotated[
        int,
        typer.Option(
            help="Number of games for each starting hand.", min=2, max=MOST_GAMES, metavar="N"
        ),
    ] = 100_000,
    seats: SevenSeats = 7,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Csv = None,
) -> None:
    """Income of every starting hand against random hands.

    All players stay to the showdown.
    """
    from functools import partial

    from handread.papers.loki import study as loki
    from handread.papers.loki.text import starting_hands_text

    terms = {"command": "starting-hands", "games": games, "seats": seats, "seed": seed}
    run = partial(loki.starting_hands, seats, games, seed)
    run_experiment(run, starting_hands_text, terms, workers, csv, None, "", "starting hands")


@examples(
    ("players of a policy", "handread experiment action-frequencies --games 50 --policy people"),
    (
        "Loki's opponent modellers",
        "handread experiment action-frequencies --games 50 --players GOM,GOM,GOM",
    ),
)
def action_frequencies(
    games: Games = 2000,
    seats: Seats = 7,
    policy: PolicyName = "default",
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    players: Annotated[
        str | None,
        typer.Option(
            help="Players, in place of --seats, --policy and --seat; names as in experiment "
            "tournament.",
            metavar="NAME,NAME,...",
        ),
    ] = None,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Csv = None,
) -> None:
    """Count folds, calls and raises, by street and cost.

    Loki expects its opponents to act as often as these players do.
    """
    from functools import partial

    from handread.papers.loki import study as loki
    from handread.papers.loki.text import action_frequencies_text
    from handread.papers.tournament.commands import entrants_at_table
    from handread.papers.tournament.study import table_of, terms_of

    terms: dict[str, object] = {"command": "action-frequencies", "seed": seed}
    if players is not None:
        entrants, base = entrants_at_table(players, None, Ties.SPLIT)
        setup = table_of(entrants, base)
        terms |= {"setup": repr(base), "players": terms_of(entrants)}
    else:
        with usage_errors():
            setup = table_setup(
                seats, policy, lapse, Knowledge.BET_INFERENCE, seat, None, None, Ties.SPLIT
            )
        terms["setup"] = repr(setup)
    run = partial(loki.action_frequencies, setup, games, seed)
    run_experiment(run, action_frequencies_text, terms, workers, csv)
