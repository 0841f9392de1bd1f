"""One line of a room's log: which form it has, who it speaks of, or why it is unreadable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from handread.notation.explain import MASK
from handread.notation.forms import LineRule
from handread.notation.grammar import Grammar
from handread.notation.statement import Misread, Statement
from handread.notation.styles import NUMBER_PATTERN
from handread.spelling import or_meant

MAX_LINE = 500
"""Longer lines are no log lines; to match them could take for ever."""

_PLAY = re.compile(
    r"\[ *(?:10|[2-9TJQKA])[cdhs][ ,\]]"  # cards in brackets
    r"|(?:^|[\s(])[^\w\s]?\d[\d.,]*(?:\)|$| and is all[- ]in$)"  # (30), or an amount at the end
    r"|[$€£]\d"
)
"""What gives away that a line without a known form speaks of the play."""

_SHARE = re.compile(rf" \(([^\w\s]?{NUMBER_PATTERN}[^\w\s]?)\)(?:, |$)")
"""What stands behind the name of a winner in a list of them."""


Line = Statement
"""A line that was understood."""


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
        for name, masked in self.maskings(line):
            match = rule.match(masked)
            if match and not match["player"].strip(MASK):
                return match, self.names[name]
        return None

    def stranger(self, actor: str, who: str, column: int = 1) -> Misread:
        """The problem of a name, or of a ``seat``, that is nobody's in this hand."""
        if actor == "seat":
            seats = ", ".join(map(str, sorted(self.numbers)))
            return Misread(column, f"nobody sits on seat {who} in this hand", seats)
        message = f"nobody named {who!r} sits in this hand{or_meant(who, self.names)}"
        return Misread(column, message, ", ".join(self.names))

    def mask_first(self, line: str) -> str:
        """The line with the name that it begins with, or the first in it, masked."""
        masked = [text for _, text in self.maskings(line)]
        opening = (text for text in masked if text.startswith(MASK))
        return next(opening, masked[0] if masked else line)

    def begins(self, line: str) -> bool:
        """Whether a line begins with the name of a player."""
        return any(
            line.startswith(name) and not line[len(name) : len(name) + 1].isalnum()
            for name in self.names
        )

    def maskings(self, line: str) -> Iterator[tuple[str, str]]:
        """Each name wherever it stands, the longest first, and the line with it masked."""
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
        if rule.anchor not in line or (play_like and rule.event == "remark" and not rule.opening):
            continue
        found = seating.find(rule, line)
        if found:
            return Line(number, text, rule, _values(rule, found[0]), found[1])
    problem = _stranger(grammar, seating, part, line)
    if problem is None and (play_like or seating.begins(line) or _PLAY.search(line)):
        problem = grammar.explain(line, part, seating.mask_first(line))
    return problem


def read_header(grammar: Grammar, number: int, text: str) -> Line | Misread:
    """What the first line of a hand says."""
    line = text.rstrip()
    if len(line) > MAX_LINE:
        return _too_long(line)
    said = _first_form(grammar.headers, number, text, line)
    if said is not None:
        return said
    message = f"this is no first line of a {grammar.title} hand"
    return replace(grammar.explain_header(line), message=message)


def read_about(grammar: Grammar, number: int, text: str) -> Line | None:
    """What a line says that completes a hand's first line; ``None`` if it is no such line."""
    line = text.rstrip()
    return None if len(line) > MAX_LINE else _first_form(grammar.abouts, number, text, line)


def _first_form(rules: Sequence[LineRule], number: int, text: str, line: str) -> Line | None:
    for rule in rules:
        match = rule.match(line)
        if match:
            return Line(number, text, rule, _values(rule, match))
    return None


def split_winners(seating: Seating, line: Line) -> list[tuple[int, str]] | Misread:
    """The seats and amounts of a list such as ``Lena ($1), Mr. X (Y) ($2)``.

    A name ends where its amount begins; of names that begin alike the longest counts.
    """
    rest, shares = line.word("winners"), []
    column = line.text.find(rest) + 1
    while rest:
        named = max(
            (name for name in seating.names if rest.startswith(f"{name} (")), key=len, default=""
        )
        share = _SHARE.match(rest, len(named)) if named else None
        if share is None:
            expected = f"one of {', '.join(seating.names)}, and an amount in brackets"
            return Misread(column, f"{rest!r} says of nobody here what was won", expected)
        shares.append((seating.names[named], share[1]))
        column += share.end()
        rest = rest[share.end() :]
    return shares


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
        who = match[rule.actor]
        if rule.actor == "player" and seating.begins(who):
            continue  # The trouble is what stands behind the name.
        return seating.stranger(rule.actor, who, match.start(rule.actor) + 1)
    return None
