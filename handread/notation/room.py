"""Poker rooms as dialects: their text logs, read by a grammar that is data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from handread.history import Problem
from handread.notation.dialect import Reading
from handread.notation.grammar import Grammar, load_grammars
from handread.notation.lines import Misread, read_header
from handread.notation.sheet import Sheet, problem_at
from handread.notation.source import plain_line_ends


@dataclass(frozen=True, slots=True)
class Room:
    """The dialect of a room's text logs."""

    grammar: Grammar
    suffixes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The room's word for ``--dialect``."""
        return self.grammar.name

    @property
    def title(self) -> str:
        """The room as people call it."""
        return self.grammar.title

    def detect(self, text: str) -> bool:
        """Whether a line of the text begins a hand of this room."""
        return self.grammar.starts.search(text) is not None

    def read(self, text: str, file: str) -> Iterator[Reading]:
        """The hands of a log in order, each from its first line to the next one's.

        A hand of a game that is not read is a history without events. A hand whose first line
        is unreadable is a problem that stands for all its lines.
        """
        before, *hands = _blocks(self.grammar, text)
        stray = next((line for line in before if line[1].startswith(self.grammar.openings)), None)
        if stray:
            why = Misread(1, "the hand of this line has no first line", "the beginning of a hand")
            yield problem_at(file, stray, why)
        elif not hands:
            yield Problem(file, 1, 1, "there is no hand", f"the log of a {self.title} hand")
        for block in hands:
            header = read_header(self.grammar, *block[0])
            if isinstance(header, Misread):
                yield problem_at(file, block[0], header)
            else:
                yield Sheet(self.grammar, file, header).history(block)


@cache
def rooms() -> tuple[Room, ...]:
    """The rooms whose grammars are installed."""
    return tuple(map(Room, load_grammars()))


def _blocks(grammar: Grammar, text: str) -> list[list[tuple[int, str]]]:
    """The lines that are not blank, with their numbers: those before any hand, then by hand."""
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(plain_line_ends(text).split("\n"), start=1):
        if grammar.starts.match(line):
            blocks.append([])
        if line.strip():
            blocks[-1].append((number, line))
    return blocks
