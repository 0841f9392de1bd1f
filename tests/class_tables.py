"""Number the classes of final hands: ``python -m tests.class_tables`` writes ``handread/odds``.

The files hold the arrays of ``hand_types.ClassTables``, ``LowTables``, ``FiveTables``, and of the
``ClassTables`` of deuce-to-seven lows.
"""

from __future__ import annotations

import lzma
from io import BytesIO

import numpy as np
import numpy.typing as npt

from handread.arrays import Ints
from handread.kernels.jit import allocating
from handread.kernels.tables import KEY_BASE, flush_key, grouped_key, multisets, rank_key
from handread.odds.counting import rank_sets
from tests.program import ROOT

Classes = npt.NDArray[np.uint16]

N_KEYS = 9 * KEY_BASE


@allocating
def _low_key(counts: Ints, deuce: bool) -> int:
    """Return the key of the best low of seven cards without a flush.

    ``counts`` (13,) are by rank, with the ace low but in ``deuce``-to-seven.
    """
    if deuce:
        counts = counts.copy()
        ranks = np.flatnonzero(counts)
        if ranks.size > 4 and ranks[4] - ranks[0] == 4:
            # A straight: the sixth rank takes the place of the fifth, or a pair its place.
            if ranks.size > 5:
                counts[ranks[4]] = 0
            else:
                paired = np.flatnonzero(counts > 1)[0]
                counts[ranks[4] if paired < ranks[4] else ranks[3]] = 0
    n_ranks = 0
    for r in range(13):
        n_ranks += counts[r] > 0
    # Every rank once, from the lowest; what is missing to five cards repeats the lowest ranks.
    taken = np.zeros(13, np.int64)
    missing = 5
    for n in range(1, 5):
        for r in range(13):
            if missing > 0 and counts[r] >= n and taken[r] == n - 1:
                taken[r] = n
                missing -= 1
    # Seven cards of two ranks have three of each, those of three ranks two of two of them.
    categories = (6, 2, 1, 0)
    return grouped_key(categories[min(n_ranks, 5) - 2], taken, 5)


@allocating
def _fill_keys(threes: Ints, others: Ints, low: int, keys: Ints) -> None:
    """Fill the keys of all hands without a flush, or of their lows; -1 for five of a rank.

    ``low`` is 0 for highs, 1 for lows with a low ace, and 2 for deuce-to-seven lows.
    """
    counts = np.zeros(13, np.int64)
    for i in range(threes.shape[0]):
        for j in range(others.shape[0]):
            counts[:] = 0
            for rank in threes[i]:
                counts[rank] += 1
            for rank in others[j]:
                counts[rank] += 1
            if counts.max() > 4:
                keys[i, j] = -1
            else:
                keys[i, j] = _low_key(counts, low == 2) if low else rank_key(counts)


def lows() -> tuple[Classes, Ints]:
    """Return the class of the low of three ranks and four, (455, 1820), and the key of each.

    Classes ascend from the worst low to the best, and keys descend.
    """
    keys = np.empty((455, 1820), np.int64)
    _fill_keys((multisets(3) + 1) % 13, (multisets(4) + 1) % 13, 1, keys)
    ordered = np.unique(keys[keys >= 0])[::-1]
    return _numbered(keys, ordered), ordered


def deuce_lows() -> tuple[Classes, Classes, Ints]:
    """Return the classes of deuce-to-seven lows by ranks, and by suited ranks and others; keys.

    The second table is (8192, 91): by the set of five or more suited ranks, and by the multiset of
    the ranks beside them. Keys are those of the same hands for the high, and descend.
    """
    keys = np.empty((455, 1820), np.int64)
    _fill_keys(multisets(3), multisets(4), 2, keys)
    flush_keys = np.full((8192, 91), -1)
    for n_suited in (5, 6, 7):
        suited, beside = rank_sets(n_suited), multisets(7 - n_suited)
        cards = [np.repeat(suited.ranks, len(beside), 0), np.tile(beside, (len(suited.ranks), 1))]
        found = np.empty(len(cards[0]), np.int64)
        _fill_flush_keys(np.concatenate(cards, axis=1), n_suited, found)
        flush_keys[suited.masks, : len(beside)] = found.reshape(-1, len(beside))
    ordered = np.unique(np.concatenate([keys[keys >= 0], flush_keys[flush_keys >= 0]]))[::-1]
    return _numbered(keys, ordered), _numbered(flush_keys, ordered), ordered


@allocating
def _fill_flush_keys(ranks: Ints, n_suited: int, keys: Ints) -> None:
    """Fill the key of the best deuce-to-seven low of seven cards (hands, 7): every five is tried.

    The first ``n_suited`` are of one suit, and no four others.
    """
    counts = np.zeros(13, np.int64)
    for hand in range(len(ranks)):
        keys[hand] = N_KEYS
        for i in range(7):
            for j in range(i):
                counts[:] = 0
                flush = True
                for k in range(7):
                    if k not in (i, j):
                        counts[ranks[hand, k]] += 1
                        flush &= k < n_suited
                keys[hand] = min(keys[hand], _five_key(counts, flush))


@allocating
def _five_key(counts: Ints, flush: bool) -> int:
    """Return the key of five cards, in which A-2-3-4-5 is no straight."""
    ranks = np.flatnonzero(counts)
    if ranks.size == 5:
        straight = ranks[4] - ranks[0] == 4
        category = 4 * straight + 5 * flush - straight * flush  # both: straight flush, 8
    else:
        category = (6, 2, 1)[ranks.size - 2] + (counts.max() > (3, 2, 2)[ranks.size - 2])
    return grouped_key(category, counts, 5)


def highs(n_cards: int) -> tuple[Classes, Classes, Ints]:
    """Return the classes of five or seven cards by three ranks and the others, and by flush; keys.

    The table by flush set is (8192,). The keys of the classes are ascending. Impossible multisets
    (five of a rank) and sets that are too small for a flush have class 0; they never have weight.
    """
    others = multisets(n_cards - 3)
    keys = np.empty((455, len(others)), np.int64)
    _fill_keys(multisets(3), others, 0, keys)
    sizes = np.bitwise_count(np.arange(8192))
    flush_keys = np.full(8192, -1)
    for mask in np.flatnonzero((sizes >= 5) & (sizes <= n_cards)).tolist():
        flush_keys[mask] = flush_key(mask)
    ordered = np.unique(np.concatenate([keys[keys >= 0], flush_keys[flush_keys >= 0]]))
    return _numbered(keys, ordered), _numbered(flush_keys, ordered), ordered


def _numbered(keys: Ints, ordered: Ints) -> Classes:
    """Return the place of each key; 0 for a key of -1."""
    place = np.zeros(N_KEYS, np.uint16)
    place[ordered] = np.arange(ordered.size, dtype=np.uint16)
    return np.where(keys >= 0, place[keys], np.uint16(0))


def numbered() -> dict[str, tuple[npt.NDArray[np.generic], ...]]:
    """Return the arrays of each file, by its name."""
    return {"high": highs(7), "low": lows(), "five": highs(5), "deuce": deuce_lows()}


if __name__ == "__main__":
    for name, arrays in numbered().items():
        file = BytesIO()
        np.savez(file, *arrays)
        packed = lzma.compress(file.getvalue(), preset=9)
        (ROOT / "handread" / "odds" / f"{name}.npz.xz").write_bytes(packed)
