"""Features of holdings: what downcards make with the upcards, for policies.

Each holding has a code, an integer of bit fields; ``handread.policy.features`` declares them. The
levels of its features are counted here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import allocating, kernel

Array = npt.NDArray[Any]


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
def _pairs(ranks: Array) -> tuple[int, int, int]:
    """Return the number of pairs, the most cards of a rank, and the highest pair or -1."""
    pairs, most, top = 0, 0, -1
    for rank in range(13):
        most = max(most, ranks[rank])
        if ranks[rank] >= 2:
            pairs += 1
            top = rank
    return pairs, most, top


# Functions and assignments of arrays would take one to three seconds to compile.


@kernel
def _copy(source: Array, target: Array) -> None:
    for i in range(source.size):
        target[i] = source[i]


@kernel
def _count_left(left: Array, of_rank: Array, of_suit: Array) -> None:
    for rank in range(13):
        for suit in range(4):
            of_rank[rank] += left[rank, suit]
            of_suit[suit] += left[rank, suit]


@kernel
def _longest_suit(suits: Array) -> int:
    longest = 0
    for suit in range(1, 4):
        if suits[suit] > suits[longest]:
            longest = suit
    return longest


@allocating
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
    left_of_rank, left_of_suit = np.zeros(13, np.int64), np.zeros(4, np.int64)
    _count_left(left, left_of_rank, left_of_suit)
    ranks, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    for i in range(down.shape[0]):
        codes[i] = 0
        if not live[i]:
            continue
        _copy(up_ranks, ranks)
        _copy(up_suits, suits)
        highest, in_hole, matches_door = _add_downcards(down[i], up[0] >> 2, ranks, suits)
        pairs, most, top = _pairs(ranks)
        suit, longest = _longest_suit(suits), _within_five(ranks)
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
