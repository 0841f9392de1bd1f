"""The exact htpd operators by counting (3rd to 6th street).

A seat shows ``up`` and holds a pair; m = 5 - len(up) cards are to come to it. H[pair, class] is
the number of completions of the pair that make the class. The matrix is never formed. It has two
parts:

* Ranks. If suits did not matter, the class would depend on the ranks of the pair and on the
  multiset F of future ranks alone: ``ways[ab, F]`` completions each (ab one of 91 rank pairs),
  the same for all seats of a street, and one class ``classes[ab, F]`` a seat.
* Flush correction, suit by suit. Call the 7 - len(up) cards that are not face up *hidden*. Let A
  be the ranks of the hidden cards in the suit and O those of the others. With the upcards there
  are five or more of the suit, so O has at most two ranks. Every such (A, O) moves its completions
  from its rank class to the class of the flush. A pair contributes in three ways: both cards in A,
  one in A and one in O, or both in O. The other hidden cards are future cards; the number of
  choices of their off-suit cards is a product of binomials.

A hand of seven with a flush has neither quads nor a full house, so the flush class depends
on the suited ranks alone. Everything is exact: counts are integers below 2**24.

For an ace-to-five low, the rank part is all. In a game that splits the pot, the classes of the
high hand come twice: those from ``no_low`` on are the hands without a qualifying low. A flush
replaces a rank class with a low by the flush class F, and one without by F + ``no_low``; elsewhere
``no_low`` is None, and the compiler drops the distinction.

Arrays: ``left`` (13, 4) is 1 for cards that the observer has not seen; ``up_ranks`` and
``up_suits`` the seat's upcards (a shared card counts as one); pairs are numbered
b * (b - 1) // 2 + a for cards a < b.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel
from handread.kernels.tables import multiset_index

Array = npt.NDArray[Any]


@kernel
def fill_ways(counts: Array, future: Array, wanted: Array, ways: Array) -> None:
    """Fill ``ways[ab, F]``: how many choices of m future cards have the ranks F.

    ``counts`` (13,) are the cards left of each rank before the pair is taken out, ``future``
    (n, m) the multisets; rows of ``wanted`` (91,) False are left alone.
    """
    n, m = future.shape
    choices = np.ones(n, np.float64)  # before the pair is taken out
    chosen = np.zeros((13, n), np.float64)
    for f in range(n):
        for i in range(m):
            r = future[f, i]
            # Choosing one more of a rank: C(c, k + 1) = C(c, k) (c - k) / (k + 1).
            choices[f] *= max(counts[r] - chosen[r, f], 0.0) / (chosen[r, f] + 1.0)
            chosen[r, f] += 1.0
    # Without one card of rank a, C(c - 1, k) = C(c, k) (c - k) / c; apply twice without two.
    for b in range(13):
        for a in range(b + 1):
            row = b * (b + 1) // 2 + a
            pairs = counts[a] * (counts[b] - (a == b))
            if not wanted[row] or pairs == 0:
                continue
            for f in range(n):
                left_b = counts[b] - chosen[b, f] - (a == b)
                left = (counts[a] - chosen[a, f]) * max(left_b, 0.0)
                ways[row, f] = np.rint(choices[f] * left / pairs)


@kernel
def _split_ranks(
    up_ranks: Array, hidden: Array, t: int, four_of_set: int, scratch: Array
) -> tuple[int, int]:
    """Return the ranks of the upcards and A as two multiset indices: of four, and of the rest.

    ``hidden`` has the t ranks of A in ascending order, ``four_of_set`` is the index of its first
    four. The rest has 3 - |O| ranks.
    """
    u = up_ranks.shape[0]
    if t >= 4:
        scratch[:u] = up_ranks
        scratch[u : u + t - 4] = hidden[4:t]
        return four_of_set, multiset_index(scratch, u + t - 4)
    scratch[:u] = up_ranks
    scratch[u : u + t] = hidden[:t]
    four = multiset_index(scratch, 4)
    rest = u + t - 4
    scratch[:rest] = scratch[4 : u + t]
    return four, multiset_index(scratch, rest)


@kernel
def _beyond_four(mask: int) -> int:
    """Return a set of ranks without its four lowest.

    Sets come in ascending order: neighbours mostly have the same ranks beyond four, and so the same
    rest in ``_split_ranks``, which is expensive.
    """
    for _ in range(4):
        mask &= mask - 1
    return mask


@kernel
def _suited_sets(
    t: int, sets: Array, set_ranks: Array, set_fours: Array, left: int, up: Array, found: Array
) -> int:
    """Fill ``found`` (sets, 3) with those of the sets of t ranks that are ``left``.

    Each has its mask, and the two indices of ``_split_ranks`` with the ranks ``up``.

    Returns:
        Their number.
    """
    scratch = np.empty(8, np.int64)
    n, last_top, rest = 0, -1, 0
    for mask in sets:
        if mask & ~left:
            continue
        four = set_fours[mask]
        top = _beyond_four(mask)
        if t < 4 or top != last_top:
            four, rest = _split_ranks(up, set_ranks[mask], t, four, scratch)
            last_top = top
        found[n, 0] = mask
        found[n, 1] = four
        found[n, 2] = rest
        n += 1
    return n


@kernel
def _suit_state(
    suit: int, left: Array, up_ranks: Array, up_suits: Array, off: Array
) -> tuple[int, int, int]:
    """Return the unseen ranks and the upcards of a suit as 13-bit sets, and the latter's number.

    Fills ``off`` (13,) with the unseen cards of each rank in the other suits.
    """
    up_mask = 0
    suited = 0
    for i in range(up_ranks.shape[0]):
        if up_suits[i] == suit:
            up_mask |= 1 << up_ranks[i]
            suited += 1
    left_mask = 0
    for r in range(13):
        left_mask |= left[r, suit] << r
        off[r] = left[r, 0] + left[r, 1] + left[r, 2] + left[r, 3] - left[r, suit]
    return left_mask, up_mask, suited


@kernel
def _gains(values: Array, flush: int, no_low: Any) -> tuple[float, float]:
    """Return the values of a flush with a low and without."""
    if no_low is None:
        return values[flush], values[flush]
    return values[flush], values[flush + no_low]


@kernel
def _gain(gains: Any, replaced: int, values: Array, no_low: Any) -> float:
    """Return the value of a flush above that of the rank class that it replaces."""
    if no_low is None:
        gain: float = gains[0] - values[replaced]
        return gain
    with_low, without = gains
    return float((without if replaced >= no_low else with_low) - values[replaced])


@kernel
def _move(counts: Array, weight: float, replaced: int, moved: Any, no_low: Any) -> Any:
    """Take a weight from a rank class, and add it to those ``moved`` with a low or without."""
    counts[replaced] -= weight
    with_low, without = moved
    if no_low is None:
        return with_low + weight, without
    if replaced >= no_low:
        return with_low, without + weight
    return with_low + weight, without


@kernel
def _add_flush(counts: Array, flush: int, moved: Any, no_low: Any) -> None:
    """Add the weights ``moved`` with a low and without to the classes of a flush."""
    counts[flush] += moved[0]
    if no_low is not None:
        counts[flush + no_low] += moved[1]


@kernel
def _add_gains_of_two(
    off: Array, row: Array, merged: Array, gains: Any, values: Any, with_off: Array, none: Array
) -> float:
    """Add a flush that two off-suit cards complete to the sums of pairs with one card and none.

    ``merged`` (91,) has the place in ``row`` of the class that each pair of off-suit ranks makes,
    ``values`` those of the classes, and ``no_low``.

    Returns:
        What a pair with both cards in the suit gains.
    """
    by_class, no_low = values
    with_both = 0.0
    with_off[:] = 0.0
    for b in range(13):
        if off[b] == 0:
            continue
        first = b * (b + 1) // 2
        by_b = 0.0
        for a in range(b):
            if off[a] > 0:
                moved = _gain(gains, row[merged[first + a]], by_class, no_low)
                by_b += off[a] * moved
                with_off[a] += off[b] * moved
                none[first + a] += moved
        with_off[b] += by_b
        with_both += off[b] * by_b
        if off[b] > 1:
            moved = _gain(gains, row[merged[first + b]], by_class, no_low)
            with_both += off[b] * (off[b] - 1) // 2 * moved
            with_off[b] += (off[b] - 1) * moved
            none[first + b] += moved
    return with_both


@kernel
def flush_forward(
    suit: int,
    left: Array,
    up_ranks: Array,
    up_suits: Array,
    values: Array,
    tables: Any,
    no_low: Any,
    sums: Any,
) -> None:
    """Add a suit's correction of H @ values to the sums of the three ways a pair contributes.

    ``sums`` are ``both`` (13, 13), the higher rank first; ``one`` (13, 13), the rank in the suit
    first; ``none`` (91,).
    """
    classes_t, flush_classes, merges, sets_by_size, set_ranks, set_fours = tables
    both, one, none = sums
    off, with_off = np.zeros(13, np.int64), np.empty(13, np.float64)
    left_mask, up_mask, suited = _suit_state(suit, left, up_ranks, up_suits, off)
    n_hidden = 7 - up_ranks.shape[0]
    sets = np.empty((sets_by_size[n_hidden].size, 3), np.int64)  # of fewer ranks there are no more
    for t in range(max(5 - suited, 0), n_hidden + 1):
        q = n_hidden - t
        all_sets = sets_by_size[t]
        n = _suited_sets(t, all_sets, set_ranks, set_fours, left_mask, up_ranks, sets)
        for number in range(n):
            mask, rest = sets[number, 0], sets[number, 2]
            hidden, row = set_ranks[mask], classes_t[sets[number, 1]]
            gains = _gains(values, flush_classes[mask | up_mask], no_low)
            with_both = 0.0
            if q == 0:
                with_both = _gain(gains, row[rest], values, no_low)
            elif q == 1:
                merged = merges[1][rest]
                for a in range(13):
                    moved = _gain(gains, row[merged[a]], values, no_low) if off[a] > 0 else 0.0
                    with_both += off[a] * moved
                    with_off[a] = moved
            else:
                pairs, known = merges[1][:, rest], (values, no_low)
                with_both = _add_gains_of_two(off, row, pairs, gains, known, with_off, none)
            for i in range(t):
                for j in range(i):
                    both[hidden[i], hidden[j]] += with_both
                if q > 0:
                    for r in range(13):
                        one[hidden[i], r] += with_off[r]


@kernel
def _move_by_two(
    off: Array, row: Array, merged: Array, weights: Any, no_low: Any, counts: Array
) -> Any:
    """Take the weights of a flush that two off-suit cards complete from their rank classes.

    ``merged`` as in ``_add_gains_of_two``; ``weights`` are those of the three ways.

    Returns:
        The weights moved, with a low and without.
    """
    with_both, with_off, none = weights
    moved = 0.0, 0.0
    for b in range(13):
        if off[b] == 0:
            continue
        first = b * (b + 1) // 2
        by_a = off[b] * with_both + with_off[b]
        for a in range(b):
            if off[a] > 0:
                weight = off[a] * by_a + off[b] * with_off[a] + none[first + a]
                moved = _move(counts, weight, row[merged[first + a]], moved, no_low)
        if off[b] > 1:
            weight = none[first + b] + off[b] * (off[b] - 1) // 2 * with_both
            weight += (off[b] - 1) * with_off[b]
            moved = _move(counts, weight, row[merged[first + b]], moved, no_low)
    return moved


@kernel
def flush_adjoint(
    suit: int,
    left: Array,
    up_ranks: Array,
    up_suits: Array,
    weights: Any,
    tables: Any,
    no_low: Any,
    counts: Array,
) -> None:
    """Add a suit's correction of H.T @ p to ``counts`` (classes,).

    ``weights`` are p summed by the three ways a pair contributes, laid out as the sums of
    ``flush_forward``.
    """
    classes_t, flush_classes, merges, sets_by_size, set_ranks, set_fours = tables
    both, one, none = weights
    off, with_off = np.zeros(13, np.int64), np.empty(13, np.float64)
    left_mask, up_mask, suited = _suit_state(suit, left, up_ranks, up_suits, off)
    n_hidden = 7 - up_ranks.shape[0]
    sets = np.empty((sets_by_size[n_hidden].size, 3), np.int64)  # of fewer ranks there are no more
    for t in range(max(5 - suited, 0), n_hidden + 1):
        q = n_hidden - t
        all_sets = sets_by_size[t]
        n = _suited_sets(t, all_sets, set_ranks, set_fours, left_mask, up_ranks, sets)
        for number in range(n):
            mask, rest = sets[number, 0], sets[number, 2]
            hidden, row = set_ranks[mask], classes_t[sets[number, 1]]
            with_both = 0.0
            with_off[:] = 0.0
            for i in range(t):
                for j in range(i):
                    with_both += both[hidden[i], hidden[j]]
                if q > 0:
                    for r in range(13):
                        with_off[r] += one[hidden[i], r]
            moved = 0.0, 0.0
            if q == 0:
                moved = _move(counts, with_both, row[rest], moved, no_low)
            elif q == 1:
                merged = merges[1][rest]
                for a in range(13):
                    if off[a] > 0:
                        weight = off[a] * with_both + with_off[a]
                        moved = _move(counts, weight, row[merged[a]], moved, no_low)
            else:
                pairs, ways = merges[1][:, rest], (with_both, with_off, none)
                moved = _move_by_two(off, row, pairs, ways, no_low, counts)
            _add_flush(counts, flush_classes[mask | up_mask], moved, no_low)


@kernel
def forward(
    left: Array,
    up_ranks: Array,
    up_suits: Array,
    ways: Array,
    seat_classes: Array,
    values: Array,
    tables: Any,
    no_low: Any,
    out: Array,
) -> None:
    """Fill ``out`` (1326,) with H @ values, in completions; 0 for pairs that are not live.

    ``tables`` is None where suits do not matter.
    """
    by_ranks = np.zeros(91, np.float64)
    for row in range(91):
        total = 0.0
        for f in range(ways.shape[1]):
            total += ways[row, f] * values[seat_classes[row, f]]
        by_ranks[row] = total
    both = np.zeros((4, 13, 13), np.float64)
    one = np.zeros((4, 13, 13), np.float64)
    none = np.zeros((4, 91), np.float64)
    if tables is not None:
        for s in range(4):
            sums = both[s], one[s], none[s]
            flush_forward(s, left, up_ranks, up_suits, values, tables, no_low, sums)
    none_at_all = np.zeros(91, np.float64)
    for row in range(91):  # a sum of arrays would load numba's ufuncs
        none_at_all[row] = none[0, row] + none[1, row] + none[2, row] + none[3, row]
    for b in range(52):
        rb, sb = b >> 2, b & 3
        for a in range(b):
            ra, sa = a >> 2, a & 3
            pair = b * (b - 1) // 2 + a
            if left[rb, sb] == 0 or left[ra, sa] == 0:
                out[pair] = 0.0
                continue
            row = rb * (rb + 1) // 2 + ra
            total = by_ranks[row] + none_at_all[row] - none[sa, row]
            if sa == sb:
                total += both[sa, rb, ra]
            else:
                total += one[sa, ra, rb] + one[sb, rb, ra] - none[sb, row]
            out[pair] = total


@kernel
def adjoint(
    left: Array,
    up_ranks: Array,
    up_suits: Array,
    ways: Array,
    seat_classes: Array,
    pdd: Array,
    tables: Any,
    no_low: Any,
    counts: Array,
) -> None:
    """Add H.T @ pdd to ``counts`` (classes,), in completions.

    ``pdd`` (1326,) is 0 for pairs that are not live; ``tables`` is None where suits do not matter.
    """
    by_ranks = np.zeros(91, np.float64)
    both = np.zeros((4, 13, 13), np.float64)
    one = np.zeros((4, 13, 13), np.float64)
    none = np.zeros((4, 91), np.float64)
    for b in range(52):
        rb, sb = b >> 2, b & 3
        for a in range(b):
            p = pdd[b * (b - 1) // 2 + a]
            if p == 0.0:
                continue
            ra, sa = a >> 2, a & 3
            row = rb * (rb + 1) // 2 + ra
            by_ranks[row] += p
            for s in range(4):
                if s != sa and s != sb:
                    none[s, row] += p
            if sa == sb:
                both[sa, rb, ra] += p
            else:
                one[sa, ra, rb] += p
                one[sb, rb, ra] += p
    for row in range(91):
        if by_ranks[row] != 0.0:
            for f in range(ways.shape[1]):
                counts[seat_classes[row, f]] += by_ranks[row] * ways[row, f]
    if tables is not None:
        for s in range(4):
            weights = both[s], one[s], none[s]
            flush_adjoint(s, left, up_ranks, up_suits, weights, tables, no_low, counts)
