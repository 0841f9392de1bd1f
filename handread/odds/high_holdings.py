"""Names of holdings in stud high: "split queens", "aces in the hole", "two pair, jacks up"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handread.cards import N_PAIRS, Card
from handread.game import ranks as stud
from handread.kernels import holdings as shapes
from handread.odds.hand_types import CATEGORIES, N_CLASSES, class_tables, plural, rank_word
from handread.odds.htpd import PAIR_CARDS


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
    shapes.TWO_PAIR: stud.TWO_PAIR,
    shapes.TRIPS: stud.TRIPS,
    shapes.STRAIGHT: stud.STRAIGHT,
    shapes.FLUSH: stud.FLUSH,
    shapes.FULL_HOUSE: stud.FULL_HOUSE,
    shapes.QUADS: stud.QUADS,
    shapes.STRAIGHT_FLUSH: stud.STRAIGHT_FLUSH,
    shapes.HIGH_CARD: stud.HIGH_CARD,
}
"""The categories of the shapes that are named as at the end of a hand."""

_DRAWS = {
    shapes.THREE_FLUSH: "three to a flush",
    shapes.GUTSHOT: "gutshot",
    shapes.OPEN_ENDED: "open-ended straight draw",
    shapes.FLUSH_DRAW: "flush draw",
}


def _unfinished_kind(shape: int, rank: int) -> Kind:
    """Return the kind of three to six cards."""
    if shape in _MADE:
        return made_kind((_MADE[shape], rank))
    if shape in _DRAWS:
        return Kind(_DRAWS[shape], _DRAWS[shape])
    if shape == shapes.IN_A_ROW:
        return Kind("three in a row", "three to a straight", "three in a row")
    if shape == shapes.GAPPED:
        return Kind("three to a straight with a gap", "three to a straight", "with a gap")
    if shape == shapes.ROLLED_UP:
        return Kind(f"rolled-up {plural(rank)}", "trips", plural(rank))
    if shape >= shapes.PAIR_AND_FLUSH_DRAW:
        pair = _pair_kind(rank, shape - shapes.PAIR_AND_FLUSH_DRAW).words
        return Kind(f"{pair} with a flush draw", "pair with a flush draw", pair)
    return _pair_kind(rank, shape - shapes.PAIR)


def _pair_kind(rank: int, n_down: int) -> Kind:
    """Return a pair by its place: on board, split between hole and board, or in the hole."""
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
    table, code = _kinds_of_codes(), _codes(np.array([down]), up)[0]
    return table.kinds[int(table.number[code])]


def _codes(down: npt.NDArray[np.int64], up: Sequence[Card]) -> npt.NDArray[np.int64]:
    """Return the code of the kind of each holding (holdings,)."""
    codes = np.empty(len(down), np.int64)
    shapes.kind_codes(down, np.array(up, np.int64), codes)
    return codes


class KindTable(NamedTuple):
    """The kinds of holding that a seat may have."""

    # The kinds, sorted. Some may not be possible with the upcards.
    kinds: list[Kind]
    # Index of the kind of each holding, such as the pairs (1326,), or of each class (4824,) of a
    # final hand. That of a holding with an upcard has no meaning.
    number: npt.NDArray[np.int64]
    families: list[str]
    family: npt.NDArray[np.int64]  # index of the family of each kind

    @property
    def complete(self) -> bool:
        """True for the kinds of classes, False for those of holdings."""
        return self.number.size == N_CLASSES

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
    codes = range(shapes.N_SHAPES * shapes.N_RANKS)
    return KindTable.of(_unfinished_kind(*divmod(code, shapes.N_RANKS)) for code in codes)


@lru_cache(maxsize=128)
def _kinds_of_pairs(up: tuple[Card, ...]) -> KindTable:
    """Return the kinds of pairs with one to four upcards."""
    table = _kinds_of_codes()
    return table._replace(number=table.number[_codes(PAIR_CARDS, up)])
