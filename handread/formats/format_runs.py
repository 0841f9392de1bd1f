"""Cut a log where a hand of another format begins, or inside a line.

The last line of a file may have no line end. If another file is joined to it, the first line of a
hand begins inside that line.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import merge
from itertools import takewhile
from operator import itemgetter

from handread.formats.format import Dialect
from handread.formats.site import SiteDialect
from handread.formats.text import LOST

REACH = 1 << 13
"""Number of characters before and after a line that decide whether it begins a hand."""

LONGEST_LINE = 1 << 11
"""Most characters of a line that is searched for the beginning of a hand inside it."""

_WORD = 4
"""Least characters of a text that first lines are searched for."""

_MARKED = re.compile(r"\(\?(?!:|=|!|<=|<!)")
"""Finds parts of a regular expression that prevent a union: flags, named groups."""


@dataclass(frozen=True, slots=True)
class FormatRun:
    """Consecutive hands of one format, or text of no known one (``None``).

    ``texts`` are its parts, to be read before the next run; ``column`` is its beginning in its
    first line.
    """

    dialect: Dialect | None
    texts: Iterator[str]
    column: int = 1


def first_dialect(text: str, dialects: Sequence[Dialect]) -> Dialect | None:
    """Return the format of the first line of a text that begins a hand."""
    starts = _HandStarts(dialects).between(f"\n{text}", 1, len(text) + 1, None, ends=True)
    return next((start.dialect for start in starts), None)


def format_runs(
    texts: Iterable[str], first: Dialect | None, dialects: Sequence[Dialect]
) -> Iterator[FormatRun]:
    """Cut a log where a hand of another format begins, or inside a line.

    ``texts`` are consecutive parts of the log of any sizes, with only a few in memory at a time;
    ``first`` is the format of its beginning.
    """
    cutter = _Cutter(texts, first, dialects)
    while not cutter.ended:
        run = FormatRun(cutter.dialect, cutter.run_texts(), cutter.column)
        yield run
        for _ in run.texts:
            pass


@dataclass(frozen=True, slots=True)
class _Start:
    """The beginning of a hand's first line: its offset in the text, and the format of the hand.

    ``inside`` is True if other text precedes it on its line.
    """

    place: int
    dialect: Dialect
    inside: bool = False


class _HandStarts:
    """Finds the first lines of hands of all formats."""

    def __init__(self, dialects: Sequence[Dialect]) -> None:
        self._dialects = dialects
        self._searches = _searches(tuple(dialect.first_line for dialect in dialects))
        self._inside = [
            (dialect, dialect.inside, _words(dialect.inside.pattern))
            for dialect in dialects
            if dialect.inside is not None
        ]

    def between(
        self, text: str, begin: int, end: int, reading: Dialect | None, ends: bool
    ) -> Iterator[_Start]:
        """Yield the first lines of hands among the lines that begin in a part of a text.

        ``reading`` is the format of the hands before; ``ends`` says that the log ends here.
        """
        starts = (_line_starts(search, text, begin, end) for search in self._searches)
        for place in merge(*starts):
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

    def inside(self, text: str, begin: int, end: int) -> Iterator[_Start]:
        """Yield what looks like a first line behind other text on its line, as ``between``."""
        starts = [
            (place, dialect)
            for dialect, pattern, words in self._inside
            for place in _inside_lines(pattern, words, text, begin, end)
        ]
        for place, dialect in sorted(starts, key=itemgetter(0)):
            if dialect.begins(text[place : _line_end(text, place)]):
                yield _Start(place, dialect, inside=True)


def _begins_hand(
    dialect: Dialect, reading: Dialect | None, text: str, place: int, stop: int
) -> bool:
    """Return True if a line that looks like the first line of a hand is one.

    A line inside a hand, such as chat, may look the same. A first line is complete for its
    format, or follows a blank line or a comment that is not a first line itself.
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
    place = begin - 1
    while (match := search.search(text, place)) and match.start() + 1 < end:
        place = match.start() + 1
        yield place


def _inside_lines(
    first_line: re.Pattern[str], words: Sequence[str], text: str, begin: int, end: int
) -> Iterator[int]:
    """Yield the offsets of first lines inside other lines: by a word of each, else the pattern."""
    if not words:
        places = (match.start() for match in first_line.finditer(text, begin, end))
        yield from (place for place in places if text[place - 1] != "\n")
    for word in words:
        place = text.find(word, begin, end)
        while place >= 0:
            line = text.rfind("\n", max(0, place - LONGEST_LINE), place) + 1
            stop = _line_end(text, place)
            if line < place and stop - line <= LONGEST_LINE:
                match = first_line.search(text, max(begin, line + 1), stop)
                if match and match.start() <= place:
                    yield match.start()
            place = text.find(word, stop, end)


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place, place + REACH)
    return end if end >= 0 else min(place + REACH, len(text))


@cache
def _words(pattern: str) -> tuple[str, ...]:
    """Return texts one of which is in each match of a regular expression; none if unclear."""
    whole = re.fullmatch(r"\(\?:(.*)\)", pattern)
    plain = pattern if whole is None else whole[1]
    while plain != (plain := _PART.sub("\0", plain)):
        pass
    words = [max(_PLAIN.findall(choice), key=len, default="") for choice in plain.split("|")]
    return tuple(words) if all(len(word) >= _WORD for word in words) else ()


_PART = re.compile(r"(?:\((?:[^()\\]|\\.)*\)|\[[^\]]+\]|\\.)(?:[?*+]|\{[^}]*\})?")
"""Finds the parts of a regular expression that are no plain text: groups, sets, escapes."""

_PLAIN = re.compile(r"(?:[\w #:=<>\"-](?![?*+{]))+")


@cache
def _searches(first_lines: tuple[re.Pattern[str], ...]) -> tuple[re.Pattern[str], ...]:
    """Return regular expressions that find the line ends before possible first lines.

    Searching for a literal is fast, and united expressions search the text once.
    """
    alone = [first for first in first_lines if first.groups or _MARKED.search(first.pattern)]
    together = (pattern.pattern for pattern in first_lines if pattern not in alone)
    every = "|".join(f"(?:{pattern})" for pattern in together) or "(?!)"
    return (re.compile(f"\n(?:{every})", re.MULTILINE), *map(_behind_line_end, alone))


def _behind_line_end(pattern: re.Pattern[str]) -> re.Pattern[str]:
    try:
        return re.compile(f"\n(?:{pattern.pattern})", pattern.flags)
    except re.error:  # flags may stand only at the beginning of a pattern
        return re.compile("\n")


class _Cutter:
    """Yields the texts of one run after the other; ``column`` as in ``FormatRun``."""

    def __init__(
        self, texts: Iterable[str], first: Dialect | None, dialects: Sequence[Dialect]
    ) -> None:
        self.dialect = first
        self.column = 1
        self.ended = False
        self._texts = iter(texts)
        self._starts = _HandStarts(dialects)
        self._whole = False
        self._text = "\n"
        self._given = 1  # end of the text that was yielded
        self._seen = 1  # end of the lines that were searched
        self._looked = 1  # the same for first lines inside others
        self._inside: deque[_Start] = deque()
        self._first = 1  # the last first line of a hand
        self._last = 1  # its end

    def run_texts(self) -> Iterator[str]:
        """Yield the text up to the hand that begins the next run."""
        while True:
            whole = self._fill()
            limit = len(self._text) if whole else len(self._text) - REACH
            for start in self._met(limit, whole):
                cut = self._cut(start)
                if cut is not None:
                    text = self._give(cut)
                    yield text[:-2] + text[-2:].replace(LOST, "")
                    self._meet(start)
                    self.dialect = start.dialect
                    self.column = cut - self._text.rfind("\n", 0, cut)
                    return
                if not start.inside:
                    self._meet(start)
            self._seen = max(self._seen, limit)
            if whole:
                self.ended = True
                yield self._give(len(self._text))
                return
            yield self._give(self._seen - REACH)

    def _met(self, limit: int, whole: bool) -> Iterator[_Start]:
        """Yield the first lines of hands in order, and possible ones inside lines.

        The text is searched once for the latter, however many runs it holds.
        """
        lines = self._starts.between(self._text, self._seen, limit, self.dialect, whole)
        self._inside += self._starts.inside(self._text, max(self._looked, self._seen), limit)
        self._looked = max(self._looked, limit)
        while self._inside and self._inside[0].place < self._seen:
            self._inside.popleft()
        return merge(lines, self._inside, key=lambda start: start.place)

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
        self._looked -= kept
        self._inside = deque(replace(each, place=each.place - kept) for each in self._inside)
        self._first = max(1, self._first - kept)
        self._last = max(1, self._last - kept)
        return self._whole

    def _give(self, end: int) -> str:
        begin, self._given = self._given, max(self._given, end)
        return self._text[begin : self._given]

    def _meet(self, start: _Start) -> None:
        self._seen = start.place + 1
        self._first, stop = start.place, start.place + REACH
        self._last = self._text.find("\n", start.place, stop) + 1 or stop

    def _cut(self, start: _Start) -> int | None:
        """Return where to cut the text before a hand; None if it continues the run."""
        text, dialect, other = self._text, start.dialect, start.dialect is not self.dialect
        if not (other or dialect.by_lines):
            return None
        if start.inside:
            return self._joint(start, _line_end(text, start.place))
        near = start.place - self._last < REACH
        before = text[self._first : self._last] if near else ""
        if not (other or dialect.again(before, text[start.place : start.place + len(before)])):
            return None
        lines = self._above(start)
        above = lines[len(lines) - dialect.above(lines) :]
        end = top = start.place - sum(len(line) + 1 for line in above)
        while text[end - 1].isspace() and end > self._given:
            end -= 1  # a blank line may follow a comment
        if (joint := self._joint(start, end)) is not None:
            return joint
        apart = dialect.by_blanks and lines and all(map(str.strip, lines))
        return top if other or apart else None

    def _above(self, start: _Start) -> list[str]:
        lowest = max(self._given, self._last, start.place - REACH)
        begin = self._text.find("\n", lowest - 1, start.place) + 1
        return self._text[begin : start.place].split("\n")[:-1]

    def _joint(self, start: _Start, end: int) -> int | None:
        """Return where a hand begins inside the line that ends at an offset; None if nowhere.

        It must follow a whole line of the hand before, or a change of the encoding.
        """
        text = self._text
        begin = text.rfind("\n", 0, end) + 1
        if self.dialect is None or not self._given <= begin or end - begin > LONGEST_LINE:
            return None
        # A quote before it may end a value, and a first line may be one of several.
        last = start.place + (text[start.place] in "\"'") if start.inside else end - 1
        matches = start.dialect.opens.finditer(text, begin + 1, min(end + REACH, len(text)))
        places = list(takewhile(lambda place: place <= last, (match.start() for match in matches)))
        # A word that runs into another may seem to be one; an element always ends with a bracket.
        for place in reversed(places) if self.dialect.by_lines else places:
            hand = text[max(self._first, place - REACH) : place].split("\n")
            if LOST in text[place - 2 : place] or self.dialect.ends(hand):
                return place
        return None
