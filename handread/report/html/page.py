"""Fills the templates. A page is one file: no font, script, picture or sheet from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Generic, TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from handread import __version__
from handread.cards import Card, MaybeCard, card_text
from handread.game.rules import STREET_NAMES
from handread.inference.analysis import viewpoint_of
from handread.odds.hand_types import CATEGORIES, rank_word
from handread.report.build import GRID_SCALE, IndexRow
from handread.report.figures.style import DARK, LIGHT, seat_dashes
from handread.report.json import analysis_object
from handread.report.values import (
    CATEGORY_MARKS,
    ActionRow,
    HandReport,
    Number,
    ReadPart,
    Step,
    Steps,
    TruthPart,
    bars,
    category_starts,
    chances_of,
    edges,
    finite,
)
from handread.report.values import Bar as Told
from handread.report.words import percent_words, share_words, with_unit

RUN = "~"
"""Stands before the length of a run of zeros."""

DIGITS = "".join(sorted({*map(chr, range(0x21, 0x7F))} - set("\"\\<>&'" + RUN)))[:86]
"""Digits of base 43, and the same again: those of the second half say that another follows."""

BASE = len(DIGITS) // 2

SHORTEST_RUN = 3


def packed(values: Sequence[int]) -> str:
    """Numbers from 0 on as text, the zeros at the end left out."""
    end = max((i for i, value in enumerate(values, 1) if value), default=0)
    found: list[str] = []
    for zero, group in groupby(values[:end], lambda value: value == 0):
        run = list(group)
        short = not zero or len(run) < SHORTEST_RUN
        found += map(_number, run) if short else [RUN + _number(len(run))]
    return "".join(found)


def _number(value: int) -> str:
    """A number, its highest digits first."""
    text = DIGITS[value % BASE]
    while value := value // BASE:
        text = DIGITS[BASE + value % BASE] + text
    return text


SCHEMA = "handread.report/1"

PLACES = 5
"""To how many decimal places a guess is kept that scores are reckoned from."""

T = TypeVar("T", bound=Hashable)


class Pool(Generic[T]):
    """Values that stand once and are meant by their number."""

    def __init__(self) -> None:
        self.numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        """The number of a value, a new one for a new value."""
        return self.numbers.setdefault(value, len(self.numbers))

    @property
    def values(self) -> list[T]:
        """The values by their number."""
        return list(self.numbers)


def page_data(report: HandReport, steps: Steps) -> dict[str, Any]:
    """All that a page steps through, ``handread.report/1``."""
    known = known_seats(report)
    made = _Maker(known)
    downcards = sorted(report.analysis.replay.downcards.items())
    loose = sorted(report.analysis.replay.loose_downcards.items())
    moments = [made.step(step) for step in steps.steps]
    reads = [made.read(read) for read in steps.reads]
    return {
        "schema": SCHEMA,
        "digits": DIGITS,
        "run": RUN,
        "spoken": report.spoken,
        "known": known,
        "downcards": {str(seat): _cards(cards) for seat, cards in downcards},
        "loose": {str(seat): _cards(cards) for seat, cards in loose},
        "categories": CATEGORIES,
        "marks": CATEGORY_MARKS,
        "starts": category_starts(),
        "edges": edges().tolist(),
        "steps": _columns(moments),
        "reads": _columns(reads),
        "texts": made.texts.values,
        "places": made.places.values,
        "families": made.families.values,
        "lives": [packed(counts) for counts in steps.lives],
        "shares": share_thresholds(),
    }


def known_seats(report: HandReport) -> list[int]:
    """The seats whose downcards whoever looks on knows anyway."""
    analysis = report.analysis
    return sorted(viewpoint_of(analysis.replay, analysis.viewpoint).known)


def share_thresholds() -> list[tuple[int, str]]:
    """The words for a share of a grid: from so many parts of 10,000 on they are these."""
    found: list[tuple[int, str]] = []
    for parts in range(1, GRID_SCALE + 1):
        words = percent_words(parts / GRID_SCALE)
        if not found or words != found[-1][1]:
            found.append((parts, words))
    return found


def _cards(cards: Sequence[MaybeCard]) -> str:
    return " ".join(map(card_text, cards))


def _words(figures: Iterable[Number]) -> str:
    return " ".join(figure.words for figure in figures)


def _columns(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Rows of the same fields as a list a field."""
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


class _Maker:
    """Makes moments and reads, and collects what they share."""

    def __init__(self, known: Sequence[int]) -> None:
        self.known = known
        self.texts: Pool[str] = Pool()
        self.places: Pool[tuple[int, str, str, str, str]] = Pool()
        self.families: Pool[tuple[tuple[str, float, str], ...]] = Pool()

    def step(self, step: Step) -> dict[str, Any]:
        """A moment."""
        return {
            "kind": self.texts.number(step.kind),
            "street": step.street,
            "stage": step.stage,
            "actor": step.actor,
            "to_act": step.to_act,
            "title": step.title,
            "mark": step.mark,
            "pot": step.pot,
            "places": [
                self.places.number((p.seat, _cards(p.up), p.state, p.put, p.stack))
                for p in step.places
            ],
            "shared": None if step.shared is None else card_text(step.shared),
            "chances": self._chances(step),
            "action": None if step.action is None else self._action(step.action),
            "news": {str(seat): figure.words for seat, figure in step.news.items()},
            "notable": int(step.notable),
            "sentence": step.sentence,
            "on_truth": step.on_truth,
            "reads": [step.reads[place.seat] for place in step.places],
            "table_reads": {str(seat): number for seat, number in step.table_reads.items()},
        }

    def _chances(self, step: Step) -> list[int]:
        """Texts of the seats, their chances by the bets, by the cards, and in truth where known."""
        found = step.chances
        lines = [" ".join(str(chance.seat) for chance in found)]
        lines += [_words(chance.bets for chance in found), _words(chance.cards for chance in found)]
        truths = [chance.truth for chance in found if chance.truth is not None]
        if truths:
            lines.append(_words(truths))
        return [self.texts.number(line) for line in lines]

    def _action(self, row: ActionRow) -> list[str | None]:
        """What an action told; last what it told the table, where that is something else."""
        figures = [row.surprise, row.told, row.truth]
        if row.seat in self.known:
            figures += [row.table, row.table_truth]
        words = [None if figure is None else figure.words for figure in figures]
        return [row.expected.words, row.one_in, *words]

    def read(self, read: ReadPart) -> dict[str, Any]:
        """A read; the families to guess among only where the guess can be held to a truth."""
        families = tuple(
            (name, round(guess, PLACES), share_words(guess)) for name, _, guess in read.families
        )
        return {
            "seat": read.seat,
            "street": read.street,
            "kinds": [(self.texts.number(kind), chance.words) for kind, chance in read.kinds],
            "holdings": [f"{cards} {chance.words}" for cards, chance in read.holdings],
            "as_likely": self.texts.number(read.as_likely),
            "grid": packed(read.grid),
            "live": read.live,
            "combinations": read.combinations,
            "entropy": read.entropy.words,
            "ends": self.texts.number(_words(read.categories)),
            "heights": packed(read.heights),
            "families": None if read.truth is None else self.families.number(families),
            "truth": None if read.truth is None else self._truth(read, read.truth),
        }

    def _truth(self, read: ReadPart, truth: TruthPart) -> list[Any]:
        """The true downcards, their kind and family, how the read stands to them in words.

        Last is what the read gives to the family.
        """
        share = next(p for name, p, _ in read.families if name == truth.family)
        kinds = self.texts.number(truth.kind), self.texts.number(truth.family)
        return [_cards(truth.downcards), *kinds, truth.words, round(share, PLACES)]


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


SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

EMBEDDED = 2
"""How many holdings of each pdd the embedded JSON lists."""

SCRIPTS = ("hand.js", "board.js", "read.js", "guess.js", "page.js")
"""The parts of a page's script in order."""


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Where a page leads: names of files beside it, empty where there is none."""

    index: str = ""
    previous: str = ""
    following: str = ""


def page(report: HandReport, steps: Steps, links: PageLinks = PageLinks()) -> str:
    """The page of a hand: HTML that works from a file, without a network."""
    known = set(report.analysis.replay.downcards_on(7))
    parts: dict[str, Any] = {}
    if steps.steps:
        parts = {
            "chart_chances": chances_chart(report, steps.steps),
            "chart_entropy": entropy_chart(steps.steps),
            "chart_ledger": ledger_chart(report, steps.steps),
            "named": {chance.seat for chance in steps.steps[-1].chances},
        }
    return _rendered(
        "page.html",
        SCRIPTS,
        title=report.title,
        report=report,
        steps=steps,
        links=links,
        has_truth=bool(known),
        may_guess=bool(known - set(known_seats(report))),
        analysis_json=embedded(analysis_object(report.analysis, EMBEDDED)),
        report_json=embedded(page_data(report, steps)),
        WIDTH=WIDTH,
        LEFT=LEFT,
        RIGHT=RIGHT,
        TOP=TOP,
        CATEGORIES=CATEGORIES,
        STREETS=STREET_NAMES,
        top=EMBEDDED,
        **parts,
    )


def index_page(
    title: str,
    rows: Sequence[IndexRow],
    refused: Iterable[str] = (),
    others: Iterable[str] = (),
) -> str:
    """The index of a session: a row a hand, why others were refused, and those of other games."""
    return _rendered(
        "index.html",
        (),
        title=title,
        rows=rows,
        refused=list(refused),
        others=list(others),
        scored=any(row.score for row in rows),
    )


def embedded(value: object) -> Markup:
    """JSON that may stand in a script element: nothing in it can end the element."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _rendered(template: str, scripts: Sequence[str], **values: Any) -> str:
    style = Markup(_style())
    code = Markup(_script(scripts) if scripts else "")
    return (
        _environment()
        .get_template(template)
        .render(
            version=__version__,
            style=style,
            style_hash=_hash(style),
            script=code,
            script_hash=_hash(code),
            **values,
        )
    )


def _hash(text: str) -> str:
    """The source of a content security policy that admits this text and no other."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("handread.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=False,
        keep_trailing_newline=True,
    )
    environment.filters["groupby_in_order"] = lambda rows, name: [
        (key, list(group)) for key, group in groupby(rows, attrgetter(name))
    ]
    environment.globals.update(
        card_text=card_text,
        card_name=card_name,
        with_unit=with_unit,
        SUITS=SUITS,
        seat_dashes=seat_dashes,
    )
    return environment


@cache
def _style() -> str:
    return _environment().get_template("style.css").render(LIGHT=LIGHT, DARK=DARK).strip()


@cache
def _script(names: Sequence[str]) -> str:
    """The parts of a script as one, whose names are its own."""
    loader = _environment().loader
    assert loader is not None
    parts = [loader.get_source(_environment(), name)[0].strip() for name in names]
    return "\n".join(['"use strict";', "{", *parts, "}"])


def card_name(card: Card) -> str:
    """A card as a screen reader says it: "seven of clubs"."""
    return f"{rank_word(card >> 2)} of {SUIT_NAMES[card & 3]}"
