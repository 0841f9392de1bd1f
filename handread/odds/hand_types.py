"""The classes of final hands: numbers, categories and names.

There are 4,824 classes of the best five of seven cards, 5,083 of the best ace-to-five low, 5,536 of
the best deuce-to-seven low, and 7,462 of five cards.
"""

import lzma
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.arrays import Ints
from handread.cards import Card
from handread.game.ranks import HIGH_CARD, PAIR, TWO_PAIR, HandRank
from handread.game.rules import Variant
from handread.kernels import tables

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
_LOW_RANKS = "A23456789TJQKA"
_FIVE = 4
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
    """Look-up tables of the best five of seven cards.

    Multisets of ranks are numbered as in ``kernels.tables``, sets of ranks are 13-bit masks.
    """

    # class of three ranks and four ranks (455, 1820), without flushes
    by_ranks: npt.NDArray[np.uint16]
    # class of a set of suited ranks (8192,); of lows, with the multiset of the others (8192, 91)
    by_flush: npt.NDArray[np.uint16]
    keys: Ints  # key of each class, worst to best (4824,)


@cache
def class_tables() -> ClassTables:
    """Return the tables of the best five of seven cards."""
    return ClassTables(*_shipped("high"))


@cache
def deuce_tables() -> ClassTables:
    """Return the tables of the best deuce-to-seven low of seven cards; it has 5,536 classes.

    The keys are those of the same cards as highs.
    """
    return ClassTables(*_shipped("deuce"))


def _shipped(name: str) -> list[npt.NDArray[Any]]:
    """Return the arrays of a file of ``tests/class_tables.py``: numbering anew takes seconds."""
    packed = files("handread.odds").joinpath(f"{name}.npz.xz").read_bytes()
    with np.load(BytesIO(lzma.decompress(packed))) as arrays:
        return [arrays[array] for array in arrays.files]


@dataclass(frozen=True, slots=True)
class LowTables:
    """The classes of ace-to-five lows, worst to best, by rank multisets as in ``ClassTables``."""

    by_ranks: npt.NDArray[np.uint16]  # class of the best low of three ranks and four (455, 1820)
    keys: Ints  # key of each class (5083,), descending
    n_qualify: int  # number of eight-or-better lows, the last classes


@cache
def low_tables() -> LowTables:
    """Return the tables of lows."""
    by_ranks, keys = _shipped("low")
    eight = 7 * 13**4 + 6 * 13**3 + 5 * 13**2 + 4 * 13 + 3  # 8-7-6-5-4
    return LowTables(by_ranks, keys, int((keys <= eight).sum()))


@dataclass(frozen=True, slots=True)
class FiveTables:
    """The classes of five cards, worst to best."""

    by_ranks: npt.NDArray[np.uint16]  # class of three ranks and two (455, 91), without flushes
    by_flush: npt.NDArray[np.uint16]  # class of a set of five suited ranks (8192,)
    keys: Ints  # key of each class (7462,), ascending


@cache
def five_tables() -> FiveTables:
    """Return the tables of five cards."""
    return FiveTables(*_shipped("five"))


def ranks_of_keys(keys: Ints) -> tuple[HandRank, ...]:
    """Return the ranks of hands with these keys, as in ``game.ranks.best_hand``."""
    ranks = []
    for key in keys.tolist():
        category, rest = divmod(key, tables.KEY_BASE)
        digits = [rest // 13**place % 13 for place in range(4, -1, -1)]
        ranks.append((category, *digits[: _TIE_BREAKERS[category]]))
    return tuple(ranks)


@cache
def class_ranks() -> tuple[HandRank, ...]:
    """Return the rank of each class, worst to best, as in ``game.ranks.best_hand``."""
    return ranks_of_keys(class_tables().keys)


@cache
def _class_numbers() -> dict[HandRank, int]:
    return {rank: number for number, rank in enumerate(class_ranks())}


def class_of(rank: HandRank) -> int:
    """Return the class, 0 (worst) to 4823, of a rank; ``KeyError`` for an impossible one."""
    return _class_numbers()[rank]


@cache
def class_categories() -> Ints:
    """Return the category, 0 to 8, of each class, (4824,)."""
    return class_tables().keys // tables.KEY_BASE


def rank_word(rank: int) -> str:
    """Return the name of a rank, "deuce" to "ace"."""
    return _RANK_WORDS[rank]


def plural(rank: int) -> str:
    """Return the plural of a rank: "sixes"."""
    word = rank_word(rank)
    return word + ("es" if word == "six" else "s")


def hand_name(rank: HandRank) -> str:
    """Return the name of a hand: "two pair, jacks and sevens, queen kicker"."""
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


def low_rank_word(rank: int) -> str:
    """Return the name of a rank of lows, 0 to 12 for "ace" to "king", 13 for a high ace."""
    return rank_word((rank - 1) % 13)


def low_figures(ranks: Iterable[int]) -> str:
    """Return ranks of lows as text: "8-6-4-2-A"."""
    return "-".join(_LOW_RANKS[rank] for rank in ranks)


def low_name(rank: HandRank) -> str:
    """Return the name of an ace-to-five low: "8-6-4-2-A low", "pair of fours, 6-5-2"."""
    category, *ranks = (-part for part in rank)
    if category == HIGH_CARD:
        return "wheel" if ranks[0] == _FIVE else f"{low_figures(ranks)} low"
    words = [plural((r - 1) % 13) for r in ranks]
    if category == PAIR:
        return f"pair of {words[0]}, {low_figures(ranks[1:])}"
    if category == TWO_PAIR:
        return f"two pair, {words[0]} and {words[1]}, {low_rank_word(ranks[2])} kicker"
    return f"full house, {words[0]} full of {words[1]}"


def final_name(cards: Sequence[Card], game: Variant) -> str:
    """Return the name of a whole hand: "8-6-4-2-A low", "flush, ace high, Q J 5 3; no low"."""
    high, low = (None if rank is None else rank(cards) for rank in (game.high, game.low))
    names = [] if high is None else [hand_name(high)]
    if low is not None:
        # A deuce-to-seven low is named as the high hand that it is.
        high = tuple(-part for part in low)
        names.append(low_name(low) if game.ace_is_low else hand_name(high))
    elif game.low is not None:
        names.append("no low")
    return "; ".join(names)
