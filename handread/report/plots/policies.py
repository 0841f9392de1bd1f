"""Pictures of a policy (Saund 2006, Figures 4 and 5): what is done with how strong a hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.engine import Spot
from handread.policy import Policy, spot_at_odds
from handread.report.plots.canvas import INK, blank, house_style, plain

Floats = npt.NDArray[np.float64]
LineStyle = str | tuple[int, tuple[int, int]]

X_END = 2.0
"""How far right the pictures go: at x = 2 the chance to win is 1/N squared."""

SHADES = {
    "bet": "#2b5c8a",
    "raise": "#2b5c8a",
    "check": "#e9eef3",
    "call": "#a9c4dc",
    "fold": "#f6f1e7",
}
"""From dark to light the bolder to the meeker, so that grey tells them apart too."""

ON_DARK = {"bet", "raise"}


def policy_figure(policy: Policy, players: int = 7, odds: float | None = None) -> Figure:
    """What a policy does, when nobody has bet and when somebody has.

    On the left by the chance to win, as in Figure 4, weak hands first; on the right by
    x = -log_N(chance to win), as in Figure 5, strong hands first. The height of a region is the
    probability of its action. ``players`` is N, ``odds`` the effective odds of the call, half a
    fair share where they are not given. Raises ``ValueError`` for a table or odds that cannot be.
    """
    if not 2 <= players <= 8:
        raise ValueError(f"{players} players: expected 2 to 8")
    odds = 0.5 / players if odds is None else odds
    with house_style():
        figure = blank(11.0, 6.6)
        panels = figure.subplots(2, 2, sharex="col", sharey=True)
        for row, spot, order, title in (
            (panels[0], spot_at_odds(players, None), ("bet", "check"), "nobody has bet"),
            (panels[1], spot_at_odds(players, odds), ("raise", "call", "fold"), "somebody has bet"),
        ):
            for axes, by_chance in zip(row, (True, False), strict=True):
                _panel(axes, policy, spot, order, by_chance)
                _mark(axes, 1.0 / players, "1/N", ":", players, by_chance)
                if spot.to_call:
                    _mark(axes, odds, "odds", (0, (4, 3)), players, by_chance)
            row[0].set_title(title, pad=18)
            row[0].set_ylabel("probability of the action")
        _axes(panels[1], players)
        told = getattr(policy, "title", "")
        name = told if told.startswith(policy.name) else f"{policy.name}: {told}".rstrip(": ")
        figure.suptitle(plain(name, 100), fontsize=11)
    return figure


def regions(policy: Policy, spot: Spot, x: Floats, order: Sequence[str]) -> dict[str, Floats]:
    """The probability of each action at each x, in a given order; 0 for one that is not legal."""
    odds = policy.probabilities(spot, float(spot.n_active) ** -x)
    return {action: odds.get(action, np.zeros_like(x)) for action in order}


def _panel(axes: Axes, policy: Policy, spot: Spot, order: Sequence[str], by_chance: bool) -> None:
    """The regions of the actions, one on the other, by chance to win or by x."""
    if by_chance:
        along = np.linspace(0.001, 1.0, 1000)
        x = -np.log(along) / math.log(spot.n_active)
    else:
        along = x = np.linspace(0.0, X_END, 1001)
    below = np.zeros_like(x)
    for action, odds in regions(policy, spot, x, order).items():
        axes.fill_between(along, below, below + odds, color=SHADES[action], lw=0)
        axes.plot(along, below + odds, color="white", lw=0.8)
        _label(axes, action, along, below, odds)
        below = below + odds
    axes.set(xlim=(0.0, along[-1]), ylim=(0.0, 1.0))


def _mark(
    axes: Axes, chance: float, label: str, dashes: LineStyle, players: int, by_chance: bool
) -> None:
    """A line at a chance to win, its name above it."""
    place = chance if by_chance else -math.log(chance) / math.log(players)
    axes.axvline(place, color=INK, lw=1.0, ls=dashes)
    axes.annotate(
        f"{label} {chance:.0%}",
        (place, 1.0),
        (0, 3),
        xycoords=axes.get_xaxis_transform(),
        textcoords="offset points",
        ha="right" if (label == "odds") == by_chance else "left",
        fontsize=8,
    )


def _label(axes: Axes, action: str, x: Floats, below: Floats, odds: Floats) -> None:
    """The name of an action where its region is highest, in the middle of that stretch."""
    if odds.max() < 0.12:
        return
    high = np.flatnonzero(odds >= odds.max() - 1e-9)
    # Of several stretches the longest.
    runs = np.split(high, np.flatnonzero(np.diff(high) > 1) + 1)
    stretch = max(runs, key=len)
    edge = x.size // 25  # the word needs room on both sides
    middle = int(np.clip(stretch[len(stretch) // 2], edge, x.size - 1 - edge))
    axes.text(
        x[middle],
        below[middle] + odds[middle] / 2,
        action,
        ha="center",
        va="center",
        fontsize=11,
        color="white" if action in ON_DARK else INK,
        bbox={"fc": SHADES[action], "ec": "none", "pad": 0.8},
        zorder=5,
    )


def _axes(row: Sequence[Axes], players: int) -> None:
    by_chance, by_x = row
    quarters = [0, 0.25, 0.5, 0.75, 1]
    percents = ["0", "25%", "50%", "75%", "100%"]
    by_chance.set_yticks(quarters, percents)
    by_chance.set_xticks(quarters, percents)
    by_chance.set_xlabel("chance to win")
    places = np.arange(0.0, X_END + 0.01, 0.25)
    by_x.set_xticks(places, [f"{place:g}\n{_chance(players**-place)}" for place in places])
    by_x.set_xlabel(f"x = -log_N(chance to win); under it the chance, N = {players}")


def _chance(p: float) -> str:
    return f"{p:.0%}" if p >= 0.095 else f"{p:.1%}"
