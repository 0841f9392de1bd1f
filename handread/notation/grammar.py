"""Grammars of poker rooms: what their log lines look like and mean, as data.

A grammar is a TOML file in ``handread.grammars``, or one of the user's own; a new room needs no
Python. It says how a hand begins, how the room's words for games translate, what the room's rules
are where its logs are silent (``handread.notation.house``), and lists every form of line as a
template (``handread.notation.template``) with the event it reports. The fields of a template say
what its amounts mean: ``to`` is a player's total on the street, ``added`` what it puts in now,
``by`` is of no account in reading. The keys of a form of line are explained in
``handread.notation.forms``, and the table ``[print]`` of a grammar that hands can be printed from
in ``handread.notation.print_rules``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from handread.notation.explain import Way, explain, ways
from handread.notation.forms import PARTS, LineRule, best_form
from handread.notation.house import House
from handread.notation.print_rules import PrintRules
from handread.notation.statement import Misread


@dataclass(frozen=True, eq=False)
class Grammar(House):
    """The logs of a room that writes lines.

    ``print_rules`` are ``None`` for a room whose logs are only read.
    """

    rules: tuple[LineRule, ...]
    print_rules: PrintRules | None

    @cached_property
    def headers(self) -> tuple[LineRule, ...]:
        """The forms of a hand's first line."""
        return tuple(rule for rule in self.rules if rule.event == "hand")

    @cached_property
    def abouts(self) -> tuple[LineRule, ...]:
        """The forms of the lines that complete it."""
        return tuple(rule for rule in self.rules if rule.event == "about")

    @cached_property
    def leaves_stakes_open(self) -> bool:
        """Whether the first lines of a hand may name its game without any stakes."""
        named = [{*rule.fields, *rule.constants} for rule in (*self.headers, *self.abouts)]
        return any("game" in one and not one & {"small", "stakes"} for one in named)

    @cached_property
    def by_part(self) -> Mapping[str, tuple[LineRule, ...]]:
        """The other forms that can stand in each part of a hand's text.

        Those of first lines, which may be said again, come last: they take nearly anything.
        """
        lines = [rule for rule in self.rules if rule.event not in ("hand", "about")]
        lines += self.abouts
        return {part: tuple(r for r in lines if r.part in ("", part)) for part in PARTS}

    @cached_property
    def openings(self) -> tuple[str, ...]:
        """The words with which only lines of play begin."""
        others = ("hand", "about", "remark", "end")
        play = (rule for rule in self.rules if rule.event not in others)
        return tuple({rule.opening for rule in play if rule.opening})

    @cached_property
    def _header_forms(self) -> list[Way]:
        return [way for rule in self.headers for way in ways(rule.pieces, self.kinds)]

    @cached_property
    def _forms_by_part(self) -> Mapping[str, list[Way]]:
        return {
            part: [
                way
                for rule in rules
                if rule.event != "remark"
                for way in ways(rule.pieces, self.kinds)
            ]
            for part, rules in self.by_part.items()
        }

    def form(self, event: str, values: Mapping[str, str]) -> LineRule | None:
        """The form in which an event with these values is printed, ``None`` if there is none."""
        return best_form(self.rules, event, values)

    def explain_header(self, line: str) -> Misread:
        """Why a line is no header of a hand."""
        return explain(self._header_forms, line)

    def explain(self, line: str, part: str, masked: str) -> Misread:
        """Why a line, ``masked`` with its player masked, is none of that part of a hand's text."""
        return explain(self._forms_by_part[part], line, masked)
