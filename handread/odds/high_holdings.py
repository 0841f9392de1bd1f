"""Names of holdings in stud high: "split queens", "aces in the hole", "two pair, jacks up"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

import handread.kernels.shapes as shapes
from handread.arrays import Flags, Floats, Ints
from handread.cards import N_PAIRS, Card
from handread.game import ranks as stud
from handread.odds.hand_types import CATEGORIES, N_CLASSES, class_tables, plural, rank_word
from handread.odds.htpd import PAIR_CARDS

N_RANKS = 13


class Kind(NamedTuple):
    """The name of a holding."""

    words: str  # the full name: "split queens"
    family: str  # the name without ranks: "split pair"
    detail: str = ""  # the part of ``words`` beyond the family, "queens"; may be empty


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
    shapes.TWO_PAIR: stud.TWO_PAIR,
    shapes.TRIPS: stud.TRIPS,
    shapes.STRAIGHT: stud.STRAIGHT,
    shapes.FLUSH: stud.FLUSH,
    shapes.FULL_HOUSE: stud.FULL_HOUSE,
    shapes.QUADS: stud.QUADS,
    shapes.STRAIGHT_FLUSH: stud.STRAIGHT_FLUSH,
    shapes.HIGH_CARD: stud.HIGH_CARD,
}
"""Categories of the shapes that keep their names to the end of a hand."""

_DRAWS = {
    shapes.THREE_FLUSH: "three to a flush",
    shapes.GUTSHOT: "gutshot",
    shapes.OPEN_ENDED: "open-ended straight draw",
    shapes.FLUSH_DRAW: "flush draw",
}


def _unfinished_kind(shape: int, rank: int) -> Kind:
    if shape in _MADE:
        return made_kind((_MADE[shape], rank))
    if shape in _DRAWS:
        return Kind(_DRAWS[shape], _DRAWS[shape])
    if shape == shapes.IN_A_ROW:
        return Kind("three in a row", "three to a straight", "three in a row")
    if shape == shapes.GAPPED:
        return Kind("three to a one-gap straight", "three to a straight", "one gap")
    if shape == shapes.ROLLED_UP:
        return Kind(f"rolled-up {plural(rank)}", "trips", plural(rank))
    if shape >= shapes.PAIR_AND_FLUSH_DRAW:
        pair = pair_kind(rank, shape - shapes.PAIR_AND_FLUSH_DRAW).words
        return Kind(f"{pair} with a flush draw", "pair with a flush draw", pair)
    return pair_kind(rank, shape - shapes.PAIR)


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
    """Return the code of the kind of each holding (holdings, cards) with the upcards."""
    codes, room = np.empty(len(down), np.int64), np.empty((3, N_RANKS), np.int64)
    draws = _straight_shapes(down.shape[1] + len(up))
    shapes.shape_codes(np.ascontiguousarray(down), np.array(up, np.int64), draws, room, codes)
    return codes


def has_straight(ranks: Ints) -> Flags:
    """Return True for sets of ranks, 13-bit masks, that contain a straight; an ace is also low."""
    ends = ranks << 1 | ranks >> 12
    straights: Flags = ends & ends >> 1 & ends >> 2 & ends >> 3 & ends >> 4 != 0
    return straights


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
        return np.select([in_a_row, gapped], [shapes.IN_A_ROW, shapes.GAPPED], shapes.HIGH_CARD)
    missing = 1 << np.arange(N_RANKS)
    adds = ranks[:, None] & missing == 0
    completing = (adds & has_straight(ranks[:, None] | missing)).sum(axis=1)
    return np.select(
        [completing > 1, completing == 1], [shapes.OPEN_ENDED, shapes.GUTSHOT], shapes.HIGH_CARD
    )


class KindTable(NamedTuple):
    """The kinds of holding that a seat may have."""

    kinds: list[Kind]  # sorted; some may be impossible with the upcards
    # Index of the kind of each holding, such as the pairs (1326,), or of each class (4824,) of a
    # final hand. It has no meaning for a holding with an upcard.
    number: Ints
    families: list[str]
    family: Ints  # index of the family of each kind

    @property
    def complete(self) -> bool:
        """True for kinds of classes, False for kinds of holdings."""
        return self.number.size == N_CLASSES

    def possible(self, weights: Floats) -> dict[Kind, float]:
        """Return the kinds with a probability above 0, given the probability of each."""
        weighed = zip(self.kinds, weights.tolist(), strict=True)
        return {kind: p for kind, p in weighed if p > 0}

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
    # Category and best rank decide the kind; the key of a class begins with them.
    heads = (class_tables().keys // 13**4).tolist()
    return KindTable.of(made_kind(divmod(head, 13)) for head in heads)


@cache
def _kinds_of_codes() -> KindTable:
    codes = range(shapes.N_SHAPES * N_RANKS)
    return KindTable.of(_unfinished_kind(*divmod(code, N_RANKS)) for code in codes)


@lru_cache(maxsize=512)  # the door cards stay
def _kinds_of_pairs(up: tuple[Card, ...]) -> KindTable:
    table = _kinds_of_codes()
    return table._replace(number=table.number[_codes(PAIR_CARDS, up)])
