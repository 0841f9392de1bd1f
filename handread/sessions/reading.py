"""Read the hands of sessions: the only place that analyzes a hand for those who show it.

``read_hand`` returns what was read of a hand, taken from the store if it was read before. A hand is
read without the name of its file; its place is put in afterwards, so that what is kept fits each
copy of the hand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, fields, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

import numpy as np

from handread.decisions.hand import HandValues
from handread.decisions.terms import DecisionTerms, ValuedHand
from handread.decisions.values import DecisionValue
from handread.game.replay import without_analysis
from handread.game.steps import Replay
from handread.history import Problem, unplaced
from handread.inference.analysis import after_hand, analyze_replay
from handread.inference.hand import Analysis
from handread.inference.players import players_terms
from handread.inference.readers import (
    PolicyReader,
    Reader,
    cannot_be_read,
    policies_of,
    reader_of_hand,
)
from handread.inference.viewpoint import session_viewpoint
from handread.policy import PolicyError
from handread.processes import Helpers
from handread.report.build import hand_report
from handread.report.index import HandWorth, IndexRow, hand_worth, index_row, placed_row
from handread.report.steps import hand_steps
from handread.report.values import HandReport, Steps
from handread.report.what_if import HandDecisions, hand_decisions, no_decisions
from handread.sessions.store import HandStore, user_store

Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class View:
    """How the hands of a session are read.

    Attributes:
        viewpoint: As in ``session_viewpoint``; None for the hero's.
        ties: How tied hands share the pot.
        decisions: How decisions are valued; None if they are not.
        seats: The seats whose decisions are valued if their downcards are known; None for yours,
            and for all where nobody is you.
        everybody: True for the decisions of all seats.
        top: The number of kinds of holding that a page lists for each seat.
    """

    viewpoint: str | None = None
    ties: str = "split"
    decisions: DecisionTerms | None = None
    seats: frozenset[int] | None = None
    everybody: bool = False
    top: int = 4

    def valued_seats(self, you: int | None) -> set[int] | None:
        """Return the seats whose decisions are valued; None for all."""
        if self.seats is not None:
            return {*self.seats}
        return None if self.everybody or you is None else {you}


class KeptRow(NamedTuple):
    """What is kept of every hand: its row, what was found, and what a reader learns from it.

    ``row`` is None if nothing can be shown. ``problems`` are those of the analysis; if it is not
    ``complete``, the last one says why. ``members`` are those of the analysis.
    """

    row: IndexRow | None
    problems: tuple[Problem, ...]
    complete: bool
    members: dict[int, list[float]]


class KeptValues(NamedTuple):
    """The values of a hand, and what the list says of them; or ``why`` it has none.

    They are those of ``View.valued_seats``; the list says only something of yours, or of all where
    nobody is you.
    """

    values: HandValues | None
    why: str
    worth: HandWorth | None


@dataclass(frozen=True, slots=True)
class ReadHand:
    """A hand that was read.

    Attributes:
        played: The hand.
        reader: Its reader, with what it learned from the hands before.
        problem: The reason why the hand is not read to its end.
        findings: What was found besides.
        kept: What is kept of it; None if it is only analyzed, or nothing was read.
        values: The values of its decisions; None if they are not asked for.
        analysis: The analysis, for those who ask for it; it is large.
        was_kept: True if it was read before.
    """

    played: Replay
    reader: Reader
    problem: Problem | None = None
    findings: tuple[Problem, ...] = ()
    kept: KeptRow | None = None
    values: KeptValues | None = None
    analysis: Analysis | None = None
    was_kept: bool = False

    @property
    def refused_for(self) -> list[Problem]:
        """The problems with which a session refuses it; empty if it accepts it."""
        if self.problem is None:
            return []
        return [*self.findings, without_analysis(self.played, self.problem)]

    @property
    def is_shown(self) -> bool:
        """Whether something of it can be shown."""
        if self.kept is not None:
            return self.kept.row is not None
        return self.problem is None or bool(self.analysis and self.analysis.stages)

    def row(self, number: int, page: str) -> IndexRow:
        """Return its row in a list of hands; it ``is_shown``."""
        assert self.kept is not None
        assert self.kept.row is not None
        worth = None if self.values is None else self.values.worth
        return placed_row(self.kept.row, self.played.history, number, page, worth)

    def valued(self, view: View) -> ValuedHand | None:
        """Return the hand with the values of its decisions, if it has any."""
        if self.values is None or self.values.values is None or view.decisions is None:
            return None
        bare = unread(self.played, self.reader, view.ties)
        return ValuedHand(bare, self.values.values, view.decisions.of_hand(bare))

    def after(self, reader: Reader) -> Reader:
        """Return the reader of the next hand, with what it learned from this one."""
        players = policies_of(reader)
        if self.analysis is not None:
            return after_hand(reader, self.analysis)
        if players is None or self.kept is None or not self.kept.members:
            return reader
        members = {seat: np.array(shares) for seat, shares in self.kept.members.items()}
        return PolicyReader(players.after(self.played.history, members))


def analyzed_hand(
    played: Replay, reader: Reader, viewpoint: str | None = None, ties: str = "split"
) -> ReadHand:
    """Analyze a hand; return it with its analysis, or with the reason why there is none.

    ``viewpoint`` is as in ``session_viewpoint``; ``reader`` is that of the session.
    """
    reader = reader_of_hand(reader, played.history)
    problem = cannot_be_read(played, reader)
    if problem is None:
        try:
            analysis = analyze_replay(played, reader, session_viewpoint(played, viewpoint), ties)
        except ValueError as error:  # the viewpoint is not possible for this hand
            problem = played.history.problem(0, str(error))
        else:
            kept = analysis.problems if analysis.complete else analysis.problems[:-1]
            stop = None if analysis.complete else analysis.problems[-1]
            return ReadHand(played, reader, stop, tuple(kept), analysis=analysis)
    return ReadHand(played, reader, problem)


def read_hand(
    played: Replay, reader: Reader, view: View, store: HandStore | None = None
) -> ReadHand:
    """Return what a session shows of a hand: kept from before, or read now.

    Args:
        played: The hand.
        reader: The reader of the session, with what it learned from the hands before.
        view: How the hand is read.
        store: Where it is kept; None for the user's.
    """
    return kept_hand(played, reader, view, store) or _Reading(played, reader, view, store).hand()


def kept_hand(
    played: Replay, reader: Reader, view: View, store: HandStore | None = None
) -> ReadHand | None:
    """Return a hand if it was read before, or cannot be read at all; arguments as ``read_hand``."""
    reading = _Reading(played, reader, view, store)
    return reading.hand() if reading.is_whole else None


class _Reading:
    """A hand that is taken from the store; what is not in it is read when it is asked for."""

    def __init__(self, played: Replay, reader: Reader, view: View, store: HandStore | None) -> None:
        self._played = played
        self._view = view
        self._reader = reader_of_hand(reader, played.history)
        self._problem = cannot_be_read(played, self._reader)
        if self._problem is None:
            try:
                self._viewpoint = session_viewpoint(played, view.viewpoint)
            except ValueError as error:  # it is not possible for this hand
                self._problem = played.history.problem(0, str(error))
        self._bare = unplaced(played.history)
        self._store = store or user_store()
        self._kinds: dict[bytes, type[Any]] = {}
        self._found: dict[bytes, Any] = {}
        self._new: list[tuple[bytes, object, bool]] = []
        if self._problem is None:
            self._kinds = dict.fromkeys([self._key("row")], KeptRow)
            if view.decisions is not None:
                seats = self._seats and sorted(self._seats)
                self._kinds[self._key("values", view.decisions.words(None), seats)] = KeptValues
            if policies_of(self._reader) is not None:
                self._found = self._store.found(self._kinds)

    @cached_property
    def _content(self) -> bytes:
        """What determines everything that is kept of the hand."""
        record = [getattr(self._bare, one.name) for one in fields(self._bare)]
        players = policies_of(self._reader)
        terms = self._reader.terms if players is None else players_terms(players, None)
        said = repr((record, terms, self._view.viewpoint, self._view.ties))
        return said.encode("utf-8", "surrogatepass")

    @cached_property
    def _seats(self) -> set[int] | None:
        """The seats whose decisions are valued; None for all."""
        return self._view.valued_seats(self._viewpoint.you)

    def _key(self, *part: object) -> bytes:
        return blake2b(self._content + repr(part).encode(), digest_size=16).digest()

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the hand has to be read."""
        return len(self._found) == len(self._kinds)

    def hand(self) -> ReadHand:
        """Return the hand; keep what was read of it."""
        if self._problem is not None:
            return ReadHand(self._played, self._reader, self._problem)
        whole, values = self.is_whole, None
        row_key, *others = self._kinds
        row = self._part(row_key, self._row)
        for key in others:
            values = self._part(key, self._values)
        if self._new and policies_of(self._reader) is not None:
            self._store.keep(self._new)
        file = self._played.history.source.file
        found = [replace(one, file=file) for one in row.problems]
        stop = None if row.complete else found.pop()
        return ReadHand(self._played, self._reader, stop, tuple(found), row, values, was_kept=whole)

    def _part(self, key: bytes, read: Callable[[], Kept], page: bool = False) -> Kept:
        if key not in self._found:
            self._found[key] = read()
            self._new.append((key, self._found[key], page))
        kept: Kept = self._found[key]
        return kept

    @cached_property
    def _analysis(self) -> Analysis:
        played, problem = self._played, self._played.problem
        problem = None if problem is None else replace(problem, file="")
        played = replace(played, history=self._bare, problem=problem)
        return analyze_replay(played, self._reader, self._viewpoint, self._view.ties)

    def _row(self) -> KeptRow:
        read = self._analysis
        row = index_row(read) if read.complete or read.stages else None
        members = {seat: shares.tolist() for seat, shares in read.members.items()}
        return KeptRow(row, read.problems, read.complete, members)

    def _values(self) -> KeptValues:
        terms, read = self._view.decisions, self._analysis
        assert terms is not None
        try:
            found = terms.valued(read, self._seats)
        except PolicyError as error:
            return KeptValues(None, str(error), None)
        own = self._seats == View().valued_seats(read.you)
        return KeptValues(light_values(found.values), "", hand_worth(found) if own else None)


class ShownHand(NamedTuple):
    """What a page of a hand shows; ``values`` is None where decisions are not valued."""

    report: HandReport
    steps: Steps
    values: HandDecisions | None


def shown_hand(
    played: Replay,
    reader: Reader,
    view: View,
    made_by: str = "",
    known: Mapping[int, str] | None = None,
) -> ShownHand:
    """Return what a page of a hand shows, kept from before or made now.

    Args:
        played: The hand; something of it can be shown.
        reader: The reader of the session, with what it learned from the hands before.
        view: How the hand is read; the page has the values of all known players.
        made_by: The command that makes the page again; empty if there is none.
        known: What is known of the players by seat, from the hands before.
    """
    read = analyzed_hand(played, reader, view.viewpoint, view.ties).analysis
    assert read is not None
    report = hand_report(read, view.top, made_by, known or {})
    steps = hand_steps(report, read)
    if view.decisions is None:
        return ShownHand(report, steps, None)
    try:
        values = hand_decisions(report, steps, view.decisions.valued(read))
    except PolicyError as error:
        values = no_decisions(error)
    return ShownHand(report, steps, values)


def light_values(values: HandValues) -> HandValues:
    """Return the values of a hand without the reads after each action, which are large."""
    return replace(values, decisions=tuple(map(_light, values.decisions)))


def _light(value: DecisionValue) -> DecisionValue:
    actions = tuple(replace(action, read=None) for action in value.actions)
    checked = None if value.checked is None else _light(value.checked)
    return replace(value, actions=actions, checked=checked)


def unread(played: Replay, reader: Reader, ties: str) -> Analysis:
    """Return the analysis of a hand without its reads."""
    you = played.history.hero
    return Analysis(played, reader, ties, "public", (), (), (), complete=True, you=you)


AHEAD = 2
"""Hands of each other process that wait for it or are in it."""


def read_in_turn(
    hands: Iterable[Replay], reader: Reader, view: View, helpers: Helpers | None = None
) -> Iterator[ReadHand]:
    """Yield hands as they are read, in order; ``reader`` learns from each for the next.

    ``helpers`` read some of them while this process reads others; they do it alone if they die.
    """
    waiting: deque[tuple[Replay, Future[ReadHand]]] = deque()

    def landed() -> ReadHand:
        nonlocal reader
        played, future = waiting.popleft()
        try:
            hand = future.result()
        except BrokenProcessPool:
            hand = read_hand(played, reader, view)
        reader = hand.after(reader)
        return hand

    for played in hands:
        while waiting and (reader_of_hand(reader, played.history).learns or waiting[0][1].done()):
            yield landed()
        future: Future[ReadHand] = Future()
        in_work = sum(not one.done() for _, one in waiting)
        kept = kept_hand(played, reader, view)
        if kept is None and helpers is not None and in_work < AHEAD * helpers.ready:
            future = helpers.submit(read_hand, played, reader, view)
        else:
            future.set_result(kept or read_hand(played, reader, view))
        waiting.append((played, future))
    while waiting:
        yield landed()
