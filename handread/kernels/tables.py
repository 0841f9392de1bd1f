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
def _keys(
    threes: Ints, fours: Ints, keys: Ints, flush_keys: Ints, made: npt.NDArray[np.bool_]
) -> None:
    """Fill the keys of all rank multisets of seven and of all flush sets; mark those made."""
    counts = np.zeros(13, np.int64)
    for i in range(threes.shape[0]):
        for j in range(fours.shape[0]):
            counts[:] = 0
            for k in range(3):
                counts[threes[i, k]] += 1
            for k in range(4):
                counts[fours[j, k]] += 1
            if counts.max() <= 4:
                key = rank_key(counts)
                keys[i, j] = key
                made[key] = True
    for mask in range(8192):
        n = 0
        for r in range(13):
            n += mask >> r & 1
        if n >= 5:
            key = flush_key(mask)
            flush_keys[mask] = key
            if n <= 7:
                made[key] = True


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
    key = categories[min(n_ranks, 5) - 2]
    places = 5
    for n in range(4, 0, -1):
        for r in range(12, -1, -1):
            if taken[r] == n:
                key = key * 13 + r
                places -= 1
    for _ in range(places):
        key *= 13
    return key


@kernel
def _low_keys(threes: Ints, fours: Ints, keys: Ints) -> None:
    """Fill the keys of the lows of all rank multisets of seven; -1 for five of a rank."""
    counts = np.zeros(13, np.int64)
    for i in range(threes.shape[0]):
        for j in range(fours.shape[0]):
            counts[:] = 0
            for k in range(3):
                counts[(threes[i, k] + 1) % 13] += 1
            for k in range(4):
                counts[(fours[j, k] + 1) % 13] += 1
            keys[i, j] = _low_key(counts) if counts.max() <= 4 else -1


def build_lows() -> tuple[npt.NDArray[np.uint16], Ints]:
    """Return the class of the low of three ranks and four, (455, 1820), and the key of each.

    Classes ascend from the worst low to the best, and keys descend.
    """
    keys = np.empty((455, 1820), np.int64)
    _low_keys(MULTISETS[3], MULTISETS[4], keys)
    ordered = np.unique(keys[keys >= 0])[::-1]
    place = np.zeros(N_KEYS, np.uint16)
    place[ordered] = np.arange(ordered.size, dtype=np.uint16)
    return np.where(keys >= 0, place[keys], np.uint16(0)), ordered


@kernel
def _five_keys(threes: Ints, twos: Ints, keys: Ints) -> None:
    """Fill the keys of all rank multisets of five; -1 for five of a rank."""
    counts = np.zeros(13, np.int64)
    for i in range(threes.shape[0]):
        for j in range(twos.shape[0]):
            counts[:] = 0
            for k in range(3):
                counts[threes[i, k]] += 1
            for k in range(2):
                counts[twos[j, k]] += 1
            keys[i, j] = rank_key(counts) if counts.max() <= 4 else -1


def build_five() -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16], Ints]:
    """Return the class of five cards by three ranks and two, (455, 91), and by flush set, and keys.

    The table by flush set is (8192,), with 0 for sets that are not of five ranks. The keys of the
    classes are (7462,), ascending.
    """
    keys = np.empty((455, 91), np.int64)
    _five_keys(MULTISETS[3], MULTISETS[2], keys)
    sets = np.flatnonzero(np.bitwise_count(np.arange(8192)) == 5)
    flush_keys = np.array([flush_key(mask) for mask in sets.tolist()])
    ordered = np.unique(np.concatenate([keys[keys >= 0], flush_keys]))
    by_flush = np.zeros(8192, np.uint16)
    by_flush[sets] = np.searchsorted(ordered, flush_keys)
    return np.searchsorted(ordered, np.maximum(keys, 0)).astype(np.uint16), by_flush, ordered


def build_classes() -> tuple[
    npt.NDArray[np.uint16], npt.NDArray[np.uint16], npt.NDArray[np.uint16], Ints
]:
    """Return the class tables by rank multisets (455, 1820), its transpose, by flush set, and keys.

    The table by flush set is (8192,), the keys of the classes are (4824,), ascending. Impossible
    multisets (five of a rank) and sets too small for a flush have class 0; they never have weight.
    """
    keys = np.zeros((455, 1820), np.int64)
    flush_keys = np.zeros(8192, np.int64)
    made = np.zeros(N_KEYS, np.bool_)
    _keys(MULTISETS[3], MULTISETS[4], keys, flush_keys, made)
    class_keys = np.flatnonzero(made)
    number = np.zeros(N_KEYS, np.uint16)
    number[class_keys] = np.arange(class_keys.size, dtype=np.uint16)
    classes = number[keys]
    return classes, np.ascontiguousarray(classes.T), number[flush_keys], class_keys


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
