"""Options of every command that reads logs. Heavy imports wait until a command needs them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handread.cli.options import usage, usage_errors, writable

if TYPE_CHECKING:
    from handread.formats.registry import Known
    from handread.session import Reads


def dialect_names() -> list[str]:
    """The names of the dialects, for completion."""
    from handread.formats.registry import dialects

    return [dialect.name for dialect in dialects()]


Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        help="Read as this dialect (see: handread formats).",
        metavar="NAME",
        autocompletion=dialect_names,
    ),
]
Grammars = Annotated[
    list[str],
    typer.Option(
        "--grammar",
        help="Know a room of your own by the grammar in this file as well; may be repeated.",
        metavar="FILE.toml",
    ),
]
RejectsFile = Annotated[
    Path | None,
    typer.Option(
        "--rejects",
        help="Keep the text of what is refused here, for repair; hands of other games are left out."
        " An older file is replaced, but stays where nothing was refused.",
        metavar="FILE",
        callback=writable,
    ),
]


Verbose = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="List the hands of other games that are not read."),
]


def known_with(grammars: Iterable[str]) -> Known:
    """The dialects that there are with grammars of one's own; a wrong one is a fault of usage.

    What is wrong in a grammar is told in plain lines, as ``formats --lint`` does: a frame would
    break them between the file and the line.
    """
    from handread.formats.faults import GrammarError
    from handread.formats.registry import read_grammars
    from handread.report.words import visible

    with usage_errors():
        try:
            return read_grammars(grammars)
        except GrammarError as error:
            for fault in error.faults:
                typer.echo(visible(str(fault)), err=True)
            raise typer.Exit(2) from None


def chosen_reads(
    files: Iterable[str],
    dialect: str | None,
    grammars: list[str],
    rejects: Path | None = None,
    verbose: bool = False,
) -> Reads:
    """How files are read; a fault of usage for a dialect that there is not, and the like."""
    from handread.session import Reads, same_file

    known = known_with(grammars)
    if dialect is not None:
        with usage_errors():
            known.named(dialect)
    if rejects is not None and any(same_file(rejects, file) for file in [*files, *grammars]):
        raise usage(f"{rejects}: is one of the files to read; choose another name for --rejects")
    return Reads(dialect, known, rejects, verbose)
