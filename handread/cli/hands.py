"""The commands that read hands: analyze, check, formats."""

from __future__ import annotations

import json
import re
from typing import Annotated

import typer

from handread.cli.options import (
    AsJson,
    Dialect,
    Files,
    HandId,
    Lapse,
    SeatModels,
    SuitingPolicy,
    Ties,
    usage,
)


def _known_viewpoint(name: str | None) -> str | None:
    if name is not None and not re.fullmatch(r"public|omniscient|seat:[0-9]+", name):
        raise usage(f"no viewpoint {name!r}: expected public, seat:N or omniscient")
    return name


VIEWPOINT = typer.Option(
    "--viewpoint",
    help="Who looks: public, seat:N or omniscient.",
    metavar="WHO",
    callback=_known_viewpoint,
    autocompletion=lambda: ["public", "omniscient", *(f"seat:{n}" for n in range(1, 9))],
)
TIES = typer.Option("--ties", help="Equal hands share the pot, or both win (paper).")
TOP = typer.Option("--top", help="How many holdings to list a player.", min=1, max=1326)


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
    from handread.lineup import parse_roster
    from handread.policy import PolicyError

    try:
        options = AnalyzeOptions(
            parse_roster(policy, lapse, seat), viewpoint, ties.value, top, hand, as_json
        )
        raise typer.Exit(run_analyze(files, dialect, options))
    except PolicyError as error:
        raise usage(error) from None


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
