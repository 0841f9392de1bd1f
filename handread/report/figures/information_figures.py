"""Figures of the information in games: information gain, and entropies of the outcome."""

from collections.abc import Container, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import handread.report.figures.style as style
from handread.game.rules import ALL_STAGES
from handread.report.tables import mean_cell, n_games
from handread.study.information_gain import GAIN_FIGURES, EntropyPaths, InformationGain
from handread.study.statistics import Estimate, stages_with

PLACES = {stage: float(place) for place, stage in enumerate(ALL_STAGES, -2)}
"""The places of stages on an axis; 3D is at 0."""


def _stages_axis(axes: Axes, shown: Container[str]) -> None:
    stages = stages_with(shown)
    axes.set_xlim(PLACES[stages[0]] - 0.4, PLACES[stages[-1]] + 0.4)
    axes.set_xticks([PLACES[stage] for stage in stages], stages)


@style.picture_style()
def gain_figure(table: InformationGain) -> Figure:
    """Return Figure 6 of Saund 2006: the entropy of the outcome and two observers' divergences.

    The lines are log2 N, the entropy, and the entropy plus the K-L divergence of each observer, in
    bits by stage; bands are two standard errors.
    """
    figure = style.blank(8.6, 6.2)
    axes, below = figure.subplots(2, 1, height_ratios=[5, 2])
    stages = [stage for stage in table.stages if table.at("gain_fraction", stage).n]
    x = [PLACES[stage] for stage in stages]
    blind, entropy, cards, bets = (
        [table.at(figure, stage) for stage in stages] for figure in list(GAIN_FIGURES)[:4]
    )
    lines = (
        ("log2 N, a blind guess", blind, style.RED, "-", 1.0),
        ("cards only", _atop(entropy, cards), style.ORANGE, (0, (5, 2)), 1.6),
        ("cards and bets", _atop(entropy, bets), style.BLUE, (0, (2, 1.5)), 1.6),
        ("entropy, all cards known", entropy, style.GREEN, "-", 2.6),
    )
    for label, values, colour, dashes, width in lines:
        means = np.array([value.mean for value in values])
        errors = np.nan_to_num([value.error for value in values])
        axes.fill_between(x, means - 2 * errors, means + 2 * errors, color=colour, alpha=0.15, lw=0)
        axes.plot(x, means, color=colour, ls=dashes, lw=width, label=label)
    axes.set_ylabel("bits")
    axes.set_ylim(bottom=0.0)
    axes.set_title(f"What it takes to tell who will win: {n_games(table.games)}")
    axes.legend(frameon=False, loc="best")
    _stages_axis(axes, stages)
    _gain_rows(below, table, stages)
    style.note(figure, f"{style.plain(table.policy)}; bands are two standard errors")
    return figure


def _atop(entropies: Sequence[Estimate], divergences: Sequence[Estimate]) -> list[Estimate]:
    return [
        Estimate(entropy.mean + divergence.mean, divergence.error)
        for entropy, divergence in zip(entropies, divergences, strict=True)
    ]


def _gain_rows(axes: Axes, table: InformationGain, stages: Sequence[str]) -> None:
    heads = ("games", "log2 N", "entropy", "K-L cards", "K-L bets", "gain")
    figures = ("log2_n_bits", *GAIN_FIGURES)
    percent = partial(mean_cell, digits=0, scale=100.0, unit="%")
    formats = ("{0.n:,}", "{0.mean:.2f}", "{0.mean:.2f}", "{0.mean:.3f}", "{0.mean:.3f}", "")
    rows = [
        (head, [cell.format(of) if cell else percent(of) for of in estimates])
        for head, figure, cell in zip(heads, figures, formats, strict=True)
        for estimates in [[table.at(figure, stage) for stage in stages]]
    ]
    axes.set_axis_off()
    axes.set_ylim(len(rows) - 0.5, -0.5)
    _stages_axis(axes, stages)
    look: dict[str, Any] = {"va": "center", "fontsize": 8.5}
    by_row = {"xycoords": axes.get_yaxis_transform(), "ha": "right", "color": style.SOFT}
    for row, (label, cells) in enumerate(rows):
        style.beside(axes, label, (0.0, row), (-6, 0), **by_row, **look)
        for stage, cell in zip(stages, cells, strict=True):
            axes.text(PLACES[stage], row, cell, ha="center", **look)


@style.picture_style()
def entropies_figure(paths: EntropyPaths) -> Figure:
    """Return Figure 7 of Saund 2006: the entropy of the outcome of single games, one marked."""
    figure = style.blank(8.0, 4.6)
    axes = figure.subplots()
    games = paths.paths
    for game, path in games.items():
        if game != paths.picked:
            axes.plot(*_points(path), color=style.FAINT, lw=0.8, alpha=0.9, zorder=1)
    chosen = games.get(paths.picked)
    if chosen:
        x, y = _points(chosen)
        axes.plot(x, y, color=style.RED, lw=2.2, zorder=3)
        marked = [stage for stage in paths.marked if stage in chosen]
        at = [PLACES[stage] for stage in marked], [chosen[stage] for stage in marked]
        axes.plot(*at, "o", ms=9, mfc="white", mec=style.RED, mew=1.6, zorder=4)
        labels = {PLACES[stage]: [stage] for stage in marked}
        labels.setdefault(x[-1], []).append(f"game {paths.picked}")
        for left, words in labels.items():
            end = left, y[x.index(left)]
            style.beside(axes, ", ".join(words), end, (7, 6), color=style.RED, zorder=5)
    axes.set_ylabel("entropy of the outcome, bits")
    axes.set_ylim(bottom=-0.03)
    axes.set_title(f"How uncertain the outcome is as a game goes on: {n_games(len(games))}")
    _stages_axis(axes, {stage for path in games.values() for stage in path})
    return figure


def _points(path: Mapping[str, float]) -> tuple[list[float], list[float]]:
    there = [stage for stage in ALL_STAGES if stage in path]
    return [PLACES[stage] for stage in there], [path[stage] for stage in there]
