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

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import handread.odds.hand_types as hand_types
from handread.arrays import Floats, Ints
from handread.game.ranks import HIGH_CARD, HandRank
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.kernels.loading import Fixed, Room
from handread.kernels.reading import BLOCK, share_against, shares_of_each
from handread.kernels.tables import KEY_BASE

Classes = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class SevenTables:
    """Classes of seven cards as look-up tables; multisets and sets as in ``ClassTables``."""

    by_ranks: Classes  # class of three ranks and four ranks (455, 1820), without flushes
    # class of a set of suited ranks (8192,); None if suits do not matter
    by_flush: Classes | None = None
    # first class without a qualifying low, ``no_low`` of ``kernels.counting``; 0 if lows do not
    # count
    no_low: int = 0
    ends: tuple[int, int | None] = (0, None)  # ends of its classes in an htpd

    @property
    def classes(self) -> slice:
        """The slice of its classes in an htpd."""
        return slice(*self.ends)


class FinalTables(NamedTuple):
    """Tables of whole hands, for one hand at a time."""

    by_ranks: Classes  # class of three ranks and the others, without flushes
    # class of a set of suited ranks (8192,); empty where suits do not matter
    by_flush: Classes = np.empty(0, dtype=np.uint16)
    # class of the low by ranks, 0 for none, where it takes half the pot; elsewhere empty
    lows: Classes = np.empty((0, 0), dtype=np.uint16)


@dataclass(frozen=True, slots=True)
class Showdown(ABC):
    """The classes of the final hands of a game, and their share of the pot."""

    game: Variant
    # names of the categories of hands, worst to best; in hi/lo of highs, then of lows
    categories: tuple[str, ...]
    category_of: Ints  # index of each class's category, ascending; in hi/lo of each low, 0 for none
    final: FinalTables  # tables of whole hands
    # Tables of seven cards: an htpd has the classes of all. None for five cards.
    tables: tuple[SevenTables, ...] = ()

    def __reduce__(self) -> tuple[object, tuple[Variant]]:
        return showdown_of, (self.game,)  # not the tables, which each process has

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """The length of an htpd."""

    @abstractmethod
    def parts(self, htpds: Sequence[Floats]) -> tuple[Fixed, ...]:
        """Return the distributions that compare hands, in rows, in reused memory of the thread."""

    @abstractmethod
    def together(self, parts: Sequence[Floats]) -> Floats:
        """Return the value of each class (..., classes) from the values of ``parts``."""

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
            shares_of_each(part, nodes, weights, _work(len(htpds)), first, chances, none)
            total += chances / min(2, len(parts))
        return total

    @abstractmethod
    def by_category(self, htpd: Floats) -> Floats:
        """Return the probability of each of the ``categories`` from an htpd."""


_ROOM = Room()


def _work(players: int) -> Fixed:
    return _ROOM.of(players, lambda: np.empty((4, players + 1, BLOCK)))


def _as_rows(part: int, rows: Sequence[Floats], size: int) -> Fixed:
    shape = len(rows), size
    stacked = _ROOM.of((part, *shape), lambda: np.empty(shape))
    for place, row in enumerate(rows):
        stacked.value[place] = row
    return stacked


@dataclass(frozen=True, slots=True)
class BestHand(Showdown):
    """A game that gives the pot to the best hand: stud high, razz, five-card stud."""

    @property
    def n_classes(self) -> int:
        """The length of an htpd."""
        return self.category_of.size

    def parts(self, htpds: Sequence[Floats]) -> tuple[Fixed]:
        """Return the htpds themselves."""
        return (_as_rows(0, htpds, self.n_classes),)

    def together(self, parts: Sequence[Floats]) -> Floats:
        """Return the values of hands."""
        (values,) = parts
        return values

    def by_category(self, htpd: Floats) -> Floats:
        """Return the probability of each of the ``categories``."""
        return _sums(htpd, self.category_of)


def _sums(htpd: Floats, category_of: Ints) -> Floats:
    """Return the sum of each category of ascending classes; all categories occur."""
    starts = np.searchsorted(category_of, np.arange(category_of[-1] + 1))
    return np.add.reduceat(htpd, starts)


_FIVE = 4
"""The rank of a five with the ace low."""

NO_LOW = hand_types.N_CLASSES
"""First class of hi/lo without a qualifying low."""
LOWS = 2 * hand_types.N_CLASSES
"""First low of hi/lo, for no low."""
LOW_PART = 2
"""Index of the lows among the parts of hi/lo."""


@dataclass(frozen=True, slots=True)
class HighLow(Showdown):
    """A game that splits the pot between the best high and the best qualifying low."""

    @property
    def n_classes(self) -> int:
        """The length of an htpd."""
        return LOWS + self.category_of.size

    def parts(self, htpds: Sequence[Floats]) -> tuple[Fixed, Fixed, Fixed]:
        """Return the distributions of some htpds: of highs, of highs without a low, and of lows.

        The second sums to the probability of no qualifying low. "None" is the first of the lows.
        """
        highs = [htpd[:NO_LOW] + htpd[NO_LOW:LOWS] for htpd in htpds]
        no_lows = [htpd[NO_LOW:LOWS] for htpd in htpds]
        lows, size = [htpd[LOWS:] for htpd in htpds], self.category_of.size
        named = (0, highs, NO_LOW), (1, no_lows, NO_LOW), (2, lows, size)
        high, no_low, low = (_as_rows(*part) for part in named)
        return high, no_low, low

    def together(self, parts: Sequence[Floats]) -> Floats:
        """Return the values of classes: a high's and a low's ("none" included) add up."""
        high, no_low, low = parts
        low[..., 0] = 0.0
        return np.concatenate([high, high + no_low, low], axis=-1) / 2.0

    def by_category(self, htpd: Floats) -> Floats:
        """Return the probability of each of the ``categories``; highs and lows sum to 1 each."""
        high, low = htpd[:NO_LOW] + htpd[NO_LOW:LOWS], htpd[LOWS:]
        return np.concatenate(
            [_sums(high, hand_types.class_categories()), _sums(low, self.category_of)]
        )


LOW_CATEGORIES = (
    "paired",
    *(f"{hand_types.low_rank_word(rank)} low" for rank in range(12, _FIVE, -1)),
    "wheel",
)
"""Names of the categories of lows, worst to best."""


def _low_categories() -> Ints:
    """Return the index in ``LOW_CATEGORIES`` of each low (5083,)."""
    keys = hand_types.low_tables().keys
    unpaired = keys < KEY_BASE
    return np.where(unpaired, 13 - keys // 13**4, 0)


def category_places(game: Variant, ranks: Sequence[HandRank | None]) -> list[int]:
    """Return the places of a hand in ``categories`` by ``Variant.ranks``; two in hi/lo."""
    names = showdown_of(game).categories
    if game.low is None:
        return [rank[0] for rank in ranks if rank is not None]
    *highs, low = ranks
    name = LOW_CATEGORIES[0]
    if low is None:
        name = "no low"
    elif low[0] == -HIGH_CARD:
        name = "wheel" if low[1] == -_FIVE else f"{hand_types.low_rank_word(-low[1])} low"
    return [*(rank[0] for rank in highs if rank is not None), names.index(name)]


@cache
def _stud_high() -> Showdown:
    high = hand_types.class_tables()
    tables = SevenTables(high.by_ranks, high.by_flush)
    final = FinalTables(high.by_ranks, high.by_flush)
    return BestHand(STUD, hand_types.CATEGORIES, hand_types.class_categories(), final, (tables,))


@cache
def _razz() -> Showdown:
    by_ranks = hand_types.low_tables().by_ranks
    tables = (SevenTables(by_ranks),)
    return BestHand(RAZZ, LOW_CATEGORIES, _low_categories(), FinalTables(by_ranks), tables)


@cache
def _high_low() -> Showdown:
    high, low = hand_types.class_tables(), hand_types.low_tables()
    unqualified = low.keys.size - low.n_qualify
    none = low.by_ranks < unqualified
    both = high.by_ranks + np.where(none, np.uint16(NO_LOW), np.uint16(0))
    highs = SevenTables(both, high.by_flush, NO_LOW, (0, LOWS))
    qualified = np.where(none, 0, low.by_ranks - (unqualified - 1)).astype(np.uint16)
    category_of = np.concatenate([[0], _low_categories()[unqualified:]])
    names, places = np.unique(category_of, return_inverse=True)
    return HighLow(
        STUD8,
        (*hand_types.CATEGORIES, "no low", *(LOW_CATEGORIES[name] for name in names[1:])),
        places,
        FinalTables(high.by_ranks, high.by_flush, qualified),
        (highs, SevenTables(qualified, ends=(LOWS, None))),
    )


@cache
def _five_card() -> Showdown:
    five = hand_types.five_tables()
    final = FinalTables(five.by_ranks, five.by_flush)
    return BestHand(FIVE_STUD, hand_types.CATEGORIES, five.keys // KEY_BASE, final)


_OF_GAME = {STUD.key: _stud_high, STUD8.key: _high_low, RAZZ.key: _razz, FIVE_STUD.key: _five_card}


def showdown_of(game: Variant = STUD) -> Showdown:
    """Return the showdown of a game.

    Raises:
        ValueError: The chances of the game are not counted.
    """
    if game.key not in _OF_GAME:
        raise ValueError(f"the chances of {game.title} are not counted")
    return _OF_GAME[game.key]()
