"""Statistics of hands: a type for a mean with its interval, and tables of such means.

The actions and stages of one hand are correlated, so every error and interval here is clustered by
hand (or by simulated game): hands are the sampling units.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from handread.arrays import Floats, Ints
from handread.extras import need
from handread.game.rules import ALL_STAGES, GAMES, STAGES

if TYPE_CHECKING:
    import polars as pl

Number = TypeVar("Number", float, Fraction, "pl.Expr")

FLOOR = 40.0
"""The bits that an infinite value, or any larger one, counts as: 2**-40 is about 1e-12."""

NORMAL_975 = 1.96

T_QUANTILES = (
    math.inf, 12.706204736174694, 4.302652729749462, 3.1824463052837078,
    2.7764451051977934, 2.5705818356363146, 2.4469118511449786, 2.364624251592784,
    2.306004135204166, 2.262157162798205, 2.228138851986274, 2.200985160091639,
    2.1788128296672284, 2.1603686564627913, 2.144786687917804, 2.131449545559776,
    2.1199052992212546, 2.1098155778333156, 2.1009220402410382, 2.0930240544083087,
)  # fmt: skip
"""The 97.5% quantiles of Student's t by degrees of freedom, from 0."""

T_TERMS = (1.95996398, 2.37227123, 2.82249862, 2.55584968, 1.58953405)
"""The quantile for 20 degrees or more, by powers of one over them, to a part in ten million.

Abramowitz and Stegun 1964, 26.7.5. Importing the exact quantile takes a quarter of a second.
"""

FEWEST_HANDS = 5
"""The fewest hands for an interval of Student's t: with fewer it is too wide to be useful."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error and 95% interval; NaN if undefined.

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

    def __post_init__(self) -> None:
        """Use one NaN object, so that equal estimates are equal."""
        for name in ("mean", "error", "low", "high"):
            if math.isnan(getattr(self, name)):
                object.__setattr__(self, name, math.nan)

    @property
    def exact(self) -> Estimate:
        """This estimate, without mean and interval if any value is infinite."""
        if not self.infinite:
            return self
        return replace(NOTHING, n=self.n, hands=self.hands, infinite=self.infinite)

    @classmethod
    def normal(cls, mean: float, error: float, hands: int = 0) -> Estimate:
        """Return a mean over many hands, with the interval of a normal distribution."""
        reach = NORMAL_975 * error
        return cls(mean, error, mean - reach, mean + reach, n=hands, hands=hands)

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

        Fewer than ``FEWEST_HANDS`` hands have no interval.
        """
        if hands < FEWEST_HANDS:
            return cls(mean, error, n=n, hands=hands, infinite=infinite)
        reach = t_quantile(hands - 1) * error
        low, high = max(least, mean - reach), min(most, mean + reach)
        return cls(mean, error, low, high, n=n, hands=hands, infinite=infinite)

    @classmethod
    def share(cls, mean: float, error: float, n: int, hands: int) -> Estimate:
        """Return a mean of zeros and ones with a Wilson interval (Wilson 1927).

        The values count as the number of independent values that would have this error. The
        quantile is from Student's t.
        """
        if hands < FEWEST_HANDS:
            return cls(mean, error, n=n, hands=hands)
        square = error**2
        certain = not 0.0 < mean < 1.0
        trials = hands if certain else min(n, mean * (1 - mean) / square if square else math.inf)
        low, high = wilson_interval(mean, trials, t_quantile(hands - 1))
        return cls(mean, error, low, high, n=n, hands=hands)


NOTHING = Estimate(math.nan)


def wilson_interval(mean: float, trials: float, quantile: float) -> tuple[float, float]:
    """Return the interval of a share (Wilson 1927), given the quantile of its distribution."""
    z2 = quantile**2 / trials
    middle = (mean + z2 / 2) / (1 + z2)
    reach = math.sqrt(z2 * mean * (1 - mean) + z2 * z2 / 4) / (1 + z2)
    return max(0.0, min(mean, middle - reach)), min(1.0, max(mean, middle + reach))


def t_quantile(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t; infinite for 0 degrees of freedom."""
    if freedom < len(T_QUANTILES):
        return T_QUANTILES[freedom]
    return math.fsum(term / freedom**power for power, term in enumerate(T_TERMS))


def ratio_scatter(ratio: Number, ss: Number, sn: Number, nn: Number) -> Number:
    """Return the sum over hands of (s - ratio * n)**2, for the error of a ratio.

    The mean of values in hands of different size is the ratio of two sums over hands. Its standard
    error to first order is sqrt(scatter * hands / (hands - 1)) / sum(n) (Cochran 1977, chapter 6).

    ``ratio`` is sum(s) / sum(n), with s the values of a hand and n their number; ``ss``, ``sn`` and
    ``nn`` are the sums over hands of s * s, s * n and n * n.
    """
    return ss - 2 * ratio * sn + ratio * ratio * nn


@dataclass(slots=True)
class Moments:
    """The mean and the scatter of ``n`` vectors of numbers, one vector an observation.

    ``scatter`` (size, size) sums the products of deviations from the mean; it is carried from
    observation to observation, because sums of squares would cancel (Chan, Golub and LeVeque).
    Raise ``ValueError`` for values that no moments can have.
    """

    n: int
    means: Floats
    scatter: Floats

    def __post_init__(self) -> None:
        """Check the shapes and the number."""
        square = self.means.ndim == 1 and self.scatter.shape == self.means.shape * 2
        if not (square and 0 <= self.n < 2**63):
            raise ValueError("no moments")

    @classmethod
    def none(cls, size: int) -> Moments:
        """Return the moments of no vectors."""
        return cls(0, np.zeros(size), np.zeros((size, size)))

    @property
    def size(self) -> int:
        """The size of the vectors."""
        return len(self.means)

    def add(self, values: Iterable[float]) -> None:
        """Count one more vector."""
        vector = np.fromiter(values, np.float64, self.size)
        self.n += 1
        before = vector - self.means
        self.means += before / self.n
        self.scatter += np.outer(before, vector - self.means)

    def merge(self, other: Moments) -> None:
        """Add another's observations; raise ``ValueError`` if they have another size."""
        if self.size != other.size:
            raise ValueError("moments of other vectors")
        n = self.n + other.n
        if n:
            apart = other.means - self.means
            self.scatter += other.scatter + np.outer(apart, apart) * (self.n * other.n / n)
            self.means += apart * (other.n / n)
            self.n = n

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """Return the moments of vectors, (n, size)."""
        if not len(values):
            return cls.none(values.shape[1])
        means = values.mean(axis=0)
        apart = values - means
        return cls(len(values), means, np.einsum("ni,nj->ij", apart, apart))

    @property
    def totals(self) -> list[float]:
        """The sums of the numbers over all observations."""
        totals: list[float] = (self.n * self.means).tolist()
        return totals

    def mean(self, weights: Floats) -> Estimate:
        """Return the mean of a weighted sum of the numbers; NaN without observations."""
        if not self.n:
            return NOTHING
        error = math.sqrt(self.variance(weights) / self.n)
        return Estimate.student(float(weights @ self.means), error, self.n, self.n)

    def variance(self, weights: Floats) -> float:
        """Return the variance of a weighted sum between observations; NaN for fewer than two."""
        if self.n < 2:
            return math.nan
        return max(0.0, float(weights @ self.scatter @ weights)) / (self.n - 1)

    @property
    def variances(self) -> list[float]:
        """The variance of each number."""
        return [self.variance(unit) for unit in np.eye(self.size)]

    def ratio(self, over: Floats, under: Floats) -> Estimate:
        """Return the ratio of two means, with its error by ``ratio_scatter``.

        If a few large observations decide a ratio, its error is no better known than from those.
        So the interval is Student's t for the equivalent number of observations of equal
        weight: the square of the sum of the weights over the sum of their squares (Kish 1965).
        ``tests.interval_coverage`` measures how often it covers the truth.
        """
        below = self.mean(under).mean
        if not below:
            return NOTHING
        quotient = self.mean(over).mean / below
        estimate = self.mean((over - quotient * under) / below)
        if self.n < FEWEST_HANDS:
            return replace(estimate, mean=quotient)
        uneven = self.variance(under) * (self.n - 1) / self.n / below**2
        reach = t_quantile(max(1, int(self.n / (1.0 + uneven)) - 1)) * estimate.error
        return replace(estimate, mean=quotient, low=quotient - reach, high=quotient + reach)


BINS = 10
"""The number of bins of chances in a reliability table, 0 to 10%, 10 to 20% and so on."""

ROUNDING = 1e-9
"""Rounding error, in bins, of a chance at a limit."""

BIN_NAMES = tuple(f"{100 * at // BINS} to {100 * (at + 1) // BINS}%" for at in range(BINS))


def bin_of(chance: float) -> int:
    """Return the bin of a chance; at a limit, up to rounding, the bin above."""
    return min(int(chance * BINS + ROUNDING), BINS - 1)


def bins_of(chances: Floats) -> Ints:
    """Return the bins of chances."""
    return np.minimum((chances * BINS + ROUNDING).astype(np.int64), BINS - 1)


def bin_figures(kind: str, bins: Iterable[tuple[Any, ...]]) -> dict[Key, Estimate]:
    """Return the rows of a reliability table of a kind of event: mean chance and outcome.

    A bin has its number, the events, the sums of chances and of outcomes, the sum over hands of the
    squared excess of outcomes over chances, and the number of hands. Events of one hand are
    correlated, so the error is the error of the excess from hand to hand; the interval is from
    ``Estimate.share``.
    """
    figures = {}
    for place, events, chances, outcomes, squares, hands in bins:
        n = round(events)
        error = math.sqrt(squares) / n if hands > 1 else math.nan
        figures[Key("chance", group=BIN_NAMES[place], about=kind)] = Estimate(
            chances / n, n=n, hands=hands
        )
        happened = Estimate.share(outcomes / n, error, n, hands)
        figures[Key("came_true", group=BIN_NAMES[place], about=kind)] = happened
    return figures


class Key(NamedTuple):
    """The place of a figure in a table: its name with its unit, and its subject.

    ``stage`` is 3D to 7B; ``group`` the players, reader, observer or bin; ``about`` the part of a
    larger table. All are empty where they do not matter.
    """

    figure: str
    stage: str = ""
    group: str = ""
    about: str = ""

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers in its group and part, by the names in ``NUMBERS``."""
        numbers = {}
        for name, pattern in NUMBERS.items():
            if match := re.search(pattern, f"{self.group}|{self.about}"):
                text = next(filter(None, match.groups()))
                place = BIN_NAMES.index(text) if name == "bin" else int(text.replace(",", ""))
                numbers[name] = place
        return numbers


Figures = Mapping[Key, Estimate]

PAPER = "paper"
"""The part of a table that holds the values of a paper."""

NUMBERS = {
    "bin": rf"^({'|'.join(BIN_NAMES)})\|",
    "game": r"^(\d+)\|$",
    "games": r"([\d,]+) (?:games|deals|hands)\b|\|(?:deals [\d,]+ to )?([\d,]+)$",
    "seat": r"^(?:seat|player) (\d+)|^\S+-(\d+)\|player$",
}
"""The numbers in a key's group and part: a bin from 0, a game, of how many, a seat."""

COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("about", "group", "stage", "figure"), "String"),
    **dict.fromkeys((*NUMBERS, "n", "hands"), "Int64"),
    **dict.fromkeys(("mean", "error", "low", "high"), "Float64"),
    "infinite": "Int64",
    "paper": "Float64",
}
"""The columns of a table of figures, and their types in polars."""

SHOWN = 60
"""The most figures that a notebook shows of a table."""


def stages_with(seen: Container[str]) -> tuple[str, ...]:
    """Return all stages of the games that have the stages seen, in order.

    2nd street is of five-card stud alone, 6th and 7th street of the games with seven cards.
    """
    by_game = [{*game.stages} for game in GAMES.values()]
    common = set.intersection(*by_game)
    played = [stages for stages in by_game if any(stage in seen for stage in stages - common)]
    shown = set.union(*played) if played else {*STAGES}
    return tuple(stage for stage in ALL_STAGES if stage in shown)


@dataclass(frozen=True)
class FigureTable:
    """A result: some facts, and figures by key.

    Attributes:
        figures: The figures, by name, stage, group of players, and part of the table (``figure``,
            ``stage``, ``group``, ``about``).
    """

    figures: Figures = field(repr=False)

    def _repr_html_(self) -> str:
        import polars as pl

        with pl.Config(tbl_rows=SHOWN):
            return f"<p>{escape(repr(self))}</p>{self.to_frame()._repr_html_()}"

    def at(self, figure: str, stage: str = "", group: str = "", about: str = "") -> Estimate:
        """Return a figure.

        Args:
            figure: Its name, with its unit.
            stage: The stage, such as "5B"; empty for all.
            group: The players, reader or bin that it is about; empty for all.
            about: The part of the table; empty if there is one part.

        Returns:
            The figure; one with n = 0 and a mean of NaN if the table lacks it.
        """
        return self.figures.get(Key(figure, stage, group, about), NOTHING)

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages of its rows, in order."""
        return stages_with({key.stage for key in self.figures})

    def groups(self, about: str) -> list[str]:
        """Return the groups of a part of the table, in order.

        Args:
            about: The part; empty if there is one part.
        """
        return list(dict.fromkeys(key.group for key in self.figures if key.about == about))

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows as plain values; None for a missing number or an empty text."""
        rows = []
        for key, estimate in self.figures.items():
            row = key._asdict() | key.numbers | asdict(estimate)
            places = key._replace(about=PAPER), key._replace(figure=f"{PAPER}_{key.figure}")
            for stated in filter(self.figures.get, places):
                row[PAPER] = self.figures[stated].mean
            told = {name: value for name, value in row.items() if value != ""}
            rows.append({name: _plain(told.get(name)) for name in COLUMNS})
        return rows

    def to_frame(self) -> pl.DataFrame:
        """Return the figures as a tidy polars frame, one row per figure.

        The columns are about, group, stage and figure; bin, game, games and seat, which are the
        numbers in group and about; n, hands, mean, error, low, high and infinite; and paper, the
        value that a paper states. Null means no number.
        """
        need("polars")
        import polars as pl

        schema = {name: getattr(pl, kind) for name, kind in COLUMNS.items()}
        return pl.DataFrame(self.rows(), schema)

    def to_dict(self) -> dict[str, Any]:
        """Return the facts and the rows as JSON values."""
        facts = {each.name: getattr(self, each.name) for each in fields(self)[1:]}
        return {name: _plain(value) for name, value in facts.items()} | {"figures": self.rows()}


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, FigureTable):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value
