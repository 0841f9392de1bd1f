"""Names of holdings in stud high: "split queens", "aces in the hole", "two pair, jacks up"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from handread.arrays import Flags, Floats, Ints
from handread.cards import N_PAIRS, Card
from handread.game import ranks as stud
from handread.kernels.shapes import (
    FLUSH,
    FLUSH_DRAW,
    FULL_HOUSE,
    GAPPED,
    GUTSHOT,
    HIGH_CARD,
    IN_A_ROW,
    N_SHAPES,
    OPEN_ENDED,
    PAIR,
    PAIR_AND_FLUSH_DRAW,
    QUADS,
    ROLLED_UP,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_FLUSH,
    TRIPS,
    TWO_PAIR,
    shape_codes,
)
from handread.odds.hand_types import CATEGORIES, N_CLASSES, class_tables, plural, rank_word
from handread.odds.htpd import PAIR_CARDS

N_RANKS = 13


class Kind(NamedTuple):
    """The name of a holding."""

    words: str  # the full name: "split queens"
    family: str  # the name without ranks: "split pair"
    detail: str = ""  # what ``words`` adds to the family, "queens"; empty if it adds nothing


def made_kind(rank: stud.HandRank) -> Kind:
    """Return the kind of a hand without kickers: "two pair, kings up", "pair of nines"."""
    category, best = rank[:2]
    family = CATEGORIES[category]
    names = {
        stud.HIGH_CARD: (f"{rank_word(best)} high", f"{rank_word(best)} high"),
        stud.PAIR: (f"pair of {plural(best)}", plural(best)),
        stud.TWO_PAIR: (f"two pair, {plural(best)} up", f"{plural(best)} up"),
        stud.TRIPS: (f"three {plural(best)}", plural(best)),
        stud.FULL_HOUSE: (f"{plural(best)} full", f"{plural(best)} full"),
    }
    words, detail = names.get(category, (family, ""))
    return Kind(words, family, detail)


_MADE = {
    TWO_PAIR: stud.TWO_PAIR,
    TRIPS: stud.TRIPS,
    STRAIGHT: stud.STRAIGHT,
    FLUSH: stud.FLUSH,
    FULL_HOUSE: stud.FULL_HOUSE,
    QUADS: stud.QUADS,
    STRAIGHT_FLUSH: stud.STRAIGHT_FLUSH,
    HIGH_CARD: stud.HIGH_CARD,
}
"""The categories of the shapes that are named as at the end of a hand."""

_DRAWS = {
    THREE_FLUSH: "three to a flush",
    GUTSHOT: "gutshot",
    OPEN_ENDED: "open-ended straight draw",
    FLUSH_DRAW: "flush draw",
}


def _unfinished_kind(shape: int, rank: int) -> Kind:
    """Return the kind of three to six cards."""
    if shape in _MADE:
        return made_kind((_MADE[shape], rank))
    if shape in _DRAWS:
        return Kind(_DRAWS[shape], _DRAWS[shape])
    if shape == IN_A_ROW:
        return Kind("three in a row", "three to a straight", "three in a row")
    if shape == GAPPED:
        return Kind("three to a straight with a gap", "three to a straight", "with a gap")
    if shape == ROLLED_UP:
        return Kind(f"rolled-up {plural(rank)}", "trips", plural(rank))
    if shape >= PAIR_AND_FLUSH_DRAW:
        pair = pair_kind(rank, shape - PAIR_AND_FLUSH_DRAW).words
        return Kind(f"{pair} with a flush draw", "pair with a flush draw", pair)
    return pair_kind(rank, shape - PAIR)


def pair_kind(rank: int, n_down: int) -> Kind:
    """Return a pair with 0, 1 or 2 of its cards in the hole: on board, split, in the hole."""
    cards = plural(rank)
    return (
        Kind(f"{cards} on board", "pair on board", cards),
        Kind(f"split {cards}", "split pair", cards),
        Kind(f"{cards} in the hole", "pair in the hole", cards),
    )[n_down]


def high_kind(down: Sequence[Card], up: Sequence[Card]) -> Kind:
    """Return the kind of holding that three to seven cards make in stud high."""
    if len(down) + len(up) == 7:
        return made_kind(stud.best_hand([*down, *up]))
    return unfinished_kinds(np.array([down]), up)[0]


def unfinished_kinds(down: Ints, up: Sequence[Card]) -> list[Kind]:
    """Return the kind of each holding (holdings, cards) of three to six cards with the upcards."""
    table = _kinds_of_codes()
    return [table.kinds[number] for number in table.number[_codes(down, up)].tolist()]


def _codes(down: Ints, up: Sequence[Card]) -> Ints:
    """Return the code of the kind that each holding (holdings, cards) makes with the upcards."""
    codes, room = np.empty(len(down), np.int64), np.empty((3, N_RANKS), np.int64)
    draws = _straight_shapes(down.shape[1] + len(up))
    shape_codes(np.ascontiguousarray(down), np.array(up, np.int64), draws, room, codes)
    return codes


def has_straight(ranks: Ints) -> Flags:
    """Return True for sets of ranks, 13-bit masks, that contain a straight; an ace is also low."""
    ends = ranks << 1 | ranks >> 12
    found: Flags = ends & ends >> 1 & ends >> 2 & ends >> 3 & ends >> 4 != 0
    return found


@cache
def _straight_shapes(n: int) -> Ints:
    """Return the shape (8192,) of each set of ``n`` different ranks that is part of a straight.

    Three cards are three in a row, or three of four in a row. Four and more lack one card: two or
    more ranks complete an open-ended draw, one completes a gutshot.
    """
    ranks = np.arange(1 << N_RANKS)
    if n == 3:
        ends = ranks << 1 | ranks >> 12
        in_a_row = ends & ends >> 1 & ends >> 2 != 0
        gapped = ends & ends >> 3 & (ends >> 1 | ends >> 2) != 0
        return np.select([in_a_row, gapped], [IN_A_ROW, GAPPED], HIGH_CARD)
    missing = 1 << np.arange(N_RANKS)
    adds = ranks[:, None] & missing == 0
    completing = (adds & has_straight(ranks[:, None] | missing)).sum(axis=1)
    return np.select([completing > 1, completing == 1], [OPEN_ENDED, GUTSHOT], HIGH_CARD)


class KindTable(NamedTuple):
    """The kinds of holding that a seat may have."""

    # The kinds, sorted. Some may not be possible with the upcards.
    kinds: list[Kind]
    # Index of the kind of each holding, such as the pairs (1326,), or of each class (4824,) of a
    # final hand. That of a holding with an upcard has no meaning.
    number: Ints
    families: list[str]
    family: Ints  # index of the family of each kind

    @property
    def complete(self) -> bool:
        """True for the kinds of classes, False for those of holdings."""
        return self.number.size == N_CLASSES

    def possible(self, weights: Floats) -> dict[Kind, float]:
        """Return the probability of every kind that has one, given those of all."""
        found = zip(self.kinds, weights.tolist(), strict=True)
        return {kind: p for kind, p in found if p > 0}

    @classmethod
    def of(cls, names: Iterable[Kind]) -> KindTable:
        """Return the table of the kinds of some holdings or classes, in their order."""
        named = list(names)
        kinds = sorted(set(named))
        place = {kind: number for number, kind in enumerate(kinds)}
        families = sorted({kind.family for kind in kinds})
        return cls(
            kinds,
            np.array([place[kind] for kind in named]),
            families,
            np.array([families.index(kind.family) for kind in kinds]),
        )


def high_kinds(size: int, up: tuple[Card, ...]) -> KindTable:
    """Return the kinds of a seat in stud high, given the size of its pdd and its upcards."""
    if size != N_PAIRS or len(up) == 5:
        return _kinds_of_classes()
    return _kinds_of_pairs(up)


@cache
def _kinds_of_classes() -> KindTable:
    """Return the kinds of final hands."""
    # Category and best rank decide the kind; the key of a class begins with them.
    heads = (class_tables().keys // 13**4).tolist()
    return KindTable.of(made_kind(divmod(head, 13)) for head in heads)


@cache
def _kinds_of_codes() -> KindTable:
    """Return the kinds of all codes."""
    codes = range(N_SHAPES * N_RANKS)
    return KindTable.of(_unfinished_kind(*divmod(code, N_RANKS)) for code in codes)


@lru_cache(maxsize=128)
def _kinds_of_pairs(up: tuple[Card, ...]) -> KindTable:
    """Return the kinds of pairs with one to four upcards."""
    table = _kinds_of_codes()
    return table._replace(number=table.number[_codes(PAIR_CARDS, up)])
