"""The matrices of BPP's network, by exact enumeration (Korb et al. 1999, section 3.3).

The authors dealt 10,000,000 hands. Here all C(52, 5) hands are counted, with every choice of the
cards that are dealt first and of the downcard, so that no sampling error remains.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handread.arrays import Floats, Ints
from handread.cards import DECK_SIZE
from handread.kernels.jit import kept
from handread.papers.bpp import hand_codes_kernel as kernels
from handread.papers.bpp.hand_codes_kernel import N_CODES
from handread.papers.bpp.types import TypeSet

HAND_CARDS = 5
ROUNDS = (2, 3, 4, 5)
"""The betting rounds of five-card stud, by the number of cards of a hand."""


class Counts(NamedTuple):
    """Counts of all deals, by the codes of hands.

    Attributes:
        parts: By the number of cards of a round: the choices of five cards and of the first of
            them (codes, codes), by the codes of final and current hand.
        upcards: The same: the choices of a current hand and of its downcard (codes, codes), by the
            codes of the current hand and of its upcards.
    """

    parts: dict[int, Ints]
    upcards: dict[int, Ints]


@cache
def counts() -> Counts:
    """Return the counts of all deals. They are cached on disk: to count takes a second."""
    return kept("bpp-counts", _count)


def _count() -> Counts:
    codes = {n: _subset_codes(n) for n in range(1, HAND_CARDS + 1)}
    parts = {n: _parts(codes, HAND_CARDS, n) for n in ROUNDS}
    upcards = {n: _parts(codes, n, n - 1) for n in ROUNDS}
    return Counts(parts, upcards)


def _subset_codes(n: int) -> npt.NDArray[np.uint8]:
    codes = np.empty(comb(DECK_SIZE, n), dtype=np.uint8)
    kernels.subset_codes(n, n < HAND_CARDS, codes)
    return codes


def _parts(codes: dict[int, npt.NDArray[np.uint8]], n: int, m: int) -> Ints:
    """Return the number of hands of n cards, with m of them, by the codes of both."""
    found = np.zeros((N_CODES, N_CODES), dtype=np.int64)
    places = np.array(list(combinations(range(n), m)))
    kernels.count_parts(n, codes[n], places, codes[m], found)
    return found


def grouped(found: Ints, types: TypeSet, rows: int, columns: int) -> Ints:
    """Return counts (codes, codes) by type (types, types), of so many cards by row and column."""
    total = np.zeros((len(types), len(types)), dtype=np.int64)
    every = np.arange(N_CODES)
    np.add.at(total, (types.of(every, rows)[:, None], types.of(every, columns)[None, :]), found)
    return total


def row_shares(found: Ints | Floats) -> Floats:
    """Return counts as probabilities by row; a row without counts is uniform over all columns.

    The type of such a row does not occur with that number of cards; every node needs a
    distribution all the same.
    """
    total = found.sum(axis=-1, keepdims=True)
    shares: Floats = np.where(total > 0, found / np.maximum(total, 1e-300), 1.0 / found.shape[-1])
    return shares


def final_counts(types: TypeSet) -> Ints:
    """Return the number of hands of five cards of each type (types,), out of 2,598,960."""
    return np.diagonal(grouped(counts().parts[HAND_CARDS], types, HAND_CARDS, HAND_CARDS)).copy()


def current_given_final(types: TypeSet, cards: int) -> Floats:
    """Return M_C/F (types, types): P(type of the first ``cards`` cards | type of all five)."""
    return row_shares(grouped(counts().parts[cards], types, HAND_CARDS, cards))


def upcards_given_current(types: TypeSet, cards: int) -> Floats:
    """Return M_U/C (types, types): P(type of all cards but one | type of all ``cards`` cards)."""
    return row_shares(grouped(counts().upcards[cards], types, cards, cards - 1))


def shares_given_finals(types: TypeSet) -> Floats:
    """Return the expected share of the pot by the types of two hands of five cards (own, other's).

    The better type wins. Of two hands of one type each is as likely to be the better one, so that
    ties, in which both have half, need not be counted.
    """
    return np.tri(len(types), k=-1) + np.eye(len(types)) / 2.0
