"""The figures of a read in one pass over its pdd."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel

Floats = npt.NDArray[np.float64]


@kernel
def read_figures(pdd: Floats, guess: Floats, truth: int) -> tuple[float, int, int, int, int]:
    """The entropy in bits of a pdd, how many holdings are live in it, and possible at all.

    Possible is what has a chance in ``guess`` (holdings,). Then, of the possible holdings, how
    many the pdd gives more than the one with the index ``truth``, and how many as much, itself
    included; 0 and 0 for an index below 0.
    """
    entropy = 0.0
    live = possible = better = equal = 0
    mark = pdd[truth] if truth >= 0 else 2.0
    for i in range(pdd.size):
        p = pdd[i]
        if p > 0.0:
            live += 1
            entropy -= p * np.log2(p)
        if guess[i] > 0.0:
            possible += 1
            if p > mark:
                better += 1
            elif p == mark:
                equal += 1
    return entropy, live, possible, better, equal
