"""The command that writes pages and pictures of hands: report."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import typer

from handread.cli.declared import given_words, option
from handread.cli.groups import ValuingOptions, ViewOptions, spread
from handread.cli.help import OUTPUT, examples
from handread.cli.options import Anonymous, Files, HandId, Workers, usage, writable
from handread.cli.reading import ReadingOptions
from handread.lazy import lazily

with lazily():
    import handread.sessions.analyzing as analyzing
    import handread.sessions.page_files as pages
    from handread.cli import report_session

Format = StrEnum("Format", "HTML TEXT SVG PNG PDF")

BY_ENDING = {f".{kind.value}".replace(".text", ".txt"): kind for kind in Format}


@dataclass(frozen=True)
class WrittenOptions:
    """Where the pages are written, and in which formats."""

    output: Path | None = option(
        "Folder to write, or for one hand a .html, .txt, .svg, .png or .pdf file. "
        "Default: the folder NAME-report, after the file's name, or handread-report.",
        "DIR|FILE",
        flags="-o --output",
        panel=OUTPUT,
    )
    formats: list[Format] = option(
        "Format of the pages; may be repeated. Default: html.",
        flags="--format",
        panel=OUTPUT,
        default=[],
    )

    def place(self, files: Sequence[str], anonymous: bool) -> Path:
        """Return the file or folder to write; by default named after the only file."""
        if self.output is not None:
            return self.output
        if anonymous or len(files) > 1 or files[0] == "-":
            return Path("handread-report")
        stem = Path(files[0]).stem or Path(files[0]).resolve().stem
        return Path(f"{stem}-report")

    @property
    def one_file(self) -> Format | None:
        """The format of the only file that is written, by its suffix; None for a folder."""
        return None if self.output is None else BY_ENDING.get(self.output.suffix.lower())

    def kinds(self, place: Path) -> list[Format]:
        """Return the formats to write, in the order of ``Format``.

        Raises a usage error if the output is not writable, or its suffix contradicts a format.
        """
        only = self.one_file
        if only is not None:
            writable(place)
            if others := [kind.value for kind in self.formats if kind is not only]:
                raise usage(f"{place}: cannot contain {', '.join(others)}; name a folder")
            return [only]
        _check_folder(place)
        return [kind for kind in Format if kind in self.formats] or [Format.HTML]


def _check_folder(place: Path) -> None:
    """Raise a usage error if a folder cannot be written there."""
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


@spread
@examples(
    (
        "a page for each hand of a log; open pages/index.html",
        "handread report sample_histories/pokerstars.txt -o pages",
    ),
    ("a picture of one hand", "handread report sample_histories/showdown.stud -o showdown.png"),
)
def report(
    *,
    files: Files,
    written: WrittenOptions,
    views: ViewOptions,
    valuing: ValuingOptions,
    hand: HandId = None,
    workers: Workers = 0,
    anonymous: Anonymous = False,
    reading: ReadingOptions,
) -> None:
    """Write a page for each hand, to step through in a browser.

    The folder also gets an index of the session; open its index.html. You see the hands as the
    hero, the player whose log it is, or else as the public, who sees no downcards.

    Give the same command again to resume an interrupted run. With --hand, the index is not changed.
    """
    reads = reading.settings(files, anonymous)
    place = written.place(files, anonymous)
    kinds = tuple(kind.value for kind in written.kinds(place))
    reader = reads.named(views.chosen())
    rendering = pages.Rendering(
        analyzing.HandView(
            reads.who(views.viewpoint), views.ties.value, valuing.terms(reader), top=views.top
        ),
        kinds,
        place,
        written.one_file is not None,
    )
    words = [*given_words(valuing, reading, views)]
    words += [word for kind in kinds if kinds != ("html",) for word in ("--format", kind)]
    run = report_session.SessionReport(
        files, reads, reader, rendering, hand=hand, workers=workers, given=words
    ).run
    raise typer.Exit(run())
