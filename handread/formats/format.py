"""Interface of a format: recognise its text, read hands from it and, for a writer, write them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History, Problem

Reading = History | Problem
"""A hand, or the problem of text that belongs to no hand."""

NO_HAND = "this is not part of a hand"
"""Message about text between hands that is neither blank nor a comment."""


class LineError(Exception):
    """A line of a log that cannot be read: the fault, the expectation, the column from 1."""

    def __init__(self, message: str, expected: str = "", column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.column = column

    @property
    def words(self) -> str:
        """The message with the expectation."""
        return f"{self.message} (expected {self.expected})" if self.expected else self.message

    def __str__(self) -> str:
        return f"column {self.column}: {self.words}"


class Dialect(ABC):
    """A format of hand histories that can be read.

    ``name`` is the value of ``--dialect``, ``title`` the name in use; the first of ``suffixes`` of
    file names is for writing. ``by_lines`` says that no two hands of a log share a line,
    ``by_blanks`` that only a blank line ends a hand.
    """

    name: str
    title: str
    suffixes: tuple[str, ...] = ()
    by_lines: bool = True
    by_blanks: bool = False

    @property
    @abstractmethod
    def first_line(self) -> re.Pattern[str]:
        """A regular expression of the beginning of a hand's first line."""

    @cached_property
    def inside(self) -> re.Pattern[str] | None:
        """A regular expression of a first line behind other text; None if the next line decides."""
        return re.compile(self.first_line.pattern.removeprefix("^"), self.first_line.flags)

    @property
    @abstractmethod
    def opens(self) -> re.Pattern[str]:
        """A regular expression of the beginning of a hand's first line, or of a line above it.

        It matches no text, only the place, so that matches may overlap.
        """

    @abstractmethod
    def ends(self, lines: Sequence[str]) -> bool:
        """Return True if the last of some lines of a hand is whole, and may be its last.

        Chat and comments may not: anything may follow. The first lines may be missing.
        """

    def begins(self, line: str) -> bool:  # noqa: ARG002 - some formats need it
        """Return True if a line that ``first_line`` matches is complete as a first line."""
        return True

    def again(self, before: str, line: str) -> bool:  # noqa: ARG002 - some formats need it
        """Return True if a first line begins another hand than the first line before it."""
        return True

    @abstractmethod
    def above(self, lines: Sequence[str]) -> int:
        """Return the number of lines above the first line of a hand that belong to it."""

    def detect(self, text: str) -> bool:
        """Return True if the beginning of a text looks like this format."""
        return self.first_line.search(text) is not None

    @abstractmethod
    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[Reading]:
        """Yield the hands of a text in order, and problems; no text raises an exception.

        The text has line feeds for line ends; ``first_line`` is its line number in the file.
        """

    @abstractmethod
    def cut(self, text: str) -> int:
        """Return the last place where a text may be cut because a hand begins; 0 for none.

        Both parts read as the whole does if ``carry`` of the first is put above the second.
        """

    def carry(self, text: str) -> str:  # noqa: ARG002 - some formats need it
        """Return the part of a text that applies to later hands, such as a session's game."""
        return ""

    def leaves_stakes_open(self, text: str) -> bool:  # noqa: ARG002 - some formats need it
        """Return True if hands of a text may not state their stakes."""
        return False

    def finished(self, text: str) -> str:
        """Return the lines of a hand without the beginning of the next one on the last line."""
        return text


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a hand, and the replay of the hand that a reader finds in it."""

    text: str
    read: Replay


class Writer(Dialect):
    """A format that can also write hands."""

    @abstractmethod
    def write(self, hand: History | Replay) -> str:
        """Return a hand as text with a final line end; ``ValueError`` if the format cannot."""

    def written(self, hand: History | Replay) -> Written:
        """Write a hand, read it again and replay it; ``ValueError`` if that is not possible."""
        text = self.write(hand)
        readings = list(self.read(text, self.title))
        problems = [each for each in readings if isinstance(each, Problem)]
        hands = [each for each in readings if isinstance(each, History)]
        problems += [problem for hand in hands for problem in hand.problems]
        if problems or len(hands) != 1:
            why = problems[0].message if problems else f"it would be read as {len(hands)} hands"
            raise ValueError(f"{self.title} cannot hold this hand: {why}")
        meant = hand if isinstance(hand, Replay) else replay(hand)
        return Written(text, replay_of_read(self.title, hands[0], meant))

    @abstractmethod
    def joined(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the pieces of a file of many hands from the text of each."""

    def write_all(self, hands: Iterable[History | Replay]) -> Iterator[str]:
        """Yield the pieces of a file of many hands; ``ValueError`` as ``write``."""
        return self.joined(map(self.write, hands))


def count_above(pattern: re.Pattern[str], lines: Sequence[str]) -> int:
    """Count the last lines that a pattern matches, without leading blank ones."""
    above = list(takewhile(pattern.fullmatch, reversed(lines)))
    while above and not above[-1].strip():
        above.pop()
    return len(above)


def legal_replay(hand: History | Replay) -> Replay:
    """Return the replay of a hand that is to be written; ``ValueError`` unless it is legal."""
    played = hand if isinstance(hand, Replay) else replay(hand)
    if played.problem is not None:
        raise ValueError(f"the hand cannot be written: {played.problem}")
    return played


def replay_of_read(title: str, read: History, meant: Replay) -> Replay:
    """Return the replay of a hand read from its written text; ``ValueError`` if it is refused.

    ``title`` names the format, ``meant`` is the hand that was written.
    """
    again = replay(read)
    refused = again.problem if meant.problem is None else None
    if refused is not None and read.stakes is None:
        # Readers also infer the stakes from other hands.
        same_unit = read.unit == meant.history.unit
        refused = replay(replace(read, stakes=meant.stakes)).problem if same_unit else None
    if refused is not None:
        told = LineError(refused.message, refused.expected)
        raise ValueError(f"a reader of {title} would refuse this hand: {told.words}")
    if meant.history.unpaid and again.rake != meant.rake:
        raise ValueError(f"{title} does not state the rake of a hand in which nobody is paid")
    return again
