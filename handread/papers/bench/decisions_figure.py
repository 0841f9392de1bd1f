"""The figure of the worth of a read."""

import math

from matplotlib.figure import Figure

import handread.report.figures.style as style
from handread.inference.players import CARDS_ONLY
from handread.papers.bench.decisions_text import OBSERVER_NAMES
from handread.papers.bench.read_value import GAIN, OBSERVERS, SHARE, ReadValue
from handread.study.decision_samples import ALL_CARDS, FULL_WEIGHT, READ

COLOURS = {
    CARDS_ONLY: style.ORANGE,
    READ: style.BLUE,
    FULL_WEIGHT: style.SOFT,
    ALL_CARDS: style.GREEN,
}

PANEL, ACROSS, LEAST = 3.3, 3, 6.4
"""The width in inches of a source's panel, the most panels side by side, and the least width."""


@style.picture_style()
def read_value_figure(table: ReadValue) -> Figure:
    """Return the gains of the observers: a panel for each source of hands, with 95% intervals."""
    across = min(ACROSS, len(table.sets))
    down = -(-len(table.sets) // across)
    figure = style.blank(max(LEAST, 0.9 + PANEL * across), 0.6 + 2.9 * down)
    panels = figure.subplots(down, across, squeeze=False, sharex=True).ravel()
    for axes in panels[len(table.sets) :]:
        axes.set_axis_off()
    for axes, name in zip(panels, table.sets, strict=False):
        observers = [who for who in OBSERVERS if table.at(GAIN, "", who, name).n]
        axes.axvline(0.0, color=style.FAINT, lw=1.0)
        axes.set_yticks(range(len(observers)), [OBSERVER_NAMES[who] for who in observers])
        axes.set_ylim(len(observers) - 0.4, -0.6)
        for row, who in enumerate(observers):
            gain, share = table.at(GAIN, "", who, name), table.at(SHARE, "", who, name)
            axes.barh(row, gain.mean, 0.62, color=COLOURS[who], alpha=0.75)
            if math.isfinite(gain.low):
                axes.plot([gain.low, gain.high], [row] * 2, color=style.SOFT, lw=1.2)
            if who != ALL_CARDS and math.isfinite(share.mean):
                end = max(0.0, gain.mean, gain.high if math.isfinite(gain.high) else 0.0)
                axes.text(end, row, f" {share.mean:.0%}", va="center", fontsize=8.5)
        n = table.at(GAIN, "", ALL_CARDS, name).n
        axes.set_title(f"{style.plain(name, 26)}: {n:,} decisions", fontsize=9.5)
        axes.set_xlabel("big bets a decision")
    style.note(
        figure,
        "gain over the action taken by choosing with what is known, with 95% intervals\n"
        "percentages are shares of the gain with all cards known",
    )
    return figure
