"""A PHH text as TOML whose values remember where they stand.

A file holds one hand, or many under the headers ``[1]``, ``[2]`` ...; each hand is parsed on its
own, so that one spoiled hand does not take the others with it. TOML parsers forget positions;
those of keys and of the strings of an array are found in the text itself.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import accumulate

from handread.history import Problem

_SECTION = re.compile(r"^[ \t]*\[[ \t]*\"?\d+\"?[ \t]*\][ \t]*(?:#[^\n]*)?\r?$", re.M)
_ARRAY_PIECE = re.compile(
    r"""\#[^\n]*|(?P<open>\[)|(?P<close>\])
    |(?P<quote>\"{3}|'{3})(?P<long>.*?)(?P=quote)
    |"(?P<basic>(?:\\.|[^"\\\n])*+)"|'(?P<literal>[^'\n]*)'""",
    re.X | re.S,
)
MANY_PARTS = 100
"""A key of more parts (``a.b.c``) takes the parser the square of their number, time and memory."""

_LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:[\w"'-]+[ \t]*\.[ \t]*){{{MANY_PARTS}}}""")
# What may be given back (without the +) costs a hundred bytes a character of the string.
_STRING = re.compile(r""""(?:[^"\\\n]|\\.)*+"|'[^'\n]*'""")
_TOML_POSITION = re.compile(r"\s*\((?:at line (\d+), column (\d+)|at end of document)\)$")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a file, line and column from 1."""

    line: int
    column: int = 1


@dataclass(slots=True)
class Section:
    """The text of one hand, its values, and the problems found so far."""

    file: str
    text: str
    first_line: int
    dialect: str
    values: dict[str, object] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    _lines: list[str] = field(init=False, repr=False)
    _spots: dict[str, Spot] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self._lines = [line.rstrip("\r") for line in self.text.split("\n")]

    def parse(self) -> None:
        """Reads the values; a text that is no TOML is a problem and leaves none."""
        # A name in quotes may have as many points as it likes.
        if long := _LONG_KEY.search(_STRING.sub(lambda found: "s" * len(found[0]), self.text)):
            message = f"a key of more than {MANY_PARTS} parts"
            self.complain(self._spot(long.start()), message, "a hand in PHH")
            return
        try:
            self.values = tomllib.loads(self.text, parse_float=Decimal)
        except RecursionError:
            self.complain(Spot(self.first_line), "values are nested too deeply", "a hand in PHH")
        except (ValueError, ArithmeticError) as error:
            where = _TOML_POSITION.search(str(error))
            message = _TOML_POSITION.sub("", str(error))
            spot = self._spot(len(self.text))
            if where and where[1]:
                spot = Spot(self.first_line + int(where[1]) - 1, int(where[2]))
            self.complain(spot, f"this is not TOML: {message}")

    def complain(self, where: Spot | str, message: str, expected: str = "") -> None:
        """Notes a problem at a spot, or at the line of a field; each problem once."""
        spot = self.field_spot(where) if isinstance(where, str) else where
        at = spot.line - self.first_line
        text = self._lines[at] if 0 <= at < len(self._lines) else ""
        place = self.file, spot.line, spot.column
        problem = Problem(*place, message, expected, text, self.dialect)
        if problem not in self.problems:
            self.problems.append(problem)

    @property
    def end_line(self) -> int:
        """The last line that is not blank."""
        return self.first_line + self.text.rstrip().count("\n")

    def field_spot(self, key: str) -> Spot:
        """Where a field is defined; the beginning of the hand when it is not there."""
        if key not in self._spots:
            found = self._key(key)
            self._spots[key] = self._spot(found.start(1)) if found else Spot(self.first_line)
        return self._spots[key]

    def item_spots(self, key: str, n: int) -> list[Spot]:
        """Where the ``n`` strings of an array of strings stand; of their field when not found."""
        found = self._key(key)
        offsets = list(_string_offsets(self.text, found.end())) if found else []
        if len(offsets) != n:
            return [self.field_spot(key)] * n
        starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]
        rows = [bisect_right(starts, offset) for offset in offsets]
        return [
            Spot(self.first_line + row - 1, offset - starts[row - 1] + 1)
            for row, offset in zip(rows, offsets, strict=True)
        ]

    def _key(self, key: str) -> re.Match[str] | None:
        return re.search(rf"^[ \t]*[\"']?({re.escape(key)})[\"']?[ \t]*=", self.text, re.M)

    def _spot(self, offset: int) -> Spot:
        before = self.text[:offset]
        return Spot(self.first_line + before.count("\n"), offset - before.rfind("\n"))


def last_header(text: str) -> int:
    """Where the last header of a hand begins; 0 where there is none."""
    return max((header.start() for header in _SECTION.finditer(text)), default=0)


def sections(text: str, file: str, dialect: str, first_line: int = 1) -> Iterator[Section]:
    """The hands of a text, parsed, in order; a blank text has none."""
    text = text.removeprefix("\ufeff")
    headers = list(_SECTION.finditer(text))
    starts = [0, *(header.end() for header in headers)]
    ends = [*(header.start() for header in headers), len(text)]
    line = first_line
    for previous, start, end in zip([0, *starts], starts, ends, strict=False):
        line += text.count("\n", previous, start)
        section = Section(file, text[start:end], line, dialect)
        section.parse()
        if section.values or section.problems or start:
            yield section


def _string_offsets(text: str, start: int) -> Iterator[int]:
    """The offsets of the strings in the array that begins after ``start``."""
    depth = 0
    for piece in _ARRAY_PIECE.finditer(text, start):
        if piece["open"]:
            depth += 1
        elif piece["close"]:
            depth -= 1
            if depth <= 0:
                return
        else:
            for kind in ("long", "basic", "literal"):
                if piece[kind] is not None:
                    yield piece.start(kind)
