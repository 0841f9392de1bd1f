"""Running sums over games: means, their standard errors, and those of a ratio."""

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
    """The sums and products of vectors of ``size`` numbers, one vector an observation."""

    size: int
    n: int = 0
    sums: Floats = field(init=False)
    products: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.sums = np.zeros(self.size)
        self.products = np.zeros((self.size, self.size))

    def add(self, values: Iterable[float]) -> None:
        """Count one more vector."""
        vector = np.fromiter(values, np.float64, self.size)
        self.n += 1
        self.sums += vector
        self.products += np.outer(vector, vector)

    def merge(self, other: Moments) -> None:
        """Count all that another one has counted."""
        self.n += other.n
        self.sums += other.sums
        self.products += other.products

    def record(self) -> dict[str, Any]:
        """Plain values that ``from_record`` takes back exactly."""
        return {"n": self.n, "sums": self.sums.tolist(), "products": self.products.tolist()}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Moments:
        """What ``record`` gave."""
        moments = cls(len(record["sums"]), record["n"])
        moments.sums = np.array(record["sums"])
        moments.products = np.array(record["products"])
        return moments

    def mean(self, weights: Floats) -> Estimate:
        """The mean of a weighted sum of the numbers; NaN without observations."""
        if not self.n:
            return Estimate(math.nan, math.nan)
        mean = float(weights @ self.sums) / self.n
        return Estimate(mean, math.sqrt(self.variance(weights) / self.n))

    def variance(self, weights: Floats) -> float:
        """The variance between observations of a weighted sum; NaN with fewer than two."""
        if self.n < 2:
            return math.nan
        square = float(weights @ self.products @ weights)
        total = float(weights @ self.sums)
        return max(0.0, (square - total * total / self.n) / (self.n - 1))

    def ratio(self, over: Floats, under: Floats) -> Estimate:
        """One mean over another, with its standard error to first order (delta method)."""
        below = self.mean(under).mean
        if not below:
            return Estimate(math.nan, math.nan)
        quotient = self.mean(over).mean / below
        return Estimate(quotient, self.mean((over - quotient * under) / below).error)
