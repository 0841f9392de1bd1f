"""Hand strength and potential of all holdings of a seat (Billings et al. 1998), by counting.

Hands are compared by their keys (``kernels.tables``), hands of fewer than five cards included: all
seats have the same number of cards on a street.

``strengths`` compares every holding of a seat with every holding of an opponent, with card removal.
Holdings are ordered by the *class* of their hand, its place among the seat's different keys; sums
of weights by card and by pair remove the holdings that share a card. ``potentials`` counts pairs of
classes, now and after one more card for each seat, as if the cards of the two seats were
independent. ``strength_of`` and ``potential_of`` do the same for one holding, for a player who
knows it. Pairs and triples are indexed as in ``handread.cards``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from handread.arrays import Array
from handread.kernels.jit import allocating, kernel
from handread.kernels.tables import flush_key, multiset_index, rank_key


@kernel
def add_card(card: int, ranks: Array, suits: Array) -> None:
    """Add a card to the counts of ranks (13,) and to the rank sets of the suits (4,)."""
    ranks[card >> 2] += 1
    suits[card & 3] |= 1 << (card >> 2)


@allocating
def fill_keys(up: Array, hidden: Array, left: Array, rank_keys: Array, suit_keys: Array) -> None:
    """Fill the keys of a seat's hands by the ranks of its other cards, and by their suited ranks.

    Args:
        up: The face-up cards of the seat.
        hidden: The multisets of the ranks of two or three other cards (n, size).
        left: 1 for unseen cards, by rank and suit (13, 4).
        rank_keys: Filled with the key of each multiset without flushes (n,).
        suit_keys: Filled with the key of a flush by suit and the set of ranks of the other cards in
            it; -1 for no flush (4, 8192).
    """
    counts, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    sizes = np.zeros(4, np.int64)
    for card in up:
        add_card(card, counts, suits)
        sizes[card & 3] += 1
    n, size = hidden.shape
    for i in range(n):
        for k in range(size):
            counts[hidden[i, k]] += 1
        rank_keys[i] = rank_key(counts)
        for k in range(size):
            counts[hidden[i, k]] -= 1
    for suit in range(4):
        if sizes[suit] + size < 5:
            continue
        live = 0
        for r in range(13):
            live |= left[r, suit] << r
        # All sets of at most three ranks, with repeats: three equal ranks are a set of one.
        for c in range(13):
            for b in range(c + 1):
                for a in range(b + 1):
                    held = 1 << a | 1 << b | 1 << c
                    n_held = 1 + (a != b) + (b != c)
                    if held & ~live or n_held > size or sizes[suit] + n_held < 5:
                        continue
                    suit_keys[suit, held] = flush_key(suits[suit] | held)
        if sizes[suit] >= 5:
            suit_keys[suit, 0] = flush_key(suits[suit])


@allocating
def fill_classes(
    cards: Array, live: Array, by_ranks: Array, by_suit: Array, flush: int, out: Array
) -> None:
    """Fill ``out`` (holdings,) with the class of each holding; -1 where a card is not live.

    ``cards`` are (holdings, 2 or 3). ``by_ranks`` are the classes of ``rank_keys``, ``by_suit`` of
    ``suit_keys`` (see ``fill_keys``); ``flush`` is a bit set of the suits that can make one.
    """
    n, size = cards.shape
    ranks = np.empty(size, np.int64)
    for holding in range(n):
        out[holding] = -1
        free = True
        for i in range(size):
            free = free and live[cards[holding, i]]
            ranks[i] = cards[holding, i] >> 2
        if not free:
            continue
        best = by_ranks[multiset_index(ranks, size)]
        for suit in range(4):
            if flush >> suit & 1:
                held = 0
                for card in cards[holding]:
                    held |= (1 << (card >> 2)) if card & 3 == suit else 0
                best = max(best, by_suit[suit, held])
        out[holding] = best


@kernel
def _share(worse: float, equal: float, total: float, whole: Any) -> float:
    """Return the hand strength by sums over the opponent's disjoint holdings.

    If these have next to no weight, the weights of all the opponent's holdings count.
    """
    all_worse, all_equal, all_weights = whole
    if total <= 1e-9 * all_weights:
        worse, equal, total = all_worse, all_equal, all_weights
    if total <= 0.0:
        return 0.5
    return min(max((worse + 0.5 * equal) / total, 0.0), 1.0)


@kernel
def _add(holding: int, cards: Array, weight: float, by_card: Array, by_pair: Array) -> None:
    """Add the weight of a holding to the sums of its cards (52,), and of the pairs of a triple."""
    size = cards.shape[1]
    for j in range(size):
        b = cards[holding, j]
        by_card[b] += weight
        for i in range(j if size == 3 else 0):
            by_pair[b * (b - 1) // 2 + cards[holding, i]] += weight


@kernel
def _disjoint(
    holding: int, cards: Array, total: float, by_card: Array, by_pair: Array, own: float
) -> float:
    """Return the weight of the holdings that share no card with one, by inclusion and exclusion.

    ``own`` is the part of the total that belongs to the holding itself.
    """
    left: float = total
    for card in cards[holding]:
        left -= by_card[card]
    if cards.shape[1] == 2:
        left += own
        return left
    a, b, c = cards[holding, 0], cards[holding, 1], cards[holding, 2]
    left -= own
    left += by_pair[b * (b - 1) // 2 + a]
    left += by_pair[c * (c - 1) // 2 + a] + by_pair[c * (c - 1) // 2 + b]
    return left


@allocating
def strengths(
    cards: Array, own: Any, other: Any, below: Array, upto: Array, weights: Array, out: Array
) -> None:
    """Fill ``out`` (holdings,) with the hand strength of each holding against an opponent's.

    Args:
        cards: The cards of each pair (1326, 2) or triple (22100, 3).
        own: Class of each of the seat's holdings, -1 for impossible ones; by class, where its
            holdings start in the order; and the possible holdings ordered by class.
        other: The same for the opponent.
        below: For each class of the seat, the number of classes of the opponent below it.
        upto: For each class of the seat, the number of the opponent's below or equal.
        weights: Weights of the opponent's holdings (holdings,).
        out: Filled; 0 for holdings that the seat cannot have.
    """
    _, starts, order = own
    classes, places, others = other
    out[:] = 0.0
    all_weights, all_card, all_pair = 0.0, np.zeros(52, np.float64), np.zeros(1326, np.float64)
    for holding in others[: places[-1]]:
        all_weights += weights[holding]
        _add(holding, cards, weights[holding], all_card, all_pair)
    under, by_card, by_pair = 0.0, np.zeros(52, np.float64), np.zeros(1326, np.float64)
    equal_card, equal_pair = np.zeros(52, np.float64), np.zeros(1326, np.float64)
    start = 0
    for k in range(starts.size - 1):
        lower, upper = below[k], upto[k]
        for holding in others[start : places[lower]]:
            under += weights[holding]
            _add(holding, cards, weights[holding], by_card, by_pair)
        start = places[lower]
        equal = 0.0
        for holding in others[start : places[upper]]:
            equal += weights[holding]
            _add(holding, cards, weights[holding], equal_card, equal_pair)
        whole = under, equal, all_weights
        for holding in order[starts[k] : starts[k + 1]]:
            place, weight = classes[holding], weights[holding]
            total = _disjoint(holding, cards, all_weights, all_card, all_pair, weight)
            mine = weight if place < lower else 0.0
            worse = _disjoint(holding, cards, under, by_card, by_pair, mine)
            tied = 0.0
            if upper > lower:
                mine = weight if lower <= place < upper else 0.0
                tied = _disjoint(holding, cards, equal, equal_card, equal_pair, mine)
            out[holding] = _share(worse, tied, total, whole)
        # To undo is cheaper than to clear the sums for each class.
        for holding in others[start : places[upper]]:
            _add(holding, cards, -weights[holding], equal_card, equal_pair)


@kernel
def _pairs_of(a: int, b: int, c: int) -> tuple[int, int, int]:
    return b * (b - 1) // 2 + a, c * (c - 1) // 2 + a, c * (c - 1) // 2 + b


@kernel
def joint_sums(triples: Array, now: Array, then: Array, weights: Array, sums: Array) -> None:
    """Sum the weights of an opponent's pairs and next cards by both classes, cumulatively.

    Args:
        triples: The cards of each triple (22100, 3).
        now: Class of each pair (1326,).
        then: Class of each pair with a next card (22100,); -1 where a card has been seen.
        weights: Weight of each pair (1326,).
        sums: Filled: ``sums[i, j]`` is the weight of classes below i now and below j then, each
            pair counted once for each next card (classes now + 1, classes then + 1).
    """
    sums[:] = 0.0
    for triple in range(then.size):
        if then[triple] >= 0:
            a, b, c = triples[triple]
            for pair in _pairs_of(a, b, c):
                sums[now[pair] + 1, then[triple] + 1] += weights[pair]
    for row in range(1, sums.shape[0]):
        along = 0.0
        for column in range(sums.shape[1]):
            along += sums[row, column]
            sums[row, column] = sums[row - 1, column] + along


@kernel
def potentials(
    triples: Array, next_cards: int, now: Array, then: Array, bounds: Any, sums: Array, out: Array
) -> None:
    """Add the two sums of the potential of each pair against an opponent to ``out`` (2, 1326).

    The rows are sums over the next cards of both: behind and then ahead, and behind; a tie counts
    half in either state. Next cards count equally often with every pair, so that the ratio of the
    rows is Ppot. The bounds are ``below`` and ``upto`` of ``strengths``, for the classes now and
    then; ``sums`` are the opponent's (``joint_sums``).
    """
    below, upto, below_then, upto_then = bounds
    last_row, last = sums.shape[0] - 1, sums.shape[1] - 1
    for pair in range(now.size):
        if now[pair] >= 0:
            lower, upper = below[now[pair]], upto[now[pair]]
            worse = 0.5 * (sums[lower, last] + sums[upper, last])
            out[1, pair] += next_cards * (sums[last_row, last] - worse)
    for triple in range(then.size):
        if then[triple] < 0:
            continue
        low, high = below_then[then[triple]], upto_then[then[triple]]
        beaten = 0.5 * (sums[last_row, low] + sums[last_row, high])
        a, b, c = triples[triple]
        for pair in _pairs_of(a, b, c):
            lower, upper = below[now[pair]], upto[now[pair]]
            # Worse now and then. Hands tied once or twice count half: a lasting tie neither gains
            # nor loses.
            out[0, pair] += beaten - 0.5 * (sums[lower, low] + sums[upper, high])


@allocating
def strength_of(
    holding: int, cards: Array, lower: int, upper: int, classes: Array, weights: Array
) -> float:
    """Return the hand strength of one holding against an opponent's classes and weights.

    ``lower`` and ``upper`` are the numbers of classes below the holding's, and below or equal.
    """
    size = cards.shape[1]
    free = np.ones(52, np.bool_)
    for i in range(size):
        free[cards[holding, i]] = False
    worse, tied, total = 0.0, 0.0, 0.0
    all_worse, all_tied, all_weights = 0.0, 0.0, 0.0
    for other in range(classes.size):
        weight, place = weights[other], classes[other]
        if weight == 0.0 or place < 0:
            continue
        disjoint = True
        for i in range(size):
            disjoint = disjoint and free[cards[other, i]]
        all_weights += weight
        total += weight if disjoint else 0.0
        if place < lower:
            all_worse += weight
            worse += weight if disjoint else 0.0
        elif place < upper:
            all_tied += weight
            tied += weight if disjoint else 0.0
    return _share(worse, tied, total, (all_worse, all_tied, all_weights))


@kernel
def potential_of(
    a: int, b: int, cards: Array, now: Array, then: Array, bounds: Any, sums: Array, out: Array
) -> None:
    """Add the two sums of the potential of the pair a < b to ``out`` (2,), as in ``potentials``."""
    below, upto, below_then, upto_then = bounds
    last_row, last = sums.shape[0] - 1, sums.shape[1] - 1
    place = now[b * (b - 1) // 2 + a]
    lower, upper = below[place], upto[place]
    worse = 0.5 * (sums[lower, last] + sums[upper, last])
    out[1] += (cards.size - 2) * (sums[last_row, last] - worse)
    for c in cards:
        if c in (a, b):
            continue
        low, high = min(a, c), max(b, c)
        middle = a + b + c - low - high
        triple = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low
        left, right = below_then[then[triple]], upto_then[then[triple]]
        both = 0.5 * (sums[lower, left] + sums[upper, right])
        out[0] += 0.5 * (sums[last_row, left] + sums[last_row, right]) - both
