"""The ledger of bits in the picture of a hand: what every moment told, and the sums by seat."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from handread.report.palette import LIGHT, seat_colour
from handread.report.plots.canvas import FAINT, SOFT
from handread.report.plots.hand_axes import HALO, View, height_of, moments_axis
from handread.report.series import bars, finite


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
