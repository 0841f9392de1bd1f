"""What the picture of a hand shows moment by moment: chances to win, the play, the entropy.

A line holds the numbers of the report itself, and words beside it are those of the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from handread.report.palette import LIGHT, seat_colour
from handread.report.plots.canvas import FAINT, INK, SOFT
from handread.report.plots.hand_axes import HALO, End, View, end_labels, moments_axis, pen
from handread.report.series import chances_of, finite
from handread.report.value import Chance, Figure

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
    looks: tuple[tuple[str, list[tuple[int, Figure]], dict[str, Any]], ...] = (
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
    """The entropy of the outcome after every moment (Saund 2006, Figure 7), read and true."""
    read = [step.open_bits for step in view.steps]
    true = [step.true_bits for step in view.steps if step.true_bits is not None]
    lines: list[tuple[str, str, list[Figure], dict[str, Any]]]
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
