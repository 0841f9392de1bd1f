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
    SUMS,
    begin_suit,
    beside,
    known_beside,
    lay_out,
    per_pair,
    ranks_in,
)
from handread.kernels.jit import inlined, kernel, shipped
from handread.kernels.rank_sets import (
    ONES,
    PLACES,
    TWOS,
    begin_sets,
    choose_next,
    give_back,
    last_rank,
    n_prefixes,
    place_to_move,
)

Array = npt.NDArray[Any]


@kernel
def _gather(n: int, weights: Array, base: Array, chosen: Array, every: Array) -> None:
    """Add the weight of each G to ``every`` at the pairs of its ranks: ``_spread`` transposed."""
    for depth in range(n - 1):
        for rank in range(14):
            base[depth, rank] = 0.0
    depth, place = 0, np.uint64(0)
    chosen[0] = -1
    while True:
        top = chosen[depth - 1] if depth > 0 else 12
        if depth < n - 2 and chosen[depth] < top:
            chosen[depth] += 1
            depth += 1
            chosen[depth] = -1
            continue
        if depth == n - 2:
            sums, within = base[depth], 0.0
            for high in range(top + 1):
                total = 0.0
                for low in range(high + 1):
                    weight = weights[place]
                    total += weight
                    sums[low] += weight
                    every[high, low] += weight
                    place += ONCE
                sums[high] += total
                within += total
            sums[13] += within
        if depth == 0:
            return
        rank = chosen[depth - 1]
        for other in range(13):
            some = base[depth, other]
            every[rank, other] += some
            base[depth - 1, other] += some
            base[depth, other] = 0.0
        base[depth - 1, rank] += base[depth, 13]
        base[depth - 1, 13] += base[depth, 13]
        base[depth, 13] = 0.0
        depth -= 1


@inlined
def _add_gains(n_others: int, one: Array, last: Array, step: Array) -> float:
    """Return the gains of two cards in A; add the gains of one card by the rank of the other.

    They are added to ``one``, of the ranks of A without the last, and to ``last``; gains of two
    cards in O are added to the REST: ``_fill_each`` transposed.
    """
    each, off, rest, sums = step[EACH], step[OFF], step[REST], step[SUMS]
    both = 0.0
    if n_others == 13:
        for rank in range(13):
            sums[rank] = each[rank]
            both += each[rank] * off[rank]
    else:
        for j in range(91):
            rest[j] += each[j]
        for rank in range(13):
            sums[rank] = 0.0
        place = np.uint64(0)
        for high in range(13):
            n_high, total = off[high], 0.0
            for low in range(high):
                gain = each[place]
                sums[low] += gain * n_high
                total += gain * off[low]
                place += ONCE
            sums[high] += total + each[place] * (n_high - 1.0)
            place += ONCE
        # Each hand of two cards was counted with either.
        for rank in range(13):
            both += sums[rank] * off[rank] / 2.0
    for rank in range(13):
        one[rank] += sums[rank]
        last[rank] += sums[rank]
    return both


@inlined
def _add_at_once(
    flush: float, together: Array, ranked: Array, one: Array, last: Array, off: Array
) -> float:
    """Do as ``_add_gains`` for one card in O, which comes most often, and one class of flush."""
    both = 0.0
    for rank in range(13):
        gain = flush - ranked[together[rank]]
        one[rank] += gain
        last[rank] += gain
        both += gain * off[rank]
    return both


@inlined
def _gains(
    flushes: Any, together: Array, table: Any, ranked: Array, one: Array, last: Array, step: Array
) -> float:
    """Return the gains of two cards in A; add the others as ``_add_gains``.

    ``table`` has the values of the classes, and the index of the known ranks beside the suit.
    """
    each, (values, known) = step[EACH], table
    flush = values[flushes[0]]
    if together.size == 1 and flushes.size == 1:
        return float(flush - ranked[together[0]])
    if together.size == 13 and flushes.size == 1:
        return _add_at_once(flush, together, ranked, one, last, step[OFF])
    for j in range(together.size):
        if flushes.size > 1:
            flush = values[flushes[beside(j, together.size, known)]]
        each[j] = flush - ranked[together[j]]
    return _add_gains(together.size, one, last, step) if together.size > 1 else each[0]


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
    unseen, own, n, ways, table, unions = given
    classes, by_flush = table
    sums, step, weights, trail, choice = room
    lay_out(unseen, step)
    ranked, products = weights[0], weights[1]
    for i in range(ways.size):
        ranked[i] = values[classes[i]]
        products[i] = ranked[i] * ways[i]
    sums[:] = 0.0
    _gather(n, products, trail[ONES], choice[PLACES], sums[ALL])
    per_pair(step[OF_RANK], sums)
    for suit in range(4 if by_flush.size else 0):
        n_own, mine = ranks_in(own, suit)
        paid = values, known_beside(own, suit)
        can = ranks_in(unseen, suit)[1]
        begin_suit(step, suit)
        for j in range(91):
            step[REST, j] = 0.0
        for size in range(max(5 - n_own, 0), n + 1):
            n_others = N_MULTISETS[n - size]
            n_ranks, before = begin_sets(can, choice, trail), max(size - 1, 0)
            some, ones = n_prefixes(n_ranks, size), n_others > 1
            one_of, both_of = sums[ONE + suit], sums[BOTH + suit]
            for i in range(some):
                first = 0
                if i:
                    first = place_to_move(n_ranks, size, choice[PLACES])
                    give_back(first, size, choice, ones, one_of, both_of, trail)
                begin = choose_next(first, i > 0, size, choice)
                for last in range(begin, n_ranks if size else 1):
                    rank, index, mask = last_rank(last, size, choice)
                    start = AT_UNIONS[size, n - size] + index * n_others
                    together, flushes = unions[start : start + n_others], by_flush[mask | mine]
                    one = one_of[rank] if size else trail[ONES, 0]
                    both = _gains(flushes, together, paid, ranked, trail[ONES, before], one, step)
                    trail[TWOS, before, 13] += both
                    trail[TWOS, before, rank] += both
            if some:
                give_back(0, size, choice, ones, one_of, both_of, trail)
        _unflatten(step[REST], sums[NONE + suit])
    _value_each(unseen, sums, total, out)


@kernel
def _value_each(unseen: int, sums: Array, total: float, out: Array) -> None:
    """Add the value of each pair from the sums by ranks."""
    pair = np.uint64(0)
    for second in range(52):
        high, its_suit = second >> 2, second & 3
        for first in range(second):
            if unseen >> first & unseen >> second & 1:
                low, suit = first >> 2, first & 3
                value = sums[ALL, low, high]
                for s in range(4):
                    if suit == s and its_suit == s:
                        value += sums[BOTH + s, low, high]
                    elif suit == s:
                        value += sums[ONE + s, low, high]
                    elif its_suit == s:
                        value += sums[ONE + s, high, low]
                    else:
                        value += sums[NONE + s, low, high]
                out[pair] = max(out[pair] + value / total, 0.0)
            pair += ONCE
