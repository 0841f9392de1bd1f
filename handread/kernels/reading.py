"""The read of an action: values of hands, P(action | holding), and Bayes' rule (Saund 2006, III-V).

Theory
======

These kernels read an action of seat j. Python calls them one by one:

    share_against   f[k], the expected share of class k against the htpds of the others
    value_pairs     y = H @ f, the chance to win with each holding      (``kernels.pair_values``)
    fill_odds       P(b | m, l) of each member m of the policy, ramps or logit    (equations 3, 5)
    weigh           the likelihood of each holding, and the shares of the members; then
    reweigh         the pdd after the action, and its figures in bits                (equation 4)
    count_pairs     the htpd after the action, H.T @ pdd                   (``kernels.counting``)

A panel (Southey et al. 2005) is read as a joint belief P(m, l) = pdd[l] s[m, l], with the share
s[m, l] = P(m | l). Bayes' rule, with three exceptions that a policy may ask for, is

    w[m]        = P(m) P(b | m)^learning, scaled to sum to 1
    q[m, l]     = P(m, l) P(b | m, l)^exponent[m]
    P(m, l | b) = (1 - idle) w[m] q[m, l] / (sum over l' of q[m, l']) + idle P(m, l)

where P(b | m) is the mean of P(b | m, l). With learning 1, exponents 1 and idle 0 this is equation
4 for members and holdings together; one member with share 1 is equation 4 itself. The evidence P(b)
is the same whatever the exceptions: the surprise of an action does not depend on them.

A *percentile* is the middle of a holding's rank by chance, over the number of holdings. Chances
that differ by less than ``SAME_CHANCE`` share one: they are equal but for rounding.

Why so
======

* In NumPy, a hand took hundreds of calls for small arrays; no function had more than 7% of the
  time. Sums depended on processor and BLAS. These loops give the same bits on all processors, but
  for the last bit of the C library's exp, log and pow.
* One kernel for a whole hand was tried. It took 5.7 ms where NumPy took 27.8. But a policy or a
  reader of one's own can take the place of some of these kernels, and not of a part of one.
* Compiling where the program runs was dropped: it took 12 to 23 s before the first decision was
  played on. Numba's cache does not help: it is bound to the versions of Python and Numba, to the
  processor and to the sources. So machine code comes with the package (``kernels``).
* fastmath is off. Without it all builds give the same bits; with it a sparse product took three to
  five times as long.

Holdings are the entries of a pdd, such as the pairs (1326,). ``live`` has the places of holdings
without a visible card; arrays are 0 elsewhere.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.acting import weigh_features
from handread.kernels.actions import n_legal, with_lapse
from handread.kernels.jit import inlined, kernel, shipped
from handread.kernels.logit import kinds_held, logit_odds
from handread.kernels.ramps import ramp_odds
from handread.kernels.rollout_state import POLICIES

Array = npt.NDArray[Any]

SAME_CHANCE = 1e-11
"""Chances to win that differ by less are equal up to rounding."""

BLOCK = 128
"""Classes that are computed together: few enough for the fastest memory of the processor.

So many holdings are summed for themselves: one sum of all would gather their rounding errors.
"""

HASH = 11
"""Bits of a hash of a holding."""

DIGIT, N_DIGITS, SHIFT = 11, 2, 36
"""Bits of a digit, and digits of a number, in the sort of the chances; bits below these digits."""

SMALLEST = 2.0**-44
"""Chances that differ by less may stand in any order: they are equal (``SAME_CHANCE``)."""


@inlined
def _fill_below(htpds: Array, start: int, n: int, below: Array, so_far: Array) -> None:
    """Fill the probability of a worse class than each of a block, (players, BLOCK).

    ``so_far`` is the probability below its first class, and moves on to the next block. Sums of
    four classes do not wait for one another.
    """
    for p in range(htpds.shape[0]):
        total, row, worse = so_far[p], htpds[p, start : start + n], below[p]
        for four in range(n >> 2):
            a, b = np.uint64(4 * four), np.uint64(4 * four + 1)
            c, d = np.uint64(4 * four + 2), np.uint64(4 * four + 3)
            two = row[a] + row[b]
            three = two + row[c]
            worse[a], worse[b] = total, total + row[a]
            worse[c], worse[d] = total + two, total + three
            total += three + row[d]
        for i in range(n & ~3, n):
            worse[i] = total
            total += row[i]
        so_far[p] = total


@shipped("f8.2 f8.1 f8.1 f8.3 f8.1")
def share_against(htpds: Array, nodes: Array, weights: Array, room: Array, shares: Array) -> None:
    """Fill the expected share of the pot of each class against others' ``htpds``.

    Equal best hands share the pot: with L_j the probability that j is worse and h_j that j is
    equal, the share is the integral over z from 0 to 1 of the product of (L_j + z h_j), a
    polynomial that the given Gauss-Legendre nodes integrate exactly. One node at z = 1 counts a tie
    as a win, which is equation 1 of Saund 2006. ``room`` (4, players + 1, BLOCK) is for work.
    """
    below, product, other, so_far = room[0], room[1, 0], room[2, 0], room[3, 0]
    so_far[:] = 0.0
    for start in range(0, shares.size, BLOCK):
        n = min(BLOCK, shares.size - start)
        found = shares[start : start + n]
        _fill_below(htpds, start, n, below, so_far)
        for c in range(n):
            found[c] = 0.0
        for k in range(0, nodes.size, 2):
            two = min(k + 1, nodes.size - 1)
            first, second = nodes[k], nodes[two]
            for c in range(n):
                product[c], other[c] = weights[k], (two - k) * weights[two]
            for player in range(htpds.shape[0]):
                row, worse = htpds[player, start : start + n], below[player]
                for c in range(n):
                    product[c] *= worse[c] + first * row[c]
                    other[c] *= worse[c] + second * row[c]
            for c in range(n):
                found[c] += product[c] + other[c]


@shipped("f8.2 f8.1 f8.1 f8.3 int f8.1 f8.2")
def shares_of_each(
    htpds: Array, nodes: Array, weights: Array, room: Array, first: int, chances: Array, shares: Any
) -> None:
    """Fill the expected share of the pot of each player against all others, as ``share_against``.

    Classes below ``first`` win nothing. ``shares`` has the share of each class (players, classes),
    or no classes. The product over the others is the product over the players before, times the
    product over the players after.
    """
    below, products, found, so_far = room[0], room[1], room[2], room[3, 0]
    so_far[:] = 0.0
    last = htpds.shape[0] - 1
    after = products[last + 1]
    for player in range(last + 1):
        chances[player] = 0.0
    for start in range(0, htpds.shape[1], BLOCK):
        n = min(BLOCK, htpds.shape[1] - start)
        _fill_below(htpds, start, n, below, so_far)
        for player in range(last + 1):
            for c in range(n):
                found[player, c] = 0.0
        for k in range(nodes.size):
            for c in range(n):
                products[0, c] = weights[k]
                after[c] = 1.0
            for player in range(last):
                before, row, worse = products[player], htpds[player], below[player]
                for c in range(n):
                    factor = worse[c] + nodes[k] * row[start + c]
                    products[player + 1, c] = before[c] * factor
            for player in range(last, -1, -1):
                before, row, worse = products[player], htpds[player], below[player]
                for c in range(n):
                    found[player, c] += before[c] * after[c]
                    after[c] *= worse[c] + nodes[k] * row[start + c]
        for player in range(last + 1):
            chances[player] += _product(
                found[player], htpds[player], start, max(0, first - start), n
            )
            for c in range(n if shares.shape[1] else 0):
                shares[player, start + c] = found[player, c]


@inlined
def _product(shares: Array, htpd: Array, start: int, first: int, n: int) -> float:
    """Return the sum of shares times probabilities; two sums do not wait for one another."""
    even = odd = 0.0
    for c in range(first, n - 1, 2):
        even += shares[c] * htpd[start + c]
        odd += shares[c + 1] * htpd[start + c + 1]
    if n > first and n - first & 1:
        even += shares[n - 1] * htpd[start + n - 1]
    return float(even + odd)


@kernel
def _sort(live: Array, chance: Array, keys: Array, order: Array, counts: Array) -> int:
    """Sort the live holdings by chance; return the row of ``order`` with the result.

    They are sorted by one digit after the other, the last first; then the few that stand in a wrong
    order, their chances being alike in all digits, are moved.
    """
    n, row, mask = live.size, 0, np.uint64((1 << DIGIT) - 1)
    counts[:N_DIGITS] = 0
    least = np.float64(SMALLEST).view(np.uint64)
    for i in range(n):
        key = np.float64(max(chance[np.uint64(live[i])], SMALLEST)).view(np.uint64) - least
        key >>= np.uint64(SHIFT)
        keys[0, i], order[0, i] = key, live[i]
        for digit in range(N_DIGITS):
            counts[digit, (key >> np.uint64(DIGIT * digit)) & mask] += 1
    for digit in range(N_DIGITS):
        shift, start = np.uint64(DIGIT * digit), 0
        for i in range(counts.shape[1]):
            some = counts[digit, i]
            counts[digit, i] = start
            start += some
        for i in range(n):
            key = keys[row, i]
            at = (key >> shift) & mask
            place = np.uint64(counts[digit, at])
            counts[digit, at] += 1
            keys[1 - row, place], order[1 - row, place] = key, order[row, i]
        row = 1 - row
    found = order[row]
    for i in range(1, n):
        moved, k = found[i], i
        most = chance[np.uint64(moved)] + SMALLEST
        while k > 0 and chance[np.uint64(found[k - 1])] > most:
            found[k] = found[k - 1]
            k -= 1
        found[k] = moved
    return row


@shipped("i8.1 f8.1 (u8.2 i8.2 i8.2) f8.1 f8.1")
def fill_percentiles(
    live: Array, chance: Array, room: Any, percentile: Array, public: Array
) -> None:
    """Fill the percentiles of the chances among the live holdings, and their mean (1,).

    Equals share the middle. Holdings that differ only in suits that do not matter differ by
    rounding errors. Rounding the chances could still separate two of them; a gap between neighbours
    cannot.
    """
    n, (keys, order, counts) = live.size, room
    found, first, total = order[_sort(live, chance, keys, order, counts)], 0, 0.0
    for i in range(n):
        total += chance[np.uint64(live[i])]
    public[0] = total / n if n else 0.0
    last = chance[found[0]] if n else 0.0
    for i in range(1, n + 1):
        here = chance[np.uint64(found[i])] if i < n else math.inf
        if here - last > SAME_CHANCE:
            middle = (first + i) / (2.0 * n)
            for k in range(first, i):
                percentile[np.uint64(found[k])] = middle
            first = i
        last = here


@inlined
def _find_equals(live: Array, chance: Array, codes: Array, equals: Array, slots: Array) -> None:
    """Fill for each live holding an earlier one with the same chance and code; -1 without one.

    ``slots`` (2**HASH,) remember the last holding of each hash: some equals are missed.
    """
    for i in range(slots.size):
        slots[i] = -1
    for i in range(live.size):
        at = np.uint64(live[i])
        key = np.uint64(np.int64(chance[at] * 2.0**52)) ^ (np.uint64(codes[at]) << np.uint64(32))
        slot = key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - HASH)
        last = slots[slot]
        other = np.uint64(max(last, 0))
        same = last >= 0 and chance[other] == chance[at] and codes[other] == codes[at]
        equals[i] = last if same else -1
        if not same:
            slots[slot] = live[i]


@shipped(
    f"{POLICIES} i8.1 (bool bool bool) int float (i8.1 f8.1 f8.1 u4.1 i8.1 i8.1)"
    " Spot(f8.1 f8.1 f8.2 f8.3 f8.1 f8.1 i8.1 f8.1) f8.3"
)
def fill_odds(
    policies: Any,
    actions: Array,
    legal: Any,
    n_active: int,
    odds: float,
    holdings: Any,
    spot: Any,
    out: Array,
) -> None:
    """Fill P(action | holding) of some legal actions, (actions, members, holdings) (equation 3).

    ``policies`` belong to one seat, ``odds`` the effective odds. ``holdings`` are the live ones,
    and by holding the chance to win, and the percentile and the code, where logits look at them;
    then there is room as in ``_find_equals``. Equal holdings are computed once:
    on 7th street one of thirty is left.
    """
    live, chance, _, codes, equals, slots = holdings
    _find_equals(live, chance, codes, equals, slots)
    odds_x = -math.log(odds) / math.log(n_active) if legal[1] else 0.0
    weigh_features(policies, spot, 0)
    # The logarithms stand in the last row until its values take their places.
    some, logs, room = slots, out[0, out.shape[1] - 1], slots.size - 1
    for start in range(0, live.size, room):
        n = 0
        for i in range(start, min(start + room, live.size)):
            some[n] = live[i]
            n += equals[i] < 0
        for i in range(n):
            logs[np.uint64(some[i])] = math.log(chance[np.uint64(some[i])])
        given = (some[:n], logs, math.log(n_active), odds_x)
        for member in range(out.shape[1]):
            _fill_member(policies, member, actions, legal, given, holdings, spot, out)
    for k in range(actions.size):
        for member in range(out.shape[1]):
            row = out[k, member]
            for i in range(live.size):
                same = equals[i] if equals[i] >= 0 else live[i]
                row[np.uint64(live[i])] = row[np.uint64(same)]


@inlined
def _fill_member(
    policies: Any, member: int, actions: Array, legal: Any, some: Any, own: Any, spot: Any, out: Any
) -> None:
    """Fill P(action | holding) of a member for some of the holdings, which ``own`` describes."""
    (places, logs, log_n, odds_x), (_, _, percentile, codes, _, _) = some, own
    kinds = (policies.shifts, policies.masks, policies.values)
    ramps, bluff = policies.ramps[0, member], policies.bluffs[0, member]
    lapse, n_ways, logit = policies.lapses[0, member], n_legal(legal), policies.logits[0, member]
    each, last, n_kinds, parts = spot.odds, np.uint32(0), 0, (1.0, 1.0, 1.0, 1.0)
    for i in range(places.size):
        at, scale = np.uint64(places[i]), 1.0
        log_chance = logs[at]
        if lapse < 1.0 and logit == 1:
            if codes[at] != last:
                last = codes[at]
                n_kinds = kinds_held(last, kinds, spot.places, spot.worths)
            scaled = min(2.0, max(-2.0, log_chance + log_n))
            held = (2.0 * percentile[at] - 1.0, scaled, (n_kinds, spot.places, spot.worths))
            heads, slopes, log_odds = spot.heads, spot.slopes, spot.log_odds
            scale = 1.0 / logit_odds(heads, slopes, member, legal, held, log_odds, each)
            parts = (each[0], each[1], each[2], each[3])
        elif lapse < 1.0:
            _, parts = ramp_odds(ramps, bluff, legal, -log_chance / log_n, odds_x)
        for k in range(actions.size):
            out[k, member, at] = with_lapse(parts[actions[k]] * scale, lapse, n_ways)


@shipped("i8.1 f8.1 f8.1 f8.1 f8.1 f8.1 f8.1")
def reweigh(
    live: Array,
    before: Array,
    likelihood: Array,
    chances: Array,
    action_probs: Array,
    after: Array,
    figures: Array,
) -> None:
    """Multiply a pdd by a likelihood, and scale it (equation 4).

    The figures (5,) are the mean of the likelihood, 1 if it is informative, D(after || before) in
    bits, and the means of the chances and of P(action | holding).
    """
    total = win = probability = bits = 0.0
    least, most = math.inf, -math.inf
    for start in range(0, live.size, BLOCK):
        some_total = some_win = some_probability = 0.0
        for i in range(start, min(start + BLOCK, live.size)):
            at = np.uint64(live[i])
            prior, factor = before[at], likelihood[at]
            some_total += prior * factor
            some_win += prior * chances[at]
            some_probability += prior * action_probs[at]
            least, most = min(least, factor), max(most, factor)
        total, win = total + some_total, win + some_win
        probability += some_probability
    # An action equally likely with every holding must leave the pdd bit-for-bit unchanged.
    informative = total > 0.0 and least < most
    for i in range(live.size if informative else 0):
        at = np.uint64(live[i])
        joint = before[at] * likelihood[at]
        if joint > 0.0:
            after[at] = joint / total
            bits += joint / total * math.log(likelihood[at] / total)
    figures[0], figures[1], figures[2] = total, informative, max(0.0, bits / math.log(2.0))
    figures[3], figures[4] = win, probability


@shipped("i8.1 f8.1 f8.1 f8.2 f8.2 bool f8.1 float float f8.2 f8.1 f8.1 f8.1 f8.1")
def weigh(
    live: Array,
    before: Array,
    chances: Array,
    each: Array,
    shares: Array,
    panel: bool,
    exponents: Array,
    learning: float,
    idle: float,
    scales: Array,
    likelihood: Array,
    action_probs: Array,
    after: Array,
    figures: Array,
) -> None:
    """Fill the posterior of the holdings, given P(action | holding) of ``each`` member.

    For a ``panel``, ``shares`` is P(member | holding) before the action, and becomes that after it;
    a single policy has no shares. The evidence about the cards counts to the power of a member's
    exponent, that about the members to the power of ``learning``; a part ``idle`` of the action
    says nothing. ``scales`` (2, members) is for work, ``each`` is changed. Fills the likelihood,
    the mean of P(action | holding) over the members, and the pdd after the action. The figures (6,)
    are as in ``reweigh``, and the probability of the action.
    """
    n, learned, total = each.shape[0], 0.0, 0.0
    for member in range(n):
        row, own, power = each[member], shares[member], exponents[member]
        known, weight, mass = _temper(live, before, row, own, panel, power, action_probs)
        total += known
        if learning < 1.0:
            known = weight * (known / weight) ** learning if weight > 0.0 else 0.0
        learned += known
        scales[0, member], scales[1, member] = known, mass
    _scale_members(scales, exponents, learning, total / learned if learned > 0.0 else 0.0)
    for member in range(n):
        told, own = (scales[0, member], idle, total), shares[member]
        _sum_up(live, each[member], own, panel, told, likelihood)
    for member in range(n if panel and total > 0.0 else 0):
        row, own = each[member], shares[member]
        for i in range(live.size):
            at = np.uint64(live[i])
            if likelihood[at] > 0.0:
                own[at] = row[at] / likelihood[at]
    reweigh(live, before, likelihood, chances, action_probs, after, figures)
    figures[5] = total


@inlined
def _sum_up(live: Array, row: Array, own: Any, panel: bool, told: Any, likelihood: Array) -> None:
    """Scale P(action | holding) of a member, add what says nothing, and add it to all members'."""
    scale, idle, total = told
    for i in range(live.size):
        at = np.uint64(live[i])
        row[at] *= scale
        if idle > 0.0:
            row[at] = (1.0 - idle) * row[at] + idle * (total * (own[at] if panel else 1.0))
        likelihood[at] += row[at]


@inlined
def _scale_members(scales: Array, exponents: Array, learning: float, rescaled: float) -> None:
    """Replace P(action, member) by the factor of its P(action | holding), which are tempered."""
    for member in range(exponents.size):
        wanted, mass = scales[0, member], scales[1, member]
        if learning < 1.0:
            wanted *= rescaled
        scales[0, member] = 1.0
        if exponents[member] != 1.0 or learning < 1.0:
            scales[0, member] = wanted / mass if mass > 0.0 else 0.0


@inlined
def _temper(
    live: Array, before: Array, probs: Array, own: Array, panel: bool, exponent: float, means: Array
) -> Any:
    """Take P(action | holding) of a member to its exponent, and multiply it by its share.

    Returns P(action, member), P(member), and what P(action, member) is with the exponent.
    """
    known = weight = mass = 0.0
    for start in range(0, live.size, BLOCK):
        some_known = some_weight = some_mass = 0.0
        for i in range(start, min(start + BLOCK, live.size)):
            at = np.uint64(live[i])
            share, p = own[at] if panel else 1.0, probs[at]
            means[at] += share * p
            joint = before[at] * share
            some_weight += joint
            some_known += joint * p
            if exponent == 0.5:
                p = math.sqrt(p)
            elif exponent != 1.0:
                p = p**exponent
            some_mass += joint * p
            probs[at] = share * p
        known, weight, mass = known + some_known, weight + some_weight, mass + some_mass
    return known, weight, mass
