"""Figures of the experiments on decisions: the worth of a read, and the calibration of values."""

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import handread.report.figures.style as style
from handread.inference.players import CARDS_ONLY
from handread.papers.bench import decision_calibration as calibration
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
    figure, panels = _panels(len(table.sets), 2.9, sharex=True)
    for axes, name in zip(panels, table.sets, strict=True):
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


@style.picture_style()
def decision_calibration_figure(table: calibration.DecisionCalibration) -> Figure:
    """Return the actors' winnings by the tenths of the values: a panel for each source of hands."""
    figure, panels = _panels(len(table.sets), 3.4)
    for axes, name in zip(panels, table.sets, strict=True):
        for who in calibration.OBSERVERS:
            _tenths(axes, table, name, who)
        low, high = axes.get_xlim()
        axes.plot([low, high], [low, high], color=style.FAINT, lw=1.0, zorder=0)
        axes.set_title(style.plain(name, 34), fontsize=9.5)
        axes.set_xlabel("value of the action taken, big bets")
        axes.set_ylabel("won from there on")
        axes.legend(frameon=False, fontsize=8, loc="upper left")
    style.note(figure, "tenths of the decisions by value, with 95% intervals; no folds")
    return figure


def _tenths(axes: Axes, table: calibration.DecisionCalibration, name: str, who: str) -> None:
    about = calibration.part_of(name, who)
    places = table.groups(about)
    values = [table.at(calibration.PREDICTED, "", group, about).mean for group in places]
    won = [table.at(calibration.REALISED, "", group, about).mean for group in places]
    apart = [table.at(calibration.DIFFERENCE, "", group, about) for group in places]
    reach = [each.high - each.mean if math.isfinite(each.high) else 0.0 for each in apart]
    slope = table.at(calibration.SLOPE, "", who, name).mean
    said = f", slope {slope:.2f}" if math.isfinite(slope) else ""
    label = f"{OBSERVER_NAMES[who]}{said}"
    axes.errorbar(
        values, won, reach, fmt="o", ms=4, lw=1.0, color=COLOURS[who], alpha=0.8, label=label
    )


def _panels(n: int, height: float, sharex: bool = False) -> tuple[Figure, list[Axes]]:
    across = min(ACROSS, n)
    down = -(-n // across)
    figure = style.blank(max(LEAST, 0.9 + PANEL * across), 0.6 + height * down)
    plots = figure.subplots(down, across, squeeze=False, sharex=sharex).ravel()
    for axes in plots[n:]:
        axes.set_axis_off()
    return figure, list(plots[:n])
