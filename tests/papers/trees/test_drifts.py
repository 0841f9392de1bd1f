"""Policies with changed parameters: the players of the learning curves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.papers.trees.study import drifted
from handread.policy import LogitPolicy, Ramp, RampPolicy, load_policy
from handread.policy.base import EvenHoldingValues, decision_point_at_odds
from handread.policy.logit import FEATURES

DEFAULT = load_policy("default")

LOGIT = LogitPolicy(
    "l",
    tuple(0.1 * place for place in range(len(FEATURES))),
    tuple(-0.2 * place for place in range(len(FEATURES))),
    (0.3,) * len(FEATURES),
)


@given(st.floats(-5, 5), st.floats(-3, 3))
def test_a_moved_ramp_is_the_same_further_on(step: float, x: float) -> None:
    moved = drifted(DEFAULT, f"move={step}")
    for ramp, there in (
        (DEFAULT.bet, moved.bet),
        (DEFAULT.raise_, moved.raise_),
        (DEFAULT.fold, moved.fold),
    ):
        near = min(abs(x - ramp.x0), abs(x - ramp.x1))
        if near > 1e-6:
            assert there.at(np.array([x + step]))[0] == pytest.approx(
                ramp.at(np.array([x]))[0], abs=1e-6
            )


def test_a_policy_moved_up_plays_more_hands() -> None:
    chances = np.linspace(0.02, 0.98, 60)
    for policy, step in ((DEFAULT, ".1"), (LOGIT, ".5")):
        for odds, bold in ((None, "bet"), (0.2, "raise")):
            spot = decision_point_at_odds(4, odds)
            outlook = EvenHoldingValues(chances, 4)
            before = policy.probabilities(spot, outlook)
            after = drifted(policy, f"move={step}").probabilities(spot, outlook)
            assert (after[bold] >= before[bold] - 1e-12).all()
            assert (after[bold] > before[bold]).any()
            if odds:
                assert (after["fold"] <= before["fold"] + 1e-12).all()


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_shrunk_levels_keep_their_middle(factor: float, y0: float, y1: float) -> None:
    ramps = RampPolicy("r", *(Ramp(0.0, 1.0, y0, y1) for _ in range(3)))
    shrunk = drifted(ramps, f"shrink={factor}")
    for ramp in (shrunk.bet, shrunk.raise_, shrunk.fold):
        assert ramp.y0 + ramp.y1 == pytest.approx(y0 + y1, abs=1e-12)
        assert ramp.y1 - ramp.y0 == pytest.approx(factor * (y1 - y0), abs=1e-12)
        assert -1e-12 <= min(ramp.y0, ramp.y1) <= max(ramp.y0, ramp.y1) <= 1 + 1e-12


def test_a_policy_shrunk_to_nothing_tells_nothing() -> None:
    assert drifted(DEFAULT, "shrink=0").blind
    assert drifted(LOGIT, "shrink=0").blind
    assert not drifted(LOGIT, "shrink=.1").blind


def test_no_drift_is_no_change() -> None:
    chances = EvenHoldingValues(np.linspace(0.02, 0.98, 60), 4)
    for policy in (DEFAULT, LOGIT):
        for drift in ("move=0", "shrink=1"):
            for odds in (None, 0.2):
                spot = decision_point_at_odds(4, odds)
                before = policy.probabilities(spot, chances)
                after = drifted(policy, drift).probabilities(spot, chances)
                for action, p in before.items():
                    np.testing.assert_allclose(after[action], p, atol=1e-12)


@pytest.mark.parametrize("drift", ["", "move", "move=", "move=nan", "move=9", "shrink=-1", "x=1"])
def test_what_is_no_drift(drift: str) -> None:
    with pytest.raises(ValueError, match="expected move=STEP"):
        drifted(DEFAULT, drift)
