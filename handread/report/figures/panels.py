"""The panels of the picture of a hand: chances to win, line of play, entropy, bits."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator, PercentFormatter

from handread.game.rules import STREET_NAMES
from handread.report.figures.style import FAINT, INK, SOFT, beside, fitted
from handread.report.palette import seat_colour, seat_dashes
from handread.report.shown_values import HandReport, StepPart, bits_bars, chances_of, finite
from handread.report.words import Number

LABEL_ROOM = 105.0
"""The greatest width of the label of a seat, in points at size 7.5."""

LABEL_GAP = 19.0
"""The distance between labels of two lines, in points."""

BAND = "#f3f0e8"

HALOED: Mapping[str, Any] = {
    "ha": "center",
    "path_effects": [withStroke(linewidth=1.8, foreground="white")],
}
"""The look of letters on lines and bars."""

POINTER = {"arrowstyle": "-", "lw": 0.5, "shrinkA": 0, "shrinkB": 2, "relpos": (0, 0)}
"""The look of the line from a label to its place."""

NAME = {"va": "bottom", "fontsize": 7.5, "fontweight": "bold", "annotation_clip": False}
"""The look of the name at the end of a line."""


class HandPlot(NamedTuple):
    """A hand to draw, on panels of a width in points."""

    report: HandReport
    steps: Sequence[StepPart]
    width: float

    @property
    def pitch(self) -> float:
        """The distance between moments in points."""
        return self.width / max(1, len(self.steps))

    def label(self, seat: int) -> str:
        """Return a seat by number and name, "seat 3" where it has none."""
        return fitted(self.report.spoken[seat], LABEL_ROOM, 7.5, "bold")

    @property
    def seats(self) -> list[int]:
        """The seats dealt in."""
        return [place.seat for place in self.steps[0].places] if self.steps else []


def line_style(seat: int) -> dict[str, Any]:
    """Return the look of the line of a seat: its colour, its dashes and its width."""
    pattern = seat_dashes(seat)
    # The palette's dashes are for a line two wide; here they are in units of the width.
    dashes = None if pattern == "none" else (0, tuple(float(n) / 2 for n in pattern.split()))
    return {"color": seat_colour(seat), "ls": dashes or "-", "lw": 1.7, "dash_capstyle": "butt"}


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places within bounds near the wanted ones, in order, ``gap`` apart if they fit."""
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # Groups that touch move as one, to the mean of their members' wishes.
    groups: list[list[float]] = []
    for place, i in enumerate(order):
        groups.append([wanted[i] - place * gap])
        while len(groups) > 1 and _mean(groups[-2]) > _mean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    shifts = [_mean(group) for group in groups for _ in group]
    last_shift = high - (len(wanted) - 1) * gap
    places = [0.0] * len(wanted)
    for place, (i, shift) in enumerate(zip(order, shifts, strict=True)):
        places[i] = min(max(shift, low), last_shift) + place * gap
    return places


def height_of(axes: Axes) -> float:
    """Return the height of a panel in points."""
    return 72 * axes.get_position().height * axes.figure.get_figure(root=True).get_figheight()


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def moments_axis(axes: Axes, plot: HandPlot, names: bool = False) -> None:
    """Set up the axis of moments, with streets as bands, their names above if wanted."""
    axes.set_xlim(-0.5, max(1, len(plot.steps)) - 0.5)
    axes.set_xticks([])
    axes.tick_params(axis="y", labelsize=7, length=2)
    axes.patch.set_visible(False)
    numbered = enumerate(step.street for step in plot.steps)
    for street, group in groupby(numbered, key=lambda item: item[1]):
        places = [place for place, _ in group]
        left, right = places[0] - 0.5, places[-1] + 0.5
        if street % 2:
            axes.axvspan(left, right, color=BAND, lw=0, zorder=0)
        if names:
            whole = len(places) * plot.pitch > 46
            words, middle = STREET_NAMES[street] + " street" * whole, ((left + right) / 2, 1.0)
            look = {"fontsize": 7.5 if whole else 7, "xycoords": axes.get_xaxis_transform()}
            beside(axes, words, middle, (0, 3), ha="center", color=SOFT, **look)


def _grid(axes: Axes, most: int) -> None:
    """Draw lines at round values below everything else, about as many as ``most``."""
    axes.yaxis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))
    axes.grid(axis="y", color=FAINT, lw=0.4)
    axes.set_axisbelow(True)


class End(NamedTuple):
    """The end of a line, and the label beside it: a name, and words below it."""

    x: float
    y: float
    colour: str
    name: str
    words: str


def end_labels(axes: Axes, ends: Sequence[End]) -> None:
    """Draw names with numbers below them in the right margin, connected to the ends of lines."""
    # The numbers are a text apart, since a name in a right-to-left script would reverse them.
    height = height_of(axes)
    top = axes.get_ylim()[1]
    places = apart([height * end.y / top for end in ends], LABEL_GAP, 4.0, height - 4.0)
    for (x, y, colour, name, words), place in zip(ends, places, strict=True):
        at, pointer = (1.025, place / height), {**POINTER, "color": colour}
        look: dict[str, Any] = {**NAME, "color": colour, "arrowprops": pointer}
        axes.annotate(name, (x, y), at, textcoords="axes fraction", **look)
        axes.text(*at, words, transform=axes.transAxes, va="top", fontsize=6.5, color=INK)


FEW = 4
"""The most players with lines for the cards alone and the truth; more lines would merge."""

FINE = (0, (1.2, 1.4))
"""The dots of lines for the truth."""


def chances_panel(axes: Axes, plot: HandPlot) -> None:
    """Draw each seat's chance to win after every moment while it is in."""
    ends = []
    top = 0.0
    for seat in plot.seats:
        path = list(chances_of(plot.steps, seat))
        if not path:
            continue
        bets = [(place, chance.bets) for place, chance in path]
        uncrowded = [(place, c) for place, c in path if len(plot.steps[place].chances) <= FEW]
        cards = [(place, chance.cards) for place, chance in uncrowded]
        true = [(place, chance.truth) for place, chance in uncrowded if chance.truth is not None]
        top = max(top, *(finite(figure) for _, figure in (*bets, *cards, *true)))
        colour, look = seat_colour(seat), {"color": seat_colour(seat), "zorder": 3}
        _line(axes, cards, f"cards-{seat}", **look, ls="-", lw=0.7, alpha=0.55)
        _line(axes, true, f"truth-{seat}", **look, ls=FINE, lw=1.0)
        _line(axes, bets, f"bets-{seat}", **line_style(seat), zorder=4)
        acted = [(place, finite(p)) for place, p in bets if plot.steps[place].actor == seat]
        axes.plot([p for p, _ in acted], [y for _, y in acted], "o", ms=2.8, color=colour, zorder=5)
        x, last = path[-1]
        if x == len(plot.steps) - 1:
            truth = "" if last.truth is None else f" · truth {last.truth.words}"
            words = f"{last.bets.words} · cards {last.cards.words}{truth}"
            ends.append(End(x, finite(last.bets), colour, plot.label(seat), words))
        else:
            _folds(axes, seat, x, finite(last.bets), colour)
    axes.set_ylim(0.0, min(1.0, 0.1 * int(10 * top + 1)) * 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    _grid(axes, 6)
    moments_axis(axes, plot, names=True)
    end_labels(axes, ends)


def _line(axes: Axes, points: Sequence[tuple[int, Number]], gid: str, **look: Any) -> None:
    """Draw a line through figures at moments, if there are any."""
    if points:
        places, figures = zip(*points, strict=True)
        axes.plot(places, [*map(finite, figures)], **look, gid=gid, clip_on=False)


def _folds(axes: Axes, seat: int, x: int, y: float, colour: str) -> None:
    axes.plot([x], [y], "x", ms=3.6, mew=1.1, color=colour, zorder=5)
    by = (0, 4 if y < 0.9 else -10)  # clear of the names of the streets
    beside(axes, str(seat), (x, y), by, fontsize=6.5, color=colour, zorder=6, **HALOED)


def play_panel(axes: Axes, plot: HandPlot) -> None:
    """Draw a row for each seat with the letters of its actions, in the notation of Saund 2006."""
    rows = {seat: row for row, seat in enumerate(plot.seats)}
    moments_axis(axes, plot)
    axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_visible(False)
    for seat, row in rows.items():
        colour = seat_colour(seat)
        last = max((place for place, _ in chances_of(plot.steps, seat)), default=-1)
        axes.plot([-0.5, last + 0.5], [row, row], color=FAINT, lw=0.5, zorder=1)
        look: dict[str, Any] = {"fontsize": 7, "color": colour, "va": "center_baseline"}
        by_row = axes.get_yaxis_transform()
        axes.text(-0.012, row, str(seat), transform=by_row, ha="right", **look)
        sample = axes.plot([1.025, 1.085], [row, row], **line_style(seat), transform=by_row)
        sample[0].set_clip_on(False)
        axes.text(1.1, row, plot.label(seat), transform=by_row, **look)
    letter = {"fontsize": min(8.0, 1.6 * plot.pitch), "fontweight": "bold", **HALOED}
    for place, step in enumerate(plot.steps):
        if step.actor in rows:
            look = {"color": seat_colour(step.actor), "va": "center_baseline", "zorder": 3}
            axes.text(place, rows[step.actor], step.mark, **letter, **look)


def entropy_panel(axes: Axes, plot: HandPlot) -> None:
    """Draw the entropy of the outcome after every moment (Saund 2006, Figure 7), read and true."""
    read = [step.open_bits for step in plot.steps]
    true = [step.true_bits for step in plot.steps if step.true_bits is not None]
    lines: list[tuple[str, str, list[Number], dict[str, Any]]]
    lines = [("the read", "entropy", read, {"color": INK, "lw": 1.6})]
    if len(true) == len(read):
        lines.append(("in truth", "true-entropy", true, {"color": SOFT, "lw": 1.2, "ls": FINE}))
    ends = []
    top = 1.0
    for name, gid, figures, look in lines:
        values = [finite(figure) for figure in figures]
        axes.plot(range(len(values)), values, **look, gid=gid, clip_on=False, zorder=3)
        words = f"{figures[-1].words} bits"
        ends.append(End(len(values) - 1.0, values[-1], look["color"], name, words))
        top = max(top, *values)
    axes.set_ylim(0.0, 1.1 * top)
    _grid(axes, 4)
    moments_axis(axes, plot)
    end_labels(axes, ends)


def bits_panel(axes: Axes, plot: HandPlot) -> None:
    """Draw the bits about each seat at every moment, with the totals beside them."""
    told = plot.report.viewer_actions
    bars = list(bits_bars(plot.steps, finite, told[0].seat if told else None))
    top = max([1.0, *(bar.base + bar.height for bar in bars)])
    axes.set_ylim(0.0, 1.12 * top)
    height = height_of(axes)
    for bar in bars:
        bits, colour = bar.height, seat_colour(bar.seat)
        fill = {"bets": colour, "cards": "white"}.get(bar.kind, "none")
        filled: dict[str, Any] = {"fc": fill, "hatch": "//////" if bar.kind == "cards" else None}
        gid = f"{bar.kind}-bits-{bar.seat}"
        axes.bar(bar.moment, bits, 0.72, bar.base, **filled, ec=colour, lw=0.5, gid=gid, zorder=2)
        # Bars too low to see have no number; stacked ones only where there is room.
        tall, inside = height * bits / (1.12 * top), bar.kind == "cards"
        if tall > (6.0 if inside else 1.0):
            place = bar.moment, bar.base + (bits / 2 if inside else bits)
            size, at = min(6.0, 1.4 * plot.pitch), "center" if inside else "bottom"
            look = {"fontsize": size, "va": at, "color": colour, "zorder": 4, **HALOED}
            beside(axes, str(bar.seat), place, (0, 0 if inside else 1), **look)
    _grid(axes, 4)
    moments_axis(axes, plot)
    _sums(axes, plot, height)


def _sums(axes: Axes, plot: HandPlot, height: float) -> None:
    totals = plot.report.bits
    known = any(row.truth is not None for row in totals)
    heads = ["seat", "cards", "bets", *["truth"] * known]
    rows = [
        [str(row.seat), row.card_news.words, row.bet_news.words]
        + [row.truth.words if row.truth else "-"] * known
        for row in totals
    ]
    line = min(10.5, height / (len(rows) + 0.5))
    look = {"xycoords": "axes fraction", "va": "center", "fontsize": 6.5}
    for n, cells in enumerate([heads, *rows]):
        colour = SOFT if n == 0 else seat_colour(totals[n - 1].seat)
        for place, cell in zip((16, 52, 83, 119), cells, strict=False):
            side, by = "center" if cell is cells[0] else "right", (place, -(n + 0.5) * line)
            beside(axes, cell, (1.0, 1.0), by, ha=side, color=colour, **look)
