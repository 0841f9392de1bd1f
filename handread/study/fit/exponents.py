"""Likelihood exponents by street, with profile-likelihood intervals.

A read with the exponents e gives holding h of a line the probability

    w(h) exp(sum over streets of e(street) l(h, street)) / the same summed over all holdings,

with the probability w before the actions, and the logarithm l(h, street) of the probability of the
actions of the street. That is a conditional logit with the coefficients e: the log score of the
true holdings is concave in e.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from handread.arrays import Floats, Ints
from handread.study.fit.sample import Sample

STREETS = range(3, 8)

STAGES = np.array([0, 0, 1, 1, 2])
"""3rd and 4th street, 5th and 6th street, 7th street."""

LEAST = 0.05
"""Least exponent; the greatest is 1, Bayes' rule."""

DROP = 1.92
"""Drop of the log score at the ends of a 95% interval of one parameter, half of chi2(.95, 1)."""


@dataclass(frozen=True, slots=True)
class StreetRead:
    """The reads of a line with known downcards: the group ``truth``.

    ``log_weight`` (groups,) is the logarithm of the probability of each group before the actions,
    ``log_odds`` (groups, 5) the logarithm of the probability of the actions of each street.
    """

    log_weight: Floats
    log_odds: Floats
    truth: int


def street_reads(sample: Sample, log_odds: Floats) -> list[StreetRead]:
    """Return the reads of the lines with known downcards.

    ``log_odds`` is the logarithm of P(action | group) of each row (R,), by a policy that was not
    fitted to these lines.
    """
    reads = []
    row, turn, group = 0, 0, 0
    for line in range(sample.n_lines):
        turns, groups = int(sample.turns[line]), int(sample.groups[line])
        if sample.truth[line] >= 0:
            of_line = log_odds[row : row + turns * groups].reshape(groups, turns)
            streets = sample.street[turn : turn + turns]
            by_street = np.stack([of_line[:, streets == s].sum(axis=1) for s in STREETS], axis=1)
            weight = np.log(sample.weight[group : group + groups])
            reads.append(StreetRead(weight, by_street, int(sample.truth[line])))
        row, turn, group = row + turns * groups, turn + turns, group + groups
    return reads


def _score(exponents: Floats, reads: Sequence[StreetRead]) -> tuple[float, Floats]:
    total, slopes = 0.0, np.zeros(len(STREETS))
    for read in reads:
        joint = read.log_weight + read.log_odds @ exponents
        odds = np.exp(joint - joint.max())
        odds /= odds.sum()
        total += float(np.log(odds[read.truth]) - read.log_weight[read.truth])
        slopes += read.log_odds[read.truth] - odds @ read.log_odds
    return total, slopes


@dataclass(frozen=True, slots=True)
class ExponentFit:
    """The best likelihood exponents by street (5,), with the ends of their 95% intervals.

    ``bits`` is the log score of the true holdings, summed over all ``lines``.
    """

    exponents: Floats
    low: Floats
    high: Floats
    bits: float
    lines: int


def fit_exponents(reads: Sequence[StreetRead], stages: Ints) -> ExponentFit:
    """Return the likelihood exponents, from ``LEAST`` to 1, that best score the true holdings.

    ``stages`` numbers the stage of each street (5,), from 0; its streets share an exponent. In the
    interval the log score, maximised over the other exponents, is within ``DROP`` of its maximum.
    """
    n = int(stages.max()) + 1
    share = (stages[:, None] == np.arange(n)).astype(float)

    def best(fixed: dict[int, float]) -> tuple[float, Floats]:
        bounds = [(fixed.get(i, LEAST), fixed.get(i, 1.0)) for i in range(n)]
        start = np.array([fixed.get(i, 0.7) for i in range(n)])

        def cost(of_stage: Floats) -> tuple[float, Floats]:
            score, slopes = _score(share @ of_stage, reads)
            return -score, -(share.T @ slopes)

        result = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds)
        return -float(result.fun), np.asarray(result.x, dtype=np.float64)

    top, of_stage = best({})
    ends = np.empty((2, n))
    for stage in range(n):
        for side, edge in enumerate((LEAST, 1.0)):
            inside, outside = of_stage[stage], edge
            if best({stage: edge})[0] >= top - DROP:
                ends[side, stage] = edge
                continue
            while abs(outside - inside) > 0.005:
                middle = (inside + outside) / 2.0
                near = best({stage: middle})[0] >= top - DROP
                inside, outside = (middle, outside) if near else (inside, middle)
            ends[side, stage] = inside
    low, high = ends @ share.T
    return ExponentFit(share @ of_stage, low, high, top / float(np.log(2.0)), len(reads))
