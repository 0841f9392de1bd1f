"""The ranks that some cards may have."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats, Ints
from handread.kernels.tables import multiset_indices, multisets


class RankSets(NamedTuple):
    """All sets of ranks of one size."""

    ranks: Ints  # of each, ascending (sets, size)
    masks: Ints  # it as a 13-bit set (sets,)


@cache
def rank_sets(size: int) -> RankSets:
    """Return all sets of ``size`` ranks."""
    ranks = multisets(size)
    ranks = ranks[(np.diff(ranks, axis=1) > 0).all(axis=1)]
    return RankSets(ranks, (1 << ranks).sum(axis=1))


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
