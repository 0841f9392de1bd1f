"""The command that makes histories: simulate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handread.cli.options import (
    Game,
    Knowledge,
    KnowledgeOf,
    Lapse,
    PolicyName,
    SeatModels,
    Seats,
    Seed,
    Stack,
    Ties,
    TiesOption,
    Workers,
    WrittenDialect,
    table_setup,
    usage_errors,
    writable,
)


def simulate(
    n: Annotated[int, typer.Argument(metavar="N", help="How many games to play.", min=1)],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Write here: .stud, .phhs, .parquet, or any ending with --dialect.",
            callback=writable,
        ),
    ] = None,
    seats: Seats = 7,
    policy: PolicyName = "default",
    lapse: Lapse = None,
    knowledge: KnowledgeOf = Knowledge.BET_INFERENCE,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    names: Annotated[
        str | None,
        typer.Option(help="The players' names, by seat; else their policies.", metavar="A,B,..."),
    ] = None,
    game: Game = None,
    stack: Stack = None,
    ties: TiesOption = Ties.SPLIT,
    seed: Seed = 1,
    workers: Workers = 0,
    dialect: WrittenDialect = None,
) -> None:
    """Play games by policies and write their histories, every downcard known.

    Game k of a seed is the same whatever the number of workers. A run to a file that is stopped
    goes on from where it was when the same command is given again; games to standard output
    are played one after the other.
    """
    from handread.commands.simulate import SimulateOptions, check_writable, run_simulate, target_of

    with usage_errors():
        setup = table_setup(seats, policy, lapse, knowledge, seat, game, stack, ties, names)
        target = target_of(output, dialect)
        check_writable(setup, target)
        options = SimulateOptions(setup, n, seed, workers, output, target)
    raise typer.Exit(run_simulate(options))
