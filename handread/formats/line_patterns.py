"""What it takes to print hands from a grammar: a table ``[print]``, and a form for every event.

* ``raise_by`` says what the ``by`` of a template is: the ``increase`` of the bet, or what is
  ``added`` by the player. Without it no form with a ``by`` is printed.
* ``thousands``: whether amounts have commas.
* ``cents``: whether whole amounts of a currency have two digits behind the point.
* ``bare``: whether amounts stand without the symbol of their currency.
* ``[print.unknown]``: by field, the text for what a history does not say (``LABELS``).
* ``[print.tournament]``: by field, texts for the first line of a hand that is played in whole
  chips of no currency. With them a form for tournaments is printed, without them the one for
  cash games.

An event is printed in the form that tells most of it: one that has a value for every field it
needs and sets nothing that is not so. Of several it is the one that sets most, then the one that
has the most fields with a value, then the first. So ``set = { street = "7th" }`` keeps a form to
7th street, ``set = { alone = "yes" }`` to a player whom nobody called, ``set = { double = "yes" }``
to double bets. A street is spelt as in the form's example; of several wordings the first is
printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Self, TypedDict, TypeVar

import pyparsing as pp

from handread.cards import MaybeCard
from handread.formats.faults import Faults
from handread.formats.template import (
    FIRST_FIELDS,
    TELLING,
    CardStyle,
    Kind,
    Piece,
    anchor,
    damaged_kinds,
    fields,
    opening,
    parse_template,
    pattern,
    printed,
    required,
    street_like,
    street_number,
)
from handread.game.rules import STREET_NAMES, Unit
from handread.spelling import nearest, or_meant

T = TypeVar("T")

PARTS = ("head", "play", "summary")
"""The parts of a hand's text: before the first ante, up to the summary, the summary."""

EVENTS: Mapping[str, tuple[frozenset[str], ...]] = {
    event: tuple(frozenset(need.split()) for need in needs)
    for event, needs in {
        "hand": ("",),
        "about": ("",),
        "table": ("table",),
        "seat": ("seat stack",),
        "antes": ("",),
        "ante": ("added",),
        "street": ("street",),
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
"""The events that a line can report and the fields that each needs, in one way or another.

``hand`` is the first line, ``about`` another that tells game, stakes or date; between them they
name the hand (``hand_id``) and its ``game``. ``blocks`` says that streets are told by blocks of
deals from here on; ``summary`` begins the summary; ``revealed`` and ``won`` are what a summary adds
if the play did not say it, ``net`` what a seat won or lost in all. No event make ``antes`` and
``showdown`` (headings), ``board`` (a shared card), ``folded`` and ``mucked`` (of a seat, in the
summary), ``end`` (the last line), and ``known``, which says again in words of its own what other
lines say and is not printed. ``remark`` is kept as it stands.
"""

_ACTORS = {
    *("ante", "deal", "bring_in", "check", "fold", "bet", "call", "raise", "complete", "all_in"),
    *("uncalled", "show", "muck", "collect", "revealed", "won", "net"),
}
"""The events that a player of the hand is part of."""


VERY_CLOSE = 0.8
"""How like the name of a field is that was surely meant to be it."""


@dataclass(frozen=True, eq=False)
class Form:
    """What something in a log reports: an event, and fields with values.

    ``constants`` are fields that the form implies, ``cards`` how cards are written in the others,
    ``example`` what has this form, ``origin`` where it was seen. ``damaged`` is the form of a deal
    with cards that cannot be read.
    """

    event: str
    template: str
    example: str
    origin: str
    constants: Mapping[str, str]
    fields: Mapping[str, str]
    cards: CardStyle
    damaged: Self | None = field(default=None, kw_only=True)

    @property
    def actor(self) -> str:
        """The field that says which player of the hand acts: ``player``, ``seat``, or none."""
        if self.event not in _ACTORS or "winners" in self.fields:
            return ""
        return "player" if "player" in self.fields else "seat"


@dataclass(frozen=True, eq=False)
class LineRule(Form):
    """One form of line: the event it reports and its template, compiled.

    ``part`` is the part of a hand's text where it stands (empty for anywhere), ``printed_on`` the
    streets on which it is printed, ``required`` the fields without which it cannot be. ``regex``
    matches a line of the form whole.
    """

    part: str
    printed: bool
    printed_on: frozenset[str]
    pieces: tuple[Piece, ...]
    required: frozenset[str]
    anchor: str
    opening: str
    regex: re.Pattern[str]

    def match(self, line: str) -> re.Match[str] | None:
        """The match of a line without trailing blanks, ``None`` when it has another form."""
        return self.regex.match(line) if self.anchor in line else None

    @cached_property
    def element(self) -> pp.ParserElement:
        """The form as an element of pyparsing: what ``match`` does without it, and faster."""
        element = pp.Regex(self.regex.pattern, as_match=True)
        return element.leave_whitespace().parse_with_tabs()

    def spelt(self, street: int) -> str:
        """A street as the form's example spells its own."""
        found = self.match(self.example)
        return street_like(street, (found and found.groupdict().get("street")) or "3rd")

    def fit(self, values: Mapping[str, str]) -> tuple[int, int] | None:
        """How well a line of this form tells the values; ``None`` if they are not its case.

        How many of them the form implies, then how many stand in the line.
        """
        on_street = values.get("street", "") in self.printed_on or not self.printed_on
        apt = self.printed and on_street
        able = all(map(values.get, self.required))
        so = all(values.get(name) == value for name, value in self.constants.items())
        if not (apt and able and so):
            return None
        return len(self.constants), sum(bool(values.get(name)) for name in self.fields)

    def print(self, values: Mapping[str, str]) -> str:
        """The line of this form for the values of its fields; ``KeyError`` if one is missing."""
        return printed(self.pieces, values)


def best_form(rules: Iterable[LineRule], event: str, values: Mapping[str, str]) -> LineRule | None:
    """The form of an event that tells the values best, the first of equally good ones."""
    fits = [(fit, rule) for rule in rules if rule.event == event and (fit := rule.fit(values))]
    return max(fits, key=lambda found: found[0])[1] if fits else None


_NEEDED = ("event", "template", "example", "from")


def read_pattern(
    entry: Mapping[str, Any],
    other_keys: Iterable[str],
    parse: Callable[[str], tuple[T, Mapping[str, str]]],
    kinds: Mapping[str, Kind],
    faults: Faults,
) -> tuple[T, dict[str, Any]] | None:
    """Read what the patterns of lines and of XML elements have in common.

    Args:
        entry: A table ``[[line]]`` or ``[[element]]``.
        other_keys: Keys that it may have besides those of every pattern.
        parse: Returns the parsed template and the kinds of its fields by name, or raises
            ``ValueError``.
        kinds: The kinds of fields that the site has.
        faults: Receives all that is wrong.

    Returns:
        The parsed template and the fields of ``Form`` but ``cards``; ``None`` for a wrong table.
    """
    faults.known_keys(entry, (*_NEEDED, "set", *other_keys))
    event, template, example, origin = (faults.text(entry, key) for key in _NEEDED)
    constants = faults.constants(entry, "set")
    read = None
    with faults.at("template"):
        read = parse(template)
    if read is None:
        return None
    parsed, found = read
    check_fields(event, found, constants, kinds, faults)
    if faults.here:
        return None
    return parsed, {
        "event": event,
        "template": template,
        "example": example,
        "origin": origin,
        "constants": constants,
        "fields": found,
    }


def check_fields(
    event: str,
    found: Mapping[str, str],
    constants: Mapping[str, str],
    kinds: Mapping[str, Kind],
    faults: Faults,
) -> None:
    """The ``faults`` of a form's event and of the fields that its template has."""
    for kind in found.values():
        if kind not in kinds and kind != "flag":
            faults.unknown("kind of field", kind, kinds, "template")
    needs = EVENTS.get(event)
    if needs is None:
        if event:
            faults.unknown("event", event, EVENTS, "event")
        return
    if not any(need <= {*found, *constants} for need in needs):
        wanted = " or ".join(" ".join(sorted(need)) for need in needs)
        lacking = sorted(frozenset().union(*needs) - {*found, *constants})
        faults.add(f"{event} needs {wanted}{meant_field(lacking, found)}", "template")
    if event in _ACTORS and not {"player", "seat", "winners"} & set(found):
        message = f"{event} needs player or seat{meant_field(('player', 'seat'), found)}"
        faults.add(message, "template")


def meant_field(lacking: Iterable[str], found: Iterable[str]) -> str:
    """The lacking field that was probably meant by one that says nothing, as a question."""
    names = sorted(set(found) - TELLING)
    return next(filter(None, (or_meant(name, lacking, "{{{}}}") for name in names)), "")


def misspelt_field(form: Form) -> str:
    """What to say of a field that says nothing and is nearly one that says something.

    It may well be meant to say nothing: only one that is very near a field which the event can
    have is spoken of.
    """
    names = {**form.fields, **form.constants}
    if form.event not in ("hand", "about", *_ACTORS) and not any(EVENTS[form.event]):
        return ""
    telling = FIRST_FIELDS if form.event in ("hand", "about") else TELLING
    free = sorted(telling - names.keys())
    for name in sorted(names.keys() - TELLING):
        near = nearest(name, free, VERY_CLOSE)
        if near and name != f"{near}s":
            return f"{{{name}}} says nothing; did you mean {{{near}}}?"
    return ""


def line_rule(
    entry: Mapping[str, Any], kinds: Mapping[str, Kind], cards: CardStyle, faults: Faults
) -> LineRule | None:
    """Compile a table ``[[line]]``; ``None`` for a wrong one, with its ``faults``."""
    streets = entry.get("printed_on", [])
    if not isinstance(streets, list) or not set(map(str, streets)) <= set(map(str, STREET_NAMES)):
        faults.add(f"holds streets from 3 to 7, not {streets!r}", "printed_on")
    part = faults.text(entry, "part", "")
    if part not in ("", *PARTS):
        faults.unknown("part", part, PARTS, "part")
    printed = faults.flag(entry, "printed", True)
    found = read_pattern(entry, ("part", "printed_on", "printed"), _parsed, kinds, faults)
    if found is None:
        return None
    pieces, common = found
    rule = LineRule(
        **common,
        cards=cards,
        part=part,
        printed=printed,
        printed_on=frozenset(STREET_NAMES[street] for street in streets),
        pieces=pieces,
        required=required(pieces),
        anchor=anchor(pieces),
        opening=opening(pieces),
        regex=_whole(pieces, kinds),
    )
    if rule.event != "deal":
        return rule
    loose = replace(cards, damaged=True)
    regex = _whole(pieces, damaged_kinds(kinds, loose))
    return replace(rule, damaged=replace(rule, cards=loose, regex=regex))


def _whole(pieces: Sequence[Piece], kinds: Mapping[str, Kind]) -> re.Pattern[str]:
    return re.compile(pattern(pieces, kinds) + r"\Z")


def _parsed(template: str) -> tuple[tuple[Piece, ...], Mapping[str, str]]:
    pieces = parse_template(template)
    return pieces, fields(pieces)


_NUMBER = re.compile(r"[^\d.-]")
_SYMBOL = re.compile(r"[-+\d., ]")
_MONEY = ("amount", "signed", "close")


class Place(TypedDict):
    """Where an event stands in its file, counted from 1."""

    line: int
    column: int


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

    def unreadable(self) -> list[tuple[int, str]]:
        """The words that stand for dealt cards and are none, with their columns."""
        return [
            (self.column_of(name) + start, word)
            for name in ("old", "cards", "new", "all")
            if name in self.values
            for start, word in self.rule.cards.unreadable(self.values[name])
        ]

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


LABELS = ("hand_id", "table", "date", "button", "pot")
"""What a history may not say, and the log must: ``[print.unknown]`` has a text for each."""

_PRINTED: Mapping[str, str] = {
    "hand": "game small big ante",
    "seat": "player seat stack",
    "ante": "player seat added",
    "deal": "player seat cards all",
    "bring_in": "player seat added to",
    "check": "player seat",
    "fold": "player seat",
    "call": "player seat added to",
    "bet": "player seat added to",
    "raise": "player seat added to hand_total",
    "collect": "player seat amount of bets wins",
}
"""The events that no printed hand can do without, and fields that have a value besides labels."""

_INSTEAD = {"collect": "won"}
"""What may be told in another way."""


@dataclass(frozen=True, slots=True)
class PrintRules:
    """What templates leave open when a hand is printed.

    ``unknown`` holds the text of fields that a history may have no value for, ``tournament`` those
    of a first line that it never has. ``raise_by`` is ``increase``, ``added`` or empty,
    ``thousands`` whether amounts have commas.
    """

    unknown: Mapping[str, str]
    tournament: Mapping[str, str]
    raise_by: str = ""
    thousands: bool = False
    cents: bool = False
    bare: bool = False


def parse_print_rules(
    data: Mapping[str, Any], rules: Sequence[LineRule], by_deals: bool, faults: Faults
) -> PrintRules | None:
    """The rules of the table ``[print]``, and the ``faults`` of those that the forms do not bear.

    ``None`` where there is no such table.
    """
    if "print" not in data:
        return None
    table = faults.table(data, "print")
    flags = ("thousands", "cents", "bare")
    with faults.at("print"):
        faults.known_keys(table, ("raise_by", *flags, "unknown", "tournament"))
        raise_by = faults.text(table, "raise_by", "")
        if raise_by not in ("", "increase", "added"):
            faults.add(f"is increase or added, not {raise_by!r}", "raise_by")
        thousands, cents, bare = (faults.flag(table, key, False) for key in flags)
        unknown, tournament = (faults.texts(table, key) for key in ("unknown", "tournament"))
        first = [rule for rule in rules if rule.event in ("hand", "about")]
        headers = {name for rule in first for name in rule.fields}
        for key, texts, known in (
            ("unknown", unknown, set(LABELS)),
            ("tournament", tournament, headers),
        ):
            for name in texts.keys() - known:
                faults.unknown("field", name, sorted(known), key, name)
        _check_forms(rules, {**unknown, **tournament}, raise_by, by_deals)
    return PrintRules(unknown, tournament, raise_by, thousands, cents, bare)


def _check_forms(
    rules: Sequence[LineRule], unknown: Mapping[str, str], raise_by: str, by_deals: bool
) -> None:
    """``ValueError`` unless every event of a hand has a form that can be printed."""
    needs = [(event, dict.fromkeys(names.split(), " ")) for event, names in _PRINTED.items()]
    if not by_deals:
        needs += [("street", {"street": name}) for name in STREET_NAMES.values()]
    for event, values in needs:
        known = {**unknown, **values, **({"by": " "} if raise_by and event == "raise" else {})}
        instead = best_form(rules, _INSTEAD.get(event, event), known)
        if best_form(rules, event, known) is None and instead is None:
            message = f"no form of {event!r} can be printed from {', '.join(known)}"
            raise ValueError(message + _lacking(rules, event, known))


def _lacking(rules: Sequence[LineRule], event: str, known: Mapping[str, str]) -> str:
    """What the nearest form of an event needs besides, in words; empty if it needs no more."""
    forms = [rule.required - known.keys() for rule in rules if rule.event == event and rule.printed]
    missing = sorted(min(forms, key=len, default=()))
    if not missing:
        return ""
    unknown = [name for name in missing if name in LABELS]
    remedy = f"; [print.unknown] may have a text for {' and '.join(unknown)}" if unknown else ""
    return f": it needs {' and '.join(missing)} as well{remedy}"
