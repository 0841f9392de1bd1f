"""The showdown of each game: the classes of final hands, and their share of the pot.

An htpd is a vector over the classes of a game. A ``Showdown`` has the look-up tables with which the
operators of ``odds.htpd`` count classes, and values a class against the htpds of others.

Where the best hand takes the pot, the classes are the hands, worst to best. If opponent j ends
below class k with probability L_j and in it with h_j, the expected share of the pot with k is

    integral over z from 0 to 1 of the product over j of (L_j + z h_j).

The product has a term of degree t for each way to tie with t opponents, and the integral of z^t is
their share, 1 / (t + 1). For n opponents, n // 2 + 1 Gauss-Legendre nodes integrate this polynomial
exactly. The value at z = 1 counts a tie as a win, as equation 1 of Saund 2006 does.

In hi/lo, the expected share of the pot is

    1/2 E[share of the high] + 1/2 E[share of the low] + 1/2 E[share of the high, and no low].

Three distributions of each seat suffice, and an htpd joins them: the high hands with a qualifying
low, the high hands without, and the lows, with "none" the worst. A hand counts once among the highs
and once among the lows: an htpd of hi/lo sums to 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import handread.game.rules as rules
import handread.odds.hand_types as hand_types
from handread.arrays import Floats, Ints
from handread.game.ranks import HIGH_CARD, HandRank
from handread.kernels.loading import Fixed, Workspace
from handread.kernels.reading import BLOCK, share_against, shares_of_each
from handread.kernels.tables import KEY_BASE, multisets

Classes = npt.NDArray[np.uint16]

NO_SUITS = np.empty((0, 1), dtype=np.uint16)


@dataclass(frozen=True, slots=True, eq=False)
class SevenTables:
    """Classes of seven cards as look-up tables; multisets and sets as in ``ClassTables``."""

    by_ranks: Classes  # class of three ranks and four ranks (455, 1820), without flushes
    # class of a set of suited ranks, in one column or by the multiset of the other ranks
    # (8192, 1 or 91); no sets where suits do not matter
    by_flush: Classes
    ends: tuple[int, int | None] = (0, None)  # ends of its classes in an htpd

    @property
    def classes(self) -> slice:
        """The slice of its classes in an htpd."""
        return slice(*self.ends)


class FinalTables(NamedTuple):
    """Tables of whole hands, for one hand at a time."""

    by_ranks: Classes  # class of three ranks and the others, without flushes
    by_flush: Classes = NO_SUITS  # as in ``SevenTables``
    # class of the low by ranks, 0 for none, where it takes half the pot; elsewhere empty
    lows: Classes = np.empty((0, 0), dtype=np.uint16)


@dataclass(frozen=True)
class Showdown:
    """The classes of the final hands of a game, and their share of the pot."""

    game: rules.Variant
    # names of the categories of hands, worst to best; in hi/lo of highs, then of lows
    categories: tuple[str, ...]
    # index of each class's category, ascending; in hi/lo of each high and of each low, 0 for none
    category_of: tuple[Ints, ...]
    final: FinalTables  # tables of whole hands
    # Tables of seven cards: an htpd has the classes of all. None for five cards.
    tables: tuple[SevenTables, ...] = ()

    def __reduce__(self) -> tuple[object, tuple[rules.Variant]]:
        return showdown_of, (self.game,)  # not the tables, which each process has

    @property
    def n_classes(self) -> int:
        """The length of an htpd."""
        return self._first_low + self.category_of[-1].size

    @property
    def _first_low(self) -> int:
        return self.tables[1].ends[0] if self.game.splits else 0

    @cached_property
    def fixed(self) -> tuple[Fixed, Fixed, Fixed]:
        """The tables and the ends of its parts, as ``kernels.street_read.StreetCards`` has them."""
        tables = self.tables or (SevenTables(*self.final[:2]),)
        first, last = tables[0], tables[-1]
        ends = np.array([NO_LOW, self._first_low] if self.game.splits else [], np.int64)
        ranks, flushes = (first.by_ranks, last.by_ranks), (first.by_flush, last.by_flush)
        return Fixed(ranks), Fixed(flushes), Fixed(ends)

    def parts(self, htpds: Sequence[Floats]) -> tuple[Fixed, ...]:
        """Return the distributions that compare hands, in rows, in reused memory of the thread.

        In hi/lo they are of highs, of highs without a low, and of lows. The second sums to the
        probability of no qualifying low; where every low wins, it is missing. "None" is the first
        of the lows that may be missing.
        """
        sizes = [part.size for part in self.cut(np.zeros(self.n_classes))]
        rows = [self.cut(htpd) for htpd in htpds]
        return tuple(
            _as_rows(place, [row[place] for row in rows], size) for place, size in enumerate(sizes)
        )

    def cut(self, htpd: Floats) -> list[Floats]:
        """Return the distributions that make an htpd, as ``parts``."""
        if not self.game.splits:
            return [htpd]
        first = self._first_low
        highs, no_low, lows = htpd[:NO_LOW], htpd[NO_LOW:first], htpd[first:]
        return [highs + no_low, no_low, lows] if no_low.size else [highs, lows]

    def together(self, parts: Sequence[Floats]) -> Floats:
        """Return the value of each class (..., classes) from the values of ``parts``.

        In hi/lo the values of a high and of a low ("none" included) add up.
        """
        if not self.game.splits:
            return parts[0]
        high, *no_low, low = parts
        if no_low:
            low[..., 0] = 0.0
        return np.concatenate([high, *[high + each for each in no_low], low], axis=-1) / 2.0

    def values(self, others: Sequence[Floats], nodes: Floats, weights: Floats) -> Floats:
        """Return the expected share of the pot (classes,) of each class against others' htpds.

        ``nodes`` and ``weights`` give the shares of ties, as in ``kernels.reading.share_against``.
        """
        all_shares = []
        for part in self.parts(others):
            shares = np.empty(part.value.shape[1])
            share_against(part, nodes, weights, _work(len(others)), shares)
            all_shares.append(shares)
        return self.together(all_shares)

    def values_of_each(self, htpds: Sequence[Floats], nodes: Floats, weights: Floats) -> Floats:
        """Return ``values`` of each player against all others, (players, classes)."""
        all_shares = []
        for part in self.parts(htpds):
            shares, chances = np.empty(part.value.shape), np.empty(len(htpds))
            shares_of_each(part, nodes, weights, _work(len(htpds)), 0, chances, shares)
            all_shares.append(shares)
        return self.together(all_shares)

    def chances(self, htpds: Sequence[Floats], nodes: Floats, weights: Floats) -> Floats:
        """Return the expected share of the pot (players,) of each of some htpds."""
        total, chances = np.zeros(len(htpds)), np.empty(len(htpds))
        none = np.empty((len(htpds), 0))
        parts = self.parts(htpds)
        for place, part in enumerate(parts):
            first = int(place == LOW_PART)  # "none" wins nothing
            among = _reached(part, first)
            shares_of_each(among, nodes, weights, _work(len(htpds)), first, chances, none)
            total += chances / min(2, len(parts))
        return total

    def by_category(self, htpd: Floats) -> Floats:
        """Return the probability of each of the ``categories``; highs and lows sum to 1 each."""
        parts = self.cut(htpd)
        ends = zip((parts[0], parts[-1]), self._category_starts, strict=False)
        return np.concatenate([np.add.reduceat(part, starts) for part, starts in ends])

    @cached_property
    def _category_starts(self) -> list[Ints]:
        """The first class of each category of ascending classes; all categories occur."""
        return [np.searchsorted(each, np.arange(each[-1] + 1)) for each in self.category_of]


_ROOM = Workspace()


def _work(players: int) -> Fixed:
    return _ROOM.of(players, lambda: np.empty((4, players + 1, BLOCK)))


def _as_rows(part: int, rows: Sequence[Floats], size: int) -> Fixed:
    shape = len(rows), size
    stacked = _ROOM.of((part, *shape), lambda: np.empty(shape))
    for place, row in enumerate(rows):
        stacked.value[place] = row
    return stacked


def _reached(part: Fixed, first: int) -> Fixed | Floats:
    """Return a part without the classes that nobody reaches but the ``first``, if they are many."""
    rows: Floats = part.value
    if 3 * np.count_nonzero(rows[0]) > rows.shape[1]:
        return part
    reached = np.any(rows, axis=0)
    reached[:first] = True
    return rows.take(np.flatnonzero(reached), axis=1)


_FIVE = 4
"""The rank of a five with the ace low."""

NO_LOW = hand_types.N_CLASSES
"""First class of hi/lo without a qualifying low; where every low wins, the first low."""
LOWS = 2 * hand_types.N_CLASSES
"""First low of hi/lo with a qualifier, for no low."""
LOW_PART = 2
"""Index of the lows among the parts of hi/lo with a qualifier."""


LOW_CATEGORIES = (
    "no low",
    "paired",
    "ace low",
    *(f"{hand_types.low_rank_word(rank)} low" for rank in range(12, _FIVE, -1)),
    "wheel",
)
"""Names of the categories of lows, worst to best; a game has some of them."""
_NO_LOW, _PAIRED, _ACE_LOW, *_UNPAIRED = LOW_CATEGORIES
_RAZZ_CATEGORIES = (_PAIRED, *_UNPAIRED)


def _low_categories(keys: Ints) -> Ints:
    """Return the category of each low from its key: its place below the worst high card."""
    return np.where(keys < KEY_BASE, 13 - keys // 13**4, 0)


def category_places(game: rules.Variant, ranks: Sequence[HandRank | None]) -> list[int]:
    """Return the places of a hand in ``categories`` by ``Variant.ranks``; two in hi/lo."""
    names = showdown_of(game).categories
    if game.low is None:
        return [rank[0] for rank in ranks if rank is not None]
    *highs, low = ranks
    name = _PAIRED
    if low is None:
        name = _NO_LOW
    elif low[0] == -HIGH_CARD:
        top = -low[1] + (not game.ace_is_low)
        name = "wheel" if top == _FIVE else f"{hand_types.low_rank_word(top)} low"
    return [*(rank[0] for rank in highs if rank is not None), names.index(name)]


def _best_hand(
    game: rules.Variant,
    names: tuple[str, ...],
    category_of: Ints,
    by_ranks: Classes,
    by_flush: Classes,
) -> Showdown:
    """Return the showdown of a game of seven cards that gives the pot to the best hand."""
    tables, final = SevenTables(by_ranks, by_flush), FinalTables(by_ranks, by_flush)
    return Showdown(game, names, (category_of,), final, (tables,))


def _stud_high() -> Showdown:
    high, categories = hand_types.class_tables(), hand_types.class_categories()
    flushes = high.by_flush[:, None]
    return _best_hand(rules.STUD, hand_types.CATEGORIES, categories, high.by_ranks, flushes)


def _razz() -> Showdown:
    low = hand_types.low_tables()
    return _best_hand(
        rules.RAZZ, _RAZZ_CATEGORIES, _low_categories(low.keys), low.by_ranks, NO_SUITS
    )


def _deuce() -> Showdown:
    low = hand_types.deuce_tables()
    # A flush of seven cards is among the paired.
    names, categories = LOW_CATEGORIES[1:-2], _low_categories(low.keys)
    return _best_hand(rules.DEUCE_RAZZ, names, categories, low.by_ranks, low.by_flush)


def _sets_beside() -> Ints:
    """Return the set of ranks beside five or more suited ones, by set and multiset (8192, 91)."""
    found, suited = np.zeros((8192, 91), np.int64), np.bitwise_count(np.arange(8192))
    for n in (1, 2):
        sets = np.bitwise_or.reduce(1 << multisets(n), axis=1)
        found[suited == 7 - n, : sets.size] = sets
    return found


def _high_low() -> Showdown:
    high, low = hand_types.class_tables(), hand_types.low_tables()
    unqualified = low.keys.size - low.n_qualify
    none = low.by_ranks < unqualified
    both = high.by_ranks + np.where(none, np.uint16(NO_LOW), np.uint16(0))
    flushes, ranks = high.by_flush[:, None], np.arange(8192)[:, None] | _sets_beside()
    few = np.bitwise_count(ranks & 0b1_0000_0111_1111) < 5  # of the ace and up to the eight
    highs = SevenTables(both, flushes + np.where(few, np.uint16(NO_LOW), np.uint16(0)), (0, LOWS))
    qualified = np.where(none, 0, low.by_ranks - (unqualified - 1)).astype(np.uint16)
    category_of = np.concatenate([[0], _low_categories(low.keys)[unqualified:]])
    names, places = np.unique(category_of, return_inverse=True)
    return Showdown(
        rules.STUD8,
        (*hand_types.CATEGORIES, _NO_LOW, *(_RAZZ_CATEGORIES[name] for name in names[1:])),
        (hand_types.class_categories(), places),
        FinalTables(high.by_ranks, flushes, qualified),
        (highs, SevenTables(qualified, NO_SUITS, (LOWS, None))),
    )


def _high_any_low() -> Showdown:
    high, low = _stud_high(), _razz()
    (highs,), (lows,) = high.tables, low.tables
    return Showdown(
        rules.STUD_HL,
        (*high.categories, *low.categories),
        (*high.category_of, *low.category_of),
        FinalTables(*high.final[:2], lows.by_ranks + np.uint16(1)),
        (replace(highs, ends=(0, NO_LOW)), replace(lows, ends=(NO_LOW, None))),
    )


def _five_card() -> Showdown:
    five = hand_types.five_tables()
    final = FinalTables(five.by_ranks, five.by_flush[:, None])
    return Showdown(rules.FIVE_STUD, hand_types.CATEGORIES, (five.keys // KEY_BASE,), final)


_OF_GAME = {
    rules.STUD.key: _stud_high,
    rules.STUD8.key: _high_low,
    rules.STUD_HL.key: _high_any_low,
    rules.RAZZ.key: _razz,
    rules.DEUCE_RAZZ.key: _deuce,
    rules.FIVE_STUD.key: _five_card,
}


def showdown_of(game: rules.Variant = rules.DEFAULT) -> Showdown:
    """Return the showdown of a game.

    Raises:
        ValueError: The chances of the game are not counted.
    """
    if game.key not in _OF_GAME:
        raise ValueError(f"the chances of {game.title} are not counted")
    return _showdown(game.key)


@cache
def _showdown(key: str) -> Showdown:
    return _OF_GAME[key]()
