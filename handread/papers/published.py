"""Values that a paper states, to stand beside the values of its experiment.

Most results of the papers are in figures; only values from text or tables are kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from handread.report.tables import as_prose, number
from handread.study.statistics import PAPER, Estimate, FigureTable, Key


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
    """Yield the rows of the kinds of players, each with the paper's row below it."""
    stated = table.groups(PAPER)
    for kind in table.groups("kind"):
        yield kind, Key("", "", kind, "kind")
        if kind in stated:
            yield "  in the paper", Key("", "", kind, PAPER)


def range_cell(net: Estimate) -> str:
    """Return the 95% interval of an amount won."""
    low, high = (number(end, 3, sign="+") for end in (net.low, net.high))
    return low if low == "-" else f"{low} to {high}"
