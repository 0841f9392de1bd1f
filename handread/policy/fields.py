"""Checked access to the fields of a policy file, and their text."""

import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from handread.formats.toml_places import Key, key_places, line_and_column, place_of
from handread.game.rules import GAMES
from handread.policy.base import Exponents, PolicyError
from handread.spelling import or_meant

T = TypeVar("T")

OLD_NAMES = {"temper": "likelihood_exponent", "standing": "percentile"}
"""Names of fields and features in files of older versions."""

LARGEST = 1e12
"""Largest number in a policy file; sums and products of such numbers stay finite."""


@dataclass(frozen=True, slots=True)
class Fields:
    """A table of a policy file; faults raise ``PolicyError`` with file, field and expectation.

    ``within`` prefixes the names of fields, such as "bet."; ``source`` is the text of the file, and
    ``path`` the place of the table in it.
    """

    file: str
    data: Mapping[str, Any]
    within: str = ""
    source: str = ""
    path: tuple[Key, ...] = ()

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return the table with fields of older versions under their new names."""
        data = {names.get(key, key): value for key, value in self.data.items()}
        return replace(self, data=data)

    def fault(self, name: str, expected: str, found: object) -> PolicyError:
        """Return the error for a field."""
        found_text = "nothing" if found is None else repr(found)
        return self.error(name, f" is {found_text}, expected {expected}")

    def error(self, name: str, message: str) -> PolicyError:
        """Return an error message that begins with the file and the field."""
        return PolicyError(f"{self.file}: {self.within}{name}{message}")

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string."""
        value = self.data.get(name, default)
        if not isinstance(value, str):
            raise self.fault(name, "a text", value)
        return value

    def number(self, name: str, default: float | None = None) -> float:
        """Return a finite number."""
        value = self.data.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fault(name, "a number", value)
        try:
            number = float(value)
        except OverflowError:  # an integer beyond the range of floats
            number = math.inf
        if not abs(number) <= LARGEST:
            raise self.fault(name, f"a finite number, at most {LARGEST:g} either way", number)
        return number

    def count(self, name: str) -> int:
        """Return an integer, 0 or more."""
        value = self.data.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.fault(name, "a whole number, 0 or more", value)
        return value

    def probability(self, name: str, default: float | None = None) -> float:
        """Return a number from 0 to 1."""
        value = self.number(name, default)
        if not 0.0 <= value <= 1.0:
            raise self.fault(name, "a probability from 0 to 1", value)
        return value

    def rates(self, name: str) -> tuple[float, float]:
        """Return a pair of numbers from 0 to 1."""
        value = self.data.get(name)
        if not isinstance(value, list) or len(value) != 2:
            raise self.fault(name, "two numbers from 0 to 1", value)
        one, other = (each.probability(name) for each in self._each(name, value))
        return one, other

    def exponents(self, name: str) -> Exponents:
        """Return a number above 0 and at most 1, or one for each street; the default is 1."""
        value = self.data.get(name)
        if not isinstance(value, list):
            return self._exponent(name)
        if len(value) != 5:
            raise self.fault(name, "an exponent, or five for 3rd to 7th street", value)
        each = (field._exponent(name) for field in self._each(name, value))
        third, fourth, fifth, sixth, seventh = each
        return third, fourth, fifth, sixth, seventh

    def _exponent(self, name: str) -> float:
        value = self.number(name, 1.0)
        if not 0.0 < value <= 1.0:
            raise self.fault(name, "an exponent above 0, at most 1", value)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of strings; the default is empty."""
        value = self.data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fault(name, "a list of texts", value)
        return tuple(value)

    def numbers(self, name: str) -> tuple[float, ...]:
        """Return a list of finite numbers; the default is empty."""
        value = self.data.get(name, [])
        if not isinstance(value, list):
            raise self.fault(name, "a list of numbers", value)
        return tuple(each.number(name) for each in self._each(name, value))

    def probabilities(self, name: str) -> tuple[float, ...]:
        """Return a list of at least one number from 0 to 1."""
        value = self.data.get(name)
        if not isinstance(value, list) or not value:
            raise self.fault(name, "a list of numbers from 0 to 1", value)
        return tuple(each.probability(name) for each in self._each(name, value))

    def _each(self, name: str, values: list[Any]) -> "Iterator[Fields]":
        return (Fields(self.file, {name: item}, self.within) for item in values)

    def pair(self, name: str) -> tuple[int, int]:
        """Return a pair of integers."""
        value = self.data.get(name)
        if not isinstance(value, list) or [type(item) for item in value] != [int, int]:
            raise self.fault(name, "two whole numbers", value)
        return value[0], value[1]

    def items(self, name: str, holding: str, read: "Callable[[Fields, str], T]") -> dict[str, T]:
        """Return a table with values of one kind, or an empty one.

        ``read`` is a method for each field, such as ``Fields.count``.
        """
        table = self.table(name, holding) if name in self else Fields(self.file, {})
        return {key: read(table, key) for key in table.data}

    def by_game(self, name: str, holding: str, read: "Callable[[Fields, str], T]") -> dict[str, T]:
        """Return a table with keys of games as fields, as ``items``."""
        items = self.items(name, holding, read)
        for game in items:
            if game not in GAMES:
                raise self.fault(name, f"keys from {', '.join(GAMES)}", game)
        return items

    def table(self, name: str, holding: str) -> Self:
        """Return a table; ``holding`` names the expected content in messages."""
        value = self.data.get(name)
        if not isinstance(value, Mapping):
            raise self.fault(f"[{name}]", f"a table with {holding}", value)
        within = f"{self.within}{name}."
        return replace(self, data=value, within=within, path=(*self.path, name))

    def tables(self, name: str, holding: str) -> list[Self]:
        """Return a list of at least one table."""
        value = self.data.get(name)
        sound = isinstance(value, list) and all(isinstance(item, Mapping) for item in value)
        if not sound or not value:
            raise self.fault(f"[[{name}]]", f"tables with {holding}", value)
        return [
            replace(self, data=item, within=f"{name}.", path=(*self.path, name, n))
            for n, item in enumerate(value)
        ]

    def without(self, names: Collection[str]) -> Self:
        """Return the table without some of its fields."""
        data = {key: value for key, value in self.data.items() if key not in names}
        return replace(self, data=data)

    def nothing_else(self, known: Sequence[str]) -> None:
        """Raise an error for unknown fields, which would otherwise hide spelling mistakes."""
        for key in self.data:
            if key not in known:
                free = [name for name in known if name not in self.data]
                expected = or_meant(key, free) or f", expected {', '.join(known)}"
                raise PolicyError(
                    f"{self.file}:{self._line(key)}: {self.within}{key} is not a field of a "
                    f"policy{expected}"
                )

    def _line(self, name: str) -> int:
        places = key_places(self.source)
        return line_and_column(self.source, place_of(places, (*self.path, name)))[0]


def toml_items(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the fields of a table."""
    return (f"{key} = {toml_value(value)}" for key, value in table.items())


def toml_value(value: Any) -> str:
    """Return a value as TOML, which includes the strings, numbers and lists of JSON."""
    if isinstance(value, tuple | list):
        rows = [", ".join(map(toml_value, value[i : i + 8])) for i in range(0, len(value), 8)]
        return "[" + ",\n  ".join(rows) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
