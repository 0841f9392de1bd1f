"""Brute force as fast as it honestly goes: every completion is dealt and looked up.

One look-up a hand in the class table, its index kept up card by card; flushes are found by
counting suits in the nibbles of one integer. This is what the counting kernels are measured
against, and a twin of them besides.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from handread.odds.hand_types import N_CLASSES, class_tables

Array = npt.NDArray[Any]

SUIT_BIAS = 0x3333  # three in every nibble: the fifth card of a suit sets its top bit
FLUSH_BITS = 0x8888


@numba.njit(cache=True)
def _flush_class(masks: Array, c: int, d: int, e: int, f: int, suits: int, by_flush: Array) -> int:
    """The class of a flush: the suit with five or more, ``masks`` and four more cards."""
    for suit in range(4):
        if suits >> 4 * suit & 8:
            mask = masks[suit]
            for card in (c, d, e, f):
                if card & 3 == suit:
                    mask |= 1 << (card >> 2)
            return int(by_flush[mask])
    return -1


@numba.njit(cache=True)
def _four(a: int, b: int, c: int, d: int) -> int:
    """The index of the multiset of four ranks in ascending order."""
    index = a + (b + 1) * b // 2 + (c + 2) * (c + 1) * c // 6
    return index + (d + 3) * (d + 2) * (d + 1) * d // 24


@numba.njit(cache=True)
def _three(a: int, b: int, c: int) -> int:
    """The index of the multiset of three ranks in any order."""
    low = min(a, b, c)
    high = max(a, b, c)
    mid = a + b + c - low - high
    return low + (mid + 1) * mid // 2 + (high + 2) * (high + 1) * high // 6


@numba.njit(cache=True)
def _third_street(
    cards: Array, up: int, by_ranks: Array, by_flush: Array, values: Array, out: Array
) -> None:
    """Fill ``out`` (pairs of ``cards`` in the order of ``pair_index``) with the mean value."""
    n = cards.size
    rest = np.empty(n - 2, np.int64)
    masks = np.zeros(4, np.int64)
    second = np.array([(r + 1) * r // 2 for r in range(13)])
    third = np.array([(r + 2) * (r + 1) * r // 6 for r in range(13)])
    fourth = np.array([(r + 3) * (r + 2) * (r + 1) * r // 24 for r in range(13)])
    pair = 0
    for y in range(n):
        for x in range(y):
            size = 0
            for z in range(n):
                if z not in (x, y):
                    rest[size] = cards[z]
                    size += 1
            masks[:] = 0
            suits = SUIT_BIAS
            for card in (up, cards[x], cards[y]):
                masks[card & 3] |= 1 << (card >> 2)
                suits += 1 << 4 * (card & 3)
            row = by_ranks[_three(up >> 2, cards[x] >> 2, cards[y] >> 2)]
            total = 0.0
            for i in range(3, size):
                f = rest[i]
                index_f = fourth[f >> 2]
                suits_f = suits + (1 << 4 * (f & 3))
                for j in range(2, i):
                    e = rest[j]
                    index_e = index_f + third[e >> 2]
                    suits_e = suits_f + (1 << 4 * (e & 3))
                    for k in range(1, j):
                        d = rest[k]
                        index_d = index_e + second[d >> 2]
                        suits_d = suits_e + (1 << 4 * (d & 3))
                        for m in range(k):
                            c = rest[m]
                            suits_c = suits_d + (1 << 4 * (c & 3))
                            if suits_c & FLUSH_BITS:
                                total += values[_flush_class(masks, c, d, e, f, suits_c, by_flush)]
                            else:
                                total += values[row[index_d + (c >> 2)]]
            out[pair] = total / (size * (size - 1) * (size - 2) * (size - 3) // 24)
            pair += 1


@numba.njit(cache=True)
def _third_street_counts(
    cards: Array, up: int, a: int, b: int, by_ranks: Array, by_flush: Array, counts: Array
) -> None:
    """Add to ``counts`` (classes,) the completions of the pair a, b; ``cards`` without it."""
    masks = np.zeros(4, np.int64)
    suits = SUIT_BIAS
    for card in (up, a, b):
        masks[card & 3] |= 1 << (card >> 2)
        suits += 1 << 4 * (card & 3)
    row = by_ranks[_three(up >> 2, a >> 2, b >> 2)]
    for i in range(3, cards.size):
        for j in range(2, i):
            for k in range(1, j):
                for m in range(k):
                    c, d, e, f = cards[m], cards[k], cards[j], cards[i]
                    with_four = suits
                    for card in (c, d, e, f):
                        with_four += 1 << 4 * (card & 3)
                    if with_four & FLUSH_BITS:
                        counts[_flush_class(masks, c, d, e, f, with_four, by_flush)] += 1
                    else:
                        counts[row[_four(c >> 2, d >> 2, e >> 2, f >> 2)]] += 1


@numba.njit(cache=True)
def _category_counts(by_ranks: Array, by_flush: Array, categories: Array, counts: Array) -> None:
    """Add up all hands of seven cards by category."""
    masks = np.zeros(4, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    masks[:] = 0
                    suits_4 = SUIT_BIAS
                    for card in (a, b, c, d):
                        masks[card & 3] |= 1 << (card >> 2)
                        suits_4 += 1 << 4 * (card & 3)
                    column = _four(d >> 2, c >> 2, b >> 2, a >> 2)
                    for e in range(d):
                        for f in range(e):
                            for g in range(f):
                                suits = suits_4 + (1 << 4 * (e & 3))
                                suits += (1 << 4 * (f & 3)) + (1 << 4 * (g & 3))
                                if suits & FLUSH_BITS:
                                    made = _flush_class(masks, e, f, g, g, suits, by_flush)
                                else:
                                    three = _three(e >> 2, f >> 2, g >> 2)
                                    made = by_ranks[three, column]
                                counts[categories[made]] += 1


def third_street(cards: Array, up: int, values: Array) -> Array:
    """The mean of ``values`` (4824,) over all completions of every pair of the unseen cards.

    In the order of ``pair_index`` among the live pairs; one seat that shows one card.
    """
    tables = class_tables()
    out = np.empty(cards.size * (cards.size - 1) // 2)
    _third_street(cards, up, tables.by_ranks, tables.by_flush, values, out)
    return out


def third_street_counts(cards: Array, up: int, pair: tuple[int, int]) -> Array:
    """How many completions of one pair make each class, (4824,)."""
    tables = class_tables()
    rest = cards[~np.isin(cards, pair)]
    counts = np.zeros(N_CLASSES, np.int64)
    _third_street_counts(rest, up, *pair, tables.by_ranks, tables.by_flush, counts)
    return counts


def category_counts(categories: Array) -> Array:
    """How many of all hands of seven cards are of each category, (9,)."""
    tables = class_tables()
    counts = np.zeros(9, np.int64)
    _category_counts(tables.by_ranks, tables.by_flush, categories, counts)
    return counts
