"""The command that writes pages and pictures of hands: report."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.options import (
    TIES,
    TOP,
    VIEWPOINT,
    Dialect,
    Files,
    Grammars,
    HandId,
    Lapse,
    RejectsFile,
    SeatModels,
    SuitingPolicy,
    Ties,
    Verbose,
    Workers,
    chosen_players,
    chosen_reads,
    usage,
    writable,
)


class Format(StrEnum):
    """How a hand is shown."""

    HTML = "html"
    TEXT = "text"
    SVG = "svg"
    PNG = "png"
    PDF = "pdf"


BY_ENDING = {f".{kind.value}".replace(".text", ".txt"): kind for kind in Format}


def report(
    files: Files,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Write into this folder; or one hand to a .html, .txt, .svg, .png or .pdf.",
            metavar="DIR|FILE",
        ),
    ] = None,
    formats: Annotated[
        list[Format],
        typer.Option("--format", help="How to show hands; may be given several times."),
    ] = [],  # noqa: B006 - typer makes a new list of it
    policy: SuitingPolicy = None,
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    viewpoint: Annotated[str, VIEWPOINT] = "public",
    ties: Annotated[Ties, TIES] = Ties.SPLIT,
    top: Annotated[int, TOP] = 4,
    hand: HandId = None,
    workers: Workers = 0,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    verbose: Verbose = False,
) -> None:
    """Show hands move by move on pages for a browser, one a hand, with an index of the session.

    Without -o the pages go to the folder NAME-report, after the name of the file read. A run that
    is stopped goes on from where it was when the same command is given again. With --hand
    the index of the session stays as it is.
    """
    from handread.cli.report_session import SessionReport
    from handread.report.pages import Rendering

    reads = chosen_reads(files, dialect, grammar, rejects, verbose)
    place = output or _default_folder(files)
    only = BY_ENDING.get(place.suffix.lower()) if output is not None else None
    wanted = _wanted(place, only, formats)
    players = chosen_players(policy, lapse, seat)
    given: dict[str, object] = {
        "--dialect": dialect,
        "--grammar": grammar,
        "--policy": policy,
        "--lapse": lapse,
        "--seat": seat,
        "--viewpoint": None if viewpoint == "public" else viewpoint,
        "--ties": None if ties is Ties.SPLIT else ties.value,
        "--top": None if top == 4 else top,
        "--format": [] if wanted == [Format.HTML] else [kind.value for kind in wanted],
    }
    kinds = tuple(kind.value for kind in wanted)
    rendering = Rendering(viewpoint, ties.value, top, kinds, place, only is not None)
    words = _words(given)
    run = SessionReport(files, reads, players, rendering, hand, workers, words).run
    raise typer.Exit(run())


def _default_folder(files: list[str]) -> Path:
    """The folder named after the only file that is read."""
    if len(files) > 1 or files[0] == "-":
        return Path("handread-report")
    stem = Path(files[0]).stem or Path(files[0]).resolve().stem
    return Path(f"{stem}-report")


def _wanted(place: Path, only: Format | None, formats: list[Format]) -> list[Format]:
    """The formats to write, in the order of their list, once each.

    Refuses at once what cannot be written to, and a file whose ending says something else.
    """
    if only is not None:
        writable(place)
        others = [kind.value for kind in formats if kind is not only]
        if others:
            raise usage(f"{place}: is no place for {', '.join(others)}; name a folder")
        return [only]
    if str(place) == "-":
        raise usage("a report is written to files; handread analyze prints to standard output")
    if place.exists() and not place.is_dir():
        raise usage(f"{place}: is a file, not a folder to write into")
    if re.fullmatch(r"\.[A-Za-z]{1,5}", place.suffix) and not place.exists():
        endings = ", ".join(BY_ENDING)
        raise usage(f"{place}: a hand is written as {endings}; a folder of that name must be there")
    if not place.resolve().parent.is_dir():
        raise usage(f"{place}: cannot be made, there is no folder {place.parent}")
    if not place.resolve().name:
        raise usage(f"{place}: choose a folder below it")
    return [kind for kind in Format if kind in formats] or [Format.HTML]


def _words(options: dict[str, object]) -> list[str]:
    """Options that were given, as words of a command."""
    words = []
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            words += [] if one is None else [name, str(one)]
    return words
