"""The geometry of the charts on a page, in units of the SVG view box."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import NamedTuple

from handread.game.rules import STREET_NAMES
from handread.report.index import CHIPS, IndexRow
from handread.report.overview import by_purse, signed_size
from handread.report.shown_values import (
    BitsBar,
    HandReport,
    StepPart,
    bits_bars,
    chances_of,
    finite,
)
from handread.report.what_if import DecisionFigures, LedgerFigures
from handread.report.words import LEAST_BITS, with_unit

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 760, 44, 104, 22, 20
"""The width of a chart and its margins; the names of the lines are in the right one."""

OPTION_WIDTH = 400
"""The width of the bars of a decision's options."""

CURVE_WIDTH, CURVE_HEIGHT = 1000, 240
"""The size of the curve of results; the page stretches its width."""

MOST_CURVES = 3
"""The number of currencies and tournaments whose results are drawn."""

MOST_POINTS = 600
"""A curve of more points leaves some out."""

LABEL_GAP = 14.0
"""The least distance between two labels."""


class Line(NamedTuple):
    """A curve: the ``points`` attribute of a polyline, and its end."""

    seat: int
    kind: str
    points: str
    x: float
    y: float


class Label(NamedTuple):
    """The name of a line beside its end; ``y`` is clear of the other labels."""

    seat: int
    text: str
    y: float


class Bar(NamedTuple):
    """A bar of bits; ``kind`` as in ``BitsBar``."""

    seat: int
    kind: str
    x: float
    y: float
    width: float
    height: float
    title: str


class Band(NamedTuple):
    """A street on the axis of moments."""

    name: str
    x: float
    width: float


class Tick(NamedTuple):
    """A horizontal grid line and its label."""

    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart over the moments of a hand; TimelinePoint ``i`` is at x = ``first + i * step``.

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
        """The y of 0."""
        return float(self.height - BOTTOM)


@dataclass(frozen=True, slots=True)
class ResultCurve:
    """Your result over a session, hand by hand, with and without the luck of the cards.

    ``numbers`` are of the hands; ``tournament`` is empty for money. ``net`` and ``adjusted`` (empty
    without ledgers) are ``points`` of lines ``CURVE_WIDTH`` wide; ``words`` states both ends.
    """

    numbers: tuple[int, ...]
    tournament: str
    net: str
    adjusted: str
    ticks: tuple[Tick, ...]
    zero: float
    net_words: str
    adjusted_words: str
    left_out: int

    @property
    def hands(self) -> int:
        """The number of hands in it."""
        return len(self.numbers)


class OptionBar(NamedTuple):
    """The bar of a value: where it lies, its interval, and the place of 0."""

    x: int
    width: int
    zero: int
    low: int
    high: int


class _Scale:
    """Maps moments and values to places on a chart; ``top`` is the greatest value."""

    def __init__(self, steps: Sequence[StepPart], height: int, top: float) -> None:
        self.steps = steps
        self.height = height
        self.top = top
        self.step = (WIDTH - LEFT - RIGHT) / max(1, len(steps))
        self.first = LEFT + self.step / 2

    def x(self, moment: int) -> float:
        return round(self.first + moment * self.step, 1)

    def y(self, value: float) -> float:
        """Return the y of a value, at most the y of ``top``."""
        room = self.height - TOP - BOTTOM
        return round(self.height - BOTTOM - room * min(1.0, value / self.top), 1)

    def line(self, seat: int, kind: str, values: Sequence[tuple[int, float]]) -> Line:
        """Return a curve through (moment, value), without the points inside level stretches."""
        places = [(self.x(moment), self.y(value)) for moment, value in values]
        kept = [
            (x, y)
            for i, (x, y) in enumerate(places)
            if not (0 < i < len(places) - 1 and places[i - 1][1] == y == places[i + 1][1])
        ]
        return Line(seat, kind, " ".join(f"{x:g},{y:g}" for x, y in kept), *places[-1])

    def chart(self, ticks: Sequence[float], words: Callable[[float], str]) -> Chart:
        marked = [
            (step.mark, self.x(i)) for i, step in enumerate(self.steps) if len(step.mark) == 1
        ]
        return Chart(
            height=self.height,
            first=round(self.first, 2),
            step=round(self.step, 4),
            bands=tuple(self._bands()),
            ticks=tuple(Tick(self.y(value), words(value)) for value in ticks),
            marks="".join(mark for mark, _ in marked),
            mark_places=" ".join(f"{x:g}" for _, x in marked),
        )

    def _bands(self) -> Iterator[Band]:
        at = 0
        for street, steps in groupby(self.steps, lambda step: step.street):
            n = len(list(steps))
            x = round(LEFT + at * self.step, 1)
            yield Band(STREET_NAMES[street], x, round(n * self.step, 1))
            at += n

    def bits_chart(self) -> Chart:
        """Return an empty chart with ticks for bits, at most five above 0."""
        gaps = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
        gap = next((gap for gap in gaps if self.top / gap <= 5), self.top)
        return self.chart([gap * i for i in range(int(self.top / gap) + 1)], "{:g}".format)


def chances_chart(report: HandReport, steps: Sequence[StepPart]) -> Chart:
    """Return every seat's chance to win: by the bets, by the cards alone, and in truth."""
    scale = _Scale(steps, 260, 1.0)
    lines = [
        scale.line(seat, kind, values)
        for kind in ("cards", "truth", "bets")
        for seat in steps[0].chances
        if (values := _chances(steps, seat, kind))
    ]
    last = scale.x(len(steps) - 1)
    ends = [line for line in lines if line.kind == "bets" and line.x == last]
    blank = scale.chart((0.0, 0.25, 0.5, 0.75, 1.0), "{:.0%}".format)
    return replace(blank, lines=tuple(lines), labels=_labels(report, ends, scale.y(0.0)))


def _chances(steps: Sequence[StepPart], seat: int, kind: str) -> list[tuple[int, float]]:
    figures = ((moment, getattr(chance, kind)) for moment, chance in chances_of(steps, seat))
    return [(moment, figure.value) for moment, figure in figures if figure is not None]


def _labels(report: HandReport, ends: Sequence[Line], floor: float) -> tuple[Label, ...]:
    """Return names beside the ends of lines, moved up where they would overlap."""
    labels, below = [], floor + LABEL_GAP
    for line in sorted(ends, key=lambda line: -line.y):
        below = min(line.y, below - LABEL_GAP)
        labels.append(Label(line.seat, report.labels[line.seat], round(below + 4, 1)))
    return tuple(labels)


def entropy_chart(steps: Sequence[StepPart]) -> Chart:
    """Return the entropy of the outcome (Saund 2006, Figure 7), by the read and in truth."""
    # The greatest possible entropy: a scale by the data would reveal the true entropy.
    most = math.log2(max(2, len(steps[0].chances)))
    scale = _Scale(steps, 170, most * 1.05)
    by_read = [(i, finite(step.open_bits)) for i, step in enumerate(steps)]
    true = [(i, finite(s.true_bits)) for i, s in enumerate(steps) if s.true_bits is not None]
    lines = (scale.line(0, kind, v) for kind, v in (("bets", by_read), ("truth", true)) if v)
    return replace(scale.bits_chart(), lines=tuple(lines))


def bits_chart(report: HandReport, steps: Sequence[StepPart]) -> Chart:
    """Return the bits at each moment: from bets about the actor, from cards about all players."""
    most = max((bits.base + bits.height for bits in bits_bars(steps, finite)), default=0.0)
    scale = _Scale(steps, 170, max(0.5, most) * 1.05)
    # Infinite bits reach the top.
    told = bits_bars(steps, lambda figure: scale.top if figure.value is None else figure.value)
    bars = tuple(_bar(scale, report, bits) for bits in told if bits.height >= LEAST_BITS)
    return replace(scale.bits_chart(), bars=bars)


def _bar(scale: _Scale, report: HandReport, bits: BitsBar) -> Bar:
    width = round(min(14.0, 0.7 * scale.step), 1)
    x = round(scale.x(bits.moment) - width / 2, 1)
    top = scale.y(bits.base + bits.height)
    height = round(scale.y(bits.base) - top, 1)
    title = f"{report.labels[bits.seat]}: {with_unit(bits.figure.words)}"
    return Bar(bits.seat, bits.kind, x=x, y=top, width=width, height=height, title=title)


def result_curves(rows: Sequence[IndexRow]) -> tuple[ResultCurve, ...]:
    """Return the curves of your results, those with most hands first, ``MOST_CURVES`` at most.

    Currencies and tournaments with two finished hands of yours have a curve. Hands without a ledger
    are in neither line, but while hands are pending, there is only the line of all results.
    """
    purses = by_purse(row for row in rows if row.has_result)
    longest = sorted(purses, key=lambda own: -len(own))[:MOST_CURVES]
    return tuple(filter(None, map(_result_curve, longest)))


def _result_curve(ended: Sequence[IndexRow]) -> ResultCurve | None:
    """Return the curve of hands in one currency or tournament; None for fewer than two."""
    valued = [row for row in ended if row.adjusted is not None]
    if any(row.pending for row in ended):
        valued = []
    drawn = valued or ended
    if len(drawn) < 2:
        return None
    unit = drawn[0].unit
    sums = [list(accumulate((row.net or 0.0 for row in drawn), initial=0.0))]
    if valued:
        sums.append(list(accumulate((row.adjusted or 0.0 for row in drawn), initial=0.0)))
    values = [value for line in sums for value in line]
    low, high = min(values), max(values)
    room = CURVE_HEIGHT - TOP - BOTTOM

    def y(value: float) -> float:
        return round(TOP + room * (high - value) / ((high - low) or 1.0), 1)

    lines = [_curve_points(line, y) for line in sums]
    words = [signed_size(unit, line[-1]) for line in sums]
    return ResultCurve(
        numbers=tuple(row.number for row in drawn),
        tournament=drawn[0].tournament if unit == CHIPS else "",
        net=lines[0],
        adjusted=lines[1] if valued else "",
        ticks=tuple(
            Tick(y(v), signed_size(unit, v) if v else "0") for v in _round_values(low, high)
        ),
        zero=y(0.0),
        net_words=words[0],
        adjusted_words=words[1] if valued else "",
        left_out=len(ended) - len(drawn),
    )


def _curve_points(line: Sequence[float], y: Callable[[float], float]) -> str:
    """Return the points of a curve; of a long one some are left out, but never the last."""
    n = len(line) - 1
    every = max(1, n // MOST_POINTS)
    kept = [*range(0, n, every), n]
    return " ".join(f"{CURVE_WIDTH * i / n:.5g},{y(line[i]):g}" for i in kept)


def _round_values(low: float, high: float) -> list[float]:
    """Return three to six round values between two bounds, 0 among them if it lies there."""
    size = 10.0 ** math.floor(math.log10((high - low) or 1.0))
    gap = next(g for g in (size / 5, size / 2, size, 2 * size) if (high - low) / g <= 5.0)
    return [gap * i for i in range(math.ceil(low / gap), math.floor(high / gap) + 1)]


def option_bars(decision: DecisionFigures) -> list[OptionBar]:
    """Return the bars of the options of a decision."""
    return _bars([(option.low, option.value, option.high) for option in decision.options])


def ledger_bars(ledger: LedgerFigures) -> list[OptionBar]:
    """Return the bars of the terms of a ledger."""
    return _bars([(term.value,) * 3 for term in ledger.terms])


def _bars(values: Sequence[tuple[float, float, float]]) -> list[OptionBar]:
    """Return bars of values between their bounds; the scale has room for all and for 0."""
    ends = [0.0, *(end for low, _, high in values for end in (low, high))]
    least, most = min(ends), max(ends)
    room = OPTION_WIDTH / ((most - least) or 1.0)
    zero = round(-least * room)
    bars = []
    for bounds in values:
        low, value, high = (round((x - least) * room) for x in bounds)
        bars.append(OptionBar(min(zero, value), abs(value - zero), zero, low, high))
    return bars
