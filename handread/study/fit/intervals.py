"""Intervals of fitted parameters that hold, and parameters that the hands cannot separate.

The prior draws parameters to its centre. If the hands have little information, the errors by the
curvature at the fitted parameters do not show how far. A *profile-likelihood* interval does: it has
the values of a parameter where the evidence, with all other parameters fitted anew, is within
``DROP`` of its maximum. Here the prior is only as strong as ``WEAK`` says, around the fitted
parameters, so that no search runs away. Such an interval may end at a bound, such as no lapses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from handread.arrays import Floats
from handread.study.fit.evidence import Prior, design_effect, evidence_sums, most_probable
from handread.study.fit.exponents import DROP
from handread.study.fit.families import Family
from handread.study.fit.stored import Lines

WEAK = 0.02
"""Weight of the prior, against penalty 1, where only the hands shall speak."""

ALIKE = 0.9
"""Least correlation, by the hands alone, of parameters that they cannot separate."""

SILENT = 0.9
"""Least error, over the error by the prior alone, of a parameter without information."""

PROBES, NEAR = 3, 0.2
"""Maximum number of values tried for an end of an interval, and the tolerance in errors."""


@dataclass(frozen=True, slots=True)
class _EvidenceProfile:
    """The evidence of a sample as a function of one parameter, the others fitted anew."""

    family: Family
    sample: Lines
    prior: Prior
    spread: Floats

    def at(self, k: int, value: float, start: Floats) -> tuple[Floats, float]:
        """Return the best parameters with parameter k at a value, and their log posterior."""
        others = np.arange(start.size) != k
        along = self.spread[:, k] / self.spread[k, k]
        left = self.spread - np.outer(along, self.spread[k])
        root = np.zeros((start.size, start.size - 1))
        root[others] = np.linalg.cholesky(left[np.ix_(others, others)])
        origin = start + along * (value - start[k])

        def cost(steps: Floats) -> tuple[float, Floats]:
            at = origin + root @ steps
            sums = evidence_sums(self.family, at, self.sample)
            slope = sums.slope + self.prior.slope(at)
            return -(sums.total + self.prior.log_density(at)), -(root.T @ slope)

        # Fewer steps stop where the evidence has not recovered: the interval would be too narrow.
        options = {"maxiter": 40, "ftol": 1e-9, "gtol": 0.1}
        steps = np.zeros(start.size - 1)
        best = minimize(cost, steps, jac=True, method="L-BFGS-B", options=options)
        return origin + root @ best.x, -float(best.fun)

    def end(
        self, k: int, side: float, bound: float, best: tuple[Floats, float], z95: float
    ) -> float:
        """Return the end of the interval of parameter k on a side, -1 or 1, up to a bound.

        ``best`` are the best parameters, and their log posterior. At the end the evidence drops
        as a normal distribution does at ``z95`` errors.
        """
        start, top = best
        inside, off, size = float(start[k]), 0.0, float(np.sqrt(self.spread[k, k]))
        value = inside + side * z95 * size
        if side * (bound - inside) <= 0.0:
            return inside
        for _ in range(PROBES):
            value = side * min(side * value, side * bound)
            start, reached = self.at(k, value, start)
            z = float(np.sqrt(2.0 * max(0.0, top - reached)))
            if abs(z - z95) < NEAR or (value == bound and z < z95):
                break
            # The drop is about a parabola: its root is straight.
            if z < z95:
                slope = max((z - off) / abs(value - inside), 0.2 / size)
                inside, off, value = value, z, value + side * (z95 - z) / slope
            else:
                value = inside + (value - inside) * (z95 - off) / (z - off)
        return side * min(side * value, side * bound)


def profile_intervals(
    family: Family, sample: Lines, fitted: Floats, bounds: Floats
) -> tuple[Floats, Floats]:
    """Return the ends (2, K) of the 95% profile-likelihood intervals, and the covariance (K, K).

    The parameters ``fitted`` (K,) are always inside; ``bounds`` (2, K) are the least and
    greatest values. The covariance is by the hands alone. If hands of a log are alike, both are
    wider by their ``design_effect``.
    """
    prior = Prior(fitted, WEAK * family.tightness)
    best = most_probable(family, sample, prior, fitted)
    here = evidence_sums(family, best, sample, squares=True)
    spread = prior.spread(here.by_hand)
    profile = _EvidenceProfile(family, sample, prior, spread)
    effect = design_effect(here, spread)
    top = here.total + prior.log_density(best)
    z95 = float(np.sqrt(2.0 * DROP * effect))
    low, high = (
        [profile.end(k, side, float(to), (best, top), z95) for k, to in enumerate(bound)]
        for side, bound in zip((-1.0, 1.0), bounds, strict=True)
    )
    return np.stack([np.minimum(low, fitted), np.maximum(high, fitted)]), effect * spread


@dataclass(frozen=True, slots=True)
class Untold:
    """Parameters without information in the hands, and groups that they cannot separate."""

    silent: tuple[str, ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()


def untold(names: Sequence[str], hands: Floats, precision: Floats, tightness: Floats) -> Untold:
    """Return which parameters hands with an information (K, K) do not determine.

    ``precision`` (K,) is the precision of the prior of the fit, ``tightness`` at penalty 1.
    """
    alone = np.sqrt(precision * np.diag(np.linalg.inv(hands + np.diag(precision))))
    spread = np.linalg.inv(hands + np.diag(WEAK * tightness))
    errors = np.sqrt(np.diag(spread))
    related = np.abs(spread / np.outer(errors, errors)) >= ALIKE
    told = alone < SILENT
    groups: list[set[int]] = []
    for i in np.flatnonzero(told).tolist():
        together = set(np.flatnonzero(related[i] & told).tolist())
        for group in [group for group in groups if group & together]:
            groups.remove(group)
            together |= group
        groups.append(together)
    alike = tuple(tuple(names[i] for i in sorted(group)) for group in groups if len(group) > 1)
    return Untold(tuple(names[i] for i in np.flatnonzero(~told).tolist()), alike)
