"""Forms of line: what a line of a log looks like, and the event that it reports.

A form of line is a table ``[[line]]`` with these keys: ``event`` (of ``EVENTS``), ``template``
(see ``handread.notation.template``), ``example``, ``from`` (where it was seen), and as needed
``part`` (of ``PARTS``, the only one where it stands), ``set`` (texts of fields that the form
implies), ``printed_on`` (the only streets on which it is printed, 3 to 7), ``printed`` (false for
a form that is only read).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyparsing as pp

from handread.notation.faults import Faults
from handread.notation.styles import CardStyle, street_like
from handread.notation.template import (
    FIRST_FIELDS,
    TELLING,
    Kind,
    Piece,
    anchor,
    fields,
    opening,
    parse_template,
    pattern,
    printed,
    required,
)
from handread.spelling import nearest, or_meant
from handread.stud import STREET_NAMES

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
    ``example`` what has this form, ``origin`` where it was seen.
    """

    event: str
    example: str
    origin: str
    constants: Mapping[str, str]
    fields: Mapping[str, str]
    cards: CardStyle

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

    template: str
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

FORM_KEYS = (*_NEEDED, "set")
"""The keys of forms of any kind; all but the last one must be there."""


def form_texts(entry: Mapping[str, Any], faults: Faults) -> tuple[str, str, str, str]:
    """The event, the template, the example and the origin of a form, with their ``faults``."""
    event, template, example, origin = (faults.text(entry, key) for key in _NEEDED)
    return event, template, example, origin


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
    """The form of a table ``[[line]]``, ``None`` for a wrong one, with its ``faults``."""
    faults.known_keys(entry, (*FORM_KEYS, "part", "printed_on", "printed"))
    event, template, example, origin = form_texts(entry, faults)
    constants = faults.constants(entry, "set")
    streets = entry.get("printed_on", [])
    if not isinstance(streets, list) or not set(map(str, streets)) <= set(map(str, STREET_NAMES)):
        faults.add(f"holds streets from 3 to 7, not {streets!r}", "printed_on")
    part = faults.text(entry, "part", "")
    if part not in ("", *PARTS):
        faults.unknown("part", part, PARTS, "part")
    printed = faults.flag(entry, "printed", True)
    pieces: tuple[Piece, ...] = ()
    with faults.at("template"):
        pieces = parse_template(template)
    if not pieces:
        return None
    found = fields(pieces)
    check_fields(event, found, constants, kinds, faults)
    if faults.here:
        return None
    return LineRule(
        event=event,
        template=template,
        example=example,
        origin=origin,
        part=part,
        constants=constants,
        cards=cards,
        printed=printed,
        printed_on=frozenset(STREET_NAMES[street] for street in streets),
        pieces=pieces,
        required=required(pieces),
        fields=found,
        anchor=anchor(pieces),
        opening=opening(pieces),
        regex=re.compile(pattern(pieces, kinds) + r"\Z"),
    )
