"""One hand against all holdings of an opponent (Billings et al. 1998, Figures 1 and 2).

Hands are compared by their keys (``kernels.tables``), those of fewer than five cards included: both
players have the same number of cards. Pairs are indexed as in ``handread.cards``.
"""

from __future__ import annotations

import numpy as np

from handread.arrays import Array
from handread.kernels.jit import allocating, kernel
from handread.kernels.tables import flush_key, rank_key


@kernel
def add_card(card: int, ranks: Array, suits: Array) -> None:
    """Add a card to the counts of ranks (13,) and to the rank sets of the suits (4,)."""
    ranks[card >> 2] += 1
    suits[card & 3] |= 1 << (card >> 2)


@kernel
def remove_card(card: int, ranks: Array, suits: Array) -> None:
    """Take a card from the counts of ranks (13,) and from the rank sets of the suits (4,)."""
    ranks[card >> 2] -= 1
    suits[card & 3] &= ~(1 << (card >> 2))


@kernel
def _key(ranks: Array, suits: Array) -> int:
    """Return the key of the best hand of the cards counted."""
    best: int = rank_key(ranks)
    for suit in range(4):
        held, size = suits[suit], 0
        while held:
            held &= held - 1
            size += 1
        if size >= 5:
            best = max(best, flush_key(suits[suit]))
    return best


@kernel
def _state(mine: int, other: int) -> int:
    """Return 0, 1 or 2 for ahead, tied or behind, by two keys."""
    if mine > other:
        return 0
    return 1 if mine == other else 2


@kernel
def _later_keys(nexts: Array, taken: Array, ranks: Array, suits: Array, keys: Array) -> None:
    """Fill ``keys`` with the key of a hand with each choice of next cards; -1 if one is taken."""
    for i in range(nexts.shape[0]):
        keys[i] = -1
        free = True
        for card in nexts[i]:
            free = free and not taken[card]
        if free:
            for card in nexts[i]:
                add_card(card, ranks, suits)
            keys[i] = _key(ranks, suits)
            for card in nexts[i]:
                remove_card(card, ranks, suits)


@allocating
def holdem_counts(
    own: Array, board: Array, weights: Array, nexts: Array, now: Array, later: Array
) -> None:
    """Count in hold'em the opponents' pairs that a pair is ahead of, tied with and behind.

    Args:
        own: The two cards of the player.
        board: The three to five cards of the board.
        weights: Weight of each pair of the opponent (1326,).
        nexts: The choices of cards to come (choices, cards).
        now: Filled with the weights of the pairs: ahead, tied, behind (3,).
        later: Filled with those of pairs and cards to come, by the states now and then (3, 3).
    """
    ranks, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    taken = np.zeros(52, np.bool_)
    for card in board:
        add_card(card, ranks, suits)
        taken[card] = True
    mine_ranks, mine_suits = ranks.copy(), suits.copy()
    for card in own:
        add_card(card, mine_ranks, mine_suits)
        taken[card] = True
    mine, theirs = np.empty(nexts.shape[0], np.int64), np.empty(nexts.shape[0], np.int64)
    _later_keys(nexts, taken, mine_ranks, mine_suits, mine)
    key = _key(mine_ranks, mine_suits)
    now[:] = 0.0
    later[:] = 0.0
    for b in range(52):
        for a in range(b):
            weight = weights[b * (b - 1) // 2 + a]
            if taken[a] or taken[b] or weight == 0.0:
                continue
            for card in (a, b):
                add_card(card, ranks, suits)
                taken[card] = True
            row = _state(key, _key(ranks, suits))
            now[row] += weight
            _later_keys(nexts, taken, ranks, suits, theirs)
            for i in range(theirs.size):
                if theirs[i] >= 0:
                    later[row, _state(mine[i], theirs[i])] += weight
            for card in (a, b):
                remove_card(card, ranks, suits)
                taken[card] = False
