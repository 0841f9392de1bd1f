"""Policies drawn from the posterior of the parameters of a fitted policy."""

from collections.abc import Iterator
from dataclasses import replace

from handread.inference.players import PlayerModels
from handread.policy import Policy, PolicyError, Single, members_of
from handread.study.fit import in_one_blas_thread

DRAWS = 40
"""Default number of draws."""


@in_one_blas_thread
def draws(policy: Single, n: int = DRAWS, seed: int = 1) -> tuple[Single, ...]:
    """Return policies with parameters drawn from their posterior (Laplace's approximation).

    If n and seed are the same, draws of policies that were fitted together, everybody's and
    players', belong together. Without an uncertainty of the parameters there are no draws.
    """
    known = policy.uncertainty
    if known is None:
        return ()
    steps = known.steps(n, seed).tolist()
    return tuple(policy.moved(dict(zip(known.parameters, step, strict=True))) for step in steps)


def drawn_players(players: PlayerModels, n: int = DRAWS, seed: int = 1) -> PlayerModels:
    """Return models whose reads carry the uncertainty of the parameters, by n draws.

    Raise ``PolicyError`` if no policy of the models has an uncertainty.
    """
    drawn = _with_draws(players, n, seed)
    if not drawn.drawn:
        why = (
            "trees have no parameters"
            if getattr(players.rest.policy, "parameters", None) == ()
            else "as they were given and not fitted, or fitted by an older version"
        )
        raise PolicyError(
            f"{players.rest.policy.name}: no uncertainty of its parameters is known, {why}; a "
            "range needs a policy of weights or ramps made by handread fit, such as people-average"
        )
    return drawn


def _with_draws(players: PlayerModels, n: int, seed: int) -> PlayerModels:
    drawn = {policy: draws(policy, n, seed) for policy in _fitted(players) if policy.uncertainty}
    simulated = players.simulated and _with_draws(players.simulated, n, seed)
    return replace(players, drawn=drawn, simulated=simulated)


def _fitted(players: PlayerModels) -> Iterator[Single]:
    """Yield the policies that may have an uncertainty, in panels and for other games, too."""
    policies: list[Policy] = [players.rest.policy]
    policies += [model.policy for model in (*players.seats.values(), *players.names.values())]
    for policy in policies:
        for member in members_of(policy):
            if isinstance(member, Single):
                yield member
                yield from (other for _, other in member.by_game)
