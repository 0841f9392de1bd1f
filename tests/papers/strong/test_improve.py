"""Policy iteration: its gradient against differences, and that it can be resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from handread.arrays import Floats
from handread.game.rules import STUD
from handread.papers.strong import improve
from handread.papers.strong.improve import Iteration, odds_of, slopes
from handread.papers.strong.self_play import Seen
from handread.runs import Run
from tests.papers.strong.test_self_play import setup_of

FEATURES = 5


def some_decisions(n: int) -> Seen:
    rng = np.random.default_rng(1)
    legal = np.ones((n, 4), dtype=bool)
    legal[: n // 2, 1] = False
    legal[n // 2 :, 2:] = False
    nets = np.where(legal, rng.normal(size=(n, 4)), 0.0)
    features = rng.normal(size=(n, FEATURES)).astype(np.float32)
    return Seen(features, legal, nets, np.arange(n))


def worth(seen: Seen, vector: Floats) -> float:
    """The net and the entropy of the decisions, decision by decision."""
    total = 0.0
    for x, legal, nets in zip(seen.features, seen.legal, seen.nets, strict=True):
        pushes = [0.0, *(vector.reshape(3, -1) @ x)]
        odds = [np.exp(push) if can else 0.0 for push, can in zip(pushes, legal, strict=True)]
        for part, net in zip(odds, nets, strict=True):
            if part:
                p = part / sum(odds)
                total += p * (net - improve.TEMPERATURE * np.log(p))
    return total


def test_the_gradient_is_that_of_the_net() -> None:
    seen, vector = some_decisions(20), np.random.default_rng(2).normal(size=3 * FEATURES)
    gradient, _ = slopes(seen, vector)
    for place in range(vector.size):
        step = np.eye(vector.size)[place] * 1e-4
        slope = (worth(seen, vector + step) - worth(seen, vector - step)) / 2e-4
        assert gradient[place] == pytest.approx(slope, abs=1e-3)


def test_the_information_is_the_variance_of_the_scores() -> None:
    """The mean square of the gradient of ln p(action), the actions drawn by the policy."""
    seen, vector = some_decisions(8), np.random.default_rng(3).normal(size=3 * FEATURES)
    odds = odds_of(seen.features, seen.legal, vector)
    expected = np.zeros((vector.size, vector.size))
    for row, x in enumerate(seen.features):
        for action in np.flatnonzero(seen.legal[row]).tolist():
            score = np.concatenate([((action == head) - odds[row, head]) * x for head in (1, 2, 3)])
            expected += odds[row, action] * np.outer(score, score)
    assert slopes(seen, vector)[1] == pytest.approx(expected, abs=1e-4)


def small(rounds: int) -> Iteration:
    few = {"people-average": 0.5, "default": 0.5}
    return Iteration("people-average", setup_of(STUD), rounds, deals=2, population=few)


def test_an_interrupted_iteration_goes_on_where_it_ended(tmp_path: Path) -> None:
    whole = small(2).run(Run(3))
    small(1).run(Run(3, resume=tmp_path))
    assert (tmp_path / "progress").exists()
    # The mean over the latter half begins with the second round of two.
    assert small(2).run(Run(3, resume=tmp_path)).tolist() == whole.tolist()
    assert whole.tolist() != small(1).check().vector().tolist()


def test_gains_are_differences_of_the_same_games() -> None:
    terms = replace(small(1), population={"default": 1.0})
    found = terms.gains(terms.check().vector(), Run(1), deals=3)
    assert [figure.mean for figure in found.figures.values()] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("start", "against", "why"),
    [
        ("default", "tight", "is no logit policy"),
        ("people-average", "trees", "trees do not play in compiled games"),
    ],
)
def test_policies_that_cannot_play_are_refused(start: str, against: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Iteration(start, setup_of(STUD), 1, 1, {against: 1.0}).check()
