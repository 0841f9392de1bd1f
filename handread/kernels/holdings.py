"""Features of holdings: what downcards make with the upcards, for policies.

Each holding has a code, an integer of bit fields; ``handread.policy.features`` declares them. The
levels of its features are counted here.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from handread.kernels.jit import kernel, shipped

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
def _add_downcards(
    down: Array, n: int, door: int, ranks: Array, suits: Array
) -> tuple[int, bool, bool]:
    """Count the ``n`` downcards of a holding by rank and suit.

    Returns:
        The highest rank, whether two make a pair, and whether one has the rank of the door card.
    """
    highest, in_hole, matches_door = 0, False, False
    for j in range(n):
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
def _longest_suit(suits: Array) -> int:
    longest = 0
    for suit in range(1, 4):
        if suits[suit] > suits[longest]:
            longest = suit
    return longest


@kernel
def count_cards(up: Array, n_up: int, unseen: int, room: Array) -> None:
    """Count the cards that all holdings of a seat have in common, for ``stud_code``.

    ``unseen`` is a 52-bit set. The rows of ``room`` (6, 13) count the upcards by rank and by suit,
    the unseen cards by rank and by suit; two are room for the cards with a holding.
    """
    room[:] = 0
    for i in range(n_up):
        room[0, up[i] >> 2] += 1
        room[1, up[i] & 3] += 1
    for card in range(52):
        if unseen >> card & 1:
            room[2, card >> 2] += 1
            room[3, card & 3] += 1


@kernel
def stud_code(down: Array, n_down: int, up: Array, n_up: int, rivals: int, room: Array) -> int:
    """Return the code of a holding, for seven-card stud high, with ``room`` of ``count_cards``."""
    draw, to_come = min(n_down + n_up, 4), n_down + n_up < 7
    up_ranks, up_suits, left_of_rank, left_of_suit = room[0], room[1], room[2], room[3]
    ranks, suits = room[4], room[5]
    _copy(up_ranks, ranks)
    _copy(up_suits, suits)
    highest, in_hole, matches_door = _add_downcards(down, n_down, up[0] >> 2, ranks, suits)
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
    return code


@shipped("i8.2 b1.1 i8.1 int int i8.2 u4.1")
def stud_codes(
    down: Array, live: Array, up: Array, rivals: int, unseen: int, room: Array, codes: Array
) -> None:
    """Fill ``codes`` (holdings,), uint32, for seven-card stud high; 0 for holdings not live.

    ``down`` are the downcards (holdings, 2 or 3), ``up`` the face-up cards of the seat with the
    door card first. ``rivals`` is the highest rank among the upcards of the opponents, -1 if there
    is none; ``unseen`` is a 52-bit set. Bit fields stand in the order of ``STUD_HIGH``.
    """
    count_cards(up, up.size, unseen, room)
    for i in range(down.shape[0]):
        codes[i] = 0
        if live[i]:
            codes[i] = stud_code(down[i], down.shape[1], up, up.size, rivals, room)
