"""Sums of the scores of hands, and of bootstrap samples of these hands."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from handread.arrays import Floats
from handread.game.rules import ALL_STAGES
from handread.study.logs import LogIndex
from handread.study.measures import OBSERVERS
from handread.study.scores import COUNT, FIGURES, INFINITE, PLACES, SUM, HandScores
from handread.study.statistics import BINS, NOTHING, Estimate

Name = tuple[str, ...]
"""The name of a figure; see ``FIGURES``."""

RESAMPLES_AT_ONCE = 50

HANDS_AT_ONCE = 2000
"""The number of hands with all their figures in memory at once."""

LOW, HIGH = 2.5, 97.5


class HandSample:
    """The figures of some hands, and of ``resamples`` bootstrap samples of these hands.

    Whole hands are drawn, or whole logs if there are enough (``LogIndex.resampled``): the cluster
    bootstrap (Efron and Tibshirani 1993, chapter 8), with percentile intervals. The same hands in
    the same order, logs, resamples and seed give the same intervals.
    """

    def __init__(
        self, scores: Iterable[HandScores], resamples: int, seed: int, logs: LogIndex | None = None
    ) -> None:
        hands = list(scores)
        units = logs.of_hand if logs is not None and logs.resampled else range(len(hands))
        drawn_from, self._unit = np.unique(units, return_inverse=True)
        self._totals = np.zeros((len(FIGURES), 3))
        self._there = np.zeros((len(hands), len(FIGURES)), bool)
        for there, hand in zip(self._there, hands, strict=True):
            self._totals[hand.at] += hand.sums
            there[hand.at] = True
        used = np.flatnonzero(self._there.any(axis=0))
        times = _times_drawn(drawn_from.size, resamples, seed)[:, self._unit]
        drawn = np.zeros((resamples, used.size * 2))
        for first in range(0, len(hands), HANDS_AT_ONCE):
            part = hands[first : first + HANDS_AT_ONCE]
            sums = np.zeros((len(part), used.size, 2))
            for row, hand in zip(sums, part, strict=True):
                row[np.searchsorted(used, hand.at)] = hand.sums[:, :INFINITE]
            weights = times[:, first : first + len(part)].astype(float)
            drawn += weights @ sums.reshape(len(part), -1)
        self._drawn = np.zeros((resamples, len(FIGURES), 2))
        self._drawn[:, used] = drawn.reshape(resamples, used.size, 2)

    @property
    def stages(self) -> set[str]:
        """The stages with figures."""
        places = np.flatnonzero(self._totals[:, 0])
        return {part for place in places for part in FIGURES[place][:2]} & set(ALL_STAGES)

    def mean(self, *names: Name) -> Estimate:
        """Return the mean of the values of some figures together."""
        at = [PLACES[name] for name in names]
        n, total, infinite = self._totals[at].sum(axis=0).tolist()
        if not n:
            return NOTHING
        hands = int(self._there[:, at].any(axis=1).sum())
        estimate = Estimate(total / n, n=int(n), hands=hands, infinite=int(infinite))
        return self._with_interval(estimate, at, self._means(at))

    def above(self, other: "HandSample", *names: Name) -> Estimate:
        """Return the mean of some figures less their mean in another sample of the same hands."""
        return self.difference(names, names, other)

    def difference(
        self, names: Sequence[Name], less: Sequence[Name], other: "HandSample | None" = None
    ) -> Estimate:
        """Return the mean of figures less the mean of others, here or in another sample.

        Both must have values from the same hands, and resamples of the same seed: the differences
        are then paired. Infinite values of both are counted.
        """
        other = other or self
        higher, lower = self.mean(*names), other.mean(*less)
        infinite = higher.infinite + lower.infinite
        higher = replace(higher, mean=higher.mean - lower.mean, infinite=infinite)
        at, below = ([PLACES[name] for name in each] for each in (names, less))
        return self._with_interval(higher, at, self._means(at) - other._means(below))

    def ratio(self, names: Sequence[Name], under: Sequence[Name]) -> Estimate:
        """Return the sum of the values of some figures over the sum of others."""
        over, below = ([PLACES[name] for name in each] for each in (names, under))
        whole = self._totals[below, SUM].sum()
        estimate = self.mean(*names)
        if not whole:
            return replace(NOTHING, n=estimate.n, hands=estimate.hands)
        estimate = replace(estimate, mean=self._totals[over, SUM].sum() / whole)
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = self._drawn[:, over, SUM].sum(axis=1) / self._drawn[:, below, SUM].sum(axis=1)
        return self._with_interval(estimate, over, ratios)

    def calibration_errors(self, kind: str, stages: Sequence[str]) -> dict[str, Estimate]:
        """Return the expected calibration error of both observers, and the gain.

        It is the mean over events of the distance between chance and outcome of their bin. A
        sample makes it too large, and bootstrap samples make it larger by as much again. So its
        interval reaches as far to both sides, but not below 0, as the bins of 95% of the samples
        move in total: by the triangle inequality the error is not farther away. The gain, where
        both errors are too large, has the basic interval (Davison and Hinkley 1997, section 5.2).
        """
        places = np.array(
            [
                [[PLACES[kind, stage, str(place), who] for who in OBSERVERS] for stage in stages]
                for place in range(BINS)
            ]
        )
        n = int(self._totals[places[..., 0], COUNT].sum())
        if not n:
            return {}
        excess = self._totals[places, SUM].sum(axis=1) / n
        drawn = self._drawn[:, places].sum(axis=2)
        with np.errstate(invalid="ignore"):
            moved = drawn[..., SUM] / drawn[..., COUNT].sum(axis=1)[:, None]
        moved = moved[np.isfinite(moved).all(axis=(1, 2))]
        at = places[..., 0].ravel().tolist()
        hands = int(self._there[:, at].any(axis=1).sum())
        errors, samples = np.abs(excess).sum(axis=0), np.abs(moved).sum(axis=1)
        estimates = {
            who: Estimate(error, n=n, hands=hands)
            for who, error in zip(OBSERVERS, errors.tolist(), strict=True)
        }
        gain = float(errors[0] - errors[1])
        estimates["gain"] = self._with_interval(
            Estimate(gain, n=n, hands=hands), at, 2 * gain - (samples[:, 0] - samples[:, 1])
        )
        if self._several(at) and len(moved):
            reach = np.percentile(np.abs(moved - excess).sum(axis=1), HIGH - LOW, axis=0)
            for who, each in zip(OBSERVERS, reach.tolist(), strict=True):
                error = estimates[who].mean
                estimates[who] = replace(
                    estimates[who], low=max(0.0, error - each), high=min(1.0, error + each)
                )
        return estimates

    def _means(self, at: list[int]) -> Floats:
        """Return the mean of each bootstrap sample; NaN for a sample without a value."""
        drawn = self._drawn[:, at].sum(axis=1)
        with np.errstate(invalid="ignore"):
            means: Floats = drawn[:, SUM] / drawn[:, COUNT]
        return means

    def _several(self, at: list[int]) -> bool:
        units = self._unit[self._there[:, at].any(axis=1)]
        return bool(units.size) and bool(units.min() < units.max())

    def _with_interval(self, estimate: Estimate, at: list[int], means: Floats) -> Estimate:
        means = means[np.isfinite(means)]
        if not means.size or not self._several(at):
            return estimate
        # As np.percentile, which takes four times as long for so few numbers.
        places = np.array((LOW, HIGH)) / 100.0 * (means.size - 1)
        low, high = np.interp(places, np.arange(means.size), np.sort(means)).tolist()
        return replace(estimate, low=low, high=high)


def _times_drawn(units: int, resamples: int, seed: int) -> npt.NDArray[np.uint16]:
    times = np.zeros((resamples, units), np.uint16)
    rng = np.random.default_rng(seed)
    for first in range(0, resamples if units else 0, RESAMPLES_AT_ONCE):
        n = min(RESAMPLES_AT_ONCE, resamples - first)
        for row, draw in enumerate(rng.integers(0, units, (n, units)), start=first):
            times[row] = np.bincount(draw, minlength=units)
    return times
