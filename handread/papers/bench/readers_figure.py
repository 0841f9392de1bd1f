"""The figure of the bench of readers."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.game.rules import AFTER_BETS
from handread.papers.bench.set_readers import BITS, Bench
from handread.report.figures.style import BLUE, FAINT, SOFT, blank, note, picture_style, plain
from handread.report.tables import hands_words

ROW, LABEL_LENGTH = 0.34, 26
"""The height of a reader's row in inches, and the most characters of its name."""

PANEL, ACROSS = 2.9, 3
"""The width of the panel of a set of hands in inches, and the most panels side by side."""

LEAST = -1.5
"""The least bits on the axis: farther left, readers are arrows."""


@picture_style()
def readers_figure(table: Bench) -> Figure:
    """Return the bits on the true downcards: a panel for each set of hands, a row for each reader.

    Points are means over all stages with 95% intervals; small ticks are the stages, light to dark.
    """
    names, readers = list(table.sets), table.readers
    across = min(ACROSS, len(names))
    down = -(-len(names) // across)
    figure = blank(1.6 + PANEL * across, 1.0 + down * (0.5 + ROW * len(readers)))
    plots = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True).ravel()
    plots[0].set_yticks(range(len(readers)), [plain(label, LABEL_LENGTH) for label in readers])
    plots[0].set_ylim(len(readers) - 0.4, -0.6)
    for axes, name in zip(plots, names, strict=False):
        _panel(axes, table, name)
    for axes in plots[len(names) :]:
        axes.set_axis_off()
    for axes in plots[: len(names)][-across:]:
        axes.tick_params(labelbottom=True)
    plots[0].set_xlim(left=max(LEAST, plots[0].get_xlim()[0]))
    note(
        figure,
        "bits on the true downcards over a guess by the upcards\n"
        "points: all betting stages, with 95% intervals; ticks: single stages, later darker",
    )
    return figure


def _panel(axes: Axes, table: Bench, name: str) -> None:
    axes.axvline(0.0, color=FAINT, lw=1.0, zorder=1)
    axes.set_title(f"{plain(name, 24)}: {hands_words(table.sets[name])}", fontsize=9.5)
    stages = [stage for stage in table.stages if stage in AFTER_BETS]
    for row, label in enumerate(table.readers):
        bits = table.at(BITS, "", label, name)
        if not bits.n:
            axes.text(0.0, row, " cannot read these", va="center", fontsize=7.5, color=SOFT)
            continue
        if bits.mean < LEAST:
            axes.plot(LEAST, row, "<", ms=6, color=BLUE, clip_on=False)
            axes.text(LEAST, row, f"   {bits.mean:+.1f}", va="center", fontsize=7.5, color=SOFT)
            continue
        there = [table.at(BITS, stage, label, name) for stage in stages]
        means = [each.mean for each in there if each.n]
        for mean, shade in zip(means, np.linspace(0.25, 0.8, len(means)), strict=True):
            axes.plot([mean] * 2, [row + 0.12, row + 0.34], color=BLUE, alpha=float(shade), lw=1.6)
        if math.isfinite(bits.low):
            axes.plot([bits.low, bits.high], [row] * 2, color=BLUE, lw=1.4, zorder=2)
        axes.plot(bits.mean, row, "o", ms=5.5, color=BLUE, zorder=3)
