"""The evidence of lines of actions in a fit, and its slopes.

A *line* is the actions of a player in a hand, its *turns*. Its possible holdings stand in *groups*.
A *row* is a group at a turn; the rows of a line are stored group by group, those of a group turn by
turn. ``turns`` and ``groups`` count those of each line. Actions are 0 for a check or a call, 1 for
a bet, 2 for a fold, 3 for a raise; ``legal`` (turns, 3) says which of the last three are legal.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.kernels.jit import kernel

Array = npt.NDArray[Any]


@kernel
def line_sums(
    log_odds: Array, turns: Array, groups: Array, weight: Array, lines: Array, posterior: Array
) -> None:
    """Sum the probabilities of the actions over the groups of each line.

    ``log_odds`` is the natural logarithm of P(action | group) of each row, ``weight`` the
    probability of each group before the actions. Fills ``lines`` with the logarithm of the evidence
    of each line, ``posterior`` with the probability of each group after the actions.
    """
    row, first = 0, 0
    for line in range(turns.size):
        last = first + groups[line]
        highest = -math.inf
        for group in range(first, last):
            joint = math.log(weight[group])
            for _ in range(turns[line]):
                joint += log_odds[row]
                row += 1
            posterior[group] = joint
            highest = max(highest, joint)
        total = 0.0
        for group in range(first, last):
            posterior[group] = math.exp(posterior[group] - highest)
            total += posterior[group]
        for group in range(first, last):
            posterior[group] /= total
        lines[line] = highest + math.log(total)
        first = last


@kernel
def read_lines(
    log_odds: Array,
    turns: Array,
    groups: Array,
    weight: Array,
    truth: Array,
    exponents: Array,
    bits: Array,
    surprise: Array,
) -> None:
    """Follow a read action by action.

    ``log_odds`` and ``weight`` as in ``line_sums``; ``truth`` is the group of the true holding
    within each line, -1 if it is not known; ``exponents`` is by turn. Fills ``bits`` with log2 of
    the true group's probability after each turn against that before the line (NaN if it is not
    known), and ``surprise`` with -log2 P(action) of each turn.
    """
    first, first_row, turn = 0, 0, 0
    for line in range(turns.size):
        n, n_turns = groups[line], turns[line]
        read = weight[first : first + n].copy()
        for number in range(n_turns):
            total, joint, after = 0.0, 0.0, 0.0
            for group in range(n):
                odds = log_odds[first_row + group * n_turns + number]
                total += read[group]
                joint += read[group] * math.exp(odds)
                read[group] *= math.exp(exponents[turn] * odds)
                after += read[group]
            for group in range(n):
                read[group] /= after
            surprise[turn] = math.log2(total / joint)
            bits[turn] = math.nan
            if truth[line] >= 0:
                bits[turn] = math.log2(read[truth[line]] / weight[first + truth[line]])
            turn += 1
        first += n
        first_row += n * n_turns


@kernel
def _push(common: float, slopes: Array, row: int, own: Any, kinds: Any) -> float:
    """Return the log-odds of an action for the holdings of a row, at most 500.

    ``common`` and ``slopes`` (2 + kinds,) are those of the action at its turn, the rest as in
    ``logit_rows``.
    """
    percentile, chance, codes = own
    shifts, masks, values = kinds
    push = common
    push += slopes[0] * percentile[row]
    push += slopes[1] * chance[row]
    for k in range(shifts.size if codes[row] else 0):
        level = (codes[row] >> shifts[k]) & masks[k]
        if level:
            push += slopes[2 + k] * values[k, level]
    capped: float = min(push, 500.0)
    return capped


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
    log_odds: Array,
) -> None:
    """Fill ``log_odds`` with the logarithm of P(action | group) of each row.

    ``common`` (turns, 3) is the part of the log-odds of bet, fold and raise that all holdings
    share, ``slopes`` (turns, 3, 2 + kinds) the weights of the features of a holding. ``own`` is the
    percentile, the chance and the code of each row; ``kinds`` are the shifts, masks and values
    (kinds, levels) of the bit fields of a code.
    """
    row, first = 0, 0
    for line in range(turns.size):
        for _ in range(groups[line]):
            for turn in range(first, first + turns[line]):
                chosen, total = 0.0, 1.0
                for head in range(3):
                    if legal[turn, head]:
                        push = _push(common[turn, head], slopes[turn, head], row, own, kinds)
                        total += math.exp(push)
                        if action[turn] == head + 1:
                            chosen = push
                log_odds[row] = chosen - math.log(total)
                row += 1
        first += turns[line]


@kernel
def logit_slopes(
    turns: Array,
    groups: Array,
    action: Array,
    legal: Array,
    common: Array,
    slopes: Array,
    own: Any,
    kinds: Any,
    posterior: Array,
    by_common: Array,
    by_slopes: Array,
) -> None:
    """Add the slopes of the evidence: by ``common`` and by ``slopes`` of ``logit_rows``.

    ``posterior`` is the probability of each group after the actions (Fisher's identity).
    """
    percentile, chance, codes = own
    shifts, masks, values = kinds
    row, first, group = 0, 0, 0
    pushes = np.zeros(3)
    for line in range(turns.size):
        for _ in range(groups[line]):
            p = posterior[group]
            group += 1
            for turn in range(first, first + turns[line]):
                total = 1.0
                for head in range(3):
                    pushes[head] = 0.0
                    if legal[turn, head]:
                        push = _push(common[turn, head], slopes[turn, head], row, own, kinds)
                        pushes[head] = math.exp(push)
                        total += pushes[head]
                for head in range(3):
                    if legal[turn, head]:
                        off = p * ((action[turn] == head + 1) - pushes[head] / total)
                        by_common[turn, head] += off
                        by_slopes[turn, head, 0] += off * percentile[row]
                        by_slopes[turn, head, 1] += off * chance[row]
                        for k in range(shifts.size if codes[row] else 0):
                            level = (codes[row] >> shifts[k]) & masks[k]
                            if level:
                                by_slopes[turn, head, 2 + k] += off * values[k, level]
                row += 1
        first += turns[line]


@kernel
def _intended(action: int, p: Array, by: Array) -> float:
    """Return P(action) without the lapse, and fill ``by`` (3,) with its slopes by each ramp.

    ``p`` (3,) is the value of the ramps to bet, to raise and to fold.
    """
    bet, raise_, fold = p[0], p[1], p[2]
    by[:] = 0.0
    if action == 0:
        intended = (1.0 - bet) * (1.0 - raise_) * (1.0 - fold)
        by[0] = -(1.0 - raise_) * (1.0 - fold)
        by[1] = -(1.0 - bet) * (1.0 - fold)
        by[2] = -(1.0 - bet) * (1.0 - raise_)
    elif action == 1:
        intended = bet
        by[0] = 1.0
    elif action == 2:
        intended = (1.0 - raise_) * fold
        by[1] = -fold
        by[2] = 1.0 - raise_
    else:
        intended = raise_
        by[1] = 1.0
    return float(intended)


@kernel
def _add_ramp_slopes(ramp: Array, along: float, off: float, slopes: Array) -> None:
    """Add to ``slopes`` (4,) those by x0, ln(width), y0 and y1 of a ramp.

    ``along`` is the place on the ramp, 0 to 1 on its slope, and ``off`` the slope by its value.
    """
    on = min(1.0, max(0.0, along))
    if 0.0 < along < 1.0:
        rise = off * (ramp[3] - ramp[2])
        slopes[0] -= rise / ramp[1]
        slopes[1] -= rise * along
    slopes[2] += off * (1.0 - on)
    slopes[3] += off * on


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
    """Fill ``log_odds`` for the family of ramps, or add the slopes of the evidence.

    ``ramps`` (3, 4) are x0, width, y0 and y1 of the ramps to bet, to raise and to fold; ``lapse``
    is the probability of a random action. ``odds_x`` is -log_N of the effective odds of each turn,
    ``x`` of the chance to win of each row. Without ``posterior`` (empty), fills ``log_odds``; with
    it, adds to ``by_ramps`` (turns, 13) the slopes of the evidence by x0, by ln(width), by y0 and
    y1 of the ramps, and by the lapse.
    """
    row, first, group = 0, 0, 0
    p, along = np.zeros(3), np.zeros(3)
    by = np.zeros(3)
    for line in range(turns.size):
        for _ in range(groups[line]):
            share = posterior[group] if posterior.size else 0.0
            group += 1
            for turn in range(first, first + turns[line]):
                for which in range(3):
                    # Ramps stand as bet, raise, fold; actions as bet, fold, raise.
                    p[which] = 0.0
                    if legal[turn, (0, 2, 1)[which]]:
                        at = x[row] - (odds_x[turn] if which == 2 else 0.0)
                        along[which] = (at - ramps[which, 0]) / ramps[which, 1]
                        on = min(1.0, max(0.0, along[which]))
                        p[which] = ramps[which, 2] + (ramps[which, 3] - ramps[which, 2]) * on
                meant = _intended(action[turn], p, by)
                n_legal = 1.0 + legal[turn, 0] + legal[turn, 1] + legal[turn, 2]
                odds = (1.0 - lapse) * meant + lapse / n_legal
                if not posterior.size:
                    log_odds[row] = math.log(odds) if odds > 0.0 else -math.inf
                    row += 1
                    continue
                row += 1
                scale = share / odds if odds > 0.0 else 0.0
                by_ramps[turn, 12] += scale * (1.0 / n_legal - meant)
                for which in range(3):
                    if legal[turn, (0, 2, 1)[which]]:
                        off = scale * (1.0 - lapse) * by[which]
                        own = by_ramps[turn, 4 * which : 4 * which + 4]
                        _add_ramp_slopes(ramps[which], along[which], off, own)
        first += turns[line]
