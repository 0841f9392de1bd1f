"""Exact counts of the classes that the hands of a seat can make (3rd to 6th street).

Of the seven cards of a seat u are known and n = 7 - u are *hidden*: two downcards and the cards to
come. The hidden hands are counted in two steps:

* Ranks. If suits did not matter, the class would depend on the known ranks and on the multiset G of
  hidden ranks alone: ``ways[G]`` hidden hands each.
* Flush correction, suit by suit. Let A be the set of ranks of the hidden cards in the suit and O
  the multiset of the others. With the known cards there are five or more of the suit, so O has at
  most two ranks. Every (A, O) moves its hidden hands from the class of G = A + O to the flush.

A hand of seven with a flush has neither quads nor a full house, so the flush class depends on the
suited ranks alone. Everything is exact: counts are integers far below 2**53.

The completions of one pair of downcards are a part of the hidden hands. By symmetry, a pair of
ranks ab has as many of the hands of G as ab can be picked from G, over the number of such pairs in
the deck. With a flush, a pair has both cards in A, one in A and one in O, or both in O. So it is
enough to sum pairs by their ranks, once for all pairs and by suit for those with no, one and two
cards in it: the rows ALL, NONE, ONE and BOTH of ``sums``. H is the matrix of both operators, with
the probability that a pair becomes a class:

    H @ values:  values of classes -> of every G and (A, O) -> sums by ranks -> pairs
    H.T @ pdd:   pdd of pairs -> sums by ranks -> weight of every G and (A, O) -> classes

and each arrow of one is the transpose of an arrow of the other.

For an ace-to-five low, the rank part is all. In a game that splits the pot, the classes of the high
hand come twice: those from ``no_low`` on are the hands without a qualifying low. A flush replaces a
class with a low by the flush class F, and one without by F + ``no_low``.

Multisets and sets of ranks have the indices of ``kernels.tables``. The kernels of a seat are given

* ``unseen`` and ``own``, the unseen cards and the known cards of the seat as 52-bit sets, and n;
* ``ways`` of each G, as ``count_ways`` fills it;
* ``table``: the class of each G with the known ranks, the class of each set of suited ranks (empty
  where suits do not matter), and ``no_low`` (0 where a hand counts alike with a low and without);
* ``unions``: the index of every A + O, from ``odds.counting.unions``;

and take as ``room`` arrays for the sums (13, 13, 13), a step (9, 96), the weights of each
  G (2, 18564), the sums along a choice of ranks (2, 8, 16) and the choice (4, 16).
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import inlined, kernel, shipped
from handread.kernels.tables import multiset_index

Array = npt.NDArray[Any]

MOST_HIDDEN = 6

N_MULTISETS = np.array([comb(13 + n - 1, n) for n in range(8)])
N_SETS = np.array([comb(13, n) for n in range(8)])
N_BELOW = np.array([[comb(top + n - 1, n - 1) for n in range(1, 7)] for top in range(13)])
"""Number of multisets of n ranks of which ``top`` is the highest (13, 6)."""

AT_MULTISETS = np.cumsum([0, *N_MULTISETS])
"""Where those of each size begin in a list of all sizes."""

CHOICES = np.array([[comb(n, k) for k in range(MOST_HIDDEN + 1)] for n in range(14)])

UNIONS = [(s, o) for s in range(MOST_HIDDEN + 1) for o in range(3) if s + o <= MOST_HIDDEN]
AT_UNIONS = np.zeros((MOST_HIDDEN + 1, 3), np.int64)
"""Where the unions of sets of each size and of multisets of each size begin."""
AT_UNIONS[tuple(zip(*UNIONS[1:], strict=True))] = np.cumsum(
    [N_SETS[s] * N_MULTISETS[o] for s, o in UNIONS[:-1]]
)

ALL, NONE, ONE, BOTH = 0, 1, 5, 9
"""The sums of all pairs; by suit of those without a card of it, with one (whose rank is the first
place), with two."""

LEFT, OF_RANK, OFF, EACH, REST, SUMS = 0, 4, 5, 6, 7, 8
"""Rows of a step: unseen cards of each rank by suit; of all suits; of those not in the suit; what
there is of each O with an A, and with all of them together; room for sums of an A."""

ONES, TWOS = 0, 1
"""Sums along a choice of ranks: by the rank of another card not in the suit; by that of another in
it, and last those of all pairs of ranks chosen."""

RANKS, PLACES, INDEX, MASK = range(4)
"""Rows of a choice: the ranks that can be chosen; the places among them of those that are,
ascending; the index of the first so many as a set; and the set itself."""

ONCE = np.uint64(1)

FORM = "(int int int f8.1 (u2.1 u2.1 int) u2.1) (f8.3 f8.2 f8.2 f8.3 i8.2)"


@kernel
def _lay_out(unseen: int, step: Array) -> None:
    for rank in range(13):
        step[OF_RANK, rank] = 0.0
        for suit in range(4):
            left = float(unseen >> 4 * rank + suit & 1)
            step[LEFT + suit, rank] = left
            step[OF_RANK, rank] += left


@shipped("int int u1.1 f8.2 f8.2 f8.1")
def count_ways(unseen: int, n: int, times: Array, step: Array, weights: Array, ways: Array) -> None:
    """Fill in how many ways each multiset of n ranks can be drawn from the unseen cards.

    ``times`` is how often the highest rank of each multiset occurs, from ``odds.counting``.
    """
    _lay_out(unseen, step)
    weights[0, 0] = 1.0
    for size in range(1, n + 1):
        before, after = weights[size - 1 & 1], weights[size & 1]
        of_top = times[AT_MULTISETS[size] : AT_MULTISETS[size + 1]]
        place = np.uint64(0)
        for top in range(13):
            cards = step[OF_RANK, top]
            for i in range(N_BELOW[top, size - 1]):
                # Choosing one more of a rank: C(c, k + 1) = C(c, k) (c - k) / (k + 1).
                n_top = float(of_top[place])
                after[place] = before[i] * (cards - (n_top - 1.0)) / n_top
                place += ONCE
    for i in range(ways.size):
        ways[i] = weights[n & 1, i]


@kernel
def _begin_suit(step: Array, suit: int) -> None:
    """Fill the number of cards of each rank that are not in a suit."""
    for rank in range(13):
        step[OFF, rank] = step[OF_RANK, rank] - step[LEFT + suit, rank]


@kernel
def _fill_ways(off: Array, size: int, ways: Array) -> float:
    """Fill in how many ways each O of a size can be drawn; return their sum."""
    if size == 0:
        ways[0] = 1.0
        return 1.0
    total = 0.0
    if size == 1:
        for rank in range(13):
            ways[rank] = off[rank]
            total += off[rank]
        return total
    place = np.uint64(0)
    for high in range(13):
        for low in range(high + 1):
            ways[place] = off[low] * (off[high] if low < high else (off[high] - 1.0) / 2.0)
            total += ways[place]
            place += ONCE
    return total


@kernel
def _ranks_in(cards: int, suit: int) -> Any:
    """Return the number and the 13-bit set of the ranks of a suit in a 52-bit set."""
    found, ranks = 0, 0
    for rank in range(13):
        if cards >> 4 * rank + suit & 1:
            found += 1
            ranks |= 1 << rank
    return found, ranks


@kernel
def _begin_sets(can: int, choice: Array, trail: Array) -> int:
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
def _n_prefixes(n: int, size: int) -> int:
    """Return the number of sets without their last rank; the empty set counts as one."""
    return int(CHOICES[max(n - 1, 0), size - 1]) if size else 1


@inlined
def _place_to_move(n: int, size: int, places: Array) -> int:
    """Return the lowest place of a prefix, of sets of ``size``, that changes in the next one."""
    place = size - 2
    while places[place] == n - size + place:
        place -= 1
    return place


@inlined
def _choose(first: int, again: bool, size: int, choice: Array) -> int:
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
def _last(place: int, size: int, choice: Array) -> Any:
    """Return the last rank of a set, its index and its mask; 0 for the empty set."""
    if size == 0:
        return 0, 0, 0
    rank = choice[RANKS, place]
    mask = choice[MASK, size - 1] | 1 << rank
    return rank, choice[INDEX, size - 1] + CHOICES[rank, size], mask


@kernel
def _flatten(by_ranks: Array, flat: Array) -> None:
    """Fill the sums of two ranks by the index of their multiset."""
    place = np.uint64(0)
    for high in range(13):
        for low in range(high + 1):
            flat[place] = by_ranks[low, high]
            place += ONCE


@inlined
def _sum_along(first: int, size: int, choice: Array, one: Array, both: Array, trail: Array) -> None:
    """Fill the sums over the ranks of a prefix from the place ``first`` on."""
    for k in range(first, size - 1):
        rank = choice[RANKS, choice[PLACES, k]]
        trail[TWOS, k + 1, 13] = trail[TWOS, k, 13] + trail[TWOS, k, rank]
        for other in range(13):
            trail[ONES, k + 1, other] = trail[ONES, k, other] + one[rank, other]
            trail[TWOS, k + 1, other] = trail[TWOS, k, other] + both[rank, other]


@inlined
def _give_back(first: int, size: int, choice: Array, one: Array, both: Array, trail: Array) -> None:
    """Add the sums of a prefix to those of its ranks: ``_sum_along`` transposed."""
    for k in range(size - 2, first - 1, -1):
        rank = choice[RANKS, choice[PLACES, k]]
        for other in range(13):
            some = trail[ONES, k + 1, other]
            one[rank, other] += some
            trail[ONES, k, other] += some
            trail[ONES, k + 1, other] = 0.0
            some = trail[TWOS, k + 1, other]
            both[rank, other] += some
            trail[TWOS, k, other] += some
            trail[TWOS, k + 1, other] = 0.0
        pairs = trail[TWOS, k + 1, 13]
        trail[TWOS, k, rank] += pairs
        trail[TWOS, k, 13] += pairs
        trail[TWOS, k + 1, 13] = 0.0


@kernel
def _divide(counts: Array, total: float) -> None:
    """Make probabilities of counts.

    The flush correction subtracts what the rank part added: a class that no hand makes keeps a
    rounding error of either sign.
    """
    for i in range(counts.size):
        counts[i] = max(counts[i], 0.0) / total


@shipped(f"{FORM} float f8.1")
def count_all(given: Any, room: Any, total: float, counts: Array) -> None:
    """Fill ``counts`` with the probability of each class, all hidden hands being equally likely.

    ``total`` is the number of hidden hands.
    """
    unseen, own, n, ways, table, unions = given
    classes, by_flush, no_low = table
    _, step, weights, trail, choice = room
    _lay_out(unseen, step)
    counts[:] = 0.0
    left = weights[0]
    for i in range(ways.size):
        left[i] = ways[i]
    for suit in range(4 if by_flush.size else 0):
        n_own, mine = _ranks_in(own, suit)
        can, o_ways = _ranks_in(unseen, suit)[1], step[EACH]
        _begin_suit(step, suit)
        for size in range(max(5 - n_own, 0), n + 1):
            total_ways = _fill_ways(step[OFF], n - size, o_ways)
            n_others = N_MULTISETS[n - size]
            n_ranks = _begin_sets(can, choice, trail)
            for i in range(_n_prefixes(n_ranks, size)):
                first = _place_to_move(n_ranks, size, choice[PLACES]) if i else 0
                begin = _choose(first, i > 0, size, choice)
                for last in range(begin, n_ranks if size else 1):
                    _, index, mask = _last(last, size, choice)
                    start = AT_UNIONS[size, n - size] + index * n_others
                    together, flush = unions[start : start + n_others], by_flush[mask | mine]
                    for j in range(n_others):
                        left[together[j]] -= o_ways[j]
                    if no_low:
                        for j in range(n_others):
                            above = no_low if classes[together[j]] >= no_low else 0
                            counts[flush + above] += o_ways[j]
                    else:
                        counts[flush] += total_ways
    for i in range(ways.size):
        counts[classes[i]] += left[i]
    _divide(counts, total)


@kernel
def _sum_pairs(pdd: Array, of_rank: Array, sums: Array) -> None:
    """Fill the sums of a pdd (1326,) by ranks, ALL per pair of cards."""
    sums[:] = 0.0
    pair = np.uint64(0)
    for second in range(52):
        high, its_suit = second >> 2, second & 3
        for first in range(second):
            p = pdd[pair]
            pair += ONCE
            if p == 0.0:
                continue
            low, suit = first >> 2, first & 3
            sums[ALL, low, high] += p
            for s in range(4):
                if suit == s and its_suit == s:
                    sums[BOTH + s, low, high] += p
                elif suit == s:
                    sums[ONE + s, low, high] += p
                elif its_suit == s:
                    sums[ONE + s, high, low] += p
                else:
                    sums[NONE + s, low, high] += p
    _per_pair(of_rank, sums)


@kernel
def _per_pair(of_rank: Array, sums: Array) -> None:
    """Divide ALL by the number of pairs of cards, in both orders of their ranks."""
    for high in range(13):
        for low in range(high + 1):
            pairs = of_rank[low] * (of_rank[high] if low < high else (of_rank[high] - 1.0) / 2.0)
            found = sums[ALL, low, high] + (sums[ALL, high, low] if low < high else 0.0)
            share = found / pairs if pairs > 0.0 else 0.0
            sums[ALL, low, high] = share
            sums[ALL, high, low] = share


@kernel
def _spread(n: int, every: Array, ways: Array, base: Array, chosen: Array, weights: Array) -> None:
    """Fill the weight of each G: its ways times the sum of ``every`` over the pairs of its ranks.

    The highest n - 2 ranks are chosen one after the other; row d of ``base`` has the sum over d of
    them with each rank, and last with one another. The lowest two follow.
    """
    for rank in range(14):
        base[0, rank] = 0.0
    depth, place = 0, np.uint64(0)
    chosen[0] = -1
    while depth >= 0:
        top = chosen[depth - 1] if depth > 0 else 12
        if depth == n - 2:
            sums, within = base[depth], base[depth, 13]
            for high in range(top + 1):
                so_far = within + sums[high]
                for low in range(high + 1):
                    weights[place] = ways[place] * (so_far + sums[low] + every[high, low])
                    place += ONCE
            depth -= 1
        elif chosen[depth] == top:
            depth -= 1
        else:
            chosen[depth] += 1
            rank = chosen[depth]
            for other in range(13):
                base[depth + 1, other] = base[depth, other] + every[rank, other]
            base[depth + 1, 13] = base[depth, 13] + base[depth, rank]
            depth += 1
            chosen[depth] = -1


@inlined
def _fill_each(n_others: int, both: float, one: Array, last: Array, step: Array) -> None:
    """Fill EACH with the weight of each O with an A.

    ``both`` is the weight of two cards in A. That of one in A and of one of each rank in O is the
    sum of ``one``, over the ranks of A without the last, and of ``last``.
    """
    each, off, rest, sums = step[EACH], step[OFF], step[REST], step[SUMS]
    for rank in range(13):
        sums[rank] = one[rank] + last[rank]
    if n_others == 13:
        for rank in range(13):
            each[rank] = both * off[rank] + sums[rank]
    else:
        place = np.uint64(0)
        for high in range(13):
            n_high, of_high = off[high], sums[high]
            for low in range(high):
                some = (both * off[low] + sums[low]) * n_high
                each[place] = some + of_high * off[low] + rest[place]
                place += ONCE
            some = both * n_high / 2.0 + of_high
            each[place] = some * (n_high - 1.0) + rest[place]
            place += ONCE


@shipped(f"{FORM} float f8.1 f8.1")
def count_pairs(given: Any, room: Any, total: float, pdd: Array, counts: Array) -> None:
    """Fill ``counts`` with the probability of each class under a pdd over pairs (1326,).

    ``total`` is the number of completions of a pair.
    """
    unseen, own, n, ways, table, unions = given
    classes, by_flush, no_low = table
    sums, step, weights, trail, choice = room
    _lay_out(unseen, step)
    counts[:] = 0.0
    _sum_pairs(pdd, step[OF_RANK], sums)
    left, each = weights[0], step[EACH]
    _spread(n, sums[ALL], ways, trail[ONES], choice[PLACES], left)
    for suit in range(4 if by_flush.size else 0):
        n_own, mine = _ranks_in(own, suit)
        can = _ranks_in(unseen, suit)[1]
        _flatten(sums[NONE + suit], step[REST])
        _begin_suit(step, suit)
        for size in range(max(5 - n_own, 0), n + 1):
            n_others = N_MULTISETS[n - size]
            n_ranks, before = _begin_sets(can, choice, trail), max(size - 1, 0)
            for i in range(_n_prefixes(n_ranks, size)):
                first = _place_to_move(n_ranks, size, choice[PLACES]) if i else 0
                place = _choose(first, i > 0, size, choice)
                _sum_along(first, size, choice, sums[ONE + suit], sums[BOTH + suit], trail)
                for last in range(place, n_ranks if size else 1):
                    rank, index, mask = _last(last, size, choice)
                    start = AT_UNIONS[size, n - size] + index * n_others
                    together, flush = unions[start : start + n_others], by_flush[mask | mine]
                    both = trail[TWOS, before, 13] + trail[TWOS, before, rank]
                    if n_others == 1:
                        each[0] = both
                    else:
                        one = sums[ONE + suit, rank] if size else trail[ONES, 0]
                        _fill_each(n_others, both, trail[ONES, before], one, step)
                    moved = 0.0
                    for j in range(n_others):
                        moved += each[j]
                        left[together[j]] -= each[j]
                    if no_low:
                        for j in range(n_others):
                            above = no_low if classes[together[j]] >= no_low else 0
                            counts[flush + above] += each[j]
                    else:
                        counts[flush] += moved
    for i in range(ways.size):
        counts[classes[i]] += left[i]
    _divide(counts, total)


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
def _gain(flushes: Any, together: Array, table: Any, ranked: Array, step: Array) -> None:
    """Fill EACH with what a hand with each O gains by its flush."""
    each, (classes, _, no_low) = step[EACH], table
    for j in range(together.size):
        each[j] = flushes[0] - ranked[together[j]]
    if no_low:
        for j in range(together.size):
            if classes[together[j]] >= no_low:
                each[j] += flushes[1] - flushes[0]


@inlined
def _add_gains(n_others: int, one: Array, last: Array, step: Array) -> float:
    """Return the gains of two cards in A; add those of one by the rank of the other.

    They are added to ``one``, of the ranks of A without the last, and to ``last``; those of two
    cards in O to the REST: ``_fill_each`` transposed.
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


@shipped(f"{FORM} float f8.1 f8.1")
def value_pairs(given: Any, room: Any, total: float, values: Array, out: Array) -> None:
    """Add the expected value of each pair (1326,), given ``values`` >= 0 of the classes.

    ``total`` is the number of completions of a pair. Pairs with a seen card are left as they are.
    """
    unseen, own, n, ways, table, unions = given
    classes, by_flush, no_low = table
    sums, step, weights, trail, choice = room
    _lay_out(unseen, step)
    ranked, products = weights[0], weights[1]
    for i in range(ways.size):
        ranked[i] = values[classes[i]]
        products[i] = ranked[i] * ways[i]
    sums[:] = 0.0
    _gather(n, products, trail[ONES], choice[PLACES], sums[ALL])
    _per_pair(step[OF_RANK], sums)
    for suit in range(4 if by_flush.size else 0):
        n_own, mine = _ranks_in(own, suit)
        can = _ranks_in(unseen, suit)[1]
        _begin_suit(step, suit)
        for j in range(91):
            step[REST, j] = 0.0
        for size in range(max(5 - n_own, 0), n + 1):
            n_others = N_MULTISETS[n - size]
            n_ranks, before = _begin_sets(can, choice, trail), max(size - 1, 0)
            n_prefixes = _n_prefixes(n_ranks, size)
            for i in range(n_prefixes):
                first = 0
                if i:
                    first = _place_to_move(n_ranks, size, choice[PLACES])
                    _give_back(first, size, choice, sums[ONE + suit], sums[BOTH + suit], trail)
                begin = _choose(first, i > 0, size, choice)
                for last in range(begin, n_ranks if size else 1):
                    rank, index, mask = _last(last, size, choice)
                    start = AT_UNIONS[size, n - size] + index * n_others
                    together, flush = unions[start : start + n_others], by_flush[mask | mine]
                    flushes = (values[flush], values[flush + no_low])
                    _gain(flushes, together, table, ranked, step)
                    both = step[EACH, 0]
                    if n_others > 1:
                        one = sums[ONE + suit, rank] if size else trail[ONES, 0]
                        both = _add_gains(n_others, trail[ONES, before], one, step)
                    trail[TWOS, before, 13] += both
                    trail[TWOS, before, rank] += both
            if n_prefixes:
                _give_back(0, size, choice, sums[ONE + suit], sums[BOTH + suit], trail)
        at = np.uint64(0)
        for high in range(13):
            for low in range(high + 1):
                sums[NONE + suit, low, high] = step[REST, at]
                at += ONCE
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


@shipped("i8.1 i8.1 u2.2 u2.1 int i8.1 u2.1")
def class_triples(
    unseen: Array,
    up: Array,
    by_ranks: Array,
    by_flush: Array,
    no_low: int,
    room: Array,
    classes: Array,
) -> None:
    """Fill the class of each triple of unseen cards, in the order of ``cards.triple_index``.

    ``unseen`` are the cards, ascending, ``up`` the four upcards, ``by_ranks`` and ``by_flush`` the
    tables of ``odds.showdown.SevenTables``; ``room`` is for the ranks of four cards.
    """
    suits = 0
    for i in range(4):
        room[i] = up[i] >> 2
        suits += 1 << 8 * (up[i] & 3)
    shown = multiset_index(room, 4)
    own = (_suited(up, 0), _suited(up, 1), _suited(up, 2), _suited(up, 3))
    place = np.uint64(0)
    for k in range(2, unseen.size):
        for j in range(1, k):
            for i in range(j):
                low, middle, high = unseen[i], unseen[j], unseen[k]
                r, s, t = low >> 2, middle >> 2, high >> 2
                down = r + (s + 1) * s // 2 + (t + 2) * (t + 1) * t // 6
                found = int(by_ranks[down, shown])
                n = suits + (1 << 8 * (low & 3)) + (1 << 8 * (middle & 3)) + (1 << 8 * (high & 3))
                # A byte counts the cards of a suit; with 3 more, one of five or more has its bit 3.
                if by_flush.size and n + 0x03030303 & 0x08080808:
                    for suit in range(4):
                        if n >> 8 * suit & 255 >= 5:
                            mask = own[suit]
                            mask |= (low & 3 == suit) << r
                            mask |= (middle & 3 == suit) << s
                            mask |= (high & 3 == suit) << t
                            above = no_low if no_low and found >= no_low else 0
                            found = int(by_flush[mask]) + above
                classes[place] = found
                place += ONCE


@kernel
def _suited(cards: Array, suit: int) -> int:
    mask = 0
    for i in range(cards.size):
        mask |= (cards[i] & 3 == suit) << (cards[i] >> 2)
    return mask
