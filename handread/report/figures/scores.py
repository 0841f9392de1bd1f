"""Figures of scored hands: reliability curves, players, and the surprise of actions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.report.figures.style import BLUE, FAINT, SOFT, blank, note, picture_style, plain
from handread.report.palette import LIGHT
from handread.report.tables import hands_words
from handread.study.evaluation import Evaluation
from handread.study.statistics import CalibrationBin, Estimate

if TYPE_CHECKING:  # importing polars takes time
    from handread.tables.pictures import KindSurprise, Surprise
    from handread.tables.summary import PlayerSummary, Summary


def reliability_figure(found: Evaluation) -> Figure:
    """Return a reliability curve for each kind of event: predicted and observed frequencies.

    Bars are 95% bootstrap intervals, numbers are events.
    """
    tables = {kind: bins for kind, bins in found.reliability.items() if bins}
    with picture_style():
        figure = blank(4.6 * max(1, len(tables)), 4.9)
        plots = figure.subplots(1, max(1, len(tables)), squeeze=False)[0]
        for axes, (kind, bins) in zip(plots, tables.items(), strict=False):
            _curve(axes, kind, bins)
        hands = hands_words(found.hands)
        note(figure, f"{hands}, {plain(found.policy, 60)}; bars: 95% intervals, numbers: events")
    return figure


def _curve(axes: Axes, kind: str, bins: Sequence[CalibrationBin]) -> None:
    axes.plot([0, 100], [0, 100], color=FAINT, lw=1.2, zorder=1)
    points = [(100 * b.chance, 100 * b.happened.mean, b) for b in bins]
    axes.plot(
        [x for x, _, _ in points],
        [y for _, y, _ in points],
        "-o",
        ms=5,
        lw=1.0,
        color=BLUE,
        clip_on=False,
    )
    for x, y, b in points:
        if math.isfinite(b.happened.low):
            axes.plot(
                [x, x],
                [100 * b.happened.low, 100 * b.happened.high],
                color=BLUE,
                lw=0.9,
            )
        axes.annotate(
            f"{b.events:,}",
            (x, y),
            (5, -9),
            textcoords="offset points",
            fontsize=7.5,
            color=SOFT,
        )
    axes.set(xlim=(-2, 102), ylim=(-2, 102), aspect="equal", title=kind)
    axes.set_xlabel("chance that the read gave, %")
    axes.set_ylabel("came true, %")


NAME_LENGTH = 24
ROW = 0.34
"""The height of a player's row in inches."""

OFFSET = 0.16
"""The distance from the middle of a row of two points that share it."""

OUTLYING = 10.0
"""Means farther from the median than this many median distances are drawn as arrows."""


def players_figure(found: Summary) -> Figure:
    """Return the information in each player's actions about its downcards, and their surprise.

    Each player has a row, after one for everybody; lines are 95% intervals over hands.
    """
    players = [found.players.everybody, *found.players.wanted]
    known = any(player.told_truth.n for player in players)
    with picture_style():
        figure = blank(8.6, 1.9 + ROW * len(players))
        told, surprise = figure.subplots(1, 2, sharey=True)
        _rows(told, players)
        told.axvline(0.0, color=FAINT, lw=1.0, zorder=1)
        for axes in (told, surprise):
            axes.axhline(0.5, color=FAINT, lw=0.8, zorder=1)
        told.set_xlabel("bits a hand")
        told.set_title("what their actions tell")
        _player_points(
            told, [player.told for player in players], "o", LIGHT.accent, -OFFSET * known
        )
        if known:
            truths = [player.told_truth for player in players]
            _player_points(told, truths, "D", LIGHT.bad, OFFSET, hollow=True)
            told.plot([], [], "o", color=LIGHT.accent, ms=5.5, label="of the downcards")
            told.plot([], [], "D", color=LIGHT.bad, mfc="white", ms=5, label="of the true ones")
            figure.legend(frameon=False, fontsize=8.5, ncols=2, loc="outside upper left")
        _player_points(surprise, [player.surprise for player in players], "o", LIGHT.accent, 0.0)
        _keep_to_means(told)
        _keep_to_means(surprise)
        surprise.set_xlim(left=0.0)
        surprise.set_xlabel("bits an action")
        surprise.set_title("how surprising they are")
        hands = hands_words(found.totals.hands)
        note(figure, f"{hands}; lines are 95% intervals, what is infinite counts as 40 bits")
    return figure


def _rows(axes: Axes, players: Sequence[PlayerSummary]) -> None:
    """Set up a row for each player, with its name and the number of hands dealt to it."""
    names = ["everybody", *(_name(player) for player in players[1:])]
    labels = [f"{name}  {player.hands:,}" for name, player in zip(names, players, strict=True)]
    axes.set_yticks(range(len(players)), labels)
    axes.set_ylim(len(players) - 0.4, -0.6)
    axes.text(
        0.0,
        1.0,
        "hands  ",
        transform=axes.transAxes,
        ha="right",
        va="bottom",
        fontsize=8,
        color=SOFT,
    )


def _name(player: PlayerSummary) -> str:
    return "(no name)" if player.name is None else plain(player.name, NAME_LENGTH)


def _player_points(
    axes: Axes,
    means: Sequence[Estimate],
    marker: str,
    colour: str,
    shift: float,
    hollow: bool = False,
) -> None:
    """Draw a point and its interval in each row that has a value."""
    for row, mean in enumerate(means):
        if not mean.n:
            continue
        if math.isfinite(mean.low):
            ends = [mean.low, mean.high]
            axes.plot(ends, [row + shift] * 2, color=colour, lw=1.1, zorder=2)
        face = "white" if hollow else colour
        axes.plot(mean.mean, row + shift, marker, ms=5, color=colour, mfc=face, zorder=3)


def _keep_to_means(axes: Axes) -> None:
    """Fit the axis to most of the means; outlying ones are arrows at the edge."""
    points = [line for line in axes.get_lines() if line.get_marker() not in ("", "None", None)]
    means = np.concatenate([np.asarray(line.get_xdata(), float) for line in points])
    middle = float(np.median(means))
    reach = OUTLYING * float(np.median(np.abs(means - middle))) or float(np.ptp(means))
    bulk = np.append(means[np.abs(means - middle) <= reach], 0.0)
    low, high = axes.get_xlim()
    room = float(np.ptp(bulk)) or 1.0
    left, right = max(low, bulk.min() - room), min(high, bulk.max() + room)
    axes.set_xlim(left, right)
    for line in points:
        x = np.asarray(line.get_xdata(), float)
        y = np.asarray(line.get_ydata(), float)
        for place, row in zip(x, y, strict=True):
            if not left <= place <= right:
                edge, mark, side = (left, "<", "left") if place < left else (right, ">", "right")
                axes.plot(edge, row, mark, ms=6, color=line.get_color(), clip_on=False)
                words = f" {place:+.2f} "
                axes.text(edge, row, words, ha=side, va="center", fontsize=7.5, color=SOFT)


def surprise_figure(found: Surprise) -> Figure:
    """Return the distribution of the surprise of actions, with a row for each kind."""
    with picture_style():
        figure = blank(7.6, 1.1 + 1.25 * len(found.kinds))
        rows = figure.subplots(len(found.kinds), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (kind, actions) in zip(rows, found.kinds.items(), strict=True):
            _distribution(axes, kind, actions, found.edges)
        *edges, end = found.edges
        rows[-1].set_xlim(0.0, end)
        ticks = range(round(edges[-1]) + 1)
        rows[-1].set_xticks(ticks, [*map(str, ticks[:-1]), f"{edges[-1]:g} and more"])
        rows[-1].set_xlabel("surprise, bits: -log2 of the probability before it was seen")
        figure.suptitle("How surprising the actions are", x=0.02, ha="left", fontsize=11)
        hands = hands_words(found.hands)
        words = f"{hands}, {plain(found.policy)}; lines: means, bands: their 95% intervals"
        if any(actions.mean.infinite for actions in found.kinds.values()):
            words += "; what is infinite counts as 40 bits"
        note(figure, words)
    return figure


def _distribution(axes: Axes, kind: str, actions: KindSurprise, edges: tuple[float, ...]) -> None:
    """Draw the shares of the actions by bits, with their mean and its interval."""
    shares = 100.0 * np.array(actions.counts) / actions.mean.n
    axes.stairs(shares, edges, fill=True, color=LIGHT.heat[3].fill)
    mean = actions.mean
    axes.axvline(min(mean.mean, edges[-1]), color=LIGHT.bad, lw=1.4)
    if math.isfinite(mean.low):
        axes.axvspan(mean.low, mean.high, color=LIGHT.bad, alpha=0.12, lw=0)
    never = f", {actions.mean.infinite:,} of them infinite" if actions.mean.infinite else ""
    axes.set_title(f"{kind}: {actions.mean.n:,}{never}", fontsize=9.5)
    axes.set_ylabel("%")
    axes.set_ylim(bottom=0.0)
