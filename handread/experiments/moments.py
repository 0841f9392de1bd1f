"""Running means over games, their standard errors, and those of a ratio."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.experiments.values import Estimate

Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class Moments:
    """The mean and the scatter of vectors of ``size`` numbers, one vector an observation.

    ``scatter`` (size, size) sums the products of deviations from the mean; it is carried from
    observation to observation, because sums of squares would cancel (Chan, Golub and LeVeque).
    """

    size: int
    n: int = 0
    means: Floats = field(init=False)
    scatter: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.means = np.zeros(self.size)
        self.scatter = np.zeros((self.size, self.size))

    def add(self, values: Iterable[float]) -> None:
        """Count one more vector."""
        vector = np.fromiter(values, np.float64, self.size)
        self.n += 1
        before = vector - self.means
        self.means += before / self.n
        self.scatter += np.outer(before, vector - self.means)

    def merge(self, other: Moments) -> None:
        """Count all that another one has counted."""
        n = self.n + other.n
        if n:
            apart = other.means - self.means
            self.scatter += other.scatter + np.outer(apart, apart) * (self.n * other.n / n)
            self.means += apart * (other.n / n)
            self.n = n

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """Those of vectors, (n, size)."""
        n, size = values.shape
        moments = cls(size, n)
        if n:
            moments.means = values.mean(axis=0)
            apart = values - moments.means
            moments.scatter = apart.T @ apart
        return moments

    def record(self) -> dict[str, Any]:
        """Plain values that ``from_record`` takes back exactly."""
        return {"n": self.n, "means": self.means.tolist(), "scatter": self.scatter.tolist()}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Moments:
        """What ``record`` gave."""
        moments = cls(len(record["means"]), record["n"])
        moments.means = np.array(record["means"])
        moments.scatter = np.array(record["scatter"])
        return moments

    def mean(self, weights: Floats) -> Estimate:
        """The mean of a weighted sum of the numbers; NaN without observations."""
        if not self.n:
            return Estimate(math.nan, math.nan)
        return Estimate(float(weights @ self.means), math.sqrt(self.variance(weights) / self.n))

    def variance(self, weights: Floats) -> float:
        """The variance between observations of a weighted sum; NaN with fewer than two."""
        if self.n < 2:
            return math.nan
        return max(0.0, float(weights @ self.scatter @ weights)) / (self.n - 1)

    def ratio(self, over: Floats, under: Floats) -> Estimate:
        """One mean over another, with its standard error to first order (delta method)."""
        below = self.mean(under).mean
        if not below:
            return Estimate(math.nan, math.nan)
        quotient = self.mean(over).mean / below
        return Estimate(quotient, self.mean((over - quotient * under) / below).error)
