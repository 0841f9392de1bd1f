"""The choice of the family, intervals of parameters that hold, and what hands do not tell."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from handread.api import simulate_games
from handread.game.steps import Replay
from handread.policy import PolicyFile, Uncertainty, load_policy, parse_policy_file, policy_text
from handread.policy.panel import single
from handread.report.fits import fit_text, held
from handread.study.fit.choices import Tuned, choice, choose_family
from handread.study.fit.evidence import EvidenceSums, design_effect, sums_by
from handread.study.fit.families import Ramps
from handread.study.fit.fit import fit_hands, learners_of, steps_of
from handread.study.fit.fitted import FitOptions
from handread.study.fit.intervals import untold
from handread.study.fit.sample import Sample
from handread.study.fit.stored import StoredHands
from handread.study.statistics import Estimate
from tests.fit_coverage import acted_anew, covered
from tests.fit_samples import read_all

PLAYED = single(load_policy("default"))
"""A policy without lapses."""


@cache
def hands() -> tuple[Replay, ...]:
    return tuple(game.replay for game in simulate_games(15, PLAYED, seats=4, seed=5))


@cache
def fine() -> Sample:
    return read_all(hands(), PolicyFile(PLAYED), Ramps().grouping)


@pytest.mark.thorough
def test_coarser_samples_keep_weights_and_means() -> None:
    sample, coarse = fine(), fine().coarser(16)
    assert coarse.groups.max() <= 16 < sample.groups.max()
    both = (sample, coarse)
    rows = [np.split(one.percentile, np.cumsum(one.turns * one.groups)[:-1]) for one in both]
    weights = [np.split(one.weight, np.cumsum(one.groups)[:-1]) for one in both]
    each = zip(*rows, *weights, sample.turns, strict=True)
    for before, after, heavy, light, turns in each:
        assert light.sum() == pytest.approx(1.0)
        means = [w @ p.reshape(w.size, turns) for w, p in ((heavy, before), (light, after))]
        assert means[1] == pytest.approx(means[0])
    assert (coarse.truth < coarse.groups).all()
    assert ((coarse.truth >= 0) == (sample.truth >= 0)).all()


def test_the_family_with_the_better_score_is_chosen() -> None:
    logs = np.array([0, 0, 1, 2])
    scores = [np.array([-1.0, -2.0, -3.0, -2.0]), np.array([-1.0, -1.9, -3.0, -2.0])]
    learners = learners_of(FitOptions())
    tuned = {
        name: tuned_to(learner, values)
        for (name, learner), values in zip(learners.items(), scores, strict=True)
    }
    found = choose_family(tuned, logs)
    assert found.chosen == "ramps"
    assert found.scores == pytest.approx((-2.0, -1.975))
    # The differences from their mean of .025 are -.025 + .075, -.025 and -.025, by log.
    assert found.errors == pytest.approx(((0.05**2 + 2 * 0.025**2) ** 0.5 / 4, 0.0))


def tuned_to(learner: Any, scores: np.ndarray) -> Tuned[Any, Any]:
    """What ``choose_penalty`` returns for a learner with these held-out scores."""
    one = choice("penalty", "evidence", (1.0,), (scores,), np.arange(scores.size))
    return Tuned(learner, one, np.zeros(1), scores)


@pytest.mark.thorough
def test_a_fit_says_which_family_it_took() -> None:
    options = FitOptions(penalty=3.0, likelihood_exponent=1.0, rounds=1, players=False, hidden=True)
    ticks: list[str] = []
    phases: list[str] = []
    found = fit_hands(hands()[:10], options, tick=ticks.append, phase=phases.append)
    assert len(ticks) == steps_of(options, StoredHands.of(hands()[:10]))
    assert "choosing the penalty of ramps" in phases
    tried = found.file.provenance.families
    assert [name for name, _ in tried] == ["logit", "ramps"]
    assert found.file.policy.family == max(tried, key=lambda one: one[1])[0]
    assert parse_policy_file(policy_text(found.file), "x").provenance == found.file.provenance
    assert "the hands say nothing of: " in " ".join(fit_text(found).split())


@pytest.mark.dear("to profile the evidence of all parameters takes a second for each fit")
def test_intervals_cover_the_truth_at_bounds_too() -> None:
    """In 2 fits to lines whose actions were drawn anew; the curvature alone covers fewer."""
    family, rng = Ramps(), np.random.default_rng(3)
    truth, sample = family.vector(PLAYED), fine().hidden().coarser(16)
    fits = [covered(acted_anew(sample, family, truth, rng), family, truth, 1.0) for _ in range(2)]
    ours, plain = (np.array([fit[which] for fit in fits]) for which in (1, 2))
    assert ours.mean() >= 0.88
    assert ours[:, family.names.index("lapse")].all()  # the truth is no lapse at all
    assert ours.mean() > plain.mean()


def test_a_value_that_the_prior_holds_at_an_end_of_its_interval_is_named() -> None:
    # The log-odds of 0.06, of 0.0001 and of 0.5.
    apart = {"lapse": (-2.75, -6.0, -2.749), "bet.y0": (-9.2, -9.2, -6.0), "bet.y1": (0.0, -1, 1)}
    found = {name: Estimate(mean, 0.1, low, high) for name, (mean, low, high) in apart.items()}
    (words,) = held(found)
    assert words.endswith("lets them go): lapse")
    assert list(held({"bet.y1": found["bet.y1"]})) == []


def test_what_hands_do_not_tell() -> None:
    names, ones = ("a", "b", "c", "d"), np.ones(4)
    hands_tell = np.array([[9.0, 8.9, 0, 0], [8.9, 9.0, 0, 0], [0, 0, 9.0, 0], [0, 0, 0, 0.0]])
    found = untold(names, hands_tell, ones, ones)
    assert found.silent == ("d",)
    assert found.alike == (("a", "b"),)
    assert untold(names, 9.0 * np.eye(4), ones, ones).alike == ()


def test_hands_of_a_log_that_are_alike_tell_less() -> None:
    sample = fine().select(fine().hand < 12)
    _, first = np.unique(sample.hand[sample.line_of_turn], return_index=True)
    slopes = np.zeros((sample.n_turns, 2))
    # The hands come in threes that are alike: three times the variance.
    slopes[first] = np.random.default_rng(1).normal(size=(4, 2))[np.arange(12) // 3]
    each = [sums_by(numbers, slopes, sample) for numbers in (sample.hand, sample.hand // 3)]
    by_hand, by_threes = (sums.T @ sums for sums in each)
    spread = np.linalg.inv(by_hand)
    assert design_effect(EvidenceSums(0.0, slopes[0], by_hand, by_hand), spread) == 1.0
    thrice = EvidenceSums(0.0, slopes[0], by_hand, by_threes)
    assert design_effect(thrice, spread) == pytest.approx(3.0)


def test_draws_are_stretched_on_each_side() -> None:
    sides = np.array([[0.1, 2.0], [0.3, 2.0]])
    known = Uncertainty.between(("a", "b"), np.array([[1.0, 0.8], [0.8, 1.0]]), sides)
    steps = known.steps(4000, 1)
    below, above = (steps[:, 0][steps[:, 0] * side > 0] for side in (-1, 1))
    assert np.sqrt((below**2).mean()) == pytest.approx(0.1, rel=0.1)
    assert np.sqrt((above**2).mean()) == pytest.approx(0.3, rel=0.1)
    assert np.corrcoef(steps.T)[0, 1] > 0.6
    assert known.without("b").sides == pytest.approx(sides[:, :1])
    assert dict(known.record())["below"] == (0.1, 2.0)
