"""Read logs of rooms that write XML."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from handread.formats.format import NO_HAND, LineError, Reading, count_above
from handread.formats.line_patterns import EventPattern, ParsedLine
from handread.formats.room_events import NumberedLine
from handread.formats.room_hand import HandBuilder
from handread.formats.room_read import KEPT, MAX_LINE
from handread.formats.site import SiteDialect
from handread.formats.styles import CardStyle
from handread.formats.text import plain_line_ends
from handread.formats.xml_grammar import (
    INSIDE,
    Element,
    ElementPattern,
    XmlGrammar,
    declared,
    read_elements,
    text_of,
)
from handread.game.rules import VARIANTS
from handread.history import Problem
from handread.spelling import nearest

_Place = tuple[int, int, str]
"""A line and a column, counted from 1, and the text of the line."""

_NOTHING = EventPattern("hand", "", "", "", constants={}, fields={}, cards=CardStyle())
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
        """Return a place of the text in its file, with its line; text before it is blank."""
        indent = self.column - 1 if line == 1 else 0
        shown = self.lines[line - 1] if line <= len(self.lines) else ""
        return self.line + line - 1, column + indent, " " * indent + shown


def context(grammar: XmlGrammar, session: str) -> list[ParsedLine]:
    """Return the parsed elements above hands that apply to them, up to the first XML error."""
    said: list[ParsedLine] = []
    for element in read_elements(session, whole=False).found:
        place = element.line, element.column, session
        said += _said(_fit(grammar, element), place, ("about",))
    return said


def read_hand(grammar: XmlGrammar, hand: HandText, above: Sequence[ParsedLine]) -> Reading:
    """Return the hand of a text, or its problem as XML."""
    elements = read_elements(hand.text)
    if elements.error is not None:
        line, column, what = elements.error
        number, column, shown = hand.at(line, column)
        expected, end = f"</{grammar.hand}>", hand.line + hand.text.count("\n")
        problem = Problem(hand.file, number, column, what, expected, text=shown)
        return replace(problem, dialect=grammar.name, end_line=end)
    return _HandReader(grammar, hand, above).hand(elements.found).history()


_Said = list[tuple[tuple[int, int, int], ParsedLine | NumberedLine]]
"""Elements of the play, parsed if they are known, by round, part of it, and order in the part."""


@dataclass(frozen=True, slots=True)
class _HandReader:
    grammar: XmlGrammar
    text: HandText
    above: Sequence[ParsedLine]

    def hand(self, elements: Sequence[Element]) -> HandBuilder:
        """Parse the elements; unknown ones inside the hand are skipped."""
        first, *rest = elements
        header = next(self._statements(first, _fit(self.grammar, first), ("hand",)), None)
        end = self.text.line + self.text.text.count("\n")
        start = header or ParsedLine(self.text.line, "", _NOTHING, {})
        hand = HandBuilder(self.grammar, self.text.file, start, end)
        if header is None:
            self._refuse(hand, first)
        for element in rest:
            if element.tag in self.grammar.about_tags:
                fit = _fit(self.grammar, element)
                hand.header_lines += self._statements(element, fit, ("about",))
        hand.header_lines += self.above
        if VARIANTS[hand.variant].readable and not hand.problems:
            self._read(hand, rest)
        return hand

    def _read(self, hand: HandBuilder, elements: Sequence[Element]) -> None:
        said: _Said = []
        street = ""
        for element in elements:
            if element.tag not in self.grammar.by_tag:
                continue
            fit = _fit(self.grammar, element)
            statements = [*self._statements(element, fit)] or [*self._damaged_deal(element)]
            if not statements and self._is_notice(element):
                place = element.inside, _RANKS["remark"], 0
                said.append((place, (self.text.at(element.line, 1)[0], str(element))))
            elif not statements or fit.damaged:
                self._refuse(hand, element, fit.damaged if statements else ())
                continue
            for statement in statements:
                event = statement.pattern.event
                if event == "seat":
                    hand.take_seat(statement, self._seat(statement))
                elif event == "street" and _street_of(statement) == street:
                    continue  # One street may have two rounds.
                elif event != "about":
                    street = _street_of(statement) or street
                    self._take(hand, said, element, statement)
        hand.lines += [statement for _, statement in sorted(said, key=lambda one: one[0])]

    def _take(
        self, hand: HandBuilder, said: _Said, element: Element, statement: ParsedLine
    ) -> None:
        if statement.pattern.actor:
            try:
                statement.seat = self._actor(hand, statement)
            except LineError as why:
                hand.refuse_parsed(statement, why)
                return
        rank = _RANKS.get(statement.pattern.event, 2)
        order = int(statement.word("order") or 0) if rank == 2 else 0
        said.append(((element.inside, rank, order), statement))

    def _seat(self, statement: ParsedLine) -> int:
        return int(statement.word("seat")) + 1 - self.grammar.first_seat

    def _actor(self, hand: HandBuilder, statement: ParsedLine) -> int:
        actor, seating = statement.pattern.actor, hand.seating
        who = statement.word(actor)
        seat = seating.names.get(who, 0) if actor == "player" else self._seat(statement)
        if seat not in seating.numbers:
            raise seating.unknown_actor(actor, who)
        return seat

    def _statements(
        self, element: Element, fit: "_Fitting", events: Sequence[str] = ()
    ) -> Iterator[ParsedLine]:
        return _said(fit, self.text.at(element.line, element.column), events)

    def _damaged_deal(self, element: Element) -> Iterator[ParsedLine]:
        patterns = self.grammar.by_tag[element.tag]
        damaged = [pattern.damaged for pattern in patterns if pattern.damaged is not None]
        return self._statements(element, _Fitting(_matched(damaged, element)))

    def _is_notice(self, element: Element) -> bool:
        """Return True for an unknown kind of action that moves no chips, so that play goes on."""
        patterns = self.grammar.by_tag[element.tag]
        cards = any(pattern.event in ("deal", "show") for pattern in patterns)
        moved = (element.attributes.get(name, "") for each in patterns for name in each.money)
        if cards or any(re.search("[1-9]", text) for text in moved) or _longest(element) > MAX_LINE:
            return False
        actions = [pattern.words for pattern in patterns if pattern.actor]
        for name, word in element.attributes.items():
            known = {words[name] for words in actions if name in words}
            if known and word not in known and not nearest(word, known):
                return True
        return False

    def _refuse(
        self, hand: HandBuilder, element: Element, meant: Sequence[ElementPattern] = ()
    ) -> None:
        """Add the problem of an element: where it departs from the nearest pattern."""
        number, column, shown = self.text.at(element.line, element.column)
        longest = _longest(element)
        if longest > MAX_LINE:
            message = f"<{element.tag}> holds {longest:,} characters"
            why = LineError(message, "a short text", column)
            hand.refuse((number, shown), why)
            return
        patterns = meant or self.grammar.by_tag[element.tag]
        misfits = {pattern: pattern.misfits(element) for pattern in patterns}
        least = min(map(len, misfits.values()))
        near = [pattern for pattern in patterns if len(misfits[pattern]) == least]
        name = misfits[near[0]][0] if misfits[near[0]] else INSIDE
        expected = dict.fromkeys(pattern.titles[name] for pattern in near if name in pattern.titles)
        text = text_of(element, name)
        what = f"<{element.tag}>" if name == INSIDE else f"the {name} of <{element.tag}>"
        said = f"{what} is missing" if text is None else f"{text[:80]!r} is not what {what} can be"
        at = shown.find(f'{name}="', column - 1) + 1 if name else 0
        why = LineError(said, " or ".join(filter(None, expected)), at or column)
        hand.refuse((number, shown), why)


class _Fitting(NamedTuple):
    """How an element fits the patterns of a grammar."""

    found: Sequence[tuple[ElementPattern, Mapping[str, str]]]  # the first of every event, values
    damaged: Sequence[ElementPattern] = ()  # those of other events that only an amount mismatches


def _fit(grammar: XmlGrammar, element: Element) -> _Fitting:
    return _kept(grammar, element.tag, tuple(element.attributes.items()), element.text.strip())


@lru_cache(maxsize=KEPT)
def _kept(grammar: XmlGrammar, tag: str, cells: tuple[tuple[str, str], ...], text: str) -> _Fitting:
    element = Element(tag, dict(cells), 1, 1, 0, text)
    if _longest(element) > MAX_LINE:
        return _Fitting(())
    near = grammar.near(element)
    matches = _matched(near, element)
    # Without a match it may be a deal with unreadable cards.
    events = [pattern.event for pattern, _ in matches] or ["deal"]
    others = [pattern for pattern in near if pattern.event not in events]
    damaged = [each for each in others if {*each.misfits(element)} <= {*each.money}]
    return _Fitting(matches, damaged)


def _matched(
    patterns: Sequence[ElementPattern], element: Element
) -> list[tuple[ElementPattern, Mapping[str, str]]]:
    found: dict[str, tuple[ElementPattern, Mapping[str, str]]] = {}
    for pattern in patterns if _longest(element) <= MAX_LINE else ():
        if pattern.event not in found and (values := pattern.match(element)) is not None:
            found[pattern.event] = pattern, values
    return [*found.values()]


def _said(fit: _Fitting, place: _Place, events: Sequence[str] = ()) -> Iterator[ParsedLine]:
    """Yield the parsed element for the patterns of some events, or of all."""
    number, column, shown = place
    for pattern, values in fit.found:
        if not events or pattern.event in events:
            yield ParsedLine(number, shown, pattern, values, column=column)


def _longest(element: Element) -> int:
    """Return the length of the longest text of an element; very long ones are not matched."""
    return max(map(len, (*element.attributes.values(), element.text.strip())))


def _street_of(statement: ParsedLine) -> str:
    return statement.word("street") or statement.word("nth")


_ELEMENTS = re.compile(r"[ \t]*(?:<.*)?")
_ALLOWED = re.compile(
    r"<!--.*?-->|<[?].*?[?]>|^[ \t]*#[^\n]*|<(\w+)>[^<>]*</\1>", re.DOTALL | re.MULTILINE
)
_TAG = re.compile(r"<(/?)(\w+)[^<>]*>")
_SPECK = 2
"""So few characters between hands, such as a bracket, were never a hand."""

_DECLARES = re.compile("<!(?:DOCTYPE|ENTITY)")


class XmlRoom(SiteDialect[XmlGrammar]):
    """The format of a room's XML logs."""

    by_lines = False

    @property
    def first_line(self) -> re.Pattern[str]:
        """A pattern for a line of elements that contains the beginning of a hand."""
        return re.compile(rf"^(?=[ \t]*<)[^\n]*?(?:{self.starts.pattern})", re.MULTILINE)

    @property
    def inside(self) -> re.Pattern[str]:
        """The beginning of a hand."""
        return self.starts

    @cached_property
    def opens(self) -> re.Pattern[str]:
        """The XML declaration, a comment, a session, or a hand."""
        tags = "".join(rf"|<{re.escape(tag)}\b" for tag in self.grammar.about)
        return re.compile(rf"(?=<[?]xml|<!--{tags}|{self.starts.pattern})")

    def ends(self, lines: Sequence[str]) -> bool:
        """Return True if the last line ends with an element."""
        return lines[-1].rstrip().endswith(">")

    def above(self, lines: Sequence[str]) -> int:
        """Count the lines of the hands' session and of its XML declaration."""
        head = lines[len(lines) - count_above(_ELEMENTS, lines) :]
        tags = "|".join(map(re.escape, self.grammar.about))
        opens = re.compile(rf"[ \t]*<(?:[?]xml|!--|(?:{tags})\b)" if tags else r"[ \t]*<[?]xml")
        return next((len(head) - n for n, line in enumerate(head) if opens.match(line)), 0)

    def cut(self, text: str) -> int:
        """Return the place where the last hand begins."""
        return max((match.start() for match in self.starts.finditer(text)), default=0)

    def carry(self, text: str) -> str:
        """Return the session of the hands after a text, padded with blanks to its column."""
        sessions = filter(None, map(self._session, self._between(text)))
        session = next(iter(reversed(list(sessions))), "")
        indent = len(text) - text.rfind("\n") - 1
        return (f"{session}\n" if session else "") + " " * indent

    def leaves_stakes_open(self, text: str) -> bool:
        """Return whether a session of the text states no stakes."""
        sessions = list(filter(None, map(self._session, self._between(text))))
        told = [context(self.grammar, session) for session in sessions]
        return not told or any(all("small" not in fields for fields in session) for session in told)

    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[Reading]:
        """Yield the hands of a log in order, each an element of its own.

        Text outside of them is a problem, except for the elements of a session and comments.
        """
        text = plain_line_ends(text)
        place, line, above = 0, first_line, context(self.grammar, "")
        for begin, end in self._spans(text):
            between = text[place:begin]
            yield from self._stray(between, file, line)
            session = self._session(between)
            above = context(self.grammar, session) if session else above
            line += between.count("\n")
            column = begin - text.rfind("\n", 0, begin)
            hand = HandText(file, text[begin:end], line, column)
            yield read_hand(self.grammar, hand, above)
            line += text.count("\n", begin, end)
            place = end
        yield from self._stray(text[place:], file, line)

    def finished(self, text: str) -> str:
        """Return a text without the beginning of a hand after the end of another one."""
        first = self.starts.search(text)
        closed = text.rfind(f"</{self.grammar.hand}>", first.end()) if first else -1
        torn = self.starts.search(text, closed) if closed >= 0 else None
        return text[: torn.start()] if torn else text

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Return where hands begin and end: at their end tag, or where the next one begins."""
        begins = [match.start() for match in self.starts.finditer(text)]
        closing = f"</{self.grammar.hand}>"
        spans = []
        for begin, following in pairwise([*begins, len(text)]):
            end = text.find(closing, begin, following)
            spans.append((begin, end + len(closing) if end >= 0 else following))
        return spans

    def _between(self, text: str) -> Iterator[str]:
        place = 0
        for begin, end in self._spans(text):
            yield text[place:begin]
            place = end
        yield text[place:]

    def _session(self, text: str) -> str:
        """Return the last part of a text between hands that applies to those after it."""
        last = max((text.rfind(f"<{tag}") for tag in self.grammar.about), default=-1)
        return text[last:] if last >= 0 else ""

    def _stray(self, text: str, file: str, line: int) -> Iterator[Problem]:
        """Yield the problem of text that belongs to no hand, if there is any."""
        declares = _DECLARES.search(text)
        if declares is not None:
            at, message, expected = declares.start(), declared(text), "a log"
        else:
            at, message = self._outside(text)
            expected = "the beginning of a hand"
        if at < 0:
            return
        begin = text.rfind("\n", 0, at) + 1
        shown = text[begin:].split("\n", 1)[0]
        number, last = line + text.count("\n", 0, at), line + text.rstrip().count("\n")
        where = file, number, at - begin + 1
        yield Problem(*where, message, expected, shown, self.name, last)

    def _outside(self, text: str) -> tuple[int, str]:
        """Return the place and the fault of text outside sessions; -1 without a fault."""
        rest = _ALLOWED.sub(lambda found: len(found[0]) * " ", text)
        of_hands = {pattern.tag for pattern in self.grammar.patterns if pattern.event != "about"}
        tags = _TAG.finditer(rest)
        tag = next((tag for tag in tags if tag[2] in of_hands and not tag[1]), None)
        if tag is not None:
            return tag.start(), "the hand of this element has no first line"
        rest = _TAG.sub(lambda found: len(found[0]) * " ", rest)
        stray = rest.strip()
        return (rest.index(stray), NO_HAND) if len(stray) > _SPECK else (-1, "")
