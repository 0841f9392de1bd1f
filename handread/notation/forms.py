"""Forms of line: what a line of a log looks like, and the event that it reports.

A form of line is a table ``[[line]]`` with these keys: ``event`` (of ``EVENTS``), ``template``
(see ``handread.notation.template``), ``example``, ``from`` (where it was seen), and as needed
``part`` (of ``PARTS``, the only one where it stands), ``set`` (texts of fields that the form
implies), ``printed_on`` (the only streets on which it is printed, 3 to 7).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyparsing as pp

from handread.notation.template import (
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
from handread.stud import STREET_NAMES

PARTS = ("head", "play", "summary")
"""The parts of a hand's text: before the first ante, up to the summary, the summary."""

EVENTS: Mapping[str, tuple[frozenset[str], ...]] = {
    event: tuple(frozenset(need.split()) for need in needs)
    for event, needs in {
        "hand": ("hand_id game",),
        "table": ("table",),
        "seat": ("seat stack",),
        "ante": ("added",),
        "street": ("street",),
        "blocks": ("",),
        "deal": ("cards", "old new"),
        "bring_in": ("added",),
        "check": ("",),
        "fold": ("",),
        "bet": ("added",),
        "call": ("added",),
        "raise": ("to", "added"),
        "complete": ("to", "added"),
        "all_in": ("to", "added"),
        "uncalled": ("amount",),
        "show": ("cards",),
        "muck": ("",),
        "collect": ("amount",),
        "total": ("amount",),
        "summary": ("",),
        "revealed": ("cards",),
        "won": ("amount",),
        "showdown": ("",),
        "board": ("cards",),
        "folded": ("",),
        "mucked": ("",),
        "known": ("",),
        "remark": ("",),
    }.items()
}
"""The events that a line can report and the fields that each needs, in one way or another.

``blocks`` says that streets are told by blocks of deals from here on; ``summary`` begins the
summary; ``revealed`` and ``won`` are what a summary adds if the play did not say it. No event
make ``showdown`` (the heading of the hands shown), ``board`` (a shared card), ``folded`` and
``mucked`` (of a seat, in the summary), and ``known``, which says again in words of its own what
other lines say and is not printed. ``remark`` is kept as it stands.
"""

_ACTORS = {
    *("ante", "deal", "bring_in", "check", "fold", "bet", "call", "raise", "complete", "all_in"),
    *("uncalled", "show", "muck", "collect", "revealed", "won"),
}
"""The events that a player of the hand is part of."""


@dataclass(frozen=True, eq=False)
class LineRule:
    """One form of line: the event it reports and its template, compiled.

    ``origin`` says where the form was seen, ``constants`` are fields that the form implies,
    ``part`` the part of a hand's text where it stands (empty for anywhere), ``printed_on`` the
    streets on which it is printed, ``required`` the fields without which it cannot be.
    """

    event: str
    template: str
    example: str
    origin: str
    part: str
    constants: Mapping[str, str]
    printed_on: frozenset[str]
    pieces: tuple[Piece, ...]
    required: frozenset[str]
    fields: Mapping[str, str]
    anchor: str
    opening: str
    element: pp.Regex

    @property
    def actor(self) -> str:
        """The field that says which player of the hand acts: ``player``, ``seat``, or none."""
        if self.event not in _ACTORS:
            return ""
        return "player" if "player" in self.fields else "seat"

    def match(self, line: str) -> re.Match[str] | None:
        """The match of a line without trailing blanks, ``None`` when it has another form."""
        if self.anchor not in line:
            return None
        try:
            found: re.Match[str] = self.element.parse_string(line)[0]
        except pp.ParseException:
            return None
        return found

    @cached_property
    def shouts_streets(self) -> bool:
        """Whether the form spells streets in capitals (``3RD``)."""
        found = self.match(self.example)
        return found is not None and (found.groupdict().get("street") or "").isupper()

    def fit(self, values: Mapping[str, str]) -> tuple[int, int] | None:
        """How well a line of this form tells the values; ``None`` if they are not its case.

        How many of them the form implies, then how many stand in the line.
        """
        apt = values.get("street", "") in self.printed_on or not self.printed_on
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


def line_rule(entry: Mapping[str, Any], kinds: Mapping[str, Kind]) -> LineRule:
    """The form of a table ``[[line]]``; ``ValueError`` or ``KeyError`` for a wrong one."""
    event, template, part = entry["event"], entry["template"], entry.get("part", "")
    pieces = parse_template(template)
    known = fields(pieces)
    constants = {name: str(value) for name, value in entry.get("set", {}).items()}
    streets = entry.get("printed_on", [])
    if not isinstance(streets, list) or not set(streets) <= STREET_NAMES.keys():
        raise ValueError(f"{template!r}: printed_on holds streets from 3 to 7, not {streets!r}")
    if part not in ("", *PARTS):
        raise ValueError(f"{template!r}: there is no part {part!r}")
    if not any(need <= {*known, *constants} for need in EVENTS[event]):
        raise ValueError(f"{template!r}: {event} needs {' or '.join(map(' '.join, EVENTS[event]))}")
    if event in _ACTORS and not {"player", "seat"} & set(known):
        raise ValueError(f"{template!r}: {event} needs player or seat")
    element = pp.Regex(pattern(pieces, kinds) + r"\Z", as_match=True)
    element.leave_whitespace().parse_with_tabs()
    return LineRule(
        event=event,
        template=template,
        example=entry["example"],
        origin=entry["from"],
        part=part,
        constants=constants,
        printed_on=frozenset(STREET_NAMES[street] for street in streets),
        pieces=pieces,
        required=required(pieces),
        fields=known,
        anchor=anchor(pieces),
        opening=opening(pieces),
        element=element,
    )
