"""Means of figures over hands, and how they scatter when the hands are drawn anew.

Players and stages of one hand hang together, so whole hands are drawn (the cluster
bootstrap; Efron and Tibshirani 1993, chapter 8), with percentile intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from handread.evaluation.marks import COUNT, FIGURES, INFINITE, PLACES, SUM, HandMarks
from handread.evaluation.values import NOTHING, Interval

Floats = npt.NDArray[np.float64]
Names = Sequence[tuple[str, ...]]

RESAMPLES_AT_ONCE = 50
LOW, HIGH = 2.5, 97.5


class Sample:
    """The figures of some hands, and of ``resamples`` samples drawn from them.

    The same hands in the same order, resamples and seed give the same intervals.
    """

    def __init__(self, marks: Iterable[HandMarks], resamples: int, seed: int) -> None:
        hands = list(marks)
        self.hands = len(hands)
        self._totals = np.zeros((len(FIGURES), 3))
        self._spread = np.zeros(len(FIGURES), int)
        for hand in hands:
            self._totals[hand.at] += hand.sums
            self._spread[hand.at] += 1
        self._drawn = np.zeros((resamples, len(FIGURES), 2))
        there = np.flatnonzero(self._spread)
        table = np.zeros((self.hands, there.size, 2))
        for row, hand in zip(table, hands, strict=True):
            row[np.searchsorted(there, hand.at)] = hand.sums[:, :INFINITE]
        flat = table.reshape(self.hands, 2 * there.size)
        rng = np.random.default_rng(seed)
        for first in range(0, resamples if self.hands else 0, RESAMPLES_AT_ONCE):
            n = min(RESAMPLES_AT_ONCE, resamples - first)
            draws = rng.integers(0, self.hands, (n, self.hands))
            weights = np.array([np.bincount(draw, minlength=self.hands) for draw in draws], float)
            found = (weights @ flat).reshape(n, there.size, 2)
            self._drawn[first : first + n, there] = found

    def count(self, names: Names) -> int:
        """How many values some figures have together."""
        return int(self._total(names, COUNT))

    def infinite(self, names: Names) -> int:
        """How many of these are infinite."""
        return int(self._total(names, INFINITE))

    def mean(self, names: Names) -> Interval:
        """The mean of the values of some figures, infinite ones counted as the floor."""
        n = self._total(names, COUNT)
        if not n:
            return NOTHING
        return self._interval(self._total(names, SUM) / n, self._means(names), names)

    def exact(self, names: Names) -> Interval:
        """The same, or nothing when some are infinite."""
        return NOTHING if self.infinite(names) else self.mean(names)

    def difference(self, name: tuple[str, ...], less: tuple[str, ...]) -> Interval:
        """How much the mean of a figure is above that of another with values of the same hands."""
        mean, other = self.mean([name]).mean, self.mean([less]).mean
        if mean is None or other is None:
            return NOTHING
        return self._interval(mean - other, self._means([name]) - self._means([less]), [name])

    def _total(self, names: Names, column: int) -> float:
        return float(self._totals[self._at(names), column].sum())

    def _means(self, names: Names) -> Floats:
        """The mean in each sample drawn; NaN where it has no value."""
        drawn = self._drawn[:, self._at(names)].sum(axis=1)
        with np.errstate(invalid="ignore"):
            means: Floats = drawn[:, SUM] / drawn[:, COUNT]
        return means

    def _interval(self, mean: float, means: Floats, names: Names) -> Interval:
        means = means[np.isfinite(means)]
        if max(self._spread[self._at(names)]) < 2 or not means.size:
            return Interval(mean)
        low, high = np.percentile(means, (LOW, HIGH)).tolist()
        return Interval(mean, low, high)

    @staticmethod
    def _at(names: Names) -> list[int]:
        return [PLACES[name] for name in names]
