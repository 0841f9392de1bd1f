"""The figure of a policy: actions by strength of hand (Saund 2006, Figures 4 and 5)."""

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.arrays import Floats
from handread.game.steps import DecisionPoint
from handread.policy import EvenHoldingValues, Policy, decision_point_at_odds
from handread.policy.family import ON_7TH
from handread.report.figures.style import INK, beside, blank, picture_style, plain
from handread.study.policy_profile import PolicyProfile

LineStyle = str | tuple[int, tuple[int, int]]

X_END = 2.0
"""The least right end of the x axis: at x = 2 the chance to win is 1/N squared."""

PAST_ODDS = 0.5
"""The width of the region beyond x_e, where hands fold."""

SHADES = {
    "bet": "#2b5c8a",
    "raise": "#2b5c8a",
    "check": "#e9eef3",
    "call": "#a9c4dc",
    "fold": "#f6f1e7",
}
"""Darker for more aggressive actions, so that they differ in grey too."""

ON_DARK = {"bet", "raise"}

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0), ("0", "25%", "50%", "75%", "100%")
"""The ticks of an axis of probabilities, and their labels."""

MARKS: dict[str, tuple[LineStyle, int]] = {"1/N": (":", 3), "odds": ((0, (4, 3)), 13)}
"""The dashes of a marked chance, and the height of its name above the panel in points."""


@picture_style()
def policy_figure(policy: Policy, players: int, odds: float) -> Figure:
    """Return the actions of a policy, when nobody has bet and when somebody has.

    The left side goes by the chance to win, weak hands first (Figure 4), the right side by
    x = -log_N(chance to win), strong hands first (Figure 5). The height of a region is the
    probability of its action. N is ``players``; ``odds`` are the effective odds of the call.
    """
    free, called = decision_point_at_odds(players, None), decision_point_at_odds(players, odds)
    x_end = max(X_END, _x(odds, players) + PAST_ODDS)
    chances, xs = np.linspace(0.001, 1.0, 1000), np.linspace(0.0, x_end, 1001)
    figure = blank(11.0, 6.6)
    panels = figure.subplots(2, 2, sharex="col", sharey=True)
    for (by_chance, by_x), spot, order, title in (
        (panels[0], free, ("bet", "check"), "nobody has bet"),
        (panels[1], called, ("raise", "call", "fold"), "somebody has bet"),
    ):
        _panel(by_chance, chances, regions(policy, spot, _x(chances, players), order))
        shares = regions(policy, spot, xs, order)
        _panel(by_x, xs, shares)
        _deceptions(by_x, x_end, shares)
        marks = {"1/N": 1.0 / players} | ({"odds": odds} if spot is called else {})
        for label, chance in marks.items():
            _mark(by_chance, chance, label, chance)
            _mark(by_x, float(_x(chance, players)), label, chance)
        # The names of the marks stand between the title and the panel, a line each.
        by_chance.set_title(title, pad=8 + 10 * len(marks))
        by_chance.set_ylabel("probability of the action")
    _axes(panels[1], players, x_end)
    told = getattr(policy, "title", "")
    name = told if told.startswith(policy.name) else f"{policy.name}: {told}".rstrip(": ")
    street = " (as on 7th street)" if getattr(policy, "shown", "") == ON_7TH else ""
    figure.suptitle(plain(name, 100) + street, fontsize=11)
    return figure


SHOWN_FAMILIES = (
    *("trips", "two pair", "pair in the hole", "split pair", "pair with a flush draw"),
    *("flush draw", "three to a flush", "open-ended straight draw", "gutshot"),
    *("three to a straight", "pair on board", "high card"),
)
"""The families of holdings below a straight, the strongest first."""


@picture_style()
def profile_figure(profile: PolicyProfile, name: str) -> Figure:
    """Return the holdings behind each action of a policy, a bar an action.

    The first bar of a situation shows the holdings before any action. The families of holdings
    stand in the order of ``SHOWN_FAMILIES``, strong ones on the left.
    """
    bars: list[tuple[str, Mapping[str, float]]] = []
    places: list[float] = []
    at = -1.2
    titles: list[tuple[float, str]] = []
    for situation, group in groupby(profile.actions, lambda action: action.situation):
        at += 1.2
        titles.append((at - 0.75, situation.words))
        actions = list(group)
        bars.append(("before", actions[0].before))
        bars += [(f"{each.action} {each.share:.0%}", each.families) for each in actions]
        places += [at + n for n in range(1 + len(actions))]
        at = places[-1] + 1.0
    figure = blank(9.0, 0.26 * at + 1.2)
    axes = figure.subplots()
    shares = {f: np.array([by_family.get(f, 0.0) for _, by_family in bars]) for f in SHOWN_FAMILIES}
    left = 1.0 - np.sum(list(shares.values()), axis=0)
    axes.barh(places, left, 0.8, color=INK, label="straight or better")
    colors = colormaps["viridis_r"](np.linspace(0.0, 1.0, len(SHOWN_FAMILIES)))
    for family, color in zip(SHOWN_FAMILIES, colors[::-1], strict=True):
        axes.barh(places, shares[family], 0.8, left, color=color, label=family)
        left = left + shares[family]
    axes.set_yticks(places, [words for words, _ in bars])
    axes.set_ylim(at - 0.3, -1.2)
    axes.set_xlim(0.0, 1.0)
    axes.set_xticks(*QUARTERS)
    for place, words in titles:
        axes.text(0.0, place, words, fontsize=8.5, va="center")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8.0, frameon=False)
    figure.suptitle(plain(f"{name}: holdings behind each action", 100), fontsize=11)
    return figure


def regions(
    policy: Policy, spot: DecisionPoint, x: Floats, order: Sequence[str]
) -> dict[str, Floats]:
    """Return the probability of each action at each x, in a given order; 0 for illegal ones."""
    outlook = EvenHoldingValues(float(spot.n_active) ** -x, spot.n_active)
    odds = policy.probabilities(spot, outlook)
    return {action: odds.get(action, np.zeros_like(x)) for action in order}


def _x(chance: Any, players: int) -> Any:
    return -np.log(chance) / math.log(players)


def _panel(axes: Axes, along: Floats, shares: Mapping[str, Floats]) -> None:
    below = np.zeros_like(along)
    for action, odds in shares.items():
        axes.fill_between(along, below, below + odds, color=SHADES[action], lw=0)
        axes.plot(along, below + odds, color="white", lw=0.8)
        _label(axes, action, along, below, odds)
        below = below + odds
    axes.set(xlim=(0.0, along[-1]), ylim=(0.0, 1.0))


def _mark(axes: Axes, place: float, label: str, chance: float) -> None:
    """Draw a line at a chance to win, with its name above; names do not overlap."""
    dashes, height = MARKS[label]
    axes.axvline(place, color=INK, lw=1.0, ls=dashes)
    side = "left" if place < 0.8 * axes.get_xlim()[1] else "right"
    look = {"xycoords": axes.get_xaxis_transform(), "ha": side, "fontsize": 8}
    beside(axes, f"{label} {_chance(chance)}", (place, 1.0), (0, height), **look)


def _deceptions(axes: Axes, x_end: float, shares: Mapping[str, Floats]) -> None:
    """Label slowplay (the strongest hands, not bet or raised) and bluffs (the weakest, bet)."""
    (_, bold), (action, meek) = list(shares.items())[:2]
    edge = 0.015 * x_end
    slowplay, bluff = float(meek[0]), float(bold[-1])
    if slowplay >= 0.06:  # lower regions have no room for a word
        middle = bold[0] + slowplay / 2
        words = axes.text(edge, middle, f"slowplay {slowplay:.0%}", va="center", fontsize=8.5)
        words.set_bbox({"fc": SHADES[action], "ec": "none", "pad": 0.5})
    if bluff >= 0.01:
        # A smooth policy bets more at the left end of the words than at the right.
        above = float(bold[round(0.87 * bold.size)]) + 0.02
        axes.text(x_end - edge, above, f"bluff {bluff:.0%}", ha="right", fontsize=8.5)


def _label(axes: Axes, action: str, x: Floats, below: Floats, odds: Floats) -> None:
    """Write the name of an action in the middle of the longest stretch of its greatest height."""
    if odds.max() < 0.12:
        return
    high = np.flatnonzero(odds >= odds.max() - 1e-9)
    # Of several stretches the longest.
    runs = np.split(high, np.flatnonzero(np.diff(high) > 1) + 1)
    stretch = max(runs, key=len)
    edge = x.size // 15  # the word needs room on both sides
    middle = int(np.clip(stretch[len(stretch) // 2], edge, x.size - 1 - edge))
    place, colour = below[middle] + odds[middle] / 2, "white" if action in ON_DARK else INK
    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11, "zorder": 5}
    look |= {"color": colour, "bbox": {"fc": SHADES[action], "ec": "none", "pad": 0.8}}
    axes.text(x[middle], place, action, **look)


def _axes(row: Sequence[Axes], players: int, x_end: float) -> None:
    by_chance, by_x = row
    by_chance.set_yticks(*QUARTERS)
    by_chance.set_xticks(*QUARTERS)
    by_chance.set_xlabel("chance to win")
    step = 0.25 * 2 ** max(0, math.ceil(math.log2(x_end / X_END)))
    places = np.arange(0.0, x_end + 0.01, step)
    by_x.set_xticks(places, [f"{place:g}\n{_chance(players**-place)}" for place in places])
    by_x.set_xlabel(f"x = -log_N(chance to win); under it the chance, N = {players}")


def _chance(p: float) -> str:
    if p < 0.001:
        return "<0.1%"
    return f"{p:.0%}" if p >= 0.095 else f"{p:.1%}"
