"""Entropy, divergence and scores of probability vectors, in bits.

All logarithms are to base 2. A figure that would be infinite is ``math.inf``; nothing here
returns NaN for vectors of probabilities.
"""

import math

import numpy as np

from handread.arrays import Floats


def weighted_sum(weights: Floats, values: Floats) -> float:
    """Return the sum of values times weights, without BLAS.

    NumPy's ``@`` hands vectors of this size to the threads of BLAS. They cost more than the sum
    if several processes share few cores, and their number decides the last bits.
    """
    return float(np.einsum("i,i", weights, values))


def rounded(probability: float) -> float:
    """Return a probability whose order and digits do not depend on rounding errors."""
    return round(probability, 9)


def entropy_bits(p: Floats) -> float:
    """Return the entropy of a distribution in bits (Saund 2006, equation 6)."""
    live = p if np.count_nonzero(p) == p.size else p[p > 0]
    return max(0.0, -weighted_sum(live, np.log2(live)))


def divergence_bits(p: Floats, q: Floats) -> float:
    """Return the Kullback-Leibler divergence D(p || q) in bits (Saund 2006, equation 7).

    It is infinite if q rules out an event that p does not.
    """
    live = np.flatnonzero(p)
    p, q = p[live], q[live]
    if (q <= 0).any():
        return math.inf
    return max(0.0, float((p * np.log2(p / q)).sum()))


def surprise_bits(probability: float) -> float:
    """Return -log2 of a probability; infinite for 0."""
    return abs(math.log2(probability)) if probability > 0 else math.inf


def score_bits(probability: float, reference: float) -> float:
    """Return log2 of a probability over a reference; -inf for a probability of 0."""
    return math.log2(probability / reference) if probability > 0 else -math.inf
