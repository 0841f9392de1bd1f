"""The fields of a policy file, each checked as it is taken."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from handread.policy.base import PolicyError

LARGEST = 1e12
"""No number of a policy is larger; sums and products of such numbers stay finite."""


class Fields:
    """A table of a policy file; a fault is a ``PolicyError`` with file, field and expectation.

    ``within`` names the table, as it stands before the name of a field.
    """

    def __init__(self, file: str, data: Mapping[str, Any], within: str = "") -> None:
        self._file = file
        self._data = data
        self._within = within

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def fault(self, name: str, expected: str, found: object) -> PolicyError:
        """What is wrong with a field."""
        found_text = "nothing" if found is None else repr(found)
        return PolicyError(
            f"{self._file}: {self._within}{name} is {found_text}, expected {expected}"
        )

    def text(self, name: str, default: str | None = None) -> str:
        """A text."""
        value = self._data.get(name, default)
        if not isinstance(value, str):
            raise self.fault(name, "a text", value)
        return value

    def number(self, name: str, default: float | None = None) -> float:
        """A finite number."""
        value = self._data.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fault(name, "a number", value)
        try:
            number = float(value)
        except OverflowError:  # a whole number that no float can be
            number = math.inf
        if not abs(number) <= LARGEST:
            raise self.fault(name, f"a finite number, at most {LARGEST:g} either way", number)
        return number

    def count(self, name: str) -> int:
        """A whole number, not below 0."""
        value = self._data.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.fault(name, "a whole number, 0 or more", value)
        return value

    def probability(self, name: str, default: float | None = None) -> float:
        """A number from 0 to 1."""
        value = self.number(name, default)
        if not 0.0 <= value <= 1.0:
            raise self.fault(name, "a probability from 0 to 1", value)
        return value

    def exponent(self, name: str) -> float:
        """A number above 0, at most 1; 1 when it is left out."""
        value = self.number(name, 1.0)
        if not 0.0 < value <= 1.0:
            raise self.fault(name, "an exponent above 0, at most 1", value)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty when it is left out."""
        value = self._data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fault(name, "a list of texts", value)
        return tuple(value)

    def pairs(self, name: str) -> dict[str, tuple[int, int]]:
        """Pairs of whole numbers by name; none when the table is left out."""
        if name not in self._data:
            return {}
        found = {}
        for key, value in self.table(name, "pairs of numbers")._data.items():
            if not isinstance(value, list) or [type(item) for item in value] != [int, int]:
                raise self.fault(f"{name}.{key}", "two whole numbers", value)
            found[key] = (value[0], value[1])
        return found

    def table(self, name: str, holding: str) -> Fields:
        """A table; ``holding`` says what it should have in it."""
        value = self._data.get(name)
        if not isinstance(value, Mapping):
            raise self.fault(f"[{name}]", f"a table with {holding}", value)
        return Fields(self._file, value, f"{self._within}{name}.")

    def tables(self, name: str, holding: str) -> list[Fields]:
        """A list of tables, at least one."""
        value = self._data.get(name)
        if (
            not isinstance(value, list)
            or not value
            or not all(isinstance(v, Mapping) for v in value)
        ):
            raise self.fault(f"[[{name}]]", f"tables with {holding}", value)
        return [Fields(self._file, item, f"{name}.") for item in value]

    def named_tables(self, name: str) -> dict[str, Fields]:
        """Tables by the names that people gave them; none when the table is left out."""
        if name not in self._data:
            return {}
        self.table(name, "a table for each")
        return {key: self.table(name, "").table(key, "a policy") for key in self._data[name]}

    def nothing_else(self, known: Sequence[str]) -> None:
        """Refuse a field that nobody reads: it is a slip of the pen that would go unseen."""
        for key in self._data:
            if key not in known:
                expected = ", ".join(known)
                raise PolicyError(
                    f"{self._file}: {self._within}{key} is not a field of a policy, "
                    f"expected {expected}"
                )
