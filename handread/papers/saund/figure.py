"""The figure of simulated games: win rates."""

import math
from textwrap import wrap

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import handread.report.figures.style as style
from handread.inference.players import CARDS_ONLY
from handread.papers.saund.replication import WinRates
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
