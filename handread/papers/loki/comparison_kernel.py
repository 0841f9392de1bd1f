"""One hand against all holdings of an opponent (Billings et al. 1998, Figures 1 and 2).

Hands are compared by their keys (``kernels.tables``), those of fewer than five cards included: both
players have the same number of cards. Pairs are indexed as in ``handread.cards``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel
from handread.kernels.tables import flush_key, rank_key

Array = npt.NDArray[Any]

AHEAD, TIED, BEHIND = range(3)


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
def _row(mine: int, other: int) -> int:
    """Return AHEAD, TIED or BEHIND by two keys."""
    if mine > other:
        return 0
    return 1 if mine == other else 2


@kernel
def holdem_counts(
    own: Array, board: Array, weights: Array, more: int, now: Array, later: Array
) -> None:
    """Count in hold'em the opponents' pairs that a pair is ahead of, tied with and behind.

    Args:
        own: The two cards of the player.
        board: The three to five cards of the board.
        weights: Weight of each pair of the opponent (1326,).
        more: Cards of the board to come that are looked at, 0 to 2.
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
    # The player's key by the cards to come, of which the second is 52 if there is only one.
    mine = np.zeros((53, 53), np.int64)
    for c in range(52 if more > 0 else 0):
        if taken[c]:
            continue
        add_card(c, mine_ranks, mine_suits)
        if more == 1:
            mine[c, 52] = _key(mine_ranks, mine_suits)
        for d in range(c if more > 1 else 0):
            if not taken[d]:
                add_card(d, mine_ranks, mine_suits)
                mine[c, d] = _key(mine_ranks, mine_suits)
                remove_card(d, mine_ranks, mine_suits)
        remove_card(c, mine_ranks, mine_suits)
    key = _key(mine_ranks, mine_suits)
    now[:] = 0.0
    later[:] = 0.0
    for b in range(52):
        for a in range(b):
            weight = weights[b * (b - 1) // 2 + a]
            if taken[a] or taken[b] or weight == 0.0:
                continue
            add_card(a, ranks, suits)
            add_card(b, ranks, suits)
            row = _row(key, _key(ranks, suits))
            now[row] += weight
            for c in range(52 if more > 0 else 0):
                if taken[c] or c in (a, b):
                    continue
                add_card(c, ranks, suits)
                if more == 1:
                    later[row, _row(mine[c, 52], _key(ranks, suits))] += weight
                for d in range(c if more > 1 else 0):
                    if not taken[d] and d not in (a, b):
                        add_card(d, ranks, suits)
                        later[row, _row(mine[c, d], _key(ranks, suits))] += weight
                        remove_card(d, ranks, suits)
                remove_card(c, ranks, suits)
            remove_card(a, ranks, suits)
            remove_card(b, ranks, suits)


@kernel
def stud_counts(
    own: Array, up: Array, dead: Array, weights: Array, more: int, now: Array, later: Array
) -> None:
    """Count in stud the pairs of an opponent that a hand is ahead of, tied with and behind.

    Args:
        own: The cards of the player, three to six.
        up: The face-up cards of the opponent, one to four.
        dead: True for the cards that neither can hold or draw (52,).
        weights: Weight of each pair of the opponent (1326,).
        more: 1 to look at the next card of both, 0 to compare as they are.
        now: Filled with the weights of the pairs: ahead, tied, behind (3,).
        later: Filled with those of pairs and next cards, by the states now and then (3, 3).
    """
    ranks, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    mine_ranks, mine_suits = ranks.copy(), suits.copy()
    taken = dead.copy()
    for card in up:
        add_card(card, ranks, suits)
        taken[card] = True
    for card in own:
        add_card(card, mine_ranks, mine_suits)
        taken[card] = True
    mine = np.zeros(52, np.int64)
    for c in range(52 if more > 0 else 0):
        if not taken[c]:
            add_card(c, mine_ranks, mine_suits)
            mine[c] = _key(mine_ranks, mine_suits)
            remove_card(c, mine_ranks, mine_suits)
    key = _key(mine_ranks, mine_suits)
    now[:] = 0.0
    later[:] = 0.0
    for b in range(52):
        for a in range(b):
            weight = weights[b * (b - 1) // 2 + a]
            if taken[a] or taken[b] or weight == 0.0:
                continue
            add_card(a, ranks, suits)
            add_card(b, ranks, suits)
            row = _row(key, _key(ranks, suits))
            now[row] += weight
            for d in range(52 if more > 0 else 0):
                if taken[d] or d in (a, b):
                    continue
                add_card(d, ranks, suits)
                other = _key(ranks, suits)
                remove_card(d, ranks, suits)
                for c in range(52):
                    if not taken[c] and c not in (a, b, d):
                        later[row, _row(mine[c], other)] += weight
            remove_card(a, ranks, suits)
            remove_card(b, ranks, suits)
