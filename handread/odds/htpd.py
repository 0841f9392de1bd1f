"""The exact htpd operators of a seat: from pdds to hand types, from hand types to chances.

``H[l, k]`` is the probability that holding l of a seat becomes class k. An operator gives the two
products that an observer needs: ``htpd(pdd)`` is H.T @ pdd (Saund 2006, equation 2),
``chances(values)`` is H @ values. ``Hands`` is the operator of 3rd to 6th street, counted as
``odds.counting`` describes, ``LastHands`` that of 7th street, where no card is to come, and
``odds.five_card`` has that of five-card stud. The classes are those of a ``Showdown``, (4824,) in
stud high. ``Unseen`` has the cards that an observer has not seen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt

from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, Card
from handread.kernels.tables import multiset_indices
from handread.odds.counting import HAND_CARDS, ClassCounts, HiddenCards, PairSums
from handread.odds.showdown import SevenTables, Showdown, showdown_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_BELOW = np.tri(DECK_SIZE, k=-1, dtype=bool)

SINGLE_CARDS = np.arange(DECK_SIZE)[:, None]
"""The card of each holding of one card, (52, 1)."""

PAIR_CARDS = np.argwhere(_BELOW)[:, ::-1].copy()
"""The two cards of each pair, (1326, 2), ascending, in the order of ``cards.pair_index``."""

TRIPLE_CARDS = np.argwhere(_BELOW[:, :, None] & _BELOW[None, :, :])[:, ::-1].copy()
"""The three cards of each triple, (22100, 3), ascending, as ``cards.triple_index`` counts."""


def _pairs_of_triples() -> Ints:
    low, high = TRIPLE_CARDS[:, [0, 0, 1]].T, TRIPLE_CARDS[:, [1, 2, 2]].T
    return high * (high - 1) // 2 + low


PAIRS_OF_TRIPLE = _pairs_of_triples()
"""The three pairs of each triple, (3, 22100), as ``cards.pair_index`` counts."""


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
        self._hidden: dict[int, HiddenCards] = {}

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

    @cached_property
    def live_triples(self) -> Ints:
        """The places of the triples without a seen card."""
        return np.flatnonzero(self.mask[TRIPLE_CARDS].all(axis=1))

    def hidden(self, n: int) -> HiddenCards:
        """Return the counts of n hidden cards, which seats with as many upcards share."""
        if n not in self._hidden:
            self._hidden[n] = HiddenCards(self.left, n)
        return self._hidden[n]


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

    ``up`` has one to five face-up cards, a shared card included. The classes of ``showdown`` are by
    default those of stud high.
    """

    def __init__(
        self, unseen: Unseen, up: Sequence[Card], showdown: Showdown | None = None
    ) -> None:
        self.up, self.unseen = tuple(up), unseen
        self.showdown = showdown_of() if showdown is None else showdown
        self._n_hidden = HAND_CARDS - len(up)
        self._completions = float(comb(unseen.n - 2, self._n_hidden - 2))
        self.n_live = comb(unseen.n, 2)

    @cached_property
    def _counts(self) -> list[ClassCounts]:
        hidden = self.unseen.hidden(self._n_hidden)
        return [ClassCounts(hidden, self.up, table) for table in self.showdown.tables]

    @property
    def live(self) -> npt.NDArray[np.bool_]:
        """True for the pairs (1326,) without a seen card."""
        return self.unseen.live_pairs

    def chances(self, values: Floats) -> Floats:
        """Return the expected value of each pair (1326,), given ``values`` >= 0 by class."""
        sums = PairSums()
        for count in self._counts:
            count.add_values(values, sums)
        total = sums.pairs() / self._completions
        total[~self.live] = 0.0
        np.maximum(total, 0.0, out=total)  # as in ``_probabilities``
        return total

    def htpd(self, pdd: Floats) -> Floats:
        """Return the probability of each class under a pdd over pairs (1326,)."""
        held = np.flatnonzero(pdd)
        if held.size == 1:
            return self._htpd_of_pair(PAIR_CARDS[held[0]]) * float(pdd[held[0]])
        counts = np.zeros(self.showdown.n_classes)
        sums = PairSums.of_pairs(pdd)
        for count in self._counts:
            count.add_pairs(sums, counts)
        return self._probabilities(counts, self._completions)

    def _htpd_of_pair(self, pair: Ints) -> Floats:
        """Return the probability of each class with a pair: its cards are known, too."""
        left = self.unseen.left.copy()
        left[pair >> 2, pair & 3] = 0
        known = [*self.up, *pair.tolist()]
        return self._htpd_of_known(HiddenCards(left, self._n_hidden - 2), known, self._completions)

    @cached_property
    def uniform_htpd(self) -> Floats:
        """The probability of each class when all live holdings are equally likely."""
        hidden = self.unseen.hidden(self._n_hidden)
        return self._htpd_of_known(hidden, self.up, float(comb(self.unseen.n, hidden.n)))

    def _htpd_of_known(self, hidden: HiddenCards, known: Sequence[int], n_hands: float) -> Floats:
        counts = np.zeros(self.showdown.n_classes)
        for table in self.showdown.tables:
            ClassCounts(hidden, known, table).add_all(counts)
        return self._probabilities(counts, n_hands)

    @staticmethod
    def _probabilities(counts: Floats, n_hands: float) -> Floats:
        # The flush correction subtracts what the rank part added: a class that no holding makes
        # keeps a rounding error of either sign.
        np.maximum(counts, 0.0, out=counts)
        counts /= n_hands
        return counts


def lifted(unseen: Unseen, pair_pdd: Floats) -> Floats:
    """Return the pdd over triples (22100,) of unseen cards that follows from one over pairs."""
    live = unseen.live_triples
    out = np.zeros(N_TRIPLES)
    out[live] = pair_pdd[PAIRS_OF_TRIPLE[:, live]].sum(axis=0)
    total = out.sum()
    if total > 0:
        out /= total
    return out


def triple_classes(triples: Ints, up: Sequence[Card], table: SevenTables) -> Ints:
    """Return the class of some triples (n,), given by their places, with four upcards."""
    cards, shown = TRIPLE_CARDS[triples], np.sort(np.array(up)) >> 2
    by_ranks = table.by_ranks[:, multiset_indices(shown)].astype(np.int64)
    classes: Ints = by_ranks[multiset_indices(cards >> 2)]
    for suit in range(4 if table.by_flush is not None else 0):
        own = [card >> 2 for card in up if card & 3 == suit]
        if len(own) < 2:
            continue
        suited = cards & 3 == suit
        rows = np.flatnonzero(suited.sum(axis=1) + len(own) >= 5)
        sets = (suited[rows] << (cards[rows] >> 2)).sum(axis=1) | sum(1 << rank for rank in own)
        classes[rows] = table.flush_classes(sets, classes[rows])
    return classes


class LastHands(Operator):
    """The operator of a seat on 7th street, with three downcards and four upcards."""

    def __init__(
        self, unseen: Unseen, up: Sequence[Card], showdown: Showdown | None = None
    ) -> None:
        self.up, self.unseen = tuple(up), unseen
        self.showdown = showdown_of() if showdown is None else showdown
        self._triples = unseen.live_triples
        self._classes = [triple_classes(self._triples, up, table) for table in self.showdown.tables]
        self.n_live = self._triples.size

    @cached_property
    def live(self) -> npt.NDArray[np.bool_]:
        """True for the triples (22100,) without a seen card."""
        live = np.zeros(N_TRIPLES, dtype=bool)
        live[self._triples] = True
        return live

    def chances(self, values: Floats) -> Floats:
        """Return the value of each triple, (22100,), given ``values`` by class."""
        out = np.zeros(N_TRIPLES)
        for classes in self._classes:
            out[self._triples] += values[classes]
        return out

    def htpd(self, pdd: Floats) -> Floats:
        """Return the probability of each class under a pdd over triples (22100,)."""
        counts = np.zeros(self.showdown.n_classes)
        for classes in self._classes:
            counts += np.bincount(classes, pdd[self._triples], counts.size)
        return counts

    def lift(self, pair_pdd: Floats) -> Floats:
        """Return the pdd over triples (22100,) after a third downcard joins a pdd over pairs.

        The weight of a triple is the sum over its three pairs: any of its cards may be the last.
        """
        return lifted(self.unseen, pair_pdd)

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
        pairs = PAIRS_OF_TRIPLE[:, self._triples]
        parts = pair_pdd[pairs]
        weights = parts.sum(axis=0)
        shares = np.zeros(weights.size)
        np.divide(pdd[self._triples], weights, out=shares, where=weights > 0.0)
        marginal = np.zeros(N_PAIRS)
        marginal += np.bincount(pairs.ravel(), (shares * parts).ravel(), N_PAIRS)
        return marginal
