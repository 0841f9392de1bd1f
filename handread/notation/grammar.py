"""Grammars of poker rooms: what their log lines look like and mean, as data.

A grammar is a TOML file in ``handread.grammars``; a new room needs no Python. It says how a
hand begins, how the room's words for games translate, what the room's rules are where its
logs are silent, and lists every form of line as a template (``handread.notation.template``)
with the event it reports. The fields of a template say what its amounts mean: ``to`` is a
player's total on the street, ``added`` what it puts in now, ``by`` is of no account.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import pyparsing as pp

from handread.notation.explain import Explanation, element_forms, explain
from handread.notation.template import (
    Kind,
    Piece,
    anchor,
    field_kinds,
    fields,
    opening,
    parse_template,
    pattern,
    printed,
)
from handread.stud import VARIANTS

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
        "known": ("",),
        "remark": ("",),
    }.items()
}
"""The events that a line can report and the fields that each needs, in one way or another.

``blocks`` says that streets are told by blocks of deals from here on; ``summary`` begins the
summary; ``revealed`` and ``won`` are what a summary adds if the play did not say it;
``known`` says again what other lines say and makes no event; ``remark`` is kept as it stands.
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
    ``part`` the part of a hand's text where it stands (empty for anywhere).
    """

    event: str
    template: str
    example: str
    origin: str
    part: str
    constants: Mapping[str, str]
    pieces: tuple[Piece, ...]
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

    def print(self, values: Mapping[str, str]) -> str:
        """The line of this form for the values of its fields; ``KeyError`` if one is missing."""
        return printed(self.pieces, values)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What a room's logs leave unsaid about its stakes.

    The bring-ins, of cash games and of tournaments, are shares of the small bet and meant for
    hands in which nobody posts it; the others are fields of ``stud.Stakes``.
    """

    cap: int
    cap_heads_up: int | None
    open_pair_doubles: bool
    cash_bring_in: Fraction
    tournament_bring_in: Fraction


@dataclass(frozen=True, eq=False)
class Grammar:
    """The logs of one room.

    ``starts`` finds the first line of a hand. ``variants`` translates the room's words for a
    game (in lower case) to keys of ``stud.VARIANTS``. ``pot_before_rake`` says whether the
    rake is in the room's total pot.
    """

    name: str
    title: str
    starts: re.Pattern[str]
    variants: Mapping[str, str]
    house_rules: HouseRules
    pot_before_rake: bool
    rules: tuple[LineRule, ...]
    kinds: Mapping[str, Kind]

    @cached_property
    def headers(self) -> tuple[LineRule, ...]:
        """The forms of a hand's first line."""
        return tuple(rule for rule in self.rules if rule.event == "hand")

    @cached_property
    def by_part(self) -> Mapping[str, tuple[LineRule, ...]]:
        """The other forms that can stand in each part of a hand's text."""
        lines = [rule for rule in self.rules if rule.event != "hand"]
        return {part: tuple(r for r in lines if r.part in ("", part)) for part in PARTS}

    @cached_property
    def openings(self) -> tuple[str, ...]:
        """The words with which only lines of play begin."""
        play = (rule for rule in self.rules if rule.event != "remark")
        return tuple({rule.opening for rule in play if rule.opening})

    @cached_property
    def _header_forms(self) -> list[pp.ParserElement]:
        return [f for rule in self.headers for f in element_forms(rule.pieces, self.kinds)]

    @cached_property
    def _forms_by_part(self) -> Mapping[str, list[pp.ParserElement]]:
        return {
            part: [
                form
                for rule in rules
                if rule.event != "remark"
                for form in element_forms(rule.pieces, self.kinds)
            ]
            for part, rules in self.by_part.items()
        }

    def variant(self, game: str) -> str:
        """The key of the variant that the room calls so; ``other`` for a game not listed."""
        return self.variants.get(" ".join(game.lower().split()), "other")

    def explain_header(self, line: str) -> Explanation:
        """Why a line is no header of a hand."""
        return explain(self._header_forms, line)

    def explain(self, line: str, part: str) -> Explanation:
        """Why a line, its player masked, is none of that part of a hand's text."""
        return explain(self._forms_by_part[part], line)


def load_grammars() -> tuple[Grammar, ...]:
    """Every grammar that is installed, in the order of their file names."""
    folder = _grammar_folder()
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(
        parse_grammar(folder.joinpath(name).read_text(encoding="utf-8"), name) for name in names
    )


def _grammar_folder() -> Traversable:
    """The folder of the grammars: installed as a package, in a source tree beside ``handread``."""
    try:
        return files("handread.grammars")
    except ModuleNotFoundError:
        return Path(__file__).parents[2] / "grammars"


def parse_grammar(text: str, file: str) -> Grammar:
    """The grammar of a TOML text; ``ValueError`` that names the file for a wrong one."""
    try:
        data = tomllib.loads(text)
        kinds = field_kinds(data["money"]["symbols"])
        return Grammar(
            name=data["name"],
            title=data["title"],
            starts=re.compile(data["starts"], re.MULTILINE),
            variants=_variants(data["variants"]),
            house_rules=_house_rules(data["house_rules"]),
            pot_before_rake=data["money"]["pot_before_rake"],
            rules=tuple(_line_rule(entry, kinds) for entry in data["line"]),
            kinds=kinds,
        )
    except KeyError as missing:
        raise ValueError(f"{file}: {missing} is missing or unknown") from missing
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _variants(data: Mapping[str, str]) -> Mapping[str, str]:
    unknown = set(data.values()) - set(VARIANTS)
    if unknown:
        raise ValueError(f"unknown variants {sorted(unknown)}")
    return {words.lower(): key for words, key in data.items()}


def _house_rules(data: Mapping[str, Any]) -> HouseRules:
    return HouseRules(
        cap=data["cap"],
        cap_heads_up=data.get("cap_heads_up"),
        open_pair_doubles=data["open_pair_doubles"],
        cash_bring_in=Fraction(data["default_bring_in"]["cash"]),
        tournament_bring_in=Fraction(data["default_bring_in"]["tournament"]),
    )


def _line_rule(entry: Mapping[str, Any], kinds: Mapping[str, Kind]) -> LineRule:
    event, template, part = entry["event"], entry["template"], entry.get("part", "")
    pieces = parse_template(template)
    known = fields(pieces)
    constants = {name: str(value) for name, value in entry.get("set", {}).items()}
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
        pieces=pieces,
        fields=known,
        anchor=anchor(pieces),
        opening=opening(pieces),
        element=element,
    )
