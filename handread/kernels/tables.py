"""Look-up tables for the classes of seven cards.

The index of a multiset of ranks r1 <= r2 <= ... is r1 + C(r2+1, 2) + C(r3+2, 3) + C(r4+3, 4) + ...
Seven ranks are looked up as three and four: ``classes[3-multiset, 4-multiset]``.

A hand's key is category * 13**5 plus its tie-breaking ranks in base 13, best first; classes
number the keys that seven cards can make, worst to best, 0..4823. Keys of five cards are looked
up as three ranks and two, and numbered 0..7461.

The key of an ace-to-five low is made in the same way of ranks with the ace low, 0 (ace) to 12
(king), the most frequent and highest first. The smallest key is best: classes descend with it.
"""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel

Ints = npt.NDArray[np.int64]

KEY_BASE = 13**5


@cache
def multisets(size: int) -> Ints:
    """Return all multisets of ``size`` ranks in index order, (n, size), ranks ascending."""
    if size == 0:
        return np.empty((1, 0), np.int64)
    fewer = multisets(size - 1)
    below = [fewer[: comb(top + size - 1, size - 1)] for top in range(13)]
    tops = np.repeat(np.arange(13), [len(rows) for rows in below])
    return np.column_stack([np.concatenate(below), tops])


@kernel
def multiset_index(ranks: Ints, size: int) -> int:
    """Return the index of the multiset of the first ``size`` (0..4) ranks; sort them in place."""
    for i in range(1, size):
        moved = ranks[i]
        j = i
        while j > 0 and ranks[j - 1] > moved:
            ranks[j] = ranks[j - 1]
            j -= 1
        ranks[j] = moved
    index = 0
    if size > 0:
        index += ranks[0]
    if size > 1:
        index += (ranks[1] + 1) * ranks[1] // 2
    if size > 2:
        index += (ranks[2] + 2) * (ranks[2] + 1) * ranks[2] // 6
    if size > 3:
        index += (ranks[3] + 3) * (ranks[3] + 2) * (ranks[3] + 1) * ranks[3] // 24
    return index


@kernel
def top_of_straight(mask: int) -> int:
    """Return the top rank of the best straight in a 13-bit set: 3 for the wheel, -1 for none."""
    for top in range(12, 3, -1):
        if (mask >> (top - 4)) & 31 == 31:
            return top
    wheel = 1 << 12 | 15
    return 3 if mask & wheel == wheel else -1


@kernel
def rank_key(counts: Ints) -> int:
    """Return the key of the best hand of one to seven cards without a flush.

    Of fewer than five cards, the key compares only with keys of as many cards.
    """
    mask = 0
    for r in range(13):
        if counts[r] > 0:
            mask |= 1 << r
    # Ranks by how often they occur: quads, trips, then pairs.
    quads = trips = pair = pair_2 = -1
    for r in range(12, -1, -1):
        if counts[r] >= 4 and quads < 0:
            quads = r
        elif counts[r] == 3 and trips < 0:
            trips = r
        elif counts[r] >= 2 and pair < 0:
            pair = r
        elif counts[r] >= 2 and pair_2 < 0:
            pair_2 = r
    top = top_of_straight(mask)
    if quads >= 0:
        category, first, second, n_kickers = 7, quads, -1, 1
    elif trips >= 0 and pair >= 0:
        return 6 * 371293 + trips * 28561 + pair * 2197
    elif top >= 0:
        return 4 * 371293 + top * 28561
    elif trips >= 0:
        category, first, second, n_kickers = 3, trips, -1, 2
    elif pair_2 >= 0:
        category, first, second, n_kickers = 2, pair, pair_2, 1
    elif pair >= 0:
        category, first, second, n_kickers = 1, pair, -1, 3
    else:
        category, first, second, n_kickers = 0, -1, -1, 5
    key, places = category, 5
    if first >= 0:
        key = key * 13 + first
        places -= 1
    if second >= 0:
        key = key * 13 + second
        places -= 1
    for r in range(12, -1, -1):
        if n_kickers > 0 and counts[r] > 0 and r != first and r != second:
            key = key * 13 + r
            places -= 1
            n_kickers -= 1
    for _ in range(places):
        key *= 13
    return key


@kernel
def flush_key(mask: int) -> int:
    """Return the key of a flush or straight flush from the 13-bit set of its ranks."""
    top = top_of_straight(mask)
    if top >= 0:
        return 8 * 371293 + top * 28561
    key = 5
    places = 5
    for r in range(12, -1, -1):
        if places > 0 and mask >> r & 1:
            key = key * 13 + r
            places -= 1
    return key


@kernel
def grouped_key(category: int, counts: Ints, places: int) -> int:
    """Return the key of a category and of ranks, the most frequent and highest first."""
    key = category
    for n in range(4, 0, -1):
        for r in range(12, -1, -1):
            if counts[r] == n:
                key = key * 13 + r
                places -= 1
    for _ in range(places):
        key *= 13
    return key


def multiset_indices(ranks: Ints) -> Ints:
    """Return the index of each multiset of ranks, (..., size), ascending."""
    places = np.zeros(ranks.shape[:-1], dtype=np.int64)
    for size in range(ranks.shape[-1]):
        r = ranks[..., size]
        choices = r.copy()  # C(r + size, size + 1)
        for below in range(1, size + 1):
            choices = choices * (r + below) // (below + 1)
        places += choices
    return places
