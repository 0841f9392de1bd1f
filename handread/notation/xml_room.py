"""Poker rooms whose logs are XML as dialects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from handread.history import Problem
from handread.notation.dialect import Reading
from handread.notation.house import HouseDialect
from handread.notation.source import plain_line_ends
from handread.notation.xml_elements import declared
from handread.notation.xml_grammar import XmlGrammar
from handread.notation.xml_read import HandText, context, read_hand

_DECLARES = re.compile("<!(?:DOCTYPE|ENTITY)")


class XmlRoom(HouseDialect[XmlGrammar]):
    """The dialect of a room's XML logs."""

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

        What is wrong outside of them is a problem only if it declares something.
        """
        text = plain_line_ends(text)
        place, line, session = 0, first_line, ""
        for begin, end in self._spans(text):
            between = text[place:begin]
            yield from self._declared(between, file, line)
            session = self._session(between) or session
            line += between.count("\n")
            column = begin - text.rfind("\n", 0, begin)
            hand = HandText(file, text[begin:end], line, column)
            yield read_hand(self.grammar, hand, context(self.grammar, session))
            line += text.count("\n", begin, end)
            place = end
        yield from self._declared(text[place:], file, line)

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

    def _declared(self, text: str, file: str, line: int) -> Iterator[Problem]:
        found = _DECLARES.search(text)
        if found is None:
            return
        begin = text.rfind("\n", 0, found.start()) + 1
        number = line + text.count("\n", 0, found.start())
        message = declared(text)
        shown = text[begin:].split("\n", 1)[0]
        column = found.start() - begin + 1
        yield Problem(file, number, column, message, "a log", shown, self.name)
