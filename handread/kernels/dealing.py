"""Joint deals: draw all downcards without overlaps, then play out to the showdown.

Seats draw in turn from their own pdds, each among the holdings that the seats before leave
possible. The importance *weight* of a draw is the product of the probabilities that were left to
the seats. Weighted so, draws come from the joint distribution prod_i p_i(holding_i), restricted to
holdings that share no card. A draw that leaves a seat nothing has weight 0.

Arrays: ``cards`` (rows, 3) lists the holdings of all seats, a pair with -1 as its third card;
``masks`` (rows,) are the same as 52-bit sets, ``chances`` (rows,) their probabilities, which sum to
1 in each seat, ``sums`` (rows,) those added up; seat s owns the rows from ``starts[s]`` to
``starts[s + 1]``. ``single`` (seats, 52), ``double`` (seats, 52, 52) and ``triple`` (seats, 22100)
are the probabilities that a seat holds a card, two cards, three cards; ``triple`` has no columns
when nobody holds three.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from handread.kernels.jit import kernel, shipped
from handread.kernels.particles import flush_class, hand_place

Array = npt.NDArray[Any]

SCAN_BELOW = 0.02
"""Below this probability of a free holding, a scan is faster than rejection sampling."""


@kernel
def free_chance(used: Array, n: int, single: Array, double: Array, triple: Array) -> float:
    """Return the probability of the holdings without the first ``n`` ``used`` cards (ascending).

    By inclusion and exclusion: a rounding error of either sign where nothing is left.
    """
    left = 1.0
    for i in range(n):
        c = used[i]
        left -= single[c]
        for j in range(i):
            b = used[j]
            left += double[c, b]
            if triple.size > 0:
                first = c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2
                for k in range(j):
                    left -= triple[first + used[k]]
    return left


@kernel
def _scan(rng: Any, masks: Array, chances: Array, taken: int) -> tuple[int, float]:
    """Draw a free holding; return it and the probability of all free ones (-1 if none)."""
    left = 0.0
    for row in range(masks.size):
        if masks[row] & taken == 0:
            left += chances[row]
    target = rng.random() * left
    found = -1
    for row in range(masks.size):
        if masks[row] & taken == 0 and chances[row] > 0.0:
            found = row
            target -= chances[row]
            if target < 0.0:
                break
    return found, left


@kernel
def _use(used: Array, n: int, cards: Array) -> int:
    """Insert the cards of a holding into the ``n`` used ones, in order; return their number."""
    for card in cards:
        if card < 0:
            continue
        place = n
        while place > 0 and used[place - 1] > card:
            used[place] = used[place - 1]
            place -= 1
        used[place] = card
        n += 1
    return n


@kernel
def _first_above(sums: Array, target: float) -> int:
    """Return the number of ascending sums that are not above a target."""
    low, high = 0, sums.size
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] <= target:
            low = middle + 1
        else:
            high = middle
    return low


@shipped("rng (i8.2 i8.1 f8.1 f8.1) i8.1 (f8.2 f8.3 f8.2) i8.1 i8.2 f8.1")
def draw_disjoint(
    rng: Any, holdings: Any, starts: Array, marginals: Any, used: Array, rows: Array, weights: Array
) -> None:
    """Fill ``rows`` (draws, seats) with holdings that share no card, and their ``weights``.

    ``holdings`` are cards, masks, chances and sums; ``marginals`` single, double and triple;
    ``used`` (52,) is room for cards. The rows of a draw with weight 0 have no meaning.
    """
    cards, masks, chances, sums = holdings
    single, double, triple = marginals
    for draw in range(weights.size):
        taken = 0
        n = 0
        weight = 1.0
        for seat in range(starts.size - 1):
            first, end = starts[seat], starts[seat + 1]
            holds_three = triple.shape[1] > 0 and cards[first, 2] >= 0
            threes = triple[seat] if holds_three else triple[seat, :0]
            left = free_chance(used, n, single[seat], double[seat], threes)
            if left > SCAN_BELOW:
                row = first + _first_above(sums[first:end], rng.random())
                while masks[row] & taken != 0:
                    row = first + _first_above(sums[first:end], rng.random())
            else:
                found, left = _scan(rng, masks[first:end], chances[first:end], taken)
                row = first + found
                if found < 0:
                    weight = 0.0
                    break
            weight *= left
            rows[draw, seat] = row
            taken |= masks[row]
            n = _use(used, n, cards[row])
        weights[draw] = weight


@kernel
def class_of_hand(hand: Array, ranks: Array, by_ranks: Array, by_flush: Array) -> int:
    """Return the class of five or seven cards; ``ranks`` (8,) is a scratch array.

    ``by_ranks`` is looked up by three ranks and the others, ``by_flush`` by suited ranks; it is
    empty where suits do not matter.
    """
    flush = flush_class(hand, hand.size, by_flush)
    if flush >= 0:
        return int(flush)
    row, column = hand_place(hand, hand.size, -1, ranks)
    return int(by_ranks[row, column])


@kernel
def _best(classes: Array) -> int:
    """Return the best class; a method of arrays would take a second to compile."""
    best = 0
    for number in classes:
        best = max(best, number)
    return best


@kernel
def _award(classes: Array, part: float, split: bool, shares: Array) -> None:
    """Add a part of the pot to the shares of the best classes; whole to each if not ``split``."""
    best, equal = _best(classes), 0
    for number in classes:
        equal += number == best
    for i in range(classes.size):
        if classes[i] == best:
            shares[i] += part / equal if split else part


@kernel
def _take(rng: Any, pool: Array, size: int) -> int:
    """Move a random card among the first ``size`` of a pool to their end, and return it."""
    place = int(rng.random() * size)
    pool[place], pool[size - 1] = pool[size - 1], pool[place]
    return int(pool[size - 1])


@kernel
def _fill_pool(unseen: Array, masks: Array, rows: Array, pool: Array) -> int:
    """Fill the unseen cards that none of some holdings has; return their number."""
    taken = 0
    for row in rows:
        taken |= masks[row]
    size = 0
    for card in unseen:
        if taken >> card & 1 == 0:
            pool[size] = card
            size += 1
    return size


@kernel
def _fill_hand(up: Array, down: Array, hand: Array) -> int:
    """Fill the upcards and the downcards of a seat; return their number."""
    n = 0
    for card in up:
        hand[n] = card
        n += 1
    for card in down:
        if card >= 0:
            hand[n] = card
            n += 1
    return n


@shipped("rng (i8.2 i8.1 i8.2 f8.1) i8.1 i8.1 i8.2 i8.1 (u2.2 u2.2 u2.2) bool i8.2 f8.2")
def play_out(
    rng: Any,
    deals: Any,
    unseen: Array,
    active: Array,
    up: Array,
    to_come: Array,
    tables: Any,
    split: bool,
    room: Array,
    shares: Array,
) -> None:
    """Fill ``shares`` (draws, active seats) with the share of the pot of each.

    ``deals`` are cards, masks, rows and weights of ``draw_disjoint``. ``active`` has the columns of
    the active seats in the rows, ``up`` their face-up cards (active seats, cards), ``unseen`` the
    cards that are not face up. ``to_come`` counts the cards to come to each seat, shared cards (0
    or 1), and the cards of a whole hand. ``tables`` are as in ``FinalTables``, perhaps empty. Ties
    are ``split``, or each of the tied wins all.
    ``room`` (5, 52) is for cards and classes.
    """
    cards, masks, rows, weights = deals
    own, common, size_of_hand = to_come
    by_ranks, by_flush, lows = tables
    pool, hand, ranks = room[0], room[1, :size_of_hand], room[2]
    classes, low_classes = room[3, : active.size], room[4, : active.size]
    low_classes[:] = 0
    for draw in range(weights.size):
        shares[draw] = 0.0
        if weights[draw] <= 0.0:
            continue
        size = _fill_pool(unseen, masks, rows[draw], pool)
        if common:
            hand[size_of_hand - 1] = _take(rng, pool, size)
            size -= 1
        for i in range(active.size):
            n = _fill_hand(up[i], cards[rows[draw, active[i]]], hand)
            for _ in range(own):
                hand[n] = _take(rng, pool, size)
                size -= 1
                n += 1
            classes[i] = class_of_hand(hand, ranks, by_ranks, by_flush)
            if lows.size:
                low_classes[i] = class_of_hand(hand, ranks, lows, by_flush[:0])
        some_low = _best(low_classes) > 0
        _award(classes, 0.5 if some_low else 1.0, split, shares[draw])
        if some_low:
            _award(low_classes, 0.5, split, shares[draw])
