"""Bits: entropy, divergence and scores of probability vectors. Knows no poker.

All logarithms are to base 2. A figure that would be infinite is ``math.inf``; nothing here
returns NaN for vectors of probabilities.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def weighted_sum(weights: Floats, values: Floats) -> float:
    """Return the sum of values times weights, without BLAS.

    NumPy's ``@`` hands vectors of this size to the threads of BLAS. They cost more than the sum
    where several processes share few cores, and how many there are decides the last bits.
    """
    return float(np.einsum("i,i", weights, values))


def entropy_bits(p: Floats) -> float:
    """The entropy of a distribution in bits (Saund 2006, equation 6)."""
    live = p[p > 0]
    return max(0.0, float(-(live * np.log2(live)).sum()))


def divergence_bits(p: Floats, q: Floats) -> float:
    """D(p || q) in bits: what is lost by coding draws from p as if they came from q.

    Equation 7 of Saund 2006. Infinite where p has what q rules out.
    """
    live = p > 0
    if (q[live] <= 0).any():
        return math.inf
    return max(0.0, float((p[live] * np.log2(p[live] / q[live])).sum()))


def surprise_bits(probability: float) -> float:
    """-log2 of a probability; infinite for 0."""
    return abs(math.log2(probability)) if probability > 0 else math.inf


def score_bits(probability: float, reference: float) -> float:
    """log2 of a probability against a reference guess: above 0 is better, -inf ruled it out."""
    return math.log2(probability / reference) if probability > 0 else -math.inf


def rank_of(p: Floats, index: int, among: npt.NDArray[np.bool_]) -> float:
    """The place of one entry of some when the likeliest come first, from 1.

    Of equal entries each has the middle place, so that a blind guess ranks the truth in the
    middle.
    """
    better = int((p[among] > p[index]).sum())
    equal = int((p[among] == p[index]).sum())
    return better + (equal + 1) / 2
