"""The read of an action: values of hands, P(action | holding), and Bayes' rule (Saund 2006, III-V).

Holdings are those of a pdd, such as the pairs (1326,). ``live`` has the places of those without a
visible card; arrays are 0 elsewhere.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.acting import weigh_features
from handread.kernels.actions import n_legal, with_lapse
from handread.kernels.jit import inlined, kernel, shipped
from handread.kernels.logit import logit_odds
from handread.kernels.ramps import ramp_odds
from handread.kernels.rollout_state import POLICIES

Array = npt.NDArray[Any]

SAME_CHANCE = 1e-11
"""Chances to win that differ by less are equal up to rounding."""

BLOCK = 128
"""Classes that are computed together: few enough for the fastest memory of the processor.

So many holdings are summed for themselves: one sum of all would gather their rounding errors.
"""

DIGIT, N_DIGITS = 11, 6
"""Bits of a digit, and digits of a number, in the sort of the chances."""

MOST_PLAYERS = 8


@kernel
def _fill_below(htpds: Array, below: Array) -> None:
    """Fill the probability of a worse class than each, (players, classes)."""
    for player in range(htpds.shape[0]):
        total = 0.0
        for c in range(htpds.shape[1]):
            below[player, c] = total
            total += htpds[player, c]


@inlined
def _multiply(out: Array, below: Array, htpd: Array, node: float, start: int, n: int) -> None:
    for c in range(n):
        out[c] *= below[start + c] + node * htpd[start + c]


@shipped("f8.2 f8.1 f8.1 f8.2 f8.2 f8.1")
def share_against(
    htpds: Array, nodes: Array, weights: Array, below: Array, room: Array, shares: Array
) -> None:
    """Fill the expected share of the pot of each class against others' ``htpds``.

    Equal best hands share the pot: with L_j the probability that j is worse and h_j that j is
    equal, the share is the integral over z from 0 to 1 of the product of (L_j + z h_j), a
    polynomial that the given Gauss-Legendre nodes integrate exactly. One node at z = 1 counts a tie
    as a win, which is equation 1 of Saund 2006. ``below`` (players, classes) and ``room`` are for
    work.
    """
    _fill_below(htpds, below)
    product = room[0]
    for start in range(0, shares.size, BLOCK):
        n = min(BLOCK, shares.size - start)
        for c in range(n):
            shares[start + c] = 0.0
        for k in range(nodes.size):
            for c in range(n):
                product[c] = weights[k]
            for player in range(htpds.shape[0]):
                _multiply(product, below[player], htpds[player], nodes[k], start, n)
            for c in range(n):
                shares[start + c] += product[c]


@shipped("f8.2 f8.1 f8.1 f8.2 f8.2 f8.2")
def shares_of_each(
    htpds: Array, nodes: Array, weights: Array, below: Array, room: Array, shares: Array
) -> None:
    """Fill the shares of each player against all others (players, classes), as ``share_against``.

    The product over the others is that over the players before, times that over the players after.
    """
    _fill_below(htpds, below)
    last = htpds.shape[0] - 1
    after = room[last + 1]
    for start in range(0, shares.shape[1], BLOCK):
        n = min(BLOCK, shares.shape[1] - start)
        for player in range(last + 1):
            for c in range(n):
                shares[player, start + c] = 0.0
        for k in range(nodes.size):
            for c in range(n):
                room[0, c] = weights[k]
                after[c] = 1.0
            for player in range(last):
                for c in range(n):
                    room[player + 1, c] = room[player, c]
                row, worse = htpds[player], below[player]
                _multiply(room[player + 1], worse, row, nodes[k], start, n)
            for player in range(last, -1, -1):
                for c in range(n):
                    shares[player, start + c] += room[player, c] * after[c]
                _multiply(after, below[player], htpds[player], nodes[k], start, n)


@kernel
def _sort(live: Array, chance: Array, keys: Array, order: Array, counts: Array) -> int:
    """Sort the live holdings by chance; return the row of ``keys`` and ``order`` with the result.

    Numbers of 64 bits that are not negative have the order of their bits: they are sorted by one
    digit after the other, the last first.
    """
    n, row = live.size, 0
    for digit in range(N_DIGITS):
        for i in range(counts.shape[1]):
            counts[digit, i] = 0
    for i in range(n):
        key = np.float64(chance[live[i]] + 0.0).view(np.uint64)
        keys[0, i], order[0, i] = key, live[i]
        for digit in range(N_DIGITS):
            counts[digit, (key >> np.uint64(DIGIT * digit)) & np.uint64((1 << DIGIT) - 1)] += 1
    for digit in range(N_DIGITS if n else 0):
        shift, mask = np.uint64(DIGIT * digit), np.uint64((1 << DIGIT) - 1)
        if counts[digit, (keys[row, 0] >> shift) & mask] == n:
            continue
        start = 0
        for i in range(counts.shape[1]):
            some = counts[digit, i]
            counts[digit, i] = start
            start += some
        for i in range(n):
            key = keys[row, i]
            at = (key >> shift) & mask
            place = counts[digit, at]
            counts[digit, at] = place + 1
            keys[1 - row, place], order[1 - row, place] = key, order[row, i]
        row = 1 - row
    return row


@shipped("i8.1 f8.1 u8.2 i8.2 i8.2 f8.1 f8.1 f8.1")
def fill_outlook(
    live: Array,
    chance: Array,
    keys: Array,
    order: Array,
    counts: Array,
    percentile: Array,
    logs: Array,
    public: Array,
) -> None:
    """Fill what policies look at: percentiles and logarithms of the chances, and their mean (1,).

    Percentiles are among the live holdings; equals share the middle. Holdings that differ only in
    suits that do not matter differ by rounding errors. Rounding the chances could still separate
    two of them; a gap between neighbours cannot.
    """
    n = live.size
    row, first, total = _sort(live, chance, keys, order, counts), 0, 0.0
    for i in range(n):
        total += chance[live[i]]
        logs[live[i]] = math.log(chance[live[i]])
    public[0] = total / n if n else 0.0
    for i in range(1, n + 1):
        if i == n or chance[order[row, i]] - chance[order[row, i - 1]] > SAME_CHANCE:
            for k in range(first, i):
                percentile[order[row, k]] = (first + i) / (2.0 * n)
            first = i


@shipped(
    f"{POLICIES} i8.1 (bool bool bool) int float (i8.1 f8.1 f8.1 u4.1)"
    " Spot(f8.1 f8.1 f8.2 f8.3 f8.1 f8.1) f8.3"
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

    ``policies`` are those of one seat, ``odds`` the effective odds. ``holdings`` are the live ones,
    and by holding the percentile, the logarithm of the chance to win and the code.
    """
    live, percentile, logs, codes = holdings
    n_ways, log_n = n_legal(legal), math.log(n_active)
    odds_x = -math.log(odds) / log_n if legal[1] else 0.0
    kinds = (policies.shifts, policies.masks, policies.values)
    weigh_features(policies, spot, 0)
    for member in range(out.shape[1]):
        lapse, ramps = policies.lapses[0, member], policies.ramps[0, member]
        bluff, is_logit = policies.bluffs[0, member], policies.logits[0, member] == 1
        for i in range(live.size):
            at = live[i]
            if lapse >= 1.0:
                parts, total = (1.0, 1.0, 1.0, 1.0), 1.0
            elif is_logit:
                chance = min(2.0, max(-2.0, logs[at] + log_n))
                own = (2.0 * percentile[at] - 1.0, chance, codes[at])
                each, heads, slopes = spot.odds, spot.heads, spot.slopes
                total = logit_odds(heads, slopes, member, legal, own, kinds, spot.log_odds, each)
                parts = (each[0], each[1], each[2], each[3])
            else:
                _, parts = ramp_odds(ramps, bluff, legal, -logs[at] / log_n, odds_x)
                total = 1.0
            for k in range(actions.size):
                p = parts[actions[k]] / total
                out[k, member, at] = with_lapse(p, lapse, n_ways)


@shipped("i8.1 f8.1 f8.2 f8.2 bool f8.1 float f8.1 f8.1 f8.1")
def weigh(
    live: Array,
    before: Array,
    each: Array,
    shares: Array,
    panel: bool,
    exponents: Array,
    learning: float,
    likelihood: Array,
    action_probs: Array,
    evidence: Array,
) -> None:
    """Fill what an action tells of the holdings, given P(action | holding) of ``each`` member.

    For a ``panel``, ``shares`` is P(member | holding) before the action, and becomes that after it;
    a single policy has no shares. The evidence about the cards counts to the power of a member's
    exponent, that about the members to the power of ``learning``. Fills the likelihood, the mean of
    P(action | holding) over the members, and the probability of the action (1,).
    """
    learned = total = 0.0
    for member in range(each.shape[0]):
        known, weight, _ = _sums(live, before, each[member], shares[member], panel, 1.0)
        total += known
        if weight > 0.0 and panel and learning < 1.0:
            known = weight * (known / weight) ** learning
        learned += known
    scale = total / learned if learned > 0.0 else 0.0
    for member in range(each.shape[0]):
        row, share, exponent = each[member], shares[member], exponents[member]
        known, weight, mass = _sums(live, before, row, share, panel, exponent)
        if panel and learning < 1.0:
            known = weight * (known / weight) ** learning * scale if weight > 0.0 else 0.0
        factor = 1.0
        if exponent != 1.0 or (panel and learning < 1.0):
            factor = known / mass if mass > 0.0 else 0.0
        for i in range(live.size):
            at = live[i]
            p, own = row[at], share[at] if panel else 1.0
            action_probs[at] += own * p
            if exponent != 1.0:
                p = p**exponent
            told = own * p * factor
            likelihood[at] += told
            if panel:
                row[at] = told
    evidence[0] = total
    if panel and total > 0.0:
        for member in range(each.shape[0]):
            for i in range(live.size):
                at = live[i]
                if likelihood[at] > 0.0:
                    shares[member, at] = each[member, at] / likelihood[at]


@inlined
def _sums(
    live: Array, before: Array, probs: Array, shares: Array, panel: bool, exponent: float
) -> Any:
    """Return P(action, member), P(member), and the first with P(action) to the exponent."""
    known = weight = mass = 0.0
    for start in range(0, live.size, BLOCK):
        some_known = some_weight = some_mass = 0.0
        for i in range(start, min(start + BLOCK, live.size)):
            at = live[i]
            joint, p = before[at] * (shares[at] if panel else 1.0), probs[at]
            some_weight += joint
            some_known += joint * p
            if exponent != 1.0 and joint > 0.0:
                some_mass += joint * p**exponent
        known, weight, mass = known + some_known, weight + some_weight, mass + some_mass
    return known, weight, mass if exponent != 1.0 else known


@shipped("f8.1 f8.1 f8.1 f8.1 f8.1 f8.1")
def reweigh(
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
    for start in range(0, before.size, BLOCK):
        some_total = some_win = some_probability = 0.0
        for i in range(start, min(start + BLOCK, before.size)):
            after[i] = 0.0
            if before[i] > 0.0:
                some_total += before[i] * likelihood[i]
                some_win += before[i] * chances[i]
                some_probability += before[i] * action_probs[i]
                least, most = min(least, likelihood[i]), max(most, likelihood[i])
        total, win = total + some_total, win + some_win
        probability += some_probability
    # An action equally likely with every holding must leave the pdd bit-for-bit unchanged.
    informative = total > 0.0 and least < most
    for i in range(before.size if informative else 0):
        joint = before[i] * likelihood[i]
        if joint > 0.0:
            after[i] = joint / total
            bits += after[i] * math.log(likelihood[i] / total)
    figures[0], figures[1], figures[2] = total, informative, max(0.0, bits / math.log(2.0))
    figures[3], figures[4] = win, probability
