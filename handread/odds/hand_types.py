"""The 4,824 classes that seven cards can make: numbers, categories, and what people call them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from handread.game.rules import HandRank
from handread.kernels import tables
from handread.kernels.jit import kept

N_CLASSES = 4824
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "trips",
    "straight",
    "flush",
    "full house",
    "quads",
    "straight flush",
)
_TIE_BREAKERS = (5, 4, 3, 3, 1, 5, 2, 2, 1)
_RANK_WORDS = (
    "deuce",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)


@dataclass(frozen=True, slots=True)
class ClassTables:
    """The look-up tables of the kernels, built once a process.

    ``by_ranks`` (455, 1820) and its transpose give the class of three and four ranks,
    ``by_flush`` (8192,) that of a set of suited ranks; ``keys`` (4824,) identify the classes;
    ``sets`` lists the 13-bit sets of ranks of each size 0..6; by set, ``set_ranks`` (8192, 7) has
    the ranks in ascending order (of larger sets the first seven), ``set_fours`` (8192,) the
    multiset index of the first four.
    """

    by_ranks: npt.NDArray[np.uint16]
    by_ranks_t: npt.NDArray[np.uint16]
    by_flush: npt.NDArray[np.uint16]
    keys: npt.NDArray[np.int64]
    merges: tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]
    sets: tuple[npt.NDArray[np.int64], ...]
    set_ranks: npt.NDArray[np.int64]
    set_fours: npt.NDArray[np.int64]


@cache
def class_tables() -> ClassTables:
    """The class tables, kept between runs: with what compiles them they take 0.2 s to build."""
    return kept("class-tables", _build_class_tables)


def _build_class_tables() -> ClassTables:
    by_ranks, by_ranks_t, by_flush, keys = tables.build_classes()
    masks = np.arange(8192)
    sizes = np.bitwise_count(masks)
    set_ranks, set_fours = tables.rank_sets()
    return ClassTables(
        by_ranks,
        by_ranks_t,
        by_flush,
        keys,
        (tables.merge_table(2, 2), tables.merge_table(2, 1)),
        tuple(masks[sizes == size] for size in range(7)),
        set_ranks,
        set_fours,
    )


@cache
def class_ranks() -> tuple[HandRank, ...]:
    """The rank of each class, worst to best, as ``stud.best_hand`` writes it."""
    ranks = []
    for key in class_tables().keys.tolist():
        category, rest = divmod(key, tables.KEY_BASE)
        digits = [rest // 13**place % 13 for place in range(4, -1, -1)]
        ranks.append((category, *digits[: _TIE_BREAKERS[category]]))
    return tuple(ranks)


@cache
def _class_numbers() -> dict[HandRank, int]:
    return {rank: number for number, rank in enumerate(class_ranks())}


def class_of(rank: HandRank) -> int:
    """The class, 0 (worst) to 4823, of a rank that seven cards can make; ``KeyError`` if not."""
    return _class_numbers()[rank]


@cache
def class_categories() -> npt.NDArray[np.int64]:
    """The category, 0..8, of each class, (4824,)."""
    return class_tables().keys // tables.KEY_BASE


def by_category(htpd: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A hand-type distribution added up over the nine categories, (9,)."""
    sums: npt.NDArray[np.float64] = np.add.reduceat(htpd, _category_starts())
    return sums


@cache
def _category_starts() -> npt.NDArray[np.int64]:
    """The first class of each category, (9,): classes stand in order."""
    return np.searchsorted(class_categories(), np.arange(len(CATEGORIES)))


def rank_word(rank: int) -> str:
    """A rank in words, "deuce" to "ace"."""
    return _RANK_WORDS[rank]


def plural(rank: int) -> str:
    """A rank in words, more than one: "sixes"."""
    word = rank_word(rank)
    return word + ("es" if word == "six" else "s")


def hand_name(rank: HandRank) -> str:
    """A hand as people say it: "two pair, jacks and sevens, queen kicker"."""
    category, *ranks = rank
    words = [rank_word(r) for r in ranks]
    name = CATEGORIES[category]
    if name == "high card":
        return f"{words[0]} high, {' '.join(words[1:])}"
    if name == "pair":
        return f"pair of {plural(ranks[0])}, {words[1]} kicker"
    if name == "two pair":
        return f"two pair, {plural(ranks[0])} and {plural(ranks[1])}, {words[2]} kicker"
    if name == "trips":
        return f"three {plural(ranks[0])}, {words[1]} kicker"
    if name == "flush":
        return f"flush, {words[0]} high, {' '.join(words[1:])}"
    if name == "full house":
        return f"full house, {plural(ranks[0])} full of {plural(ranks[1])}"
    if name == "quads":
        return f"four {plural(ranks[0])}, {words[1]} kicker"
    if name == "straight flush" and words[0] == "ace":
        return "royal flush"
    return f"{name} to the {words[0]}"


def class_name(number: int) -> str:
    """The name of a class."""
    return hand_name(class_ranks()[number])
