"""Read the hands of sessions for lists, totals and pages, from the store if read before."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from handread.decisions.terms import CHECKED, decision_terms
from handread.game.steps import Replay
from handread.inference.players import parse_players
from handread.inference.readers import PolicyReader, Reader, policies_of
from handread.processes import Helpers
from handread.report.index import IndexRow, placed_row
from handread.sessions.analyzing import AnalyzedHand, HandView
from handread.sessions.files import Session
from handread.sessions.parts import HandParts, KeptRow, KeptValues
from handread.sessions.store import HandStore


def usual_reading(reader: Reader | None = None, way: str = CHECKED) -> tuple[Reader, HandView]:
    """Return the usual reader, unless one is given, and its usual view of hands.

    Fronts with both share what is kept: with other settings, hands are read and valued anew. A
    reader without policies values nothing.
    """
    reader = reader or PolicyReader(parse_players(None, None, ()))
    players = policies_of(reader)
    terms = None if players is None else decision_terms(way, players)
    return reader, HandView(decisions=terms, rolls_all=False)


@dataclass(frozen=True, slots=True)
class ReadHand(AnalyzedHand):
    """A hand of a session as it is kept."""

    kept: KeptRow | None = None  # row and evidence for a reader; None if nothing can be read
    values: KeptValues | None = None  # the values of its decisions, if requested
    was_kept: bool = False  # it was read before

    @property
    def is_shown(self) -> bool:
        """True if part of the hand can be shown."""
        return self.kept is not None and self.kept.row is not None

    def row(self, number: int, page: str) -> IndexRow:
        """Return its row in a list of hands, if it ``is_shown``."""
        assert self.kept is not None
        assert self.kept.row is not None
        worth = None if self.values is None else self.values.worth
        return placed_row(self.kept.row, self.played.history, number, page, worth)

    def after(self, reader: Reader) -> Reader:
        """Return the reader of the next hand, after learning from this one."""
        players = policies_of(reader)
        if players is None or self.kept is None or not self.kept.members:
            return reader
        members = {seat: np.array(shares) for seat, shares in self.kept.members.items()}
        return PolicyReader(players.after(self.played.history, members))


def read_hand(
    played: Replay, reader: Reader, view: HandView, store: HandStore | None = None
) -> ReadHand:
    """Return a hand of a session, kept from before or read now; arguments as in ``HandParts``."""
    return hand_of(HandParts(played, reader, view, store=store))


def kept_hand(
    played: Replay, reader: Reader, view: HandView, store: HandStore | None = None
) -> ReadHand | None:
    """Return a hand if it was read before, or cannot be read; arguments as for ``read_hand``."""
    parts = HandParts(played, reader, view, store=store)
    return hand_of(parts) if parts.was_kept or parts.problem is not None else None


def hand_of(parts: HandParts, values: bool = True) -> ReadHand:
    """Return the hand of some parts, without decisions unless ``values``; keep the new parts."""
    if parts.problem is not None:
        return ReadHand(parts.played, parts.reader, parts.problem)
    row, valued = parts.row, parts.values if values else None
    parts.keep()
    file = parts.played.history.source.file
    problems = [replace(problem, file=file) for problem in row.problems]
    stop = None if row.complete else problems.pop()
    given = parts.played, parts.reader, stop, tuple(problems)
    return ReadHand(*given, kept=row, values=valued, was_kept=parts.was_kept)


AHEAD = 2
"""Hands queued or in work, for each helper process."""


def read_in_turn(
    hands: Iterable[Replay],
    reader: Reader,
    view: HandView,
    session: Session | None = None,
    helpers: Helpers | None = None,
) -> Iterator[tuple[int, ReadHand]]:
    """Yield hands with their numbers from 1 as they are read; ``reader`` learns from each.

    Their ``session`` has counted them and listed their problems. It can save refused hands only of
    the log that it is reading: pass ``session.replays()`` for that, and no ``helpers``.

    This process reads the hands for the reader to learn. Meanwhile ``helpers`` value decisions of
    some; this process takes over if no helper is ready or free, or if one dies.
    """
    waiting: deque[tuple[HandParts, Future[ReadHand]]] = deque()

    def landed() -> ReadHand:
        hand = _landed(*waiting.popleft())
        if session is not None:
            session.count(hand)
            if hand.values is not None and hand.values.why:
                session.counts.unvalued[hand.values.why] += 1
        return hand

    number = count(1)
    for played in hands:
        parts, future = HandParts(played, reader, view), Future[ReadHand]()
        in_work = sum(not reading.done() for _, reading in waiting)
        if helpers is not None and in_work < AHEAD * helpers.ready and parts.needs_values:
            reader = hand_of(parts, values=False).after(reader)
            future = helpers.submit(read_hand, played, parts.reader, view)
        else:
            hand = hand_of(parts)
            reader = hand.after(reader)
            future.set_result(hand)
        waiting.append((parts, future))
        while waiting and waiting[0][1].done():
            yield next(number), landed()
    while waiting:
        yield next(number), landed()


def _landed(parts: HandParts, future: Future[ReadHand]) -> ReadHand:
    """Return a hand from a helper; value its decisions here if the helper died."""
    try:
        return future.result()
    except BrokenProcessPool:
        return hand_of(parts)
