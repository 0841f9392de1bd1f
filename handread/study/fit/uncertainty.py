"""Policies drawn from the distribution of the parameters of a fitted policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from handread.inference.players import PlayerModels
from handread.policy import (
    LogitPolicy,
    Policy,
    PolicyError,
    RampPolicy,
    Single,
    TreePolicy,
    Uncertainty,
    members_of,
)
from handread.policy.logit import HEADS, PARAMETERS
from handread.study.fit.families import Ramps
from handread.study.fit.sample import Floats

DRAWS = 40
"""Number of draws unless told otherwise."""


def draws(policy: Single, n: int = DRAWS, seed: int = 1) -> tuple[Single, ...]:
    """Return policies of parameters drawn from their distribution (Laplace's approximation).

    The parameters of policies that were fitted together, everybody's and those of players, belong
    together draw by draw if n and seed are the same.

    Args:
        policy: A fitted policy; its likelihood exponent is the same in all draws.
        n: Number of policies; empty without an uncertainty of the parameters.
        seed: Random seed.
    """
    known = policy.uncertainty
    if known is None:
        return ()
    at = _ramps_at if isinstance(policy, RampPolicy) else _logit_at
    return tuple(at(policy, known, step) for step in known.steps(n, seed))


def _logit_at(policy: Single, known: Uncertainty, step: Floats) -> Single:
    """Return a logit policy a step away."""
    assert isinstance(policy, LogitPolicy)
    weights = dict(zip(PARAMETERS, (*policy.bet, *policy.fold, *policy.raise_), strict=True))
    for name, change in zip(known.parameters, step.tolist(), strict=True):
        weights[name] += change
    bet, fold, raise_ = np.array(list(weights.values())).reshape(len(HEADS), -1).tolist()
    return replace(policy, bet=tuple(bet), fold=tuple(fold), raise_=tuple(raise_), uncertainty=None)


def _ramps_at(policy: Single, known: Uncertainty, step: Floats) -> Single:
    """Return a policy of ramps a step away; the step may leave out the lapse."""
    assert isinstance(policy, RampPolicy)
    family = Ramps()
    changes = dict(zip(known.parameters, step.tolist(), strict=True))
    vector = family.vector(policy) + [changes.get(name, 0.0) for name in family.names]
    drawn = family.policy(vector, policy.name, policy.likelihood_exponent)
    return drawn if "lapse" in changes else replace(drawn, lapse=policy.lapse)


def drawn_players(players: PlayerModels, n: int = DRAWS, seed: int = 1) -> PlayerModels:
    """Return models whose reads carry the uncertainty of the parameters.

    Args:
        players: The models.
        n: Number of draws of the parameters.
        seed: Random seed.

    Raises:
        PolicyError: No policy of the models has an uncertainty.
    """
    found = _with_draws(players, n, seed)
    if not found.drawn:
        why = (
            "trees have no parameters"
            if isinstance(players.rest.policy, TreePolicy)
            else "as they were given and not fitted, or fitted by an older version"
        )
        raise PolicyError(
            f"{players.rest.policy.name}: no uncertainty of its parameters is known, {why}; a "
            "range needs a policy of weights or ramps made by handread fit, such as people"
        )
    return found


def _with_draws(players: PlayerModels, n: int, seed: int) -> PlayerModels:
    drawn = {policy: draws(policy, n, seed) for policy in _fitted(players) if policy.uncertainty}
    simulated = players.simulated and _with_draws(players.simulated, n, seed)
    return replace(players, drawn=drawn, simulated=simulated)


def _fitted(players: PlayerModels) -> Iterator[Single]:
    """Yield the policies of models that may have an uncertainty.

    Members of panels are included, and the policies that stand for one in other games.
    """
    policies: list[Policy] = [players.rest.policy]
    policies += [model.policy for model in (*players.seats.values(), *players.names.values())]
    for policy in policies:
        for member in members_of(policy):
            if isinstance(member, Single):
                yield member
            if isinstance(member, LogitPolicy):
                yield from (other for _, other in member.by_game)
