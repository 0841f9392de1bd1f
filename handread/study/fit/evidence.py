"""The evidence of lines of actions under a policy whose players' downcards nobody knows.

A line's evidence is P(its actions | the cards that lie face up in the end): the mean, over the
holdings that are still possible, of the product of the probabilities of its actions. Where the
holding is known it is that of the holding alone. Downcards stay hidden for what was done,
not for what they were, so that those of folded hands are missing at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from handread.study.fit.families import Family
from handread.study.fit.sample import Floats, Ints, Sample

LN2 = float(np.log(2.0))


@dataclass(frozen=True, slots=True)
class Evidence:
    """ln of the evidence of each line, (L,), and the slopes of each turn, (T, parameters)."""

    lines: Floats
    slopes: Floats

    @property
    def total(self) -> float:
        """The sum over all lines."""
        return float(self.lines.sum())


def evidence(family: Family, vector: Floats, sample: Sample) -> Evidence:
    """The evidence of a sample's lines and its slopes, by Fisher's identity.

    The slope of a line's evidence is the mean slope of its actions, taken over the holdings as the
    actions leave them.
    """
    log_odds, slopes = family.chances(vector, sample)
    lines, posterior = _lines(sample, log_odds)
    return Evidence(lines, slopes(posterior[sample.group_of_row]))


def line_evidence(family: Family, vector: Floats, sample: Sample) -> Floats:
    """The natural logarithm of the evidence of each line, (L,)."""
    return _lines(sample, family.chances(vector, sample)[0])[0]


def _lines(sample: Sample, log_odds: Floats) -> tuple[Floats, Floats]:
    """The log of each line's evidence, (L,), and the probability of each group after it, (G,)."""
    joint = np.add.reduceat(log_odds, sample.first_row) + np.log(sample.weight)
    highest = np.maximum.reduceat(joint, sample.first_group)
    scaled = np.exp(joint - highest[sample.line_of_group])
    total = np.add.reduceat(scaled, sample.first_group)
    return highest + np.log(total), scaled / total[sample.line_of_group]


def bits_on_truth(
    family: Family, vector: Floats, sample: Sample, exponent: float
) -> tuple[Floats, Floats]:
    """How a tempered read goes, action by action: (T,) bits on the truth, (T,) bits of surprise.

    The first is log2 of what the read gives the true group after the action against what it
    had before any, NaN where the truth is not known; the second -log2 P(action) before it.
    """
    log_odds, _ = family.chances(vector, sample)
    read = np.log(sample.weight)
    bits, surprise = np.full(sample.n_turns, np.nan), np.empty(sample.n_turns)
    first_turn = np.cumsum(sample.turns) - sample.turns
    for number in range(int(sample.turns.max(initial=0))):
        lines = sample.turns > number
        groups = lines[sample.line_of_group]
        rows = sample.first_row[groups] + number
        line = sample.line_of_group[groups]
        before = _log_sums(read[groups], line, sample.n_lines)
        joint = _log_sums(read[groups] + log_odds[rows], line, sample.n_lines)
        turns = first_turn[lines] + number
        surprise[turns] = (before[lines] - joint[lines]) / LN2
        read[groups] += exponent * log_odds[rows]
        after = _log_sums(read[groups], line, sample.n_lines)
        known = lines & sample.known
        at = sample.first_group[known] + sample.truth[known]
        told = read[at] - np.log(sample.weight[at]) - after[known]
        bits[first_turn[known] + number] = told / LN2
    return bits, surprise


def _log_sums(values: Floats, line: Ints, n_lines: int) -> Floats:
    """The log of the sum of exp over each line, (L,); -inf for lines without values."""
    highest = np.full(n_lines, -np.inf)
    np.maximum.at(highest, line, values)
    sums = np.bincount(line, weights=np.exp(values - highest[line]), minlength=n_lines)
    with np.errstate(divide="ignore"):
        return highest + np.log(sums)


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
