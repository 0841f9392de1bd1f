"""The exact htpd operators of a seat: from pdds to hand types, from hand types to chances.

``H[l, k]`` is the probability that holding l of a seat becomes class k. An operator gives the two
products that an observer needs: ``htpd(pdd)`` is H.T @ pdd (Saund 2006, equation 2),
``chances(values)`` is H @ values. ``Hands`` is the operator of 3rd to 6th street, in the parts
that ``handread.kernels.counting`` describes, ``LastHands`` that of 7th street, where no card is
to come, and ``odds.five_card`` has that of five-card stud. The classes are those of a
``Showdown``, (4824,) in stud high. ``Unseen`` has the cards that an observer has not seen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, Card
from handread.kernels import counting
from handread.kernels import showdown as kernels
from handread.kernels.tables import MULTISETS, N_MULTISETS
from handread.odds.hand_types import class_tables
from handread.odds.showdown import SevenTables, Showdown, showdown_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

HAND_CARDS = 7

_BELOW = np.tri(DECK_SIZE, k=-1, dtype=bool)

SINGLE_CARDS = np.arange(DECK_SIZE)[:, None]
"""The card of each holding of one card, (52, 1)."""

PAIR_CARDS = np.argwhere(_BELOW)[:, ::-1].copy()
"""The two cards of each pair, (1326, 2), ascending, in the order of ``cards.pair_index``."""

TRIPLE_CARDS = np.argwhere(_BELOW[:, :, None] & _BELOW[None, :, :])[:, ::-1].copy()
"""The three cards of each triple, (22100, 3), ascending, as ``cards.triple_index`` counts."""


def holding_cards(size: int) -> npt.NDArray[np.int64]:
    """Return the cards of each holding: of singles (52, 1), pairs (1326, 2), triples (22100, 3)."""
    return {DECK_SIZE: SINGLE_CARDS, N_PAIRS: PAIR_CARDS, N_TRIPLES: TRIPLE_CARDS}[size]


class Unseen:
    """The cards that an observer has not seen, and the counts that all seats of a street share.

    Attributes:
        mask: True for unseen cards (52,).
        cards: The unseen cards, ascending.
        left: 1 for unseen cards, by rank and suit (13, 4).
    """

    def __init__(self, seen: Iterable[Card]) -> None:
        self.mask = np.ones(DECK_SIZE, dtype=bool)
        self.mask[list(seen)] = False
        self.cards = np.flatnonzero(self.mask)
        self.left = self.mask.astype(np.int64).reshape(13, 4)
        self._ways: dict[int, npt.NDArray[np.float32]] = {}

    @property
    def n(self) -> int:
        """The number of unseen cards."""
        return int(self.cards.size)

    @cached_property
    def live_pairs(self) -> npt.NDArray[np.bool_]:
        """True for the pairs (1326,) without a seen card."""
        high, low = PAIR_CARDS[:, 1], PAIR_CARDS[:, 0]
        live: npt.NDArray[np.bool_] = self.mask[high] & self.mask[low]
        return live

    def live(self, size: int) -> npt.NDArray[np.bool_]:
        """Return True for the single cards (52,) or the pairs (1326,) without a seen card."""
        return self.mask if size == DECK_SIZE else self.live_pairs

    def ways(self, m: int, holding: tuple[Card, Card] | None = None) -> npt.NDArray[np.float32]:
        """Return the number of choices of m future cards, (91 rank pairs, multisets of m ranks).

        With ``holding`` only its row is filled; without, the result is kept for other seats.
        """
        if holding is None and m in self._ways:
            return self._ways[m]
        ways = np.zeros((91, N_MULTISETS[m]), dtype=np.float32)
        counting.fill_ways(self.left.sum(axis=1), MULTISETS[m], rank_pairs(holding), ways)
        if holding is None:
            self._ways[m] = ways
        return ways


def rank_pairs(holding: tuple[Card, Card] | None) -> npt.NDArray[np.bool_]:
    """Return True for the rank pairs (91,) to count: that of a holding, or all."""
    wanted = np.full(91, holding is None)
    if holding is not None:
        wanted[_rank_pair(*(card >> 2 for card in holding))] = True
    return wanted


def _rank_pair(*ranks: int) -> int:
    """Return the number of a pair of ranks."""
    low, high = min(ranks), max(ranks)
    return high * (high + 1) // 2 + low


def _classes(up: Sequence[int], pairs: Ints, table: SevenTables) -> npt.NDArray[np.uint16]:
    """Return the class of upcards, rank pair and future ranks, (pairs, multisets).

    ``up`` has the ranks of one to five upcards, ``pairs`` the numbers of the rank pairs.
    """
    found: npt.NDArray[np.uint16]
    merge_22, merge_21 = class_tables().merges
    first = _rank_pair(*up[:2])
    if len(up) == 1:
        found = table.by_ranks[merge_21[pairs, up[0]]]
    elif len(up) == 2:
        found = table.by_ranks_t[merge_22[pairs, first]]
    elif len(up) == 3:
        found = table.by_ranks[merge_21[first, up[2]]][merge_22[pairs]]
    else:
        known = table.by_ranks_t[merge_22[first, _rank_pair(*up[2:4])]]
        found = known[merge_21[pairs] if len(up) == 4 else merge_21[pairs, up[4]][:, None]]
    return found


class _Count(NamedTuple):
    """The classes of a seat's completions by ranks, and the tables of the flush correction."""

    classes: npt.NDArray[np.uint16]  # class by rank pair and future ranks (91, multisets)
    flush: Any  # tables of ``counting.flush_forward``; None where suits do not matter
    no_low: int | None  # first class without a low, as in ``kernels.counting``


class Operator(ABC):
    """The htpd operator of a seat on any street.

    Holdings are single cards (52,), pairs (1326,) or triples (22100,), indexed as in
    ``handread.cards``.
    """

    showdown: Showdown  # the classes of final hands, and what they win
    up: tuple[Card, ...]  # the face-up cards of the seat, the door card first
    unseen: Unseen  # the cards that the observer has not seen
    n_live: int  # the number of holdings without a visible card

    @property
    @abstractmethod
    def live(self) -> npt.NDArray[np.bool_]:
        """True for the holdings without a visible card."""

    @abstractmethod
    def chances(self, values: Floats) -> Floats:
        """Return the expected value of each holding, given ``values`` of the classes."""

    @abstractmethod
    def htpd(self, pdd: Floats) -> Floats:
        """Return the probability of each class under a pdd."""

    def uniform(self) -> Floats:
        """Return the pdd with all live holdings equally likely."""
        return self.live / self.n_live

    @cached_property
    def uniform_htpd(self) -> Floats:
        """The probability of each class when all live holdings are equally likely."""
        return self.htpd(self.uniform())

    def lift(self, pair_pdd: Floats) -> Floats:
        """Return a pdd over the first downcards as a pdd over the holdings of this street."""
        return pair_pdd

    def lift_shares(self, shares: Floats, pair_pdd: Floats) -> Floats:  # noqa: ARG002 - 7th street needs it
        """Return P(member | holding) of a panel, (members, holdings), after ``lift``."""
        return shares

    def pair_marginal(self, pair_pdd: Floats, pdd: Floats) -> Floats:  # noqa: ARG002 - the operator of 7th street needs it
        """Return the pdd over the first downcards; ``pair_pdd`` is that before the lift."""
        return pdd


class Hands(Operator):
    """The operator of a seat with two downcards: 3rd to 6th street, or with a shared last card.

    ``up`` has one to five face-up cards, a shared card included. With ``holding``, the completions
    of this pair alone are counted. The classes of ``showdown`` are by default those of stud high.
    """

    def __init__(
        self,
        unseen: Unseen,
        up: Sequence[Card],
        holding: tuple[Card, Card] | None = None,
        showdown: Showdown | None = None,
    ) -> None:
        cards = np.array(up, dtype=np.int64)
        self.up, self.unseen = tuple(up), unseen
        self.showdown = showdown_of() if showdown is None else showdown
        self._ranks, self._suits = cards >> 2, cards & 3
        m = HAND_CARDS - 2 - len(up)
        self._completions = float(comb(unseen.n - 2, m))
        self._ways = unseen.ways(m, holding)
        wanted = rank_pairs(holding)
        self._counts = [self._count(table, m, wanted) for table in self.showdown.tables]
        self.n_live = comb(unseen.n, 2)

    def _count(self, table: SevenTables, m: int, wanted: npt.NDArray[np.bool_]) -> _Count:
        high = class_tables()
        classes = np.zeros((91, N_MULTISETS[m]), dtype=np.uint16)
        classes[wanted] = _classes(self._ranks.tolist(), np.flatnonzero(wanted), table)
        if table.by_flush is None:
            return _Count(classes, None, None)
        sets = high.sets, high.set_ranks, high.set_fours
        return _Count(classes, (table.by_ranks_t, table.by_flush, high.merges, *sets), table.no_low)

    @property
    def live(self) -> npt.NDArray[np.bool_]:
        """True for the pairs (1326,) without a seen card."""
        return self.unseen.live_pairs

    def chances(self, values: Floats) -> Floats:
        """Return the expected value of each pair (1326,), given ``values`` by class."""
        total = _sum([self._forward(count, values) for count in self._counts])
        total /= self._completions
        return total

    def _forward(self, count: _Count, values: Floats) -> Floats:
        out = np.empty(N_PAIRS)
        counting.forward(
            self.unseen.left,
            self._ranks,
            self._suits,
            self._ways,
            count.classes,
            values,
            count.flush,
            count.no_low,
            out,
        )
        return out

    def htpd(self, pdd: Floats) -> Floats:
        """Return the probability of each class under a pdd over pairs (1326,)."""
        counts = np.zeros(self.showdown.n_classes)
        for count in self._counts:
            counting.adjoint(
                self.unseen.left,
                self._ranks,
                self._suits,
                self._ways,
                count.classes,
                pdd,
                count.flush,
                count.no_low,
                counts,
            )
        # The flush correction subtracts what the rank part added: a class that no holding makes
        # keeps a rounding error of either sign.
        np.maximum(counts, 0.0, out=counts)
        counts /= self._completions
        return counts


def _sum(parts: Sequence[Floats]) -> Floats:
    """Return the sum of arrays, in the first of them."""
    first, *others = parts
    for other in others:
        first += other
    return first


def lifted(cards: npt.NDArray[np.int64], pair_pdd: Floats) -> Floats:
    """Return the pdd over triples (22100,) of unseen cards that follows from one over pairs."""
    out = np.empty(N_TRIPLES)
    kernels.lift_pairs(cards, pair_pdd, out)
    total = out.sum()
    if total > 0:
        out /= total
    return out


class LastHands(Operator):
    """The operator of a seat on 7th street, with three downcards and four upcards."""

    def __init__(
        self, unseen: Unseen, up: Sequence[Card], showdown: Showdown | None = None
    ) -> None:
        cards = np.array(up, dtype=np.int64)
        self.up, self.unseen = tuple(up), unseen
        self.showdown = showdown_of() if showdown is None else showdown
        self._cards = unseen.cards
        self._classes = []
        for table in self.showdown.tables:
            classes = np.empty(N_TRIPLES, dtype=np.int16)
            kernels.triple_classes(
                unseen.cards,
                cards >> 2,
                cards & 3,
                table.by_ranks_t,
                table.by_flush,
                table.no_low,
                classes,
            )
            self._classes.append(classes)
        self.n_live = comb(unseen.n, 3)

    @cached_property
    def live(self) -> npt.NDArray[np.bool_]:
        """True for the triples (22100,) without a seen card."""
        live: npt.NDArray[np.bool_] = self._classes[0] >= 0
        return live

    def chances(self, values: Floats) -> Floats:
        """Return the value of each triple, (22100,), given ``values`` by class."""
        return _sum([self._forward(classes, values) for classes in self._classes])

    def _forward(self, classes: npt.NDArray[np.int16], values: Floats) -> Floats:
        out = np.empty(N_TRIPLES)
        kernels.triple_forward(classes, values, out)
        return out

    def htpd(self, pdd: Floats) -> Floats:
        """Return the probability of each class under a pdd over triples (22100,)."""
        counts = np.zeros(self.showdown.n_classes)
        for classes in self._classes:
            kernels.triple_adjoint(classes, pdd, counts)
        return counts

    def lift(self, pair_pdd: Floats) -> Floats:
        """Return the pdd over triples (22100,) after a third downcard joins a pdd over pairs.

        The weight of a triple is the sum over its three pairs: any of its cards may be the last.
        """
        return lifted(self._cards, pair_pdd)

    def lift_shares(self, shares: Floats, pair_pdd: Floats) -> Floats:
        """Return P(member | triple), the mean over its three pairs, weighted by their probability.

        ``pair_pdd`` is that over the first downcards after the deal.
        """
        joint = shares * pair_pdd
        weights = joint.sum(axis=1)
        lifts = weights[:, None] * np.stack([self.lift(member) for member in joint])
        total = lifts.sum(axis=0)
        # Triples of probability 0 are never used, but their shares must still sum to 1.
        split: Floats = np.broadcast_to(weights[:, None] / weights.sum(), lifts.shape).copy()
        np.divide(lifts, total, out=split, where=total > 0.0)
        return split

    def pair_marginal(self, pair_pdd: Floats, pdd: Floats) -> Floats:
        """Return the pdd over the first two downcards (1326,) under a pdd over triples.

        The probability of a triple is split among its three pairs in proportion to ``pair_pdd``,
        the pdd before the last card.
        """
        out = np.empty(N_PAIRS)
        kernels.pair_marginal(self._cards, pair_pdd, pdd, out)
        return out
