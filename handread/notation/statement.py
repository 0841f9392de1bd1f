"""What a line or an element of a log states: its form, what stands in its fields, whose it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypedDict

from handread.cards import MaybeCard
from handread.notation.forms import Form, LineRule
from handread.notation.styles import street_number
from handread.stud import Unit

_NUMBER = re.compile(r"[^\d.-]")
_SYMBOL = re.compile(r"[-+\d., ]")
_MONEY = ("amount", "signed")


class Place(TypedDict):
    """Where an event stands in its file, counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Misread:
    """What is wrong with a line: the column, what is there in words, and what was expected."""

    column: int
    message: str
    expected: str = ""

    def __str__(self) -> str:
        expected = f" (expected {self.expected})" if self.expected else ""
        return f"column {self.column}: {self.message}{expected}"


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that was understood: its place, form, texts of its fields, the seat it is about.

    ``text`` is the line it stands in, ``column`` where it begins there, from 1.
    """

    number: int
    text: str
    rule: Form
    values: Mapping[str, str]
    seat: int = 0
    column: int = 1

    def __contains__(self, name: str) -> bool:
        return name in self.values

    @property
    def place(self) -> Place:
        """Where it stands, for the events that it reports."""
        return {"line": self.number, "column": self.column}

    def column_of(self, name: str) -> int:
        """Return the column where the text of a field begins in its line, from 1."""
        found = self.rule.match(self.text.rstrip()) if isinstance(self.rule, LineRule) else None
        if found is not None and found.groupdict().get(name) == self.values[name]:
            return found.start(name) + 1
        return self.text.find(self.values[name], self.column - 1) + 1 or self.column

    def word(self, name: str) -> str:
        """The text of a field, empty when it is left out."""
        return self.values.get(name, "")

    def cards(self, name: str) -> tuple[MaybeCard, ...]:
        """The cards of a field, none when it is left out; ``None`` is one that nobody saw."""
        text = self.values.get(name)
        return self.rule.cards.parse(text) if text is not None else ()

    def street(self) -> int:
        """The street that is named; ``KeyError`` when none is."""
        return street_number(self.values["street"])

    def amounts(self) -> Iterator[Decimal]:
        """All amounts."""
        for name in self.values:
            if self.rule.fields.get(name) in _MONEY:
                yield self.amount(name)

    def amount(self, name: str) -> Decimal:
        """The amount of a field in whole chips or coins; ``KeyError`` when it is left out."""
        return Decimal(_NUMBER.sub("", self.values[name]))

    def minor(self, name: str, unit: Unit) -> int:
        """The amount of a field in minor units."""
        return int(self.amount(name).scaleb(unit.decimals))

    def symbol(self) -> str:
        """The currency symbol of the amounts, empty when they have none."""
        for name in self.values:
            if self.rule.fields.get(name) in _MONEY:
                found = _SYMBOL.sub("", self.values[name])
                if found:
                    return found
        return ""
