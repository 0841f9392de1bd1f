"""Print the lines of a room's log, and check that they read back as meant."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain, count
from unicodedata import category

from handread.cards import MaybeCard
from handread.formats.dates import read_date
from handread.formats.grammar import PLACEHOLDERS, Grammar, PrintRules, date_styles
from handread.formats.line_patterns import LinePattern, ParsedLine, best_pattern
from handread.formats.room_hand import read_block
from handread.formats.styles import street_number
from handread.formats.text import BYTE_ORDER_MARK
from handread.game.rules import variant_of
from handread.history import Deal, History, Problem

YES = "yes"

_NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Categories of characters that break lines, cannot be written, or steer a terminal."""

_LABELLED = ("hand", "about", "table", "collect")
"""The events whose lines have labels."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A line to write: its pattern, the values of its fields, its seat and its text."""

    pattern: LinePattern
    values: Mapping[str, str]
    seat: int
    text: str

    def is_read_as(self, line: object) -> bool:
        """Return True if a line that was read says the same.

        The reader finds the player of an action among the seated ones, whatever the name holds.
        """
        if not isinstance(line, ParsedLine) or line.pattern is not self.pattern:
            return False
        if self.pattern.actor and line.seat != self.seat:
            return False
        flags = {name for name, kind in self.pattern.fields.items() if kind == "flag"}
        told = {name: YES if name in flags else text for name, text in line.values.items()}
        meant = {**self.values, **self.pattern.constants}
        return told.keys() == meant.keys() and all(
            told[name] == meant[name] for name in meant if name != self.pattern.actor
        )


class LinePrinter:
    """Print the lines of one hand by a room's grammar."""

    def __init__(self, grammar: Grammar, print_rules: PrintRules, history: History) -> None:
        self.grammar = grammar
        self.print_rules = print_rules
        self.unit = history.unit
        self.names = _names(history)
        self.owner = history.hero or _only_full_deal(history)

    def line(self, event: str, values: Mapping[str, str], seat: int = 0) -> Printed | None:
        """Return the line of an event, of a seat if one is given; ``None`` without a pattern.

        Raise ``ValueError`` for a value that no line of the room can hold.
        """
        known = self._known(values, seat)
        pattern = best_pattern(self.grammar.patterns, event, known)
        return None if pattern is None else self._written(pattern, known, seat)

    def has(self, event: str) -> bool:
        """Return whether the room has any line pattern for an event."""
        return any(pattern.event == event and pattern.printed for pattern in self.grammar.patterns)

    def every(self, event: str, values: Mapping[str, str]) -> Iterator[Printed]:
        """Yield a line for each pattern of an event with more information than those before it."""
        known, told = self._known(values, 0), set[str]()
        for pattern in self.grammar.patterns:
            news = {name for name in pattern.fields if known.get(name)}
            if pattern.event == event and pattern.fit(known) and not told >= news:
                told |= news
                yield self._written(pattern, known, 0)

    def _known(self, values: Mapping[str, str], seat: int) -> dict[str, str]:
        """Return values with the values of every line and, if given, of a seat."""
        labels = {n: self._label(n, text) for n, text in values.items() if n in PLACEHOLDERS}
        currency = self.grammar.money.codes.get(self.unit.symbol, "")
        known = {"currency": currency, **values, **labels}
        if seat:
            known |= {"seat": str(seat), "place": str(seat), "player": self.names[seat]}
            known["me"] = YES if seat == self.owner else ""
        return known

    def must(self, event: str, values: Mapping[str, str], seat: int = 0) -> Printed:
        """Return the line of an event; ``ValueError`` if the room has no pattern for it."""
        line = self.line(event, values, seat)
        if line is None:
            word = event.replace("_", "-")
            raise ValueError(f"{self.grammar.title} logs have no line for this {word}")
        return line

    def some(self, event: str, values: Mapping[str, str], seat: int = 0) -> Iterator[Printed]:
        """Yield the line of an event if the room has a pattern for it."""
        if (line := self.line(event, values, seat)) is not None:
            yield line

    def money(self, amount: int) -> str:
        """Format an amount: whole coins without a point if the currency has a symbol."""
        symbol = "" if self.print_rules.bare else self.unit.symbol
        number = replace(self.unit, symbol="").text(amount)
        if self.unit.decimals == 2 and symbol and not self.print_rules.cents:
            number = number.removesuffix(".00")
        if not self.print_rules.thousands:
            number = number.replace(",", "")
        return self.grammar.money.text(number, symbol)

    def cards(self, cards: Iterable[MaybeCard]) -> str:
        """Format cards; ``ValueError`` for an unseen card if the room has no text for it."""
        return self.grammar.cards.text(cards)

    def _label(self, name: str, text: str) -> str:
        """Return a label that the patterns can hold, or a substitute."""
        # A room's own name of a table may have two blanks: "Table  130001".
        text = re.sub(r"\s" if name == "table" else r"\s+", " ", text).strip()
        text = self._date(text) if name == "date" else text
        text = self._held(name, text) or self.print_rules.unknown.get(name, "")
        style = self.grammar.labels.get(name)
        return style.text(text) if style else text

    def _held(self, name: str, text: str) -> str:
        """Return a label if the patterns can hold it, else an empty text."""
        if name == "hand_id":
            return self._hand_id(text) if text else ""
        labelled = [pattern for pattern in self.grammar.patterns if pattern.event in _LABELLED]
        kinds = {pattern.fields[name] for pattern in labelled if name in pattern.required}
        return text if all(self._fits(kind, text) for kind in kinds) else ""

    def _date(self, text: str) -> str:
        """Return a date in the room's own style; unchanged if either style is unknown."""
        styles = self.grammar.dates
        date = read_date(text, date_styles()) if styles.formats and not styles.keeps(text) else None
        return text if date is None else styles.text(date)

    def _hand_id(self, text: str) -> str:
        """Return the number of the hand, made from its name if the room has another form."""
        first = (*self.grammar.headers, *self.grammar.abouts)
        numbered = any(pattern.fields.get("hand_id") == "int" for pattern in first)
        style = self.grammar.labels.get("hand_id")
        if (numbered and not self._fits("int", text)) or (style and not style.holds(text)):
            return _number_of(text)
        return text.replace(" ", "_")

    def _fits(self, kind: str, text: str) -> bool:
        return re.fullmatch(self.grammar.kinds[kind].regex, text) is not None

    def _written(self, pattern: LinePattern, known: Mapping[str, str], seat: int) -> Printed:
        values = {name: text for name in pattern.fields if (text := known.get(name, ""))}
        if "street" in values:
            values["street"] = pattern.spelt(street_number(values["street"]))
        close = [name for name in values if pattern.fields[name] == "close"]
        values |= {name: values[name].replace(" ", "") for name in close}
        for name, text in values.items():
            kind = pattern.fields[name]
            if kind != "flag" and not self._fits(kind, text):
                place = f"a log of {self.grammar.title} as {self.grammar.kinds[kind].title}"
                raise ValueError(f"{text!r} cannot stand in {place}")
        return Printed(pattern, values, seat, pattern.print(values))


def check_read_back(grammar: Grammar, printed: Sequence[Printed]) -> History:
    """Return the hand read from the lines; raise ``ValueError`` if one is read differently."""
    block = [(number, line.text) for number, line in enumerate(printed, start=1)]
    for _, text in block:
        if not _is_text(text):
            raise _unreadable(grammar, text, "it has a character that is no text")
    whole = "".join(f"{line.text}\n" for line in printed)
    if [match.start() for match in grammar.starts.finditer(whole)] != [0]:
        twice = next((t for n, t in block if n > 1 and grammar.starts.match(t)), block[0][1])
        raise _unreadable(grammar, twice)
    sheet = read_block(grammar, grammar.title, block)
    if isinstance(sheet, Problem):
        raise _unreadable(grammar, block[0][1])
    history = sheet.history()
    for problem in history.problems:
        raise _unreadable(grammar, block[problem.line - 1][1], problem.message)
    read = [sheet.header, *sheet.header_lines, *sheet.seats, *sheet.lines]
    by_number = {line.number: line for line in read if isinstance(line, ParsedLine)}
    for number, line in enumerate(printed, start=1):
        if not line.is_read_as(by_number.get(number)):
            raise _unreadable(grammar, line.text)
    return history


def _number_of(name: str) -> str:
    """Return a number of 18 digits for the name of a hand, always the same for the same name.

    It fits 64 bits, as databases of hands store it. Among a million names, two have the same
    number with a chance of one in two million.
    """
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()
    return str(10**17 + int.from_bytes(digest) % (9 * 10**17))


def _is_text(line: str) -> bool:
    """Return True if a line can stand in a file and be shown as it is."""
    return line.isprintable() or not any(
        category(character) in _NO_TEXT or character == BYTE_ORDER_MARK for character in line
    )


def _unreadable(grammar: Grammar, text: str, why: str = "") -> ValueError:
    reason = why or "it would be read as something else"
    return ValueError(f"a log of {grammar.title} cannot hold the line {text!r}: {reason}")


def _names(history: History) -> dict[int, str]:
    """Return the name of each seat; the seat itself names a nameless player."""
    taken = {seat.name for seat in history.seats}
    names = {}
    for seat in history.seats:
        free = (f"Player {seat.number}{end}" for end in chain([""], (f"-{n}" for n in count(2))))
        names[seat.number] = seat.name or next(name for name in free if name not in taken)
    return names


def _only_full_deal(history: History) -> int:
    """Return the only seat whose downcards were dealt open, taken for the log's owner; or 0."""
    n_first = variant_of(history.variant).streets[0].down
    deals = [event for event in history.events if isinstance(event, Deal)]
    full = [d.seat for d in deals if len(d.down) == n_first and None not in d.down]
    return full[0] if len(full) == 1 else 0
