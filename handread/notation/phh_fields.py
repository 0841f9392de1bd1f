"""The fields of a PHH hand by kind; one of the wrong kind is a problem that names the field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeGuard

from handread.notation.phh_actions import AMOUNT, Slip
from handread.notation.phh_text import Section, Spot

MONEY_FIELDS = ("antes", "bring_in", "small_bet", "big_bet", "starting_stacks", "finishing_stacks")
FINEST = 9
LARGEST = 10**18
"""No number of a hand is as large; TOML has no such end."""


@dataclass(slots=True)
class Fields:
    """Typed access to the values of a section; what is not there is empty or ``None``.

    ``decimals`` is how many digits behind the point the amounts of the hand have: none when all
    are whole, else two at least.
    """

    section: Section
    decimals: int = 0

    def __post_init__(self) -> None:
        digits = max((_digits(value) for value in self._amounts_written()), default=0)
        self.decimals = min(max(2, digits), FINEST) if digits else 0

    def text(self, key: str) -> str:
        """A text, empty when there is none."""
        value = self.section.values.get(key, "")
        if isinstance(value, str):
            return value
        self.section.complain(key, f"{key} is no text", "a text in quotes")
        return ""

    def label(self, key: str) -> str:
        """A text or a whole number, as text."""
        value = self.section.values.get(key, "")
        return str(value) if is_whole(value) else self.text(key)

    def whole(self, key: str) -> int | None:
        """A whole number."""
        value = self.section.values.get(key)
        if value is None:
            return None
        if is_whole(value):
            return value
        self.section.complain(key, f"{key} is no whole number", "a whole number")
        return None

    def items(self, key: str) -> list[object]:
        """A list of anything."""
        return self._list(key, self.section.values.get(key, []))

    def wholes(self, key: str) -> list[int]:
        """A list of whole numbers."""
        values = self.items(key)
        wholes = [value for value in values if is_whole(value)]
        if len(wholes) < len(values):
            self.section.complain(key, f"{key} holds what is no whole number", "whole numbers")
        return wholes

    def texts(self, key: str) -> list[tuple[Spot, str]]:
        """A list of texts, each with its place in the file."""
        values = self.items(key)
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) < len(values):
            self.section.complain(key, f"{key} holds what is no text", "texts in quotes")
        return list(zip(self.section.item_spots(key, len(texts)), texts, strict=True))

    def table(self, key: str) -> dict[str, object]:
        """A table of fields."""
        value = self.section.values.get(key, {})
        if isinstance(value, dict):
            return value
        self.section.complain(key, f"{key} is no table", "{ ante = 0.25, ... }")
        return {}

    def amount(self, key: str) -> int:
        """An amount in minor units that the hand must have."""
        if key not in self.section.values:
            self.section.complain(key, f"the hand has no field {key}", f"{key} = an amount")
            return 0
        return self.minor(key, self.section.values[key]) or 0

    def amounts(self, key: str) -> list[int | None]:
        """A list of amounts in minor units, ``None`` for one without end (``inf``)."""
        return [self.minor(key, value, endless=True) for value in self.items(key)]

    def minor(self, key: str, value: object, endless: bool = False) -> int | None:
        """A value of a field in minor units; ``None`` when it has no end or is no amount."""
        if endless and isinstance(value, Decimal) and value == Decimal("inf"):
            return None
        if isinstance(value, Decimal) and value.is_finite() and 0 <= value < LARGEST:
            if _digits(value) <= self.decimals:
                return int(value.scaleb(self.decimals))
        elif is_whole(value) and value >= 0:
            return int(value * 10**self.decimals)
        self.section.complain(key, f"{key} holds what is no amount", "an amount such as 2.50")
        return None

    def money(self, text: str) -> int:
        """An amount of an action in minor units; ``Slip`` when it is none."""
        value = _written(text)
        if value is None or value >= LARGEST or _digits(value) > self.decimals:
            raise Slip(f"{text!r} is no amount", "an amount such as 200 or 2.50")
        return int(value.scaleb(self.decimals))

    def _list(self, key: str, value: object) -> list[object]:
        if isinstance(value, list):
            return value
        self.section.complain(key, f"{key} is no list", "values in [ ]")
        return []

    def _amounts_written(self) -> Iterator[Decimal]:
        """Every amount of the hand that might have a point."""
        values = self.section.values
        yield from _decimals_in([values.get(key) for key in MONEY_FIELDS])
        yield from _decimals_in([values.get("_handread_stakes"), values.get("_handread_absent")])
        for key in ("actions", "_handread_ending"):
            strings = values.get(key)
            for action in strings if isinstance(strings, list) else []:
                words = action.split("#")[0].split()[1:3] if isinstance(action, str) else []
                yield from filter(None, map(_written, words))


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number that a hand can hold; a truth value is none."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST


def _digits(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _written(text: str) -> Decimal | None:
    """An amount as actions have it, thousands perhaps parted by commas."""
    return Decimal(text.replace(",", "")) if AMOUNT.fullmatch(text) else None


def _decimals_in(values: Sequence[object]) -> Iterator[Decimal]:
    for value in values:
        if isinstance(value, Decimal):
            yield value
        elif isinstance(value, list | dict):
            yield from _decimals_in(list(value.values() if isinstance(value, dict) else value))
