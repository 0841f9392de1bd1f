"""The public belief about a seat as weighted holdings, and its chance to win.

A *particle* is a holding of a seat. It has a weight under the uniform pdd of the upcards, and one
under the belief for each member of the policy; the weights of holdings with a visible card are 0.
Each particle has a few random *completions*, final hands, each with its class: ``classes`` has
the classes of a particle side by side. A *table* of a seat has for each class the probability that
the seat ends below it, plus half of the probability that it ends there. The chance to win of a
completion is the product of the opponents' tables at its class, and the chance to win of a particle
is the mean over its completions: equation 1 of Saund 2006 for hands that hardly ever tie.

A game that splits the pot has three tables a seat: of highs, of highs without a low, and of lows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import inlined, kernel
from handread.kernels.tables import multiset_index

Array = npt.NDArray[Any]

BINS = 512
"""Chances to win that fall into one of so many equal intervals share a percentile."""

NEIGHBOURS = 4
"""So many neighbouring classes share an entry of a table and count as tied with each other.

Most of them differ in a kicker. Tables of all classes would take half the time of a rollout."""


@kernel
def start_stream(state: Array, seed: int, part: int) -> None:
    """Start the random stream (1,) of a part of the work."""
    mixed = np.uint64(seed) ^ (np.uint64(part) * np.uint64(0x9E3779B97F4A7C15))
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    state[0] = (mixed ^ (mixed >> np.uint64(31))) | np.uint64(1)


@inlined
def _next(x: Any) -> Any:
    """Return the state of a random stream that follows another (xorshift64*)."""
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    return x


@inlined
def _part(x: Any, n: int) -> int:
    """Return a random integer below n from a state."""
    high = (x * np.uint64(2685821657736338717)) >> np.uint64(32)
    return int((high * np.uint64(n)) >> np.uint64(32))


@kernel
def _below(state: Array, n: int) -> int:
    """Return a random integer below n."""
    state[0] = _next(state[0])
    return _part(state[0], n)


@kernel
def _four_index(a: int, b: int, c: int, d: int) -> int:
    """Return the index of a multiset of four ranks, as ``multiset_index``."""
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    if b > c:
        b, c = c, b
    index: int = a + (b + 1) * b // 2 + (c + 2) * (c + 1) * c // 6
    return index + (d + 3) * (d + 2) * (d + 1) * d // 24


@kernel
def hand_place(hand: Array, n: int, three: int, scratch: Array) -> tuple[int, int]:
    """Return the places of a hand of ``n`` cards in a table by three ranks and the others.

    ``three`` is the index of the first three ranks if it is known, else -1.
    """
    if three < 0:
        for i in range(3):
            scratch[i] = hand[i] >> 2
        three = multiset_index(scratch, 3)
    if n == 7:
        return three, _four_index(hand[3] >> 2, hand[4] >> 2, hand[5] >> 2, hand[6] >> 2)
    for i in range(3, n):
        scratch[i - 3] = hand[i] >> 2
    return three, multiset_index(scratch, n - 3)


@kernel
def pair_of_ranks(a: int, b: int) -> int:
    """Return the index of a multiset of two ranks, as ``multiset_index``."""
    return (a + 1) * a // 2 + b if a > b else (b + 1) * b // 2 + a


@kernel
def flush_class(hand: Array, n: int, by_flush: Array) -> int:
    """Return the class of a hand with five or more cards of a suit; -1 for other hands."""
    suited = np.int64(0)
    for i in range(n):
        suited += _suit_count(hand[i])
    if by_flush.size and _has_flush(suited):
        return _flush_of(hand, n, by_flush, suited)
    return -1


@inlined
def _suit_count(card: int) -> Any:
    """Return a card as a summand of the numbers of cards by suit, eight bits each."""
    return 1 << 8 * (card & 3)


@inlined
def _has_flush(suited: Any) -> bool:
    """Return True if one of the sums by suit is five or more."""
    return bool((suited + 0x03030303) & 0x08080808)


@kernel
def _flush_of(hand: Array, n: int, by_flush: Array, suited: Any) -> int:
    """Return the class of a hand with a flush, given its cards by suit."""
    for suit in range(4):
        if suited >> 8 * suit & 255 >= 5:
            mask, others = 0, -1
            for i in range(n):
                rank = hand[i] >> 2
                if hand[i] & 3 == suit:
                    mask |= 1 << rank
                else:
                    others = rank if others < 0 else pair_of_ranks(others, rank)
            return int(by_flush[mask, max(others, 0) if by_flush.shape[1] > 1 else 0])
    return -1


@inlined
def _begin_hand(up: Array, n_up: int, down: Array, n_down: int, hand: Array) -> Any:
    """Fill the cards that are known; return the downcards as a set, and all cards by suit."""
    own, suited = np.int64(0), np.int64(0)
    for i in range(n_up):
        hand[i] = up[i]
        suited += _suit_count(up[i])
    for i in range(n_down):
        hand[n_up + i] = down[i]
        own |= 1 << down[i]
        suited += _suit_count(down[i])
    return own, suited


@kernel
def complete(
    down: Array,
    n_down: int,
    up: Array,
    n_up: int,
    deck: Any,
    n_cards: int,
    tables: Any,
    scratch: Any,
    classes: Array,
    lows: Array,
) -> None:
    """Fill the classes of random completions of a holding, and of their lows.

    ``deck`` is the unseen cards and their number, ``n_cards`` the number of cards of a whole hand.
    ``tables`` are as in ``FinalTables``, perhaps empty. ``scratch`` is the random
    stream (1,), and room for cards (8,) and for ranks (8,). Only a game that splits the pot has
    ``lows``.
    """
    unseen, n_unseen = deck
    by_ranks, by_flush, low_ranks = tables
    state, hand, ranks = scratch
    own, own_suits = _begin_hand(up, n_up, down, n_down, hand)
    held = n_up + n_down
    three = -1
    if held >= 3:
        for i in range(3):
            ranks[i] = hand[i] >> 2
        three = multiset_index(ranks, 3)
    x = state[0]  # in a register: a stream in memory takes a quarter more time
    for j in range(classes.size):
        n, taken, suited = held, own, own_suits
        while n < n_cards:
            x = _next(x)
            card = unseen[_part(x, n_unseen)]
            if taken >> card & 1 == 0:
                taken |= 1 << card
                suited += _suit_count(card)
                hand[n] = card
                n += 1
        row, column = hand_place(hand, n_cards, three, ranks)
        flush = -1
        if by_flush.size and _has_flush(suited):
            flush = _flush_of(hand, n_cards, by_flush, suited)
        classes[j] = by_ranks[row, column] if flush < 0 else flush
        if low_ranks.size:
            lows[j] = low_ranks[row, column]
    state[0] = x


@kernel
def _accumulate(row: Array, scale: float, tie: float) -> None:
    """Replace each entry, times ``scale``, by the sum of those before it and a part ``tie`` of it.

    Four sums at a time do not wait for one another: a single one takes a quarter of a rollout.
    """
    n = row.size // 4
    first = second = third = fourth = 0.0
    for i in range(n):
        a, b, c, d = row[i], row[n + i], row[2 * n + i], row[3 * n + i]
        row[i], first = first + scale * a * tie, first + scale * a
        row[n + i], second = second + scale * b * tie, second + scale * b
        row[2 * n + i], third = third + scale * c * tie, third + scale * c
        row[3 * n + i], fourth = fourth + scale * d * tie, fourth + scale * d
    second, third = first + second, first + second + third
    for i in range(n):
        row[n + i] += first
        row[2 * n + i] += second
        row[3 * n + i] += third
    below = third + fourth
    for i in range(4 * n, row.size):
        here = scale * row[i]
        row[i] = below + here * tie
        below += here


@kernel
def fill_table(
    weights: Array, n: int, each: int, ends: Any, tie: float, splits: bool, table: Array
) -> None:
    """Fill the tables (3, classes) of a seat from the weights (particles,) of its particles.

    ``each`` is the number of completions of a particle, ``ends`` their classes and lows, ``tie``
    the part of a tie that counts as won. All entries are 0 without weight.
    """
    classes, lows = ends
    table[0] = 0.0
    if splits:
        table[1] = 0.0
        table[2] = 0.0
    total = 0.0
    for k in range(n):
        weight = weights[k]
        if weight <= 0.0:
            continue
        total += weight * each
        for j in range(k * each, k * each + each):
            place = classes[j] // NEIGHBOURS
            table[0, place] += weight
            if splits:
                table[2, lows[j]] += weight
                if lows[j] == 0:
                    table[1, place] += weight
    if total > 0.0:
        for part in range(3 if splits else 1):
            _accumulate(table[part], 1.0 / total, tie)


@kernel
def mean_value(
    ends: Any, first: int, each: int, splits: bool, against: Any, tables: Array
) -> float:
    """Return the mean share of the pot of some completions against the tables of opponents.

    ``against`` are the opponents, their number, and which of the tables are theirs (seats,).
    """
    rivals, n_rivals, which = against
    classes, lows = ends
    total = 0.0
    for j in range(first, first + each):
        high, none, low = 1.0, 1.0, 1.0
        place = classes[j] // NEIGHBOURS
        for i in range(n_rivals):
            other = rivals[i]
            table = tables[which[other], other]
            high *= table[0, place]
            if splits:
                none *= table[1, place]
                low *= table[2, lows[j]]
        if splits:
            total += (high + (low if lows[j] > 0 else none)) / 2.0
        else:
            total += high
    return total / each


@kernel
def percentiles(chances: Array, weights: Array, n: int, bins: Array) -> float:
    """Fill ``bins`` (BINS,) with the percentile of each interval of chances, from 0 to 1.

    Returns:
        The mean of the chances (particles,) under the ``weights`` (particles,).
    """
    bins[:] = 0.0
    total, mean = 0.0, 0.0
    for k in range(n):
        if weights[k] > 0.0:
            bins[bin_of(chances[k])] += weights[k]
            total += weights[k]
            mean += weights[k] * chances[k]
    if total <= 0.0:
        return 0.0
    _accumulate(bins, 1.0 / total, 0.5)
    return mean / total


@kernel
def bin_of(chance: float) -> int:
    """Return the interval of a chance."""
    return min(int(chance * BINS), BINS - 1)


@kernel
def prune(hold: Array, n: int, n_down: int, visible: int, even: Array, belief: Array) -> None:
    """Set the weights of holdings with a visible card to 0.

    ``hold`` (particles, 3) are the cards, ``visible`` the visible cards as a 52-bit set; ``even``
    (particles,) and ``belief`` (members, particles) the weights under the uniform pdd and under the
    belief.
    """
    for k in range(n):
        for i in range(n_down):
            if visible >> hold[k, i] & 1:
                even[k] = 0.0
                for member in range(belief.shape[0]):
                    belief[member, k] = 0.0


@kernel
def revive(
    hold: Array, n: int, n_down: int, deck: Any, state: Array, even: Array, belief: Array
) -> None:
    """Make all live holdings equally likely if the belief has none left.

    New holdings are drawn if no particle is live.
    """
    unseen, n_unseen = deck
    live, believed = 0.0, 0.0
    for k in range(n):
        live += even[k]
        for member in range(belief.shape[0]):
            believed += belief[member, k]
    if live <= 0.0:
        for k in range(n):
            even[k] = 1.0 / n
            i = 0
            while i < n_down:
                hold[k, i] = unseen[_below(state, n_unseen)]
                fresh = True
                for other in range(i):
                    fresh &= hold[k, other] != hold[k, i]
                i += fresh
    if believed <= 0.0:
        for member in range(belief.shape[0]):
            for k in range(n):
                belief[member, k] = even[k] / belief.shape[0]


@kernel
def lift(
    hold: Array, n: int, each: int, deck: Any, state: Array, even: Array, belief: Array
) -> int:
    """Give each live pair ``each`` random third downcards; return the number of particles.

    Particles without weight make way for the others.
    """
    unseen, n_unseen = deck
    alive = 0
    for k in range(n):
        if even[k] > 0.0:
            even[alive] = even[k]
            for i in range(3):
                hold[alive, i] = hold[k, i]
            for member in range(belief.shape[0]):
                belief[member, alive] = belief[member, k]
            alive += 1
    for k in range(alive - 1, -1, -1):
        low, high = hold[k, 0], hold[k, 1]
        weight = even[k] / each
        for j in range(each):
            place = k * each + j
            card = unseen[_below(state, n_unseen)]
            while card in (low, high):
                card = unseen[_below(state, n_unseen)]
            hold[place, 0] = low
            hold[place, 1] = high
            hold[place, 2] = card
            even[place] = weight
        for member in range(belief.shape[0]):
            share = belief[member, k] / each
            for j in range(each):
                belief[member, k * each + j] = share
    return alive * each
