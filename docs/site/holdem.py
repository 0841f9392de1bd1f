"""The hold'em example of Billings et al. 1998, as the paper and handread compute it.

``python -m docs.site.holdem`` prints the table; given five cards, for the first two on a
flop of the others.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from handread.arrays import Array, Floats
from handread.cards import DECK_SIZE, Card, parse_card
from handread.kernels.jit import allocating, kernel
from handread.kernels.tables import flush_key, rank_key
from handread.papers.published import Published
from handread.report.tables import as_text, number
from handread.study.statistics import Key

HAND = ("Ad", "Qc", "3h", "4c", "Jh")
"""The hand of the paper, and its flop."""

EXAMPLE = Published(
    "Billings et al. 1998, sections Hand Strength and Hand Potential, Table 1",
    {
        Key("ahead"): 628,
        Key("tied"): 9,
        Key("behind"): 444,
        Key("HS"): 0.585,
        Key("HS against five"): 0.069,
        Key("behind, then ahead"): 91_981,
        Key("behind, then tied"): 1_036,
        Key("behind, then behind"): 346_543,
        Key("Ppot, two cards"): 0.208,
        Key("Npot, two cards"): 0.274,
        Key("Ppot, one card"): 0.108,
        Key("Npot, one card"): 0.145,
    },
)


class Comparison(NamedTuple):
    """A hand compared with all holdings of an opponent, by the states ahead, tied and behind.

    Attributes:
        now: The number of holdings by the state now (3,).
        later: The number of holdings and cards to come, by the state now (rows) and then (3, 3).
    """

    now: Floats
    later: Floats

    @property
    def strength(self) -> float:
        """HS: the chance to hold the better hand, a tie counted half."""
        ahead, tied, _ = self.now
        return float((ahead + tied / 2) / self.now.sum())

    @property
    def positive_potential(self) -> float:
        """Ppot: the chance to take the lead when behind."""
        _, (tied_ahead, *_), (ahead, tied, _) = self.later
        _, tied_now, behind_now = self.later.sum(axis=1)
        return float((ahead + tied / 2 + tied_ahead / 2) / (behind_now + tied_now / 2))

    @property
    def negative_potential(self) -> float:
        """Npot: the chance to fall behind when ahead."""
        (_, tied, behind), (*_, tied_behind), _ = self.later
        ahead_now, tied_now, _ = self.later.sum(axis=1)
        return float((behind + tied / 2 + tied_behind / 2) / (ahead_now + tied_now / 2))


def compare_holdem(own: Sequence[Card], board: Sequence[Card], to_come: int) -> Comparison:
    """Compare two cards with all pairs of an opponent, and look so many board cards ahead."""
    now, later = np.zeros(3), np.zeros((3, 3))
    nexts = np.array(list(combinations(range(DECK_SIZE), to_come)), dtype=np.int64)
    hand, flop = (np.array(cards, dtype=np.int64) for cards in (own, board))
    _count(hand, flop, nexts, now, later)
    return Comparison(now, later)


@kernel
def _key(cards: Array, ranks: Array, suits: Array, sizes: Array) -> int:
    """Return the key of five to seven cards; the other arrays are room to count them in."""
    ranks[:] = 0
    suits[:] = 0
    sizes[:] = 0
    for card in cards:
        ranks[card >> 2] += 1
        suits[card & 3] |= 1 << (card >> 2)
        sizes[card & 3] += 1
    best: int = rank_key(ranks)
    for suit in range(4):
        if sizes[suit] >= 5:
            best = max(best, flush_key(suits[suit]))
    return best


@allocating
def _count(own: Array, board: Array, nexts: Array, now: Array, later: Array) -> None:
    """Add to the counts ``now`` and ``later`` of a ``Comparison``.

    ``nexts`` are the choices of cards to come (choices, cards).
    """
    ranks, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    sizes = np.zeros(4, np.int64)
    first = 2 + board.size
    hand = np.empty(first + nexts.shape[1], np.int64)
    hand[:2] = own
    hand[2:first] = board
    taken = np.zeros(52, np.bool_)
    for card in hand[:first]:
        taken[card] = True
    key = _key(hand[:first], ranks, suits, sizes)
    mine = np.empty(nexts.shape[0], np.int64)
    for i in range(mine.size):
        hand[first:] = nexts[i]
        mine[i] = _key(hand, ranks, suits, sizes)
    for a in range(52):
        for b in range(a):
            if taken[a] or taken[b]:
                continue
            hand[0], hand[1] = a, b
            other = _key(hand[:first], ranks, suits, sizes)
            row = 1 + (other > key) - (other < key)
            now[row] += 1.0
            for i in range(mine.size):
                free = True
                for card in nexts[i]:
                    free = free and not taken[card] and card not in (a, b)
                if free:
                    hand[first:] = nexts[i]
                    other = _key(hand, ranks, suits, sizes)
                    later[row, 1 + (other > mine[i]) - (other < mine[i])] += 1.0


def compared(cards: Sequence[str]) -> Mapping[str, float]:
    """Compare two cards on a flop with all pairs of an opponent; ``ValueError`` unless 5 differ."""
    found = [parse_card(card) for card in cards]
    if len(found) != len(HAND):
        raise ValueError(f"expected two cards and a flop of three, as in {' '.join(HAND)}")
    one, two = (compare_holdem(found[:2], found[2:], to_come=n) for n in (1, 2))
    states = ("ahead", "tied", "behind")
    return {
        **dict(zip(states, two.now.tolist(), strict=True)),
        "HS": two.strength,
        "HS against five": two.strength**5,
        **{
            f"behind, then {state}": n
            for state, n in zip(states, two.later[2].tolist(), strict=True)
        },
        "Ppot, two cards": two.positive_potential,
        "Npot, two cards": two.negative_potential,
        "Ppot, one card": one.positive_potential,
        "Npot, one card": one.negative_potential,
    }


def holdem_text(cards: Sequence[str] = HAND) -> str:
    """Return the comparison as text, for the hand of the paper beside its figures."""
    stated = {key.figure: value for key, value in EXAMPLE.values.items()}
    rows = [[" ".join(cards), "handread"]]
    rows += [[name, _cell(value)] for name, value in compared(cards).items()]
    if tuple(cards) == HAND:
        rows[0].append("paper")
        for row in rows[1:]:
            row.append(_cell(stated[row[0]]))
    return as_text(rows) + (f"paper: {EXAMPLE}\n" if tuple(cards) == HAND else "")


def _cell(value: float) -> str:
    return number(value, 3) if value < 1 else number(value, 0, sign=",")


def main(cards: Sequence[str]) -> None:
    """Print the comparison of the cards, or of the paper's hand."""
    try:
        sys.stdout.write(holdem_text(cards or HAND))
    except ValueError as error:
        raise SystemExit(f"{error}\nusage: python -m docs.site.holdem [CARD ...]") from None


if __name__ == "__main__":
    main(sys.argv[1:])
