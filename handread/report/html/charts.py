"""The charts over a hand as geometry for SVG: lines, bars and labels in user units."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from handread.report.series import Bar as Told
from handread.report.series import bars, chances_of, finite
from handread.report.value import HandReport, Step
from handread.report.words import with_unit
from handread.stud import STREET_NAMES

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 760, 44, 104, 22, 20
"""The sheet of a chart and its margins; the right one has the names at the ends of lines."""

LABEL_GAP = 14.0
"""How far apart two labels must stand."""


@dataclass(frozen=True, slots=True)
class Line:
    """A curve: the ``points`` attribute of a polyline, and where it ends."""

    seat: int
    kind: str
    points: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a line at its end; ``y`` is clear of the other labels."""

    seat: int
    text: str
    y: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the ledger; ``kind`` is "cards" or "bets"."""

    seat: int
    kind: str
    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class Band:
    """A street on the axis of moments."""

    name: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across the chart and what it stands for."""

    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart over the moments of a hand. ``first`` and ``step`` place the moments on x.

    ``marks`` are the letters of the actions, ``mark_places`` the x of each.
    """

    height: int
    first: float
    step: float
    bands: tuple[Band, ...]
    ticks: tuple[Tick, ...]
    marks: str
    mark_places: str
    lines: tuple[Line, ...] = ()
    labels: tuple[Label, ...] = ()
    bars: tuple[Bar, ...] = ()

    @property
    def floor(self) -> float:
        """Where the y of 0 is."""
        return float(self.height - BOTTOM)


class Axes:
    """Places moments and values on a chart."""

    def __init__(self, steps: Sequence[Step], height: int, top: float) -> None:
        self.steps = steps
        self.height = height
        self.top = top
        self.step = (WIDTH - LEFT - RIGHT) / max(1, len(steps))
        self.first = LEFT + self.step / 2

    def x(self, moment: int) -> float:
        """The middle of a moment."""
        return round(self.first + moment * self.step, 1)

    def y(self, value: float) -> float:
        """A value; one beyond the top stands at the top."""
        room = self.height - TOP - BOTTOM
        return round(self.height - BOTTOM - room * min(1.0, value / self.top), 1)

    def bands(self) -> tuple[Band, ...]:
        """The streets; the end of the hand belongs to the last."""
        found, at = [], 0
        for street, steps in groupby(self.steps, lambda step: step.street):
            n = len(list(steps))
            x = LEFT + at * self.step
            found.append(Band(STREET_NAMES[street], round(x, 1), round(n * self.step, 1)))
            at += n
        return tuple(found)

    def ticks(self, values: Sequence[float], words: Callable[[float], str]) -> tuple[Tick, ...]:
        """Lines across at some values."""
        return tuple(Tick(self.y(value), words(value)) for value in values)

    def line(self, seat: int, kind: str, values: Sequence[tuple[int, float]]) -> Line:
        """A curve through (moment, value); of a level stretch only the ends are kept."""
        places = [(self.x(moment), self.y(value)) for moment, value in values]
        ends = zip([None, *places[:-1]], places, [*places[1:], None], strict=True)
        kept = [at for before, at, after in ends if not _level(before, at, after)]
        points = " ".join(f"{x:g},{y:g}" for x, y in kept)
        return Line(seat, kind, points, *places[-1])

    def chart(self, ticks: tuple[Tick, ...]) -> Chart:
        """The empty chart."""
        first, step = round(self.first, 2), round(self.step, 4)
        letters = [(i, one.mark) for i, one in enumerate(self.steps) if len(one.mark) == 1]
        marks = "".join(mark for _, mark in letters)
        places = " ".join(f"{self.x(i):g}" for i, _ in letters)
        return Chart(self.height, first, step, self.bands(), ticks, marks, places)


Point = tuple[float, float]


def _level(before: Point | None, at: Point, after: Point | None) -> bool:
    """Whether a point is inside a level stretch."""
    return before is not None and after is not None and before[1] == at[1] == after[1]


def _values(steps: Sequence[Step], seat: int, kind: str) -> list[tuple[int, float]]:
    """The chances of a seat by moment, as long as it is in."""
    figures = ((moment, getattr(chance, kind)) for moment, chance in chances_of(steps, seat))
    return [(moment, figure.value) for moment, figure in figures if figure is not None]


def chances_chart(report: HandReport, steps: Sequence[Step]) -> Chart:
    """Every seat's chance to win: by the bets, by the cards alone, by all cards where known."""
    axes = Axes(steps, 260, 1.0)
    seats = [chance.seat for chance in steps[0].chances]
    lines = [
        axes.line(seat, kind, values)
        for kind in ("cards", "truth", "bets")
        for seat in seats
        if (values := _values(steps, seat, kind))
    ]
    last = axes.x(len(steps) - 1)
    ends = [line for line in lines if line.kind == "bets" and line.x == last]
    blank = axes.chart(axes.ticks((0.0, 0.25, 0.5, 0.75, 1.0), lambda p: f"{p:.0%}"))
    return replace(blank, lines=tuple(lines), labels=_labels(report, ends, axes.y(0.0)))


def _labels(report: HandReport, ends: Sequence[Line], floor: float) -> tuple[Label, ...]:
    """Names beside the ends of lines, pushed apart from below upwards."""
    found, below = [], floor + LABEL_GAP
    for line in sorted(ends, key=lambda line: -line.y):
        below = min(line.y, below - LABEL_GAP)
        found.append(Label(line.seat, report.labels[line.seat], round(below + 4, 1)))
    return tuple(found)


def entropy_chart(steps: Sequence[Step]) -> Chart:
    """How open it is who will win, in bits (Saund 2006, Figure 7): by the read, and in truth."""
    # No outcome is more open, and the scale tells nothing of the true one.
    most = math.log2(max(2, len(steps[0].chances)))
    axes = Axes(steps, 170, most * 1.05)
    lines = []
    for kind in ("open_bits", "true_bits"):
        figures = [(i, getattr(step, kind)) for i, step in enumerate(steps)]
        values = [(i, figure.value) for i, figure in figures if figure is not None]
        if values:
            lines.append(axes.line(0, "bets" if kind == "open_bits" else "truth", values))
    return replace(axes.chart(_bit_ticks(axes)), lines=tuple(lines))


def ledger_chart(report: HandReport, steps: Sequence[Step]) -> Chart:
    """What each moment told, in bits: by bets of the actor, by cards of everybody in."""
    most = max((bar.foot + bar.height for bar in bars(steps, finite)), default=0.0)
    axes = Axes(steps, 170, max(0.5, most) * 1.05)
    # What has no end reaches the top.
    told = bars(steps, lambda figure: axes.top if figure.value is None else figure.value)
    drawn = tuple(_drawn(axes, report, bar) for bar in told if bar.height > 0)
    return replace(axes.chart(_bit_ticks(axes)), bars=drawn)


def _bit_ticks(axes: Axes) -> tuple[Tick, ...]:
    return axes.ticks(_whole(axes.top), lambda bits: f"{bits:g}")


def _drawn(axes: Axes, report: HandReport, bar: Told) -> Bar:
    width = round(min(14.0, 0.7 * axes.step), 1)
    x = round(axes.x(bar.moment) - width / 2, 1)
    top, bottom = axes.y(bar.foot + bar.height), axes.y(bar.foot)
    title = f"{report.labels[bar.seat]}: {with_unit(bar.figure.words)}"
    return Bar(bar.seat, bar.kind, x, top, width, round(bottom - top, 1), title)


def _whole(top: float) -> list[float]:
    """Round values up to a top, five at the most."""
    for gap in (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0):
        if top / gap <= 5:
            return [gap * i for i in range(int(top / gap) + 1)]
    return [0.0, top]
