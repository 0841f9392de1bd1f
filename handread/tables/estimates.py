"""Means over rows of the tables, clustered by hand.

The rows of a hand are correlated. A mean over rows is therefore treated as the ratio of two sums
over hands, with the error of ``ratio_scatter``. The sums are computed batch by batch, so that only
one batch and the groups are in memory.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from handread.parallel import RunError
from handread.study.statistics import FLOOR, NOTHING, Estimate, ratio_scatter
from handread.tables import STAGE_TABLE
from handread.tables.read import Tables
from handread.tables.store import in_groups

HAND = ("file", "line")
"""The columns that identify a hand."""

BATCH_ROWS = 250_000
"""The rows of the table of stages in a batch: some ten thousand hands."""

LIMITS: Mapping[str, tuple[float, float]] = {
    "surprise_bits": (0.0, math.inf),
    "surprise_bits_an_action": (0.0, math.inf),
    "told_bits_a_hand": (0.0, math.inf),
    "rank_share_of_truth": (0.0, 1.0),
    "rank_share_of_truth_with_folded": (0.0, 1.0),
}
"""The minimum and maximum of a figure; intervals are clipped to them."""

MORE_ROWS = 100_000
"""The minimum number of rows of sums collected before they are added up."""


def batches(tables: Tables) -> Iterator[Tables]:
    """Yield the tables a few parts at a time (once if there are none); no hand spans two parts."""

    def rows(part: Path) -> int:
        return replace(tables, parts=(part,)).count(STAGE_TABLE)

    for parts in in_groups(tables.parts, rows, BATCH_ROWS):
        yield replace(tables, parts=tuple(parts))
    if not tables.parts:
        yield tables


@contextmanager
def reading_errors(tables: Tables) -> Iterator[None]:
    """Raise ``RunError`` if polars cannot read the tables."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = str(error).partition("\n")[0]
        raise RunError(f"{tables.folder}: cannot be read: {reason}") from None


class Means:
    """The means of some figures by group, over batches of hands.

    The column ``by`` holds the group (empty is also a group); ``figures`` are the columns with
    values; empty cells are ignored. Infinite values are floored in columns with "bits" in their
    names. ``shares`` are the figures that are zeros and ones.
    """

    def __init__(self, by: str, figures: Sequence[str], shares: Collection[str] = ()) -> None:
        self._by = by
        self._figures = list(figures)
        self._shares = frozenset(shares)
        self._sums: list[pl.DataFrame] = []
        self._few = 0  # rows that the first of the sums may come to before they are added up

    def add(self, values: pl.LazyFrame) -> None:
        """Add rows of whole hands, none of which was added before."""
        hands = values.group_by(*HAND, self._by).agg(
            *(part for figure in self._figures for part in _of_hand(figure))
        )
        groups = hands.group_by(self._by).agg(
            *(part for figure in self._figures for part in _of_group(figure))
        )
        self._sums.append(groups.collect(engine="streaming"))
        if sum(frame.height for frame in self._sums) > self._few:
            self._few = MORE_ROWS + 2 * self._added().height

    def _added(self) -> pl.DataFrame:
        together = pl.concat(self._sums).group_by(self._by).agg(pl.all().sum())
        self._sums = [together]
        return together

    def groups(self) -> pl.DataFrame:
        """Return the groups: ``figure``, ``n``, ``hands``, ``infinite``, ``mean`` and ``error``.

        They are sorted by ``by``. Figures for which a group has no value are omitted.
        """
        sums = self._added().sort(self._by)
        columns = (self._of(sums, figure) for figure in self._figures)
        k, n, ratio = pl.col("hands"), pl.col("n"), pl.col("s") / pl.col("n")
        scatter = ratio_scatter(ratio, *map(pl.col, ("ss", "sn", "nn")))
        error = (scatter.clip(lower_bound=0.0) * k / (k - 1)).sqrt() / n
        return (
            pl.concat(columns)
            .filter(k > 0)
            .select(
                *(self._by, "figure", "n", "hands", "infinite"),
                mean=ratio,
                error=pl.when(k > 1).then(error).otherwise(math.nan),
            )
        )

    def _of(self, sums: pl.DataFrame, figure: str) -> pl.DataFrame:
        columns = (pl.col(f"{figure} {name}").alias(name) for name in _SUMS)
        return sums.select(self._by, pl.lit(figure).alias("figure"), *columns)

    def means(self, groups: pl.DataFrame | None = None) -> dict[Any, dict[str, Estimate]]:
        """Return the means of some or all groups, by the cell of ``by`` and the figure.

        A cell that is a struct becomes a tuple.
        """
        chosen = self.groups() if groups is None else groups
        found: dict[Any, dict[str, Estimate]] = {}
        columns = (self._by, "figure", "mean", "error", "n", "hands", "infinite")
        for group, figure, *numbers in chosen.select(columns).iter_rows():
            key = tuple(group.values()) if isinstance(group, dict) else group
            means = found.setdefault(key, dict.fromkeys(self._figures, NOTHING))
            if figure in self._shares:
                means[figure] = Estimate.share(*numbers[:-1])
            else:
                means[figure] = Estimate.student(*numbers, *LIMITS.get(figure, ()))
        return found


_SUMS = ("hands", "n", "infinite", "s", "ss", "sn", "nn")
"""Sums of a figure in a group: the number of hands with values, of values and of infinite ones, and
the sums over hands of s, s squared, s times n and n squared, where s is the sum and n the number of
values of a hand. The loss by cancellation is far below the seven digits of the tables."""


def _of_hand(figure: str) -> Iterator[pl.Expr]:
    """Yield the sums over the rows of a hand: n, infinite values and s; s is empty if n is 0."""
    value = pl.col(figure).cast(pl.Float64)
    floored = value.clip(-FLOOR, FLOOR) if "bits" in figure else value
    there = value.count()
    yield there.cast(pl.Float64).alias(f"{figure} n")
    yield pl.when(there > 0).then(floored.sum()).alias(f"{figure} s")
    yield value.is_infinite().sum().alias(f"{figure} infinite")


def _of_group(figure: str) -> Iterator[pl.Expr]:
    s, n = pl.col(f"{figure} s"), pl.col(f"{figure} n")
    sums = {
        "hands": s.count().cast(pl.Int64),
        "n": n.sum().cast(pl.Int64),
        "infinite": pl.col(f"{figure} infinite").sum().cast(pl.Int64),
        "s": s.sum(),
        "ss": (s * s).sum(),
        "sn": (s * n).sum(),
        "nn": (n * n).sum(),
    }
    return (expr.alias(f"{figure} {name}") for name, expr in sums.items())
