"""Poker rooms whose logs are XML as dialects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from handread.history import Problem
from handread.notation.dialect import NO_HAND, Reading, count_above
from handread.notation.house import HouseDialect
from handread.notation.source import plain_line_ends
from handread.notation.xml_elements import declared
from handread.notation.xml_grammar import XmlGrammar
from handread.notation.xml_read import HandText, context, read_hand

_ELEMENTS = re.compile(r"[ \t]*(?:<.*)?")
_ALLOWED = re.compile(
    r"<!--.*?-->|<[?].*?[?]>|^[ \t]*#[^\n]*|<(\w+)>[^<>]*</\1>", re.DOTALL | re.MULTILINE
)
_TAG = re.compile(r"<(/?)(\w+)[^<>]*>")
_SPECK = 2
"""So few characters between hands, such as a bracket, were never a hand."""

_DECLARES = re.compile("<!(?:DOCTYPE|ENTITY)")


class XmlRoom(HouseDialect[XmlGrammar]):
    """The dialect of a room's XML logs."""

    @property
    def first_line(self) -> re.Pattern[str]:
        """A line of elements in which that of a hand begins."""
        return re.compile(rf"^(?=[ \t]*<)[^\n]*?(?:{self.starts.pattern})", re.MULTILINE)

    def begins(self, line: str) -> bool:  # noqa: ARG002 - other dialects need it
        """Whether a line has all of a first line: no line of a text log begins with an element."""
        return True

    def above(self, lines: Sequence[str]) -> int:
        """The lines of the session of the hands, with what declares it to be XML."""
        own = lines[len(lines) - count_above(_ELEMENTS, lines) :]
        tags = "|".join(map(re.escape, self.grammar.about))
        opens = re.compile(rf"[ \t]*<(?:[?]xml|!--|(?:{tags})\b)" if tags else r"[ \t]*<[?]xml")
        return next((len(own) - n for n, line in enumerate(own) if opens.match(line)), 0)

    def cut(self, text: str) -> int:
        """Where the last hand begins."""
        return max((found.start() for found in self.starts.finditer(text)), default=0)

    def carry(self, text: str) -> str:
        """The session of the hands behind a text, and blanks as far as it goes into a line."""
        sessions = filter(None, map(self._session, self._between(text)))
        session = next(iter(reversed(list(sessions))), "")
        indent = len(text) - text.rfind("\n") - 1
        return (f"{session}\n" if session else "") + " " * indent

    def leaves_stakes_open(self, text: str) -> bool:
        """Return whether a session of the text states no stakes."""
        sessions = list(filter(None, map(self._session, self._between(text))))
        told = [context(self.grammar, session) for session in sessions]
        return not told or any(all("small" not in one for one in session) for session in told)

    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[Reading]:
        """The hands of a log in order, each an element of its own.

        What stands outside of them is a problem, but for the elements of a session and comments.
        """
        text = plain_line_ends(text)
        place, line, session = 0, first_line, ""
        for begin, end in self._spans(text):
            between = text[place:begin]
            yield from self._stray(between, file, line)
            session = self._session(between) or session
            line += between.count("\n")
            column = begin - text.rfind("\n", 0, begin)
            hand = HandText(file, text[begin:end], line, column)
            yield read_hand(self.grammar, hand, context(self.grammar, session))
            line += text.count("\n", begin, end)
            place = end
        yield from self._stray(text[place:], file, line)

    def finished(self, text: str) -> str:
        """A text without the beginning of a hand behind the end of another one."""
        first = self.starts.search(text)
        closed = text.rfind(f"</{self.grammar.hand}>", first.end()) if first else -1
        torn = self.starts.search(text, closed) if closed >= 0 else None
        return text[: torn.start()] if torn else text

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where hands begin and end: with their end tag, or else where the next one begins."""
        begins = [found.start() for found in self.starts.finditer(text)]
        closing = f"</{self.grammar.hand}>"
        spans = []
        for begin, following in pairwise([*begins, len(text)]):
            end = text.find(closing, begin, following)
            spans.append((begin, end + len(closing) if end >= 0 else following))
        return spans

    def _between(self, text: str) -> Iterator[str]:
        """What stands before, between and behind the hands."""
        place = 0
        for begin, end in self._spans(text):
            yield text[place:begin]
            place = end
        yield text[place:]

    def _session(self, text: str) -> str:
        """The last part of a text between hands that governs those after it; perhaps empty."""
        last = max((text.rfind(f"<{tag}") for tag in self.grammar.about), default=-1)
        return text[last:] if last >= 0 else ""

    def _stray(self, text: str, file: str, line: int) -> Iterator[Problem]:
        """The problem of what belongs to no hand, if there is anything."""
        declares = _DECLARES.search(text)
        if declares is not None:
            found, message, expected = declares.start(), declared(text), "a log"
        else:
            found, message = self._outside(text)
            expected = "the beginning of a hand"
        if found < 0:
            return
        begin = text.rfind("\n", 0, found) + 1
        shown = text[begin:].split("\n", 1)[0]
        number, last = line + text.count("\n", 0, found), line + text.rstrip().count("\n")
        where = file, number, found - begin + 1
        yield Problem(*where, message, expected, shown, self.name, last)

    def _outside(self, text: str) -> tuple[int, str]:
        """Where in a text between hands stands what is of no session, and what to say of it."""
        rest = _ALLOWED.sub(lambda found: len(found[0]) * " ", text)
        of_hands = {rule.tag for rule in self.grammar.rules if rule.event != "about"}
        tags = _TAG.finditer(rest)
        tag = next((tag for tag in tags if tag[2] in of_hands and not tag[1]), None)
        if tag is not None:
            return tag.start(), "the hand of this element has no first line"
        rest = _TAG.sub(lambda found: len(found[0]) * " ", rest)
        stray = rest.strip()
        return (rest.index(stray), NO_HAND) if len(stray) > _SPECK else (-1, "")
