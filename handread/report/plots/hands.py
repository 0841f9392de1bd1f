"""The picture of a stage (Saund 2006, Figure 1): what each seat may end with."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.hand_types import N_CLASSES
from handread.reading import StageReading
from handread.report.bins import BIN, CATEGORY_MARKS, category_starts, edges, heights
from handread.report.plots.canvas import FAINT, NAME_WIDTH, blank, house_style, note, plain

FILL = "#4a7aa5"


def htpd_figure(stage: StageReading, names: Mapping[int, str]) -> Figure:
    """Figure 1 of Saund 2006: the htpds of the seats still in, with their chances to win.

    Hand types go from the worst to the best; the height is the probability of a type, on a
    square-root scale, averaged over ``BIN`` neighbours of one category.
    """
    with house_style():
        seats = list(stage.seats)
        figure = blank(8.6, 1.1 + 1.3 * len(seats))
        rows = figure.subplots(len(seats), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        drawn = {seat: heights(stage.seats[seat].htpd) for seat in seats}
        top = max(float(height.max()) for height in drawn.values())
        for axes, seat in zip(rows, seats, strict=True):
            _row(axes, drawn[seat], top)
            _words(axes, seat, names.get(seat, ""), stage)
        _marks(rows[-1])
        known = ""
        if stage.omniscience == "full" and stage.entropy_bits is not None:
            known = f"; entropy of the outcome {stage.entropy_bits:.2f} bits"
        note(
            figure,
            "hand types from the worst to the best: HC high card, PH pair, TP two pair, T trips, "
            "S straight, FL flush, FH full house, Q quads, SF straight flush\n"
            f"height: square root of the probability of a type, mean of {BIN} neighbours",
        )
        figure.suptitle(f"What each seat may end with at {stage.stage}{known}", fontsize=11)
    return figure


def _row(axes: Axes, row: npt.NDArray[np.float64], top: float) -> None:
    axes.stairs(row, edges(), fill=True, color=FILL)
    axes.set(xlim=(0, N_CLASSES), ylim=(0, top * 1.05))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    for start in category_starts()[1:-1]:
        axes.axvline(start, color=FAINT, lw=0.7, zorder=0)


def _words(axes: Axes, seat: int, name: str, stage: StageReading) -> None:
    who = f"seat {seat} {plain(name, NAME_WIDTH)}".rstrip()
    bets, cards = stage.bet_inference[seat], stage.cards_only[seat]
    chances = f"wins {bets:.0%}, by the cards alone {cards:.0%}"
    if stage.omniscient is not None:
        sure = "" if stage.omniscience == "full" else " as far as is known"
        chances += f", in truth{sure} {stage.omniscient[seat]:.0%}"
    axes.set_title(f"{who}: {chances}", fontsize=9)


def _marks(axes: Axes) -> None:
    """The categories under the lowest row; narrow ones share a place with their neighbours."""
    middles = [(low + high) / 2 for low, high in pairwise(category_starts())]
    axes.set_xticks(middles, CATEGORY_MARKS)
    axes.tick_params(axis="x", length=0)
    for mark, label in zip(CATEGORY_MARKS, axes.get_xticklabels(), strict=True):
        if mark in ("S", "SF"):  # ten hand types each: no room for a label beside the others
            label.set_y(-0.13)
