"""Games of seven-card stud played to the showdown by everybody, with one known starting hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from handread.arrays import Array
from handread.kernels.dealing import class_of_hand
from handread.kernels.jit import allocating, kernel

HAND_CARDS = 7


@kernel
def _draw(rng: Any, deck: Array, dealt: int) -> int:
    """Draw the next card: exchange it with the card at place ``dealt``, and return it."""
    other = dealt + int(rng.random() * (deck.size - dealt))
    card: int = deck[other]
    deck[other] = deck[dealt]
    deck[dealt] = card
    return card


@allocating
def play_start(
    rng: Any, start: Array, players: int, games: int, tables: Any
) -> tuple[float, float]:
    """Deal games to a starting hand and random others; return the sum of its shares of the pot.

    Also returns the sum of their squares. Cards are dealt one opponent at a time, up to the first
    who beats the hand. The tables have the classes of seven cards by three ranks and four, and of
    flushes by ranks, as in ``odds.hand_types.ClassTables``.
    """
    deck = np.empty(49, np.int64)
    n = 0
    for card in range(52):
        if card not in (start[0], start[1], start[2]):
            deck[n] = card
            n += 1
    cards, ranks = np.empty(HAND_CARDS, np.int64), np.empty(8, np.int64)
    by_ranks, by_flush = tables
    total, squares = 0.0, 0.0
    for _ in range(games):
        dealt = 0
        cards[:3] = start
        for i in range(3, HAND_CARDS):
            cards[i] = _draw(rng, deck, dealt)
            dealt += 1
        mine = class_of_hand(cards, ranks, by_ranks, by_flush)
        winners = 1
        for _ in range(players - 1):
            for i in range(HAND_CARDS):
                cards[i] = _draw(rng, deck, dealt)
                dealt += 1
            other = class_of_hand(cards, ranks, by_ranks, by_flush)
            if other > mine:
                winners = 0
                break
            winners += other == mine
        if winners:
            total += 1.0 / winners
            squares += 1.0 / winners**2
    return total, squares
