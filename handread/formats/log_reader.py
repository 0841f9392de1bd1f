"""Read logs: detect the format of a text and yield its hands in order."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain, islice
from typing import IO, Self, TypeVar

import handread.formats.registry as registry
from handread.formats.format import Dialect, Reading
from handread.formats.format_runs import FormatRun, format_runs
from handread.formats.text import LONGEST, PIECE, NotTextError, cut_up, plain_line_ends, text_pieces
from handread.game.infer_stakes import Level, level_key, levels_of, with_stakes
from handread.history import Event, History, NetResult, Problem, with_problems

MAX_EXCERPT = 500
"""Most characters of the first line that are shown with the problem of a whole log."""

LOOK_UP = 1 << 11
"""Characters read at once to find a single hand; few, as reading is slow."""

NEW_ROOM = "a room of your own, see docs/add-a-room.md and handread formats --new"
"""Advice for the log of an unknown room."""


def read_text(text: str, file: str, dialect: str | None = None) -> Iterator[Reading]:
    """Yield the hands of a text, and the problems of text that is not part of a hand.

    Without ``dialect``, the format is detected; ``ValueError`` for an unknown format.
    """
    chosen = registry.dialect_named(dialect) if dialect else None
    return iter(LogReader(iter([plain_line_ends(text)]), file, chosen))


def read_bytes(data: bytes, file: str, dialect: str | None = None) -> Iterator[Reading]:
    """Yield the hands of the bytes of a file, whatever their encoding."""
    return iter(read_stream(BytesIO(data), file, dialect))


def read_bytes_at(data: bytes, file: str, line: int) -> tuple[list[Reading], int]:
    """Return the readings of the bytes of a file at a line, as ``LogReader.at`` does."""
    return read_stream(BytesIO(data), file).at(line)


def read_stream(
    stream: IO[bytes],
    file: str,
    dialect: str | None = None,
    known: registry.FormatRegistry = registry.BUILT_IN,
) -> "LogReader":
    """Return a reader of an open file or pipe, which holds one piece of it in memory.

    Without ``dialect``, the format is detected among the formats ``known``.
    """
    chosen = known.named(dialect) if dialect else None
    return LogReader(text_pieces(stream), file, chosen, known)


@dataclass(frozen=True, slots=True)
class LogPiece:
    """Whole hands of a log, which can be read independently of its other pieces.

    Only the first piece of a log may begin with other text. It begins at ``first_line`` and
    ``column``; ``above`` is earlier text that applies to its hands. A problem before its first hand
    ends with ``hint``. ``own`` is the grammar of a user's format, ``asked`` the title of the format
    that the user chose, if it is another one. ``levels`` are for hands without stakes.
    """

    text: str
    first_line: int
    dialect: str
    own: registry.OwnGrammar | None = None
    hint: str = ""
    above: str = ""
    asked: str = ""
    levels: tuple[Level, ...] = ()
    column: int = 1

    @property
    def last_line(self) -> int:
        """The number of its last line, even if that line is empty."""
        return self.first_line + self.text.count("\n")

    @property
    def lines(self) -> list[str]:
        """Its lines; text before it on the first line is blank."""
        return (" " * (self.column - 1) + self.text).split("\n")

    @property
    def hint_behind(self) -> str:
        """The hint for the piece behind it: none if this one holds a hand or a problem."""
        return "" if self.hint and any(True for _ in self.read("")) else self.hint

    def read(self, file: str) -> Iterator[Reading]:
        """Yield its hands and problems in order, with ``file`` as their file.

        ``levels``, or without any the piece itself, give the stakes that hands do not state.
        """
        readings: Iterable[Reading] = self._read(file)
        levels = {level.key: level for level in self.levels}
        if not levels and self.leaves_stakes_open:
            readings = list(readings)
            levels = levels_of(_unstated(readings))
        for reading in readings:
            if levels and isinstance(reading, History) and _states_none(reading):
                level = levels.get(level_key(reading))
                yield with_stakes(reading, level) if level else reading
            else:
                yield reading

    def _read(self, file: str) -> Iterator[Reading]:
        hint = self.hint
        text, first_line = self.above + self.text, self.first_line - self.above.count("\n")
        for reading in self.written_in.read(text, file, first_line):
            if _first_line(reading) < self.first_line:
                continue  # Problems above were reported with their own piece.
            moved = _moved(reading, self.first_line, self.column - 1)
            if isinstance(moved, Problem):
                yield _hinted(moved, hint)
            else:
                yield _hinted(self._not_asked(moved), hint) if self.asked else moved
            hint = ""

    def _not_asked(self, hand: History) -> Problem:
        line = hand.source.line
        text = self.lines[line - self.first_line].lstrip()  # a piece begins behind the blanks
        message = f"this is a {self.written_in.title} hand"
        expected = f"a {self.asked} hand; without --dialect both are read"
        where = hand.source.file, line, self.column if line == self.first_line else 1
        problem = Problem(*where, message, expected, text=text, dialect=self.dialect)
        return replace(problem, end_line=hand.end_line)

    def parts(self, size: int) -> Iterator[Self]:
        """Yield it in pieces of at most ``size`` characters or one hand."""
        dialect, line, above, hint = self.written_in, self.first_line, self.above, self.hint
        for part in cut_up([self.text], dialect.cut, size):
            column = self.column if line == self.first_line else 1
            part_of = replace(self, text=part.text, first_line=line, column=column)
            yield (piece := replace(part_of, above=above, hint=hint))
            line += part.text.count("\n")
            above = dialect.carry(above + part.text)
            hint = piece.hint_behind

    def with_levels(self, size: int) -> Iterator[Self]:
        """Yield the same pieces, with levels of hands inferred from the whole."""
        unstated = _unstated(self._read(""))
        levels = levels_of(unstated)
        keys = [(hand.source.line, level_key(hand)) for hand in unstated]
        for part in self.parts(size):
            # A hand in XML may begin on the line where the one before it ends.
            last = part.last_line - part.text.endswith("\n")
            asked = {key: 0 for line, key in keys if part.first_line <= line <= last}
            yield replace(part, levels=tuple(levels[key] for key in asked))

    def nothing(self, file: str) -> Problem:
        """Return the problem of a file whose pieces hold neither hands nor problems."""
        nothing, expected = "there are no hands in it", f"{self.written_in.title} hands"
        problem = Problem(file, 1, 1, nothing, expected, dialect=self.written_in.name)
        last = self.last_line - self.text.endswith("\n")
        return _hinted(replace(problem, end_line=last), self.hint)

    @property
    def leaves_stakes_open(self) -> bool:
        """True if hands in it may not state their stakes."""
        return self.written_in.leaves_stakes_open(self.above + self.text)

    @property
    def written_in(self) -> Dialect:
        """The format of the hands."""
        return registry.dialect_named(self.dialect) if self.own is None else self.own.room()


def _unstated(readings: Iterable[Reading]) -> list[History]:
    return [hand for hand in readings if isinstance(hand, History) and _states_none(hand)]


def _states_none(hand: History) -> bool:
    return hand.stakes is None and bool(hand.events)


def _hinted(problem: Problem, hint: str) -> Problem:
    return replace(problem, message=f"{problem.message}; {hint}") if hint else problem


class LogReader:
    """Read the hands of a log piece by piece; iterate once, over it or its pieces.

    A piece ends with a hand, so that the result does not depend on the size of pieces.
    """

    def __init__(
        self,
        texts: Iterator[str],
        file: str,
        dialect: Dialect | None,
        known: registry.FormatRegistry = registry.BUILT_IN,
    ) -> None:
        """``texts`` are consecutive parts of the log, with line feeds as line ends."""
        self._texts = texts
        self._file = file
        self._dialect = dialect
        self._known = known
        self._piece: LogPiece | None = None
        self._lines: list[str] | None = None
        self._behind = 0
        self._line = 1
        # The last text of an unknown format.
        self.unknown: Iterator[str] = iter(())

    def line(self, number: int) -> str:
        """Return a line of the current piece; empty if it is not in it."""
        return next(iter(self._between(number, number)), "")

    def text(self, line: int, end_line: int) -> str:
        """Return the text of the hand at a line of the current piece, or of other text there.

        It includes lines above the hand's first line: a comment, a header in PHH, a session in XML.
        """
        if self._piece is None:
            return ""
        dialect = self._piece.written_in
        start = min(self._behind + 1, line)
        lines, above = self._between(start, end_line), self._between(start, line)
        if start == self._piece.first_line:  # what precedes on its line belongs to another hand
            lines[0] = lines[0][self._piece.column - 1 :]
        at = dialect.cut("\n".join([*above, ""]))
        first = "\n".join(above).count("\n", 0, at)
        earlier = "".join(f"{text}\n" for text in self._between(1, start + first - 1))
        governing = dialect.carry(self._piece.above + earlier)
        text = dialect.finished("\n".join(lines[first:]).lstrip("\n"))
        return f"{governing}{text}\n"

    def _between(self, first: int, last: int) -> list[str]:
        if self._piece is None:
            return []
        if self._lines is None:
            self._lines = self._piece.lines
        start = self._piece.first_line
        return self._lines[max(0, first - start) : max(0, last + 1 - start)]

    def __iter__(self) -> Iterator[Reading]:
        nothing = True
        for block in self._blocks():
            for reading in self.read(block):
                nothing = False
                yield reading
        if nothing and self._piece is not None:
            yield self._piece.nothing(self._file)

    def read(self, piece: LogPiece | Problem) -> Iterator[Reading]:
        """Yield the hands and problems of a piece, which becomes the current one."""
        if isinstance(piece, Problem):
            yield piece
            return
        self._piece, self._lines = piece, None
        for reading in piece.read(self._file):
            yield reading
            self._behind = max(self._behind, _first_line(reading), reading.end_line)

    def at(self, line: int) -> tuple[list[Reading], int]:
        """Return the hand or the problems at a line, and 0; earlier hands are not read.

        A problem of the whole log is at each of its lines, a problem of an endless hand at each
        line of the hand. Else return no readings and the first line of the nearest hand before, or
        of the next; 0 if none is near.
        """
        pieces = self.pieces(LOOK_UP, line)
        around: deque[LogPiece | Problem] = deque(maxlen=2)
        for piece in pieces:
            around.append(piece)
            # A hand in XML may begin on the line where the one before it ends.
            if line < (piece.line if isinstance(piece, Problem) else piece.last_line):
                break
        piece = around[-1] if _first_line(around[-1]) <= line else around[0]
        if isinstance(piece, Problem):
            return [piece], 0
        all_here = list(self.read(piece))
        last = max((at for at in map(_first_line, all_here) if at <= line), default=0)
        here = [r for r in all_here if _first_line(r) == last and self._reaches(r, line)]
        if here:
            return here, 0
        near = chain.from_iterable(map(self.read, [*around, *islice(pieces, 1)]))
        begins = [hand.source.line for hand in near if isinstance(hand, History)]
        return [], max((at for at in begins if at <= line), default=min(begins, default=0))

    def _reaches(self, reading: Reading, line: int) -> bool:
        """Return True if a reading extends to a line; a problem ends before a blank one."""
        if isinstance(reading, History):
            return line <= max(reading.end_line, reading.source.line)
        return all(self.line(number).strip() for number in range(reading.line + 1, line + 1))

    def pieces(self, size: int = PIECE, line: int = 1) -> Iterator[LogPiece | Problem]:
        """Yield the log in pieces of at most ``size`` characters or one hand, without reading it.

        Later text does not change a piece. When a log grows, all pieces except the last stay the
        same, if ``size`` is at least ``DETECTION_SIZE`` or the format is given. A log that is not
        text, is blank or is of an unknown format is one problem instead. A hand that does not end
        is a problem and skipped.

        Stakes that hands do not state are inferred from all hands of their level in about a
        megabyte of the log, whatever ``size`` is, except for hands before ``line``.
        """
        for block in self._blocks():
            if isinstance(block, Problem):
                yield block
            elif line <= block.last_line and block.leaves_stakes_open:
                yield from block.with_levels(size)
            else:
                yield from block.parts(size)

    def _blocks(self) -> Iterator[LogPiece | Problem]:
        """Yield the log in pieces of about a megabyte, or the problem of a log that is not text."""
        try:
            yield from self._cut_up()
        except NotTextError as reason:
            yield Problem(self._file, 1, 1, str(reason), "text")

    def _cut_up(self) -> Iterator[LogPiece | Problem]:
        head = self._head()
        text = head[:LONGEST].lstrip()
        if not text:
            blank = f"the first {LONGEST:,} characters are blank"
            why = blank if len(head) > LONGEST else "the file is empty"
            yield Problem(self._file, 1, 1, f"there is no hand, {why}", "hands")
            return
        chosen = self._dialect or self._known.guess(text, self._file)
        hint = self._known.hint(text, chosen)
        self._line = 1
        for run in format_runs(chain([head], self._texts), chosen, self._known.dialects):
            if run.dialect is None:
                self.unknown = self._counted(run.texts)
                yield self._not_known(head)
                for _ in self.unknown:
                    pass
            else:
                yield from self._run_pieces(run, run.dialect, hint)
            if self._line > 1:
                hint = ""

    def _run_pieces(
        self, run: FormatRun, dialect: Dialect, hint: str
    ) -> Iterator[LogPiece | Problem]:
        """Yield pieces of hands of one format; ``hint`` is for the first reading."""
        grammars = (given for given in self._known.own if given.room().name == dialect.name)
        grammar, above = next(grammars, None), ""
        asked = self._dialect.title if self._dialect not in (None, dialect) else ""
        first = self._line
        for part in cut_up(run.texts, dialect.cut, PIECE):
            column = run.column if self._line == first else 1
            if not part.passed_over:
                of_piece = self._line, dialect.name, grammar, hint, above, asked
                piece = LogPiece(part.text, *of_piece, column=column)
                yield piece
                hint = piece.hint_behind
            elif part.begins:
                message = f"a hand that does not end within {LONGEST:,} characters"
                first_line = part.text[:MAX_EXCERPT].split("\n", 1)[0]
                place = self._file, self._line, 1
                expected = "the beginning of the next hand"
                yield Problem(*place, message, expected, text=first_line, dialect=dialect.name)
            self._line += part.text.count("\n")
            above = dialect.carry(above + part.text)

    def _counted(self, texts: Iterable[str]) -> Iterator[str]:
        for text in texts:
            self._line += text.count("\n")
            yield text

    def _not_known(self, head: str) -> Problem:
        message = "this does not look like a hand history that handread can read"
        if (alike := self._known.resembled(head)) is not None:
            message += f"; its lines resemble those of {alike.title}, but no line begins a hand"
        expected = f"a log of a room that handread formats lists, or {NEW_ROOM}"
        text = head[:MAX_EXCERPT].split("\n", 1)[0]
        return Problem(self._file, 1, 1, message, expected, text=text)

    def _head(self) -> str:
        """Return the beginning of the text, long enough to detect the format.

        It is blank only if all of the text is, or more of it than a hand may have.
        """
        head = ""
        for text in self._texts:
            head += text
            if len(head.lstrip()) >= registry.DETECTION_SIZE or len(head) > LONGEST:
                break
        return head


_Placed = TypeVar("_Placed", Event, NetResult, Problem)


def _moved(reading: History | Problem, line: int, by: int) -> History | Problem:
    """Return a hand or a problem with the places in one line moved ``by`` characters right."""

    def move(placed: _Placed) -> _Placed:
        return replace(placed, column=placed.column + by) if placed.line == line else placed

    def shown(problem: Problem) -> Problem:
        text = " " * by + problem.text if problem.text and problem.line == line else problem.text
        return replace(move(problem), text=text)

    if not by:
        return reading
    if isinstance(reading, Problem):
        return shown(reading)
    events, nets = tuple(map(move, reading.events)), tuple(map(move, reading.nets))
    return replace(with_problems(reading, shown), events=events, nets=nets)


def _first_line(reading: Reading | LogPiece) -> int:
    if isinstance(reading, History):
        return reading.source.line
    return reading.line if isinstance(reading, Problem) else reading.first_line
