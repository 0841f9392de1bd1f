"""Line patterns of a grammar: the lines they match, the events these report, and their printing.

A line pattern is a table ``[[line]]``; ``docs/reference/grammars.md`` lists its keys.

An event is printed with the pattern that states most about it: it has a value for every field that
it needs and sets nothing untrue. The pattern that sets most wins, then the one with the most
fields, then the first. So ``set = { street = "7th" }`` restricts a pattern to 7th street,
``set = { alone = "yes" }`` to a player whom nobody called, and ``set = { double = "yes" }`` to
double bets. A street is spelt as in the example.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, Self, TypedDict, TypeVar

import handread.formats.template as templates
from handread.cards import MaybeCard
from handread.formats.faults import GrammarReader
from handread.formats.styles import BLANKS, CardStyle, street_like, street_number
from handread.game.rules import STREET_NAMES, STREETS, Unit
from handread.spelling import nearest, or_meant

T = TypeVar("T")

PARTS = ("head", "play", "summary")
"""The parts of a hand: the lines before the first ante, the play, and the summary."""

EVENTS: Mapping[str, tuple[frozenset[str], ...]] = {
    event: tuple(frozenset(need.split()) for need in needs)
    for event, needs in {
        "hand": ("",),
        "about": ("",),
        "table": ("table",),
        "seat": ("seat stack",),
        "antes": ("",),
        "ante": ("added",),
        "street": ("street", "nth"),
        "blocks": ("",),
        "deal": ("cards", "old new", "all"),
        "bring_in": ("added",),
        "check": ("",),
        "fold": ("",),
        "bet": ("added", "to"),
        "call": ("added", "to"),
        "raise": ("to", "added"),
        "complete": ("to", "added"),
        "all_in": ("to", "added"),
        "uncalled": ("amount",),
        "show": ("cards",),
        "muck": ("",),
        "collect": ("amount", "winners"),
        "total": ("amount",),
        "rake": ("rake",),
        "net": ("net",),
        "summary": ("",),
        "revealed": ("cards",),
        "won": ("amount",),
        "showdown": ("",),
        "board": ("cards",),
        "folded": ("",),
        "mucked": ("",),
        "known": ("",),
        "end": ("",),
        "remark": ("",),
    }.items()
}
"""The events that a line can report, with the alternative sets of fields that each needs.

* ``hand`` is the first line, ``about`` another one with game, stakes or date. Together they state
  ``hand_id`` and ``game``.
* From ``blocks`` on, blocks of deals mark the streets. ``summary`` begins the summary.
* ``street`` names the street or sets ``nth``, its number among the streets of the game, from 1.
* ``revealed`` and ``won`` count only if the play did not say it; ``net`` is the total that a seat
  won or lost.
* These lines add nothing to the play: ``antes`` and ``showdown`` (headings), ``board`` (a shared
  card), ``folded`` and ``mucked`` (of a seat, in the summary), ``end`` (the last line), and
  ``known``, which repeats other lines and is not printed.
* ``remark`` is kept unchanged.
"""

_ACTORS = {
    *("ante", "deal", "bring_in", "check", "fold", "bet", "call", "raise", "complete", "all_in"),
    *("uncalled", "show", "muck", "collect", "revealed", "won", "net"),
}
"""The events that have an acting player."""

VERY_CLOSE = 0.8
"""Least similarity of a field name that was surely meant to be another one."""


@dataclass(frozen=True, eq=False)
class EventPattern:
    """A pattern of a line or an XML element, with the event that it reports.

    ``origin`` is the source of the example, ``constants`` are the values that the pattern implies,
    ``fields`` the kinds of the fields of the template by name, ``kinds`` all kinds of the site.
    """

    event: str
    template: str
    example: str
    origin: str
    constants: Mapping[str, str]
    fields: Mapping[str, str]
    cards: CardStyle
    kinds: Mapping[str, templates.FieldKind] = field(default_factory=dict, kw_only=True)

    @cached_property
    def damaged(self) -> Self | None:
        """The same pattern for a deal with unreadable cards; ``None`` for other events."""
        if self.event != "deal":
            return None
        cards = replace(self.cards, damaged=True)
        return replace(self, cards=cards, kinds=templates.damaged_kinds(self.kinds, cards))

    @cached_property
    def actor(self) -> str:
        """The field that names the acting player: ``player``, ``seat``, or "" for none."""
        if self.event not in _ACTORS or "winners" in self.fields:
            return ""
        return "player" if "player" in self.fields else "seat"

    @cached_property
    def amounts(self) -> tuple[str, ...]:
        """The fields that hold an amount of money."""
        return tuple(name for name, kind in self.fields.items() if kind in _MONEY)


@dataclass(frozen=True, eq=False)
class LinePattern(EventPattern):
    """A pattern of a line.

    ``part`` and ``printed_on`` are empty for every part of a hand and every street; without
    ``printed``, it is only read. ``pieces`` are the parsed template.
    """

    part: str
    printed: bool
    printed_on: frozenset[str]
    pieces: tuple[templates.Piece, ...]

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The regular expression of a whole line."""
        return re.compile(templates.regex_of(self.pieces, self.kinds) + r"\Z")

    @cached_property
    def required(self) -> frozenset[str]:
        """The fields that every line has."""
        return frozenset(piece.name for piece in self.pieces if isinstance(piece, templates.Field))

    @cached_property
    def anchor(self) -> str:
        """The longest word that every line has; lines without it are skipped quickly."""
        literals = (piece.text for piece in self.pieces if isinstance(piece, templates.Literal))
        return max((word for text in literals for word in text.split()), key=len, default="")

    @cached_property
    def opening(self) -> str:
        """The beginning of every line, perhaps empty."""
        first = self.pieces[0]
        return first.text.rstrip() if isinstance(first, templates.Literal) else ""

    def match(self, line: str) -> re.Match[str] | None:
        """Match a whole line without trailing blanks."""
        return self.regex.match(line) if self.anchor in line else None

    def spelt(self, street: int) -> str:
        """Return the name of a street, spelt as in the example of the pattern."""
        match = self.match(self.example)
        return street_like(street, (match and match.groupdict().get("street")) or "3rd")

    def fit(self, values: Mapping[str, str]) -> tuple[int, int] | None:
        """Return the numbers of values that the pattern implies and shows; larger pairs fit better.

        ``None`` for a pattern that is not printed on the street of the values, lacks a value, or
        implies a wrong one.
        """
        on_street = values.get("street", "") in self.printed_on or not self.printed_on
        complete = all(map(values.get, self.required))
        true = all(values.get(name) == value for name, value in self.constants.items())
        if not (self.printed and on_street and complete and true):
            return None
        return len(self.constants), sum(bool(values.get(name)) for name in self.fields)

    def print(self, values: Mapping[str, str]) -> str:
        """Return the line for the values of its fields; ``KeyError`` if one is missing."""
        return templates.printed(self.pieces, values)


def best_pattern(
    patterns: Iterable[LinePattern], event: str, values: Mapping[str, str]
) -> LinePattern | None:
    """Return the pattern of an event that fits the values best; the first of equally good ones."""
    of_event = ((pattern.fit(values), pattern) for pattern in patterns if pattern.event == event)
    fits = [(fit, pattern) for fit, pattern in of_event if fit is not None]
    return max(fits, key=itemgetter(0))[1] if fits else None


_NEEDED = ("event", "template", "example", "from")


def read_pattern(
    entry: Mapping[str, Any],
    other_keys: Iterable[str],
    parse: Callable[[str], tuple[T, Mapping[str, str]]],
    kinds: Mapping[str, templates.FieldKind],
    cards: CardStyle,
    reader: GrammarReader,
) -> tuple[T, dict[str, Any]] | None:
    """Return the parsed template of a pattern and the arguments of ``EventPattern``.

    ``entry`` is a table ``[[line]]`` or ``[[element]]``, which may have ``other_keys`` besides
    the common ones; return ``None`` for a wrong one. ``parse`` returns the parsed template and
    the kinds of its fields by name, or raises ``ValueError``.
    """
    reader.known_keys(entry, (*_NEEDED, "set", *other_keys))
    event, template, example, origin = (reader.text(entry, key) for key in _NEEDED)
    constants = {name: str(value) for name, value in reader.table(entry, "set").items()}
    read = None
    with reader.at("template"):
        read = parse(template)
    if read is None:
        return None
    parsed, by_name = read
    check_fields(event, by_name, constants, kinds, reader)
    if reader.here:
        return None
    return parsed, {
        "event": event,
        "template": template,
        "example": example,
        "origin": origin,
        "constants": constants,
        "fields": by_name,
        "cards": cards,
        "kinds": kinds,
    }


def check_fields(
    event: str,
    stated: Mapping[str, str],
    constants: Mapping[str, str],
    kinds: Mapping[str, templates.FieldKind],
    reader: GrammarReader,
) -> None:
    """Check the event of a pattern and the fields of its template, which it has ``stated``."""
    for kind in stated.values():
        if kind not in kinds and kind != "flag":
            reader.unknown("kind of field", kind, kinds, "template")
    needs = EVENTS.get(event)
    if needs is None:
        if event:
            reader.unknown("event", event, EVENTS, "event")
        return
    if not any(need <= {*stated, *constants} for need in needs):
        wanted = " or ".join(" ".join(sorted(need)) for need in needs)
        lacking = sorted(frozenset().union(*needs) - {*stated, *constants})
        reader.add(f"{event} needs {wanted}{meant_field(lacking, stated)}", "template")
    nth = constants.get("nth", "1")
    if not (nth.isascii() and nth.isdigit() and 1 <= int(nth) <= len(STREETS)):
        reader.add(f"nth is the number of a street of the game, 1 to 5, not {nth!r}", "set")
    if event in _ACTORS and not {"player", "seat", "winners"} & set(stated):
        message = f"{event} needs player or seat{meant_field(('player', 'seat'), stated)}"
        reader.add(message, "template")


def meant_field(lacking: Iterable[str], stated: Iterable[str]) -> str:
    """Return a question whether an unknown field was meant to be a lacking one."""
    names = sorted(set(stated) - templates.TELLING)
    return next(filter(None, (or_meant(name, lacking, "{{{}}}") for name in names)), "")


def misspelt_field(pattern: EventPattern) -> str:
    """Return a message about a field that is probably misspelt; empty if no field is.

    Other names are allowed and have no meaning; a misspelt one is very like one with a meaning.
    """
    names = {**pattern.fields, **pattern.constants}
    if pattern.event not in ("hand", "about", *_ACTORS) and not any(EVENTS[pattern.event]):
        return ""
    telling = templates.FIRST_FIELDS if pattern.event in ("hand", "about") else templates.TELLING
    free = sorted(telling - names.keys())
    for name in sorted(names.keys() - templates.TELLING):
        near = nearest(name, free, VERY_CLOSE)
        if near and name != f"{near}s":
            return f"{{{name}}} has no meaning; did you mean {{{near}}}?"
    return ""


def line_pattern(
    entry: Mapping[str, Any],
    kinds: Mapping[str, templates.FieldKind],
    cards: CardStyle,
    reader: GrammarReader,
) -> LinePattern | None:
    """Return the pattern of a table ``[[line]]``; ``None``, with its faults, for a wrong one."""
    streets = entry.get("printed_on", [])
    if not isinstance(streets, list) or not set(map(str, streets)) <= set(map(str, STREET_NAMES)):
        reader.add(f"must be a list of streets from 2 to 7, not {streets!r}", "printed_on")
    part = reader.text(entry, "part", "")
    if part not in ("", *PARTS):
        reader.unknown("part", part, PARTS, "part")
    is_printed = reader.flag(entry, "printed", True)
    other_keys = ("part", "printed_on", "printed")
    read = read_pattern(entry, other_keys, _parsed, kinds=kinds, cards=cards, reader=reader)
    if read is None:
        return None
    pieces, common = read
    printed_on = frozenset(STREET_NAMES[street] for street in streets)
    return LinePattern(
        **common, part=part, printed=is_printed, printed_on=printed_on, pieces=pieces
    )


def _parsed(template: str) -> tuple[tuple[templates.Piece, ...], Mapping[str, str]]:
    pieces = templates.parse_template(template)
    return pieces, templates.fields(pieces)


_NUMBER = re.compile(r"[^\d.-]")
_SYMBOL = re.compile(rf"[-+\d.,{BLANKS}]")


# The amounts of a log are few and return often.
@lru_cache(maxsize=1024)
def _number(text: str) -> Decimal:
    return Decimal(_NUMBER.sub("", text))


@lru_cache(maxsize=1024)
def money(text: str) -> tuple[int, str]:
    """Return the number of decimals of an amount, and its currency symbol or an empty text."""
    return -int(_number(text).as_tuple().exponent), _SYMBOL.sub("", text)


_MONEY = ("amount", "signed", "close")


class EventPlace(TypedDict):
    """The place of an event in its file, counted from 1."""

    line: int
    column: int


@dataclass(slots=True)  # not frozen, as making one would take three times as long
class ParsedLine:
    """A line or XML element that a pattern matched, with the texts of its fields.

    Line ``number`` and ``column`` count from 1; ``seat`` is the acting player's, 0 for none.
    """

    number: int
    text: str
    pattern: EventPattern
    values: Mapping[str, str]
    seat: int = 0
    column: int = 1

    def __contains__(self, name: str) -> bool:
        return name in self.values

    @property
    def place(self) -> EventPlace:
        """Line and column, as keyword arguments for events."""
        return {"line": self.number, "column": self.column}

    def column_of(self, name: str) -> int:
        """Return the column where the text of a field begins in its line, from 1."""
        if isinstance(self.pattern, LinePattern):
            match = self.pattern.match(self.text.rstrip())
            if match is not None and match.groupdict().get(name) == self.values[name]:
                return match.start(name) + 1
        return self.text.find(self.values[name], self.column - 1) + 1 or self.column

    def word(self, name: str) -> str:
        """Return the text of a field; empty if it is missing."""
        return self.values.get(name, "")

    def cards(self, name: str) -> tuple[MaybeCard, ...]:
        """Return the cards of a field; none if it is missing. ``None`` is an unseen card."""
        text = self.values.get(name)
        return self.pattern.cards.parse(text) if text is not None else ()

    def unreadable(self) -> list[tuple[int, str]]:
        """Return the words of a deal that are not cards, with their columns."""
        return [
            (self.column_of(name) + start, word)
            for name in ("old", "cards", "new", "all")
            if name in self.values
            for start, word in self.pattern.cards.unreadable(self.values[name])
        ]

    def street(self) -> int:
        """Return the number of the street; raise ``KeyError`` if none is named."""
        return street_number(self.values["street"])

    def amount(self, name: str) -> Decimal:
        """Return the amount of a field in whole units; raise ``KeyError`` if it is missing."""
        return _number(self.values[name])

    def minor(self, name: str, unit: Unit) -> int:
        """Return the amount of a field in minor units."""
        return int(self.amount(name).scaleb(unit.decimals))
