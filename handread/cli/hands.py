"""The commands that read hands: analyze, check, formats."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from handread.cli.options import (
    TIES,
    TOP,
    VIEWPOINT,
    AsJson,
    Files,
    HandId,
    Lapse,
    SeatModels,
    SuitingPolicy,
    Ties,
    chosen_roster,
)
from handread.cli.reading import Dialect, Grammars, RejectsFile, chosen_reads, known_with


def analyze(
    files: Files,
    policy: SuitingPolicy = None,
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    viewpoint: Annotated[str, VIEWPOINT] = "public",
    ties: Annotated[Ties, TIES] = Ties.SPLIT,
    top: Annotated[int, TOP] = 4,
    hand: HandId = None,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    as_json: AsJson = False,
) -> None:
    """Read hands street by street: who probably holds what, and what each action told."""
    from handread.commands.hands import AnalyzeOptions, run_analyze

    roster = chosen_roster(policy, lapse, seat)
    options = AnalyzeOptions(roster, viewpoint, ties.value, top, hand, as_json)
    reads = chosen_reads(files, dialect, grammar, rejects)
    raise typer.Exit(run_analyze(files, reads, options))


def check(
    files: Files,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Refuse hands that stop in the middle, and those with a line of no known form.",
        ),
    ] = False,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    as_json: AsJson = False,
) -> None:
    """Read and replay only: which hands are whole and legal, and what is wrong with the rest."""
    from handread.commands.hands import CheckOptions, run_check

    reads = chosen_reads(files, dialect, grammar, rejects)
    raise typer.Exit(run_check(files, reads, CheckOptions(as_json, strict)))


def formats(
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    as_json: AsJson = False,
) -> None:
    """List the notations and rooms that can be read, and those that can be written."""
    from handread.notation import Writer

    rows = [
        {
            "name": dialect.name,
            "title": dialect.title,
            "suffixes": list(dialect.suffixes),
            "writes": isinstance(dialect, Writer),
        }
        for dialect in known_with(grammar).dialects
    ]
    if as_json:
        for row in rows:
            typer.echo(json.dumps(row))
        return
    for row in rows:
        written = "reads, writes" if row["writes"] else "reads"
        typer.echo(f"{row['name']:<12} {written:<14} {row['title']}")
