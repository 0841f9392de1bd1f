"""The evidence of lines of actions under a policy, and the parameters that make it greatest.

Theory
======

A *line* is the actions b_1 ... b_T of a seat in a hand. Its downcards l are mostly unknown. With
the share w[l] of the holdings that the upcards of the whole hand allow, and the situations s_t, its
evidence under the parameters v is

    E(v) = ln of the sum over l of w[l] product over t of P(b_t | l, s_t, v)

If the downcards are known, the product for them stands in place of the sum. Cards that nobody saw
cause no bias: whether they stay hidden depends on the actions alone, and the log has all of these.
They are missing at random.

By Fisher's identity, the slope of the evidence is a mean over the read of the line by v itself:

    dE/dv = sum over l of P(l | b_1 ... b_T, v) sum over t of d ln P(b_t | l, s_t, v) / dv

``most_probable`` maximises the sum of E over all lines plus the logarithm of a normal prior, by
L-BFGS with steps scaled by the inverse of the information: the prior's precision plus the outer
products of the slopes of each hand. At the maximum this inverse is the covariance of the parameters
(Laplace). ``design_effect`` widens it, as the hands of a log are alike.

The chances to win in P(b | l, s, v) depend on the reads of all seats, and so on v. They are held
fixed in a search. ``fit.fit_hands`` reads the hands by the policy found and fits again, up to three
times in all, as long as that gains .003 bits an action.

Holdings that are alike at each action form groups (``sample``): at most 512 of a line, or 2,048 if
the policy has kinds of holdings, and 32 where only penalties and families are compared.

Tried and dropped
=================

* Evidence alone, without a prior: on few hands the fit explains the actions with the wrong cards.
  Surprise falls and reads get worse, even on the hands of the fit. So known downcards count, the
  prior is strong, and its strength is chosen on hands held out, with the most cautious value within
  a standard error of the best.
* A search from anywhere: if no downcards are known, the evidence has a second peak, where strong
  hands fold. So a search starts from common sense (``families``).
* Known downcards alone, with kinds of holdings: reads lose .06 bits on 4th street, more on 5th.
* Intervals of ramps by the curvature at the maximum: 47 of 65 had the true value, and players who
  never lapse got a lapse of 8% (4 to 15). Of profiles of the evidence (``intervals``) 58 had it.
* All lines in memory: half a megabyte a hand. Sums are made in batches from a file (``stored``).
* Trees have no slopes. They are fitted by expectation and maximisation in turn (``tree_fit``).
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from handread.arrays import Floats, Ints
from handread.kernels.evidence import line_sums, read_lines
from handread.policy import Exponents, exponent_on
from handread.study.fit.families import Family
from handread.study.fit.sample import Sample
from handread.study.fit.stored import Lines

LN2 = float(np.log(2.0))


@dataclass(frozen=True, slots=True)
class EvidenceSums:
    """The evidence of all lines, its slope by the parameters (K,), and the information (K, K).

    The information is the sum of the squared slopes of hands, and of logs; zeros if not asked for.
    """

    total: float
    slope: Floats
    by_hand: Floats
    by_log: Floats


def evidence(family: Family, vector: Floats, sample: Sample) -> tuple[Floats, Floats]:
    """Return ln of the evidence of each line (L,), and slopes of its sum by turn (T, K)."""
    lines, posterior = sums_of(sample, family.log_odds(vector, sample))
    return lines, family.slopes(vector, sample, posterior)


HANDS_TOGETHER = 1 << 14
"""Largest number of hands whose squared slopes are summed in one product, whatever the batches."""


def evidence_sums(
    family: Family, vector: Floats, sample: Lines, squares: bool = False
) -> EvidenceSums:
    """Return the sums of the evidence, part by part, with the information for ``squares``.

    Up to ``HANDS_TOGETHER`` hands all bits are those of one part: searches amplify the last ones.
    """
    of_lines, of_hands, slope = [np.zeros(0)], [np.zeros((0, vector.size))], np.zeros(vector.size)
    by_hand, of_logs = np.zeros((vector.size, vector.size)), np.zeros((0, vector.size))
    apart = not squares or all((part.log == part.hand).all() for part in sample.parts())
    for part in sample.parts():
        lines, slopes = evidence(family, vector, part)
        of_lines.append(lines)
        slope = np.concatenate([slope[None], slopes]).sum(axis=0)
        if squares:
            of_hands.append(sums_by(part.hand, slopes, part))
        if sum(map(len, of_hands)) > HANDS_TOGETHER:
            by_hand += _squared(np.concatenate(of_hands))
            of_hands = of_hands[:1]
        if not apart:
            more = max(0, int(part.log.max()) + 1 - len(of_logs))
            of_logs = np.concatenate([of_logs, np.zeros((more, vector.size))])
            np.add.at(of_logs, part.log[part.line_of_turn], slopes)
    by_hand += _squared(np.concatenate(of_hands))
    total = float(np.concatenate(of_lines).sum())
    by_log = by_hand if apart else _squared(of_logs[of_logs.any(axis=1)])
    return EvidenceSums(total, slope, by_hand, by_log)


def _squared(sums: Floats) -> Floats:
    return sums.T @ sums


def sums_of(sample: Sample, log_odds: Floats) -> tuple[Floats, Floats]:
    """Return the ln of the evidence of each line (L,), and P(group | actions) (G,).

    ``log_odds`` are the logarithms of P(action | group) of each row (R,).
    """
    lines, posterior = np.empty(sample.n_lines), np.empty(sample.weight.size)
    line_sums(log_odds, sample.turns, sample.groups, sample.weight, lines, posterior)
    return lines, posterior


def scores_of(sample: Sample, log_odds: Floats, exponents: Exponents) -> tuple[Floats, Floats]:
    """Return the bits on the truth and the surprise of each turn (T,), given ln P(action | group).

    ``log_odds`` is by row (R,). The bits are log2 of the probability of the true group after the
    action over the probability before the line, NaN if the truth is unknown; the surprise is
    -log2 P(action).
    """
    each = np.array([exponent_on(exponents, street) for street in range(2, 8)])
    bits, surprise = np.empty(sample.n_turns), np.empty(sample.n_turns)
    lines = sample.turns, sample.groups, sample.weight, sample.truth
    read_lines(log_odds, *lines, each[sample.street - 2], bits, surprise)
    return bits, surprise


STEPS, MOST_ROUNDS = 20, 15
"""Steps of the search between two estimates of the covariance, and the maximum of estimates."""

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
        return -self.precision * (vector - self.centre)

    def spread(self, information: Floats) -> Floats:
        """Return the covariance (K, K) of the parameters, with the information (K, K) of hands."""
        inverse = np.linalg.inv(information + np.diag(self.precision))
        return np.asarray((inverse + inverse.T) / 2.0, dtype=np.float64)


def most_probable(family: Family, sample: Lines, prior: Prior, start: Floats) -> Floats:
    """Return the parameters (K,) of highest posterior density that a search from a start finds."""
    vector = start
    if not sample.n_turns:
        return prior.centre
    for _ in range(MOST_ROUNDS):
        vector, gained = _steps(family, sample, prior, vector)
        if gained < GAIN:
            break
    return vector


def _steps(family: Family, sample: Lines, prior: Prior, origin: Floats) -> tuple[Floats, float]:
    first = evidence_sums(family, origin, sample, squares=True)
    root = np.linalg.cholesky(prior.spread(first.by_hand))
    costs: list[float] = []

    def cost(steps: Floats) -> tuple[float, Floats]:
        at = origin + root @ steps
        sums = evidence_sums(family, at, sample) if costs else first
        slope = sums.slope + prior.slope(at)
        costs.append(-(sums.total + prior.log_density(at)))
        return costs[-1], -(root.T @ slope)

    options = {"maxiter": STEPS, "ftol": 0.0, "gtol": SLOPE}
    start = np.zeros(origin.size)
    result = minimize(cost, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(origin + root @ result.x), costs[0] - result.fun


def covariance(family: Family, vector: Floats, sample: Lines, prior: Prior) -> Floats:
    """Return the covariance (K, K) of the parameters at their most probable values.

    It is right if the family can play as the players do. The hands' part of the variance is
    multiplied by ``design_effect``.
    """
    sums = evidence_sums(family, vector, sample, squares=True)
    spread = prior.spread(sums.by_hand)
    more: Floats = (design_effect(sums, spread) - 1.0) * spread @ sums.by_hand @ spread
    return spread + (more + more.T) / 2.0


def design_effect(sums: EvidenceSums, spread: Floats) -> float:
    """Return the factor, at least 1, of the hands' variance over the variance of independent hands.

    Hands of a log share their players and tables, so that their slopes are alike. ``spread`` is the
    covariance (K, K) of independent hands. One number serves all parameters: few logs cannot give
    one for each.
    """
    by_hand, by_log = (float((spread * squares).sum()) for squares in (sums.by_hand, sums.by_log))
    return max(1.0, by_log / by_hand) if by_hand > 0.0 else 1.0


def sums_by(numbers: Ints, slopes: Floats, sample: Sample) -> Floats:
    """Return the sums (N, K) of slopes (T, K) of lines with equal numbers (L,), such as hands."""
    different, number = np.unique(numbers, return_inverse=True)
    sums = np.zeros((different.size, slopes.shape[1]))
    np.add.at(sums, number[sample.line_of_turn], slopes)
    return sums
