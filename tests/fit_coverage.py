"""How often the 95% intervals of fitted parameters cover the parameters of the players.

``python -m tests.fit_coverage`` simulates games of a policy, fits its family to them with no
downcard known, and does so again with other games. It prints, for each parameter, how often the
interval of the fit covered the truth, and how often that by the curvature alone did.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from handread.api import simulate_games
from handread.arrays import Floats
from handread.policy import PolicyFile, load_policy, single
from handread.study.fit.evidence import Prior, covariance
from handread.study.fit.families import Family, Ramps
from handread.study.fit.learners import VectorLearner
from handread.study.fit.sample import CODES, Sample
from handread.study.statistics import NORMAL_975
from tests.fit_samples import read_all


def acted_anew(sample: Sample, family: Family, truth: Floats, rng: np.random.Generator) -> Sample:
    """Return the lines with holdings and actions drawn anew by parameters, the rest as it was.

    A line ends when it folds: what comes after is as if nothing else were legal.
    """
    odds = []
    for code in range(4):
        found = family.log_odds(truth, replace(sample, action=np.full(sample.n_turns, code)))
        odds.append(np.exp(found))
    chances, action, legal = np.stack(odds), sample.action.copy(), sample.legal.copy()
    row, turn, group = 0, 0, 0
    for turns, groups in zip(sample.turns.tolist(), sample.groups.tolist(), strict=True):
        held = rng.choice(groups, p=sample.weight[group : group + groups])
        for at in range(turns):
            p = chances[:, row + held * turns + at] * [True, *legal[turn + at]]
            action[turn + at] = rng.choice(4, p=p / p.sum())
            if action[turn + at] == CODES["fold"]:
                action[turn + at + 1 : turn + turns] = 0
                legal[turn + at + 1 : turn + turns] = False
                break
        row, turn, group = row + turns * groups, turn + turns, group + groups
    return replace(sample.hidden(), action=action, legal=legal)


def covered(
    sample: Sample, family: Family, truth: Floats, penalty: float
) -> tuple[Floats, Floats, Floats]:
    """Return the fit (K,), and what covers the truth (K,): its intervals, the curvature alone."""
    learner = VectorLearner.of(family, None).at(penalty)
    start = VectorLearner.of(family, None).starts(sample, (30.0, 10.0, 3.0, penalty))[-1]
    known = learner.uncertainty(start, sample, None)
    below, above = (known.errors, known.errors) if known.sides is None else known.sides
    low, high = start - NORMAL_975 * below, start + NORMAL_975 * above
    ours = (low <= truth + 1e-6) & (truth - 1e-6 <= high)
    prior = Prior(learner.prior.centre, learner.prior.precision)
    plain = NORMAL_975 * np.sqrt(np.diag(covariance(family, start, sample, prior)))
    return start, ours, np.abs(start - truth) <= plain


def main() -> None:
    """Simulate, fit, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policy", default="default")
    parser.add_argument("--games", type=int, default=100, help="games of a fit")
    parser.add_argument("--fits", type=int, default=40)
    parser.add_argument("--penalty", type=float, default=1.0)
    parser.add_argument("--anew", action="store_true", help="draw actions anew in the same games")
    asked = parser.parse_args()
    policy, family, rng = single(load_policy(asked.policy)), Ramps(), np.random.default_rng(1)
    truth, found, sample = family.vector(policy), [], None
    for fit in range(asked.fits):
        if sample is None or not asked.anew:
            games = [g.replay for g in simulate_games(asked.games, policy, seed=1000 + fit)]
            sample = read_all(games, PolicyFile(policy), family.grouping).hidden()
            games_sample = sample.coarser(32)
        one = acted_anew(games_sample, family, truth, rng) if asked.anew else sample
        found.append(covered(one, family, truth, asked.penalty))
        rates = np.mean([ours for _, ours, _ in found]), np.mean([old for *_, old in found])
        print(f"fit {fit + 1}: covered {rates[0]:.1%}, by the curvature {rates[1]:.1%}", flush=True)
    fits, ours, old = (np.array(each) for each in zip(*found, strict=True))
    print("\nparameter      truth   mean fit  covered  by the curvature")
    for k, name in enumerate(family.names):
        means = f"{truth[k]:+8.2f} {fits[:, k].mean():+8.2f}"
        print(f"{name:12s} {means} {ours[:, k].mean():9.0%} {old[:, k].mean():9.0%}")


if __name__ == "__main__":
    main()
