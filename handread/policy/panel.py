"""A panel: several policies that a player may be following, with a prior (Southey et al. 2005).

Nobody knows how a stranger plays. The observer carries what each member of the panel would make of
the player's downcards, and lets the evidence of the actions decide among them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from handread.engine import Spot
from handread.policy.base import Floats, Outlook, Policy
from handread.policy.logit import LogitPolicy
from handread.policy.ramps import RampPolicy


@dataclass(frozen=True, slots=True)
class Panel:
    """Policies and the probability of each before anything is seen; these add up to 1."""

    name: str
    members: tuple[RampPolicy | LogitPolicy, ...]
    prior: tuple[float, ...]
    title: str = ""
    source: str = ""

    @property
    def temper(self) -> float:
        """1: the members have their own."""
        return 1.0

    def probabilities(self, spot: Spot, outlook: Outlook) -> dict[str, Floats]:
        """The probability of each legal action, per holding, of a player drawn from the panel."""
        each = [member.probabilities(spot, outlook) for member in self.members]
        return {
            action: np.tensordot(self.prior, [odds[action] for odds in each], 1)
            for action in each[0]
        }

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
