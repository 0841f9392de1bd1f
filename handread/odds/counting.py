"""Exact counts of the classes that the hands of a seat can make (3rd to 6th street).

Of the seven cards of a seat u are known and n = 7 - u are *hidden*: two downcards and the cards to
come. The hidden hands are counted in two steps:

* Ranks. If suits did not matter, the class would depend on the known ranks and on the multiset G of
  hidden ranks alone: ``HiddenCards.ways[G]`` hidden hands each.
* Flush correction, suit by suit. Let A be the ranks of the hidden cards in the suit and O those of
  the others. With the known cards there are five or more of the suit, so O has at most two ranks.
  Every (A, O) moves its hidden hands from the class of G = A + O to that of the flush.

A hand of seven with a flush has neither quads nor a full house, so the flush class depends on the
suited ranks alone. Everything is exact: counts are integers far below 2**53.

The completions of one pair of downcards are a part of the hidden hands. By symmetry, a pair of
ranks ab has as many of the hands of G as ab can be picked from G, over the number of such pairs in
the deck. With a flush, a pair has both cards in A, one in A and one in O, or both in O. So it is
enough to sum by the ranks of pairs: ``PairSums`` has these sums, and what they mean for the pairs
of cards. The products with H, the matrix of completions by pair and class, are then

    H @ values:  values of classes -> of every G and (A, O) -> sums by ranks -> pairs
    H.T @ pdd:   pdd of pairs -> sums by ranks -> weight of every G and (A, O) -> classes

and each arrow of one is the transpose of an arrow of the other.

For an ace-to-five low, the rank part is all. In a game that splits the pot, the classes of the
high hand come twice: those from ``no_low`` on are the hands without a qualifying low. A flush
replaces a class with a low by the flush class F, and one without by F + ``no_low``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats, Ints
from handread.kernels.tables import multiset_indices
from handread.odds.rank_lists import choices, rank_multisets, rank_sets
from handread.odds.showdown import SevenTables

HAND_CARDS = 7

_HIGH, _LOW = np.nonzero(np.tri(52, k=-1, dtype=bool))
_SUITS = _LOW & 3, _HIGH & 3
_RANKS = _LOW >> 2, _HIGH >> 2
_PLACES = np.ravel_multi_index((*_SUITS, *_RANKS), (4, 4, 13, 13))
_MIRRORED = np.ravel_multi_index((*_SUITS[::-1], *_RANKS[::-1]), (4, 4, 13, 13))
"""The places of pairs (1326,) in an array by two suits and two ranks, in either order."""


def _parts_of_suits() -> Floats:
    """Return which parts of ``PairSums`` (13,) count for two suits (16,): 1 or 0."""
    first, second = np.divmod(np.arange(16), 4)
    suit = np.arange(4)[:, None]
    none = (first != suit) & (second != suit)
    one = (first == suit) & (second != suit)
    both = (first == suit) & (second == suit)
    every = np.ones((1, 16), dtype=bool)
    return np.concatenate([every, none, one, both]).astype(np.float64)


_PARTS = _parts_of_suits()


class PairSums:
    """Sums over pairs of cards by their two ranks, (13, 13) each.

    Attributes:
        all: Of all pairs, for the rank part.
        none: By suit (4, 13, 13), of the pairs without a card of the suit.
        one: Of those with one; the first rank is that of the card in the suit.
        both: Of those with both.
    """

    def __init__(self, parts: Floats | None = None) -> None:
        self._parts = np.zeros((13, 13, 13)) if parts is None else parts
        self.all = self._parts[0]
        self.none, self.one, self.both = self._parts[1:5], self._parts[5:9], self._parts[9:]

    @classmethod
    def of_pairs(cls, pdd: Floats) -> PairSums:
        """Return the sums of a pdd (1326,); a pair counts in either order of its cards."""
        by_suits = np.zeros((16, 169))
        by_suits.ravel()[_PLACES] = pdd
        by_suits.ravel()[_MIRRORED] = pdd
        return cls((_PARTS @ by_suits).reshape(13, 13, 13))

    def pairs(self) -> Floats:
        """Return for each pair (1326,) the sum of what it takes part in, in either order."""
        by_suits = (_PARTS.T @ self._parts.reshape(13, 169)).ravel()
        total: Floats = by_suits[_PLACES]
        total += by_suits[_MIRRORED]
        return total


@cache
def _unions(in_suit: int, others: int) -> Ints:
    """Return the place of the union of each set of ranks with each multiset, (sets, multisets)."""
    first, second = rank_sets(in_suit).ranks, rank_multisets(others).ranks
    ranks = np.empty((len(first), len(second), in_suit + others), np.int64)
    ranks[:, :, :in_suit] = first[:, None]
    ranks[:, :, in_suit:] = second
    ranks.sort(axis=2)
    return rank_multisets(in_suit + others).places[multiset_indices(ranks)]


class _Suited:
    """The (A, O) of a suit for one size of A, in rows and columns.

    Attributes:
        sets: A as 13-bit sets (rows,).
        together: Index of the multiset A + O (rows, columns).
        ways: The number of choices of O (columns,).
        ways_of_rest: The number with one card given, by its rank (columns, 13).
        n_others: The number of ranks in O, 0 to 2.
        holds: 1 for the ranks in A (rows, 13).
    """

    def __init__(self, in_suit: Ints, off: Ints, size: int, n_others: int) -> None:
        found = rank_sets(size)
        rows = np.flatnonzero(found.masks & ~int(in_suit @ (1 << np.arange(13))) == 0)
        self.sets, self.holds = found.masks[rows], found.held[rows]
        self.together = _unions(size, n_others)[rows]
        self.n_others = n_others
        self._n_multisets = len(rank_multisets(size + n_others).ranks)
        others = rank_multisets(n_others)
        self.ways = choices(off, n_others)
        self.ways_of_rest = self.ways[:, None] * others.held / np.maximum(off, 1)

    @cached_property
    def moved(self) -> Floats:
        """The number of hidden hands of each multiset (multisets,) that are flushes."""
        ways = np.broadcast_to(self.ways, self.together.shape)
        moved = np.zeros(self._n_multisets)
        moved += np.bincount(self.together.ravel(), ways.ravel(), moved.size)
        return moved


@lru_cache(maxsize=8)
def hidden_cards(unseen: bytes, n: int) -> HiddenCards:
    """Return n hidden cards of some unseen cards, given as the bytes of ``Unseen.mask``."""
    return HiddenCards(np.frombuffer(unseen, dtype=bool).reshape(13, 4).astype(np.int64), n)


class HiddenCards:
    """The n hidden cards of a seat: what all seats with as many upcards share on a street.

    ``left`` (13, 4) is 1 for the cards that may be hidden.
    """

    def __init__(self, left: Ints, n: int) -> None:
        self.n, self.lists = n, rank_multisets(n)
        self._left, self._of_rank = left, left.sum(axis=1)
        self._suited: dict[tuple[int, int], _Suited] = {}
        self.ways = choices(self._of_rank, n)

    @cached_property
    def per_pair(self) -> Floats:
        """One over the number of pairs of cards by their ranks, in either order (13, 13)."""
        pairs = np.outer(self._of_rank, self._of_rank) - np.diag(self._of_rank)
        shares = np.zeros((13, 13))
        np.divide(1.0, pairs, out=shares, where=pairs > 0)
        return shares

    def suited(self, suit: int, size: int) -> _Suited:
        """Return the (A, O) of a suit with so many ranks in A."""
        found = self._suited.get((suit, size))
        if found is None:
            in_suit = self._left[:, suit]
            found = _Suited(in_suit, self._of_rank - in_suit, size, self.n - size)
            self._suited[suit, size] = found
        return found


_TWO = tuple(rank_multisets(2).ranks.T)


def _once(sums: Floats) -> Floats:
    """Return sums by two ranks (91,), each counted once: two cards of a rank are in it twice."""
    return np.where(_TWO[0] == _TWO[1], sums / 2, sums)


@lru_cache(maxsize=1024)
def _classes(table: SevenTables, known: tuple[int, ...]) -> Ints:
    """Return the class by ranks of seven cards with ``known`` ranks, by multiset of the others."""
    n = HAND_CARDS - len(known)
    ranks = rank_multisets(n).ranks
    alone = np.empty((len(ranks), HAND_CARDS), np.int64)
    alone[:, :n] = ranks
    alone[:, n:] = known
    three, four = (slice(4, None), slice(4)) if n >= 4 else (slice(3), slice(3, None))
    parts = [np.sort(alone[:, part], axis=1) for part in (three, four)]
    return table.by_ranks[multiset_indices(parts[0]), multiset_indices(parts[1])].astype(np.int64)


class _Flushes(NamedTuple):
    """The (A, O) of a suit, and the classes of their flushes."""

    suit: int
    suited: _Suited
    classes: Ints  # (rows, 1), or (rows, columns) where they depend on the low


class ClassCounts:
    """The hidden hands of a seat by class, for one of the tables of its game.

    ``known`` are the other cards of the seat.
    """

    def __init__(self, hidden: HiddenCards, known: Sequence[int], table: SevenTables) -> None:
        self._hidden = hidden
        self._classes = _classes(table, tuple(sorted(card >> 2 for card in known)))
        self._flushes: list[_Flushes] = []
        for suit in range(4 if table.by_flush is not None else 0):
            own = [card >> 2 for card in known if card & 3 == suit]
            for size in range(max(5 - len(own), 0), hidden.n + 1):
                suited = hidden.suited(suit, size)
                sets = (suited.sets | sum(1 << rank for rank in own))[:, None]
                classes = table.flush_classes(sets, self._classes, suited.together)
                self._flushes.append(_Flushes(suit, suited, classes))

    def add_values(self, values: Floats, sums: PairSums) -> None:
        """Add the hands of pairs, weighted by the ``values`` of their classes, to ``sums``."""
        hidden = self._hidden
        by_ranks = values[self._classes]
        sums.all += hidden.lists.sums(hidden.ways * by_ranks) * hidden.per_pair
        for suit, suited, classes in self._flushes:
            gains = values[classes] - by_ranks[suited.together]
            both = gains @ suited.ways
            sums.both[suit] += (suited.holds * both[:, None]).T @ suited.holds / 2
            if suited.n_others >= 1:
                sums.one[suit] += suited.holds.T @ gains @ suited.ways_of_rest
            if suited.n_others == 2:
                sums.none[suit][_TWO] += _once(gains.sum(axis=0))

    def add_pairs(self, sums: PairSums, counts: Floats) -> None:
        """Add the hands of pairs, weighted by the pdd of ``sums``, to ``counts`` (classes,)."""
        hidden = self._hidden
        weights = hidden.ways * hidden.lists.spread(sums.all * hidden.per_pair)
        moved = [np.zeros(0)]
        for suit, suited, classes in self._flushes:
            both = np.einsum("ar,ar->a", suited.holds @ sums.both[suit], suited.holds) / 2
            each = both[:, None] * suited.ways
            if suited.n_others >= 1:
                each += suited.holds @ (sums.one[suit] @ suited.ways_of_rest.T)
            if suited.n_others == 2:
                each += _once(sums.none[suit][_TWO])
            moved.append(each.ravel())
            _add_flushes(each, classes, counts)
        weights -= np.bincount(self._together, np.concatenate(moved), weights.size)
        counts += np.bincount(self._classes, weights, counts.size)

    @cached_property
    def _together(self) -> Ints:
        """The places of A + O of all suits, row by row."""
        places = [suited.together.ravel() for _, suited, _ in self._flushes]
        return np.concatenate([np.zeros(0, np.int64), *places])

    def add_all(self, counts: Floats) -> None:
        """Add the number of hidden hands of each class to ``counts`` (classes,)."""
        weights = self._hidden.ways.copy()
        for _, suited, classes in self._flushes:
            weights -= suited.moved
            if classes.shape[1] == 1:
                counts += np.bincount(classes[:, 0], minlength=counts.size) * suited.ways.sum()
            else:
                _add_flushes(np.broadcast_to(suited.ways, classes.shape), classes, counts)
        counts += np.bincount(self._classes, weights, counts.size)


def _add_flushes(moved: Floats, classes: Ints, counts: Floats) -> None:
    """Add the weights of the hands that are ``moved`` to the counts of their flushes."""
    flushes = moved if classes.shape == moved.shape else moved.sum(axis=1)
    counts += np.bincount(classes.ravel(), flushes.ravel(), counts.size)
