"""The evidence of lines of actions under a policy, and the parameters that make it greatest.

The evidence of a line is P(its actions | the cards face up at the end): the mean, over all possible
holdings, of the product of the probabilities of its actions. Where the holding is known it is that
of the holding alone. What is hidden depends on what was done, not on the downcards, so those of
folded hands are missing at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from handread.arrays import Floats, Ints
from handread.kernels.evidence import line_sums, read_lines
from handread.policy import Exponents, exponent_on
from handread.study.fit.families import Family
from handread.study.fit.sample import Sample

LN2 = float(np.log(2.0))


@dataclass(frozen=True, slots=True)
class Evidence:
    """ln of the evidence of each line (L,), and slopes of its sum by the parameters (T, K)."""

    lines: Floats
    slopes: Floats

    @property
    def total(self) -> float:
        """The sum over all lines."""
        return float(self.lines.sum())


def evidence(family: Family, vector: Floats, sample: Sample) -> Evidence:
    """Return the evidence of a sample under parameters (K,) and its slopes, by Fisher's identity.

    The slope of a line is the mean slope of its actions over the holdings as the actions leave
    them.
    """
    lines, posterior = sums_of(sample, family.log_odds(vector, sample))
    return Evidence(lines, family.slopes(vector, sample, posterior))


def sums_of(sample: Sample, log_odds: Floats) -> tuple[Floats, Floats]:
    """Return the ln of the evidence of each line (L,), and P(group | actions) (G,).

    ``log_odds`` are the logarithms of P(action | group) of each row (R,).
    """
    lines, posterior = np.empty(sample.n_lines), np.empty(sample.weight.size)
    line_sums(log_odds, sample.turns, sample.groups, sample.weight, lines, posterior)
    return lines, posterior


def scores_of(sample: Sample, log_odds: Floats, exponents: Exponents) -> tuple[Floats, Floats]:
    """Score a read of each line, action by action, given ln P(action | group) by row (R,).

    Returns:
        By turn (T,): log2 of what the read gives the true group after the action against what it
        had before the line, NaN where the truth is not known; and -log2 P(action).
    """
    each = np.array([exponent_on(exponents, street) for street in range(2, 8)])
    bits, surprise = np.empty(sample.n_turns), np.empty(sample.n_turns)
    read_lines(
        log_odds,
        sample.turns,
        sample.groups,
        sample.weight,
        sample.truth,
        each[sample.street - 2],
        bits,
        surprise,
    )
    return bits, surprise


STEPS, MOST_ROUNDS = 20, 15
"""Steps of the search between two estimates of the covariance, and the most of these."""

SLOPE, GAIN = 0.02, 0.02
"""Slope at which steps end (in a direction of uncertainty 1), and least gain (ln) of a round."""


@dataclass(frozen=True, slots=True)
class Prior:
    """A normal prior of independent parameters (K,)."""

    centre: Floats
    precision: Floats

    def log_density(self, vector: Floats) -> float:
        """Return the log of the density, up to a constant."""
        return -0.5 * float(self.precision @ (vector - self.centre) ** 2)

    def slope(self, vector: Floats) -> Floats:
        """Return the slope of ``log_density``, (K,)."""
        slope: Floats = -self.precision * (vector - self.centre)
        return slope


def most_probable(family: Family, sample: Sample, prior: Prior, start: Floats) -> Floats:
    """Return the parameters (K,) of highest posterior density that a search from a start finds.

    The search takes quasi-Newton steps (L-BFGS) in directions that are scaled to about the same
    uncertainty; these are computed anew from time to time.
    """
    vector = start
    if not sample.n_turns:
        return prior.centre
    for _ in range(MOST_ROUNDS):
        vector, gained = _steps(family, sample, prior, vector)
        if gained < GAIN:
            break
    return vector


def _steps(family: Family, sample: Sample, prior: Prior, origin: Floats) -> tuple[Floats, float]:
    """Return the parameters after some steps from an origin, and the gain (ln)."""
    first = evidence(family, origin, sample)
    root = np.linalg.cholesky(_covariance(first.slopes, sample, prior))
    costs: list[float] = []

    def cost(steps: Floats) -> tuple[float, Floats]:
        at = origin + root @ steps
        found = evidence(family, at, sample) if costs else first
        slope = found.slopes.sum(axis=0) + prior.slope(at)
        costs.append(-(found.total + prior.log_density(at)))
        return costs[-1], -(root.T @ slope)

    result = minimize(
        cost,
        np.zeros(origin.size),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": STEPS, "ftol": 0.0, "gtol": SLOPE},
    )
    found: Floats = origin + root @ result.x
    return found, costs[0] - result.fun


def covariance(family: Family, vector: Floats, sample: Sample, prior: Prior) -> Floats:
    """Return the covariance (K, K) of the parameters at their most probable values.

    The information is the sum of the squared slopes of single hands (each hand's lines together),
    and the precision of the prior. That is right where the family can play as the players do. The
    part of the hands is multiplied by ``design_effect``.
    """
    slopes = evidence(family, vector, sample).slopes
    spread = _covariance(slopes, sample, prior)
    effect = design_effect(slopes, sample, spread)
    more: Floats = (effect - 1.0) * spread @ information(slopes, sample.hand, sample) @ spread
    return spread + (more + more.T) / 2.0


def design_effect(slopes: Floats, sample: Sample, spread: Floats) -> float:
    """Return how many times the variance of independent hands the hands have, at least 1.

    Hands of a log share their players and tables, so that their slopes (T, K) are alike. ``spread``
    is the covariance (K, K) if they were independent. It is one number, because few logs do not
    tell that of each parameter.
    """
    by_hand, by_log = (
        float((spread * information(slopes, of, sample)).sum()) for of in (sample.hand, sample.log)
    )
    return max(1.0, by_log / by_hand) if by_hand > 0.0 else 1.0


def information(slopes: Floats, numbers: Ints, sample: Sample) -> Floats:
    """Return the sum of the squared slopes (K, K), added up first where the line's number agrees.

    Args:
        slopes: Slopes of the evidence by turn (T, K).
        numbers: Number of the hand or log of each line (L,).
        sample: The lines.
    """
    _, number = np.unique(numbers, return_inverse=True)
    sums = np.zeros((int(number.max(initial=-1)) + 1, slopes.shape[1]))
    np.add.at(sums, number[sample.line_of_turn], slopes)
    found: Floats = sums.T @ sums
    return found


def _covariance(slopes: Floats, sample: Sample, prior: Prior) -> Floats:
    held = information(slopes, sample.hand, sample) + np.diag(prior.precision)
    inverse = np.linalg.inv(held)
    return np.asarray((inverse + inverse.T) / 2.0, dtype=np.float64)
