"""Figures of simulated games: information gain, entropies, win rates, calibration, misreading."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from textwrap import wrap

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.game.rules import STAGES
from handread.inference.players import CARDS_ONLY
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
from handread.study.calibration import Calibration
from handread.study.misspecified import (
    BLIND,
    DRIFTED,
    FITTED,
    NAMED,
    POOLED,
    TRUE,
    Misreading,
    ReaderScores,
)
from handread.study.replication import EntropyPaths, InformationGain, StageGain, WinRates
from handread.study.statistics import Estimate

PLACES = {stage: float(place) for place, stage in enumerate(STAGES)}


def _stages_axis(axes: Axes) -> None:
    axes.set_xlim(-0.4, len(STAGES) - 0.6)
    axes.set_xticks(list(PLACES.values()), list(PLACES))


# Figure 6


def gain_figure(table: InformationGain) -> Figure:
    """Return Figure 6 of Saund 2006: the entropy of the outcome and two observers' divergences.

    The lines are log2 N, the entropy, and the entropy plus the K-L divergence of each observer, in
    bits by stage; bands are two standard errors.
    """
    with picture_style():
        figure = blank(8.6, 6.2)
        axes, below = figure.subplots(2, 1, height_ratios=[5, 2])
        stages = [stage for stage in table.stages if stage.games]
        x = [PLACES[stage.stage] for stage in stages]
        lines = (
            ("log2 N, a blind guess", [s.log2_n for s in stages], RED, "-", 1.0),
            ("cards only", [_atop(s, s.cards_only) for s in stages], ORANGE, (0, (5, 2)), 1.6),
            (
                "cards and bets",
                [_atop(s, s.bet_inference) for s in stages],
                BLUE,
                (0, (2, 1.5)),
                1.6,
            ),
            ("entropy, all cards known", [s.entropy for s in stages], GREEN, "-", 2.6),
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
        axes.legend(frameon=False, loc="upper right")
        _stages_axis(axes)
        _gain_rows(below, stages, x)
        note(figure, f"{plain(table.policy)}; bands are two standard errors")
    return figure


def _atop(stage: StageGain, divergence: Estimate) -> Estimate:
    """Return the entropy plus a divergence, with the error of the divergence."""
    return Estimate(stage.entropy.mean + divergence.mean, divergence.error)


def _gain_rows(axes: Axes, stages: Sequence[StageGain], x: Sequence[float]) -> None:
    """Write the table under the graph, as in the paper."""
    rows = (
        ("games", [f"{stage.games:,}" for stage in stages]),
        ("log2 N", [f"{stage.log2_n.mean:.2f}" for stage in stages]),
        ("entropy", [f"{stage.entropy.mean:.2f}" for stage in stages]),
        ("K-L cards", [f"{stage.cards_only.mean:.3f}" for stage in stages]),
        ("K-L bets", [f"{stage.bet_inference.mean:.3f}" for stage in stages]),
        ("gain", [_percent(stage.gain) for stage in stages]),
    )
    axes.set_axis_off()
    axes.set_ylim(len(rows) - 0.5, -0.5)
    _stages_axis(axes)
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
        for place, cell in zip(x, cells, strict=True):
            axes.text(place, row, cell, ha="center", va="center", fontsize=8.5)


def _percent(gain: Estimate) -> str:
    return f"{100 * gain.mean:.0f}%" if math.isfinite(gain.mean) else "-"


# Figure 7


def entropies_figure(paths: EntropyPaths) -> Figure:
    """Return Figure 7 of Saund 2006: the entropy of the outcome of single games, one marked."""
    with picture_style():
        figure = blank(8.0, 4.6)
        axes = figure.subplots()
        for game, path in paths.paths.items():
            if game != paths.picked:
                axes.plot(*_points(path), color=FAINT, lw=0.8, alpha=0.9, zorder=1)
        chosen = paths.paths.get(paths.picked)
        if chosen:
            x, y = _points(chosen)
            axes.plot(x, y, color=RED, lw=2.2, zorder=3)
            marked = [stage for stage in paths.marked if stage in chosen]
            at = [PLACES[stage] for stage in marked], [chosen[stage] for stage in marked]
            axes.plot(*at, "o", ms=9, mfc="white", mec=RED, mew=1.6, zorder=4)
            for stage, left, up in zip(marked, *at, strict=True):
                axes.annotate(stage, (left, up), (7, 6), textcoords="offset points", color=RED)
            axes.annotate(
                f"game {paths.picked}",
                (x[-1], y[-1]),
                (6, 4),
                textcoords="offset points",
                color=RED,
                zorder=5,
            )
        axes.set_ylabel("entropy of the outcome, bits")
        axes.set_ylim(bottom=-0.03)
        axes.set_title(
            f"How uncertain the outcome is as a game goes on: {n_games(len(paths.paths))}"
        )
        _stages_axis(axes)
    return figure


def _points(path: Mapping[str, float]) -> tuple[list[float], list[float]]:
    there = [stage for stage in STAGES if stage in path]
    return [PLACES[stage] for stage in there], [path[stage] for stage in there]


# Figure 9


def win_rates_figure(rates: WinRates) -> Figure:
    """Return Figure 9 of Saund 2006: chips put in, won and net, by player and kind of player.

    In small bets a hand, with 95% confidence intervals.
    """
    with picture_style():
        players = [*rates.kinds, *rates.seats]
        figure = blank(max(8.6, 1.2 + 0.95 * len(players)), 5.0)
        axes = figure.subplots()
        gap = [0.0] * len(rates.kinds) + [0.8] * len(rates.seats)
        x = np.arange(len(players)) + np.array(gap)
        bars = (
            ("put in", [rate.put_in for rate in players], "#bdbdbd"),
            ("won", [rate.won for rate in players], "#737373"),
            ("net", [rate.net for rate in players], ""),
        )
        for place, (label, values, colour) in enumerate(bars):
            axes.bar(
                x + (place - 1) * 0.27,
                [value.mean for value in values],
                0.25,
                yerr=np.nan_to_num([1.96 * value.error for value in values]),
                color=colour or [_colour(rate.knowledge) for rate in players],
                error_kw={"elinewidth": 0.9, "ecolor": INK},
                label=label if colour else None,
            )
        for knowledge in dict.fromkeys(rate.knowledge for rate in players):
            axes.bar([0], [0], color=_colour(knowledge), label=f"net, {knowledge}")
        for place, rate in zip(x, players, strict=True):
            if math.isfinite(rate.net.mean):
                top = max(rate.net.mean + 1.96 * np.nan_to_num(rate.net.error), 0.0)
                axes.annotate(
                    f"{rate.net.mean:+.2f}",
                    (place + 0.27, top),
                    (0, 3),
                    textcoords="offset points",
                    ha="center",
                    fontsize=8,
                    bbox={"fc": "white", "ec": "none", "pad": 0.6, "alpha": 0.85},
                )
        axes.axhline(0.0, color=SOFT, lw=0.8)
        axes.set_xticks(x, [_wrapped(rate.label) for rate in players])
        axes.set_ylabel("small bets a hand")
        axes.set_title(f"What reading the bets is worth: {n_games(rates.games)}")
        figure.legend(frameon=False, fontsize=8.5, ncols=4, loc="outside upper right")
        note(figure, f"{plain(rates.players, 120)}; lines are 95% intervals")
        axes.margins(y=0.12)
    return figure


def _colour(knowledge: str) -> str:
    return ORANGE if knowledge == CARDS_ONLY else BLUE


def _wrapped(label: str) -> str:
    return "\n".join(wrap(plain(label, 60), 13))


# Calibration


def calibration_figure(table: Calibration) -> Figure:
    """Return a reliability diagram for each kind of event: predicted and observed frequencies."""
    with picture_style():
        figure = blank(8.6, 4.6)
        for axes, (kind, bins) in zip(
            np.atleast_1d(figure.subplots(1, len(table.bins))), table.bins.items(), strict=True
        ):
            axes.plot([0, 100], [0, 100], color=FAINT, lw=1.2, zorder=1)
            points, _, _ = axes.errorbar(
                [100 * b.chance for b in bins],
                [100 * b.happened.mean for b in bins],
                yerr=[196 * b.happened.error for b in bins],
                fmt="o",
                ms=5,
                color=BLUE,
                elinewidth=1.0,
                zorder=2,
            )
            points.set_clip_on(False)  # draw points at 0 and 100% in full
            axes.set(xlim=(0, 100), ylim=(0, 100), aspect="equal", title=kind)
            axes.set_xlabel("chance that the observer gave, %")
            axes.set_ylabel("came true, %")
        note(figure, f"{n_games(table.games)}, {plain(table.policy)}; bars are 95% intervals")
    return figure


# Reading with a wrong model


COLOURS = {TRUE: GREEN, NAMED: RED, DRIFTED: ORANGE, FITTED: BLUE, BLIND: SOFT}
NEAR = 0.01
"""Below this model error, in bits, the axis is linear; above, logarithmic."""

TICKS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 40.0)
LINE = 0.045
"""The height of a line of text relative to the plot."""


def misreading_figure(table: Misreading) -> Figure:
    """Return the gain against model error, and against hands observed if readers were fitted.

    Each reader is a point. The gain is the mean over games and betting stages, in bits; bars are
    two standard errors.
    """
    fitted = [found for found in table.readers if found.reader.kind == FITTED]
    with picture_style():
        figure = blank(12.4 if fitted else 8.0, 5.2)
        plots = figure.subplots(1, 2 if fitted else 1, squeeze=False, sharey=True)[0]
        for axes in plots:
            _levels(axes, table)
        _by_error(plots[0], [found for found in table.readers if math.isfinite(found.error.mean)])
        if fitted:
            _by_hands(plots[1], fitted, table)
        plots[0].set_ylabel("information gain, bits a stage")
        note(
            figure,
            f"{n_games(table.games)} of {plain(table.players)}; mean over 3B to 7B, "
            "bars are two standard errors",
        )
    return figure


def _levels(axes: Axes, table: Misreading) -> None:
    """Draw the gain of reading the cards alone (0) and of reading by the true policy."""
    axes.axhline(0.0, color=FAINT, lw=1.2, zorder=1)
    true = table.readers[0].stages[POOLED].gain.mean
    if math.isfinite(true):
        axes.axhline(true, color=COLOURS[TRUE], lw=1.0, ls=(0, (5, 2)), zorder=1)


def _bars(axes: Axes, x: Sequence[float], readers: Sequence[ReaderScores], colour: str) -> None:
    gains = [found.stages[POOLED].gain for found in readers]
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


def _by_error(axes: Axes, readers: Sequence[ReaderScores]) -> None:
    readers = [found for found in readers if math.isfinite(found.stages[POOLED].gain.mean)]
    for found in readers:
        _bars(axes, [found.error.mean], [found], COLOURS[found.reader.kind])
    axes.set_xscale("symlog", linthresh=NEAR)
    most = max((found.error.mean for found in readers), default=1.0)
    shown = TICKS[: bisect_right(TICKS, most) + 1]
    axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
    axes.minorticks_off()
    axes.set_xlim(-NEAR / 4, 1.15 * shown[-1])
    _labels(axes, readers)
    axes.set_xlabel("model error, bits an action: D(true policy || reader's)")
    axes.set_title("What a wrong model costs")


def _labels(axes: Axes, readers: Sequence[ReaderScores]) -> None:
    """Write the names of the readers beside the plot, connected to their points."""
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    ordered = sorted(readers, key=lambda found: (found.stages[POOLED].gain.mean, -found.error.mean))
    heights = [(found.stages[POOLED].gain.mean - low) / (high - low) for found in ordered]
    for found, height in zip(ordered, _apart(heights), strict=True):
        axes.annotate(
            plain(found.reader.label, 24),
            (found.error.mean, found.stages[POOLED].gain.mean),
            (1.02, height),
            textcoords="axes fraction",
            va="center",
            fontsize=8,
            color=COLOURS[found.reader.kind],
            arrowprops={"arrowstyle": "-", "lw": 0.5, "color": FAINT, "relpos": (0, 0.5)},
        )


def _apart(heights: Sequence[float]) -> list[float]:
    """Return ascending heights from 0 to 1, moved so that lines of text do not overlap."""
    up = _pushed(heights)
    down = [1.0 - height for height in reversed(_pushed([1.0 - h for h in reversed(heights)]))]
    # One moves lines up, the other down; their mean keeps the distances too.
    return _pushed([(high + low) / 2.0 for high, low in zip(up, down, strict=True)])


def _pushed(heights: Sequence[float]) -> list[float]:
    """Return ascending heights moved up so that they are a line apart, from 0 on."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + LINE if placed else 0.0))
    return placed


def _by_hands(axes: Axes, readers: Sequence[ReaderScores], table: Misreading) -> None:
    x = [float(found.reader.hands or 0) for found in readers]
    _bars(axes, x, readers, COLOURS[FITTED])
    gains = [found.stages[POOLED].gain.mean for found in readers]
    axes.plot(x, gains, color=COLOURS[FITTED], lw=1.2, zorder=2)
    axes.set_xscale("log")
    axes.set_xticks(x, [f"{int(n):,}" for n in x])
    axes.minorticks_off()
    axes.annotate(
        "the true policy",
        (1.0, table.readers[0].stages[POOLED].gain.mean),
        (-2, 4),
        xycoords=axes.get_yaxis_transform(),
        textcoords="offset points",
        ha="right",
        fontsize=8,
        color=COLOURS[TRUE],
    )
    axes.set_xlabel("hands observed, no downcard known")
    axes.set_title(f"What observing teaches: {table.family}")
