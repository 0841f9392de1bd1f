"""Look-up tables for the classes of seven cards.

The index of a multiset of ranks r1 <= r2 <= ... is r1 + C(r2+1, 2) + C(r3+2, 3) + C(r4+3, 4).
Seven ranks are looked up as three and four: ``classes[3-multiset, 4-multiset]``.

A hand's key is category * 13**5 plus its tie-breaking ranks in base 13, best first; classes
number the keys that seven cards can make, worst to best, 0..4823. Those of five cards are looked
up as three ranks and two, and numbered 0..7461.

The key of an ace-to-five low is made in the same way of ranks with the ace low, 0 (ace) to 12
(king), the most frequent and highest first. The smallest key is best: classes descend with it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel

Ints = npt.NDArray[np.int64]
Classes = npt.NDArray[np.uint16]

N_MULTISETS = (1, 13, 91, 455, 1820)
KEY_BASE = 13**5
N_KEYS = 9 * KEY_BASE


def _multisets(size: int) -> Ints:
    """Return all multisets of ``size`` ranks in index order, (n, size), ranks ascending."""
    rows: list[tuple[int, ...]] = [()]
    for _ in range(size):
        rows = [(low, *row) for row in rows for low in range(row[0] + 1 if row else 13)]
    ordered = sorted(rows, key=lambda row: row[::-1])
    return np.array(ordered, dtype=np.int64).reshape(len(ordered), size)


MULTISETS = tuple(_multisets(size) for size in range(5))


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
def _top_of_straight(mask: int) -> int:
    """Return the top rank of the best straight in a 13-bit set: 3 for the wheel, -1 for none."""
    for top in range(12, 3, -1):
        if (mask >> (top - 4)) & 31 == 31:
            return top
    wheel = 1 << 12 | 15
    return 3 if mask & wheel == wheel else -1


@kernel
def rank_key(counts: Ints) -> int:
    """Return the key of the best hand of one to seven cards without a flush.

    Of fewer than five cards, the key compares only with those of as many cards.
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
    top = _top_of_straight(mask)
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
    top = _top_of_straight(mask)
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


@kernel
def _low_key(counts: Ints) -> int:
    """Return the key of the best ace-to-five low of seven cards.

    ``counts`` (13,) are by rank with the ace low.
    """
    n_ranks = 0
    for r in range(13):
        n_ranks += counts[r] > 0
    # Every rank once, from the lowest; what is missing to five cards repeats the lowest ranks.
    taken = np.zeros(13, np.int64)
    missing = 5
    for n in range(1, 5):
        for r in range(13):
            if missing > 0 and counts[r] >= n and taken[r] == n - 1:
                taken[r] = n
                missing -= 1
    # Seven cards of two ranks have three of each, those of three ranks two of two of them.
    categories = (6, 2, 1, 0)
    return grouped_key(categories[min(n_ranks, 5) - 2], taken, 5)


@kernel
def _fill_keys(threes: Ints, others: Ints, low: bool, keys: Ints) -> None:
    """Fill the keys of all hands without a flush, or of their lows; -1 for five of a rank."""
    counts = np.zeros(13, np.int64)
    for i in range(threes.shape[0]):
        for j in range(others.shape[0]):
            counts[:] = 0
            for rank in threes[i]:
                counts[rank] += 1
            for rank in others[j]:
                counts[rank] += 1
            if counts.max() > 4:
                keys[i, j] = -1
            else:
                keys[i, j] = _low_key(counts) if low else rank_key(counts)


def build_lows() -> tuple[Classes, Ints]:
    """Return the class of the low of three ranks and four, (455, 1820), and the key of each.

    Classes ascend from the worst low to the best, and keys descend.
    """
    keys = np.empty((455, 1820), np.int64)
    _fill_keys((MULTISETS[3] + 1) % 13, (MULTISETS[4] + 1) % 13, True, keys)
    ordered = np.unique(keys[keys >= 0])[::-1]
    return _numbered(keys, ordered), ordered


def build_highs(n_cards: int) -> tuple[Classes, Classes, Ints]:
    """Return the classes of five or seven cards by three ranks and the others, and by flush; keys.

    The table by flush set is (8192,). The keys of the classes are ascending. Impossible multisets
    (five of a rank) and sets that are too small for a flush have class 0; they never have weight.
    """
    others = MULTISETS[n_cards - 3]
    keys = np.empty((455, len(others)), np.int64)
    _fill_keys(MULTISETS[3], others, False, keys)
    sizes = np.bitwise_count(np.arange(8192))
    flush_keys = np.full(8192, -1)
    for mask in np.flatnonzero((sizes >= 5) & (sizes <= n_cards)).tolist():
        flush_keys[mask] = flush_key(mask)
    ordered = np.unique(np.concatenate([keys[keys >= 0], flush_keys[flush_keys >= 0]]))
    return _numbered(keys, ordered), _numbered(flush_keys, ordered), ordered


def _numbered(keys: Ints, ordered: Ints) -> Classes:
    """Return the place of each key; 0 for a key of -1."""
    place = np.zeros(N_KEYS, np.uint16)
    place[ordered] = np.arange(ordered.size, dtype=np.uint16)
    return np.where(keys >= 0, place[keys], np.uint16(0))


@kernel
def _fill_rank_sets(ranks: Ints, fours: Ints) -> None:
    scratch = np.empty(4, np.int64)
    for mask in range(8192):
        n = 0
        for r in range(13):
            if mask >> r & 1 and n < 7:
                ranks[mask, n] = r
                n += 1
        if n >= 4:
            scratch[:] = ranks[mask, :4]
            fours[mask] = multiset_index(scratch, 4)


def rank_sets() -> tuple[Ints, Ints]:
    """Return by 13-bit set its ranks, ascending (8192, 7), and the index of its first four."""
    ranks = np.zeros((8192, 7), np.int64)
    fours = np.zeros(8192, np.int64)
    _fill_rank_sets(ranks, fours)
    return ranks, fours


def multiset_indices(ranks: Ints) -> Ints:
    """Return the index of each multiset of up to four ranks, (..., size), ascending."""
    places = np.zeros(ranks.shape[:-1], dtype=np.int64)
    for size in range(ranks.shape[-1]):
        r = ranks[..., size]
        choices = r.copy()  # C(r + size, size + 1)
        for below in range(1, size + 1):
            choices = choices * (r + below) // (below + 1)
        places += choices
    return places


def merge_table(size: int, more: int) -> npt.NDArray[np.int16]:
    """Return the index of the union of each multiset of ``size`` ranks with each of ``more``."""
    left, right = MULTISETS[size], MULTISETS[more]
    both = np.sort(
        np.concatenate(
            [np.repeat(left, len(right), axis=0), np.tile(right, (len(left), 1))], axis=1
        ),
        axis=1,
    )
    return multiset_indices(both).astype(np.int16).reshape(len(left), len(right))
