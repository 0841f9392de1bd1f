"""The picture of a hand: one page for a paper or a print-out, and pages of what may come of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator, PercentFormatter

from handread.game.rules import STREET_NAMES
from handread.inference.values import StageReading
from handread.odds.hand_types import N_CLASSES
from handread.report.figures.style import (
    FAINT,
    INK,
    LIGHT,
    NAME_WIDTH,
    SOFT,
    blank,
    house_style,
    note,
    plain,
    seat_colour,
    seat_dashes,
)
from handread.report.values import (
    BIN,
    CATEGORY_MARKS,
    ActionRow,
    Chance,
    HandReport,
    Number,
    Step,
    Steps,
    bars,
    category_starts,
    chances_of,
    edges,
    finite,
    heights,
)

LABEL_ROOM = 105.0
"""How wide the label of a seat may be, in points at size 7.5."""

LABEL_GAP = 19.0
"""From a label of two lines to the next, in points."""

BAND = "#f3f0e8"
HALO = [withStroke(linewidth=1.8, foreground="white")]


class View(NamedTuple):
    """A report, its moments, whether the truth is shown, and the width of the panels in points."""

    report: HandReport
    steps: Sequence[Step]
    truth: bool
    width: float

    @property
    def pitch(self) -> float:
        """From one moment to the next, in points."""
        return self.width / max(1, len(self.steps))

    def label(self, seat: int) -> str:
        """A seat by number and name, "seat 3" where it has none."""
        return fitted(self.report.spoken[seat], LABEL_ROOM, 7.5, "bold")

    @property
    def seats(self) -> list[int]:
        """Those dealt in."""
        return [place.seat for place in self.steps[0].places] if self.steps else []


def pen(seat: int, width: float = 1.7) -> dict[str, Any]:
    """The colour and dashes of a seat, for a line of that width in points."""
    pattern = seat_dashes(seat)
    # The palette's dashes are for a line two wide; here they are in units of the width.
    dashes = None if pattern == "none" else (0, tuple(float(n) / 2 for n in pattern.split()))
    return {
        "color": seat_colour(LIGHT, seat),
        "ls": dashes or "-",
        "lw": width,
        "dash_capstyle": "butt",
    }


# What fits


@cache
def _advance(character: str, weight: str) -> float:
    """The width of a character in parts of the size of the letters."""
    font = get_font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))
    if not font.get_char_index(ord(character)):
        return 1.05  # a box of a fallback font stands for it
    font.set_size(100, 72)
    return float(font.load_char(ord(character)).linearHoriAdvance) / 65536 / 100


def breadth(text: str, size: float, weight: str = "normal") -> float:
    """The width of a text in points, no pair of letters drawn together.

    A little more than it should be, since letters that are fitted to pixels are broader.
    """
    return 1.03 * size * sum(_advance(character, weight) for character in text)


def fitted(text: str, room: float, size: float, weight: str = "normal") -> str:
    """Somebody else's text as it may stand in a picture, cut to so many points."""
    # Nothing narrower than a fifth of its size but what combines, of which there may be much.
    shown = plain(text, max(4, int(5 * room / size)))
    if breadth(shown, size, weight) <= room:
        return shown
    while shown and breadth(shown + "..", size, weight) > room:
        shown = shown[:-1]
    return shown + ".."


def flowed(items: Sequence[str], room: float, size: float, most: int) -> list[str]:
    """Items one after the other in lines of so many points; the last says if more are left out."""
    lines: list[str] = []
    for item in items:
        joined = f"{lines[-1]} · {item}" if lines else item
        if lines and breadth(joined, size) <= room:
            lines[-1] = joined
        elif len(lines) < most:
            lines.append(fitted(item, room, size))
        else:
            lines[-1] = fitted(joined, room, size)
            break
    return lines


# What is near what


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places as near to the wanted ones as can be, in their order, a gap apart, low to high.

    Where they do not fit, the gaps are narrower.
    """
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # Groups that touch move as one, to the mean of what their members want.
    groups: list[list[float]] = []
    for place, i in enumerate(order):
        groups.append([wanted[i] - place * gap])
        while len(groups) > 1 and _mean(groups[-2]) > _mean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    shifts = [_mean(group) for group in groups for _ in group]
    last_shift = high - (len(wanted) - 1) * gap
    found = [0.0] * len(wanted)
    for place, (i, shift) in enumerate(zip(order, shifts, strict=True)):
        found[i] = min(max(shift, low), last_shift) + place * gap
    return found


def height_of(axes: Axes) -> float:
    """The height of a panel in points."""
    return 72 * axes.get_position().height * axes.figure.get_figure(root=True).get_figheight()


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


# What all panels have


def moments_axis(axes: Axes, view: View, names: bool = False) -> None:
    """The moments from left to right, streets as bands, with their names above if wanted."""
    axes.set_xlim(-0.5, max(1, len(view.steps)) - 0.5)
    axes.set_xticks([])
    axes.tick_params(axis="y", labelsize=7, length=2)
    axes.patch.set_visible(False)
    numbered = enumerate(step.street for step in view.steps)
    for street, group in groupby(numbered, key=lambda item: item[1]):
        places = [place for place, _ in group]
        left, right = places[0] - 0.5, places[-1] + 0.5
        if street % 2:
            axes.axvspan(left, right, color=BAND, lw=0, zorder=0)
        if names:
            whole = len(places) * view.pitch > 46
            axes.annotate(
                STREET_NAMES[street] + " street" * whole,
                ((left + right) / 2, 1.0),
                (0, 3),
                xycoords=axes.get_xaxis_transform(),
                textcoords="offset points",
                ha="center",
                fontsize=7.5 if whole else 7,
                color=SOFT,
            )


class End(NamedTuple):
    """The end of a line, and what stands beside it: a name, and under it words."""

    x: float
    y: float
    colour: str
    name: str
    words: str


def end_labels(axes: Axes, ends: Sequence[End]) -> None:
    """Names with numbers under them in the right margin, each led to from the end of its line.

    The numbers are a text of their own, since a name in a script from right to left would turn
    them round.
    """
    height = height_of(axes)
    top = axes.get_ylim()[1]
    places = apart([height * end.y / top for end in ends], LABEL_GAP, 4.0, height - 4.0)
    for (x, y, colour, name, words), place in zip(ends, places, strict=True):
        at = (1.025, place / height)
        axes.annotate(
            name,
            (x, y),
            at,
            textcoords="axes fraction",
            va="bottom",
            fontsize=7.5,
            fontweight="bold",
            color=colour,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "lw": 0.5,
                "shrinkA": 0,
                "shrinkB": 2,
                "relpos": (0, 0),
            },
        )
        axes.text(*at, words, transform=axes.transAxes, va="top", fontsize=6.5, color=INK)


FEW = 4
"""The lines of the cards alone and of the truth are drawn where no more than so many are in:
more cannot be told apart."""

FINE = (0, (1.2, 1.4))
"""The dots of what is true."""


# Chances to win


def chances_panel(axes: Axes, view: View) -> None:
    """A line a seat: the chance to win after every moment that it is in."""
    ends = []
    top = 0.0
    for seat in view.seats:
        path = list(chances_of(view.steps, seat))
        if not path:
            continue
        top = max(top, *(finite(chance.bets) for _, chance in path))
        top = max(top, _faint_lines(axes, view, seat, path))
        x, last = path[-1]
        axes.plot(
            [place for place, _ in path],
            [finite(chance.bets) for _, chance in path],
            **pen(seat),
            gid=f"bets-{seat}",
            clip_on=False,
            zorder=4,
        )
        colour = seat_colour(LIGHT, seat)
        acted = [(p, finite(c.bets)) for p, c in path if view.steps[p].actor == seat]
        axes.plot([p for p, _ in acted], [y for _, y in acted], "o", ms=2.8, color=colour, zorder=5)
        if x == len(view.steps) - 1:
            words = _end_words(last, view.truth)
            ends.append(End(x, finite(last.bets), colour, view.label(seat), words))
        else:
            _folds(axes, seat, x, finite(last.bets), colour)
    axes.set_ylim(0.0, min(1.0, 0.1 * int(10 * top + 1)) * 1.02)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.grid(axis="y", color=FAINT, lw=0.4)
    axes.set_axisbelow(True)
    moments_axis(axes, view, names=True)
    end_labels(axes, ends)


def _faint_lines(axes: Axes, view: View, seat: int, path: Sequence[tuple[int, Chance]]) -> float:
    """The lines of the cards alone and of the truth where few are in; the highest point."""
    few = [(place, c) for place, c in path if len(view.steps[place].chances) <= FEW]
    colour = seat_colour(LIGHT, seat)
    cards = [(place, chance.cards) for place, chance in few]
    true = [(place, c.truth) for place, c in few if view.truth and c.truth is not None]
    looks: tuple[tuple[str, list[tuple[int, Number]], dict[str, Any]], ...] = (
        ("cards", cards, {"ls": "-", "lw": 0.7, "alpha": 0.55}),
        ("truth", true, {"ls": FINE, "lw": 1.0}),
    )
    for kind, points, look in looks:
        if points:
            axes.plot(
                [place for place, _ in points],
                [finite(figure) for _, figure in points],
                **look,
                color=colour,
                gid=f"{kind}-{seat}",
                clip_on=False,
                zorder=3,
            )
    return max((finite(figure) for _, figure in (*cards, *true)), default=0.0)


def _end_words(chance: Chance, truth: bool) -> str:
    parts = [chance.bets.words, f"cards {chance.cards.words}"]
    if truth and chance.truth is not None:
        parts.append(f"truth {chance.truth.words}")
    return " · ".join(parts)


def _folds(axes: Axes, seat: int, x: int, y: float, colour: str) -> None:
    """The end of the line of a seat that folds: a cross and the number of the seat."""
    axes.plot([x], [y], "x", ms=3.6, mew=1.1, color=colour, zorder=5)
    axes.annotate(
        str(seat),
        (x, y),
        # Not into the names of the streets.
        (0, 4 if y < 0.9 else -10),
        textcoords="offset points",
        ha="center",
        fontsize=6.5,
        color=colour,
        path_effects=HALO,
        zorder=6,
    )


# The line of play


def play_panel(axes: Axes, view: View) -> None:
    """A row a seat, in it the letters of what it did, as in the paper's notation."""
    rows = {seat: row for row, seat in enumerate(view.seats)}
    moments_axis(axes, view)
    axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_visible(False)
    for seat, row in rows.items():
        colour = seat_colour(LIGHT, seat)
        last = max((place for place, _ in chances_of(view.steps, seat)), default=-1)
        axes.plot([-0.5, last + 0.5], [row, row], color=FAINT, lw=0.5, zorder=1)
        beside: dict[str, Any] = {
            "fontsize": 7,
            "color": colour,
            "va": "center_baseline",
            "clip_on": False,
        }
        by_row = axes.get_yaxis_transform()
        axes.text(-0.012, row, str(seat), transform=by_row, ha="right", **beside)
        sample = axes.plot([1.025, 1.085], [row, row], **pen(seat), transform=by_row)
        sample[0].set_clip_on(False)
        axes.text(1.1, row, view.label(seat), transform=by_row, **beside)
    for place, step in enumerate(view.steps):
        if step.actor in rows:
            axes.text(
                place,
                rows[step.actor],
                step.mark,
                ha="center",
                va="center_baseline",
                fontsize=min(8.0, 1.6 * view.pitch),
                fontweight="bold",
                color=seat_colour(LIGHT, step.actor),
                path_effects=HALO,
                zorder=3,
            )


# The entropy of the outcome


def entropy_panel(axes: Axes, view: View) -> None:
    """The entropy of the outcome after every moment (Saund 2006, Number 7), read and true."""
    read = [step.open_bits for step in view.steps]
    true = [step.true_bits for step in view.steps if step.true_bits is not None]
    lines: list[tuple[str, str, list[Number], dict[str, Any]]]
    lines = [("the read", "entropy", read, {"color": INK, "lw": 1.6})]
    if view.truth and len(true) == len(read):
        lines.append(("in truth", "true-entropy", true, {"color": SOFT, "lw": 1.2, "ls": FINE}))
    ends = []
    top = 1.0
    for name, gid, figures, look in lines:
        if figures:
            values = [finite(figure) for figure in figures]
            axes.plot(range(len(values)), values, **look, gid=gid, clip_on=False, zorder=3)
            words = f"{figures[-1].words} bits"
            ends.append(End(len(values) - 1.0, values[-1], look["color"], name, words))
            top = max(top, *values)
    axes.set_ylim(0.0, 1.1 * top)
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.grid(axis="y", color=FAINT, lw=0.4)
    moments_axis(axes, view)
    end_labels(axes, ends)


def ledger_panel(axes: Axes, view: View) -> None:
    """What every moment told about the downcards of whom, with the sums by seat at the side."""
    told = view.report.told_table
    found = list(bars(view.steps, finite, told[0].seat if told else None))
    top = max([1.0, *(bar.foot + bar.height for bar in found)])
    axes.set_ylim(0.0, 1.12 * top)
    height = height_of(axes)
    for bar in found:
        bits = bar.height
        colour = seat_colour(LIGHT, bar.seat)
        filled: dict[str, dict[str, Any]] = {
            "bets": {"fc": colour},
            "cards": {"fc": "white", "hatch": "//////"},
        }
        axes.bar(
            bar.moment,
            bits,
            0.72,
            bar.foot,
            **filled.get(bar.kind, {"fc": "none"}),
            ec=colour,
            lw=0.5,
            gid=f"{bar.kind}-bits-{bar.seat}",
            zorder=2,
        )
        # A bar too low to see needs no number; one among others only where there is room for it.
        tall = height * bits / (1.12 * top)
        if tall > (6.0 if bar.kind == "cards" else 1.0):
            inside = bar.kind == "cards"
            axes.annotate(
                str(bar.seat),
                (bar.moment, bar.foot + (bits / 2 if inside else bits)),
                (0, 0 if inside else 1),
                textcoords="offset points",
                ha="center",
                va="center" if inside else "bottom",
                fontsize=min(6.0, 1.4 * view.pitch),
                color=colour,
                path_effects=HALO,
                zorder=4,
            )
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.grid(axis="y", color=FAINT, lw=0.4)
    axes.set_axisbelow(True)
    moments_axis(axes, view)
    _sums(axes, view, height)


def _sums(axes: Axes, view: View, height: float) -> None:
    """The bits of each seat added up: by cards, by bets, and on the truth."""
    ledger = view.report.ledger
    known = view.truth and any(row.truth is not None for row in ledger)
    heads = ["seat", "cards", "bets", *["truth"] * known]
    rows = [
        [str(row.seat), row.card_news.words, row.bet_news.words]
        + [row.truth.words if row.truth else "-"] * known
        for row in ledger
    ]
    line = min(10.5, height / (len(rows) + 0.5))
    for n, cells in enumerate([heads, *rows]):
        colour = SOFT if n == 0 else seat_colour(LIGHT, ledger[n - 1].seat)
        for place, cell in zip((20, 55, 87, 119), cells, strict=False):
            axes.annotate(
                cell,
                (1.0, 1.0),
                (place, -(n + 0.5) * line),
                xycoords="axes fraction",
                textcoords="offset points",
                ha="center" if cell is cells[0] else "right",
                va="center",
                fontsize=6.5,
                color=colour,
            )


FILL = "#4a7aa5"


def htpd_figure(stage: StageReading, names: Mapping[int, str]) -> Figure:
    """Figure 1 of Saund 2006: the htpds of the seats still in, with their chances to win.

    Hand types go from the worst to the best; the height is the probability of a type, on a
    square-root scale, averaged over ``BIN`` neighbours of one category.
    """
    with house_style():
        seats = list(stage.seats)
        figure = blank(8.6, 1.1 + 1.3 * len(seats))
        rows = figure.subplots(len(seats), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        drawn = {seat: heights(stage.seats[seat].htpd) for seat in seats}
        top = max(float(height.max()) for height in drawn.values())
        for axes, seat in zip(rows, seats, strict=True):
            _row(axes, drawn[seat], top)
            _words(axes, seat, names.get(seat, ""), stage)
        _marks(rows[-1])
        known = ""
        if stage.omniscience == "full" and stage.entropy_bits is not None:
            known = f"; entropy of the outcome {stage.entropy_bits:.2f} bits"
        note(
            figure,
            "hand types from the worst to the best: HC high card, PH pair, TP two pair, T trips, "
            "S straight, FL flush, FH full house, Q quads, SF straight flush\n"
            f"height: square root of the probability of a type, mean of {BIN} neighbours",
        )
        figure.suptitle(f"What each seat may end with at {stage.stage}{known}", fontsize=11)
    return figure


def _row(axes: Axes, row: npt.NDArray[np.float64], top: float) -> None:
    axes.stairs(row, edges(), fill=True, color=FILL)
    axes.set(xlim=(0, N_CLASSES), ylim=(0, top * 1.05))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    for start in category_starts()[1:-1]:
        axes.axvline(start, color=FAINT, lw=0.7, zorder=0)


def _words(axes: Axes, seat: int, name: str, stage: StageReading) -> None:
    who = f"seat {seat} {plain(name, NAME_WIDTH)}".rstrip()
    bets, cards = stage.bet_inference[seat], stage.cards_only[seat]
    chances = f"wins {bets:.0%}, by the cards alone {cards:.0%}"
    if stage.omniscient is not None:
        sure = "" if stage.omniscience == "full" else " as far as is known"
        chances += f", in truth{sure} {stage.omniscient[seat]:.0%}"
    axes.set_title(f"{who}: {chances}", fontsize=9)


def _marks(axes: Axes) -> None:
    """The categories under the lowest row; narrow ones share a place with their neighbours."""
    middles = [(low + high) / 2 for low, high in pairwise(category_starts())]
    axes.set_xticks(middles, CATEGORY_MARKS)
    axes.tick_params(axis="x", length=0)
    for mark, label in zip(CATEGORY_MARKS, axes.get_xticklabels(), strict=True):
        if mark in ("S", "SF"):  # ten hand types each: no room for a label beside the others
            label.set_y(-0.13)


WIDTH, HEIGHT = 8.27, 11.69
"""A4, in inches."""

LEFT, RIGHT, TOP, BOTTOM = 0.6, 0.5, 0.5, 0.4
MARGIN = 2.2
"""The room at the right of the panels for the labels of the lines."""

ENTROPY, LEDGER, PLAY_ROW, TABLE_ROW = 0.85, 1.2, 0.14, 0.158
HEADS, COLUMN = ("expected", "that is", "surprise", "told"), 0.68
"""What the table tells of every action, and how wide its columns are."""

SPAN = 72 * (WIDTH - LEFT - RIGHT)
"""The width of the text in points."""

PANEL = 72 * (WIDTH - LEFT - MARGIN)
"""The width of the panels in points."""

SMALL = 6.3
"""The size of the small print."""

CHANCES = 2.4, 3.9
"""The lowest and the highest that the panel of the chances may be."""


def hand_figure(report: HandReport, steps: Steps, truth: bool = True) -> Figure:
    """A hand on one page: chances to win, play, entropy, bits, and what was done.

    Without ``truth`` it shows nothing of the true downcards. Where the actions are more than the
    page has room for, it lists the most notable and says how many it leaves out.
    """
    with house_style():
        figure = blank(WIDTH, HEIGHT)
        figure.set_layout_engine("none")
        view = View(report, steps.steps, truth, PANEL)
        page = _Page(figure)
        _heading(page, view)
        facts = _facts(report)
        foot = BOTTOM + 0.12 * len(facts)
        done = [step for step in steps.steps if step.action is not None]
        if steps.steps:
            chances, rows = _shares(page.down - foot, len(view.seats), len(done))
            _panels(page, view, chances)
            _actions(page, view, done, rows)
        else:
            page.line("Nothing of this hand could be read.", 9)
        page.small_print(facts, foot)
    return figure


def hand_pages(report: HandReport, steps: Steps, truth: bool = True) -> list[Figure]:
    """The page of a hand, then one a street: what those still in may end with.

    A street is shown after its betting, or after its deal where there is none to the end;
    not where the betting left one player alone.
    """
    pages = [hand_figure(report, steps, truth)]
    view = View(report, steps.steps, truth, PANEL)
    stages = {stage.stage: stage for stage in report.analysis.stages}
    moments = {step.stage: step for step in steps.steps}
    for street in STREET_NAMES:
        stage = stages.get(f"{street}B") or stages.get(f"{street}D")
        if stage is not None and len(stage.active) > 1:
            pages.append(_street_page(view, stage, moments[stage.stage]))
    return pages


def _street_page(view: View, stage: StageReading, step: Step) -> Figure:
    """The htpds of a stage on a page of the same size, from its top, with the report's words."""
    if not view.truth:
        stage = replace(stage, omniscient=None, omniscience="none")
    figure = htpd_figure(stage, {})
    chances = {chance.seat: chance for chance in step.chances}
    pitch = min(1.45, (HEIGHT - 2.05) / len(stage.seats))
    foot = HEIGHT - 1.05 - pitch * len(stage.seats)
    with house_style():
        figure.set_layout_engine("none")
        figure.set_size_inches(WIDTH, HEIGHT)
        heading = fitted(view.report.title, SPAN, 15, "bold")
        figure.text(LEFT / WIDTH, 1 - 0.7 / HEIGHT, heading, fontsize=15, fontweight="bold")
        about = {"x": LEFT / WIDTH, "ha": "left"}
        figure.suptitle(figure.get_suptitle(), y=1 - 0.85 / HEIGHT, fontsize=9.5, **about)
        below = (foot - 0.35) / HEIGHT
        figure.supxlabel(figure.get_supxlabel(), y=below, va="top", fontsize=7, color=SOFT, **about)
        part = " as far as is known" * (stage.omniscience == "partial")
        for row, (axes, seat) in enumerate(zip(figure.axes, stage.seats, strict=True)):
            low = (HEIGHT - 1.05 - pitch * (row + 1)) / HEIGHT
            axes.set_position((LEFT / WIDTH, low, SPAN / 72 / WIDTH, (pitch - 0.4) / HEIGHT))
            chance = chances[seat]
            words = f"wins {chance.bets.words}, by the cards alone {chance.cards.words}"
            if view.truth and chance.truth is not None:
                words += f", in truth{part} {chance.truth.words}"
            colour = seat_colour(LIGHT, seat)
            axes.set_title(view.label(seat), fontsize=8.5, color=colour)
            axes.set_title(words, fontsize=8, loc="right")
    return figure


# The page


class _Page:
    """A page that is filled from the top; ``down`` is how far up from its foot, in inches."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.down = HEIGHT - TOP

    def text(self, x: float, words: str, size: float = 7.5, **look: Any) -> None:
        """A text on the line at hand, ``x`` in inches from the left edge."""
        self.figure.text(x / WIDTH, self.down / HEIGHT, words, fontsize=size, **look)

    def line(self, words: str, size: float, **look: Any) -> None:
        """A line of text from the left margin, and down to the next."""
        self.down -= size / 72
        weight = str(look.get("fontweight", "normal"))
        self.text(LEFT, fitted(words, SPAN, size, weight), size, **look)
        self.down -= 0.5 * size / 72

    def title(self, words: str, more: str) -> None:
        """The title of a part at the left, what explains it at the right."""
        self.text(LEFT, words, 9.5, fontweight="bold")
        room = SPAN - breadth(words, 9.5, "bold") - 9
        self.text(WIDTH - RIGHT, fitted(more, room, 7), 7, color=SOFT, ha="right")

    def panel(self, height: float) -> Axes:
        """The panel below, between the left margin and the room for labels."""
        self.down -= height
        box = LEFT / WIDTH, self.down / HEIGHT, PANEL / 72 / WIDTH, height / HEIGHT
        return self.figure.add_axes(box)

    def rule(self) -> None:
        """A hairline across."""
        axes = self.figure.add_axes(
            (LEFT / WIDTH, self.down / HEIGHT, 1 - (LEFT + RIGHT) / WIDTH, 0)
        )
        axes.set_axis_off()
        axes.axhline(0.0, color=FAINT, lw=0.7, clip_on=False)

    def small_print(self, lines: Sequence[str], top: float) -> None:
        """Lines at the foot of the page, whatever is above."""
        self.down = top
        self.rule()
        for line in lines:
            self.down -= 0.12
            self.text(LEFT, line, SMALL, color=SOFT)


def _shares(room: float, seats: int, actions: int) -> tuple[float, int]:
    """How high the panel of the chances is, and how many actions the table has room for."""
    fixed = 0.55 + 0.08 + PLAY_ROW * seats + 0.35 + ENTROPY + 0.35 + LEDGER
    table = 0.62
    spare = room - fixed - table
    least, most = CHANCES
    chances = min(most, max(least, spare - TABLE_ROW * actions))
    return chances, min(actions, max(0, int((spare - chances) / TABLE_ROW)))


def _heading(page: _Page, view: View) -> None:
    """What hand it is, who reads it, and how it ended."""
    report = view.report
    page.line(report.title, 15, fontweight="bold")
    page.line(report.game, 9)
    policy = dict(report.facts).get("policy", "")
    page.line(f"policy {policy} · {report.looks_on}", 9)
    ended = (*report.shown, *report.result) if view.truth else report.result
    for line in flowed(ended, SPAN, 8.5, 3):
        page.line(line, 8.5, color=SOFT)
    for words in report.notes[:2]:
        page.line(words, 8, color=LIGHT.bad)
    if len(report.notes) > 2:
        page.line(f"and {len(report.notes) - 2} more notes", 8, color=LIGHT.bad)


def _facts(report: HandReport) -> list[str]:
    return flowed([f"{name}: {words}" for name, words in report.facts], SPAN, SMALL, 5)


def _panels(page: _Page, view: View, chances: float) -> None:
    page.down -= 0.3
    known = view.truth and any(c.truth for step in view.steps for c in step.chances)
    part = " as far as is known" * (view.report.omniscience == "partial")
    dots = f"; dots: in truth{part}" * known
    many = max(len(step.chances) for step in view.steps) > FEW
    thin = f"; thin: cards alone{dots}" + f"; thin and dots only where {FEW} or fewer are in" * many
    page.title("Chances to win", f"thick: cards and bets{thin}")
    page.down -= 0.25
    chances_panel(page.panel(chances), view)
    page.down -= 0.08
    play_panel(page.panel(PLAY_ROW * len(view.seats)), view)
    page.down -= 0.27
    page.title("How open the outcome is", f"its entropy, in bits{dots}")
    page.down -= 0.08
    entropy_panel(page.panel(ENTROPY), view)
    page.down -= 0.27
    hollow = ""
    if view.report.told_table:
        hollow = f"; outlined: what {view.label(view.report.told_table[0].seat)} told the table"
    more = f"bits about the downcards of each seat; filled: by bets; hatched: by cards{hollow}"
    page.title("What was told", more)
    page.down -= 0.08
    ledger_panel(page.panel(LEDGER), view)


# The table of the actions


def most_notable(done: Sequence[Step], room: int) -> list[Step]:
    """The most notable actions that there is room for, in the order of play."""

    def weight(place: int) -> tuple[bool, float, int]:
        step, row = done[place], done[place].action
        assert row is not None
        if row.surprise is None or row.surprise.value is None:
            return True, float("inf"), -place
        return step.notable, row.surprise.value + (row.told.value or 0.0), -place

    kept = sorted(range(len(done)), key=weight, reverse=True)[:room]
    return [done[place] for place in sorted(kept)]


def _actions(page: _Page, view: View, done: Sequence[Step], room: int) -> None:
    """A row an action: who did what, how far it was expected, and what it told."""
    if not done:
        return
    page.down -= 0.33
    kept = most_notable(done, room)
    left_out = len(done) - len(kept)
    more = "surprise and what was told in bits; in bold what is notable"
    if left_out:
        more += f"; the most notable of {len(done)} actions, {left_out} left out"
    page.title("What was done", more)
    truth = view.truth and any(row.truth for row in _rows(done))
    heads = [*HEADS, *["to the table"] * bool(view.report.told_table), *["truth"] * truth]
    # From the right edge, however many there are.
    places = {head: WIDTH - RIGHT - COLUMN * n for n, head in enumerate(reversed(heads))}
    page.down -= 0.19
    for head, x in places.items():
        page.text(x, head, 7, color=SOFT, ha="right")
    street = 0
    for step in kept:
        page.down -= TABLE_ROW
        if step.street != street:
            street = step.street
            page.text(LEFT, STREET_NAMES[street], 7, color=SOFT)
        _action(page, view, step, places)


def _rows(done: Sequence[Step]) -> list[ActionRow]:
    return [step.action for step in done if step.action is not None]


def _action(page: _Page, view: View, step: Step, places: dict[str, float]) -> None:
    row = step.action
    assert row is not None
    weight = "bold" if step.notable else "normal"
    room = 72 * (min(places.values()) - LEFT - 2.3)
    page.text(LEFT + 0.4, view.label(row.seat), color=seat_colour(LIGHT, row.seat))
    page.text(LEFT + 1.75, fitted(row.words, room, 7.5, weight), color=INK, fontweight=weight)
    cells = {
        "expected": row.expected.words,
        "that is": row.one_in,
        "surprise": row.surprise.words if row.surprise else "-",
        "told": row.told.words,
        "to the table": row.table.words,
        "truth": row.truth.words if row.truth else "-",
    }
    for head, x in places.items():
        page.text(x, cells[head], color=INK, fontweight=weight, ha="right")
