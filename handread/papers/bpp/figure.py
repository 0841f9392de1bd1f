"""Figures of matches of BPP: cumulative winnings, and betting curves."""

import numpy as np
from matplotlib.figure import Figure

import handread.report.figures.style as style
from handread.papers.bpp.matches import BPPMatches
from handread.papers.bpp.play import ROUNDS
from handread.papers.bpp.search import CurveSearch
from handread.report.figures.panels import apart
from handread.study.statistics import NORMAL_975

COLOURS = (style.BLUE, style.RED, style.GREEN, style.ORANGE, "#762a83", style.INK)


@style.picture_style()
def matches_figure(table: BPPMatches) -> Figure:
    """Return Figure 3 of Korb et al. 1999: the cumulative winnings of the first player.

    Thick lines are means over matches with 95% intervals, thin lines the first match.
    """
    figure = style.blank(8.6, 4.8)
    axes = figure.subplots()
    points = [int(about) for about in dict.fromkeys(key.about for key in table.figures) if about]
    x = [0, *points]
    ends: list[float] = []
    labels: list[tuple[str, str]] = []
    for place, pairing in enumerate(table.groups("")):
        colour = COLOURS[place % len(COLOURS)]
        mean, first = (
            [table.at(figure_name, group=pairing, about=str(n)) for n in points]
            for figure_name in ("cumulative_bets", "first_match_bets")
        )
        y = np.array([0.0, *(each.mean for each in mean)])
        reach = NORMAL_975 * np.nan_to_num([0.0, *(each.error for each in mean)])
        axes.plot(x, y, color=colour, lw=2.0, zorder=3)
        axes.fill_between(x, y - reach, y + reach, color=colour, alpha=0.1, lw=0, zorder=2)
        axes.plot(x, [0.0, *(each.mean for each in first)], color=colour, lw=0.7, alpha=0.7)
        ends.append(float(y[-1]))
        labels.append((pairing, colour))
    low, high = axes.get_ylim()
    places = apart(ends, (high - low) / 22, low, high)
    for (pairing, colour), height in zip(labels, places, strict=True):
        style.beside(
            axes, pairing, (x[-1], height), (6, 0), va="center", color=colour, annotation_clip=False
        )
    axes.axhline(0.0, color=style.SOFT, lw=0.8)
    axes.set_xlim(0, x[-1])
    axes.set_xlabel("games played")
    axes.set_ylabel("cumulative winnings, bets")
    matches = "1 match" if table.matches == 1 else f"{table.matches:,} matches"
    axes.set_title(f"Winnings at five-card stud: {matches} of {table.games:,} games")
    style.note(figure, "thick: mean of the matches with its 95% interval; thin: the first match")
    return figure


@style.picture_style()
def curves_figure(table: CurveSearch) -> Figure:
    """Return the betting curves of each round, like Figure 2 of Korb et al. 1999 for the last."""
    betting = table.best
    sets = {"": betting.curves, "opening": betting.opening, "hidden": betting.hidden}
    drawn = {name: curves for name, curves in sets.items() if curves is not None}
    excess = np.linspace(-1.0, 1.0, 201)
    figure = style.blank(9.6, 1.0 + 2.2 * len(drawn))
    grid = figure.subplots(len(drawn), ROUNDS, sharex=True, sharey=True, squeeze=False)
    for row, (name, curves) in zip(grid, drawn.items(), strict=True):
        for at, axes in enumerate(row):
            heights = curves.heights(excess, at, betting.steepness)
            for label, colour, height in zip(
                ("bet or raise", "check or call", "fold"),
                (style.RED, style.GREEN, style.BLUE),
                heights,
                strict=True,
            ):
                axes.plot(excess, height, color=colour, lw=1.6, label=label)
            axes.axvline(0.0, color=style.SOFT, lw=0.6)
            axes.set_title(" ".join(filter(None, (f"round {at + 1}", name))))
    for axes in grid[-1]:
        axes.set_xlabel("chance minus threshold")
    handles, names = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, frameon=False, ncols=3, loc="outside upper right")
    style.note(figure, "unnormalised probabilities of the actions (equations 8 to 10)")
    return figure
