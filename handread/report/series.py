"""What the charts over a hand draw, on a page and in a picture alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from handread.report.value import Chance, Figure, Step


def chances_of(steps: Sequence[Step], seat: int) -> Iterator[tuple[int, Chance]]:
    """The moments at which a seat is in, with its chances to win."""
    for moment, step in enumerate(steps):
        for chance in step.chances:
            if chance.seat == seat:
                yield moment, chance


class Bar(NamedTuple):
    """What a moment told about a seat: where, from what height to what height, and why.

    ``kind`` is "cards", "bets" or "table".
    """

    moment: int
    seat: int
    foot: float
    height: float
    figure: Figure
    kind: str


def bars(
    steps: Sequence[Step], height: Callable[[Figure], float], looks_on: int | None = None
) -> Iterator[Bar]:
    """The ledger of bits: "cards" for a deal, one on the other, "bets" for an action.

    "table" is what the seat that looks on told the others, who do not know its downcards.
    ``height`` says how high bits are drawn, which may be infinite.
    """
    for moment, step in enumerate(steps):
        foot = 0.0
        for seat, news in step.news.items():
            yield Bar(moment, seat, foot, height(news), news, "cards")
            foot += height(news)
        if step.action is not None:
            row = step.action
            yield Bar(moment, row.seat, 0.0, height(row.told), row.told, "bets")
            if row.seat == looks_on:
                yield Bar(moment, row.seat, 0.0, height(row.table), row.table, "table")


def finite(figure: Figure) -> float:
    """A number of the report, 0 where it is infinite, which its words say."""
    return figure.value or 0.0
