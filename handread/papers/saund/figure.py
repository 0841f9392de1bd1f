"""Figures of simulated games: win rates, and misreading."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import handread.report.figures.style as style
from handread.inference.players import CARDS_ONLY
from handread.papers.saund.misspecified import FITTED, KINDS, POOLED, TRUE, Misreading, ReaderModel
from handread.papers.saund.replication import WinRates
from handread.report.figures.panels import apart
from handread.report.tables import n_games
from handread.study.statistics import Estimate

RATE_FIGURES = ("put_in_small_bets", "won_small_bets", "net_small_bets")


@style.picture_style()
def win_rates_figure(rates: WinRates) -> Figure:
    """Return Figure 9 of Saund 2006: small bets a hand put in, won and net, by player and by kind.

    With 95% intervals.
    """
    kinds, seats = (
        [
            [rates.at(figure, group=group, about=about) for figure in RATE_FIGURES]
            for group in rates.groups(about)
        ]
        for about in ("kind", "seat")
    )
    groups = [*rates.groups("kind"), *rates.groups("seat")]
    put_in, won, net = zip(*kinds, *seats, strict=True)
    figure = style.blank(max(8.6, 1.2 + 0.95 * len(groups)), 5.0)
    axes = figure.subplots()
    gap = [0.0] * len(kinds) + [0.8] * len(seats)
    x = np.arange(len(groups)) + np.array(gap)
    bars = (("put in", put_in, "#bdbdbd"), ("won", won, "#737373"), ("net", net, ""))
    for place, (label, values, colour) in enumerate(bars):
        axes.bar(
            x + (place - 1) * 0.27,
            [value.mean for value in values],
            0.25,
            yerr=np.nan_to_num([1.96 * value.error for value in values]),
            color=colour or [_colour(group) for group in groups],
            error_kw={"elinewidth": 0.9, "ecolor": style.INK},
            label=label if colour else None,
        )
    knowledge = {_colour(group): group.rpartition(", ")[2] for group in rates.groups("seat")}
    for colour, label in knowledge.items():
        axes.bar([0], [0], color=colour, label=f"net, {label}")
    for place, rate in zip(x, net, strict=True):
        if math.isfinite(rate.mean):
            _write_net(axes, place + 0.27, rate)
    axes.axhline(0.0, color=style.SOFT, lw=0.8)
    axes.set_xticks(x, [_wrapped(group) for group in groups])
    axes.set_ylabel("small bets a hand")
    axes.set_title(f"What reading the bets is worth: {n_games(rates.games)}")
    figure.legend(frameon=False, fontsize=8.5, ncols=4, loc="outside upper right")
    style.note(figure, f"{style.plain(rates.players, 120)}; lines are 95% intervals")
    axes.margins(y=0.12)
    return figure


def _write_net(axes: Axes, x: float, net: Estimate) -> None:
    top = max(net.mean + 1.96 * np.nan_to_num(net.error), 0.0)
    box = {"fc": "white", "ec": "none", "pad": 0.6, "alpha": 0.85}
    style.beside(axes, f"{net.mean:+.2f}", (x, top), (0, 3), ha="center", fontsize=8, bbox=box)


def _colour(group: str) -> str:
    return style.ORANGE if group.endswith(CARDS_ONLY) else style.BLUE


def _wrapped(label: str) -> str:
    return "\n".join(wrap(style.plain(label, 60), 13))


COLOURS = dict(
    zip(KINDS, (style.GREEN, style.RED, style.ORANGE, style.BLUE, style.SOFT), strict=True)
)
NEAR = 0.01
"""Model error in bits below which the axis is linear; above, it is logarithmic."""

TICKS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 40.0)
LINE = 0.045
"""The height of a line of text relative to the plot."""


class ReaderPoint(NamedTuple):
    """A reader, its model error in bits an action, and its gain in bits a stage."""

    reader: ReaderModel
    error: float
    gain: Estimate


@style.picture_style()
def misreading_figure(table: Misreading) -> Figure:
    """Return the gain against model error, and against hands observed if readers were fitted.

    Each reader is a point: the mean gain in bits over games and betting stages, with bars of two
    standard errors.
    """
    points = [
        ReaderPoint(
            reader, table.of(reader, "model_error_bits").mean, table.of(reader, "gain_bits", POOLED)
        )
        for reader in table.readers
    ]
    true = points[0].gain.mean
    fitted = [point for point in points if point.reader.kind == FITTED]
    figure = style.blank(12.4 if fitted else 8.0, 5.2)
    plots = figure.subplots(1, 2 if fitted else 1, squeeze=False, sharey=True)[0]
    for axes in plots:  # the gain of reading the cards alone, and of the true policy
        axes.axhline(0.0, color=style.FAINT, lw=1.2, zorder=1)
        if math.isfinite(true):
            axes.axhline(true, color=COLOURS[TRUE], lw=1.0, ls=(0, (5, 2)), zorder=1)
    finite = [p for p in points if math.isfinite(p.error) and math.isfinite(p.gain.mean)]
    _by_error(plots[0], finite)
    if fitted:
        _by_hands(plots[1], fitted, true)
        plots[1].set_title(f"What observing teaches: {table.family}")
    plots[0].set_ylabel("information gain, bits a stage")
    first, *_, last, _ = table.places
    style.note(
        figure,
        f"{n_games(table.games)} of {style.plain(table.players)}; mean over {first} to {last}, "
        "bars are two standard errors",
    )
    return figure


def _bars(axes: Axes, x: Sequence[float], gains: Sequence[Estimate], colour: str) -> None:
    means = [gain.mean for gain in gains]
    reach = 2.0 * np.nan_to_num([gain.error for gain in gains])
    axes.errorbar(x, means, yerr=reach, fmt="o", ms=5.5, color=colour, elinewidth=0.9, zorder=3)


def _by_error(axes: Axes, points: Sequence[ReaderPoint]) -> None:
    for point in points:
        _bars(axes, [point.error], [point.gain], COLOURS[point.reader.kind])
    axes.set_xscale("symlog", linthresh=NEAR)
    most = max((point.error for point in points), default=1.0)
    shown = TICKS[: bisect_right(TICKS, most) + 1]
    axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
    axes.minorticks_off()
    axes.set_xlim(-NEAR / 4, 1.15 * shown[-1])
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    # Names stand beside the plot, connected to their points.
    heights = apart([(p.gain.mean - low) / (high - low) for p in points], LINE, 0.0, 1.0)
    for (reader, error, gain), height in zip(points, heights, strict=True):
        line = {"arrowstyle": "-", "lw": 0.5, "color": style.FAINT, "relpos": (0, 0.5)}
        look: dict[str, Any] = {"va": "center", "color": COLOURS[reader.kind], "arrowprops": line}
        words, place = style.plain(reader.label, 24), (error, gain.mean)
        axes.annotate(words, place, (1.02, height), textcoords="axes fraction", fontsize=8, **look)
    axes.set_xlabel("model error, bits an action: D(true policy || reader's)")
    axes.set_title("What a wrong model costs")


def _by_hands(axes: Axes, points: Sequence[ReaderPoint], true: float) -> None:
    x = [float(point.reader.hands or 0) for point in points]
    _bars(axes, x, [point.gain for point in points], COLOURS[FITTED])
    axes.plot(x, [point.gain.mean for point in points], color=COLOURS[FITTED], lw=1.2, zorder=2)
    axes.set_xscale("log")
    axes.set_xticks(x, [f"{int(n):,}" for n in x])
    axes.minorticks_off()
    look = {"xycoords": axes.get_yaxis_transform(), "ha": "right", "color": COLOURS[TRUE]}
    style.beside(axes, "the true policy", (1.0, true), (-2, 4), fontsize=8, **look)
    axes.set_xlabel("hands observed, no downcard known")
