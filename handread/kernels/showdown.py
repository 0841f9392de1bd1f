"""7th street: classes of triples, and the chance that a class wins against others' htpds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel
from handread.kernels.tables import multiset_index

Array = npt.NDArray[Any]


@kernel
def _flush_suits(
    up_ranks: Array, up_suits: Array, up_masks: Array, suited: Array
) -> tuple[int, int]:
    """Return the suits that can still become a flush: one, two of two upcards each, else -1.

    Fills the ranks of the upcards of each suit, as 13-bit sets (4,), and their number (4,).
    """
    for i in range(4):
        up_masks[up_suits[i]] |= 1 << up_ranks[i]
        suited[up_suits[i]] += 1
    suit, second = -1, -1
    for s in range(4):
        if suited[s] >= 2 and (suit < 0 or suited[s] > suited[suit]):
            suit = s
    for s in range(4):
        if s != suit and suited[s] == 2:
            second = s
    return suit, second


@kernel
def triple_classes(
    cards: Array,
    up_ranks: Array,
    up_suits: Array,
    classes_t: Array,
    flush_classes: Any,
    no_low: Any,
    classes: Array,
) -> None:
    """Fill ``classes`` (22100,) with the class of each triple of live ``cards``; -1 elsewhere.

    ``cards`` ascend; a seat shows four upcards. Triples are numbered
    C(c, 3) + C(b, 2) + a for a < b < c. ``flush_classes`` is None where suits do not matter,
    ``no_low`` as in ``kernels.counting``.
    """
    classes[:] = -1
    row = classes_t[multiset_index(up_ranks.copy(), 4)]
    up_masks, suited = np.zeros(4, np.int64), np.zeros(4, np.int64)
    suit, second = _flush_suits(up_ranks, up_suits, up_masks, suited)
    for i in range(2, cards.size):
        c = cards[i]
        for j in range(1, i):
            b = cards[j]
            for k in range(j):
                a = cards[k]
                flush = -1
                if flush_classes is not None:
                    for s in (suit, second):
                        if s < 0:
                            continue
                        n = suited[s] + ((a & 3) == s) + ((b & 3) == s) + ((c & 3) == s)
                        if n >= 5:
                            mask = up_masks[s]
                            if (a & 3) == s:
                                mask |= 1 << (a >> 2)
                            if (b & 3) == s:
                                mask |= 1 << (b >> 2)
                            if (c & 3) == s:
                                mask |= 1 << (c >> 2)
                            flush = flush_classes[mask]
                index = c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a
                ra, rb, rc = a >> 2, b >> 2, c >> 2
                three = ra + (rb + 1) * rb // 2 + (rc + 2) * (rc + 1) * rc // 6
                if flush < 0:
                    classes[index] = row[three]
                    continue
                classes[index] = flush
                if no_low is not None and row[three] >= no_low:
                    classes[index] += no_low


@kernel
def triple_forward(classes: Array, values: Array, out: Array) -> None:
    """Fill ``out`` with the value of each triple's class, 0 for dead triples."""
    for i in range(classes.size):
        out[i] = values[classes[i]] if classes[i] >= 0 else 0.0


@kernel
def triple_adjoint(classes: Array, pdd: Array, counts: Array) -> None:
    """Add the weight of each live triple to the count of its class."""
    for i in range(classes.size):
        if classes[i] >= 0:
            counts[classes[i]] += pdd[i]


@kernel
def lift_pairs(cards: Array, pair_pdd: Array, out: Array) -> None:
    """Fill ``out`` (22100,): a triple weighs the sum over its three pairs, not normalised."""
    out[:] = 0.0
    for i in range(2, cards.size):
        c = cards[i]
        for j in range(1, i):
            b = cards[j]
            bc = pair_pdd[c * (c - 1) // 2 + b]
            for k in range(j):
                a = cards[k]
                weight = bc + pair_pdd[c * (c - 1) // 2 + a] + pair_pdd[b * (b - 1) // 2 + a]
                out[c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a] = weight


@kernel
def pair_marginal(cards: Array, pair_pdd: Array, triple_pdd: Array, out: Array) -> None:
    """Fill ``out`` (1326,): each triple's weight split among its pairs as ``pair_pdd`` has them."""
    out[:] = 0.0
    for i in range(2, cards.size):
        c = cards[i]
        for j in range(1, i):
            b = cards[j]
            bc = c * (c - 1) // 2 + b
            for k in range(j):
                a = cards[k]
                ac = c * (c - 1) // 2 + a
                ab = b * (b - 1) // 2 + a
                weight = pair_pdd[ab] + pair_pdd[ac] + pair_pdd[bc]
                if weight > 0.0:
                    share = triple_pdd[c * (c - 1) * (c - 2) // 6 + ab] / weight
                    out[ab] += share * pair_pdd[ab]
                    out[ac] += share * pair_pdd[ac]
                    out[bc] += share * pair_pdd[bc]


@kernel
def winning_values(htpds: Array, me: int, nodes: Array, node_weights: Array, out: Array) -> None:
    """Fill ``out`` (classes,): the expected share of the pot of a class against the others.

    ``htpds`` is (players, classes). Equal best hands share the pot: with L_j the probability that j
    is worse and h_j that j is equal, the share is the integral over z from 0 to 1 of the product of
    (L_j + z h_j), a polynomial that the given Gauss-Legendre nodes integrate exactly. One node at
    z = 1 counts a tie as a win, which is equation 1 of Saund 2006.
    """
    players, n = htpds.shape
    below = np.zeros(players, np.float64)
    for k in range(n):
        total = 0.0
        for i in range(nodes.size):
            product = node_weights[i]
            for j in range(players):
                if j != me:
                    product *= below[j] + nodes[i] * htpds[j, k]
            total += product
        out[k] = total
        for j in range(players):
            below[j] += htpds[j, k]


@kernel
def winning_chances(htpds: Array, nodes: Array, node_weights: Array, out: Array) -> None:
    """Fill ``out`` (players,): the expected share of the pot of each of them.

    That is ``winning_values`` of each against the others, weighted by its own htpd. The product
    over the others is that over the players before, times that over the players after.
    """
    players, n = htpds.shape
    below = np.zeros(players, np.float64)
    before = np.empty(players, np.float64)
    out[:] = 0.0
    for k in range(n):
        some = False
        for j in range(players):
            some = some or htpds[j, k] > 0.0
        if not some:
            continue
        for i in range(nodes.size):
            product = node_weights[i]
            for j in range(players):
                before[j] = product
                product *= below[j] + nodes[i] * htpds[j, k]
            behind = 1.0
            for j in range(players - 1, -1, -1):
                out[j] += htpds[j, k] * before[j] * behind
                behind *= below[j] + nodes[i] * htpds[j, k]
        for j in range(players):
            below[j] += htpds[j, k]
