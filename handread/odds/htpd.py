"""The exact htpd operators of a seat: from a pdd to hand types, and from hand types to chances.

``Unseen`` is what one observer has not seen on one street. ``Hands`` is the matrix H of
one seat before it, kept in parts (see ``handread.kernels.counting``): ``chances(values)`` is
H @ values, ``htpd(pdd)`` is H.T @ pdd (Saund 2006, equation 2), both as probabilities.
On 7th street a seat holds three downcards and nothing is to come: ``LastHands``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import comb
from typing import Protocol

import numpy as np
import numpy.typing as npt

from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, Card
from handread.kernels import counting, showdown
from handread.kernels.tables import MULTISETS, N_MULTISETS
from handread.odds.hand_types import N_CLASSES, class_tables

Floats = npt.NDArray[np.float64]

HAND_CARDS = 7

_BELOW = np.tri(DECK_SIZE, k=-1, dtype=bool)

PAIR_CARDS = np.argwhere(_BELOW)[:, ::-1].copy()
"""The two cards of each pair, (1326, 2), ascending, in the order of ``cards.pair_index``."""

TRIPLE_CARDS = np.argwhere(_BELOW[:, :, None] & _BELOW[None, :, :])[:, ::-1].copy()
"""The three cards of each triple, (22100, 3), ascending, as ``cards.triple_index`` counts."""


def holding_cards(size: int) -> npt.NDArray[np.int64]:
    """The cards of each holding: of pairs (1326, 2) or of triples (22100, 3)."""
    return TRIPLE_CARDS if size == N_TRIPLES else PAIR_CARDS


class Operator(Protocol):
    """What the observer asks of a seat's hands, on any street.

    Holdings are pairs (1326 of them) or triples (22100), by their index in ``handread.cards``.
    """

    @property
    def live(self) -> npt.NDArray[np.bool_]:
        """Which holdings no seen card rules out."""

    def uniform(self) -> Floats:
        """Equal probability for every live holding, 0 for the dead."""

    @property
    def uniform_htpd(self) -> Floats:
        """The probability of each class (4824,) when all live holdings are equally likely."""

    def chances(self, values: Floats) -> Floats:
        """The expected value, per holding, of ``values`` (4824,) over the class it will make."""

    def htpd(self, pdd: Floats) -> Floats:
        """The probability of each class (4824,) under a pdd."""

    def lift(self, pair_pdd: Floats) -> Floats:
        """A pdd over pairs (1326,) as one over this street's holdings."""

    def pair_marginal(self, pair_pdd: Floats, pdd: Floats) -> Floats:
        """The pdd over the first two downcards (1326,), ``pair_pdd`` being that before the lift."""


class Unseen:
    """The cards that an observer has not seen, with the counts shared by all seats of a street.

    ``mask`` (52,) says which they are, ``cards`` lists them, ``left`` (13, 4) has them by rank and
    suit.
    """

    def __init__(self, seen: Iterable[Card]) -> None:
        self.mask = np.ones(DECK_SIZE, dtype=bool)
        self.mask[list(seen)] = False
        self.cards = np.flatnonzero(self.mask)
        self.left = self.mask.astype(np.int64).reshape(13, 4)
        self._ways: dict[int, npt.NDArray[np.float32]] = {}

    @property
    def n(self) -> int:
        """How many cards are unseen."""
        return int(self.cards.size)

    @cached_property
    def live_pairs(self) -> npt.NDArray[np.bool_]:
        """Which pairs (1326,) hold no seen card."""
        high, low = PAIR_CARDS[:, 1], PAIR_CARDS[:, 0]
        live: npt.NDArray[np.bool_] = self.mask[high] & self.mask[low]
        return live

    def ways(self, m: int, holding: tuple[Card, Card] | None = None) -> npt.NDArray[np.float32]:
        """The choices of m future cards by rank pair and future ranks, (91, multisets of m).

        Only the row of ``holding`` is filled when one is given; else all, kept for reuse.
        """
        if holding is None and m in self._ways:
            return self._ways[m]
        wanted = np.ones(91, dtype=bool)
        if holding is not None:
            low, high = sorted(card >> 2 for card in holding)
            wanted[:] = False
            wanted[high * (high + 1) // 2 + low] = True
        ways = np.zeros((91, N_MULTISETS[m]), dtype=np.float32)
        counting.fill_ways(self.left.sum(axis=1), MULTISETS[m], wanted, ways)
        if holding is None:
            self._ways[m] = ways
        return ways


class Hands:
    """The hands that a seat may hold and make, 3rd to 6th street (or with a shared 7th card).

    ``up`` are the seat's face-up cards, one to five, a shared card included. With
    ``holding`` only that pair's completions are counted.
    """

    def __init__(
        self, unseen: Unseen, up: Sequence[Card], holding: tuple[Card, Card] | None = None
    ) -> None:
        tables = class_tables()
        cards = np.array(up, dtype=np.int64)
        self._unseen = unseen
        self._ranks, self._suits = cards >> 2, cards & 3
        m = HAND_CARDS - 2 - len(up)
        self._completions = float(comb(unseen.n - 2, m))
        self._ways = unseen.ways(m, holding)
        self._classes = np.zeros((91, N_MULTISETS[m]), dtype=np.uint16)
        counting.fill_classes(
            self._ranks, tables.by_ranks, tables.by_ranks_t, tables.merges, self._classes
        )
        self._flush = (
            tables.by_ranks_t,
            tables.by_flush,
            tables.merges,
            tables.sets,
            tables.set_ranks,
            tables.set_fours,
        )
        self.n_live = comb(unseen.n, 2)

    @property
    def live(self) -> npt.NDArray[np.bool_]:
        """Which pairs (1326,) hold no seen card."""
        return self._unseen.live_pairs

    def uniform(self) -> Floats:
        """Equal probability for every live pair, (1326,)."""
        return self.live / self.n_live

    @cached_property
    def uniform_htpd(self) -> Floats:
        """The probability of each class (4824,) when all live pairs are equally likely."""
        return self.htpd(self.uniform())

    def chances(self, values: Floats) -> Floats:
        """The expected value, per pair (1326,), of ``values`` (4824,) over its completions."""
        out = np.empty(N_PAIRS)
        counting.forward(
            self._unseen.left,
            self._ranks,
            self._suits,
            self._ways,
            self._classes,
            values,
            self._flush,
            out,
        )
        out /= self._completions
        return out

    def htpd(self, pdd: Floats) -> Floats:
        """The probability of each class (4824,) under a pdd over pairs (1326,)."""
        counts = np.zeros(N_CLASSES)
        counting.adjoint(
            self._unseen.left,
            self._ranks,
            self._suits,
            self._ways,
            self._classes,
            pdd,
            self._flush,
            counts,
        )
        # The correction takes away what the rank part put in; a class that none makes is
        # left with a rounding error of either sign.
        np.maximum(counts, 0.0, out=counts)
        counts /= self._completions
        return counts

    def lift(self, pair_pdd: Floats) -> Floats:
        """The pdd itself: a seat still holds two downcards."""
        return pair_pdd

    def pair_marginal(self, pair_pdd: Floats, pdd: Floats) -> Floats:  # noqa: ARG002 - the operator of 7th street needs it
        """The pdd itself: a seat still holds two downcards."""
        return pdd


class LastHands:
    """The hands that a seat may hold on 7th street, three downcards and four upcards."""

    def __init__(self, unseen: Unseen, up: Sequence[Card]) -> None:
        tables = class_tables()
        cards = np.array(up, dtype=np.int64)
        self._cards = unseen.cards
        self._classes = np.empty(N_TRIPLES, dtype=np.int16)
        showdown.triple_classes(
            unseen.cards, cards >> 2, cards & 3, (tables.by_ranks_t, tables.by_flush), self._classes
        )
        self.n_live = comb(unseen.n, 3)

    @cached_property
    def live(self) -> npt.NDArray[np.bool_]:
        """Which triples (22100,) hold no seen card."""
        live: npt.NDArray[np.bool_] = self._classes >= 0
        return live

    def uniform(self) -> Floats:
        """Equal probability for every live triple, (22100,)."""
        return self.live / self.n_live

    @cached_property
    def uniform_htpd(self) -> Floats:
        """The probability of each class (4824,) when all live triples are equally likely."""
        return self.htpd(self.uniform())

    def chances(self, values: Floats) -> Floats:
        """The value of each triple's class, (22100,)."""
        out = np.empty(N_TRIPLES)
        showdown.triple_forward(self._classes, values, out)
        return out

    def htpd(self, pdd: Floats) -> Floats:
        """The probability of each class (4824,) under a pdd over triples (22100,)."""
        counts = np.zeros(N_CLASSES)
        showdown.triple_adjoint(self._classes, pdd, counts)
        return counts

    def lift(self, pair_pdd: Floats) -> Floats:
        """The pdd over triples (22100,) when a card unknown to all joins a pdd over pairs.

        Each triple weighs the sum over its three pairs: the betting so far was about two of
        its cards, and any of the three may be the last.
        """
        out = np.empty(N_TRIPLES)
        showdown.lift_pairs(self._cards, pair_pdd, out)
        total = out.sum()
        if total > 0:
            out /= total
        return out

    def pair_marginal(self, pair_pdd: Floats, pdd: Floats) -> Floats:
        """The pdd over the first two downcards (1326,) under a pdd over triples.

        ``pair_pdd`` is the pdd before the last card: each triple's probability is split among
        its three pairs in proportion to it.
        """
        out = np.empty(N_PAIRS)
        showdown.pair_marginal(self._cards, pair_pdd, pdd, out)
        return out
