"""The ranks that cards may have, and tables of the kernels that count hands (3rd to 6th street)."""

from collections.abc import Collection
from functools import cache, lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from handread.arrays import Floats, Ints
from handread.kernels import counting
from handread.kernels.loading import Fixed, Workspace
from handread.kernels.rank_sets import MOST_HIDDEN
from handread.kernels.tables import multiset_indices, multisets
from handread.odds.showdown import SevenTables


class RankSets(NamedTuple):
    """All sets of ranks of one size."""

    ranks: Ints  # ascending in each set (sets, size)
    masks: Ints  # each set as 13 bits (sets,)


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
    """Return the number of ways to draw each multiset of ``size`` ranks from ``cards`` (..., 13).

    The multisets, the last axis, are in the order of ``kernels.tables.multisets``.
    """
    ways = np.ones((*cards.shape[:-1], 1))
    for n in range(1, size + 1):
        rest, top, times = _grown(n)
        # Choosing one more of a rank: C(c, k + 1) = C(c, k) (c - k) / (k + 1).
        ways = ways[..., rest] * np.maximum(cards[..., top] - times + 1, 0) / times
    return ways


HAND_CARDS = 7


def cards_in(cards: Collection[int]) -> int:
    """Return different cards as a 52-bit set."""
    return sum([1 << int(card) for card in cards])


@cache
def unions() -> Fixed:
    """Return the index of the union of each set of ranks with each multiset of at most two.

    One size follows the other, as in ``kernels.counting.UNIONS``.
    """
    indices = [_unions(rank_sets(size).ranks, others) for size, others in counting.UNIONS]
    return Fixed(np.concatenate(indices).astype(np.uint16))


@cache
def _times() -> Fixed:
    """Return the count of the highest rank in each multiset, one size after the other."""
    listed = map(multisets, range(MOST_HIDDEN + 1))
    times = [(ranks == ranks[:, -1:]).sum(axis=1) for ranks in listed]
    return Fixed(np.concatenate(times).astype(np.uint8))


def _unions(in_suit: Ints, others: int) -> Ints:
    """Return the index of the union of each set of ranks with each multiset, row by row."""
    second = multisets(others)
    ranks = np.empty((len(in_suit), len(second), in_suit.shape[1] + others), np.int64)
    ranks[:, :, : in_suit.shape[1]] = in_suit[:, None]
    ranks[:, :, in_suit.shape[1] :] = second
    ranks.sort(axis=2)
    return multiset_indices(ranks).ravel()


_ROOM = Workspace()


def room() -> Fixed:
    """Return the working arrays of ``kernels.counting``."""
    return _ROOM.of(None, _arrays)


def _arrays() -> tuple[Any, ...]:
    n = int(counting.N_MULTISETS[MOST_HIDDEN])
    lowest, sets = np.empty((1, 18, 91)), np.empty((8, int(counting.N_SETS[6])), np.int64)
    return np.empty((13, 13, 13)), np.empty((8, 96)), np.empty((3, n)), lowest, sets


@lru_cache(maxsize=32)
def hidden_ways(unseen: int, n: int) -> Fixed:
    """Return the number of ways to draw each multiset of n ranks from a 52-bit set of cards."""
    ways = np.empty(int(counting.N_MULTISETS[n]))
    _, step, weights, _, _ = room().value
    counting.count_ways(unseen, n, _times(), step, weights, ways)
    return Fixed(ways)


@cache
def _together(size: int, others: tuple[int, ...]) -> Ints:
    """Return the index of the union of each multiset of ``size`` ranks with some others."""
    ranks = multisets(size)
    beside = np.broadcast_to(np.array(others, np.int64), (len(ranks), len(others)))
    return multiset_indices(np.sort(np.hstack([ranks, beside]), axis=1))


@lru_cache(maxsize=1024)
def class_table(table: SevenTables, known: tuple[int, ...]) -> Fixed:
    """Return the classes of seats with some known ranks, ascending, as the kernels take them.

    The first part has the class by ranks of seven cards by the multiset of the others.
    """
    n = HAND_CARDS - len(known)
    # The table is by three ranks and by four. The highest of more than four hidden ranks join the
    # known ones; below them stand the choices of four with none higher.
    n_join = n - 4 if n > 4 else n if n < 4 else 0
    rows = _together(n_join, known[: 3 - n_join])
    if n < 4:
        classes = table.by_ranks[rows, _together(0, known[3 - n :])]
    else:
        tops = multisets(n_join)[:, 0].tolist() if n > 4 else [12]
        parts = zip(rows.tolist(), tops, strict=True)
        classes = np.concatenate([table.by_ranks[row, : comb(top + 4, 4)] for row, top in parts])
    return Fixed((classes, table.by_flush))
