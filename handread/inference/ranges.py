"""Ranges of a read under the uncertainty of fitted parameters.

A hand is read with many draws of the policies' parameters. The operators between pdds and htpds are
shared with the analysis: they depend on the cards alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

import handread.inference.observer as observer
from handread.arrays import Floats
from handread.cards import Card
from handread.game.steps import Replay, StreetRecord
from handread.inference.players import PlayerModels
from handread.inference.viewpoint import Viewpoint, pdd_from
from handread.odds.holdings import kind_table, kind_weights
from handread.odds.htpd import Htpds, Operator, SeatView

_T = TypeVar("_T")

LEVEL = 0.9
"""Share of the draws within a range."""


class Range(NamedTuple):
    """The ends of a range of a probability."""

    low: float
    high: float


def ranges_of(names: Iterable[_T], drawn: Floats, read: Floats) -> dict[_T, Range]:
    """Return the ranges of probabilities by name, without those that are 0 in all draws.

    Probabilities of one name are added up, in ``drawn`` (draws, names) and ``read`` (names,). The
    ends of a range are quantiles of the draws. The read, by the most probable parameters, is always
    in it.
    """
    place: dict[_T, int] = {}
    number = [place.setdefault(name, len(place)) for name in names]
    rows = np.vstack([read, drawn])
    total = np.stack([np.bincount(number, row, len(place)) for row in rows])
    ends = np.quantile(total[1:], ((1.0 - LEVEL) / 2, (1.0 + LEVEL) / 2), axis=0)
    low, high = np.minimum(ends[0], total[0]).tolist(), np.maximum(ends[1], total[0]).tolist()
    return {name: Range(low[i], high[i]) for name, i in place.items() if total[:, i].any()}


Point = tuple[int, int]
"""A point of a hand: number of the street, and number of actions on it."""


class DrawnReads:
    """The reads of a hand by draws of its players' policies, deal by deal and action by action."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[Point, int], list[Floats]] = {}
        self._chances: dict[Point, list[dict[int, float]]] = {}

    def add_kinds(self, point: Point, seat: int, weights: Floats) -> None:
        """Add the probability of each kind of holding of a seat by one draw."""
        self._kinds.setdefault((point, seat), []).append(weights)

    def add_chances(self, point: Point, chances: dict[int, float]) -> None:
        """Add the chances to win by one draw."""
        self._chances.setdefault(point, []).append(chances)

    def kinds(self, point: Point, seat: int) -> Floats | None:
        """Return the kinds' probabilities (draws, kinds) of a seat when they last changed."""
        street, actions = point
        while actions and ((street, actions), seat) not in self._kinds:
            actions -= 1
        rows = self._kinds.get(((street, actions), seat))
        return None if rows is None else np.array(rows)

    def chances(self, point: Point, read: Mapping[int, float]) -> dict[int, Range]:
        """Return the range of each chance to win, by seat."""
        drawn = self._chances.get(point, [])
        if not drawn:
            return {}
        rows = np.array([[each[seat] for seat in read] for each in drawn])
        return ranges_of(read, rows, np.array(list(read.values())))


def drawn_reads(
    replay: Replay,
    players: PlayerModels,
    viewpoint: Viewpoint,
    ties: observer.TieRule,
    observed: Sequence[observer.ObservedStreet],
    operators: Sequence[Mapping[int, Operator]],
) -> DrawnReads:
    """Read a hand by each draw of the policies of its players.

    ``observed`` are the streets as read with the fitted parameters, ``operators`` by street the
    seats' operators from the viewpoint.
    """
    reads = DrawnReads()
    for i in range(players.draws):
        who, belief = players.draw(i), None
        for street, seen, hands in zip(replay.streets, observed, operators, strict=False):
            belief, _ = observer.deal(belief, street, seen.dealt.hands)
            view = _DrawnView(reads, street, viewpoint.on(street.number), hands)
            for seat in street.active:
                view.add(0, seat, belief.seats[seat])
            view.add_chances(0, ties)
            for n, decision in enumerate(street.decisions, 1):
                belief, update = observer.observe(belief, decision, who.of(decision.seat), ties)
                view.add(n, decision.seat, update.view, decision.action == "fold")
                view.add_chances(n, ties)
    return reads


class _DrawnView:
    """The reads of a street by one draw, from a viewpoint."""

    def __init__(
        self,
        found: DrawnReads,
        street: StreetRecord,
        known: Mapping[int, tuple[Card, ...]],
        operators: Mapping[int, Operator],
    ) -> None:
        self._found = found
        self._street = street
        self._known = known
        self._operators = operators
        self._seats: dict[int, SeatView] = {}

    def add(self, n: int, seat: int, view: SeatView, folded: bool = False) -> None:
        """Add how the public sees a seat after n actions, the last perhaps its fold."""
        operator = self._operators[seat]
        if self._known:
            seen = observer.visible_cards(self._street)
            view = SeatView(operator, partial(pdd_from, view.pdd, seat, self._known, seen))
        table = kind_table(view.pdd.size, operator.up, operator.showdown.game.key)
        # Only kinds of final hands need the htpd.
        weights = kind_weights(table, view.pdd, view.htpd if table.complete else np.empty(0))
        self._found.add_kinds((self._street.number, n), seat, weights)
        self._seats[seat] = view
        if folded:
            del self._seats[seat]

    def add_chances(self, n: int, ties: observer.TieRule) -> None:
        """Add the chances to win after n actions."""
        showdown = next(iter(self._operators.values())).showdown
        chances = observer.chances_to_win(Htpds(self._seats), ties, showdown=showdown)
        self._found.add_chances((self._street.number, n), chances)
