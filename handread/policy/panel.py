"""A panel: policies of which a player follows one, with a prior (Southey et al. 2005).

The policy of a stranger is not known. The observer reads the player's downcards by each member of
the panel, and weighs the members by how probable they make the player's actions.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from handread.game.steps import DecisionPoint
from handread.policy.base import HoldingValues, Policy, PolicyError
from handread.policy.features import Floats
from handread.policy.logit import LogitPolicy
from handread.policy.provenance import Measured
from handread.policy.ramps import RampPolicy
from handread.policy.tree import TreePolicy


@dataclass(frozen=True, slots=True)
class Panel:
    """Policies and their prior probabilities, which sum to 1.

    Raises:
        PolicyError: Two members have one name, or the prior does not fit.
    """

    name: str
    members: tuple[RampPolicy | LogitPolicy | TreePolicy, ...]
    prior: tuple[float, ...]
    title: str = ""
    source: str = ""
    measured: Measured | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        twice = [
            name for name, n in Counter(member.name for member in self.members).items() if n > 1
        ]
        if twice:
            raise PolicyError(f"the panel {self.name!r} has two members named {twice[0]!r}")
        if len(self.prior) != len(self.members):
            raise PolicyError(
                f"the panel {self.name!r} has {len(self.members)} members, not {len(self.prior)}"
            )
        if not math.isclose(sum(self.prior), 1.0, abs_tol=1e-6) or min(self.prior) < 0.0:
            raise PolicyError(
                f"the priors of the panel {self.name!r} are no probabilities that add up to 1"
            )

    @property
    def likelihood_exponent(self) -> float:
        """1: each member has its own."""
        return 1.0

    def probabilities(self, spot: DecisionPoint, outlook: HoldingValues) -> dict[str, Floats]:
        """Return the probability of each legal action by holding, mean over the prior."""
        each = [member.probabilities(spot, outlook) for member in self.members]
        return {
            action: np.einsum("m,mh->h", self.prior, np.stack([odds[action] for odds in each]))
            for action in each[0]
        }

    def blind(self, shares: Floats) -> float:
        """Return the part of ``shares`` (members,) of members that do not look at downcards."""
        return float(sum(p for m, p in zip(self.members, shares, strict=True) if m.blind))

    def with_lapse(self, lapse: float) -> Panel:
        """Return the panel with another lapse in each; raise ``PolicyError`` outside 0..1."""
        members = tuple(member.with_lapse(lapse) for member in self.members)
        return replace(self, name=f"{self.name}, lapse {lapse:g}", members=members)

    def with_prior(self, prior: tuple[float, ...]) -> Panel:
        """Return the panel with another prior."""
        return replace(self, prior=prior)


def members_of(policy: Policy) -> tuple[Policy, ...]:
    """Return the members of a panel; of any other policy, the policy alone."""
    return policy.members if isinstance(policy, Panel) else (policy,)


def in_game(policy: Policy, game: str) -> Policy:
    """Return the policy that stands for a policy in a game; a panel with those of its members."""
    if isinstance(policy, Panel):
        members = tuple(
            one.in_game(game) if isinstance(one, LogitPolicy) else one for one in policy.members
        )
        return policy if members == policy.members else replace(policy, members=members)
    return policy.in_game(game) if isinstance(policy, LogitPolicy) else policy
