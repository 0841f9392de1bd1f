"""The most probable parameters given a sample and a prior."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from handread.fitting.evidence import evidence
from handread.fitting.family import Family
from handread.fitting.sample import Floats, Sample

TURN, MOST_TURNS = 20, 15
"""Steps between two looks at the uncertainty, and how often one is taken at most."""

SLOPE, GAIN = 0.02, 0.02
"""Where steps end (the slope in a direction of uncertainty 1), and what a turn must gain (ln)."""


@dataclass(frozen=True, slots=True)
class Prior:
    """What is believed of the parameters (K,) before anything is seen: normal, independent."""

    centre: Floats
    precision: Floats

    def log_density(self, vector: Floats) -> float:
        """The log of the density at a vector, but for a constant."""
        return -0.5 * float(self.precision @ (vector - self.centre) ** 2)

    def slope(self, vector: Floats) -> Floats:
        """The slope of ``log_density``, (K,)."""
        slope: Floats = -self.precision * (vector - self.centre)
        return slope


def most_probable(family: Family, sample: Sample, prior: Prior, start: Floats) -> Floats:
    """The parameters (K,) of highest posterior density that are found from a start.

    The search goes by quasi-Newton steps (L-BFGS) in directions that are about as uncertain as
    one another; these are found again as it gets on.
    """
    vector = start
    if not sample.n_turns:
        return prior.centre
    for _ in range(MOST_TURNS):
        vector, gained = _turn(family, sample, prior, vector)
        if gained < GAIN:
            break
    return vector


def _turn(family: Family, sample: Sample, prior: Prior, origin: Floats) -> tuple[Floats, float]:
    """The parameters after some steps from an origin, and how much likelier (ln) they are."""
    root = np.linalg.cholesky(covariance(family, origin, sample, prior))

    def cost(steps: Floats) -> tuple[float, Floats]:
        at = origin + root @ steps
        found = evidence(family, at, sample)
        slope = found.slopes.sum(axis=0) + prior.slope(at)
        return -(found.total + prior.log_density(at)), -(root.T @ slope)

    result = minimize(
        cost,
        np.zeros(origin.size),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": TURN, "ftol": 0.0, "gtol": SLOPE},
    )
    found: Floats = origin + root @ result.x
    return found, cost(np.zeros(origin.size))[0] - result.fun


def covariance(family: Family, vector: Floats, sample: Sample, prior: Prior) -> Floats:
    """The covariance (K, K) of the parameters at their most probable values.

    The information is taken to be the sum of the squared slopes of single hands (each hand's lines
    together), and the prior's. That is right where the family can play as the players do.
    """
    slopes = evidence(family, vector, sample).slopes
    _, hand = np.unique(sample.hand, return_inverse=True)
    by_hand = np.zeros((int(hand.max(initial=-1)) + 1, vector.size))
    np.add.at(by_hand, hand[sample.line_of_turn], slopes)
    information = by_hand.T @ by_hand + np.diag(prior.precision)
    inverse = np.linalg.inv(information)
    return np.asarray((inverse + inverse.T) / 2.0, dtype=np.float64)
