"""Sets of the ranks of a suit as lists, and sums over the ranks in them.

The ranks that can be chosen have *places*, ascending. Sets of a size are in the order of their
highest place, then of the next: sets with the highest place t follow one another, as many as there
are sets of one place less below t, and in the order of these. So what is known of smaller sets is
carried to larger ones, or gathered from them, in long loops without branches.
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

CHOICES = np.array([[comb(n, k) for k in range(MOST_HIDDEN + 2)] for n in range(14)])

RANKS, SETS = 0, 1
"""Rows of a choice: the ranks that can be chosen; and from SETS on the sets of each size. A set is
one number: its index among all sets of so many ranks, its mask and the mask of its places."""

MASK, PLACES = 16, 32
INDEX, BITS = (1 << 16) - 1, (1 << 13) - 1
"""Where the masks of a set begin; the bits of the index, and of a mask."""


@inlined
def n_pairs(highest: int) -> int:
    """Return the number of multisets of two ranks up to one."""
    return (highest + 1) * (highest + 2) // 2


@kernel
def list_sets(can: int, most: int, choice: Array) -> int:
    """List the sets of up to ``most`` of the ranks in a 13-bit set; return their number."""
    ranks, n = choice[RANKS], 0
    for rank in range(13):
        if can >> rank & 1:
            ranks[n] = rank
            n += 1
    choice[SETS, 0] = 0
    for size in range(1, most + 1):
        fewer, sets = choice[SETS + size - 1], choice[SETS + size]
        for top in range(size - 1, n):
            rank, with_top = ranks[top], sets[CHOICES[top, size] :]
            one = CHOICES[rank, size] + (1 << MASK + rank) + (1 << PLACES + top)
            for i in range(CHOICES[top, size - 1]):
                with_top[i] = fewer[i] + one
    return n


@kernel
def sum_sets(n: int, size: int, rows: Array, ranks: Array, one: Array) -> None:
    """Add the row of each set of a size to the row of the set without its last rank.

    They are added to ``one`` at the last rank, too. ``rows`` has one after the other; the rows of
    the smaller sets take their place.
    """
    known = end = 0
    for top in range(size - 1, n):
        start, end = 13 * CHOICES[top, size], 13 * CHOICES[top, size - 1]
        of_top, found = rows[start : start + end], one[ranks[top]]
        for i in range(CHOICES[top, size - 1]):
            row = of_top[13 * i : 13 * i + 13]
            for rank in range(13):
                found[rank] += row[rank]
        for i in range(known):
            rows[i] += of_top[i]
        more, fresh = rows[known:end], of_top[known:]
        for i in range(more.size):
            more[i] = fresh[i]
        known = end
    rows[end : 13 * CHOICES[n, size - 1]] = 0.0


@kernel
def sum_pairs_in(n: int, found: Array, ranks: Array, both: Array) -> None:
    """Add ``found`` of each set, by the mask of its places, to ``both`` at each pair of its ranks.

    ``found`` is overwritten.
    """
    for top in range(n - 1, 0, -1):
        half = found[1 << top : 2 << top]
        for i in range(half.size):
            found[i] += half[i]
        for place in range(top - 1, -1, -1):
            some = 1 << place
            sums = half[some : 2 * some]
            for i in range(some):
                half[i] += sums[i]
            even = odd = 0.0
            for i in range(some):
                even, odd = odd, even + sums[i]
            both[ranks[place], ranks[top]] += even + odd


@kernel
def spread_sets(n: int, size: int, ranks: Array, one: Array, rows: Array) -> None:
    """Replace the rows of the sets of a smaller size by rows of this size.

    It is ``sum_sets`` transposed.
    """
    for top in range(n - 1, size - 2, -1):
        of_top, last = rows[13 * CHOICES[top, size] :], one[ranks[top]]
        for i in range(CHOICES[top, size - 1] - 1, -1, -1):
            row, fewer = of_top[13 * i : 13 * i + 13], rows[13 * i : 13 * i + 13]
            for rank in range(13):
                row[rank] = fewer[rank] + last[rank]


@kernel
def spread_pairs(n: int, ranks: Array, both: Array, found: Array) -> None:
    """Fill the sum of ``both`` over the pairs of ranks of each set, by the mask of its places."""
    found[0] = 0.0
    for top in range(n):
        half = found[1 << top : 2 << top]
        half[0] = 0.0
        for place in range(top):
            some, more = both[ranks[place], ranks[top]], half[1 << place :]
            for i in range(1 << place):
                more[i] = half[i] + some
        for i in range(half.size):
            half[i] += found[i]
