"""The evidence of lines of actions in a fit, and reads of them.

A *line* is the actions of a player in a hand, its *turns*. Its possible holdings stand in *groups*.
A *row* is a group at a turn; the rows of a line are stored group by group, and within a group turn
by turn. ``turns`` and ``groups`` count the turns and groups of each line. ``kernels.ramps`` and
``kernels.logit`` have the evidence of an action about a group.
"""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

from handread.kernels.jit import allocating, kernel

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


@allocating
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
