"""Fields of a PHH hand: its TOML values, their types, and their places in the file."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple, TypeGuard, TypeVar

from handread.formats.format import LineError
from handread.formats.line_patterns import EventPlace
from handread.formats.toml_places import Key, explain_error, key_places
from handread.history import Problem

GAME = re.compile(r"^[ \t]*[\"']?variant[\"']?[ \t]*=[ \t]*[\"']", re.M)
"""Finds the field that names the game of a hand."""

_BEGINNING = re.compile(
    r"(?P<header>^[ \t]*\[[ \t]*\"?\d+\"?[ \t]*\][ \t]*(?:#[^\n]*)?\r?$)|" + GAME.pattern, re.M
)
_ARRAY_PIECE = re.compile(
    r"""\#[^\n]*|(?P<open>\[)|(?P<close>\])
    |(?P<quote>\"{3}|'{3})(?P<long>.*?)(?P=quote)
    |"(?P<basic>(?:\\.|[^"\\\n])*+)"|'(?P<literal>[^'\n]*)'""",
    re.X | re.S,
)
MANY_PARTS = 100
"""Keys of more parts (``a.b.c``) are refused: parsing takes time and memory quadratic in them."""

_LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:[\w"'-]+[ \t]*\.[ \t]*){{{MANY_PARTS}}}""")
# Possessive quantifiers: backtracking would need about 100 bytes a character.
_STRING = re.compile(r""""(?:[^"\\\n]|\\.)*+"|'[^'\n]*'""")


class Position(NamedTuple):
    """A place in a file, line and column from 1."""

    line: int
    column: int = 1

    @property
    def place(self) -> EventPlace:
        """Line and column, as keyword arguments for events."""
        return {"line": self.line, "column": self.column}


@dataclass
class Section:
    """The text of one hand with its values and problems."""

    file: str
    text: str
    first_line: int
    dialect: str
    values: dict[str, object] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    findings: list[Problem] = field(default_factory=list)  # for strict checks alone

    @cached_property
    def _lines(self) -> list[str]:
        return [line.rstrip("\r") for line in self.text.split("\n")]

    def parse(self) -> None:
        """Read the values; a text that is not TOML is a problem and has none."""
        if self.text.count(".") >= MANY_PARTS:
            # A name in quotes may have any number of points.
            unquoted = _STRING.sub(lambda string: "s" * len(string[0]), self.text)
            if long := _LONG_KEY.search(unquoted):
                message = f"a key of more than {MANY_PARTS} parts"
                self.complain(self._spot(long.start()), message, "a hand in PHH")
                return
        try:
            self.values = tomllib.loads(self.text, parse_float=Decimal)
        except RecursionError:
            spot = Position(self.first_line)
            self.complain(spot, "values are nested too deeply", "a hand in PHH")
        except (ValueError, ArithmeticError) as error:
            reason, line, column = explain_error(error, self.text)
            spot = Position(self.first_line + line - 1, column)
            self.complain(spot, f"this is not TOML: {reason}")

    def complain(self, where: Position | str, message: str, expected: str = "") -> None:
        """Add a problem at a place, or at the line of a field; each problem once."""
        spot = self.field_spot(where) if isinstance(where, str) else where
        problem = self._problem(spot, message, expected)
        if problem not in self.problems:
            self.problems.append(problem)

    def contradicted(self, key: str, expected: str = "") -> Problem:
        """Return the problem of a field that other words contradict, for strict checks alone."""
        message = f"{key} contradicts the hand"
        return replace(self._problem(self.field_spot(key), message, expected), only_strict=True)

    def _problem(self, spot: Position, message: str, expected: str) -> Problem:
        at = spot.line - self.first_line
        text = self._lines[at] if 0 <= at < len(self._lines) else ""
        return Problem(self.file, *spot, message, expected, text, self.dialect)

    @property
    def end_line(self) -> int:
        """The last line that is not blank."""
        return self.first_line + self.text.rstrip().count("\n")

    def field_spot(self, key: str) -> Position:
        """Return the place of a field; the beginning of the hand if the field is missing."""
        places = self._places.get(key)
        return self._spot(places[0]) if places else Position(self.first_line)

    def item_spots(self, key: str, n: int) -> list[Position]:
        """Return the places of the ``n`` strings of an array, or of the field if not found."""
        places = self._places.get(key)
        offsets = list(_string_offsets(self.text, places[1])) if places else []
        if len(offsets) != n:
            return [self.field_spot(key)] * n
        return [self._spot(offset) for offset in offsets]

    @cached_property
    def _places(self) -> dict[Key, tuple[int, int]]:
        places = reversed(key_places(self.text).items())
        return {path[-1]: place for path, place in places}

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]

    def _spot(self, offset: int) -> Position:
        row = bisect_right(self._starts, offset) - 1
        return Position(self.first_line + row, offset - self._starts[row] + 1)


def last_header(text: str) -> int:
    """Return where the last hand begins, if a header or another hand precedes it; else 0."""
    return max((begin for begin, _ in _beginnings(text)), default=0)


def _beginnings(text: str) -> Iterator[tuple[int, int]]:
    """Yield where hands begin, and where their headers end.

    Joined files of one hand have no headers: a hand then begins with the field of its game, which
    no hand has twice.
    """
    named = False
    for match in _BEGINNING.finditer(text):
        is_header = match["header"] is not None
        if is_header:
            yield match.span()
        elif named:
            yield match.start(), match.start()
        named = not is_header


def sections(text: str, file: str, dialect: str, first_line: int = 1) -> Iterator[Section]:
    """Yield the hands of a text, parsed, in order; a blank text has none."""
    text = text.removeprefix("\ufeff")
    beginnings = list(_beginnings(text))
    starts = [0, *(behind for _, behind in beginnings)]
    ends = [*(begin for begin, _ in beginnings), len(text)]
    line = first_line
    for previous, start, end in zip([0, *starts], starts, ends, strict=False):
        line += text.count("\n", previous, start)
        section = Section(file, text[start:end], line, dialect)
        section.parse()
        if section.values or section.problems or start:
            yield section


def _string_offsets(text: str, start: int) -> Iterator[int]:
    depth = 0
    for piece in _ARRAY_PIECE.finditer(text, start):
        kind = piece.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
            if depth <= 0:
                return
        elif kind is not None:
            yield piece.start(kind)


AMOUNT = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")
AFTER = ("finishing_stacks", "winnings")
"""The fields that state the chips of each player after the play."""

MONEY_FIELDS = ("antes", "bring_in", "small_bet", "big_bet", "starting_stacks", *AFTER)
T = TypeVar("T")
FINEST = 9
LARGEST = 10**18
"""Bound of the numbers in a hand; TOML has none."""


@dataclass(slots=True)
class HandFields:
    """Typed access to the values of a section; missing ones are empty or ``None``.

    ``decimals`` is the number of decimals of the hand's amounts: 0 if all are whole, else 2 or
    more.
    """

    section: Section
    decimals: int = 0

    def __post_init__(self) -> None:
        digits = max((_digits(value) for value in self._amounts_written()), default=0)
        self.decimals = min(max(2, digits), FINEST) if digits else 0

    def text(self, key: str) -> str:
        """Return a string, or an empty one if the field is missing."""
        return self._of_type(key, "", "must be a string", "a text in quotes")

    def label(self, key: str) -> str:
        """Return a string or a whole number as a string."""
        value = self.section.values.get(key, "")
        return str(value) if is_whole(value) else self.text(key)

    def whole(self, key: str) -> int | None:
        """Return a whole number, or ``None`` if the field is missing."""
        value = self.section.values.get(key)
        if value is None:
            return None
        if is_whole(value):
            return value
        self.section.complain(key, f"{key} is no whole number", "a whole number")
        return None

    def items(self, key: str) -> list[object]:
        """Return a list of any values."""
        return self._of_type(key, list[object](), "is no list", "values in [ ]")

    def wholes(self, key: str) -> list[int]:
        """Return a list of whole numbers."""
        values = self.items(key)
        wholes = [value for value in values if is_whole(value)]
        if len(wholes) < len(values):
            self.section.complain(key, f"{key} holds what is no whole number", "whole numbers")
        return wholes

    def texts(self, key: str) -> list[tuple[Position, str]]:
        """Return a list of strings, each with its place in the file."""
        texts = self.strings(key)
        return list(zip(self.section.item_spots(key, len(texts)), texts, strict=True))

    def strings(self, key: str) -> list[str]:
        """Return a list of strings."""
        values = self.items(key)
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) < len(values):
            self.section.complain(key, f"{key} holds what is no text", "texts in quotes")
        return texts

    def table(self, key: str) -> dict[str, object]:
        """Return a table."""
        return self._of_type(key, dict[str, object](), "is no table", "{ ante = 0.25, ... }")

    def _of_type(self, key: str, nothing: T, message: str, expected: str) -> T:
        """Return a value of the type of ``nothing``, which replaces a missing value."""
        value = self.section.values.get(key, nothing)
        if isinstance(value, type(nothing)):
            return value
        self.section.complain(key, f"{key} {message}", expected)
        return nothing

    def amount(self, key: str) -> int:
        """Return an amount, in minor units, of a field that the hand must have."""
        if key not in self.section.values:
            self.section.complain(key, f"the hand has no field {key}", f"{key} = an amount")
            return 0
        return self.minor(key, self.section.values[key]) or 0

    def amounts(self, key: str) -> list[int | None]:
        """Return a list of amounts in minor units, ``None`` for an infinite one (``inf``)."""
        return [self.minor(key, value, endless=True) for value in self.items(key)]

    def minor(self, key: str, value: object, endless: bool = False) -> int | None:
        """Return a value in minor units; ``None`` if it is infinite or not an amount."""
        if endless and isinstance(value, Decimal) and value == Decimal("inf"):
            return None
        if self._is_amount(value):
            return int(Decimal(value).scaleb(self.decimals))
        self.section.complain(key, f"{key} holds what is no amount", "an amount such as 2.50")
        return None

    def _is_amount(self, value: object) -> TypeGuard[Decimal | int]:
        if isinstance(value, Decimal) and value.is_finite() and 0 <= value < LARGEST:
            return _digits(value) <= self.decimals
        return is_whole(value) and value >= 0

    def drop_unless_amounts(self, key: str, n: int) -> None:
        """Drop a field that does not hold ``n`` amounts; only strict checks report it."""
        values = self.section.values.get(key, [0] * n)
        if not isinstance(values, list) or [*map(self._is_amount, values)] != [True] * n:
            self.section.findings.append(self.section.contradicted(key, f"{n} amounts"))
            del self.section.values[key]

    def money(self, text: str) -> int:
        """Return an amount of an action in minor units; raise ``LineError`` for other text."""
        value = _written(text)
        if value is None or value >= LARGEST or _digits(value) > self.decimals:
            raise LineError(f"{text!r} is no amount", "an amount such as 200 or 2.50")
        return int(value.scaleb(self.decimals))

    def _amounts_written(self) -> Iterator[Decimal]:
        values = self.section.values
        yield from _decimals_in([values.get(key) for key in MONEY_FIELDS])
        yield from _decimals_in([values.get("_handread_stakes"), values.get("_handread_absent")])
        for key in ("actions", "_handread_ending"):
            strings = values.get(key)
            for action in strings if isinstance(strings, list) else []:
                if isinstance(action, str) and "." in action:
                    words = action.split("#")[0].split()[1:3]
                    yield from filter(None, map(_written, words))


def is_whole(value: object) -> TypeGuard[int]:
    """Return True for a whole number that a hand can hold, not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST


def _digits(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


@lru_cache(maxsize=1024)
def _written(text: str) -> Decimal | None:
    """Parse an amount of an action, with or without commas for thousands."""
    return Decimal(text.replace(",", "")) if AMOUNT.fullmatch(text) else None


def _decimals_in(values: Sequence[object]) -> Iterator[Decimal]:
    for value in values:
        if isinstance(value, Decimal):
            yield value
        elif isinstance(value, list | dict):
            yield from _decimals_in(list(value.values() if isinstance(value, dict) else value))
