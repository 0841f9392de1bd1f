"""What every notation offers to the rest of the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Protocol, runtime_checkable

from handread.game.replay import replay, written_out
from handread.game.steps import Replay
from handread.history import History, Problem

Reading = History | Problem
"""What reading a text yields: hands, and problems that belong to no hand."""


NO_HAND = "this belongs to no hand"
"""What is wrong with text between hands that is neither blank nor a comment."""


class Dialect(Protocol):
    """A way to write hands down: how to know it and how to read it."""

    @property
    def name(self) -> str:
        """The word for ``--dialect``: "pokerstars", "saund"."""

    @property
    def title(self) -> str:
        """The dialect as people call it."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """File name endings that are its own (".stud"), the first one for writing."""

    @property
    def first_line(self) -> re.Pattern[str]:
        """Matches, from its beginning on, a line with which a hand begins."""

    def begins(self, line: str) -> bool:
        """Whether such a line has all that the first line of a hand has."""

    def above(self, lines: Sequence[str]) -> int:
        """How many lines before the first line of a hand belong to it, such as comments."""

    def detect(self, text: str) -> bool:
        """Whether the beginning of a text looks like this dialect."""

    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[Reading]:
        """The hands of a text in order; for any text hands or problems, never an exception.

        ``first_line`` is the number of its first line in the file.
        """

    def cut(self, text: str) -> int:
        """Where a text that goes on may be cut in two: the last place where a hand begins.

        It is read in two parts as it is in one, if before the second stands what is carried to it.
        0 where there is no such place.
        """

    def carry(self, text: str) -> str:
        """What may stand in for a text before the hands that follow it.

        Such is the game that is named once for a whole session: behind that they are read as in
        their place. Empty where each hand says all.
        """

    def leaves_stakes_open(self, text: str) -> bool:
        """Return whether hands of a text, with what governs it, may not state their stakes."""

    def finished(self, text: str) -> str:
        """The lines of a hand without what of the next one stands on the last of them."""


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a hand, and the hand that a reader of it finds."""

    text: str
    read: History


def count_above(pattern: re.Pattern[str], lines: Sequence[str]) -> int:
    """Count the last lines that a pattern fits, without blank ones before them."""
    own = list(takewhile(pattern.fullmatch, reversed(lines)))
    while own and not own[-1].strip():
        own.pop()
    return len(own)


@runtime_checkable
class Writer(Dialect, Protocol):
    """A dialect that hands can also be written in."""

    def write(self, hand: History | Replay) -> str:
        """A hand as text of this dialect, ending in a line end; ``ValueError`` if it cannot."""

    def written(self, hand: History | Replay) -> Written:
        """The same, and what is read of it; ``ValueError`` as ``write``."""

    def joined(self, texts: Iterable[str]) -> Iterator[str]:
        """The pieces of a file of many hands, each the text of one."""

    def write_all(self, hands: Iterable[History | Replay]) -> Iterator[str]:
        """The pieces of a file of many hands, one for each hand; ``ValueError`` as ``write``."""


def read_again(dialect: Writer, hand: History | Replay) -> Written:
    """A hand as text, and that text as it is read; ``ValueError`` if it is not one hand."""
    text = dialect.write(hand)
    found = list(dialect.read(text, dialect.title))
    problems = [one for one in found if isinstance(one, Problem)]
    hands = [one for one in found if isinstance(one, History)]
    problems += [problem for hand in hands for problem in hand.problems]
    if problems or len(hands) != 1:
        why = problems[0].message if problems else f"it would be read as {len(hands)} hands"
        raise ValueError(f"{dialect.title} cannot hold this hand: {why}")
    return Written(text, hands[0])


def legal_replay(hand: History | Replay) -> Replay:
    """The replay of a hand that is to be written; ``ValueError`` unless it is legal."""
    played = hand if isinstance(hand, Replay) else replay(hand)
    if played.problem is not None:
        raise ValueError(f"the hand cannot be written: {played.problem}")
    return played


def as_history(hand: History | Replay) -> History:
    """The hand with nothing left to the rules; a history as it is."""
    return hand if isinstance(hand, History) else written_out(legal_replay(hand))
