"""Lines of a room's log as they are printed: what stands in their fields, and their form.

A line is printed from the form that would be read, and the whole text is read again before it
is let out: a name that holds the words of a log line must not change what a hand says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from unicodedata import category
from zlib import crc32

from handread.history import Deal, History
from handread.notation.forms import LineRule
from handread.notation.grammar import Grammar
from handread.notation.lines import Line, Misread, read_header
from handread.notation.print_rules import LABELS, PrintRules
from handread.notation.sheet import Sheet
from handread.notation.source import BYTE_ORDER_MARK

YES = "yes"
"""The value of a flag."""

_NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Categories of characters that break lines, cannot be written, or steer a terminal."""

_LABELLED = ("hand", "table", "collect")
"""The events whose lines have labels."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A line to be: its form, what stands in the fields it has a value for, its seat, its text."""

    rule: LineRule
    values: Mapping[str, str]
    seat: int
    text: str

    def is_read_as(self, line: object) -> bool:
        """Whether a line that was read says the same.

        The reader finds the player of an action among those seated, whatever the name holds.
        """
        if not isinstance(line, Line) or line.rule is not self.rule:
            return False
        if self.rule.actor and line.seat != self.seat:
            return False
        flags = {name for name, kind in self.rule.fields.items() if kind == "flag"}
        told = {name: YES if name in flags else text for name, text in line.values.items()}
        meant = {**self.values, **self.rule.constants}
        return told.keys() == meant.keys() and all(
            told[name] == meant[name] for name in meant if name != self.rule.actor
        )


class Pen:
    """Prints the lines of one hand by a room's grammar."""

    def __init__(self, grammar: Grammar, rules: PrintRules, history: History) -> None:
        self.grammar = grammar
        self.rules = rules
        self.unit = history.unit
        self.names = _names(history)
        self.owner = history.hero or _only_full_deal(history)

    def line(self, event: str, values: Mapping[str, str], seat: int = 0) -> Printed | None:
        """The line of an event, of a seat if one is given; ``None`` if the room has no form.

        ``ValueError`` for a value that no line of the room can hold.
        """
        labels = {n: self._label(n, text) for n, text in values.items() if n in LABELS}
        known = {**values, **labels}
        if seat:
            known |= {"seat": str(seat), "place": str(seat), "player": self.names[seat]}
            known["me"] = YES if seat == self.owner else ""
        rule = self.grammar.form(event, known)
        return None if rule is None else self._written(rule, known, seat)

    def must(self, event: str, values: Mapping[str, str], seat: int = 0) -> Printed:
        """The same; ``ValueError`` if the room has no form."""
        line = self.line(event, values, seat)
        if line is None:
            word = event.replace("_", "-")
            raise ValueError(f"{self.grammar.title} logs have no line for this {word}")
        return line

    def some(self, event: str, values: Mapping[str, str], seat: int = 0) -> Iterator[Printed]:
        """The same; nothing if the room has no form."""
        line = self.line(event, values, seat)
        if line is not None:
            yield line

    def money(self, amount: int) -> str:
        """An amount as the room writes it: whole coins without a point if they have a symbol."""
        text = self.unit.text(amount)
        if self.unit.decimals == 2 and self.unit.symbol:
            text = text.removesuffix(".00")
        return text if self.rules.thousands else text.replace(",", "")

    def _label(self, name: str, text: str) -> str:
        """A label as the forms can hold it, or what stands for one that they cannot."""
        text = " ".join(text.split())
        unknown = self.rules.unknown.get(name, "")
        if name == "hand_id":
            return self._hand_id(text) if text else unknown
        held = all(
            self._fits(rule.fields[name], text)
            for rule in self.grammar.rules
            if rule.event in _LABELLED and name in rule.required
        )
        return text if text and held else unknown

    def _hand_id(self, text: str) -> str:
        """What the hand is called; a number made from its name where hands are numbered."""
        numbered = any(rule.fields["hand_id"] == "int" for rule in self.grammar.headers)
        if numbered and not self._fits("int", text):
            return str(crc32(text.encode("utf-8", "replace")))
        return text.replace(" ", "_")

    def _fits(self, kind: str, text: str) -> bool:
        return re.fullmatch(self.grammar.kinds[kind].pattern, text) is not None

    def _written(self, rule: LineRule, known: Mapping[str, str], seat: int) -> Printed:
        values = {name: text for name in rule.fields if (text := known.get(name, ""))}
        if rule.shouts_streets and "street" in values:
            values["street"] = values["street"].upper()
        for name, text in values.items():
            kind = rule.fields[name]
            if kind != "flag" and not self._fits(kind, text):
                what = self.grammar.kinds[kind].title
                raise ValueError(f"{text!r} cannot stand in a {self.grammar.title} log as {what}")
        return Printed(rule, values, seat, rule.print(values))


def check_read_back(grammar: Grammar, printed: Sequence[Printed]) -> History:
    """The hand as the lines will be read; ``ValueError`` unless each is read as it is meant."""
    block = [(number, line.text) for number, line in enumerate(printed, start=1)]
    for number, text in block:
        if not _is_text(text):
            raise _unreadable(grammar, text, "it has a character that is no text")
        if (grammar.starts.match(text) is not None) != (number == 1):
            raise _unreadable(grammar, text)
    header = read_header(grammar, *block[0])
    if isinstance(header, Misread):
        raise _unreadable(grammar, block[0][1])
    sheet = Sheet(grammar, grammar.title, header)
    history = sheet.history(block)
    read = [header, *sheet.seat_lines, *sheet.lines]
    by_number = {line.number: line for line in read if isinstance(line, Line)}
    for problem in history.problems:
        raise _unreadable(grammar, block[problem.line - 1][1], problem.message)
    for number, line in enumerate(printed, start=1):
        if line.rule.event == "table":
            same = sheet.table == line.values["table"]
        else:
            same = line.is_read_as(by_number.get(number))
        if not same:
            raise _unreadable(grammar, line.text)
    return history


def _is_text(line: str) -> bool:
    """Whether a line can stand in a file and be shown as it is."""
    return line.isprintable() or not any(
        category(character) in _NO_TEXT or character == BYTE_ORDER_MARK for character in line
    )


def _unreadable(grammar: Grammar, text: str, why: str = "") -> ValueError:
    reason = why or "it would be read as something else"
    return ValueError(f"a {grammar.title} log cannot hold the line {text!r}: {reason}")


def _names(history: History) -> dict[int, str]:
    """The name of each seat; who has none is called by the seat."""
    names = {seat.number: seat.name for seat in history.seats}
    taken = set(names.values())
    return {seat: name or _free_name(seat, taken) for seat, name in names.items()}


def _free_name(seat: int, taken: Collection[str]) -> str:
    plain = f"Player {seat}"
    others = (f"{plain}-{n}" for n in count(2))
    return plain if plain not in taken else next(name for name in others if name not in taken)


def _only_full_deal(history: History) -> int:
    """The seat whose downcards the log saw dealt, if it is the only one; 0 if not.

    A reader of the log takes that player for its owner.
    """
    full = [
        event.seat
        for event in history.events
        if isinstance(event, Deal) and len(event.down) == 2 and None not in event.down
    ]
    return full[0] if len(full) == 1 else 0
