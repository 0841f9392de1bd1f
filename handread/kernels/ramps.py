"""P(action | holding) of the paper's ramps (Saund 2006, Figure 5), and its slopes.

Ramps are rows x0, width, y0, y1 to bet, to raise and to fold (3, 4). For actions and
``legal`` see ``kernels.actions``, for lines and rows ``kernels.evidence``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

from handread.kernels.actions import BET, CALL, FOLD, RAISE, n_legal, with_lapse
from handread.kernels.jit import inlined, kernel

Array = npt.NDArray[Any]

TO_BET, TO_RAISE, TO_FOLD = range(3)


@inlined
def ramp_odds(ramps: Array, bluff: float, legal: Any, x: float, odds_x: float) -> Any:
    """Return the values of the ramps (3,) and the probabilities of the actions (4,), no lapses.

    Args:
        ramps: The ramps.
        bluff: Part of the folding hands that raises instead.
        legal: The legal actions, as a tuple (3,).
        x: -log_N of the chance to win.
        odds_x: -log_N of the effective odds.
    """
    bet = _value(ramps, TO_BET, x) if legal[BET - 1] else 0.0
    raise_ = _value(ramps, TO_RAISE, x) if legal[RAISE - 1] else 0.0
    fold = _value(ramps, TO_FOLD, x - odds_x) if legal[FOLD - 1] else 0.0
    bluffs = bluff * fold if legal[RAISE - 1] else 0.0
    call = (1.0 - bet) * (1.0 - raise_) * (1.0 - fold)
    folds, raises = (1.0 - raise_) * (fold - bluffs), raise_ + (1.0 - raise_) * bluffs
    return (bet, raise_, fold), (call, bet, folds, raises)


@inlined
def _value(ramps: Array, which: int, x: float) -> float:
    """Return the value of a ramp; one without width is a step."""
    start, width, left, right = ramps[which, 0], ramps[which, 1], ramps[which, 2], ramps[which, 3]
    if width == 0.0:
        return float(left if x < start else right)
    return float(left + (right - left) * min(1.0, max(0.0, (x - start) / width)))


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

    ``odds_x`` is -log_N of the effective odds of each turn, ``x`` of the chance to win of each row.
    Without ``posterior`` (empty), fills ``log_odds``; with it, adds to ``by_ramps`` (turns, 13) the
    slopes by x0, by ln(width), by y0 and y1 of the ramps, and by the lapse.
    """
    row, first, group = 0, 0, 0
    for line in range(turns.size):
        for _ in range(groups[line]):
            share = posterior[group] if posterior.size else 0.0
            group += 1
            for turn in range(first, first + turns[line]):
                can = (legal[turn, 0], legal[turn, 1], legal[turn, 2])
                values, odds = ramp_odds(ramps, 0.0, can, x[row], odds_x[turn])
                meant, n = odds[action[turn]], n_legal(can)
                p = with_lapse(meant, lapse, n)
                if not posterior.size:
                    log_odds[row] = math.log(p) if p > 0.0 else -math.inf
                else:
                    scale = share / p if p > 0.0 else 0.0
                    by_ramps[turn, 12] += scale * (1.0 / n - meant)
                    by = _by_values(action[turn], values)
                    for which in range(3):
                        if can[(BET, RAISE, FOLD)[which] - 1]:
                            at = x[row] - (odds_x[turn] if which == TO_FOLD else 0.0)
                            off = scale * (1.0 - lapse) * by[which]
                            _add_slopes(ramps, which, at, off, by_ramps, turn)
                row += 1
        first += turns[line]


@inlined
def _by_values(action: int, values: Any) -> Any:
    """Return the slopes of P(action) by the values of the ramps (3,), without bluffs."""
    bet, raise_, fold = values
    if action == CALL:
        return (
            -(1.0 - raise_) * (1.0 - fold),
            -(1.0 - bet) * (1.0 - fold),
            -(1.0 - bet) * (1.0 - raise_),
        )
    if action == BET:
        return 1.0, 0.0, 0.0
    if action == FOLD:
        return 0.0, -fold, 1.0 - raise_
    return 0.0, 1.0, 0.0


@inlined
def _add_slopes(ramps: Array, which: int, x: float, off: float, by_ramps: Array, turn: int) -> None:
    """Add ``off`` times the slopes of a ramp's value by x0, ln(width), y0 and y1."""
    start, width, left, right = ramps[which, 0], ramps[which, 1], ramps[which, 2], ramps[which, 3]
    along = (x - start) / width
    on = min(1.0, max(0.0, along))
    if 0.0 < along < 1.0:
        rise = off * (right - left)
        by_ramps[turn, 4 * which] -= rise / width
        by_ramps[turn, 4 * which + 1] -= rise * along
    by_ramps[turn, 4 * which + 2] += off * (1.0 - on)
    by_ramps[turn, 4 * which + 3] += off * on
