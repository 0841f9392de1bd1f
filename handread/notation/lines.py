"""One line of a room's log: which form it has, who it speaks of, or why it is unreadable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from handread.cards import Card, parse_card
from handread.notation.explain import MASK
from handread.notation.forms import LineRule
from handread.notation.grammar import Grammar
from handread.notation.template import CARD
from handread.stud import Unit

MAX_LINE = 500
"""Longer lines are no log lines; to match them could take for ever."""

_CARD = re.compile(CARD)
_PLAY = re.compile(
    rf"\[{CARD}[ ,\]]"  # cards in brackets
    r"|(?:^|[\s(])[^\w\s]?\d[\d.,]*(?:\)|$| and is all[- ]in$)"  # (30), or an amount at the end
    r"|[$€£]\d"
)
"""What gives away that a line without a known form speaks of the play."""


@dataclass(frozen=True, slots=True)
class Misread:
    """Why a line is unreadable: the column from 1, in words, and what was expected."""

    column: int
    message: str
    expected: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was understood: its form, the texts of its fields, the seat it speaks of."""

    number: int
    text: str
    rule: LineRule
    values: Mapping[str, str]
    seat: int = 0

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def word(self, name: str) -> str:
        """The text of a field, empty when the line leaves it out."""
        return self.values.get(name, "")

    def cards(self, name: str) -> tuple[Card, ...]:
        """The cards of a field, none when the line leaves it out."""
        return tuple(map(parse_card, _CARD.findall(self.word(name))))

    def amounts(self) -> Iterator[Decimal]:
        """All amounts of the line."""
        for name in self.values:
            if self.rule.fields.get(name) == "amount":
                yield self.amount(name)

    def amount(self, name: str) -> Decimal:
        """The amount of a field in whole chips or coins; ``KeyError`` when it is left out."""
        return Decimal(re.sub(r"[^\d.]", "", self.values[name]))

    def minor(self, name: str, unit: Unit) -> int:
        """The amount of a field in minor units."""
        return int(self.amount(name).scaleb(unit.decimals))

    def symbol(self) -> str:
        """The currency symbol of the line's amounts, empty when they have none."""
        for name in self.values:
            if self.rule.fields.get(name) == "amount":
                found = re.sub(r"[\d.,]", "", self.values[name])
                if found:
                    return found
        return ""


@dataclass(slots=True)
class Seating:
    """The players of a hand, by name or, where a room has no names, by seat."""

    numbers: set[int] = field(default_factory=set)
    names: dict[str, int] = field(default_factory=dict)
    _tangled: bool = False

    def add(self, number: int, name: str) -> None:
        """Seat a player; ``name`` is empty in a room without names."""
        self.numbers.add(number)
        if name:
            # A name inside another one: only the longest that fits may count.
            self._tangled |= any(name in other or other in name for other in self.names)
            self.names[name] = number

    def find(self, rule: LineRule, line: str) -> tuple[re.Match[str], int] | None:
        """The match of a line that has that form, and the player's seat (0 where none is due).

        ``None`` if it has another form or means nobody of this hand. A name may hold the very
        words of the form, so each name is tried wherever it stands in the line, the longest
        first.
        """
        match = rule.match(line)
        if match is None or not rule.actor:
            return match and (match, 0)
        if rule.actor == "seat":
            number = int(match["seat"])
            return (match, number) if number in self.numbers else None
        if not self._tangled and match["player"] in self.names:
            return match, self.names[match["player"]]
        for name, masked in self._masked(line):
            match = rule.match(masked)
            if match and not match["player"].strip(MASK):
                return match, self.names[name]
        return None

    def mask_first(self, line: str) -> str:
        """The line with the name that it begins with, or the first in it, masked."""
        masked = [text for _, text in self._masked(line)]
        opening = (text for text in masked if text.startswith(MASK))
        return next(opening, masked[0] if masked else line)

    def begins(self, line: str) -> bool:
        """Whether a line begins with the name of a player."""
        return any(
            line.startswith(name) and not line[len(name) : len(name) + 1].isalnum()
            for name in self.names
        )

    def _masked(self, line: str) -> Iterator[tuple[str, str]]:
        for name in sorted(self.names, key=len, reverse=True):
            start = line.find(name)
            while start >= 0:
                yield name, line[:start] + MASK * len(name) + line[start + len(name) :]
                start = line.find(name, start + 1)


def read_line(
    grammar: Grammar, seating: Seating, part: str, number: int, text: str
) -> Line | Misread | None:
    """What a line says; ``None`` for a line that has no form and says nothing of the play."""
    line = text.rstrip()
    if len(line) > MAX_LINE:
        return _too_long(line)
    play_like = line.startswith(grammar.openings)
    for rule in grammar.by_part[part]:
        # A chat that takes any text must not swallow a misspelt line of play.
        if play_like and rule.event == "remark" and not rule.opening:
            continue
        found = seating.find(rule, line)
        if found:
            return Line(number, text, rule, _values(rule, found[0]), found[1])
    problem = _stranger(grammar, seating, part, line)
    if problem is None and (play_like or seating.begins(line) or _PLAY.search(line)):
        problem = _explained(grammar, seating, part, line)
    return problem


def read_header(grammar: Grammar, number: int, text: str) -> Line | Misread:
    """What the first line of a hand says."""
    line = text.rstrip()
    if len(line) > MAX_LINE:
        return _too_long(line)
    for rule in grammar.headers:
        match = rule.match(line)
        if match:
            return Line(number, text, rule, _values(rule, match))
    why = grammar.explain_header(line)
    message = f"this is no first line of a {grammar.title} hand"
    return Misread(why.column, message, why.expected)


def _values(rule: LineRule, match: re.Match[str]) -> dict[str, str]:
    found = {name: value for name, value in match.groupdict().items() if value is not None}
    return {**rule.constants, **found}


def _too_long(line: str) -> Misread:
    return Misread(MAX_LINE + 1, f"a line of {len(line):,} characters", "a line of a log")


def _stranger(grammar: Grammar, seating: Seating, part: str, line: str) -> Misread | None:
    """The problem of a line that has the form of an action by nobody of this hand."""
    for rule in grammar.by_part[part]:
        match = rule.match(line) if rule.actor else None
        if match is None:
            continue
        column = match.start(rule.actor) + 1
        if rule.actor == "seat":
            seats = ", ".join(map(str, sorted(seating.numbers)))
            return Misread(column, f"nobody sits on seat {match['seat']} in this hand", seats)
        if seating.begins(match["player"]):
            continue  # The trouble is what stands behind the name.
        names = ", ".join(seating.names)
        return Misread(column, f"nobody named {match['player']!r} sits in this hand", names)
    return None


def _explained(grammar: Grammar, seating: Seating, part: str, line: str) -> Misread:
    """The problem of a line that has none of the forms: where it leaves the nearest ones."""
    why = grammar.explain(seating.mask_first(line), part)
    rest = line[why.column - 1 :].split()
    message = f"{rest[0]!r} makes no sense here" if rest else "the line ends too early"
    return Misread(why.column, message, why.expected)
