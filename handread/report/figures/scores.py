"""Figures of scored hands: reliability curves, players, and the surprise of actions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import handread.report.figures.style as style
from handread.report.decision_words import PLAYERS_SHOWN
from handread.report.palette import LIGHT
from handread.report.tables import hands_words, n_games
from handread.study.calibration import Calibration
from handread.study.evaluation import Evaluation
from handread.study.session_values import UNNAMED, SessionTable
from handread.study.statistics import Estimate, FigureTable

if TYPE_CHECKING:  # importing polars takes time
    from handread.tables.pictures import Surprise
    from handread.tables.summary import Summary


@style.picture_style()
def reliability_figure(table: FigureTable) -> Figure:
    """Return reliability curves: bootstrap intervals of evaluations, Wilson's of calibrations."""
    kinds = list(dict.fromkeys(key.about for key in table.figures if key.figure == "came_true"))
    figure = style.blank(4.6 * max(1, len(kinds)), 4.9)
    plots = figure.subplots(1, max(1, len(kinds)), squeeze=False)[0]
    for axes, kind in zip(plots, kinds, strict=False):
        _curve(axes, table, kind)
    what = n_games(table.games) if isinstance(table, Calibration) else ""
    what = hands_words(table.hands) if isinstance(table, Evaluation) else what
    policy = style.plain(getattr(table, "policy", ""), 60)
    style.note(figure, f"{what}, {policy}; bars: 95% intervals, numbers: events")
    return figure


def _curve(axes: Axes, table: FigureTable, kind: str) -> None:
    axes.plot([0, 100], [0, 100], color=style.FAINT, lw=1.2, zorder=1)
    chances, outcomes = (
        [table.at(figure, group=group, about=kind) for group in table.groups(kind)]
        for figure in ("chance", "came_true")
    )
    x, y = ([100 * of.mean for of in estimates] for estimates in (chances, outcomes))
    # Points at 0 and 100% are drawn in full.
    axes.plot(x, y, "-o", ms=5, lw=1.0, color=style.BLUE, clip_on=False)
    for left, up, outcome in zip(x, y, outcomes, strict=True):
        if math.isfinite(outcome.low):
            ends = [100 * outcome.low, 100 * outcome.high]
            axes.plot([left, left], ends, color=style.BLUE, lw=0.9)
        style.beside(axes, f"{outcome.n:,}", (left, up), (5, -9), fontsize=7.5, color=style.SOFT)
    axes.set(xlim=(-2, 102), ylim=(-2, 102), aspect="equal", title=kind)
    axes.set_xlabel("chance that the read gave, %")
    axes.set_ylabel("came true, %")


NAME_LENGTH = 24
ROW = 0.34
"""The height of a player's row in inches."""

OFFSET = 0.16
"""The distance from the middle of a row of two points that share it."""

FULL: Mapping[str, Any] = {"marker": "o", "ls": "", "color": LIGHT.accent, "mfc": LIGHT.accent}
HOLLOW: Mapping[str, Any] = {"marker": "D", "ls": "", "color": LIGHT.bad, "mfc": "white"}
"""The looks of points."""

OUTLYING = 10.0
"""Means farther from the median than this many median distances are drawn as arrows."""


@style.picture_style()
def players_figure(summary: "Summary") -> Figure:
    """Return the information in players' actions, and their surprise, with 95% intervals."""
    from handread.tables.summary import SURPRISE, TOLD, TOLD_TRUTH

    groups = [("", "everybody"), *((name or "", "player") for name in summary.players.wanted)]
    told, truths, surprises = (
        [summary.at(figure, "", *group) for group in groups]
        for figure in (TOLD, TOLD_TRUTH, SURPRISE)
    )
    wanted = summary.players.wanted
    names = [style.plain(UNNAMED if name is None else name, NAME_LENGTH) for name in wanted]
    known = any(truth.n for truth in truths)
    figure, left, right = _panels(["everybody", *names], told)
    for axes in (left, right):
        axes.axhline(0.5, color=style.FAINT, lw=0.8, zorder=1)
    left.set(xlabel="bits a hand", title="what their actions tell")
    _player_points(left, told, FULL, -OFFSET * known)
    told_words = "told: how much the actions of a hand change the read of the downcards"
    left.plot([], [], **FULL, ms=5.5, label=told_words)
    if known:
        _player_points(left, truths, HOLLOW, OFFSET)
        true_words = "true: how far towards the downcards really held (below 0: away)"
        left.plot([], [], **HOLLOW, ms=5, label=true_words)
    figure.legend(frameon=False, fontsize=8.5, loc="outside upper left")
    _player_points(right, surprises, FULL)
    _keep_to_means(left)
    _keep_to_means(right)
    right.set_xlim(left=0.0)
    right.set(xlabel="bits an action", title="how surprising they are")
    hands = hands_words(summary.totals.hands)
    style.note(figure, f"{hands}; lines are 95% intervals, what is infinite counts as 40 bits")
    return figure


@style.picture_style()
def session_figure(session: SessionTable) -> Figure:
    """Return the results of players, also with average luck, and the cost of a decision."""
    players = session.players[:PLAYERS_SHOWN]
    net, adjusted = (
        [session.at(figure, group=name, about="all") for name in players]
        for figure in ("net", "adjusted")
    )
    costs = [session.at("cost", group=name, about="decision") for name in players]
    figure, left, right = _panels([style.plain(name, NAME_LENGTH) for name in players], adjusted)
    _player_points(left, [replace(of, low=math.nan) for of in net], HOLLOW, OFFSET)
    _player_points(left, adjusted, FULL, -OFFSET)
    left.plot([], [], **FULL, ms=5.5, label="with average luck")
    left.plot([], [], **HOLLOW, ms=5, label="result")
    figure.legend(frameon=False, fontsize=8.5, ncols=2, loc="outside upper left")
    left.set(xlabel="big bets", title="results, in hands with known downcards")
    _player_points(right, costs, FULL)
    right.set_xlim(left=min(0.0, right.get_xlim()[0]))
    right.set(xlabel="big bets a decision", title="what decisions cost")
    style.note(figure, "lines are 95% intervals; values by the policy, see docs/decisions.md")
    return figure


def _panels(names: Sequence[str], means: Sequence[Estimate]) -> tuple[Figure, Axes, Axes]:
    """Return a figure with two panels, and rows for players with the numbers of their hands."""
    figure = style.blank(8.6, 2.1 + ROW * len(names))
    left, right = figure.subplots(1, 2, sharey=True)
    labels = [f"{name}  {mean.n:,}" for name, mean in zip(names, means, strict=True)]
    left.set_yticks(range(len(names)), labels)
    left.set_ylim(len(names) - 0.4, -0.6)
    look: dict[str, Any] = {"ha": "right", "va": "bottom", "fontsize": 8, "color": style.SOFT}
    left.text(0.0, 1.0, "hands  ", transform=left.transAxes, **look)
    left.axvline(0.0, color=style.FAINT, lw=1.0, zorder=1)
    return figure, left, right


def _player_points(
    axes: Axes, means: Sequence[Estimate], look: Mapping[str, Any], shift: float = 0.0
) -> None:
    for row, mean in enumerate(means):
        if not mean.n:
            continue
        if math.isfinite(mean.low):
            ends = [mean.low, mean.high]
            axes.plot(ends, [row + shift] * 2, color=look["color"], lw=1.1, zorder=2)
        axes.plot(mean.mean, row + shift, ms=5, zorder=3, **look)


def _keep_to_means(axes: Axes) -> None:
    """Fit the axis to most of the means; outlying means are arrows at the edge."""
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
                axes.text(edge, row, words, ha=side, va="center", fontsize=7.5, color=style.SOFT)


@style.picture_style()
def surprise_figure(surprises: "Surprise") -> Figure:
    """Return the distribution of the surprise of actions, with a row for each kind."""
    figure = style.blank(7.6, 1.1 + 1.25 * len(surprises.counts))
    rows = figure.subplots(len(surprises.counts), 1, sharex=True, squeeze=False)[:, 0]
    for axes, kind in zip(rows, surprises.counts, strict=True):
        _distribution(axes, surprises, kind)
    *edges, end = surprises.edges
    rows[-1].set_xlim(0.0, end)
    ticks = range(round(edges[-1]) + 1)
    rows[-1].set_xticks(ticks, [*map(str, ticks[:-1]), f"{edges[-1]:g} and more"])
    rows[-1].set_xlabel("surprise, bits: -log2 of the probability before it was seen")
    figure.suptitle("How surprising the actions are", x=0.02, ha="left", fontsize=11)
    hands = hands_words(surprises.hands)
    words = f"{hands}, {style.plain(surprises.policy)}; lines: means, bands: their 95% intervals"
    if any(mean.infinite for mean in surprises.figures.values()):
        words += "; what is infinite counts as 40 bits"
    style.note(figure, words)
    return figure


def _distribution(axes: Axes, surprises: "Surprise", kind: str) -> None:
    mean = surprises.at("surprise_bits", group=kind)
    shares = 100.0 * np.array(surprises.counts[kind]) / mean.n
    axes.stairs(shares, surprises.edges, fill=True, color=LIGHT.heat[3].fill)
    axes.axvline(min(mean.mean, surprises.edges[-1]), color=LIGHT.bad, lw=1.4)
    if math.isfinite(mean.low):
        axes.axvspan(mean.low, mean.high, color=LIGHT.bad, alpha=0.12, lw=0)
    never = f", {mean.infinite:,} of them infinite" if mean.infinite else ""
    axes.set_title(f"{kind}: {mean.n:,}{never}", fontsize=9.5)
    axes.set_ylabel("%")
    axes.set_ylim(bottom=0.0)
