"""The uncertainty of fitted parameters: its draws, and its form in policy files."""

from __future__ import annotations

import base64
import re
from dataclasses import replace

import numpy as np
import pytest

from handread.policy import (
    PolicyError,
    PolicyFile,
    Uncertainty,
    load_policy,
    parse_policy,
    parse_policy_file,
    policy_hash,
    policy_text,
)
from handread.policy.logit import PARAMETERS
from tests.policies import SMOOTH

NAMES = ("bet.constant", "fold.percentile", "raise.chance")
COVARIANCE = np.array([[0.25, 0.1, -0.05], [0.1, 0.5, 0.02], [-0.05, 0.02, 0.04]])
KNOWN = Uncertainty.of(NAMES, COVARIANCE)
FITTED = replace(SMOOTH, uncertainty=KNOWN)
OWN = Uncertainty.of(NAMES, COVARIANCE / 4, np.array([2.0, 2.0, 8.0]), KNOWN)
TEXT = policy_text(PolicyFile(FITTED, {"Ann": replace(SMOOTH, name="smooth#Ann", uncertainty=OWN)}))


def read(text: str) -> Uncertainty:
    policy = parse_policy(text, "mine.toml")
    assert policy.uncertainty is not None
    return policy.uncertainty


def test_steps_have_the_covariance() -> None:
    steps = KNOWN.steps(20_000, 1)
    assert np.cov(steps.T) == pytest.approx(COVARIANCE, abs=0.012)
    assert steps.mean(axis=0) == pytest.approx(0.0, abs=0.015)
    assert (KNOWN.steps(3, 1) == KNOWN.steps(20_000, 1)[:3]).all()
    assert (KNOWN.steps(3, 1) != KNOWN.steps(3, 2)).all()


def test_a_file_keeps_errors_and_correlations() -> None:
    found = read(TEXT)
    assert found.parameters == NAMES
    assert found.errors == pytest.approx(KNOWN.errors, rel=1e-3)
    assert found.covariance == pytest.approx(COVARIANCE, abs=1e-3)
    content = parse_policy_file(TEXT, "f")
    assert policy_text(content) == TEXT
    own = content.players["Ann"].uncertainty
    assert own.held.tolist() == [2.0, 2.0, 8.0]
    assert own.everybody is content.policy.uncertainty  # type: ignore[union-attr]


def test_a_player_alone_has_the_uncertainty_of_everybody_too() -> None:
    total = OWN.alone().covariance
    moved = OWN.covariance @ np.diag([2.0, 2.0, 8.0])
    assert total == pytest.approx(OWN.covariance + moved @ COVARIANCE @ moved.T)
    assert np.cov(OWN.steps(20_000, 1).T) == pytest.approx(total, abs=0.012)
    assert KNOWN.alone() is KNOWN
    alone = policy_text(PolicyFile(replace(SMOOTH, uncertainty=OWN)))
    assert read(alone).covariance == pytest.approx(total, abs=1e-3)


def test_without_a_parameter_the_others_are_as_they_were() -> None:
    kept = KNOWN.without("fold.percentile")
    assert kept.parameters == ("bet.constant", "raise.chance")
    assert kept.covariance == pytest.approx(COVARIANCE[np.ix_([0, 2], [0, 2])])
    assert KNOWN.without("lapse").covariance == pytest.approx(KNOWN.covariance)
    own = OWN.without("fold.percentile")
    assert own.steps(2, 1).shape == (2, 2)


def test_it_changes_neither_policy_nor_hash() -> None:
    assert FITTED == SMOOTH
    assert hash(FITTED) == hash(SMOOTH)
    assert policy_hash(FITTED) == policy_hash(SMOOTH)
    assert repr(FITTED) == repr(SMOOTH)


def test_people_ships_with_it() -> None:
    average = load_policy("people-average")
    known = average.uncertainty
    weights = dict(zip(PARAMETERS, (*average.bet, *average.fold, *average.raise_), strict=True))
    assert {name for name, weight in weights.items() if weight} <= set(known.parameters)
    assert np.linalg.eigvalsh(known.covariance).min() > 0.0
    assert 0.05 < known.errors.min() < known.errors.max() <= 1.01 / np.sqrt(0.1)


def _factor(n: int) -> str:
    return base64.b64encode(b"\0" * n).decode()


@pytest.mark.parametrize(
    ("good", "bad", "words"),
    [
        ('"fold.percentile"', '"fold.luck"', ["parameters", "fold.luck"]),
        ('"fold.percentile"', '"bet.constant"', ["parameters", "different"]),
        ("errors = [0.5, ", "errors = [", ["errors", "3 numbers", "2 numbers"]),
        ("errors = [0.5, ", "errors = [-0.5, ", ["errors", "0 or more"]),
        ("errors = [0.5, ", 'errors = ["a", ', ["errors", "number"]),
        ("held = [2.0, ", "held = [", ["players.Ann.uncertainty.held"]),
        ('factor = "', 'factor = "*', ["factor", "base64"]),
        ('factor = "', f'factor = "{_factor(3)}', ["factor", "6 integers"]),
        ("[uncertainty]", "[uncertainty]\nshrinkage = 1.0", ["shrinkage"]),
    ],
)
def test_what_is_wrong_with_it(good: str, bad: str, words: list[str]) -> None:
    assert good in TEXT
    with pytest.raises(PolicyError) as found:
        parse_policy_file(TEXT.replace(good, bad, 1), "mine.toml")
    message = str(found.value)
    assert re.match(r"mine\.toml(:\d+)?: ", message)
    assert all(word in message for word in words)


def test_a_player_needs_that_of_everybody() -> None:
    start = TEXT.index("[uncertainty]")
    with pytest.raises(PolicyError, match=r"Ann\.uncertainty\.held is not a field"):
        parse_policy_file(TEXT[:start] + TEXT[TEXT.index("[players.") :], "f")
