"""P(action | holding) of the paper's ramps (Saund 2006, Figure 5), and its slopes.

Ramps are rows x0, width, y0, y1 to bet, to raise and to fold (3, 4). Actions and ``legal`` are
those of ``kernels.actions``, lines and rows those of ``kernels.evidence``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.actions import BET, CALL, FOLD, N_ACTIONS, RAISE, n_legal, with_lapse
from handread.kernels.jit import kernel

Array = npt.NDArray[Any]

TO_BET, TO_RAISE, TO_FOLD = range(3)


@kernel
def ramp_odds(
    ramps: Array, bluff: float, legal: Array, x: float, odds_x: float, values: Array, odds: Array
) -> None:
    """Fill the probabilities of the actions with a holding, without lapses.

    Args:
        ramps: The ramps.
        bluff: Part of the folding hands that raises instead.
        legal: The legal actions.
        x: -log_N of the chance to win.
        odds_x: -log_N of the effective odds.
        values: Filled with the values of the ramps (3,), 0 for actions that are not legal.
        odds: Filled with the probabilities (4,).
    """
    for which in range(3):
        values[which] = 0.0
        if legal[(BET, RAISE, FOLD)[which] - 1]:
            values[which] = _value(ramps[which], x - (odds_x if which == TO_FOLD else 0.0))
    bet, raise_, fold = values[TO_BET], values[TO_RAISE], values[TO_FOLD]
    bluffs = bluff * fold if legal[RAISE - 1] else 0.0
    odds[CALL] = (1.0 - bet) * (1.0 - raise_) * (1.0 - fold)
    odds[BET] = bet
    odds[FOLD] = (1.0 - raise_) * (fold - bluffs)
    odds[RAISE] = raise_ + (1.0 - raise_) * bluffs


@kernel
def _value(ramp: Array, at: float) -> float:
    """Return the value of a ramp; one without width is a step."""
    if ramp[1] == 0.0:
        return float(ramp[2] if at < ramp[0] else ramp[3])
    along = min(1.0, max(0.0, (at - ramp[0]) / ramp[1]))
    return float(ramp[2] + (ramp[3] - ramp[2]) * along)


@kernel
def ramp_table(
    ramps: Array, bluff: float, lapse: float, legal: Array, x: Array, odds_x: float, table: Array
) -> None:
    """Fill the probabilities of the actions (4, holdings) at each ``x``, as ``ramp_odds``."""
    values, odds, n = np.empty(3), np.empty(N_ACTIONS), n_legal(legal)
    for i in range(x.size):
        ramp_odds(ramps, bluff, legal, x[i], odds_x, values, odds)
        for action in range(N_ACTIONS):
            table[action, i] = with_lapse(odds[action], lapse, n)


@kernel
def ramp_rows(
    turns: Array,
    groups: Array,
    action: Array,
    legal: Array,
    ramps: Array,
    lapse: float,
    odds_x: Array,
    x: Array,
    posterior: Array,
    log_odds: Array,
    by_ramps: Array,
) -> None:
    """Fill ``log_odds`` of lines, or add the slopes of their evidence.

    Args:
        turns: Turns of each line.
        groups: Groups of each line.
        action: Action of each turn.
        legal: Legal actions of each turn.
        ramps: The ramps.
        lapse: Probability of a random action.
        odds_x: -log_N of the effective odds of each turn.
        x: -log_N of the chance to win of each row.
        posterior: Probability of each group after the actions; empty to fill ``log_odds``.
        log_odds: Filled with the logarithm of P(action | group) of each row.
        by_ramps: To it are added, for each turn (turns, 13), the slopes of the evidence by x0, by
            ln(width), by y0 and y1 of the ramps, and by the lapse.
    """
    row, first, group = 0, 0, 0
    values, odds, by = np.empty(3), np.empty(N_ACTIONS), np.empty(3)
    for line in range(turns.size):
        for _ in range(groups[line]):
            share = posterior[group] if posterior.size else 0.0
            group += 1
            for turn in range(first, first + turns[line]):
                ramp_odds(ramps, 0.0, legal[turn], x[row], odds_x[turn], values, odds)
                meant, n = odds[action[turn]], n_legal(legal[turn])
                p = with_lapse(meant, lapse, n)
                if not posterior.size:
                    log_odds[row] = math.log(p) if p > 0.0 else -math.inf
                else:
                    scale = share / p if p > 0.0 else 0.0
                    by_ramps[turn, 12] += scale * (1.0 / n - meant)
                    _by_values(action[turn], values, by)
                    for which in range(3):
                        if legal[turn, (BET, RAISE, FOLD)[which] - 1]:
                            at = x[row] - (odds_x[turn] if which == TO_FOLD else 0.0)
                            off = scale * (1.0 - lapse) * by[which]
                            _add_slopes(ramps[which], at, off, by_ramps[turn, 4 * which :])
                row += 1
        first += turns[line]


@kernel
def _by_values(action: int, values: Array, by: Array) -> None:
    """Fill the slopes of P(action) by the values of the ramps, without bluffs."""
    bet, raise_, fold = values[TO_BET], values[TO_RAISE], values[TO_FOLD]
    by[:] = 0.0
    if action == CALL:
        by[TO_BET] = -(1.0 - raise_) * (1.0 - fold)
        by[TO_RAISE] = -(1.0 - bet) * (1.0 - fold)
        by[TO_FOLD] = -(1.0 - bet) * (1.0 - raise_)
    elif action == BET:
        by[TO_BET] = 1.0
    elif action == FOLD:
        by[TO_RAISE] = -fold
        by[TO_FOLD] = 1.0 - raise_
    else:
        by[TO_RAISE] = 1.0


@kernel
def _add_slopes(ramp: Array, at: float, off: float, by: Array) -> None:
    """Add ``off`` times the slopes of a ramp's value by x0, ln(width), y0 and y1."""
    along = (at - ramp[0]) / ramp[1]
    on = min(1.0, max(0.0, along))
    if 0.0 < along < 1.0:
        rise = off * (ramp[3] - ramp[2])
        by[0] -= rise / ramp[1]
        by[1] -= rise * along
    by[2] += off * (1.0 - on)
    by[3] += off * on
