"""What a model expects of a player: P(action | holding), and what an action then tells.

A single policy is a panel of one. For a panel Bayes' rule applies to members and holdings together
(Southey et al. 2005): the evidence about the cards counts to the power of a member's likelihood
exponent, that about the members to the power of the panel's ``learning``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats
from handread.game.steps import DecisionPoint
from handread.inference.players import Model
from handread.policy import HoldingValues, Policy, exponent_on, learning_of, members_of, panel_of
from handread.policy.panel import quotients


class Weighed(NamedTuple):
    """What an action tells of the holdings (holdings,), as ``observer.reweigh`` takes it."""

    likelihood: Floats
    action_probs: Floats
    evidence: float | None
    shares: Floats | None


@dataclass(frozen=True)
class Forecast:
    """P(action | holding) of the player to act, before the action (equation 3).

    Attributes:
        model: Model of the player to act.
        chances: Chance to win of each holding (holdings,).
        each: P(action | holding) by legal action, each (holdings,), for each member of a panel; a
            single policy is a panel of one.
        shares: P(member | holding), (members, holdings); None for a single policy.
    """

    model: Model
    chances: Floats
    each: tuple[Mapping[str, Floats], ...]
    shares: Floats | None

    @cached_property
    def action_probs(self) -> Mapping[str, Floats]:
        """P(action | holding) by legal action, each (holdings,); the mean over the members."""
        return self.each[0] if self.shares is None else {a: self.mean(a) for a in self.each[0]}

    def of(self, action: str) -> Floats:
        """Return P(action | holding) of each member, (members, holdings); 0 if it is not legal."""
        none = np.zeros_like(self.chances)
        return np.stack([action_probs.get(action, none) for action_probs in self.each])

    def mean(self, action: str) -> Floats:
        """Return P(action | holding) of a panel, (holdings,)."""
        assert self.shares is not None  # it is a panel
        mean: Floats = np.einsum("mh,mh->h", self.shares, self.of(action))
        return mean

    def weighed(self, action: str, before: Floats, street: int) -> Weighed:
        """Return what an action tells, given the pdd (holdings,) before it."""
        policy, each, shares = self.model.policy, self.of(action), self.shares
        by_member = each if shares is None else shares * each
        action_probs = by_member.sum(axis=0)
        evidence = mass = np.einsum("mh,h->m", by_member, before)
        tempered = _tempered(policy, each, street)
        if tempered is not each:
            by_member = tempered if shares is None else shares * tempered
            mass = np.einsum("mh,h->m", by_member, before)
        wanted, learning = evidence, learning_of(policy)
        if shares is not None and learning < 1.0:
            wanted = _learned(evidence, np.einsum("mh,h->m", shares, before), learning)
        if wanted is not mass:
            by_member = by_member * quotients(wanted, mass)[:, None]
        likelihood, total = by_member.sum(axis=0), float(evidence.sum())
        if shares is not None and total > 0.0:
            shares = np.divide(by_member, likelihood, out=shares.copy(), where=likelihood > 0.0)
        # By Bayes' rule the evidence is the mean of the likelihood.
        return Weighed(likelihood, action_probs, total if learning < 1.0 else None, shares)


def forecast(
    model: Model, spot: DecisionPoint, outlook: HoldingValues, shares: Floats | None
) -> Forecast:
    """Return P(action | holding) from the model's policy (equation 3).

    ``shares`` are P(member | holding) of a panel; None uses its weights before the hand.
    """
    panel = panel_of(model.policy)
    if panel is None:
        return Forecast(model, outlook.chance, (model.policy.probabilities(spot, outlook),), None)
    each = tuple(member.probabilities(spot, outlook) for member in panel.members)
    if shares is None:
        shape = (len(each), outlook.chance.size)
        shares = np.broadcast_to(np.array(panel.weights)[:, None], shape)
    return Forecast(model, outlook.chance, each, shares)


def _tempered(policy: Policy, each: Floats, street: int) -> Floats:
    """Return P(action | holding) to the likelihood exponent of each member, (members, holdings)."""
    exponents = [exponent_on(one.likelihood_exponent, street) for one in members_of(policy)]
    rows = zip(each, exponents, strict=True)
    return each if min(exponents) == 1.0 else np.stack([row**power for row, power in rows])


def _learned(evidence: Floats, weight: Floats, learning: float) -> Floats:
    """Return the shares of members after an action, (members,), of the same sum as the evidence.

    The evidence is P(action, member), the weight P(member); their ratio counts to the power of
    ``learning``. The likelihood exponent weakens the evidence about the cards, but not this.
    """
    learned: Floats = weight * quotients(evidence, weight) ** learning
    return learned * quotients(evidence.sum(), learned.sum())
