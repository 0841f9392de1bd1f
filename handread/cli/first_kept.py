"""The first look at a log: what its hands add up to, kept until the next look."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from handread.addresses import address_of
from handread.decisions.hand import HandValues
from handread.decisions.terms import DecisionTerms
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.hand import Analysis
from handread.inference.readers import Reader
from handread.report.first import FirstLook
from handread.session import Session
from handread.session_analyzer import SessionHand
from handread.user_cache import Pauses, keep, load, session_file

LEAST_KEPT = 10
"""Fewer hands are read again in a second, and would take the place of a longer log."""


class LookedAt(NamedTuple):
    """A hand that was looked at.

    ``reader`` has learned from it. ``values`` are those of its decisions, or why there are none;
    None if it cannot be analyzed, or they are not known yet.
    """

    hand: SessionHand
    reader: Reader
    values: HandValues | str | None = None

    @property
    def analysis(self) -> Analysis | None:
        """The analysis; None if the hand cannot be analyzed to the end."""
        return self.hand.analysis if self.hand.problem is None else None

    def valued(self, terms: DecisionTerms) -> HandValues | str | None:
        """Return its ``values``."""
        return None if self.analysis is None else terms.own_values(self.analysis)


@dataclass(slots=True)
class LookSoFar:
    """What the first hands of a log tell, and what it takes to go on with the next.

    Attributes:
        reader: The reader of the next hand.
        hands: The number of these hands.
        digest: What tells them from others.
        look: What they tell.
        refused: Those that are refused or not analyzed, and why.
        unvalued: The number of those whose decisions have no values, by the reason.
    """

    reader: Reader
    hands: int = 0
    digest: bytes = b""
    look: FirstLook = field(default_factory=FirstLook)
    refused: list[tuple[History, list[Problem]]] = field(default_factory=list)
    unvalued: Counter[str] = field(default_factory=Counter)

    def add(self, one: LookedAt) -> None:
        """Add the next hand."""
        played, analysis, values = one.hand.played, one.analysis, one.values
        self.digest = _digest_after(self.digest, played)
        self.hands += 1
        self.reader = one.reader
        if problems := one.hand.refused_for:
            self.refused.append((played.history, problems))
        if played.problem is None:
            self.look.add_players(played)
        if analysis is not None:
            if isinstance(values, str):
                self.unvalued[values] += 1
            self.look.add(analysis, None if isinstance(values, str) else values)

    def count(self, log: Session) -> None:
        """Count its hands in a log as accepted or refused."""
        for _ in range(self.hands - len(self.refused)):
            log.accept()
        for history, problems in self.refused:
            log.refuse(history, problems)


def _digest_after(before: bytes, played: Replay) -> bytes:
    """Return what tells hands from others, given the same of those before the last."""
    return blake2b(before + pickle.dumps(played.history, 5), digest_size=16).digest()


class KeptLook:
    """The look at a log, which a file keeps until the next one.

    Attributes:
        so_far: What the hands so far tell.
        expected: The number of hands of which it is known, if the log begins with them.
    """

    def __init__(self, path: Path | None, reader: Reader) -> None:
        """``reader`` is that of the first hand; without a path nothing is kept."""
        self.so_far = LookSoFar(reader)
        self._path = path
        self._earlier: LookSoFar | None = load(path)
        self.expected = 0 if self._earlier is None else self._earlier.hands
        self._saved = 0
        self._pauses = Pauses()

    @classmethod
    def of(cls, files: Sequence[str], hero: str | None, reads: str, reader: Reader) -> KeptLook:
        """Return the look at these files, as the settings ``reads`` read them."""
        found = [address_of(file) for file in files]
        if any(one.file == "-" for one in found):
            return cls(None, reader)
        places = [(str(Path(one.file).resolve()), one.line) for one in found]
        return cls(session_file("first-*.session", places, hero, reads, reader.terms), reader)

    @property
    def keeps(self) -> bool:
        """Return whether a file keeps it."""
        return self._path is not None

    def compared(self, hands: Iterable[Replay]) -> Iterator[Replay]:
        """Yield the hands of the log; if they begin with those of which is known, go on there."""
        digest = b""
        for number, played in enumerate(hands, 1):
            if self._earlier is not None and number <= self._earlier.hands:
                digest = _digest_after(digest, played)
                if number == self._earlier.hands:
                    if digest == self._earlier.digest:
                        self.so_far, self._saved = self._earlier, number
                    else:
                        self.expected = 0
            yield played

    def add(self, one: LookedAt, is_last: bool) -> None:
        """Add a hand of the log, and save from time to time.

        A last hand that stops in the middle may be a longer one the next time.
        """
        if is_last and not one.hand.played.finished:
            self._save()
            self._path = None
        self.so_far.add(one)
        if is_last or self._pauses.are_over():
            self._save()

    def _save(self) -> None:
        if self._path is None or not LEAST_KEPT <= self.so_far.hands != self._saved:
            return
        with self._pauses.after():
            try:
                keep(self._path, pickle.dumps(self.so_far, 5))
            except OSError:
                self._path = None
        self._saved = self.so_far.hands
