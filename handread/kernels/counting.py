"""Exact counts of the classes that the hands of a seat can make (3rd to 6th street).

Of the seven cards of a seat u are known and n = 7 - u are *hidden*: two downcards and the cards to
come. The hidden hands are counted in two steps:

* Ranks. If suits did not matter, the class would depend on the known ranks and on the multiset G of
  hidden ranks alone: ``ways[G]`` hidden hands each.
* Flush correction, suit by suit. Let A be the set of ranks of the hidden cards in the suit and O
  the multiset of the others. With the known cards there are five or more of the suit, so O has at
  most two ranks. Every (A, O) moves its hidden hands from the class of G = A + O to the flush.

A hand of seven with a flush has neither quads nor a full house, so the class of a high depends on
the suited ranks alone. In other games it depends on the ranks beside the suit, too. Everything is
exact: counts are integers far below 2**53.

The completions of one pair of downcards are a part of the hidden hands. By symmetry, a pair of
ranks ab has as many of the hands of G as ab can be picked from G, over the number of such pairs in
the deck. With a flush, a pair has both cards in A, one in A and one in O, or both in O. So it is
enough to sum pairs by their ranks, once for all pairs and by suit for those with no, one and two
cards in it: the rows ALL, NONE, ONE and BOTH of ``sums``. H is the matrix of both operators, with
the probability that a pair becomes a class:

    H @ values:  values of classes -> of every G and (A, O) -> sums by ranks -> pairs
    H.T @ pdd:   pdd of pairs -> sums by ranks -> weight of every G and (A, O) -> classes

and each arrow of one is the transpose of an arrow of the other.

For an ace-to-five low, the rank part is all. In hi/lo with a qualifier, the classes of the high
come twice, with a low and without; in deuce-to-seven, a flush gives way to the best low beside it:
both depend on the ranks beside the suit.

A seat on 3rd street takes some 79,000 terms (docs/how-it-works.md). The other ways were dropped:

* Dealing every completion: 122 million hands a seat. Seven seats take 480 times as long.
* Sampling: chances change from run to run, and a read rests on small differences between holdings.
* Storing H: 4.8 million entries a seat, a fifth to a quarter of them filled. A product took .9 ms,
  and 1.3 ms with a sparse matrix: a structure helps, not a list of entries.
* Counting the cards to come for each pair of ranks, up to version 0.15: eight times the terms.

Multisets and sets of ranks have the indices of ``kernels.tables``. The kernels of a seat are given

* ``unseen`` and ``own``, the unseen cards and the known cards of the seat as 52-bit sets, and n;
* ``ways`` of each G, as ``count_ways`` fills it;
* ``table``: the class of each G with the known ranks, and of each set of suited ranks (none where
  suits do not matter), in one column or one for each multiset of the ranks beside the suit;
* ``unions``: the index of every A + O, from ``odds.counting.unions``;

and take as ``room`` arrays for the sums (13, 13, 13), a step (8, 96), the weights of each G and
sums over sets (3, 18564), the sums over the lowest two ranks of G (1, 18, 91), and the sets of
ranks (8, 1716).
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import inlined, kernel, shipped
from handread.kernels.particles import flush_class, pair_of_ranks
from handread.kernels.rank_sets import (
    BITS,
    CHOICES,
    INDEX,
    MASK,
    MOST_HIDDEN,
    PLACES,
    RANKS,
    SETS,
    list_sets,
    n_pairs,
    spread_pairs,
    spread_sets,
)
from handread.kernels.tables import multiset_index

Array = npt.NDArray[Any]

N_MULTISETS = np.array([comb(13 + n - 1, n) for n in range(8)])
N_SETS = np.array([comb(13, n) for n in range(8)])
N_BELOW = np.array([[comb(top + n - 1, n - 1) for n in range(1, 7)] for top in range(13)])
"""Number of multisets of n ranks with ``top`` as the highest (13, 6)."""

AT_MULTISETS = np.cumsum([0, *N_MULTISETS])
"""Where the multisets of each size begin in a list of all sizes."""

UNIONS = [(s, o) for s in range(MOST_HIDDEN + 1) for o in range(3) if s + o <= MOST_HIDDEN]
AT_UNIONS = np.zeros((MOST_HIDDEN + 1, 3), np.int64)
"""Where the unions of sets of each size and of multisets of each size begin."""
AT_UNIONS[tuple(zip(*UNIONS[1:], strict=True))] = np.cumsum(
    [N_SETS[s] * N_MULTISETS[o] for s, o in UNIONS[:-1]]
)

ALL, NONE, ONE, BOTH = 0, 1, 5, 9
"""The sums of all pairs; by suit of those without a card of it, with one (whose rank is the first
place), with two."""

LEFT, OF_RANK, OFF, EACH, REST = 0, 4, 5, 6, 7
"""Rows of a step: unseen cards of each rank by suit; of all suits; of those not in the suit; what
there is of each O with an A, and with all of them together."""

ONCE = np.uint64(1)

FORM = "(int int int f8.1 (u2.1 u2.2) u2.1) (f8.3 f8.2 f8.2 f8.3 i8.2)"


@kernel
def lay_out(unseen: int, step: Array) -> None:
    """Fill the number of unseen cards of each rank, by suit and of all."""
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
    lay_out(unseen, step)
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
def begin_suit(step: Array, suit: int) -> None:
    """Fill the number of cards of each rank that are not in a suit."""
    for rank in range(13):
        step[OFF, rank] = step[OF_RANK, rank] - step[LEFT + suit, rank]


@kernel
def _fill_ways(off: Array, size: int, ways: Array) -> None:
    """Fill in how many ways each O of a size can be drawn."""
    if size == 0:
        ways[0] = 1.0
    elif size == 1:
        for rank in range(13):
            ways[rank] = off[rank]
    else:
        place = np.uint64(0)
        for high in range(13):
            for low in range(high + 1):
                ways[place] = off[low] * (off[high] if low < high else (off[high] - 1.0) / 2.0)
                place += ONCE


@kernel
def ranks_in(cards: int, suit: int) -> Any:
    """Return the number and the 13-bit set of the ranks of a suit in a 52-bit set."""
    found, ranks = 0, 0
    for rank in range(13):
        if cards >> 4 * rank + suit & 1:
            found += 1
            ranks |= 1 << rank
    return found, ranks


@kernel
def _flatten(by_ranks: Array, flat: Array) -> None:
    """Fill the sums of two ranks by the index of their multiset."""
    place = np.uint64(0)
    for high in range(13):
        for low in range(high + 1):
            flat[place] = by_ranks[low, high]
            place += ONCE


@kernel
def known_beside(own: int, suit: int) -> int:
    """Return the index of the multiset of known ranks, two at most, beside a suit; -1 for none."""
    found = -1
    for card in range(52):
        if own >> card & 1 and card & 3 != suit:
            found = card >> 2 if found < 0 else pair_of_ranks(found, card >> 2)
    return found


@kernel
def beside(j: int, n_others: int, known: int) -> int:
    """Return the index of all ranks beside a suit, given the jth O and the known ranks."""
    if known < 0:
        return j
    return known if n_others == 1 else pair_of_ranks(j, known)


@inlined
def _move(
    weights: Array, together: Array, flushes: Array, known: int, left: Array, counts: Array
) -> None:
    """Move the weights of the hands of each O with an A from their ranks to their flush."""
    moved = odd = 0.0
    for j in range(together.size):
        moved, odd = odd, moved + weights[j]
        left[together[j]] -= weights[j]
    if flushes.size == 1:
        counts[flushes[0]] += moved + odd
    else:
        for j in range(together.size):
            counts[flushes[beside(j, together.size, known)]] += weights[j]


@kernel
def _add_ranks(left: Array, classes: Array, total: float, counts: Array) -> None:
    """Add the rest of each G to its class by ranks, and make probabilities of the counts.

    The flush correction subtracts what the rank part added: a class that no hand makes keeps a
    rounding error of either sign.
    """
    for i in range(classes.size):
        counts[classes[i]] += left[i]
    for i in range(counts.size):
        counts[i] = max(counts[i], 0.0) / total


@shipped(f"{FORM} float f8.1")
def count_all(given: Any, room: Any, total: float, counts: Array) -> None:
    """Fill ``counts`` with the probability of each class, all hidden hands being equally likely.

    ``total`` is the number of hidden hands.
    """
    unseen, own, n, ways, (classes, by_flush), unions = given
    _, step, weights, _, choice = room
    lay_out(unseen, step)
    counts[:] = 0.0
    left = weights[0]
    for i in range(ways.size):
        left[i] = ways[i]
    for suit in range(4 if by_flush.size else 0):
        (n_own, mine), known = ranks_in(own, suit), known_beside(own, suit)
        n_ranks, o_ways = list_sets(ranks_in(unseen, suit)[1], n, choice), step[EACH]
        begin_suit(step, suit)
        for size in range(max(5 - n_own, 0), n + 1):
            _fill_ways(step[OFF], n - size, o_ways)
            n_others = N_MULTISETS[n - size]
            for at in range(CHOICES[n_ranks, size]):
                chosen = choice[SETS + size, at]
                start = AT_UNIONS[size, n - size] + (chosen & INDEX) * n_others
                together = unions[start : start + n_others]
                flushes = by_flush[chosen >> MASK & BITS | mine]
                _move(o_ways, together, flushes, known, left, counts)
    _add_ranks(left, classes, total, counts)


@kernel
def _sum_pairs(unseen: int, pdd: Array, cards: Array, of_rank: Array, sums: Array) -> None:
    """Fill the sums of a pdd (1326,) by ranks, ALL per pair of cards."""
    sums[:] = 0.0
    every = sums[ALL]
    for j in range(list_cards(unseen, cards)):
        high, its_suit = cards[j] >> 2, cards[j] & 3
        theirs, start = sums[ONE + its_suit, high], cards[j] * (cards[j] - 1) // 2
        for i in range(j):
            p, low, suit = pdd[start + cards[i]], cards[i] >> 2, cards[i] & 3
            every[low, high] += p
            if suit == its_suit:
                sums[BOTH + suit, low, high] += p
            else:
                sums[ONE + suit, low, high] += p
                theirs[low] += p
    for suit in range(4):
        none, one, both = sums[NONE + suit], sums[ONE + suit], sums[BOTH + suit]
        for high in range(13):
            for low in range(high):
                some = one[low, high] + one[high, low] + both[low, high]
                none[low, high] = max(every[low, high] - some, 0.0)
            none[high, high] = max(every[high, high] - one[high, high], 0.0)
    per_pair(of_rank, sums)


@kernel
def list_cards(unseen: int, cards: Array) -> int:
    """List the cards of a 52-bit set; return their number."""
    n = 0
    for card in range(52):
        if unseen >> card & 1:
            cards[n] = card
            n += 1
    return n


@kernel
def per_pair(of_rank: Array, sums: Array) -> None:
    """Divide ALL by the number of pairs of cards, in both orders of their ranks."""
    for high in range(13):
        for low in range(high + 1):
            pairs = of_rank[low] * (of_rank[high] if low < high else (of_rank[high] - 1.0) / 2.0)
            found = sums[ALL, low, high] + (sums[ALL, high, low] if low < high else 0.0)
            share = found / pairs if pairs > 0.0 else 0.0
            sums[ALL, low, high] = share
            sums[ALL, high, low] = share


@kernel
def _spread(n: int, every: Array, ways: Array, work: Array, ranks: Array, weights: Array) -> None:
    """Fill the weight of each G: its ways times the sum of ``every`` over the pairs of its ranks.

    Below n other ``ranks``, which are chosen one after the other, stand the lowest two.
    ``work`` has the sums over the pairs of each rank with these two, over the pair of these two,
    and over all pairs with the highest 1, 2, ... of the others; then those within the others.
    """
    at = np.uint64(0)
    for high in range(13):
        for low in range(high + 1):
            work[13, at] = every[high, low]
            for rank in range(13):
                work[rank, at] = every[rank, high] + every[rank, low]
            at += ONCE
    for i in range(0 if n else ways.size):
        weights[i] = ways[i] * work[13, i]
    for k in range(n):
        ranks[k] = 0
    ranks[n] = 12
    within, k, place = work[17], n - 1, 0
    within[n] = 0.0
    while k < n:
        for level in range(k, -1, -1):
            size, sum_within = n_pairs(ranks[level]), within[level + 1]
            for other in range(level + 1, n):
                sum_within += every[ranks[level], ranks[other]]
            within[level] = sum_within
            before, one = work[12 + n - level], work[ranks[level]]
            if level:
                sums = work[13 + n - level]
                for i in range(size):
                    sums[i] = before[i] + one[i]
            else:
                times, found = ways[place : place + size], weights[place:]
                for i in range(size):
                    found[i] = times[i] * (before[i] + one[i] + sum_within)
                place += size
        k = 0
        while k < n and ranks[k] == ranks[k + 1]:
            ranks[k] = 0
            k += 1
        if k < n:
            ranks[k] += 1


@inlined
def _fill_each(n_others: int, both: float, one: Array, step: Array) -> None:
    """Fill EACH with the weight of each O with an A.

    ``both`` is the weight of two cards in A, ``one`` that of one card in A and one of each rank.
    """
    each, off, rest = step[EACH], step[OFF], step[REST]
    if n_others == 1:
        each[0] = both
    elif n_others == 13:
        for rank in range(13):
            each[rank] = both * off[rank] + one[rank]
    else:
        place = np.uint64(0)
        for high in range(13):
            n_high, of_high = off[high], one[high]
            for low in range(high):
                some = (both * off[low] + one[low]) * n_high
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
    unseen, own, n, ways, (classes, by_flush), _ = given
    sums, step, weights, trail, choice = room
    lay_out(unseen, step)
    counts[:] = 0.0
    _sum_pairs(unseen, pdd, choice[SETS], step[OF_RANK], sums)
    _spread(n - 2, sums[ALL], ways, trail[0], choice[RANKS], weights[0])
    for suit in range(4 if by_flush.size else 0):
        mine = ranks_in(own, suit)
        if mine[0] + n >= 5:
            _count_flushes(suit, mine, given, room, counts)
    _add_ranks(weights[0], classes, total, counts)


@kernel
def _count_flushes(suit: int, own: Any, given: Any, room: Any, counts: Array) -> None:
    """Move the weights of the hands of every A in a suit and O from their ranks to their flush.

    ``own`` is the number and the set of the known ranks in the suit.
    """
    (unseen, cards, n, _, (_, by_flush), unions), (sums, step, weights, _, choice) = given, room
    (n_own, mine), known, ranks = own, known_beside(cards, suit), choice[RANKS]
    left, found, rows = weights[0], weights[1], weights[2]
    begin_suit(step, suit)
    _flatten(sums[NONE + suit], step[REST])
    n_ranks = list_sets(ranks_in(unseen, suit)[1], n, choice)
    spread_pairs(n_ranks, ranks, sums[BOTH + suit], found)
    rows[:13] = 0.0
    for size in range(n + 1):
        if 0 < size < n and n_own + n > 5:
            spread_sets(n_ranks, size, ranks, sums[ONE + suit], rows)
        n_others = N_MULTISETS[n - size]
        for at in range(CHOICES[n_ranks, size] if n_own + size >= 5 else 0):
            chosen = choice[SETS + size, at]
            start = AT_UNIONS[size, n - size] + (chosen & INDEX) * n_others
            together, both = unions[start : start + n_others], found[chosen >> PLACES & BITS]
            flushes = by_flush[chosen >> MASK & BITS | mine]
            _fill_each(n_others, both, rows[13 * at : 13 * at + 13], step)
            _move(step[EACH], together, flushes, known, left, counts)


@shipped("i8.1 i8.1 u2.2 u2.2 i8.1 u2.1")
def class_triples(
    unseen: Array, up: Array, by_ranks: Array, by_flush: Array, hand: Array, classes: Array
) -> None:
    """Fill the class of each triple of unseen cards, in the order of ``cards.triple_index``.

    ``unseen`` are the cards, ascending, ``up`` the four upcards, ``by_ranks`` and ``by_flush`` the
    tables of ``odds.showdown.SevenTables``; ``hand`` is room for seven cards.
    """
    for i in range(4):
        hand[i] = up[i] >> 2
    shown = multiset_index(hand, 4)
    for i in range(4):
        hand[i] = up[i]
    place = np.uint64(0)
    for k in range(2, unseen.size):
        for j in range(1, k):
            for i in range(j):
                hand[4], hand[5], hand[6] = unseen[i], unseen[j], unseen[k]
                r, s, t = unseen[i] >> 2, unseen[j] >> 2, unseen[k] >> 2
                down = r + (s + 1) * s // 2 + (t + 2) * (t + 1) * t // 6
                flush = flush_class(hand, 7, by_flush)
                classes[place] = by_ranks[down, shown] if flush < 0 else flush
                place += ONCE


@shipped("i8.1 i8.1 f8.2 f8.1 f8.2")
def share_triples(
    unseen: Array, places: Array, joint: Array, weights: Array, shares: Array
) -> None:
    """Fill P(member | triple), (members, triples), from P(member, pair), (members, pairs).

    ``places`` are the triples of the ``unseen`` cards; ``weights`` are P(member). Triples of
    probability 0 are never used, but their shares must still sum to 1: they get the weights.
    """
    whole = weights.sum()
    for member in range(weights.size):
        at, sums, pairs, even, odd = np.uint64(0), shares[member], joint[member], 0.0, 0.0
        sums[:] = weights[member] / whole
        for k in range(2, unseen.size):
            high = unseen[k] * (unseen[k] - 1) // 2
            for j in range(1, k):
                middle = unseen[j] * (unseen[j] - 1) // 2
                both = pairs[np.uint64(high + unseen[j])]
                for i in range(j):
                    low = unseen[i]
                    found = both + pairs[np.uint64(high + low)] + pairs[np.uint64(middle + low)]
                    sums[np.uint64(places[at])] = found
                    even, odd = odd, even + found
                    at += ONCE
        scale = weights[member] / (even + odd) if even + odd > 0.0 else 1.0
        for i in range(places.size):
            sums[np.uint64(places[i])] *= scale
    for i in range(places.size):
        at, total = np.uint64(places[i]), 0.0
        for member in range(weights.size):
            total += shares[member, at]
        for member in range(weights.size):  # a single member has a share of exactly 1
            share = shares[member, at] / total if total > 0.0 else weights[member] / whole
            shares[member, at] = share
