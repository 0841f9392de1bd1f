"""Names of holdings in stud high: "split queens", "aces in the hole", "two pair, jacks up"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from handread.arrays import Flags, Floats, Ints
from handread.cards import N_PAIRS, Card
from handread.game import ranks as stud
from handread.odds.hand_types import CATEGORIES, N_CLASSES, class_tables, plural, rank_word
from handread.odds.htpd import PAIR_CARDS

N_RANKS = 13

HIGH_CARD = 0
IN_A_ROW = 1
GAPPED = 2
THREE_FLUSH = 3
GUTSHOT = 4
OPEN_ENDED = 5
FLUSH_DRAW = 6
PAIR = 7
PAIR_AND_FLUSH_DRAW = 10
TWO_PAIR = 13
TRIPS = 14
ROLLED_UP = 15
STRAIGHT = 16
FLUSH = 17
FULL_HOUSE = 18
QUADS = 19
STRAIGHT_FLUSH = 20
N_SHAPES = 21
"""The number of shapes of hands of three to six cards. The code of a kind is that of its shape
times 13, plus a rank.

A pair is three shapes, with no, one and two of its cards in the hole. Shapes without a rank of
their own have rank 0.
"""


N_RANKS_OF = np.array([mask.bit_count() for mask in range(1 << N_RANKS)])
"""The number of ranks of each set of ranks, a 13-bit mask."""

HIGHEST_OF = np.array([mask.bit_length() - 1 for mask in range(1 << N_RANKS)])
"""The highest rank of each set of ranks; -1 for none."""


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
    """Return the code of the kind that each holding (holdings, cards) makes with the upcards.

    A made hand goes before a pair, a pair before a draw; of draws a flush draw goes first, then an
    open-ended straight draw, three to a flush, a gutshot. Only a pair is named with its flush draw.
    The code of a holding that contains an upcard has no meaning.
    """
    n, holdings = down.shape[1] + len(up), np.arange(len(down))
    counts = np.zeros((N_RANKS, len(down)), np.int64)  # how often each holding has each rank
    suits = np.zeros((4, len(down)), np.int64)  # its ranks of each suit, as masks
    for cards in [*down.T, *(np.full(len(down), card) for card in up)]:
        counts[cards >> 2, holdings] += 1
        suits[cards & 3, holdings] |= 1 << (cards >> 2)
    found = counts > 0, counts == 2, counts == 3, counts == 4
    present, pair, trips, quads = map(_mask, found)
    pairs = N_RANKS_OF[pair] + np.maximum(N_RANKS_OF[trips] - 1, 0)
    top, pair, trips, quads = (HIGHEST_OF[mask] for mask in (present, pair, trips, quads))
    most = N_RANKS_OF[suits].max(axis=0)
    up_ranks = np.bincount([card >> 2 for card in up], minlength=N_RANKS)
    in_hole = counts[pair, holdings] - up_ranks[pair]
    draw = _straight_shapes(n)[present]
    three = (most == 3) & (n < 5) & (draw != OPEN_ENDED)
    rules = [
        (has_straight(suits).any(axis=0), STRAIGHT_FLUSH, 0),
        (quads >= 0, QUADS, 0),
        ((trips >= 0) & (pairs > 0), FULL_HOUSE, trips),
        (most >= 5, FLUSH, 0),
        (has_straight(present), STRAIGHT, 0),
        (trips >= 0, ROLLED_UP if n == 3 else TRIPS, trips),
        (pairs > 1, TWO_PAIR, pair),
        (pairs > 0, np.where(most == 4, PAIR_AND_FLUSH_DRAW, PAIR) + in_hole, pair),
        (most == 4, FLUSH_DRAW, 0),
        (three, THREE_FLUSH, 0),
        (draw != HIGH_CARD, draw, 0),
    ]
    codes = [np.broadcast_to(shape * N_RANKS + rank, len(down)) for _, shape, rank in rules]
    return np.select([rule for rule, _, _ in rules], codes, HIGH_CARD * N_RANKS + top)


def _mask(found: Flags) -> Ints:
    """Return the ranks found (13, holdings) as masks (holdings,)."""
    masks: Ints = (found << np.arange(N_RANKS)[:, None]).sum(axis=0)
    return masks


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
