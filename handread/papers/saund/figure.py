"""Figures of simulated games: information gain, entropies, win rates, misreading."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Container, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.game.rules import ALL_STAGES
from handread.inference.players import CARDS_ONLY
from handread.papers.saund.misspecified import (
    BLIND,
    DRIFTED,
    FITTED,
    NAMED,
    POOLED,
    TRUE,
    Misreading,
    ReaderModel,
)
from handread.papers.saund.replication import GAIN_FIGURES, EntropyPaths, InformationGain, WinRates
from handread.papers.tournament.study import NET, Tournament
from handread.report.figures.panels import apart
from handread.report.figures.style import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    ORANGE,
    RED,
    SOFT,
    blank,
    note,
    picture_style,
    plain,
)
from handread.report.tables import n_games
from handread.study.statistics import Estimate, stages_with

PLACES = {stage: float(place) for place, stage in enumerate(ALL_STAGES, -2)}
"""The places of stages on an axis; that of 3D is 0."""


def _stages_axis(axes: Axes, found: Container[str]) -> None:
    """Label the axis of stages: those of the games that were played."""
    stages = stages_with(found)
    axes.set_xlim(PLACES[stages[0]] - 0.4, PLACES[stages[-1]] + 0.4)
    axes.set_xticks([PLACES[stage] for stage in stages], stages)


# Figure 6


def gain_figure(table: InformationGain) -> Figure:
    """Return Figure 6 of Saund 2006: the entropy of the outcome and two observers' divergences.

    The lines are log2 N, the entropy, and the entropy plus the K-L divergence of each observer, in
    bits by stage; bands are two standard errors.
    """
    with picture_style():
        figure = blank(8.6, 6.2)
        axes, below = figure.subplots(2, 1, height_ratios=[5, 2])
        stages = [stage for stage in table.stages if table.at("gain_fraction", stage).n]
        x = [PLACES[stage] for stage in stages]
        blind, entropy, cards, bets = (
            [table.at(figure, stage) for stage in stages] for figure in list(GAIN_FIGURES)[:4]
        )
        lines = (
            ("log2 N, a blind guess", blind, RED, "-", 1.0),
            ("cards only", _atop(entropy, cards), ORANGE, (0, (5, 2)), 1.6),
            ("cards and bets", _atop(entropy, bets), BLUE, (0, (2, 1.5)), 1.6),
            ("entropy, all cards known", entropy, GREEN, "-", 2.6),
        )
        for label, values, colour, dashes, width in lines:
            means = np.array([value.mean for value in values])
            errors = np.nan_to_num([value.error for value in values])
            axes.fill_between(
                x, means - 2 * errors, means + 2 * errors, color=colour, alpha=0.15, lw=0
            )
            axes.plot(x, means, color=colour, ls=dashes, lw=width, label=label)
        axes.set_ylabel("bits")
        axes.set_ylim(bottom=0.0)
        axes.set_title(f"What it takes to tell who will win: {n_games(table.games)}")
        axes.legend(frameon=False, loc="best")
        _stages_axis(axes, stages)
        _gain_rows(below, table, stages)
        note(figure, f"{plain(table.policy)}; bands are two standard errors")
    return figure


def _atop(entropies: Sequence[Estimate], divergences: Sequence[Estimate]) -> list[Estimate]:
    """Return the entropies plus divergences, with the errors of the divergences."""
    return [
        Estimate(entropy.mean + divergence.mean, divergence.error)
        for entropy, divergence in zip(entropies, divergences, strict=True)
    ]


def _gain_rows(axes: Axes, table: InformationGain, stages: Sequence[str]) -> None:
    """Write the table under the graph, as in the paper."""
    heads = ("games", "log2 N", "entropy", "K-L cards", "K-L bets", "gain")
    figures = ("log2_n_bits", *GAIN_FIGURES)
    formats = ("{0.n:,}", "{0.mean:.2f}", "{0.mean:.2f}", "{0.mean:.3f}", "{0.mean:.3f}", "")
    rows = [
        (head, [cell.format(of) if cell else _percent(of) for of in estimates])
        for head, figure, cell in zip(heads, figures, formats, strict=True)
        for estimates in [[table.at(figure, stage) for stage in stages]]
    ]
    axes.set_axis_off()
    axes.set_ylim(len(rows) - 0.5, -0.5)
    _stages_axis(axes, stages)
    for row, (label, cells) in enumerate(rows):
        axes.annotate(
            label,
            (0.0, row),
            (-6, 0),
            xycoords=axes.get_yaxis_transform(),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=8.5,
            color=SOFT,
        )
        for stage, cell in zip(stages, cells, strict=True):
            axes.text(PLACES[stage], row, cell, ha="center", va="center", fontsize=8.5)


def _percent(gain: Estimate) -> str:
    return f"{100 * gain.mean:.0f}%" if math.isfinite(gain.mean) else "-"


# Figure 7


def entropies_figure(paths: EntropyPaths) -> Figure:
    """Return Figure 7 of Saund 2006: the entropy of the outcome of single games, one marked."""
    with picture_style():
        figure = blank(8.0, 4.6)
        axes = figure.subplots()
        games = paths.paths
        for game, path in games.items():
            if game != paths.picked:
                axes.plot(*_points(path), color=FAINT, lw=0.8, alpha=0.9, zorder=1)
        chosen = games.get(paths.picked)
        if chosen:
            x, y = _points(chosen)
            axes.plot(x, y, color=RED, lw=2.2, zorder=3)
            marked = [stage for stage in paths.marked if stage in chosen]
            at = [PLACES[stage] for stage in marked], [chosen[stage] for stage in marked]
            axes.plot(*at, "o", ms=9, mfc="white", mec=RED, mew=1.6, zorder=4)
            labels = {PLACES[stage]: [stage] for stage in marked}
            labels.setdefault(x[-1], []).append(f"game {paths.picked}")
            for left, words in labels.items():
                axes.annotate(
                    ", ".join(words),
                    (left, y[x.index(left)]),
                    (7, 6),
                    textcoords="offset points",
                    color=RED,
                    zorder=5,
                )
        axes.set_ylabel("entropy of the outcome, bits")
        axes.set_ylim(bottom=-0.03)
        axes.set_title(f"How uncertain the outcome is as a game goes on: {n_games(len(games))}")
        _stages_axis(axes, {stage for path in games.values() for stage in path})
    return figure


def _points(path: Mapping[str, float]) -> tuple[list[float], list[float]]:
    there = [stage for stage in ALL_STAGES if stage in path]
    return [PLACES[stage] for stage in there], [path[stage] for stage in there]


# Figure 9

RATE_FIGURES = ("put_in_small_bets", "won_small_bets", "net_small_bets")


def win_rates_figure(rates: WinRates) -> Figure:
    """Return Figure 9 of Saund 2006: chips put in, won and net, by player and kind of player.

    In small bets a hand, with 95% confidence intervals.
    """
    with picture_style():
        kinds, seats = (
            [
                [rates.at(figure, group=group, about=about) for figure in RATE_FIGURES]
                for group in rates.groups(about)
            ]
            for about in ("kind", "seat")
        )
        groups = [*rates.groups("kind"), *rates.groups("seat")]
        put_in, won, net = zip(*kinds, *seats, strict=True)
        figure = blank(max(8.6, 1.2 + 0.95 * len(groups)), 5.0)
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
                error_kw={"elinewidth": 0.9, "ecolor": INK},
                label=label if colour else None,
            )
        knowledge = {_colour(group): group.rpartition(", ")[2] for group in rates.groups("seat")}
        for colour, label in knowledge.items():
            axes.bar([0], [0], color=colour, label=f"net, {label}")
        for place, rate in zip(x, net, strict=True):
            if math.isfinite(rate.mean):
                top = max(rate.mean + 1.96 * np.nan_to_num(rate.error), 0.0)
                axes.annotate(
                    f"{rate.mean:+.2f}",
                    (place + 0.27, top),
                    (0, 3),
                    textcoords="offset points",
                    ha="center",
                    fontsize=8,
                    bbox={"fc": "white", "ec": "none", "pad": 0.6, "alpha": 0.85},
                )
        axes.axhline(0.0, color=SOFT, lw=0.8)
        axes.set_xticks(x, [_wrapped(group) for group in groups])
        axes.set_ylabel("small bets a hand")
        axes.set_title(f"What reading the bets is worth: {n_games(rates.games)}")
        figure.legend(frameon=False, fontsize=8.5, ncols=4, loc="outside upper right")
        note(figure, f"{plain(rates.players, 120)}; lines are 95% intervals")
        axes.margins(y=0.12)
    return figure


# Tournament (Billings et al. 1998, Figure 4)

KIND_COLOURS = (BLUE, ORANGE, GREEN, RED, INK, "#7b3294", "#8c6d31", SOFT)


def tournament_figure(found: Tournament) -> Figure:
    """Return Figure 4 of Billings et al. 1998: the profit of each kind of player so far.

    In small bets a hand, by number of deals; bands are 95% intervals from session to session.
    """
    with picture_style():
        figure = blank(8.6, 5.2)
        axes = figure.subplots()
        x = list(found.so_far)
        ends, late = [], [0.05]
        for place, kind in enumerate(found.groups("kind")):
            colour = KIND_COLOURS[place % len(KIND_COLOURS)]
            nets = [found.at(NET, group=kind, about=part) for part in found.so_far.values()]
            means = [net.mean for net in nets]
            axes.plot(x, means, "-o", ms=2.5 if len(x) > 1 else 6, lw=1.6, color=colour)
            axes.fill_between(
                x,
                [net.low for net in nets],
                [net.high for net in nets],
                color=colour,
                alpha=0.08,
                lw=0,
            )
            ends.append((means[-1], f"{plain(kind, 24)} {means[-1]:+.3f}", colour))
            late += [abs(mean) for mean in means[len(means) // 4 :]]
        reach = 1.3 * max(late)
        axes.set_ylim(-reach, reach)  # the first means and intervals may not fit
        spread = apart([mean for mean, _, _ in ends], 0.09 * reach, -0.95 * reach, 0.95 * reach)
        for (_, label, colour), y in zip(ends, spread, strict=True):
            axes.annotate(label, (x[-1], y), (8, 0), textcoords="offset points", color=colour)
        axes.axhline(0.0, color=SOFT, lw=0.8)
        axes.set_xlim(0, x[-1] * 1.02)
        axes.set_xlabel("deals, each played in every rotation")
        axes.set_ylabel("mean profit so far, small bets a hand")
        axes.set_title(f"Duplicate tournament: {n_games(found.games)}")
        note(figure, f"{plain(found.players, 100)}; bands are 95% intervals")
    return figure


def _colour(group: str) -> str:
    return ORANGE if group.endswith(CARDS_ONLY) else BLUE


def _wrapped(label: str) -> str:
    return "\n".join(wrap(plain(label, 60), 13))


# Reading with a wrong model


COLOURS = {TRUE: GREEN, NAMED: RED, DRIFTED: ORANGE, FITTED: BLUE, BLIND: SOFT}
NEAR = 0.01
"""Below this model error, in bits, the axis is linear; above, logarithmic."""

TICKS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 40.0)
LINE = 0.045
"""The height of a line of text relative to the plot."""


class ReaderPoint(NamedTuple):
    """A reader, its model error in bits an action, and its gain in bits a stage."""

    reader: ReaderModel
    error: float
    gain: Estimate


def misreading_figure(table: Misreading) -> Figure:
    """Return the gain against model error, and against hands observed if readers were fitted.

    Each reader is a point. The gain is the mean over games and betting stages, in bits; bars are
    two standard errors.
    """
    points = [
        ReaderPoint(
            reader,
            table.of(reader, "model_error_bits").mean,
            table.of(reader, "gain_bits", POOLED),
        )
        for reader in table.readers
    ]
    true = points[0].gain.mean
    fitted = [point for point in points if point.reader.kind == FITTED]
    with picture_style():
        figure = blank(12.4 if fitted else 8.0, 5.2)
        plots = figure.subplots(1, 2 if fitted else 1, squeeze=False, sharey=True)[0]
        for axes in plots:  # the gain of reading the cards alone, and of the true policy
            axes.axhline(0.0, color=FAINT, lw=1.2, zorder=1)
            if math.isfinite(true):
                axes.axhline(true, color=COLOURS[TRUE], lw=1.0, ls=(0, (5, 2)), zorder=1)
        finite = [p for p in points if math.isfinite(p.error) and math.isfinite(p.gain.mean)]
        _by_error(plots[0], finite)
        if fitted:
            _by_hands(plots[1], fitted, true)
            plots[1].set_title(f"What observing teaches: {table.family}")
        plots[0].set_ylabel("information gain, bits a stage")
        first, *_, last, _ = table.places
        note(
            figure,
            f"{n_games(table.games)} of {plain(table.players)}; mean over {first} to {last}, "
            "bars are two standard errors",
        )
    return figure


def _bars(axes: Axes, x: Sequence[float], gains: Sequence[Estimate], colour: str) -> None:
    axes.errorbar(
        x,
        [gain.mean for gain in gains],
        yerr=2.0 * np.nan_to_num([gain.error for gain in gains]),
        fmt="o",
        ms=5.5,
        color=colour,
        elinewidth=0.9,
        zorder=3,
    )


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
    # The names of the readers stand beside the plot, connected to their points.
    heights = apart([(p.gain.mean - low) / (high - low) for p in points], LINE, 0.0, 1.0)
    for (reader, error, gain), height in zip(points, heights, strict=True):
        axes.annotate(
            plain(reader.label, 24),
            (error, gain.mean),
            (1.02, height),
            textcoords="axes fraction",
            va="center",
            fontsize=8,
            color=COLOURS[reader.kind],
            arrowprops={"arrowstyle": "-", "lw": 0.5, "color": FAINT, "relpos": (0, 0.5)},
        )
    axes.set_xlabel("model error, bits an action: D(true policy || reader's)")
    axes.set_title("What a wrong model costs")


def _by_hands(axes: Axes, points: Sequence[ReaderPoint], true: float) -> None:
    x = [float(point.reader.hands or 0) for point in points]
    _bars(axes, x, [point.gain for point in points], COLOURS[FITTED])
    axes.plot(x, [point.gain.mean for point in points], color=COLOURS[FITTED], lw=1.2, zorder=2)
    axes.set_xscale("log")
    axes.set_xticks(x, [f"{int(n):,}" for n in x])
    axes.minorticks_off()
    axes.annotate(
        "the true policy",
        (1.0, true),
        (-2, 4),
        xycoords=axes.get_yaxis_transform(),
        textcoords="offset points",
        ha="right",
        fontsize=8,
        color=COLOURS[TRUE],
    )
    axes.set_xlabel("hands observed, no downcard known")
