"""Grammars of rooms that write XML: which element reports which event, as data.

Beside what every room has (``handread.notation.house``) a table ``[xml]`` says of which elements
the logs are made: ``hand`` is the element of a hand, ``about`` lists those that govern the hands
after them, ``first_seat`` is the number of the first seat. Of what stands in one child of a hand
(a betting round) cards count before actions, and these in the order of their field ``order``,
whatever their places are.

A form of element is a table ``[[element]]`` with the keys of a form of line: ``event``,
``template``, ``example``, ``from``, ``set``. Its template is an element, whose attributes and
text are templates of their own. An attribute that is not in the template may be there or not.
An element may have the forms of several events, and then reports each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from handread.notation.faults import Faults
from handread.notation.forms import FORM_KEYS, Form, check_fields, form_texts
from handread.notation.house import HOUSE_KEYS, House, parse_house
from handread.notation.styles import CardStyle
from handread.notation.template import Kind, Piece, check_names, fields, parse_template, pattern
from handread.notation.xml_elements import Element, read_elements

INSIDE = ""
"""Stands among the attributes of a template for the text of the element."""


@dataclass(frozen=True, eq=False)
class ElementRule(Form):
    """One form of element: its tag, and a pattern for each attribute that it must have."""

    tag: str
    template: str
    patterns: Mapping[str, re.Pattern[str]]
    titles: Mapping[str, str]

    def match(self, element: Element) -> dict[str, str] | None:
        """The texts of the fields, ``None`` for an element of another form."""
        found: dict[str, str] = {}
        for name, regex in self.patterns.items():
            text = text_of(element, name)
            match = None if text is None else regex.fullmatch(text)
            if match is None:
                return None
            found |= {key: value for key, value in match.groupdict().items() if value is not None}
        return {**self.constants, **found}

    def misfits(self, element: Element) -> list[str]:
        """The attributes that are not those of the form."""
        texts = ((name, text_of(element, name)) for name in self.patterns)
        return [n for n, text in texts if text is None or not self.patterns[n].fullmatch(text)]


def text_of(element: Element, name: str) -> str | None:
    """The text of an attribute, or of the element itself; ``None`` for an attribute not there."""
    return element.text.strip() if name == INSIDE else element.attributes.get(name)


@dataclass(frozen=True, eq=False)
class XmlGrammar(House):
    """The logs of a room that writes XML."""

    rules: tuple[ElementRule, ...]
    hand: str
    about: tuple[str, ...]
    first_seat: int

    @cached_property
    def by_tag(self) -> Mapping[str, tuple[ElementRule, ...]]:
        """The forms of each element that there are."""
        tags = dict.fromkeys(rule.tag for rule in self.rules)
        return {tag: tuple(rule for rule in self.rules if rule.tag == tag) for tag in tags}


def parse_xml_grammar(data: Mapping[str, Any], faults: Faults) -> XmlGrammar | None:
    """The grammar of the tables of a file, ``None`` for a wrong one, with its ``faults``."""
    faults.known_keys(data, (*HOUSE_KEYS, "xml", "element"))
    house = parse_house(data, faults)
    table = faults.table(data, "xml", needed=True)
    rules = tuple(_rules(data, house, faults))
    with faults.at("xml"):
        faults.known_keys(table, ("hand", "about", "first_seat"))
        hand = faults.text(table, "hand")
        about, first_seat = table.get("about", []), table.get("first_seat", 1)
        if not isinstance(about, list) or not all(isinstance(tag, str) for tag in about):
            faults.add(f"is a list of elements, not {about!r}", "about")
        if hand and not any(rule.tag == hand and rule.event == "hand" for rule in rules):
            faults.add(f"no form reads <{hand}> as a hand", "hand")
        if first_seat not in (0, 1):
            faults.add(f"is 0 or 1, not {first_seat!r}", "first_seat")
    if faults.found:
        return None
    return XmlGrammar(**house, rules=rules, hand=hand, about=tuple(about), first_seat=first_seat)


def _rules(
    data: Mapping[str, Any], house: Mapping[str, Any], faults: Faults
) -> Iterator[ElementRule]:
    for entry in faults.tables(data, "element"):
        rule = element_rule(entry, house["kinds"], house["cards"], faults)
        if rule is not None:
            yield rule


def element_rule(
    entry: Mapping[str, Any], kinds: Mapping[str, Kind], cards: CardStyle, faults: Faults
) -> ElementRule | None:
    """The form of a table ``[[element]]``, ``None`` for a wrong one, with its ``faults``."""
    faults.known_keys(entry, FORM_KEYS)
    event, template, example, origin = form_texts(entry, faults)
    constants = faults.constants(entry, "set")
    parts: dict[str, tuple[Piece, ...]] = {}
    tag = ""
    with faults.at("template"):
        element = the_element(template)
        tag = element.tag
        texts = {**element.attributes, INSIDE: element.text.strip()}
        parts = {name: parse_template(text) for name, text in texts.items() if text}
        parts |= {name: () for name, text in element.attributes.items() if not text}
        check_names([piece for pieces in parts.values() for piece in pieces])
    found = {name: kind for pieces in parts.values() for name, kind in fields(pieces).items()}
    check_fields(event, found, constants, kinds, faults)
    if faults.here:
        return None
    return ElementRule(
        event=event,
        example=example,
        origin=origin,
        constants=constants,
        fields=found,
        cards=cards,
        tag=tag,
        template=template,
        patterns={name: re.compile(pattern(p, kinds)) for name, p in parts.items()},
        titles={name: _title(pieces, kinds) or texts[name] for name, pieces in parts.items()},
    )


def the_element(text: str) -> Element:
    """The one element that a text is; ``ValueError`` for another text."""
    elements = read_elements(text)
    if elements.error is not None:
        raise ValueError(elements.error[2])
    if len(elements.found) != 1:
        raise ValueError(f"is one element, not {len(elements.found)}")
    return elements.found[0]


def _title(pieces: tuple[Piece, ...], kinds: Mapping[str, Kind]) -> str:
    """What a person would call the text of an attribute."""
    found = fields(pieces)
    return " and ".join(kinds[kind].title for kind in found.values() if kind in kinds)
