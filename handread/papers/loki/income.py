"""Income of the starting hands of seven-card stud: their profit if everybody stays to the end.

Starting hands that differ only in the names of the suits are one *start*; there are 1,755. The
order of the deal does not matter, so any of the three cards may be the door card. As in Billings et
al. 1998, a hand plays random hands to the showdown for one bet from each player; the income is the
profit beyond that bet. ``handread experiment loki-tables income -o FILE`` makes the table
``income.csv`` for seven players.
"""

import csv
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats, Ints
from handread.cards import N_TRIPLES, Card, cards_text, triple_index
from handread.odds.hand_types import class_tables
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS
from handread.papers.loki.income_kernel import play_start

PLAYERS = 7

GAMES = 100_000
"""Games for each starting hand of the table of incomes."""

FIGURE = "income_bets"


class Starts(NamedTuple):
    """The starting hands that differ by more than the names of suits.

    Attributes:
        cards: One hand of each start (starts, 3), the lowest cards first.
        ways: Number of hands of each start (starts,), as floats; they sum to 22,100.
        of_triple: The start of each triple of cards (22100,).
        names: The hands of ``cards``, the highest card first: "Ac Kc Qd".
    """

    cards: Ints
    ways: Floats
    of_triple: Ints
    names: tuple[str, ...]


@cache
def starts() -> Starts:
    """Return the starts, in the order of their lowest triple."""
    ranks, suits = TRIPLE_CARDS >> 2, TRIPLE_CARDS & 3
    lowest = np.full(N_TRIPLES, N_TRIPLES)
    for named in permutations(range(4)):
        np.minimum(lowest, _triples(4 * ranks + np.array(named)[suits]), out=lowest)
    firsts, of_triple, ways = np.unique(lowest, return_inverse=True, return_counts=True)
    cards = TRIPLE_CARDS[firsts]
    names = tuple(cards_text(map(Card, three[::-1])) for three in cards.tolist())
    return Starts(cards, ways.astype(np.float64), of_triple, names)


def _triples(cards: Ints) -> Ints:
    """Return the indices (n,) of triples of cards (n, 3) in any order."""
    a, b, c = np.sort(cards, axis=1).T
    triples: Ints = c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a
    return triples


def shares_of_start(start: int, players: int, games: int, seed: int) -> tuple[float, float]:
    """Return the sum of a start's shares of the pot in random games, and their sum of squares."""
    tables = class_tables()
    rng = np.random.default_rng((seed, start))
    cards = starts().cards[start]
    return play_start(rng, cards, players, games, (tables.by_ranks, tables.by_flush[:, None]))


@cache
def incomes() -> Floats:
    """Return the income of each start (starts,), in bets: the table shipped with handread."""
    text = files(__package__).joinpath("income.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    by_name = {row["group"]: float(row["mean"]) for row in rows if row["figure"] == FIGURE}
    return np.array([by_name[name] for name in starts().names])


@cache
def incomes_by_pair(door: Card) -> Floats:
    """Return the income of each pair of downcards with a door card (1326,); 0 for dead pairs."""
    down = PAIR_CARDS
    live = (down != door).all(axis=1)
    triples = _triples(np.column_stack([down, np.full(len(down), door)]))
    return np.where(live, incomes()[starts().of_triple[np.where(live, triples, 0)]], 0.0)


def income(cards: Sequence[Card]) -> float:
    """Return the income of three cards, in bets a hand."""
    return float(incomes()[starts().of_triple[triple_index(*cards)]])
