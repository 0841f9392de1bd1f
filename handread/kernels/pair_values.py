"""The value of each pair of downcards from the values of the classes: H @ values.

Each step is the transpose of one of ``kernels.counting``, which describes them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.counting import (
    ALL,
    AT_UNIONS,
    BOTH,
    EACH,
    FORM,
    N_MULTISETS,
    NONE,
    OF_RANK,
    OFF,
    ONCE,
    ONE,
    REST,
    begin_suit,
    beside,
    known_beside,
    lay_out,
    list_cards,
    per_pair,
    ranks_in,
)
from handread.kernels.jit import inlined, kernel, shipped
from handread.kernels.rank_sets import (
    BITS,
    CHOICES,
    INDEX,
    MASK,
    PLACES,
    RANKS,
    SETS,
    list_sets,
    n_pairs,
    sum_pairs_in,
    sum_sets,
)

Array = npt.NDArray[Any]


@kernel
def _gather(
    n: int, ranked: Array, ways: Array, left: Array, work: Array, ranks: Array, every: Array
) -> None:
    """Add the value of each G, times its ways, to ``every`` at the pairs of its ranks.

    A pair has both, one or none of the lowest two ranks of G. The values are summed by these two
    and by each other rank; their sums over the lowest two are ``left`` for the other pairs. It is
    ``_spread`` transposed.
    """
    work[:] = 0.0
    for size in range(n, 2, -2):
        if size == n:
            _sum_lowest(size - 2, ranked, ways, left, work, ranks)
        else:
            _sum_lowest(size - 2, left, ways[:0], left, work, ranks)
    place = np.uint64(0)
    for high in range(13):
        for low in range(high + 1):
            every[high, low] += work[13, place]
            if n % 2 == 0:
                every[high, low] += left[place] if n > 2 else ranked[place] * ways[place]
            place += ONCE
    for rank in range(13):
        place = np.uint64(0)
        for high in range(rank + 1):
            for low in range(high + 1):
                every[rank, high] += work[rank, place]
                every[rank, low] += work[rank, place]
                place += ONCE


@kernel
def _sum_lowest(
    n: int, weights: Array, ways: Array, left: Array, work: Array, ranks: Array
) -> None:
    """Add the weights, times the ways if there are any, by the lowest two ranks to the sums.

    ``work`` has the sums with each of the other n ``ranks``, the sums of all, and those so far with
    the same highest n - 1, ..., 1 of them. Fills ``left`` with the sums over the lowest.
    """
    for k in range(n):
        ranks[k] = 0
    ranks[n] = 12
    place, at, sums = np.uint64(0), np.uint64(0), work[12 + n]
    while True:
        one, total = work[ranks[0]], 0.0
        for i in range(n_pairs(ranks[0])):
            weight = weights[place]
            if ways.size:
                weight *= ways[place]
            sums[i] += weight
            one[i] += weight
            total += weight
            place += ONCE
        left[at] = total
        at += ONCE
        k = 0
        while ranks[k] == ranks[k + 1]:
            ranks[k] = 0
            k += 1
            if k == n:
                return
            found, fewer, one = work[13 + n - k], work[12 + n - k], work[ranks[k]]
            for i in range(n_pairs(ranks[k])):
                fewer[i] += found[i]
                one[i] += found[i]
                found[i] = 0.0
        ranks[k] += 1


@inlined
def _fill_gains(flushes: Any, together: Array, paid: Any, ranked: Array, each: Array) -> None:
    """Fill what the hands of an A gain by their flush, with each O.

    ``paid`` has the values of the classes, and the index of the known ranks beside the suit.
    """
    values, known = paid
    flush = values[flushes[0]]
    for j in range(together.size):
        if flushes.size > 1:
            flush = values[flushes[beside(j, together.size, known)]]
        each[j] = flush - ranked[together[j]]


@inlined
def _add_two(each: Array, off: Array, row: Array, rest: Array) -> float:
    """Return the gains of a pair with both cards in A, where O has two cards; add other gains.

    Gains of a pair with one card in A are added to the ``row`` of A by the rank of the other card,
    gains of a pair in O to the ``rest``: ``_fill_each`` transposed.
    """
    for j in range(91):
        rest[j] += each[j]
    place, both = np.uint64(0), 0.0
    for high in range(13):
        n_high, total = off[high], 0.0
        for low in range(high):
            gain = each[place]
            row[low] += gain * n_high
            total += gain * off[low]
            place += ONCE
        row[high] += total + each[place] * (n_high - 1.0)
        both += n_high * (total + each[place] * (n_high - 1.0) / 2.0)
        place += ONCE
    return float(both)


@kernel
def _value_flushes(suit: int, own: Any, given: Any, room: Any, paid: Any) -> None:
    """Fill the sums of a suit with the gains of the hands of every A and O.

    ``own`` is the number and the set of the known ranks in the suit, ``paid`` as in
    ``_fill_gains``.
    """
    (unseen, _, n, _, (_, by_flush), unions), (sums, step, weights, _, choice) = given, room
    (n_own, mine), ranks = own, choice[RANKS]
    ranked, found, rows = weights[0], weights[1], weights[2]
    each, off, rest = step[EACH], step[OFF], step[REST]
    begin_suit(step, suit)
    n_ranks = list_sets(ranks_in(unseen, suit)[1], n, choice)
    found[: 1 << n_ranks] = 0.0
    rest[:] = 0.0
    for size in range(n, -1, -1):
        n_others = N_MULTISETS[n - size]
        for at in range(CHOICES[n_ranks, size] if n_own + size >= 5 else 0):
            chosen = choice[SETS + size, at]
            start = AT_UNIONS[size, n - size] + (chosen & INDEX) * n_others
            together, row = unions[start : start + n_others], rows[13 * at : 13 * at + 13]
            flushes = by_flush[chosen >> MASK & BITS | mine]
            gains, odd = row if n_others == 13 else each, 0.0
            _fill_gains(flushes, together, paid, ranked, gains)
            both = gains[0] if n_others == 1 else 0.0
            for rank in range(13 if n_others == 13 else 0):
                both, odd = odd, both + gains[rank] * off[rank]
            if n_others > 13:
                odd = _add_two(each, off, row, rest)
            found[chosen >> PLACES & BITS] = both + odd
        if 0 < size < n and n_own + n > 5:
            sum_sets(n_ranks, size, rows, ranks, sums[ONE + suit])
    sum_pairs_in(n_ranks, found, ranks, sums[BOTH + suit])
    _unflatten(rest, sums[NONE + suit])


@kernel
def _unflatten(flat: Array, by_ranks: Array) -> None:
    """Fill the sums of two ranks from those by the index of their multiset."""
    place = np.uint64(0)
    for high in range(13):
        for low in range(high + 1):
            by_ranks[low, high] = flat[place]
            place += ONCE


@shipped(f"{FORM} float f8.1 f8.1")
def value_pairs(given: Any, room: Any, total: float, values: Array, out: Array) -> None:
    """Add the expected value of each pair (1326,), given ``values`` >= 0 of the classes.

    ``total`` is the number of completions of a pair. Pairs with a seen card are left as they are.
    """
    unseen, own, n, ways, (classes, by_flush), _ = given
    sums, step, weights, trail, choice = room
    lay_out(unseen, step)
    for i in range(ways.size):
        weights[0, i] = values[classes[i]]
    sums[:] = 0.0
    _gather(n, weights[0], ways, weights[1], trail[0], choice[RANKS], sums[ALL])
    per_pair(step[OF_RANK], sums)
    for suit in range(4 if by_flush.size else 0):
        mine = ranks_in(own, suit)
        if mine[0] + n >= 5:
            _value_flushes(suit, mine, given, room, (values, known_beside(own, suit)))
    _value_each(unseen, sums, choice[SETS], total, out)


@kernel
def _value_each(unseen: int, sums: Array, cards: Array, total: float, out: Array) -> None:
    """Add the value of each pair from the sums by ranks, which are overwritten."""
    for suit in range(4):
        none, one, both = sums[NONE + suit], sums[ONE + suit], sums[BOTH + suit]
        for high in range(13):
            for low in range(high + 1):
                some = none[low, high]
                sums[ALL, low, high] += some
                both[low, high] -= some
                one[low, high] -= some
                if low < high:
                    one[high, low] -= some
    for j in range(list_cards(unseen, cards)):
        second = cards[j]
        high, its_suit = second >> 2, second & 3
        start, theirs = second * (second - 1) // 2, sums[ONE + its_suit, high]
        for i in range(j):
            low, suit = cards[i] >> 2, cards[i] & 3
            value = sums[ALL, low, high]
            if suit == its_suit:
                value += sums[BOTH + suit, low, high]
            else:
                value += sums[ONE + suit, low, high] + theirs[low]
            pair = start + cards[i]
            out[pair] = max(out[pair] + value / total, 0.0)
