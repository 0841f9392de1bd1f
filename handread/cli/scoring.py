"""The commands of large sets of hands: score, summary, plot, query."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.options import (
    TIES,
    Dialect,
    Lapse,
    SeatModels,
    SuitingPolicy,
    Ties,
    Workers,
    chosen_roster,
    usage,
)


class CopyFormat(StrEnum):
    """What tables can be had as, besides Parquet."""

    CSV = "csv"
    ARROW = "arrow"


def score(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...", help="Hand histories, or folders of them; - is standard input."
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The folder for the tables.", metavar="DIR")
    ],
    policy: SuitingPolicy = None,
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    ties: Annotated[Ties, TIES] = Ties.SPLIT,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Go on with tables that are there: what is in them is not read again."
        ),
    ] = False,
    formats: Annotated[
        list[CopyFormat],
        typer.Option("--format", help="Copy the tables to this format as well."),
    ] = [],  # noqa: B006 - typer makes a new list of it
    workers: Workers = 0,
    scheduler: Annotated[
        str | None,
        typer.Option(
            help="Let a Dask cluster do the work: its scheduler, such as tcp://host:8786.",
            metavar="ADDRESS",
        ),
    ] = None,
    dialect: Dialect = None,
) -> None:
    """Read many hands into tables: Parquet that polars, DuckDB or pandas open.

    One row a hand, a seat at a stage, an action; and one for each hand that was refused. A run that
    is stopped goes on with --resume, and tables grow when files do, or when others are named.
    """
    from handread.commands.score import ScoreOptions, run_score

    if output.exists() and not output.is_dir():
        raise usage(f"{output}: is a file; the tables need a folder")
    roster = chosen_roster(policy, lapse, seat)
    copies = tuple(kind.value for kind in dict.fromkeys(formats))
    options = ScoreOptions(output, roster, ties.value, dialect, workers, resume, scheduler, copies)
    raise typer.Exit(run_score(paths, options))
