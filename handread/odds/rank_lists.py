"""The ranks that some cards may have, and sums over the pairs of ranks in them."""

from __future__ import annotations

from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats, Ints
from handread.kernels.tables import multiset_indices, multisets

_N_LOW = 6
"""Ranks below this number are low."""


class _Group(NamedTuple):
    """The multisets with some number of low ranks, a row for each choice of them."""

    low: slice  # the rows, among all choices of low ranks
    high: slice  # the columns, among all choices of high ranks
    all: slice  # its multisets, row by row
    shape: tuple[int, int]


class RankMultisets:
    """All multisets of ``size`` ranks, in the order of their number of low ranks.

    With the ranks cut in two, those with k low ranks are a matrix of low ranks and high ranks, and
    sums over the pairs of ranks are products of small matrices.

    Attributes:
        ranks: The ranks of each (multisets, size), ascending.
        held: How often each has each rank (multisets, 13).
    """

    def __init__(self, size: int) -> None:
        halves = [[_chosen(n, ranks) for n in range(size + 1)] for ranks in (_N_LOW, 13 - _N_LOW)]
        self._groups: list[_Group] = []
        low = high = start = 0
        listed = []
        for n in range(size + 1):
            rows, columns = halves[0][n], halves[1][size - n] + _N_LOW
            shape = len(rows), len(columns)
            ends = low + shape[0], high + shape[1], start + shape[0] * shape[1]
            self._groups.append(
                _Group(slice(low, ends[0]), slice(high, ends[1]), slice(start, ends[2]), shape)
            )
            low, high, start = ends
            listed.append(
                np.hstack([np.repeat(rows, shape[1], 0), np.tile(columns, (shape[0], 1))])
            )
        self.ranks: Ints = np.concatenate(listed)
        self.held = _held(self.ranks, 13)
        self._low = np.concatenate([_held(rows, _N_LOW) for rows in halves[0]])
        self._high = np.concatenate([_held(rows, 13 - _N_LOW) for rows in reversed(halves[1])])
        self._low_pairs, self._high_pairs = _pairs(self._low), _pairs(self._high)
        self._high_and_one = np.hstack([self._high, np.ones((len(self._high), 1))])

    @cached_property
    def indices(self) -> Ints:
        """The index of each multiset as in ``kernels.tables``."""
        return multiset_indices(self.ranks)

    @cached_property
    def places(self) -> Ints:
        """The place here of the multiset of each index, the inverse."""
        return np.argsort(self.indices)

    def sums(self, weights: Floats) -> Floats:
        """Return the sums of the weights (multisets,) over the pairs of ranks, (13, 13).

        A multiset counts for each pair of its ranks. The sum of two different ranks is in either
        order of them, or a half in each.
        """
        by_low, by_high = np.empty((len(self._low), 14 - _N_LOW)), np.empty(len(self._high))
        for low, high, every, shape in self._groups:
            group = weights[every].reshape(shape)
            by_low[low] = group @ self._high_and_one[high]
            by_high[high] = group.sum(axis=0)
        found = np.zeros((13, 13))
        found[:_N_LOW, _N_LOW:] = self._low.T @ by_low[:, :-1]
        found[:_N_LOW, :_N_LOW] = (by_low[:, -1] @ self._low_pairs).reshape(_N_LOW, -1)
        found[_N_LOW:, _N_LOW:] = (by_high @ self._high_pairs).reshape(13 - _N_LOW, -1)
        return found

    def spread(self, by_ranks: Floats) -> Floats:
        """Return for each multiset the sum over the pairs of its ranks: ``sums`` transposed.

        ``by_ranks`` (13, 13) is symmetric.
        """
        low = self._low_pairs @ by_ranks[:_N_LOW, :_N_LOW].ravel()
        high = self._high_pairs @ by_ranks[_N_LOW:, _N_LOW:].ravel()
        left = np.column_stack([self._low @ by_ranks[:_N_LOW, _N_LOW:], low, np.ones(low.size)])
        right = np.column_stack([self._high_and_one, high])
        found = np.empty(len(self.ranks))
        for rows, columns, every, shape in self._groups:
            np.matmul(left[rows], right[columns].T, out=found[every].reshape(shape))
        return found


def _chosen(n: int, ranks: int) -> Ints:
    """Return all multisets of n of the first ranks, in rows."""
    found = multisets(n)
    return found[(found < ranks).all(axis=1)]


def _held(rows: Ints, ranks: int) -> Floats:
    held: Floats = (rows[:, :, None] == np.arange(ranks)).sum(axis=1, dtype=np.float64)
    return held


def _pairs(held: Floats) -> Floats:
    """Return how many pairs of ranks each row has, a half in each order, (rows, ranks**2)."""
    pairs = held[:, :, None] * (held[:, None, :] - np.eye(held.shape[1])) / 2
    return pairs.reshape(len(held), -1)


@cache
def rank_multisets(size: int) -> RankMultisets:
    """Return all multisets of ``size`` ranks."""
    return RankMultisets(size)


class RankSets(NamedTuple):
    """All sets of ranks of one size."""

    ranks: Ints  # of each, ascending (sets, size)
    held: Floats  # 1 for its ranks (sets, 13)
    masks: Ints  # it as a 13-bit set (sets,)


@cache
def rank_sets(size: int) -> RankSets:
    """Return all sets of ``size`` ranks."""
    ranks = multisets(size)
    ranks = ranks[(np.diff(ranks, axis=1) > 0).all(axis=1)]
    return RankSets(ranks, _held(ranks, 13), (1 << ranks).sum(axis=1))


class _Grown(NamedTuple):
    """The multisets of some ranks as multisets of one rank less, and their highest rank."""

    rest: Ints  # index of the multiset without the highest rank
    top: Ints  # the highest rank
    times: Ints  # how often it occurs


@cache
def _grown(size: int) -> _Grown:
    ranks = multisets(size)
    times = (ranks == ranks[:, -1:]).sum(axis=1)
    return _Grown(multiset_indices(ranks[:, :-1]), ranks[:, -1].copy(), times)


def choices(cards: Ints, size: int) -> Floats:
    """Return in how many ways each of the ``rank_multisets`` is drawn from ``cards`` (13,)."""
    return choices_by_index(cards, size)[rank_multisets(size).indices]


def choices_by_index(cards: Ints, size: int) -> Floats:
    """Return in how many ways multisets of ranks are drawn from cards (..., 13).

    The multisets, the last axis, are in the order of ``kernels.tables.multisets``.
    """
    ways = np.ones((*cards.shape[:-1], 1))
    for n in range(1, size + 1):
        rest, top, times = _grown(n)
        # Choosing one more of a rank: C(c, k + 1) = C(c, k) (c - k) / (k + 1).
        ways = ways[..., rest] * np.maximum(cards[..., top] - times + 1, 0) / times
    return ways
