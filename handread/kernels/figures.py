"""Figures of a read in one pass over its pdd."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel

Floats = npt.NDArray[np.float64]


@kernel
def read_figures(pdd: Floats, cards_only: Floats, truth: int) -> tuple[float, int, int, int, int]:
    """Return entropy (bits), live, possible, better and equal holdings of a pdd.

    Live holdings have a probability in ``pdd``, possible ones in ``guess`` (holdings,). Better are
    the possible holdings that are more probable than that with the index ``truth``, equal those as
    probable, itself included; 0 and 0 for an index below 0.
    """
    entropy = 0.0
    live = possible = better = equal = 0
    mark = pdd[truth] if truth >= 0 else 2.0
    for i in range(pdd.size):
        p = pdd[i]
        if p > 0.0:
            live += 1
            entropy -= p * np.log2(p)
        if cards_only[i] > 0.0:
            possible += 1
            if p > mark:
                better += 1
            elif p == mark:
                equal += 1
    return entropy, live, possible, better, equal
