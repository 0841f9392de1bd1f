"""Policies and panels for tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from handread.game.rules import STUD, Variant
from handread.policy import Board, LogitPolicy, Panel, RampPolicy, load_policy
from handread.policy.features import STUD_HIGH
from handread.policy.logit import FEATURES
from tests.hands import cards


def weights(**values: float) -> tuple[float, ...]:
    return tuple(values.get(feature, 0.0) for feature in FEATURES)


def ramps(name: str, lapse: float = 0.0, likelihood_exponent: float = 1.0) -> RampPolicy:
    policy = load_policy(name)
    assert isinstance(policy, RampPolicy)
    return replace(policy, lapse=policy.lapse or lapse, likelihood_exponent=likelihood_exponent)


def levels(code: int) -> dict[str, float]:
    """The features of the code of a holding that are not 0, by name."""
    found = {}
    for kind, shift, mask in zip(STUD_HIGH.kinds, STUD_HIGH.shifts, STUD_HIGH.masks, strict=True):
        level = (code >> int(shift)) & int(mask)
        if kind.values[level]:
            found[kind.name] = kind.values[level]
    return found


def board(up: str, *rivals: str, folded: str = "", game: Variant = STUD) -> Board:
    """The upcards of a player and of opponents, and those of players who have folded."""
    own, others = cards(up), tuple(map(cards, rivals))
    unseen = np.ones(52, dtype=bool)
    unseen[[*own, *cards(folded), *(card for each in others for card in each)]] = False
    return Board(own, others, unseen, game)


DEFAULT, LOOSE, UNIFORM = ramps("table1-left", 0.05), ramps("loose", 0.1), ramps("uniform")
SMOOTH = LogitPolicy(
    "smooth",
    bet=weights(constant=-0.3, percentile=1.1, chance=0.6, street=0.3, behind=-0.2),
    fold=weights(constant=-0.5, price=0.8, percentile=-1.5, chance=-0.7, acted=-1.0),
    raise_=weights(constant=-1.6, raises=-0.4, percentile=1.2, chance=0.5, led=0.4),
    lapse=0.02,
)


TEMPERED = replace(SMOOTH, name="tempered", likelihood_exponent=0.6)


PANEL = Panel("three", (DEFAULT, SMOOTH, UNIFORM), (0.5, 0.3, 0.2))


UNLIKE = Panel(
    "tempers", (replace(LOOSE, likelihood_exponent=0.5), TEMPERED, DEFAULT), (0.2, 0.7, 0.1)
)
