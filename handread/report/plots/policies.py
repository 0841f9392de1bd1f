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
from handread.report.plots.canvas import INK, SOFT, blank, house_style, plain

Floats = npt.NDArray[np.float64]

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
    """What a policy does, by x = -log_N(chance to win): nobody has bet, and somebody has.

    The height of a region is the probability of its action. ``players`` is N, ``odds`` the
    effective odds of the call, halfway between none and a fair share where they are not given.
    Raises ``ValueError`` for odds that are no chance between 0 and 1.
    """
    if not 2 <= players <= 8:
        raise ValueError(f"{players} players: expected 2 to 8")
    odds = players**-1.3 if odds is None else odds
    if not 0.0 < odds < 1.0:
        raise ValueError(f"odds of {odds:g}: expected a chance between 0 and 1")
    with house_style():
        figure = blank(8.6, 7.0)
        free, bet = figure.subplots(2, 1)
        _panel(free, policy, spot_at_odds(players, None), ("bet", "check"))
        free.set_title("nobody has bet")
        _panel(bet, policy, spot_at_odds(players, odds), ("raise", "call", "fold"))
        bet.set_title("somebody has bet")
        x_e = -math.log(odds) / math.log(players)
        bet.axvline(x_e, color=INK, lw=1.0, ls=(0, (4, 3)))
        bet.annotate(
            f"x_e: the odds, {odds:.0%}",
            (x_e, 1.0),
            (4, 4),
            xycoords=bet.get_xaxis_transform(),
            textcoords="offset points",
            fontsize=8.5,
        )
        for axes in (free, bet):
            axes.axvline(1.0, color=INK, lw=0.8, ls=":")
            _axes(axes, players)
        bet.set_xlabel(
            f"x = -log_N(chance to win), 1 a fair share; under it the chance, N = {players}"
        )
        title = getattr(policy, "title", "") or policy.name
        figure.suptitle(f"{plain(policy.name, 40)}: {plain(title)}", fontsize=11)
    return figure


def regions(policy: Policy, spot: Spot, x: Floats, order: Sequence[str]) -> dict[str, Floats]:
    """The probability of each action at each x, in a given order; 0 for one that is not legal."""
    odds = policy.probabilities(spot, float(spot.n_active) ** -x)
    return {action: odds.get(action, np.zeros_like(x)) for action in order}


def _panel(axes: Axes, policy: Policy, spot: Spot, order: Sequence[str]) -> None:
    x = np.linspace(0.0, X_END, 801)
    below = np.zeros_like(x)
    for action, odds in regions(policy, spot, x, order).items():
        axes.fill_between(x, below, below + odds, color=SHADES[action], lw=0)
        axes.plot(x, below + odds, color="white", lw=0.8)
        _label(axes, action, x, below, odds)
        below = below + odds
    axes.set(xlim=(0.0, X_END), ylim=(0.0, 1.0))


def _label(axes: Axes, action: str, x: Floats, below: Floats, odds: Floats) -> None:
    """The name of an action where its region is highest, in the middle of that stretch."""
    if odds.max() < 0.12:
        return
    high = np.flatnonzero(odds >= odds.max() - 1e-9)
    # Of several stretches the longest.
    runs = np.split(high, np.flatnonzero(np.diff(high) > 1) + 1)
    stretch = max(runs, key=len)
    middle = stretch[len(stretch) // 2]
    axes.text(
        x[middle],
        below[middle] + odds[middle] / 2,
        action,
        ha="center",
        va="center",
        fontsize=11,
        color="white" if action in ON_DARK else INK,
    )


def _axes(axes: Axes, players: int) -> None:
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25%", "50%", "75%", "100%"])
    axes.set_ylabel("probability of the action")
    places = np.arange(0.0, X_END + 0.01, 0.25)
    axes.set_xticks(places, [f"{place:g}\n{_chance(players**-place)}" for place in places])
    axes.tick_params(colors=SOFT)


def _chance(p: float) -> str:
    return f"{p:.0%}" if p >= 0.095 else f"{p:.1%}"
