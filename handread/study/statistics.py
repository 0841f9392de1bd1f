"""Statistics of hands: one type for a mean with its error, and the tables made of them.

The actions and stages of one hand are correlated, so every error and interval here is clustered by
hand (or by simulated game): whole hands are what is drawn.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import polars as pl

Floats = npt.NDArray[np.float64]

FLOOR = 40.0
"""Bits that count for infinitely many, or for more than this: 2**-40 is about 1e-12."""

NORMAL_975 = 1.96

FEWEST_HANDS = 5
"""The fewest hands for which Student's t gives an interval: a wider one says nothing."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error and 95% interval; NaN where there is none.

    Attributes:
        mean: The mean of the values. Bits are clipped to ``FLOOR`` on both sides.
        error: The standard error, by linearisation.
        low: The lower end of the 95% interval.
        high: The upper end of the 95% interval.
        n: The number of values.
        hands: The number of hands, or simulated games, that have values.
        infinite: The number of infinite values, which count as ``FLOOR`` bits in the mean.
    """

    mean: float
    error: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    hands: int = 0
    infinite: int = 0

    @property
    def exact(self) -> Estimate:
        """This estimate, but without mean and interval if any value is infinite."""
        if not self.infinite:
            return self
        return replace(NOTHING, n=self.n, hands=self.hands, infinite=self.infinite)

    @classmethod
    def normal(cls, mean: float, error: float, hands: int = 0) -> Estimate:
        """Return a mean over many hands, with the interval of a normal distribution."""
        reach = NORMAL_975 * error
        return cls(mean, error, mean - reach, mean + reach, hands, hands)

    @classmethod
    def student(
        cls,
        mean: float,
        error: float,
        n: int,
        hands: int,
        infinite: int = 0,
        least: float = -math.inf,
        most: float = math.inf,
    ) -> Estimate:
        """Return a mean with the interval of Student's t, within ``least`` and ``most``.

        There is no interval for fewer than ``FEWEST_HANDS`` hands.
        """
        if hands < FEWEST_HANDS:
            return cls(mean, error, n=n, hands=hands, infinite=infinite)
        reach = t_quantile(hands - 1) * error
        low, high = max(least, mean - reach), min(most, mean + reach)
        return cls(mean, error, low, high, n, hands, infinite)

    @classmethod
    def share(cls, mean: float, error: float, n: int, hands: int) -> Estimate:
        """Return a mean of zeros and ones with a Wilson interval (Wilson 1927).

        The values count as the number of independent ones that would have this error. The
        quantile is that of Student's t.
        """
        if hands < FEWEST_HANDS:
            return cls(mean, error, n=n, hands=hands)
        square = error**2
        certain = not 0.0 < mean < 1.0
        trials = hands if certain else min(n, mean * (1 - mean) / square if square else math.inf)
        z2 = t_quantile(hands - 1) ** 2 / trials
        middle = (mean + z2 / 2) / (1 + z2)
        reach = math.sqrt(z2 * mean * (1 - mean) + z2 * z2 / 4) / (1 + z2)
        low, high = max(0.0, min(mean, middle - reach)), min(1.0, max(mean, middle + reach))
        return cls(mean, error, low, high, n, hands)


NOTHING = Estimate(math.nan)


def t_quantile(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t; infinite for 0 degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975)) if freedom else math.inf


class Figure(NamedTuple):
    """A row of a tidy table: one figure of a group at a stage.

    Attributes:
        figure: The name of the figure.
        estimate: Its mean, error and interval, and how many values these stand for.
        group: The players, reader or observer that it is about; empty for all.
        stage: The stage, 3D to 7B; empty for all.
        about: The part of a larger table; empty where there is one part.
    """

    figure: str
    estimate: Estimate
    group: str = ""
    stage: str = ""
    about: str = ""

    def row(self) -> dict[str, Any]:
        """Return the cells of the row by column; NaN where there is no number."""
        of = self.estimate
        return {
            "about": self.about,
            "group": self.group,
            "stage": self.stage,
            "figure": self.figure,
            "n": of.n,
            "hands": of.hands,
            "mean": of.mean,
            "error": of.error,
            "low": of.low,
            "high": of.high,
            "infinite": of.infinite,
        }


class FigureTable(ABC):
    """A result that is a table of figures."""

    __slots__ = ()

    @abstractmethod
    def figures(self) -> Iterator[Figure]:
        """Yield the rows of the table."""

    def to_frame(self) -> pl.DataFrame:
        """Return the table as a tidy frame: one row per figure, null where there is no number."""
        import polars as pl

        rows = [figure.row() for figure in self.figures()]
        texts, counts = ("about", "group", "stage", "figure"), ("n", "hands", "infinite")
        schema = {
            name: pl.String if name in texts else pl.Int64 if name in counts else pl.Float64
            for name in Figure("", NOTHING).row()
        }
        return pl.DataFrame(rows, schema).fill_nan(None)


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The events to which a chance from ``low`` to ``high`` was given: how many came true.

    ``chance`` is their mean probability, ``happened`` the fraction that came true; its standard
    error is that of the difference, and allows for events of one game hanging together.
    """

    low: float
    high: float
    events: int
    chance: float
    happened: Estimate


def reliability_figures(bins: Mapping[str, Iterable[CalibrationBin]]) -> Iterator[Figure]:
    """Yield two rows for each bin of reliability tables: the mean chance, and what came true."""
    for kind, found in bins.items():
        for one in found:
            group = f"{100 * one.low:.0f} to {100 * one.high:.0f}%"
            chance = Estimate(one.chance, n=one.events, hands=one.happened.hands)
            yield Figure("chance", chance, group, about=kind)
            yield Figure("came_true", one.happened, group, about=kind)


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
        """Return the moments of vectors, (n, size)."""
        n, size = values.shape
        moments = cls(size, n)
        if n:
            moments.means = values.mean(axis=0)
            apart = values - moments.means
            moments.scatter = apart.T @ apart
        return moments

    def record(self) -> dict[str, Any]:
        """Return JSON values from which ``from_record`` restores this exactly."""
        return {"n": self.n, "means": self.means.tolist(), "scatter": self.scatter.tolist()}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Moments:
        """Restore what ``record`` returned."""
        moments = cls(len(record["means"]), record["n"])
        moments.means = np.array(record["means"])
        moments.scatter = np.array(record["scatter"])
        return moments

    def mean(self, weights: Floats) -> Estimate:
        """Return the mean of a weighted sum of the numbers; NaN without observations."""
        if not self.n:
            return NOTHING
        error = math.sqrt(self.variance(weights) / self.n)
        return Estimate.normal(float(weights @ self.means), error, self.n)

    def variance(self, weights: Floats) -> float:
        """Return the variance of a weighted sum between observations; NaN with fewer than two."""
        if self.n < 2:
            return math.nan
        return max(0.0, float(weights @ self.scatter @ weights)) / (self.n - 1)

    def ratio(self, over: Floats, under: Floats) -> Estimate:
        """Return the ratio of two means, with its standard error to first order (delta method)."""
        below = self.mean(under).mean
        if not below:
            return NOTHING
        quotient = self.mean(over).mean / below
        error = self.mean((over - quotient * under) / below).error
        return Estimate.normal(quotient, error, self.n)
