"""Kinds and features of holdings: the hands that downcards make with the upcards.

For policies each holding has a code, an integer of bit fields; ``handread.policy.features``
declares them. The levels of its features are counted here. For reports it has the code of a kind;
``handread.odds.holdings`` gives the words.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel

Array = npt.NDArray[Any]

N_RANKS = 13

HIGH_CARD = 0
IN_A_ROW = 1
GAPPED = 2
THREE_FLUSH = 3
GUTSHOT = 4
OPEN_ENDED = 5
FLUSH_DRAW = 6
PAIR = 7
PAIR_AND_FLUSH_DRAW = 10
TWO_PAIR = 13
TRIPS = 14
ROLLED_UP = 15
STRAIGHT = 16
FLUSH = 17
FULL_HOUSE = 18
QUADS = 19
STRAIGHT_FLUSH = 20
N_SHAPES = 21
"""Shapes of hands of three to six cards. A kind is a shape and a rank: ``shape * 13 + rank``.

A pair is three shapes, with no, one and two of its cards in the hole. Shapes without a rank of
their own have rank 0.
"""


@kernel
def has_straight(ranks: int) -> bool:
    """Return True if a set of ranks, a 13-bit mask, contains a straight; the ace is also low."""
    ends = ranks << 1 | ranks >> 12
    return ends & ends >> 1 & ends >> 2 & ends >> 3 & ends >> 4 != 0


@kernel
def _straight_cards(ranks: int, n: int) -> int:
    """Return the shape of ``n`` different ranks, a 13-bit mask, that are part of a straight.

    Three cards are three in a row, or three of four in a row. Four and more lack one card: two or
    more ranks complete an open-ended draw, one completes a gutshot.
    """
    if n == 3:
        ends = ranks << 1 | ranks >> 12
        if ends & ends >> 1 & ends >> 2:
            return IN_A_ROW
        if ends & ends >> 3 & (ends >> 1 | ends >> 2):
            return GAPPED
        return HIGH_CARD
    completing = 0
    for rank in range(N_RANKS):
        completing += not ranks >> rank & 1 and has_straight(ranks | 1 << rank)
    if completing > 1:
        return OPEN_ENDED
    return GUTSHOT if completing else HIGH_CARD


@kernel
def add_cards(cards: Array, ranks: Array, suits: Array, sizes: Array) -> None:
    """Count cards by rank (13,) and suit (4,); add their ranks to the masks of suits (4,)."""
    for card in cards:
        ranks[card >> 2] += 1
        suits[card & 3] |= 1 << (card >> 2)
        sizes[card & 3] += 1


@kernel
def rank_groups(ranks: Array) -> tuple[int, int, int, int, int, int]:
    """Return the groups of equal cards, given the number of cards of each rank.

    Returns:
        The mask of the ranks, the highest; the number of pairs and of further trips, the highest
        pair; the highest trips and quads, -1 if there are none.
    """
    present, top, pairs, pair, trips, quads = 0, 0, 0, 0, -1, -1
    for rank in range(N_RANKS):
        if ranks[rank]:
            present |= 1 << rank
            top = rank
        if ranks[rank] >= 4:
            quads = rank
        elif ranks[rank] == 3:
            pairs += trips >= 0
            trips = rank
        elif ranks[rank] == 2:
            pairs += 1
            pair = rank
    return present, top, pairs, pair, trips, quads


@kernel
def kind_codes(down: Array, up: Array, codes: Array) -> None:
    """Fill ``codes`` (holdings,) with the kinds that holdings make with one to four upcards.

    A made hand goes before a pair, a pair before a draw; of draws a flush draw goes first, then an
    open-ended straight draw, three to a flush, a gutshot. Only a pair is named with its flush draw.

    ``down`` (holdings, 2) are the downcards. The code (int64) of a pair that contains an upcard has
    no meaning.
    """
    n = down.shape[1] + up.size
    up_ranks = np.zeros(N_RANKS, np.int64)
    up_suits, up_sizes = np.zeros(4, np.int64), np.zeros(4, np.int64)
    add_cards(up, up_ranks, up_suits, up_sizes)
    ranks, suits, sizes = up_ranks.copy(), up_suits.copy(), up_sizes.copy()
    for i in range(down.shape[0]):
        ranks[:] = up_ranks
        suits[:] = up_suits
        sizes[:] = up_sizes
        add_cards(down[i], ranks, suits, sizes)
        present, top, pairs, pair, trips, quads = rank_groups(ranks)
        suit = 0
        for other in range(1, 4):  # argmax would load numba's array functions
            if sizes[other] > sizes[suit]:
                suit = other
        suited = sizes[suit]
        if suited >= 5 and has_straight(suits[suit]):
            code = STRAIGHT_FLUSH * N_RANKS
        elif quads >= 0:
            code = QUADS * N_RANKS
        elif trips >= 0 and pairs:
            code = FULL_HOUSE * N_RANKS + trips
        elif suited >= 5:
            code = FLUSH * N_RANKS
        elif has_straight(present):
            code = STRAIGHT * N_RANKS
        elif trips >= 0:
            code = (ROLLED_UP if n == 3 else TRIPS) * N_RANKS + trips
        elif pairs > 1:
            code = TWO_PAIR * N_RANKS + pair
        elif pairs:
            shape = PAIR_AND_FLUSH_DRAW if suited == 4 else PAIR
            code = (shape + ranks[pair] - up_ranks[pair]) * N_RANKS + pair
        elif suited == 4:
            code = FLUSH_DRAW * N_RANKS
        else:
            shape = _straight_cards(present, n)
            if suited == 3 and n < 5 and shape != OPEN_ENDED:
                shape = THREE_FLUSH
            code = shape * N_RANKS + (top if shape == HIGH_CARD else 0)
        codes[i] = code


@kernel
def _within_five(ranks: Array) -> int:
    """Return the most ranks that are within five of one another; the ace is also low."""
    most = 0
    for low in range(-1, 9):
        count = 0
        for rank in range(low, low + 5):
            count += ranks[12 if rank < 0 else rank] > 0
        most = max(most, count)
    return most


@kernel
def _add_downcards(down: Array, door: int, ranks: Array, suits: Array) -> tuple[int, bool, bool]:
    """Count the downcards of a holding by rank and suit.

    Returns:
        The highest rank, whether two make a pair, and whether one has the rank of the door card.
    """
    highest, in_hole, matches_door = 0, False, False
    for j in range(down.size):
        rank = down[j] >> 2
        ranks[rank] += 1
        suits[down[j] & 3] += 1
        highest = max(highest, rank)
        matches_door |= rank == door
        for k in range(j):
            in_hole |= rank == down[k] >> 2
    return highest, in_hole, matches_door


@kernel
def stud_codes(down: Array, live: Array, up: Array, rivals: int, left: Array, codes: Array) -> None:
    """Fill ``codes`` (holdings,), uint32, for seven-card stud high; 0 for holdings not live.

    ``down`` are the downcards (holdings, 2 or 3), ``up`` the face-up cards of the seat with the
    door card first. ``rivals`` is the highest rank among the upcards of the opponents, -1 if there
    is none; ``left`` (13, 4) is 1 for unseen cards. Bit fields stand in the order of ``STUD_HIGH``.
    """
    n_down, n_up = down.shape[1], up.size
    draw, to_come = min(n_down + n_up, 4), n_down + n_up < 7
    up_ranks, up_suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    for card in up:
        up_ranks[card >> 2] += 1
        up_suits[card & 3] += 1
    left_of_rank, left_of_suit = left.sum(axis=1), left.sum(axis=0)
    ranks, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    for i in range(down.shape[0]):
        codes[i] = 0
        if not live[i]:
            continue
        ranks[:] = up_ranks
        suits[:] = up_suits
        highest, in_hole, matches_door = _add_downcards(down[i], up[0] >> 2, ranks, suits)
        pairs, most = (ranks >= 2).sum(), ranks.max()
        top = np.flatnonzero(ranks >= 2)[-1] if pairs else -1
        suit, longest = suits.argmax(), _within_five(ranks)
        flush_draw = to_come and draw <= suits[suit] < 5
        straight_draw = to_come and draw <= longest < 5
        code = int(most == 2 and pairs == 1)
        code |= int(most == 2 and pairs >= 2) << 1
        code |= int(most >= 3) << 2
        code |= int(longest == 5) << 3
        code |= int(suits[suit] >= 5) << 4
        code |= int(top > rivals) << 5
        code |= int(in_hole) << 6
        code |= int(matches_door) << 7
        code |= int(flush_draw) << 8
        code |= int(straight_draw) << 9
        code |= int(highest > rivals) << 10
        code |= int(highest == 12) << 11
        code |= (top + 1) << 12
        if top >= 0:
            # Cards of the rank that are neither held nor unseen: ``left`` has the held downcards.
            down_of_rank = ranks[top] - up_ranks[top]
            dead = 4 - ranks[top] - (left_of_rank[top] - down_of_rank)
            code |= min(dead, 2) << 16
        if flush_draw:
            dead = 13 - suits[suit] - (left_of_suit[suit] - (suits[suit] - up_suits[suit]))
            code |= min(dead, 3) << 18
        code |= (highest + 1) << 20
        codes[i] = code
