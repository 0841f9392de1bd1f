"""Policies drawn from the distribution of the parameters of a fitted policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handread.inference.players import PlayerModels
from handread.policy import Policy, PolicyError, Single, members_of
from handread.study.fit import in_one_blas_thread

DRAWS = 40
"""Number of draws unless told otherwise."""


@in_one_blas_thread
def draws(policy: Single, n: int = DRAWS, seed: int = 1) -> tuple[Single, ...]:
    """Return policies of parameters drawn from their distribution (Laplace's approximation).

    The parameters of policies that were fitted together, everybody's and those of players, belong
    together draw by draw if n and seed are the same. There are none without an uncertainty of the
    parameters.
    """
    known = policy.uncertainty
    if known is None:
        return ()
    steps = known.steps(n, seed).tolist()
    return tuple(policy.moved(dict(zip(known.parameters, step, strict=True))) for step in steps)


def drawn_players(players: PlayerModels, n: int = DRAWS, seed: int = 1) -> PlayerModels:
    """Return models whose reads carry the uncertainty of the parameters, by n draws.

    Raises:
        PolicyError: No policy of the models has an uncertainty.
    """
    found = _with_draws(players, n, seed)
    if not found.drawn:
        why = (
            "trees have no parameters"
            if getattr(players.rest.policy, "parameters", None) == ()
            else "as they were given and not fitted, or fitted by an older version"
        )
        raise PolicyError(
            f"{players.rest.policy.name}: no uncertainty of its parameters is known, {why}; a "
            "range needs a policy of weights or ramps made by handread fit, such as people-average"
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
                yield from (other for _, other in member.by_game)
