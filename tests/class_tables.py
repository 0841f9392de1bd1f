"""Number the classes of final hands: ``python -m tests.class_tables`` writes ``handread/odds``.

The files hold the arrays of ``hand_types.ClassTables``, ``LowTables`` and ``FiveTables``.
"""

from __future__ import annotations

import lzma
from io import BytesIO

import numpy as np
import numpy.typing as npt

from handread.arrays import Ints
from handread.kernels.jit import allocating
from handread.kernels.tables import KEY_BASE, flush_key, grouped_key, multisets, rank_key
from tests.program import ROOT

Classes = npt.NDArray[np.uint16]

N_KEYS = 9 * KEY_BASE


@allocating
def _low_key(counts: Ints) -> int:
    """Return the key of the best ace-to-five low of seven cards.

    ``counts`` (13,) are by rank with the ace low.
    """
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
def _fill_keys(threes: Ints, others: Ints, low: bool, keys: Ints) -> None:
    """Fill the keys of all hands without a flush, or of their lows; -1 for five of a rank."""
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
                keys[i, j] = _low_key(counts) if low else rank_key(counts)


def lows() -> tuple[Classes, Ints]:
    """Return the class of the low of three ranks and four, (455, 1820), and the key of each.

    Classes ascend from the worst low to the best, and keys descend.
    """
    keys = np.empty((455, 1820), np.int64)
    _fill_keys((multisets(3) + 1) % 13, (multisets(4) + 1) % 13, True, keys)
    ordered = np.unique(keys[keys >= 0])[::-1]
    return _numbered(keys, ordered), ordered


def highs(n_cards: int) -> tuple[Classes, Classes, Ints]:
    """Return the classes of five or seven cards by three ranks and the others, and by flush; keys.

    The table by flush set is (8192,). The keys of the classes are ascending. Impossible multisets
    (five of a rank) and sets that are too small for a flush have class 0; they never have weight.
    """
    others = multisets(n_cards - 3)
    keys = np.empty((455, len(others)), np.int64)
    _fill_keys(multisets(3), others, False, keys)
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
    return {"high": highs(7), "low": lows(), "five": highs(5)}


if __name__ == "__main__":
    for name, arrays in numbered().items():
        file = BytesIO()
        np.savez(file, *arrays)
        packed = lzma.compress(file.getvalue(), preset=9)
        (ROOT / "handread" / "odds" / f"{name}.npz.xz").write_bytes(packed)
