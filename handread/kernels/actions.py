"""The actions by number, and what else all kernels of probabilities share.

``legal`` has True or False for bet, fold and raise; a check or a call is always legal.
"""

from __future__ import annotations

from typing import Any

from handread.kernels.jit import inlined

CALL, BET, FOLD, RAISE = range(4)
"""A check or a call; the others are those that ``legal`` allows or not, in this order."""

N_ACTIONS = 4

MOST_CROWDED = 6
"""Where more players are in, ``crowd`` is as with so many: fits have hardly seen such spots."""


@inlined
def n_legal(legal: Any) -> float:
    """Return the number of legal actions."""
    return float(1.0 + legal[0] + legal[1] + legal[2])


@inlined
def with_lapse(p: float, lapse: float, n: float) -> float:
    """Return the probability of a legal action of a player who may act at random.

    Args:
        p: Probability of the action as it is meant.
        lapse: Probability of a random action.
        n: Number of legal actions.
    """
    return (1.0 - lapse) * p + lapse / n
