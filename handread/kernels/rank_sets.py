"""Sets of the ranks of a suit, one after the other, and sums over the ranks in them.

A *prefix* is a set without its last rank, the highest. Sets with the same prefix follow one
another: what depends on the prefix alone is kept along the choice of its ranks (``trail``), and
changes from the first rank on that changes.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import inlined, kernel

Array = npt.NDArray[Any]

MOST_HIDDEN = 6
"""The most cards of a hand that are hidden."""

CHOICES = np.array([[comb(n, k) for k in range(MOST_HIDDEN + 1)] for n in range(14)])

ONES, TWOS = 0, 1
"""Sums along a choice of ranks: by the rank of another card not in the suit; by the rank of another
card in it, and last the sums of all pairs of ranks chosen."""

RANKS, PLACES, INDEX, MASK = range(4)
"""Rows of a choice: the ranks that can be chosen; the places among them of those that are,
ascending; the index of the first so many as a set; and the set itself."""


@kernel
def begin_sets(can: int, choice: Array, trail: Array) -> int:
    """Begin to choose from the ranks in a 13-bit set; return their number."""
    n = 0
    for rank in range(13):
        if can >> rank & 1:
            choice[RANKS, n] = rank
            n += 1
    choice[INDEX, 0] = choice[MASK, 0] = 0
    for depth in range(MOST_HIDDEN + 1):
        for rank in range(14):
            trail[ONES, depth, rank] = trail[TWOS, depth, rank] = 0.0
    return n


@kernel
def n_prefixes(n: int, size: int) -> int:
    """Return the number of sets without their last rank; the empty set counts as one."""
    return int(CHOICES[max(n - 1, 0), size - 1]) if size else 1


@inlined
def place_to_move(n: int, size: int, places: Array) -> int:
    """Return the lowest place of a prefix, of sets of ``size``, that changes in the next one."""
    place = size - 2
    while places[place] == n - size + place:
        place -= 1
    return place


@inlined
def choose_next(first: int, again: bool, size: int, choice: Array) -> int:
    """Choose the next prefix of sets of a size, changing its ranks from the place ``first`` on.

    Returns the first place for the last rank.
    """
    places = choice[PLACES]
    for k in range(first, size - 1):
        if k > first:
            places[k] = places[k - 1] + 1
        else:
            places[k] = places[k] + 1 if again else k
        rank = choice[RANKS, places[k]]
        choice[INDEX, k + 1] = choice[INDEX, k] + CHOICES[rank, k + 1]
        choice[MASK, k + 1] = choice[MASK, k] | 1 << rank
    return int(places[size - 2] + 1) if size > 1 else 0


@inlined
def last_rank(place: int, size: int, choice: Array) -> Any:
    """Return the last rank of a set, its index and its mask; 0 for the empty set."""
    if size == 0:
        return 0, 0, 0
    rank = choice[RANKS, place]
    mask = choice[MASK, size - 1] | 1 << rank
    return rank, choice[INDEX, size - 1] + CHOICES[rank, size], mask


@inlined
def sum_along(
    first: int, size: int, choice: Array, ones: bool, one: Array, both: Array, trail: Array
) -> None:
    """Fill the sums over the ranks of a prefix from the place ``first`` on, ``ones`` if asked."""
    for k in range(first, size - 1):
        rank = choice[RANKS, choice[PLACES, k]]
        trail[TWOS, k + 1, 13] = trail[TWOS, k, 13] + trail[TWOS, k, rank]
        for other in range(rank + 1, 13):  # a set has its ranks in order
            trail[TWOS, k + 1, other] = trail[TWOS, k, other] + both[rank, other]
        for other in range(13 if ones else 0):
            trail[ONES, k + 1, other] = trail[ONES, k, other] + one[rank, other]


@inlined
def give_back(
    first: int, size: int, choice: Array, ones: bool, one: Array, both: Array, trail: Array
) -> None:
    """Add the sums of a prefix to the sums of its ranks: ``sum_along`` transposed."""
    for k in range(size - 2, first - 1, -1):
        rank = choice[RANKS, choice[PLACES, k]]
        for other in range(13 if ones else 0):
            some = trail[ONES, k + 1, other]
            one[rank, other] += some
            trail[ONES, k, other] += some
            trail[ONES, k + 1, other] = 0.0
        for other in range(rank + 1, 13):
            some = trail[TWOS, k + 1, other]
            both[rank, other] += some
            trail[TWOS, k, other] += some
            trail[TWOS, k + 1, other] = 0.0
        pairs = trail[TWOS, k + 1, 13]
        trail[TWOS, k, rank] += pairs
        trail[TWOS, k, 13] += pairs
        trail[TWOS, k + 1, 13] = 0.0
