"""The command line. Heavy imports wait until a command needs them."""

from __future__ import annotations

import json
import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from handread import __version__

app = typer.Typer(
    name="handread",
    help="Read observed hands of seven-card stud and tell what the betting gave away.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

Files = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Hand histories; - is standard input.")
]


def _usage(message: object) -> typer.BadParameter:
    return typer.BadParameter(str(message))


def _dialect_names() -> list[str]:
    from handread.notation import dialects

    return [dialect.name for dialect in dialects()]


def _known_dialect(name: str | None) -> str | None:
    from handread.notation import dialect_named

    if name is not None:
        try:
            dialect_named(name)
        except ValueError as error:
            raise _usage(error) from None
    return name


Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        help="Read as this dialect (see: handread formats).",
        metavar="NAME",
        callback=_known_dialect,
        autocompletion=_dialect_names,
    ),
]
HandId = Annotated[
    str | None,
    typer.Option("--hand", help="Only the hand with this id, or #N for the Nth.", metavar="ID"),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a hand, on one line.")]


class Ties(StrEnum):
    """How equal hands count."""

    SPLIT = "split"
    PAPER = "paper"


class Target(StrEnum):
    """Notations that can be written."""

    SAUND = "saund"
    PHH = "phh"


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"handread {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Read observed hands of seven-card stud and tell what the betting gave away."""


def _policy_names() -> list[str]:
    from handread.policy import policy_names

    return policy_names()


@app.command()
def analyze(
    files: Files,
    policy: Annotated[
        str,
        typer.Option(
            help="How the players bet: a preset or a TOML file.",
            metavar="NAME|FILE",
            autocompletion=_policy_names,
        ),
    ] = "default",
    lapse: Annotated[
        float | None,
        typer.Option(help="Chance that a player acts at random.", metavar="P", min=0, max=1),
    ] = None,
    viewpoint: Annotated[
        str,
        typer.Option(
            help="Who looks: public, seat:N or omniscient.",
            metavar="WHO",
            autocompletion=lambda: ["public", "omniscient", *(f"seat:{n}" for n in range(1, 9))],
        ),
    ] = "public",
    ties: Annotated[
        Ties, typer.Option(help="Equal hands share the pot, or both win (paper).")
    ] = Ties.SPLIT,
    top: Annotated[
        int, typer.Option(help="How many holdings to list a player.", min=1, max=1326)
    ] = 4,
    hand: HandId = None,
    dialect: Dialect = None,
    as_json: AsJson = False,
) -> None:
    """Read hands street by street: who probably holds what, and what each action told."""
    from handread.commands import AnalyzeOptions, run_analyze
    from handread.policy import PolicyError, load_policy

    if not re.fullmatch(r"public|omniscient|seat:[0-9]+", viewpoint):
        raise _usage(f"no viewpoint {viewpoint!r}: expected public, seat:N or omniscient")
    try:
        chosen = load_policy(policy)
        chosen = chosen if lapse is None else chosen.with_lapse(lapse)
        options = AnalyzeOptions(chosen, viewpoint, ties.value, top, hand, as_json)
        raise typer.Exit(run_analyze(files, dialect, options))
    except PolicyError as error:
        raise _usage(error) from None


@app.command()
def check(files: Files, dialect: Dialect = None, as_json: AsJson = False) -> None:
    """Read and replay only: which hands are whole and legal, and what is wrong with the rest."""
    from handread.commands import run_check

    raise typer.Exit(run_check(files, dialect, as_json))


@app.command()
def convert(
    files: Files,
    to: Annotated[Target, typer.Option("--to", help="The notation to write.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write here, not to standard output.")
    ] = None,
    dialect: Dialect = None,
) -> None:
    """Write hands in another notation; what the replay worked out is written out."""
    from handread.commands import run_convert

    raise typer.Exit(run_convert(files, dialect, to.value, output))


@app.command()
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


def main() -> None:
    """Run the program."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
