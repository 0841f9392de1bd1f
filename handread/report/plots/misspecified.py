"""The picture of the study of wrong models: what is gained, by model error and by hands seen."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.experiments.misreading import POOLED, Misread, Misreading
from handread.experiments.readers import BLIND, DRIFTED, FITTED, NAMED, TRUE
from handread.report.plots.canvas import FAINT, SOFT, blank, house_style, note, plain
from handread.report.tables import n_games

COLOURS = {TRUE: "#1b7837", NAMED: "#b2182b", DRIFTED: "#c05a00", FITTED: "#2166ac", BLIND: SOFT}
NEAR = 0.01
"""Below this model error, in bits, the axis is linear; above, logarithmic."""

TICKS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 40.0)
LINE = 0.045
"""The height of a line of text, of that of the plot."""


def misreading_figure(table: Misreading) -> Figure:
    """Gain against model error, a point a reader; and gain against hands observed, if any were.

    The gain is the mean over games and betting stages in bits; bars are two standard errors.
    """
    fitted = [found for found in table.readers if found.reader.kind == FITTED]
    with house_style():
        figure = blank(12.4 if fitted else 8.0, 5.2)
        plots = figure.subplots(1, 2 if fitted else 1, squeeze=False, sharey=True)[0]
        for axes in plots:
            _levels(axes, table)
        _by_error(plots[0], [found for found in table.readers if math.isfinite(found.error.mean)])
        if fitted:
            _by_hands(plots[1], fitted, table)
        plots[0].set_ylabel("information gain, bits a stage")
        note(
            figure,
            f"{n_games(table.games)} of {plain(table.players)}; mean over 3B to 7B, "
            "bars are two standard errors",
        )
    return figure


def _levels(axes: Axes, table: Misreading) -> None:
    """The lines between which a useful reader lies: by cards alone, and by the true policy."""
    axes.axhline(0.0, color=FAINT, lw=1.2, zorder=1)
    true = table.readers[0].stages[POOLED].gain.mean
    if math.isfinite(true):
        axes.axhline(true, color=COLOURS[TRUE], lw=1.0, ls=(0, (5, 2)), zorder=1)


def _bars(axes: Axes, x: Sequence[float], readers: Sequence[Misread], colour: str) -> None:
    gains = [found.stages[POOLED].gain for found in readers]
    axes.errorbar(
        x,
        [gain.mean for gain in gains],
        yerr=2.0 * np.nan_to_num([gain.error for gain in gains]),
        fmt="o",
        ms=5.5,
        color=colour,
        elinewidth=0.9,
        zorder=3,
    )


def _by_error(axes: Axes, readers: Sequence[Misread]) -> None:
    readers = [found for found in readers if math.isfinite(found.stages[POOLED].gain.mean)]
    for found in readers:
        _bars(axes, [found.error.mean], [found], COLOURS[found.reader.kind])
    axes.set_xscale("symlog", linthresh=NEAR)
    most = max((found.error.mean for found in readers), default=1.0)
    shown = TICKS[: bisect_right(TICKS, most) + 1]
    axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
    axes.minorticks_off()
    axes.set_xlim(-NEAR / 4, 1.15 * shown[-1])
    _labels(axes, readers)
    axes.set_xlabel("model error, bits an action: D(true policy || reader's)")
    axes.set_title("What a wrong model costs")


def _labels(axes: Axes, readers: Sequence[Misread]) -> None:
    """The names of the readers in a column beside the plot, a thin line from each to its point."""
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    ordered = sorted(readers, key=lambda found: (found.stages[POOLED].gain.mean, -found.error.mean))
    heights = [(found.stages[POOLED].gain.mean - low) / (high - low) for found in ordered]
    for found, height in zip(ordered, _apart(heights), strict=True):
        axes.annotate(
            plain(found.reader.label, 24),
            (found.error.mean, found.stages[POOLED].gain.mean),
            (1.02, height),
            textcoords="axes fraction",
            va="center",
            fontsize=8,
            color=COLOURS[found.reader.kind],
            arrowprops={"arrowstyle": "-", "lw": 0.5, "color": FAINT, "relpos": (0, 0.5)},
        )


def _apart(heights: Sequence[float]) -> list[float]:
    """Ascending heights from 0 to 1, moved so that lines of text at them do not meet."""
    up = _pushed(heights)
    down = [1.0 - height for height in reversed(_pushed([1.0 - h for h in reversed(heights)]))]
    # Both keep the lines apart, one by going up, one by going down; so does their middle.
    return _pushed([(high + low) / 2.0 for high, low in zip(up, down, strict=True)])


def _pushed(heights: Sequence[float]) -> list[float]:
    """Ascending heights moved up as far as they must to be a line apart, from 0 on."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + LINE if placed else 0.0))
    return placed


def _by_hands(axes: Axes, readers: Sequence[Misread], table: Misreading) -> None:
    x = [float(found.reader.hands or 0) for found in readers]
    _bars(axes, x, readers, COLOURS[FITTED])
    gains = [found.stages[POOLED].gain.mean for found in readers]
    axes.plot(x, gains, color=COLOURS[FITTED], lw=1.2, zorder=2)
    axes.set_xscale("log")
    axes.set_xticks(x, [f"{int(n):,}" for n in x])
    axes.minorticks_off()
    axes.annotate(
        "the true policy",
        (1.0, table.readers[0].stages[POOLED].gain.mean),
        (-2, 4),
        xycoords=axes.get_yaxis_transform(),
        textcoords="offset points",
        ha="right",
        fontsize=8,
        color=COLOURS[TRUE],
    )
    axes.set_xlabel("hands observed, no downcard known")
    axes.set_title(f"What observing teaches: {table.family}")
