"""Learning curves of relational trees: the examples, and the experiment."""

from __future__ import annotations

import math

import numpy as np
import pytest

from handread.cards import parse_card
from handread.papers.trees import study
from handread.policy.relations import LOSE, OUTCOMES, SHOWN, WIN
from handread.runs import Run

PLAN = study.CurveGames(study.population(study.WATCHED, 1), study.population(12, 1), 6, 1)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> study.GameExamples:
    file = tmp_path_factory.mktemp("examples") / "part"
    study.measure_examples(PLAN, range(8), file)
    return study.GameExamples.load([file])


def test_outcomes_of_games() -> None:
    for number in range(9):
        game, players = PLAN.play(number)
        played = game.replay
        outcomes = {seat: study.outcome_of(played, seat) for seat in range(1, len(players) + 1)}
        folds = {d.seat for d in played.decisions if d.action == "fold"}
        shown = {seat for seat, outcome in outcomes.items() if outcome in SHOWN}
        assert {seat for seat, outcome in outcomes.items() if outcome == LOSE} == folds
        assert shown == set(played.showdown)
        assert [outcomes[seat] for seat in played.won if seat not in shown] in ([], [WIN])
        assert (number < PLAN.games) is (-1 not in players)
        assert number < PLAN.games or set(players) == {-1}
        if number < PLAN.games:
            assert sorted(players) == list(range(study.WATCHED))


@pytest.mark.parametrize(
    ("up", "least"),
    [("As", 2), ("As Kd 2c", 2), ("7s 7d 2c", 3), ("7s 7d 2c 2d", 4), ("7s 7d 7h", 5)],
)
def test_upcards_rule_outcomes_out(up: str, least: int) -> None:
    possible = study.possible_outcomes([parse_card(card) for card in up.split()])
    assert [OUTCOMES[i] for i, ok in enumerate(possible) if ok] == [LOSE, WIN, *OUTCOMES[least:]]


def test_examples_of_games(examples: study.GameExamples) -> None:
    n = examples.game.size
    assert examples.player.shape == examples.action.shape == (n,)
    assert examples.legal[np.arange(n), examples.action].all()
    assert examples.possible[np.arange(n), examples.outcome].all()
    shown = examples.outcome >= OUTCOMES.index(SHOWN[0])
    assert (examples.holding.any(axis=1) == shown).mean() > 0.95  # the worst hand passes no test
    assert not examples.holding[~shown].any()
    assert ((examples.player == -1) == (examples.game >= PLAN.games)).all()
    everyone = np.ones(n, dtype=bool)
    actions, outcomes = (examples.choices(everyone, kind) for kind in study.KINDS)
    assert actions.n_contexts == n
    assert outcomes.n_contexts == n - (examples.action == study.ACTIONS.index("fold")).sum()
    assert np.bincount(outcomes.context, weights=outcomes.observed).max() == 1.0


@pytest.fixture(scope="module")
def found() -> study.LearningCurves:
    return study.learning_curves((4, 20), 25, Run(3))


def test_curves(found: study.LearningCurves) -> None:
    assert (found.held_out, len(found.players)) == (5, study.WATCHED)
    for kind in study.KINDS:
        for size in found.sizes:
            bits = {
                c: found.at(study.LIKELIHOOD, group=c, about=study.part_of(kind, size))
                for c in study.CURVES
            }
            assert all(estimate.mean < 0.0 and estimate.n > 4 for estimate in bits.values())
            assert bits[study.UNINFORMED].mean < bits[study.PRIOR].mean
            for curve, estimate in bits.items():
                gain = found.at(study.GAIN, group=curve, about=study.part_of(kind, size))
                assert gain.mean == pytest.approx(estimate.mean - bits[study.PRIOR].mean)
            # Four games are fewer examples than a leaf may have: the prior stays as it is.
            if size == 4:
                assert bits["corrected"].mean == bits["matched"].mean == bits[study.PRIOR].mean
    uninformed = found.at(
        study.LIKELIHOOD, group=study.UNINFORMED, about=study.part_of(study.ACTION, 4)
    ).mean
    assert -math.log2(3) < uninformed < -1.0
