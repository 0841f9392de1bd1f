"""What ``handread policy show`` does: a policy as a table of what it does, and as a picture."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from handread.commands.output import emit
from handread.commands.progress import say
from handread.engine import Spot
from handread.policy import EvenOutlook, Panel, Single, spot_at_odds
from handread.report.escape import visible
from handread.report.tables import as_text

CHANCES = (0.9, 0.7, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.02)
"""The chances to win of the rows, beside those of a fair share and of the odds."""


@dataclass(frozen=True, slots=True)
class ShowOptions:
    """What ``handread policy show`` was asked for; ``odds`` None takes half a fair share."""

    players: int
    odds: float | None
    plot: Path | None
    as_json: bool


def run_show(policy: Single | Panel, options: ShowOptions) -> int:
    """Print a policy, and draw it; the exit status."""
    odds = 0.5 / options.players if options.odds is None else options.odds
    rows = [_row(policy, options.players, odds, chance) for chance in _chances(options, odds)]
    if options.plot is not None:
        from handread.report import plots

        try:
            plots.save(plots.policy_figure(policy, options.players, odds), options.plot)
        except OSError as error:
            say(f"{options.plot}: cannot be written: {error.strerror or error}")
            return 2
    if options.as_json:
        record = {
            "name": policy.name,
            "title": policy.title,
            "source": policy.source,
            "players": options.players,
            "odds": odds,
            "rows": rows,
        }
        emit(json.dumps(record) + "\n")
    else:
        emit(_text(policy, options.players, odds, rows))
    return 0


def _chances(options: ShowOptions, odds: float) -> list[float]:
    """The chances of the rows, from strong to weak."""
    return sorted({*CHANCES, 1.0 / options.players, odds}, reverse=True)


def _row(policy: Single | Panel, players: int, odds: float, chance: float) -> dict[str, Any]:
    """What is done with one chance to win, when nobody has bet and when somebody has."""

    def played(spot: Spot) -> dict[str, float]:
        outlook = EvenOutlook(np.array([chance]), players)
        return {a: float(p[0]) for a, p in policy.probabilities(spot, outlook).items()}

    return {
        "chance": chance,
        "x": -math.log(chance) / math.log(players),
        "nobody_has_bet": played(spot_at_odds(players, None)),
        "somebody_has_bet": played(spot_at_odds(players, odds)),
    }


def _text(policy: Single | Panel, players: int, odds: float, rows: list[dict[str, Any]]) -> str:
    header = ["chance", "x", "bet", "check", "", "raise", "call", "fold", ""]
    table = [header]
    for row in rows:
        free, called = row["nobody_has_bet"], row["somebody_has_bet"]
        cells = [
            *(f"{free[action]:.0%}" for action in ("bet", "check")),
            "",
            *(f"{called[action]:.0%}" for action in ("raise", "call", "fold")),
        ]
        note = "a fair share" if row["chance"] == 1.0 / players else ""
        note = "the odds" if row["chance"] == odds else note
        table.append([f"{row['chance']:.1%}", f"{row['x']:.2f}", *cells, note])
    lapses = 0.0 if isinstance(policy, Panel) else policy.lapse
    lapse = f"; lapse {lapses:g}" if lapses else ""
    source = f"{visible(policy.source)}\n" if policy.source else ""
    return (
        f"{visible(policy.name)}: {visible(policy.title or 'no title')}{lapse}\n{source}\n"
        f"{players} players; a call at effective odds of {odds:.1%} (x_e = "
        f"{-math.log(odds) / math.log(players):.2f}); x = -log_{players}(chance to win)\n\n"
        f"{as_text(table)}"
    )
