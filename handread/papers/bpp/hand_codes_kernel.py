"""Codes of hands of one to seven cards, and counts over all deals, for networks of hand types.

The code of a hand is ``shape * 13 + rank``. The shapes are the nine categories of hands and three
draws. The rank is of the group that names the hand, of the top card of a straight or flush, or of
the highest card of a busted hand or draw. Subsets of the deck are numbered as by
``cards.pair_index`` and ``cards.triple_index``: c1 < c2 < ... has C(c1, 1) + C(c2, 2) + ...
"""

from __future__ import annotations

from math import comb

import numpy as np

from handread.arrays import Array
from handread.kernels.jit import allocating, kernel
from handread.kernels.tables import flush_key, rank_key

N_RANKS = 13

BUSTED, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
STRAIGHT_DRAW, FLUSH_DRAW, STRAIGHT_FLUSH_DRAW = range(9, 12)
N_SHAPES = 12
N_CODES = N_SHAPES * N_RANKS

CHOICES = np.array([[comb(n, k) for k in range(6)] for n in range(52)])
"""C(n, k)."""

BELOW_FIRST_RANK = N_RANKS**4
"""The key of a hand divided by this is its code: its category and the rank that names it."""


@kernel
def _add_cards(cards: Array, ranks: Array, suits: Array, sizes: Array) -> None:
    """Count cards by rank (13,) and suit (4,); add their ranks to the masks of suits (4,)."""
    for card in cards:
        ranks[card >> 2] += 1
        suits[card & 3] |= 1 << (card >> 2)
        sizes[card & 3] += 1


@kernel
def _most_within_five(ranks: int) -> int:
    """Return the most ranks of a 13-bit mask that one straight contains; the ace is also low."""
    ends = ranks << 1 | ranks >> 12
    most = 0
    for low in range(10):
        count = 0
        for place in range(low, low + 5):
            count += ends >> place & 1
        most = max(most, count)
    return most


@kernel
def _code(n: int, to_come: bool, ranks: Array, suits: Array, sizes: Array) -> int:
    """Return the code of ``n`` cards, given as ``_add_cards`` counts them.

    Three and four cards are a draw if all belong to it, five and six if four do; one or two cards
    are never a draw.
    """
    suit = 0
    for other in range(1, 4):
        if sizes[other] > sizes[suit]:
            suit = other
    key = rank_key(ranks)
    if sizes[suit] >= 5:
        key = max(key, flush_key(suits[suit]))
    code: int = key // BELOW_FIRST_RANK
    needed = min(n, 4)
    if not to_come or n < 3 or code >= PAIR * N_RANKS:
        return code
    if sizes[suit] >= needed:
        shape = FLUSH_DRAW
        if _most_within_five(suits[suit]) >= needed:
            shape = STRAIGHT_FLUSH_DRAW
        return shape * N_RANKS + code
    present = 0
    for rank in range(N_RANKS):
        if ranks[rank]:
            present |= 1 << rank
    if _most_within_five(present) >= needed:
        return STRAIGHT_DRAW * N_RANKS + code
    return code


@allocating
def hand_codes(down: Array, live: Array, up: Array, to_come: bool, codes: Array) -> None:
    """Fill ``codes`` (holdings,), int64, with the codes of a seat's hands; -1 where not live.

    Args:
        down: The downcards of each holding (holdings, 1 to 3).
        live: True for the holdings to code (holdings,).
        up: The upcards.
        to_come: True if the seat will be dealt another card.
        codes: The result.
    """
    n = down.shape[1] + up.size
    up_ranks = np.zeros(N_RANKS, np.int64)
    up_suits, up_sizes = np.zeros(4, np.int64), np.zeros(4, np.int64)
    _add_cards(up, up_ranks, up_suits, up_sizes)
    ranks, suits, sizes = up_ranks.copy(), up_suits.copy(), up_sizes.copy()
    for i in range(down.shape[0]):
        codes[i] = -1
        if live[i]:
            ranks[:] = up_ranks
            suits[:] = up_suits
            sizes[:] = up_sizes
            _add_cards(down[i], ranks, suits, sizes)
            codes[i] = _code(n, to_come, ranks, suits, sizes)


@kernel
def _next_subset(cards: Array) -> None:
    """Replace a subset of the deck, ascending, by the one with the next number."""
    i = 0
    while i + 1 < cards.size and cards[i] + 1 == cards[i + 1]:
        cards[i] = i
        i += 1
    cards[i] += 1


@allocating
def subset_codes(n: int, to_come: bool, codes: Array) -> None:
    """Fill ``codes`` (C(52, n),) with the codes of all hands of ``n`` cards, by number."""
    cards = np.arange(n)
    ranks, suits = np.zeros(N_RANKS, np.int64), np.zeros(4, np.int64)
    sizes = np.zeros(4, np.int64)
    for i in range(codes.size):
        ranks[:] = 0
        suits[:] = 0
        sizes[:] = 0
        _add_cards(cards, ranks, suits, sizes)
        codes[i] = _code(n, to_come, ranks, suits, sizes)
        _next_subset(cards)


@allocating
def count_parts(n: int, codes: Array, places: Array, part_codes: Array, counts: Array) -> None:
    """Count all hands of ``n`` cards, with each choice of a part of them, by the two codes.

    Args:
        n: The number of cards.
        codes: Code of each hand of n cards, by number.
        places: Places in the hand of the cards of each part (parts, m), ascending.
        part_codes: Code of each hand of m cards, by number.
        counts: The counts by whole and part (codes, codes), which are increased.
    """
    cards = np.arange(n)
    for i in range(codes.size):
        for part in range(places.shape[0]):
            number = 0
            for k in range(places.shape[1]):
                number += CHOICES[cards[places[part, k]], k + 1]
            counts[codes[i], part_codes[number]] += 1
        _next_subset(cards)
