"""What the panels of the picture of a hand have in common: moments, pens, and labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patheffects import withStroke

from handread.report.palette import LIGHT, seat_colour, seat_dashes
from handread.report.plots.canvas import INK, SOFT, plain
from handread.report.value import HandReport, Step
from handread.stud import STREET_NAMES

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
