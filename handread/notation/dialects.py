"""The dialects that handread reads, and which of them a text is written in."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import IO

from handread.history import History, Problem
from handread.notation.dialect import Dialect, Reading, Writer
from handread.notation.phh import PHH
from handread.notation.room import rooms
from handread.notation.saund import SAUND
from handread.notation.source import NotTextError, plain_line_ends
from handread.notation.stream import LONGEST, PIECE, cut_up, text_pieces

DETECTION_SIZE = 100_000
"""How many characters of a text are looked at to tell its dialect."""

EXCERPT = 500
"""How many characters of a line a problem holds at the most."""

LOOK_UP = 1 << 11
"""How many characters are read to find one hand: few, as it is reading that takes long."""


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


def read_stream(
    stream: IO[bytes], file: str, dialect: str | None = None, begun: bytes = b""
) -> LogReader:
    """The same for an open file or pipe; memory holds a piece of it at a time.

    ``begun`` is what was read of it before.
    """
    texts = text_pieces(stream, begun=begun)
    return LogReader(texts, file, dialect_named(dialect) if dialect else None)


def _file_readings(path: str | Path, dialect: Dialect | None) -> Iterator[Reading]:
    try:
        with Path(path).open("rb") as stream:
            yield from LogReader(text_pieces(stream), str(path), dialect)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        yield Problem(str(path), 1, 1, f"cannot read the file: {reason}")


@dataclass(frozen=True, slots=True)
class LogPiece:
    """A part of a log that is read on its own: it begins with a hand and ends where one does.

    Only the first part of a log may begin with something else. ``first_line`` is the number of
    its first line in the file, ``dialect`` the name of what it is written in, ``above`` what
    stands before it and governs its hands.
    """

    text: str
    first_line: int
    dialect: str
    above: str = ""

    @property
    def next_line(self) -> int:
        """The number of the first line behind it."""
        return self.first_line + self.text.count("\n") + (not self.text.endswith("\n"))

    def read(self, file: str) -> Iterator[Reading]:
        """Its hands and problems in order, of a file of that name."""
        return dialect_named(self.dialect).read(self.text, file, self.first_line, self.above)


def nothing_in(file: str, dialect: str) -> Problem:
    """The problem of a file of that dialect whose pieces hold neither hands nor problems."""
    return Problem(file, 1, 1, "there is no hand in it", f"{dialect_named(dialect).title} hands")


class LogReader:
    """Reads the hands of a log piece by piece; iterate once, over it or its pieces.

    A piece ends where a hand does, so that what is read does not depend on the pieces.
    """

    def __init__(self, texts: Iterator[str], file: str, dialect: Dialect | None) -> None:
        """``texts`` are, end to end, the log, its line ends made line feeds."""
        self._texts = texts
        self._file = file
        self._dialect = dialect
        self._piece: LogPiece | None = None
        self._lines: list[str] | None = None

    def line(self, number: int) -> str:
        """A line of the piece that is being read; empty for one that is not in it."""
        if self._piece is None:
            return ""
        if self._lines is None:
            self._lines = self._piece.text.split("\n")
        at = number - self._piece.first_line
        return self._lines[at] if 0 <= at < len(self._lines) else ""

    def __iter__(self) -> Iterator[Reading]:
        """Hands and problems in order."""
        nothing = True
        for piece in self.pieces():
            for reading in self.read(piece):
                nothing = False
                yield reading
        if nothing and self._piece is not None:
            yield nothing_in(self._file, self._piece.dialect)

    def read(self, piece: LogPiece | Problem) -> Iterator[Reading]:
        """The hands and problems of one of the pieces; ``line`` then tells of this one."""
        if isinstance(piece, Problem):
            yield piece
            return
        self._take(piece)
        yield from piece.read(self._file)

    def _take(self, piece: LogPiece) -> None:
        self._piece, self._lines = piece, None

    def at(self, line: int) -> tuple[list[Reading], int]:
        """What stands at a line: the hand that it is part of, or the problems of what is no hand.

        A problem of the whole log stands at every line of it, that of a hand without an end at
        every line of the hand. Where there is nothing, the second is the
        line where the hand before begins, else that of the next, 0 where none is near. What stands
        before is cut, not read.
        """
        pieces = self.pieces(LOOK_UP)
        around: deque[LogPiece | Problem] = deque(maxlen=2)
        for piece in pieces:
            around.append(piece)
            if line < (piece.line if isinstance(piece, Problem) else piece.next_line):
                break
        piece = around[-1] if _first_line(around[-1]) <= line else around[0]
        if isinstance(piece, Problem):
            return [piece], 0
        found = list(self.read(piece))
        last = max((at for at in map(_first_line, found) if at <= line), default=0)
        here = [one for one in found if _first_line(one) == last and self._reaches(one, line)]
        return here, 0 if here else self._nearest(line, [*around, *islice(pieces, 1)])

    def _nearest(self, line: int, pieces: Iterable[LogPiece | Problem]) -> int:
        """The line where the last hand before begins; without one that of the next, or 0."""
        readings = chain.from_iterable(map(self.read, pieces))
        begins = [hand.source.line for hand in readings if isinstance(hand, History)]
        return max((at for at in begins if at <= line), default=min(begins, default=0))

    def _reaches(self, reading: Reading, line: int) -> bool:
        """Whether what has begun goes on to a line; what is no hand ends before a blank one."""
        if isinstance(reading, History):
            return line <= max(reading.end_line, reading.source.line)
        return all(self.line(number).strip() for number in range(reading.line + 1, line + 1))

    def pieces(self, size: int = PIECE) -> Iterator[LogPiece | Problem]:
        """The log unread, in pieces of at most ``size`` characters where its hands are shorter.

        What stands behind a piece does not change it: of a log that grows, all pieces but the last
        stay as they are, if ``size`` is at least ``DETECTION_SIZE`` or the dialect is given. A log
        that is no text, is blank, or is of no known dialect is one problem instead; a hand that
        does not end is one, and passed over.
        """
        try:
            yield from self._cut_up(size)
        except NotTextError as reason:
            yield Problem(self._file, 1, 1, str(reason), "text")

    def _cut_up(self, size: int) -> Iterator[LogPiece | Problem]:
        head = self._head()
        text = head[:LONGEST].lstrip()
        if not text:
            blank = f"the first {LONGEST:,} characters are blank"
            why = blank if len(head) > LONGEST else "the file is empty"
            yield Problem(self._file, 1, 1, f"there is no hand, {why}", "hands")
            return
        chosen = self._dialect or detect(text) or _by_suffix(self._file)
        if chosen is None:
            message = "this looks like no hand history that handread knows"
            yield Problem(self._file, 1, 1, message, f"one of: {_names()}")
            return
        line, above = 1, ""
        for part in cut_up(chain([head], self._texts), chosen.cut, size):
            if not part.passed_over:
                yield LogPiece(part.text, line, chosen.name, above)
            elif part.begins:
                yield self._endless(part.text, line)
            line += part.text.count("\n")
            above = chosen.carry(part.text, above)

    def _endless(self, text: str, line: int) -> Problem:
        """The problem of a hand that does not end, of which this is the beginning."""
        message = f"a hand that does not end within {LONGEST:,} characters"
        first = text[:EXCERPT].split("\n", 1)[0]
        return Problem(self._file, line, 1, message, "the beginning of the next hand", first)

    def _head(self) -> str:
        """The beginning of the text, enough of it to tell the dialect.

        Blank only if all is, or more than one hand may have.
        """
        head = ""
        for text in self._texts:
            head += text
            if len(head.lstrip()) >= DETECTION_SIZE or len(head) > LONGEST:
                break
        return head


def _first_line(reading: Reading | LogPiece) -> int:
    if isinstance(reading, History):
        return reading.source.line
    return reading.line if isinstance(reading, Problem) else reading.first_line


def _by_suffix(file: str) -> Dialect | None:
    suffix = Path(file).suffix.lower()
    return next((dialect for dialect in dialects() if suffix in dialect.suffixes), None)


def _names() -> str:
    return ", ".join(dialect.name for dialect in dialects())
