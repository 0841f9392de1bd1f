"""A hand of a room that writes XML, from its elements to a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from handread.history import Problem
from handread.notation.dialect import Reading
from handread.notation.forms import Form
from handread.notation.lines import MAX_LINE
from handread.notation.sheet import Sheet
from handread.notation.statement import Misread, Statement
from handread.notation.styles import CardStyle
from handread.notation.xml_elements import Element, read_elements
from handread.notation.xml_grammar import INSIDE, XmlGrammar, text_of

_Place = tuple[int, int, str]
"""A line and a column, counted from 1, and the text of the line."""

_NOTHING = Form("hand", "", "", {}, {}, CardStyle())
_RANKS = {"street": 0, "deal": 1, "show": 3, "muck": 3, "uncalled": 3, "collect": 4, "remark": 2}


@dataclass(frozen=True)
class HandText:
    """The text of a hand, and the line and column where it begins in its file."""

    file: str
    text: str
    line: int
    column: int

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")

    def at(self, line: int, column: int) -> _Place:
        """A place of the text as one of the file, with its line, what stands before it blank."""
        indent = self.column - 1 if line == 1 else 0
        shown = self.lines[line - 1] if line <= len(self.lines) else ""
        return self.line + line - 1, column + indent, " " * indent + shown


def context(grammar: XmlGrammar, session: str) -> list[Statement]:
    """What stands above hands and governs them, as far as it is XML."""
    found = read_elements(session, whole=False).found
    return [
        said
        for element in found
        for said in _said(grammar, element, (element.line, element.column, session), ("about",))
    ]


def read_hand(grammar: XmlGrammar, hand: HandText, above: Sequence[Statement]) -> Reading:
    """The hand of a text, or what is wrong with it as XML."""
    elements = read_elements(hand.text)
    if elements.error is not None:
        line, column, what = elements.error
        number, column, shown = hand.at(line, column)
        expected, end = f"</{grammar.hand}>", hand.line + hand.text.count("\n")
        return Problem(hand.file, number, column, what, expected, shown, grammar.name, end)
    return _Reader(grammar, hand, elements.found, above).sheet().history()


class _Reader:
    def __init__(
        self,
        grammar: XmlGrammar,
        hand: HandText,
        elements: Sequence[Element],
        above: Sequence[Statement],
    ) -> None:
        self._grammar = grammar
        self._hand = hand
        self._elements = elements
        self._above = above

    def sheet(self) -> Sheet:
        """All that the elements say; what is no hand's element but stands in it says nothing."""
        first, *rest = self._elements
        header = next(iter(self._statements(first, ("hand",))), None)
        end = self._hand.line + self._hand.text.count("\n")
        start = header or Statement(self._hand.line, "", _NOTHING, {})
        sheet = Sheet(self._grammar, self._hand.file, start, end)
        if header is None:
            self._refuse(sheet, first)
        for element in rest:
            sheet.abouts += self._statements(element, ("about",))
        sheet.abouts += self._above
        if sheet.readable and not sheet.problems:
            self._read(sheet, rest)
        return sheet

    def _read(self, sheet: Sheet, elements: Sequence[Element]) -> None:
        said: list[tuple[tuple[int, int, int], Statement]] = []
        street = ""
        for element in elements:
            if element.tag not in self._grammar.by_tag:
                continue
            statements = list(self._statements(element))
            if not statements:
                self._refuse(sheet, element)
            for statement in statements:
                event = statement.rule.event
                if event == "seat":
                    sheet.take_seat(statement, self._seat(statement))
                elif event == "street" and statement.word("street") == street:
                    continue  # One street may have two rounds.
                elif event != "about":
                    street = statement.word("street") or street
                    self._take(sheet, said, element, statement)
        sheet.said += [statement for _, statement in sorted(said, key=lambda one: one[0])]

    def _take(
        self,
        sheet: Sheet,
        said: list[tuple[tuple[int, int, int], Statement]],
        element: Element,
        statement: Statement,
    ) -> None:
        """A statement of the play at its place in the round."""
        if statement.rule.actor:
            seat = self._actor(sheet, statement)
            if isinstance(seat, Misread):
                sheet.refuse_statement(statement, seat)
                return
            statement = replace(statement, seat=seat)
        rank = _RANKS.get(statement.rule.event, 2)
        order = int(statement.word("order") or 0) if rank == 2 else 0
        said.append(((element.inside, rank, order), statement))

    def _seat(self, statement: Statement) -> int:
        return int(statement.word("seat")) + 1 - self._grammar.first_seat

    def _actor(self, sheet: Sheet, statement: Statement) -> int | Misread:
        actor, seating = statement.rule.actor, sheet.seating
        who = statement.word(actor)
        seat = seating.names.get(who, 0) if actor == "player" else self._seat(statement)
        return seat if seat in seating.numbers else seating.stranger(actor, who)

    def _statements(self, element: Element, events: Sequence[str] = ()) -> Iterator[Statement]:
        place = self._hand.at(element.line, element.column)
        return _said(self._grammar, element, place, events)

    def _refuse(self, sheet: Sheet, element: Element) -> None:
        """The problem of an element that has none of the forms: where it leaves the nearest."""
        number, column, shown = self._hand.at(element.line, element.column)
        longest = _longest(element)
        if longest > MAX_LINE:
            why = Misread(column, f"<{element.tag}> holds {longest:,} characters", "a short text")
            sheet.refuse((number, shown), why)
            return
        forms = self._grammar.by_tag[element.tag]
        misfits = {rule: rule.misfits(element) for rule in forms}
        least = min(map(len, misfits.values()))
        near = [rule for rule in forms if len(misfits[rule]) == least]
        name = misfits[near[0]][0] if misfits[near[0]] else INSIDE
        expected = dict.fromkeys(rule.titles[name] for rule in near if name in rule.titles)
        text = text_of(element, name)
        what = f"<{element.tag}>" if name == INSIDE else f"the {name} of <{element.tag}>"
        said = f"{what} is missing" if text is None else f"{text[:80]!r} is not what {what} can be"
        at = shown.find(f'{name}="', column - 1) + 1 if name else 0
        why = Misread(at or column, said, " or ".join(filter(None, expected)))
        sheet.refuse((number, shown), why)


def _said(
    grammar: XmlGrammar, element: Element, place: _Place, events: Sequence[str] = ()
) -> Iterator[Statement]:
    """What an element says: the first of its forms for every event."""
    if _longest(element) > MAX_LINE:
        return
    number, column, shown = place
    told = set()
    for rule in grammar.by_tag.get(element.tag, ()):
        if rule.event in told or (events and rule.event not in events):
            continue
        values = rule.match(element)
        if values is not None:
            told.add(rule.event)
            yield Statement(number, shown, rule, values, column=column)


def _longest(element: Element) -> int:
    """The length of its longest text; to match very long ones could take for ever."""
    return max(map(len, (*element.attributes.values(), element.text.strip())))
