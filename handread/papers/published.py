"""Values that a paper states, to stand beside those of its experiment.

Most results of the papers are in figures. Only what their text or a table states is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from handread.report.tables import as_prose, number
from handread.study.statistics import Estimate, FigureTable, Key

PAPER = "paper"
"""The part of a table that holds the values of a paper, where these are rows of their own."""


@dataclass(frozen=True)
class Published:
    """Values by the keys that they have in the table of their experiment."""

    place: str
    values: Mapping[Key, float]
    of: str = ""

    def __str__(self) -> str:
        return f"{self.place} ({self.of})" if self.of else self.place

    @property
    def figures(self) -> dict[Key, Estimate]:
        """The values as figures: a mean alone, of no observations of ours."""
        return {key: Estimate(value) for key, value in self.values.items()}

    def footnote(self, table: FigureTable) -> str:
        """Return a line on where the paper states values of a table, if it has any of them."""
        return "" if self.values.keys().isdisjoint(table.figures) else as_prose(f"paper: {self}")


def rows_of_kinds(table: FigureTable) -> Iterator[tuple[str, Key]]:
    """Yield the rows of the kinds of players, each with that of the paper below it."""
    stated = table.groups(PAPER)
    for kind in table.groups("kind"):
        yield kind, Key("", "", kind, "kind")
        if kind in stated:
            yield "  in the paper", Key("", "", kind, PAPER)


def range_cell(net: Estimate) -> str:
    """Return the 95% interval of an amount won."""
    low, high = (number(end, 3, sign="+") for end in (net.low, net.high))
    return low if low == "-" else f"{low} to {high}"
