"""Bits against sums written out, and the edges where a logarithm has none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.bits import divergence_bits, entropy_bits, score_bits, surprise_bits
from tests.naive import rank_of


@st.composite
def two_distributions(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    size = draw(st.integers(1, 12))
    weights = st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)
    p, q = np.array(draw(weights), dtype=float), np.array(draw(weights), dtype=float)
    return p / p.sum(), q / q.sum()


def test_known_bits() -> None:
    assert entropy_bits(np.array([0.5, 0.25, 0.25])) == 1.5
    assert entropy_bits(np.full(990, 1 / 990)) == pytest.approx(math.log2(990), abs=1e-12)
    p, q = np.array([0.5, 0.5]), np.array([0.25, 0.75])
    assert divergence_bits(p, q) == pytest.approx(1 - 0.5 * math.log2(3), abs=1e-15)
    assert divergence_bits(np.array([1.0, 0.0]), p) == 1.0
    assert (surprise_bits(0.125), surprise_bits(0.0), surprise_bits(1.0)) == (3.0, math.inf, 0.0)
    scores = [score_bits(*pair) for pair in ((0.5, 0.125), (0.125, 0.5), (0.0, 0.5))]
    assert scores == [2.0, -2.0, -math.inf]


@given(two_distributions())
def test_against_sums_written_out(distributions: tuple[np.ndarray, np.ndarray]) -> None:
    p, q = distributions
    entropy = -sum(x * math.log2(x) for x in p if x > 0)
    assert entropy_bits(p) == pytest.approx(entropy, abs=1e-12)
    assert 0.0 <= entropy_bits(p) <= math.log2(p.size) + 1e-12
    if any(x > 0 and y == 0 for x, y in zip(p, q, strict=True)):
        assert divergence_bits(p, q) == math.inf
        return
    divergence = sum(x * math.log2(x / y) for x, y in zip(p, q, strict=True) if x > 0)
    assert divergence_bits(p, q) == pytest.approx(divergence, abs=1e-12)
    assert divergence_bits(p, q) >= 0.0
    assert divergence_bits(p, p) == 0.0


def test_rank_puts_equals_in_their_middle() -> None:
    p = np.array([0.1, 0.4, 0.0, 0.1, 0.4, 0.0])
    live = np.array([True, True, False, True, True, True])
    assert [rank_of(p, index, live) for index in (0, 1, 3, 4, 5)] == [3.5, 1.5, 3.5, 1.5, 5]
