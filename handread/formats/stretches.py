"""Cut a log of several rooms where a hand of another format begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import merge

from handread.formats.format import Dialect
from handread.formats.site import SiteDialect

REACH = 1 << 13
"""Number of characters before and after a line that decide whether it begins a hand."""

_MARKED = re.compile(r"\(\?(?!:|=|!|<=|<!)")
"""Finds parts of a regular expression that prevent a union: flags, named groups."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive hands of one format, or text of no known one (``None``).

    ``texts`` are consecutive parts of its text, to be read before the next stretch.
    """

    dialect: Dialect | None
    texts: Iterator[str]


def first_dialect(text: str, dialects: Sequence[Dialect]) -> Dialect | None:
    """Return the format of the first line of a text that begins a hand."""
    starts = _Starts(dialects).between(f"\n{text}", 1, len(text) + 1, None, ends=True)
    return next((start.dialect for start in starts), None)


def stretches(
    texts: Iterable[str], first: Dialect | None, dialects: Sequence[Dialect]
) -> Iterator[Stretch]:
    """Cut a log where a hand of another format begins.

    Only a few of the texts are in memory at a time.

    Args:
        texts: Consecutive parts of the log; their sizes do not matter.
        first: Format of the beginning of the log.
        dialects: The known formats.
    """
    cutter = _Cutter(texts, first, dialects)
    while not cutter.ended:
        stretch = Stretch(cutter.dialect, cutter.stretch())
        yield stretch
        for _ in stretch.texts:
            pass


@dataclass(frozen=True, slots=True)
class _Start:
    """A line that begins a hand: its offset in the text, and the format of the hand."""

    place: int
    dialect: Dialect


class _Starts:
    """Finds the first lines of hands of all formats."""

    def __init__(self, dialects: Sequence[Dialect]) -> None:
        self._dialects = dialects
        self._searches = _searches(tuple(dialect.first_line for dialect in dialects))

    def between(
        self, text: str, begin: int, end: int, reading: Dialect | None, ends: bool
    ) -> Iterator[_Start]:
        """Yield the first lines of hands among the lines that begin in a part of a text.

        Args:
            text: The text.
            begin: Offset of the part.
            end: Offset of its end.
            reading: Format of the hands before.
            ends: True if nothing follows the text.
        """
        found = (_line_starts(search, text, begin, end) for search in self._searches)
        for place in merge(*found):
            stop = min(place + REACH, len(text))
            last = len(text) if ends else stop - 1
            for dialect in self._dialects if reading is None else (reading, *self._dialects):
                match = dialect.first_line.match(text, place, stop)
                # A longer line, cut off there, may look like another one.
                if not match or match.end() > last:
                    continue
                if dialect is reading or _begins_hand(dialect, reading, text, place, stop):
                    yield _Start(place, dialect)
                    break


def _begins_hand(
    dialect: Dialect, reading: Dialect | None, text: str, place: int, stop: int
) -> bool:
    """Return True if a line that looks like the first one of a hand is one.

    A line inside a hand, such as chat, may look the same. The first line of a hand is complete for
    its format, or follows a blank line or a comment. A comment that is one itself does not count.
    """
    line = text[place:stop].split("\n", 1)[0]
    if dialect.begins(line):
        return True
    if line.startswith("#") and not isinstance(reading, SiteDialect):
        return False
    furthest = max(0, place - REACH)
    before = max(furthest, text.rfind("\n", furthest, place - 1))
    line_before = text[before : place - 1].strip()
    return not line_before or line_before.startswith("#")


def _line_starts(search: re.Pattern[str], text: str, begin: int, end: int) -> Iterator[int]:
    """Yield the offsets of lines in a part of a text that ``search`` matches."""
    place = begin - 1
    while (found := search.search(text, place)) and found.start() + 1 < end:
        place = found.start() + 1
        yield place


@cache
def _searches(first_lines: tuple[re.Pattern[str], ...]) -> tuple[re.Pattern[str], ...]:
    """Return regular expressions that find the line ends before possible first lines.

    They begin with a line end because the search for a literal is fast. Expressions that can be
    united are one, so that the text is searched once.
    """
    alone = [one for one in first_lines if one.groups or _MARKED.search(one.pattern)]
    together = (pattern.pattern for pattern in first_lines if pattern not in alone)
    every = "|".join(f"(?:{pattern})" for pattern in together) or "(?!)"
    return (re.compile(f"\n(?:{every})", re.MULTILINE), *map(_behind_line_end, alone))


def _behind_line_end(pattern: re.Pattern[str]) -> re.Pattern[str]:
    try:
        return re.compile(f"\n(?:{pattern.pattern})", pattern.flags)
    except re.error:  # flags may stand only at the beginning of a pattern
        return re.compile("\n")


class _Cutter:
    """Yields the texts of one stretch after the other."""

    def __init__(
        self, texts: Iterable[str], first: Dialect | None, dialects: Sequence[Dialect]
    ) -> None:
        self.dialect = first
        self.ended = False
        self._texts = iter(texts)
        self._starts = _Starts(dialects)
        self._whole = False
        self._text = "\n"
        self._given = 1  # end of the text that was yielded
        self._seen = 1  # end of the lines that were searched
        self._last = 1  # end of the last first line of a hand

    def stretch(self) -> Iterator[str]:
        """Yield the text up to a hand of another format, and make that the current format."""
        while True:
            whole = self._fill()
            limit = len(self._text) if whole else len(self._text) - REACH
            found = self._starts.between(self._text, self._seen, limit, self.dialect, whole)
            for start in found:
                if start.dialect is not self.dialect:
                    yield self._give(self._top(start))
                    self._meet(start)
                    self.dialect = start.dialect
                    return
                self._meet(start)
            self._seen = max(self._seen, limit)
            if whole:
                self.ended = True
                yield self._give(len(self._text))
                return
            yield self._give(self._seen - REACH)

    def _fill(self) -> bool:
        """Read more text if little is left to search; return True at the end of the log."""
        if self._whole or len(self._text) - self._seen > REACH:
            return self._whole
        # Keep one more character: a line begins after a line end.
        kept = max(0, min(self._given, self._seen - 1) - 1)
        parts, length, self._text = [self._text[kept:]], 0, ""
        for text in self._texts:
            parts.append(text)
            length += len(text)
            if length >= REACH:
                break
        else:
            self._whole = True
        self._text = "".join(parts)
        self._given -= kept
        self._seen -= kept
        self._last = max(1, self._last - kept)
        return self._whole

    def _give(self, end: int) -> str:
        begin, self._given = self._given, max(self._given, end)
        return self._text[begin : self._given]

    def _meet(self, start: _Start) -> None:
        self._seen = start.place + 1
        stop = start.place + REACH
        self._last = self._text.find("\n", start.place, stop) + 1 or stop

    def _top(self, start: _Start) -> int:
        """Return the offset of the lines that belong to a first line, such as comments above it."""
        lowest = max(self._given, self._last, start.place - REACH)
        begin = self._text.find("\n", lowest - 1, start.place) + 1
        lines = self._text[begin : start.place].split("\n")[:-1]
        own = start.dialect.above(lines)
        return start.place - sum(len(line) + 1 for line in lines[len(lines) - own :])
