"""A panel: several policies that a player may be following, with a prior (Southey et al. 2005).

Nobody knows how a stranger plays. The observer carries what each member of the panel would make of
the player's downcards, and lets the evidence of the actions decide among them.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from handread.game.steps import Spot
from handread.policy.base import Floats, Outlook, Policy, PolicyError
from handread.policy.logit import LogitPolicy
from handread.policy.ramps import RampPolicy


@dataclass(frozen=True, slots=True)
class Panel:
    """Policies and the probability of each before anything is seen; these add up to 1.

    ``PolicyError`` for members of one name, which no report could tell apart, or for a prior
    that is none.
    """

    name: str
    members: tuple[RampPolicy | LogitPolicy, ...]
    prior: tuple[float, ...]
    title: str = ""
    source: str = ""

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
    def temper(self) -> float:
        """1: the members have their own."""
        return 1.0

    def probabilities(self, spot: Spot, outlook: Outlook) -> dict[str, Floats]:
        """The probability of each legal action, per holding, of a player drawn from the panel."""
        each = [member.probabilities(spot, outlook) for member in self.members]
        return {
            action: np.einsum("m,mh->h", self.prior, np.stack([odds[action] for odds in each]))
            for action in each[0]
        }

    def blind(self, shares: Floats) -> float:
        """The probability of the members that look at no downcards, given those of all."""
        return float(sum(p for m, p in zip(self.members, shares, strict=True) if m.blind))

    def with_lapse(self, lapse: float) -> Panel:
        """The panel with a lapse in every member; ``PolicyError`` outside 0..1."""
        members = tuple(member.with_lapse(lapse) for member in self.members)
        return replace(self, name=f"{self.name}, lapse {lapse:g}", members=members)

    def with_prior(self, prior: tuple[float, ...]) -> Panel:
        """The same members with other probabilities."""
        return replace(self, prior=prior)


def members_of(policy: Policy) -> tuple[Policy, ...]:
    """The members of a panel; of any other policy it alone."""
    return policy.members if isinstance(policy, Panel) else (policy,)


def prior_of(policy: Policy) -> Floats:
    """The probabilities of the members before anything is seen, (members,)."""
    return np.array(policy.prior) if isinstance(policy, Panel) else np.ones(1)
