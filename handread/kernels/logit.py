"""P(action | holding) of logit policies, and the slopes of the evidence.

For actions and ``legal`` see ``kernels.actions``, for lines and rows ``kernels.evidence``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.actions import CALL, N_ACTIONS
from handread.kernels.jit import allocating, inlined

Array = npt.NDArray[Any]

LARGEST = 500.0
"""Log-odds that are larger count as so large, so that their exponentials are finite."""


@inlined
def kinds_held(code: int, kinds: Any, places: Array, worths: Array) -> int:
    """Fill the places of the kinds of a holding among its features, and their values.

    ``kinds`` are shifts, masks and values (kinds, levels) of the bit fields of a code. Returns
    their number: a holding has two or three of fourteen, and all members of a policy look at them.
    """
    shifts, masks, values = kinds
    n = 0
    for k in range(shifts.size if code else 0):
        level = (code >> shifts[k]) & masks[k]
        if level:
            places[n], worths[n] = 2 + k, values[k, level]
            n += 1
    return n


@inlined
def logit_odds(
    common: Array,
    slopes: Array,
    place: int,
    legal: Any,
    holding: Any,
    log_odds: Array,
    odds: Array,
) -> float:
    """Fill the log-odds and the odds of the actions with a holding.

    Args:
        common: Log-odds of bet, fold and raise that all holdings share (places, 3).
        slopes: Weights of the features of a holding (places, 3, 2 + kinds).
        place: Place of the decision among them.
        legal: The legal actions, as a tuple (3,).
        holding: Its percentile, -1 to 1, its log-chance by players, -2 to 2, and its kinds: their
            number, places and values, by ``kinds_held``.
        log_odds: Filled with the log-odds of the legal actions (4,).
        odds: Filled with the odds (4,), 0 for actions that are not legal.

    Returns:
        The sum of the odds, by which they are divided for probabilities.
    """
    percentile, chance, (n_kinds, places, worths) = holding
    log_odds[CALL] = 0.0
    total = odds[CALL] = 1.0
    for head in range(3):
        odds[head + 1] = 0.0
        if legal[head]:
            push = common[place, head]
            push += slopes[place, head, 0] * percentile
            push += slopes[place, head, 1] * chance
            for i in range(n_kinds):
                push += slopes[place, head, places[i]] * worths[i]
            push = min(push, LARGEST)
            log_odds[head + 1], odds[head + 1] = push, math.exp(push)
            total += odds[head + 1]
    return total


@allocating
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

    The places of ``logit_odds`` are turns; ``own`` is the percentile, the chance and the code of
    each row. Without ``posterior`` (empty), fills ``log_odds``; with it, adds the slopes to
    ``by_common`` and ``by_slopes``.
    """
    percentile, chance, codes = own
    row, first, group = 0, 0, 0
    each, odds = np.empty(N_ACTIONS), np.empty(N_ACTIONS)
    places, worths = np.empty(kinds[0].size, np.int64), np.empty(kinds[0].size)
    for line in range(turns.size):
        for _ in range(groups[line]):
            share = posterior[group] if posterior.size else 0.0
            group += 1
            for turn in range(first, first + turns[line]):
                n_kinds = kinds_held(codes[row], kinds, places, worths)
                holding = (percentile[row], chance[row], (n_kinds, places, worths))
                can = (legal[turn, 0], legal[turn, 1], legal[turn, 2])
                total = logit_odds(common, slopes, turn, can, holding, each, odds)
                if not posterior.size:
                    log_odds[row] = each[action[turn]] - math.log(total)
                for head in range(3 if posterior.size else 0):
                    if legal[turn, head]:
                        off = share * ((action[turn] == head + 1) - odds[head + 1] / total)
                        by_common[turn, head] += off
                        by_slopes[turn, head, 0] += off * percentile[row]
                        by_slopes[turn, head, 1] += off * chance[row]
                        for i in range(n_kinds):
                            by_slopes[turn, head, places[i]] += off * worths[i]
                row += 1
        first += turns[line]
