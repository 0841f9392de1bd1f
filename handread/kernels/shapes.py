"""The shapes of hands of three to six cards, by which holdings are named.

A made hand goes before a pair, a pair before a draw; of draws a flush draw goes first, then an
open-ended straight draw, three to a flush, a gutshot. Only a pair is named with its flush draw.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from handread.kernels.jit import kernel, shipped
from handread.kernels.tables import top_of_straight

Array = npt.NDArray[Any]

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
"""The number of shapes. The code of a kind is 13 times its shape, plus a rank.

A pair is three shapes, with no, one and two of its cards in the hole. Shapes without a rank of
their own have rank 0.
"""


@kernel
def _code(n: int, counts: Array, in_suit: Array, shown: Array, draws: Array) -> int:
    """Return the code of a hand of n cards.

    ``counts`` has its cards of each rank, ``in_suit`` the ranks of each suit as sets (4,),
    ``shown`` the upcards of each rank, ``draws`` the shape of each set of ranks as a straight.
    """
    present, top, pairs, pair, n_trips, trips, quads = 0, 0, 0, 0, 0, 0, False
    for rank in range(13):
        if counts[rank] > 0:
            present, top = present | 1 << rank, rank
        if counts[rank] == 2:
            pairs, pair = pairs + 1, rank
        elif counts[rank] == 3:
            n_trips, trips = n_trips + 1, rank
        quads |= counts[rank] == 4
    pairs += max(n_trips - 1, 0)
    most, straight_flush = 0, False
    for suit in range(4):
        suited = 0
        for rank in range(13):
            suited += in_suit[suit] >> rank & 1
        most = max(most, suited)
        straight_flush |= suited >= 5 and top_of_straight(in_suit[suit]) >= 0
    draw, rank, shape = draws[present], 0, HIGH_CARD
    if straight_flush:
        shape = STRAIGHT_FLUSH
    elif quads:
        shape = QUADS
    elif n_trips and pairs:
        shape, rank = FULL_HOUSE, trips
    elif most >= 5:
        shape = FLUSH
    elif n >= 5 and top_of_straight(present) >= 0:
        shape = STRAIGHT
    elif n_trips:
        shape, rank = ROLLED_UP if n == 3 else TRIPS, trips
    elif pairs > 1:
        shape, rank = TWO_PAIR, pair
    elif pairs:
        shape, rank = PAIR_AND_FLUSH_DRAW if most == 4 else PAIR, pair
        shape += counts[pair] - shown[pair]
    elif most == 4:
        shape = FLUSH_DRAW
    elif most == 3 and n < 5 and draw != OPEN_ENDED:
        shape = THREE_FLUSH
    elif draw != HIGH_CARD:
        shape = draw
    else:
        rank = top
    return int(shape * 13 + rank)


@shipped("i8.2 i8.1 i8.1 i8.2 i8.1")
def shape_codes(down: Array, up: Array, draws: Array, room: Array, codes: Array) -> None:
    """Fill the code of the kind that each holding (holdings, cards) makes with the upcards.

    The code of a holding that contains an upcard has no meaning. ``room`` is (3, 13).
    """
    counts, in_suit, shown = room[0], room[1], room[2]
    for rank in range(13):
        shown[rank] = 0
    for i in range(up.size):
        shown[up[i] >> 2] += 1
    for holding in range(down.shape[0]):
        for rank in range(13):
            counts[rank] = shown[rank]
        for suit in range(4):
            in_suit[suit] = 0
        for i in range(up.size):
            in_suit[up[i] & 3] |= 1 << (up[i] >> 2)
        for i in range(down.shape[1]):
            card = down[holding, i]
            counts[card >> 2] += 1
            in_suit[card & 3] |= 1 << (card >> 2)
        codes[holding] = _code(down.shape[1] + up.size, counts, in_suit, shown, draws)
