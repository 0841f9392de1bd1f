"""The dialects that handread reads, and which of them a text is written in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO

from handread.history import Problem
from handread.notation.dialect import Dialect, Reading, Writer
from handread.notation.phh import PHH
from handread.notation.room import rooms
from handread.notation.saund import SAUND
from handread.notation.source import NotTextError, plain_line_ends
from handread.notation.stream import seekable, text_pieces

DETECTION_SIZE = 100_000
"""How many characters of a text are looked at to tell its dialect."""


@cache
def dialects() -> tuple[Dialect, ...]:
    """Every dialect, in the order in which a text is tried for them."""
    return (*rooms(), PHH, SAUND)


def dialect_named(name: str) -> Dialect:
    """The dialect of that name; ``ValueError`` with the names that there are."""
    for dialect in dialects():
        if dialect.name == name:
            return dialect
    raise ValueError(f"there is no dialect {name!r}; there are {_names()}")


def writer_named(name: str) -> Writer:
    """The dialect of that name, to write in; ``ValueError`` for one that can only be read."""
    dialect = dialect_named(name)
    if not isinstance(dialect, Writer):
        raise ValueError(f"{dialect.title} hands can be read, but not written")
    return dialect


def detect(text: str) -> Dialect | None:
    """The dialect that a text looks to be written in, ``None`` when it looks like none."""
    head = text[:DETECTION_SIZE]
    return next((dialect for dialect in dialects() if dialect.detect(head)), None)


def read_text(text: str, file: str, dialect: str | None = None) -> Iterator[Reading]:
    """The hands of a text, and problems that belong to no hand; never an exception for its sake.

    ``file`` is what sources and problems name. ``ValueError`` for an unknown dialect.
    """
    chosen = dialect_named(dialect) if dialect else None
    return iter(LogReader(iter([plain_line_ends(text)]), file, chosen))


def read_bytes(data: bytes, file: str, dialect: str | None = None) -> Iterator[Reading]:
    """The same for the bytes of a file, whatever their encoding."""
    return iter(read_stream(BytesIO(data), file, dialect))


def read_file(path: str | Path, dialect: str | None = None) -> Iterator[Reading]:
    """The same for a file; one that cannot be opened is a problem too."""
    chosen = dialect_named(dialect) if dialect else None
    return _file_readings(path, chosen)


def read_stream(stream: IO[bytes], file: str, dialect: str | None = None) -> LogReader:
    """The same for an open file that can be read twice; memory holds a piece of it at a time."""
    return LogReader(text_pieces(stream), file, dialect_named(dialect) if dialect else None)


def _file_readings(path: str | Path, dialect: Dialect | None) -> Iterator[Reading]:
    try:
        with Path(path).open("rb") as stream, seekable(stream) as log:
            yield from LogReader(text_pieces(log), str(path), dialect)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        yield Problem(str(path), 1, 1, f"cannot read the file: {reason}")


class LogReader:
    """Reads the hands of a log piece by piece; iterate over it once.

    A piece ends where a hand does, so that what is read does not depend on the pieces.
    """

    def __init__(self, pieces: Iterator[str], file: str, dialect: Dialect | None) -> None:
        self._pieces = pieces
        self._file = file
        self._dialect = dialect
        self._text = ""
        self._first_line = 1
        self._lines: list[str] | None = None

    def line(self, number: int) -> str:
        """A line of the piece that is being read; empty for one that is not in it."""
        if self._lines is None:
            self._lines = self._text.split("\n")
        at = number - self._first_line
        return self._lines[at] if 0 <= at < len(self._lines) else ""

    def __iter__(self) -> Iterator[Reading]:
        """Hands and problems in order."""
        try:
            yield from self._readings()
        except NotTextError as reason:
            yield Problem(self._file, 1, 1, str(reason), "text")

    def _readings(self) -> Iterator[Reading]:
        head = self._head()
        if not head.strip():
            yield Problem(self._file, 1, 1, "there is no hand, the file is empty", "hands")
            return
        chosen = self._dialect or detect(head) or _by_suffix(self._file)
        if chosen is None:
            message = "this looks like no hand history that handread knows"
            yield Problem(self._file, 1, 1, message, f"one of: {_names()}")
            return
        nothing = True
        for _ in self._parts(chosen, head):
            for reading in chosen.read(self._text, self._file, self._first_line):
                nothing = False
                yield reading
        if nothing:
            yield Problem(self._file, 1, 1, "there is no hand in it", f"{chosen.title} hands")

    def _head(self) -> str:
        """The beginning of the text, enough of it to tell the dialect; blank only if all is."""
        head = ""
        for piece in self._pieces:
            head += piece
            if len(head.lstrip()) >= DETECTION_SIZE:
                break
        return head

    def _parts(self, dialect: Dialect, head: str) -> Iterator[None]:
        """Takes up part after part of the text; each ends where a hand does."""
        waiting, size, enough = [head], len(head), 0
        for piece in self._pieces:
            if size >= enough:
                rest = "".join(waiting)
                cut = dialect.cut(rest)
                if cut:
                    self._take(rest[:cut])
                    yield
                waiting, size = [rest[cut:]], len(rest) - cut
                # A hand that does not end is not looked through again with each piece.
                enough = 0 if cut else 2 * size
            waiting.append(piece)
            size += len(piece)
        self._take("".join(waiting))
        yield

    def _take(self, text: str) -> None:
        self._first_line += self._text.count("\n")
        self._text, self._lines = text, None


def _by_suffix(file: str) -> Dialect | None:
    suffix = Path(file).suffix.lower()
    return next((dialect for dialect in dialects() if suffix in dialect.suffixes), None)


def _names() -> str:
    return ", ".join(dialect.name for dialect in dialects())
