"""The command that writes hands in another notation: convert."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handread.cli.options import (
    TIES,
    VIEWPOINT,
    Files,
    Lapse,
    SeatModels,
    SuitingPolicy,
    Target,
    Ties,
    chosen_roster,
    usage,
    usage_errors,
)
from handread.cli.reading import Dialect, Grammars, RejectsFile, Verbose, chosen_reads


def convert(
    files: Files,
    to: Target,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write here, not to standard output.")
    ] = None,
    annotate: Annotated[
        bool,
        typer.Option(
            "--annotate", help="With --to phh: write into the hands what is read of them."
        ),
    ] = False,
    policy: SuitingPolicy = None,
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    viewpoint: Annotated[str | None, VIEWPOINT] = None,
    ties: Annotated[Ties | None, TIES] = None,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    verbose: Verbose = False,
) -> None:
    """Write hands in another notation; what the replay worked out is written out.

    With --annotate the hands are read as by analyze, with the same options, and PHH holds the
    analysis: as comments behind the actions, and as fields that other programs pass over.
    """
    from handread.commands.convert import (
        ANNOTATED,
        PARQUET,
        Annotation,
        ConvertOptions,
        run_convert,
    )

    how = {
        "--policy": policy,
        "--lapse": lapse,
        "--seat": seat or None,
        "--viewpoint": viewpoint,
        "--ties": ties,
    }
    given = [option for option, value in how.items() if value is not None]
    if given and not annotate:
        raise usage(f"{', '.join(given)}: how hands are read matters with --annotate only")
    if annotate and to != ANNOTATED:
        raise usage(f"--annotate: only PHH can hold an analysis, not {to}; use --to {ANNOTATED}")
    reading = None
    if annotate:
        roster = chosen_roster(policy, lapse, seat)
        reading = Annotation(roster, viewpoint or "public", (ties or Ties.SPLIT).value)
    reads = chosen_reads(files, dialect, grammar, rejects, verbose)
    if to != PARQUET:
        with usage_errors():
            reads.known.writer(to)
    if rejects is not None and output is not None and rejects.resolve() == output.resolve():
        raise usage(f"{rejects}: cannot hold both what is written and what is refused")
    where = None if str(output) == "-" else output
    raise typer.Exit(run_convert(files, reads, ConvertOptions(to, where, reading)))
