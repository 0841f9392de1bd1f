"""The table of how often players fold, bet and raise by spot, against a policy, for the pages."""

from __future__ import annotations

import math

from handread.study.frequencies import Frequencies, Spot, group_of
from handread.study.statistics import Estimate

FEWEST = 10
"""The fewest decisions of a row; other spots are left out."""

HEAD = ("faced", "street", "players in", "decisions", "folds", "policy", "bets, raises", "policy")


def frequency_table(found: Frequencies) -> str:
    """Return the shares of actions that were seen and expected as a table of Markdown."""
    rows = [row for spot in found.spots if int((row := _row(found, spot))[3]) >= FEWEST]
    lines = [HEAD, ["---"] * len(HEAD), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(found: Frequencies, spot: Spot) -> list[str]:
    pairs = [
        [found.at(f"{kind}{action}", group=group_of(spot), about=spot.faced) for action in actions]
        for actions in (("fold",), ("bet", "raise"))
        for kind in ("", "expected ")
    ]
    # Of a bet and a raise a spot has one; a fold may be missing, as with nothing to call.
    each = [next((one for one in pair if one.n), Estimate(math.nan)) for pair in pairs]
    n = max(one.n for one in each)
    return [*spot, str(n), *(_percent(one, not place % 2) for place, one in enumerate(each))]


def _percent(one: Estimate, interval: bool) -> str:
    """Return a share in percent, with its interval if it has one."""
    if not one.n:
        return ""
    ends = f" ({100 * one.low:.0f} to {100 * one.high:.0f})"
    return f"{100 * one.mean:.0f}%{ends if interval and math.isfinite(one.low) else ''}"
