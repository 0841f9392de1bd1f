"""Parse the lines of a hand from a line-based log, and find its players in them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress

from handread.formats.explain import MASK
from handread.formats.format import LineError
from handread.formats.grammar import Grammar
from handread.formats.line_patterns import LinePattern, ParsedLine
from handread.spelling import or_meant

MAX_LINE = 500
"""Longest line that is matched, in characters; matching time is not bounded for longer lines."""

KEPT = 1 << 12
"""Number of lines of a log whose parse is kept: most return, such as folds and antes."""

MAX_SEAT = 10
"""Highest seat number; no room has larger tables."""

_CARDS = re.compile(r"\[ *(?:10|[2-9TJQKA])[cdhs][ ,\]]")
"""Finds cards in brackets, so that an unmatched line must not be ignored."""

_AMOUNT = re.compile(
    r"(?:^|[\s(])[^\w\s]?\d[\d.,]*(?:\)|$| and is all[- ]in$)"  # (30), or an amount at the end
    r"|[$€£]\d"
)
"""Finds an amount, which an action may have put in."""


@dataclass(slots=True)
class SeatedPlayers:
    """The players of a hand by name or, where a room has no names, by seat."""

    numbers: set[int] = field(default_factory=set)
    names: dict[str, int] = field(default_factory=dict)
    _names_overlap: bool = False

    def add(self, number: int, name: str) -> None:
        """Seat a player; ``name`` is empty in a room without names."""
        self.numbers.add(number)
        if name:
            # One name contains another: only the longest match is valid.
            self._names_overlap |= any(name in other or other in name for other in self.names)
            self.names[name] = number

    def seat_of(self, actor: str, who: str) -> int | None:
        """Return the seat of a name or of a seat's number, 0 for none; ``None`` if unclear."""
        if not actor:
            return 0
        if actor == "seat":
            return int(who) if int(who) in self.numbers else None
        return None if self._names_overlap else self.names.get(who)

    def find(self, pattern: LinePattern, line: str) -> tuple[re.Match[str], int] | None:
        """Return the match of a line with a pattern, and the seat of its player (0 for none).

        Return ``None`` if the line does not match or names nobody in this hand. A name may contain
        the words of the pattern, so each name is tried at every position, longest first.
        """
        match = pattern.regex.match(line)
        if match is None:
            return None
        seat = self.seat_of(pattern.actor, match[pattern.actor] if pattern.actor else "")
        if seat is not None or pattern.actor == "seat":
            return None if seat is None else (match, seat)
        for name, masked in self.maskings(line):
            match = pattern.match(masked)
            if match and not match["player"].strip(MASK):
                return match, self.names[name]
        return None

    def unknown_actor(self, actor: str, who: str, column: int = 1) -> LineError:
        """Return the error for a player name or seat number that is not in this hand."""
        if actor == "seat":
            seats = ", ".join(map(str, sorted(self.numbers)))
            return LineError(f"nobody sits in seat {who} in this hand", seats, column)
        message = f"nobody named {who!r} sits in this hand{or_meant(who, self.names)}"
        return LineError(message, ", ".join(self.names), column)

    def mask_first(self, line: str) -> str:
        """Return the line with its leading name masked, or else the first name found in it."""
        masked = [text for _, text in self.maskings(line)]
        opening = (text for text in masked if text.startswith(MASK))
        return next(opening, masked[0] if masked else line)

    def begins(self, line: str) -> bool:
        """Return True if a line begins with the name of a player."""
        named = [name for name in self.names if line.startswith(name)]
        return any(not line[len(name) : len(name) + 1].isalnum() for name in named)

    def maskings(self, line: str) -> Iterator[tuple[str, str]]:
        """Yield each name, longest first, with the line after masking one occurrence."""
        for name in sorted(self.names, key=len, reverse=True):
            start = line.find(name)
            while start >= 0:
                yield name, line[:start] + MASK * len(name) + line[start + len(name) :]
                start = line.find(name, start + 1)


def read_line(
    grammar: Grammar, seating: SeatedPlayers, part: str, number: int, text: str
) -> ParsedLine | None:
    """Parse one line of a hand; ``None`` if no pattern matches and it is not about the play.

    ``part`` is one of ``line_patterns.PARTS``; lines are numbered from 1 in their file. Raise
    ``LineError`` for a line about the play that matches no pattern.
    """
    nth = 0
    while (fit := _fit(grammar, part, text, nth)) is not None:
        nth, pattern, values, who = fit
        seat = seating.seat_of(pattern.actor, who)
        if seat is None and (found := seating.find(pattern, text.rstrip())):
            values, seat = _values(pattern, found[0]), found[1]
        if seat is not None:
            return ParsedLine(number, text, pattern, values, seat)
    line = text.rstrip()
    if (deal := _damaged_deal(grammar, seating, part, number, text)) is not None:
        return deal
    _check_actor(grammar, seating, part, line)
    masked = seating.mask_first(line)
    about_play = (
        line.startswith(grammar.openings)
        or seating.begins(line)
        or _CARDS.search(line)
        or (_AMOUNT.search(line) and grammar.has_verb(line))
    )
    if about_play and not grammar.is_notice(masked, part):
        raise grammar.explain(line, part, masked)
    return None


@lru_cache(maxsize=KEPT)
def _fit(
    grammar: Grammar, part: str, text: str, after: int
) -> tuple[int, LinePattern, Mapping[str, str], str] | None:
    """Return the next pattern that a line matches: its number, itself, the fields, the actor."""
    line = _checked(text)
    near = map(line.__contains__, grammar.anchors[part])
    for nth, pattern in compress(enumerate(grammar.by_part[part], start=1), near):
        # A catch-all chat pattern must not match a misspelled line of play.
        chat = pattern.event == "remark" and not pattern.opening
        if nth <= after or (chat and line.startswith(grammar.openings)):
            continue
        if match := pattern.regex.match(line):
            who = match[pattern.actor] if pattern.actor else ""
            return nth, pattern, _values(pattern, match), who
    return None


def is_play(grammar: Grammar, others: Sequence[str], line: str) -> bool:
    """Return True if a line is a whole line of a hand and no chat.

    ``others`` are lines of the hand; if they seat nobody, any name is taken for a player's.
    """
    line = line.rstrip()
    if len(line) > MAX_LINE:
        return False
    others_too = ("hand", "about", "remark")
    plays = [p for p in grammar.patterns if p.event not in others_too and p.match(line)]
    seats = [pattern for pattern in grammar.patterns if pattern.event == "seat"] if plays else []
    seating = SeatedPlayers()
    short = [other.rstrip() for other in others if len(other) <= MAX_LINE]
    for match in (pattern.match(other) for other in short for pattern in seats):
        if match:
            values = match.groupdict()
            seating.add(int(values["seat"]), values.get("player") or "")
    return any(not seating.numbers or seating.find(pattern, line) for pattern in plays)


def _damaged_deal(
    grammar: Grammar, seating: SeatedPlayers, part: str, number: int, text: str
) -> ParsedLine | None:
    """Parse a deal with unreadable cards; return ``None`` for any other line."""
    damaged = (pattern.damaged for pattern in grammar.by_part[part] if pattern.damaged is not None)
    for pattern in damaged:
        if match := seating.find(pattern, text.rstrip()):
            return ParsedLine(number, text, pattern, _values(pattern, match[0]), match[1])
    return None


def read_header(grammar: Grammar, number: int, text: str) -> ParsedLine:
    """Parse the first line of a hand; raise ``LineError`` if it is not one."""
    line = _checked(text)
    if (parsed := _first_match(grammar.headers, number, text, line)) is None:
        why = grammar.explain_header(line)
        message = f"this is not the first line of a {grammar.title} hand"
        raise LineError(message, why.expected, why.column)
    return parsed


def read_about(grammar: Grammar, number: int, text: str) -> ParsedLine | None:
    """Parse a line that continues the header; return ``None`` for any other line."""
    line = text.rstrip()
    return None if len(line) > MAX_LINE else _first_match(grammar.abouts, number, text, line)


def split_winners(seating: SeatedPlayers, line: ParsedLine) -> list[tuple[int, str]]:
    """Return the seats and amounts of a list of winners, ``Lena ($1), Mr. X (Y) ($2)``.

    A name ends where its amount begins. If several names match, the longest is used.
    """
    rest, shares = line.word("winners"), []
    column = line.text.find(rest) + 1
    amount = re.compile(rf" \(({line.pattern.kinds['amount'].regex})\)(?:, |$)")
    while rest:
        begun = (name for name in seating.names if rest.startswith(f"{name} ("))
        named = max(begun, key=len, default="")
        share = amount.match(rest, len(named)) if named else None
        if share is None:
            expected = f"one of {', '.join(seating.names)}, and an amount in brackets"
            message = f"{rest!r} does not begin with a player of this hand and an amount"
            raise LineError(message, expected, column)
        shares.append((seating.names[named], share[1]))
        column += share.end()
        rest = rest[share.end() :]
    return shares


def _checked(text: str) -> str:
    """Return a line without trailing blanks; raise ``LineError`` if it is too long to match."""
    line = text.rstrip()
    if len(line) > MAX_LINE:
        message = f"the line has {len(line):,} characters"
        raise LineError(message, f"at most {MAX_LINE:,}", MAX_LINE + 1)
    return line


def _first_match(
    patterns: Sequence[LinePattern], number: int, text: str, line: str
) -> ParsedLine | None:
    for pattern in patterns:
        if match := pattern.match(line):
            return ParsedLine(number, text, pattern, _values(pattern, match))
    return None


def _values(pattern: LinePattern, match: re.Match[str]) -> dict[str, str]:
    told = {name: text for name, text in match.groupdict().items() if text is not None}
    return {**pattern.constants, **told}


def _check_actor(grammar: Grammar, seating: SeatedPlayers, part: str, line: str) -> None:
    """Raise ``LineError`` for a line with an action of a player who is not in the hand."""
    for pattern in grammar.by_part[part]:
        match = pattern.match(line) if pattern.actor else None
        if match is None:
            continue
        who = match[pattern.actor]
        if pattern.actor == "player" and seating.begins(who):
            continue  # The name is known; the fault is in the text after it.
        raise seating.unknown_actor(pattern.actor, who, match.start(pattern.actor) + 1)
