"""Grammars of poker rooms: what their log lines look like and mean, as data.

A grammar is a TOML file in ``handread.grammars``; a new room needs no Python. It says how a
hand begins, how the room's words for games translate, what the room's rules are where its
logs are silent, and lists every form of line as a template (``handread.notation.template``)
with the event it reports. The fields of a template say what its amounts mean: ``to`` is a
player's total on the street, ``added`` what it puts in now, ``by`` is of no account in reading.
The keys of a form of line are explained in ``handread.notation.forms``, and the table ``[print]``
of a grammar that hands can be printed from in ``handread.notation.print_rules``.
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
from handread.notation.forms import PARTS, LineRule, best_form, line_rule
from handread.notation.print_rules import PrintRules, parse_print_rules
from handread.notation.template import Kind, field_kinds
from handread.stud import VARIANTS


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
    game (in lower case) to keys of ``stud.VARIANTS``, ``games`` those keys to the first of the
    words. ``pot_before_rake`` says whether the rake is in the room's total pot. ``print_rules``
    are ``None`` for a room whose logs are only read.
    """

    name: str
    title: str
    starts: re.Pattern[str]
    variants: Mapping[str, str]
    games: Mapping[str, str]
    house_rules: HouseRules
    pot_before_rake: bool
    rules: tuple[LineRule, ...]
    kinds: Mapping[str, Kind]
    print_rules: PrintRules | None

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

    def form(self, event: str, values: Mapping[str, str]) -> LineRule | None:
        """The form in which an event with these values is printed, ``None`` if there is none."""
        return best_form(self.rules, event, values)

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
        rules = tuple(line_rule(entry, kinds) for entry in data["line"])
        return Grammar(
            name=data["name"],
            title=data["title"],
            starts=re.compile(data["starts"], re.MULTILINE),
            variants=_variants(data["variants"]),
            games={key: words for words, key in reversed(data["variants"].items())},
            house_rules=_house_rules(data["house_rules"]),
            pot_before_rake=data["money"]["pot_before_rake"],
            rules=rules,
            kinds=kinds,
            print_rules=parse_print_rules(data["print"], rules) if "print" in data else None,
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
