"""The chance that a class wins, against enumeration of what the others may make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.inference.observer import TIE_RULES, chances_to_win, values_against
from handread.odds.hand_types import N_CLASSES
from tests import naive
from tests.examples import examples

Pmf = Mapping[int, float]


def htpd(pmf: Pmf) -> np.ndarray:
    out = np.zeros(N_CLASSES)
    for number, p in pmf.items():
        out[number] = p
    return out


@st.composite
def pmfs(draw: st.DrawFn, of: Sequence[int] = (0, 7, 2000, 2001, 4823)) -> dict[int, float]:
    """A distribution over a few classes."""
    weights = {k: draw(st.integers(0, 5)) for k in draw(st.sets(st.sampled_from(of), min_size=1))}
    total = sum(weights.values())
    if total == 0:
        return {min(weights): 1.0}
    return {number: weight / total for number, weight in weights.items()}


@given(st.lists(pmfs(), min_size=1, max_size=4), st.sampled_from(["paper", "split"]))
def test_values_against_enumeration(others: list[dict[int, float]], ties: str) -> None:
    htpds = {seat: htpd(pmf) for seat, pmf in enumerate(others, start=2)}
    values = values_against({1: np.zeros(N_CLASSES), **htpds}, 1, TIE_RULES[ties])
    for mine in (0, 1, 7, 8, 1999, 2000, 2001, 4000, 4823):
        expected = naive.winning_share(others, mine, ties)
        assert values[mine] == pytest.approx(expected, abs=1e-13)


@pytest.mark.thorough
@examples(50)
@given(st.lists(pmfs(of=(5, 6, 7)), min_size=8, max_size=8), st.sampled_from((5, 6, 7)))
def test_eight_players_share_exactly(players: list[dict[int, float]], mine: int) -> None:
    others = players[1:]
    htpds = {seat: htpd(pmf) for seat, pmf in enumerate(players, start=1)}
    values = values_against(htpds, 1, TIE_RULES["split"])
    assert values[mine] == pytest.approx(naive.winning_share(others, mine, "split"), abs=1e-13)
    chances = chances_to_win(htpds, TIE_RULES["split"])
    raw = [values_against(htpds, s, TIE_RULES["split"]) @ htpds[s] for s in htpds]
    assert sum(raw) == pytest.approx(1.0, abs=1e-12)  # the pot is given out whole
    assert list(chances.values()) == pytest.approx(raw, abs=1e-12)


def test_eight_equal_hands_get_an_eighth_each() -> None:
    htpds = {seat: htpd({300: 1.0}) for seat in range(1, 9)}
    assert values_against(htpds, 1, TIE_RULES["split"])[300] == pytest.approx(1 / 8, abs=1e-15)
    assert values_against(htpds, 1, TIE_RULES["paper"])[300] == 1.0


def test_equation_1_is_a_product_of_cdfs() -> None:
    rng = np.random.default_rng(0)
    htpds = {seat: rng.dirichlet(np.full(N_CLASSES, 0.01)) for seat in range(1, 8)}
    cdfs = [np.cumsum(p) for seat, p in htpds.items() if seat != 3]
    values = values_against(htpds, 3, TIE_RULES["paper"])
    assert np.allclose(values, np.prod(cdfs, axis=0), rtol=0, atol=1e-14)


def test_chances_of_some_seats_alone() -> None:
    htpds = {1: htpd({5: 1.0}), 2: htpd({5: 1.0}), 3: htpd({4000: 1.0})}
    assert chances_to_win(htpds, TIE_RULES["split"]) == {1: 0.0, 2: 0.0, 3: 1.0}
    assert chances_to_win(htpds, TIE_RULES["split"], [1, 2]) == pytest.approx({1: 0.5, 2: 0.5})
    assert chances_to_win(htpds, TIE_RULES["paper"], [1, 2]) == pytest.approx({1: 0.5, 2: 0.5})
