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
    Dialect,
    Files,
    HandId,
    Lapse,
    SeatModels,
    SuitingPolicy,
    Ties,
    chosen_roster,
)


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
    as_json: AsJson = False,
) -> None:
    """Read hands street by street: who probably holds what, and what each action told."""
    from handread.commands.hands import AnalyzeOptions, run_analyze

    roster = chosen_roster(policy, lapse, seat)
    options = AnalyzeOptions(roster, viewpoint, ties.value, top, hand, as_json)
    raise typer.Exit(run_analyze(files, dialect, options))


def check(files: Files, dialect: Dialect = None, as_json: AsJson = False) -> None:
    """Read and replay only: which hands are whole and legal, and what is wrong with the rest."""
    from handread.commands.hands import run_check

    raise typer.Exit(run_check(files, dialect, as_json))


def formats(as_json: AsJson = False) -> None:
    """List the notations and rooms that can be read, and those that can be written."""
    from handread.notation import Writer, dialects

    rows = [
        {
            "name": dialect.name,
            "title": dialect.title,
            "suffixes": list(dialect.suffixes),
            "writes": isinstance(dialect, Writer),
        }
        for dialect in dialects()
    ]
    if as_json:
        for row in rows:
            typer.echo(json.dumps(row))
        return
    for row in rows:
        written = "reads, writes" if row["writes"] else "reads"
        typer.echo(f"{row['name']:<12} {written:<14} {row['title']}")
