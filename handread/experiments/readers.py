"""Who reads the games of the study of wrong models: policies more or less far from the players'."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from handread.policy import Panel, Ramp, RampPolicy, Single, load_policy
from handread.policy.logit import FEATURES, HOLDING_FEATURES, Weights

TRUE, NAMED, DRIFTED, FITTED, BLIND = KINDS = ("true", "named", "drifted", "fitted", "cards only")

USUAL = ("default", "tight", "loose", "honest")
"""The presets that read where none is named: those of them that the players do not follow."""

DRIFTS = ("move=-.2", "move=-.1", "move=.1", "move=.2", "shrink=.7", "shrink=.4")

LARGEST = 5.0
"""How far a policy may be moved: beyond it every hand does the same."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who reads the games by a policy; without one, by the cards alone.

    ``kind`` is one of ``KINDS``; ``hands`` is how many hands a fitted policy was learned from.
    """

    label: str
    kind: str
    policy: Single | Panel | None
    hands: int | None = None


def standing_readers(
    players: Single, named: Sequence[str] | None, drifts: Iterable[str]
) -> tuple[Reader, ...]:
    """The readers that need no hands: by the true policy, named ones, drifted ones, ``uniform``.

    ``named`` are presets or files, None for the usual presets; ``drifts`` as in ``drifted``.
    Raises ``PolicyError`` for a policy that is none, ``ValueError`` for a drift that is none.
    """
    usual = [name for name in USUAL if load_policy(name) != players]
    names = dict.fromkeys([*(usual if named is None else named), "uniform"])
    return (
        Reader("the true policy", TRUE, players),
        *(Reader(name, NAMED, load_policy(name)) for name in names),
        *(
            Reader(f"true, {drift}", DRIFTED, drifted(players, drift))
            for drift in dict.fromkeys(drifts)
        ),
        Reader("cards only", BLIND, None),
    )


def drifted(policy: Single, drift: str) -> Single:
    """A policy with its parameters off: ``move=STEP`` or ``shrink=FACTOR``.

    Moved by a step above 0 it bets, raises and stays in with weaker hands: the end points of all
    ramps move by it along x; the log-odds of a logit's bet and raise rise by it, those of its fold
    fall. Shrunk by a factor below 1 it makes less of the cards: the levels of each ramp come nearer
    to their middle; the weights with which a logit tells holdings apart are multiplied by it.
    Raises ``ValueError`` in a person's words.
    """
    kind, size = _parsed(drift)
    name = f"{policy.name}, {drift}"
    if isinstance(policy, RampPolicy):
        change = _moved if kind == "move" else _shrunk
        bet, raise_, fold = (change(r, size) for r in (policy.bet, policy.raise_, policy.fold))
        return replace(policy, name=name, bet=bet, raise_=raise_, fold=fold)
    if kind == "move":
        scales, steps = (1.0, 1.0, 1.0), (size, -size, size)
    else:
        scales, steps = (size, size, size), (0.0, 0.0, 0.0)
    heads = zip((policy.bet, policy.fold, policy.raise_), scales, steps, strict=True)
    weights = [_reweighed(*head) for head in heads]
    return replace(policy, name=name, bet=weights[0], fold=weights[1], raise_=weights[2])


def _parsed(drift: str) -> tuple[str, float]:
    """The kind and the size of a drift."""
    kind, _, text = drift.partition("=")
    try:
        size = float(text)
    except ValueError:
        size = math.nan
    if (kind == "move" and abs(size) <= LARGEST) or (kind == "shrink" and 0.0 <= size <= 1.0):
        return kind, size
    expected = f"move=STEP (at most {LARGEST:g} either way) or shrink=FACTOR (0 to 1)"
    raise ValueError(f"no drift {drift!r}: expected {expected}")


def _moved(ramp: Ramp, step: float) -> Ramp:
    return replace(ramp, x0=ramp.x0 + step, x1=ramp.x1 + step)


def _shrunk(ramp: Ramp, factor: float) -> Ramp:
    middle = (ramp.y0 + ramp.y1) / 2.0
    low, high = (middle + factor * (level - middle) for level in (ramp.y0, ramp.y1))
    return replace(ramp, y0=low, y1=high)


def _reweighed(weights: Weights, scale: float, step: float) -> Weights:
    """The weights of a head: those of holdings scaled, the constant raised by a step."""
    raised = {"constant": step}
    return tuple(
        weight * (scale if feature in HOLDING_FEATURES else 1.0) + raised.get(feature, 0.0)
        for feature, weight in zip(FEATURES, weights, strict=True)
    )
