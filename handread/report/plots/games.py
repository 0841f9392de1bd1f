"""Pictures of many games: information gain, entropies, win rates, calibration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from textwrap import wrap

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.experiments.values import (
    Calibration,
    EntropyPaths,
    Estimate,
    InformationGain,
    StageGain,
    WinRates,
)
from handread.lineup import CARDS_ONLY
from handread.report.plots.canvas import FAINT, INK, SOFT, blank, house_style, note, plain
from handread.report.tables import n_games
from handread.stud import STAGES

GREEN, RED, BLUE, ORANGE = "#1b7837", "#b2182b", "#2166ac", "#c05a00"
PLACES = {stage: float(place) for place, stage in enumerate(STAGES)}


def _stages_axis(axes: Axes) -> None:
    axes.set_xlim(-0.4, len(STAGES) - 0.6)
    axes.set_xticks(list(PLACES.values()), list(PLACES))


# Figure 6


def gain_figure(table: InformationGain) -> Figure:
    """Figure 6 of Saund 2006: what is uncertain, and what the two observers miss, by stage.

    The lines are log2 N, the entropy of the outcome, and the entropy with the K-L divergence of
    each observer on top of it, in bits; bands are two standard errors.
    """
    with house_style():
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
    """A divergence on top of the entropy, with the error of the divergence."""
    return Estimate(stage.entropy.mean + divergence.mean, divergence.error)


def _gain_rows(axes: Axes, stages: Sequence[StageGain], x: Sequence[float]) -> None:
    """The numbers under the graph, as the paper has them."""
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
    """Figure 7 of Saund 2006: the entropy of the outcome of single games, one picked out."""
    with house_style():
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
    """Figure 9 of Saund 2006: what each player, and each kind, puts in, wins and nets a hand.

    In small bets, with 95% confidence intervals.
    """
    with house_style():
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
    """A reliability diagram for each kind of event: the chances given, and what came true."""
    with house_style():
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
            points.set_clip_on(False)  # a point at 0 or 100% is a whole point; its bar ends there
            axes.set(xlim=(0, 100), ylim=(0, 100), aspect="equal", title=kind)
            axes.set_xlabel("chance that the observer gave, %")
            axes.set_ylabel("came true, %")
        note(figure, f"{n_games(table.games)}, {plain(table.policy)}; bars are 95% intervals")
    return figure
