"""Means over rows of the tables, clustered by hand.

The rows of a hand are correlated, so a mean over rows is the ratio of two sums over hands, with the
error of ``ratio_scatter``. The sums are computed part by part: only one part and the groups are in
memory. They are exact: neither the number of parts nor the order of threads changes a digit.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import polars as pl

from handread.parallel import RunError
from handread.study.statistics import FLOOR, NOTHING, Estimate, ratio_scatter
from handread.tables.read import Tables

HAND = ("file", "line")
"""The columns that identify a hand."""

GRAIN = 2.0**-60
"""The unit of sums: integers of 128 bits hold sums up to 1e20."""

LIMITS: Mapping[str, tuple[float, float]] = {
    "surprise_bits": (0.0, math.inf),
    "surprise_bits_an_action": (0.0, math.inf),
    "told_bits_a_hand": (0.0, math.inf),
    "rank_share_of_truth": (0.0, 1.0),
    "rank_share_of_truth_with_folded": (0.0, 1.0),
}
"""The minimum and maximum of a figure; intervals are clipped to them."""

_SUMS = ("hands", "n", "infinite", "s", "ss", "sn", "nn")
"""Sums of a figure in a group: numbers of hands with values, of values and of infinite values, then
of s, s*s, s*n and n*n over hands, for the sum s and the number n of a hand's values. The loss by
cancellation is far below the seven digits of the tables."""


def batches(tables: Tables) -> Sequence[Tables]:
    """Return the tables of each part (once without parts); no hand spans two parts."""
    return [replace(tables, parts=(part,)) for part in tables.parts] or [tables]


def grains(value: pl.Expr, grain: float = GRAIN) -> pl.Expr:
    """Return finite numbers as integer multiples of a grain, whose sum is exact in any order."""
    return (value / grain).cast(pl.Int128)


def added_up(parts: Sequence[pl.DataFrame], by: str) -> pl.DataFrame:
    """Add up the sums of several parts, grouped by the column ``by``."""
    return pl.concat(parts).group_by(by).agg(pl.all().sum())


def total(value: pl.Expr) -> pl.Expr:
    """Return the sum of numbers, the same in any order."""
    number = value.cast(pl.Float64)
    finite = grains(pl.when(number.is_finite()).then(number)).sum().cast(pl.Float64) * GRAIN
    return finite + pl.when(~number.is_finite()).then(number).sum()


@contextmanager
def reading_errors(tables: Tables) -> Iterator[None]:
    """Raise ``RunError`` if polars cannot read the tables."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = str(error).partition("\n")[0]  # without the plan of the query below it
        raise RunError(f"{tables.folder}: cannot be read: {reason}") from None


class Means:
    """The means of some figures by group, over batches of hands.

    ``by`` is the column of the group (null is a group, too), ``figures`` the columns of values;
    nulls are ignored. Infinite values are floored in columns with "bits" in their names.
    ``shares`` are the figures that are zeros and ones.
    """

    def __init__(self, by: str, figures: Sequence[str], shares: Collection[str] = ()) -> None:
        self._by = by
        self._figures = list(figures)
        self._shares = frozenset(shares)
        self._sums: list[pl.DataFrame] = []

    def add(self, values: pl.LazyFrame) -> None:
        """Add rows of whole hands not added before."""
        of_hands = (part for figure in self._figures for part in _hand_sums(figure))
        of_groups = (part for figure in self._figures for part in _group_sums(figure))
        groups = values.group_by(*HAND, self._by).agg(*of_hands).group_by(self._by).agg(*of_groups)
        self._sums = [added_up([*self._sums, groups.collect(engine="streaming")], self._by)]

    def groups(self) -> pl.DataFrame:
        """Return ``figure``, ``n``, ``hands``, ``infinite``, ``mean`` and ``error`` of the groups.

        Rows are sorted by ``by``, without figures that have no value in a group. Add rows before.
        """
        in_units = pl.col(pl.Int128).cast(pl.Float64) * GRAIN
        sums = self._sums[0].with_columns(in_units).sort(self._by)
        by_figure = (self._of_figure(sums, figure) for figure in self._figures)
        hands, n, ratio = pl.col("hands"), pl.col("n"), pl.col("s") / pl.col("n")
        scatter = ratio_scatter(ratio, *map(pl.col, ("ss", "sn", "nn")))
        error = (scatter.clip(lower_bound=0.0) * hands / (hands - 1)).sqrt() / n
        return (
            pl.concat(by_figure)
            .filter(hands > 0)
            .select(
                *(self._by, "figure", "n", "hands", "infinite"),
                mean=ratio,
                error=pl.when(hands > 1).then(error).otherwise(math.nan),
            )
        )

    def _of_figure(self, sums: pl.DataFrame, figure: str) -> pl.DataFrame:
        columns = (pl.col(f"{figure} {name}").alias(name) for name in _SUMS)
        return sums.select(self._by, pl.lit(figure).alias("figure"), *columns)

    def means(self) -> dict[Any, dict[str, Estimate]]:
        """Return the means by the cell of ``by`` (a tuple for a struct), then by figure."""
        by_cell: dict[Any, dict[str, Estimate]] = {}
        for group, figure, n, hands, infinite, mean, error in self.groups().iter_rows():
            key = tuple(group.values()) if isinstance(group, dict) else group
            means = by_cell.setdefault(key, dict.fromkeys(self._figures, NOTHING))
            if figure in self._shares:
                means[figure] = Estimate.share(mean, error, n, hands)
            else:
                limits = LIMITS.get(figure, ())
                means[figure] = Estimate.student(mean, error, n, hands, infinite, *limits)
        return by_cell


def _hand_sums(figure: str) -> Iterator[pl.Expr]:
    """Yield the number n, the sum s and the infinite values of a figure in a hand."""
    value = pl.col(figure).cast(pl.Float64)
    floored = value.clip(-FLOOR, FLOOR) if "bits" in figure else value
    n = value.count()
    yield n.cast(pl.Float64).alias(f"{figure} n")
    yield pl.when(n > 0).then(total(floored)).alias(f"{figure} s")
    yield value.is_infinite().sum().alias(f"{figure} infinite")


def _group_sums(figure: str) -> Iterator[pl.Expr]:
    """Yield ``_SUMS`` of a figure from the sums of its hands."""
    s, n = pl.col(f"{figure} s"), pl.col(f"{figure} n")
    sums = {
        "hands": s.count().cast(pl.Int64),
        "n": n.sum().cast(pl.Int64),
        "infinite": pl.col(f"{figure} infinite").sum().cast(pl.Int64),
        "s": grains(s).sum(),
        "ss": grains(s * s).sum(),
        "sn": grains(s * n).sum(),
        "nn": (n * n).sum(),  # whole numbers, exact without grains
    }
    return (expr.alias(f"{figure} {name}") for name, expr in sums.items())
