"""P(action | holding) of logit policies, and the slopes of the evidence.

Actions and ``legal`` are those of ``kernels.actions``, lines and rows those of
``kernels.evidence``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.actions import CALL, N_ACTIONS, n_legal, with_lapse
from handread.kernels.jit import kernel

Array = npt.NDArray[Any]

LARGEST = 500.0
"""Log-odds up to which exponentials are finite; those that are larger lower all others."""


@kernel
def logit_odds(
    common: Array,
    slopes: Array,
    legal: Array,
    holding: Any,
    kinds: Any,
    log_odds: Array,
    odds: Array,
) -> float:
    """Fill the log-odds and the odds of the legal actions with a holding.

    Args:
        common: Log-odds of bet, fold and raise that all holdings share (3,).
        slopes: Weights of the features of a holding (3, 2 + kinds).
        legal: The legal actions.
        holding: Its percentile, -1 to 1, its chance (both ``holding_features``) and its code.
        kinds: Shifts, masks and values (kinds, levels) of the bit fields of a code.
        log_odds: Filled with the log-odds of the actions (4,).
        odds: Filled with the odds (4,), 0 for actions that are not legal.

    Returns:
        The sum of the odds, by which they are divided for probabilities.
    """
    percentile, chance, code = holding
    shifts, masks, values = kinds
    for head in range(3):
        log_odds[head + 1] = common[head]
        log_odds[head + 1] += slopes[head, 0] * percentile
        log_odds[head + 1] += slopes[head, 1] * chance
    for k in range(shifts.size if code else 0):
        level = (code >> shifts[k]) & masks[k]
        if level:
            for head in range(3):
                log_odds[head + 1] += slopes[head, 2 + k] * values[k, level]
    over = 0.0
    for head in range(3):
        if legal[head]:
            over = max(over, log_odds[head + 1] - LARGEST)
    log_odds[CALL] = -over
    odds[CALL] = math.exp(-over) if over else 1.0
    total = odds[CALL]
    for action in range(1, N_ACTIONS):
        odds[action] = 0.0
        if legal[action - 1]:
            log_odds[action] -= over
            odds[action] = math.exp(log_odds[action])
            total += odds[action]
    return float(total)


@kernel
def logit_table(
    common: Array, slopes: Array, lapse: float, legal: Array, own: Any, kinds: Any, table: Array
) -> None:
    """Fill the probabilities of the actions (4, holdings).

    ``own`` has the percentile, the chance and the code of each holding; the rest as ``logit_odds``.
    """
    percentile, chance, codes = own
    log_odds, odds, n = np.empty(N_ACTIONS), np.empty(N_ACTIONS), n_legal(legal)
    for i in range(percentile.size):
        holding = (percentile[i], chance[i], codes[i])
        total = logit_odds(common, slopes, legal, holding, kinds, log_odds, odds)
        for action in range(N_ACTIONS):
            table[action, i] = with_lapse(odds[action] / total, lapse, n)


@kernel
def logit_rows(
    turns: Array,
    groups: Array,
    action: Array,
    legal: Array,
    common: Array,
    slopes: Array,
    own: Any,
    kinds: Any,
    posterior: Array,
    log_odds: Array,
    by_common: Array,
    by_slopes: Array,
) -> None:
    """Fill ``log_odds`` of lines, or add the slopes of their evidence.

    Args:
        turns: Turns of each line.
        groups: Groups of each line.
        action: Action of each turn.
        legal: Legal actions of each turn.
        common: As ``logit_odds``, of each turn (turns, 3).
        slopes: As ``logit_odds``, of each turn (turns, 3, 2 + kinds).
        own: Percentile and chance of each row, and its code.
        kinds: As ``logit_odds``.
        posterior: Probability of each group after the actions; empty to fill ``log_odds``.
        log_odds: Filled with the logarithm of P(action | group) of each row.
        by_common: To it are added the slopes of the evidence by ``common``.
        by_slopes: To it are added those by ``slopes``.
    """
    percentile, chance, codes = own
    shifts, masks, values = kinds
    row, first, group = 0, 0, 0
    each, odds = np.empty(N_ACTIONS), np.empty(N_ACTIONS)
    for line in range(turns.size):
        for _ in range(groups[line]):
            share = posterior[group] if posterior.size else 0.0
            group += 1
            for turn in range(first, first + turns[line]):
                code = codes[row]
                holding = (percentile[row], chance[row], code)
                total = logit_odds(
                    common[turn], slopes[turn], legal[turn], holding, kinds, each, odds
                )
                if not posterior.size:
                    log_odds[row] = each[action[turn]] - math.log(total)
                for head in range(3 if posterior.size else 0):
                    if legal[turn, head]:
                        off = share * ((action[turn] == head + 1) - odds[head + 1] / total)
                        by_common[turn, head] += off
                        by_slopes[turn, head, 0] += off * percentile[row]
                        by_slopes[turn, head, 1] += off * chance[row]
                        for k in range(shifts.size if code else 0):
                            level = (code >> shifts[k]) & masks[k]
                            if level:
                                by_slopes[turn, head, 2 + k] += off * values[k, level]
                row += 1
        first += turns[line]
