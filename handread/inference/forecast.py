"""The actions that a model expects of a player: P(action | holding), and the evidence in an action.

A single policy is a panel of one. For a panel Bayes' rule applies to members and holdings together
(Southey et al. 2005): the evidence about the cards counts to the power of a member's likelihood
exponent, the evidence about the members to the power of the panel's ``learning``. In a crowd, and
where a player raises again, they may count less (``evidence_tables``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats, as_floats
from handread.game.steps import DecisionPoint
from handread.inference.players import Model
from handread.kernels.reading import weigh
from handread.policy import (
    HoldingValues,
    discounts,
    evidence_tables,
    exponent_on,
    learning_of,
    members_of,
    panel_of,
)
from handread.policy.base import legal_actions
from handread.policy.family import odds_of_members


class Weighed(NamedTuple):
    """The evidence in an action about the holdings (holdings,); attributes as of ``Update``."""

    likelihood: Floats
    action_probs: Floats
    after: Floats
    figures: Floats  # as ``kernels.reading.reweigh`` fills them
    evidence: float | None  # None for the mean of the likelihood
    shares: Floats | None


@dataclass(frozen=True)
class Forecast:
    """P(action | holding) of the player to act, before the action (equation 3).

    Attributes:
        model: Model of the player to act.
        spot: The situation.
        outlook: The chances to win of the holdings, with the cards in sight.
        shares: P(member | holding), (members, holdings); None for a single policy.
    """

    model: Model
    spot: DecisionPoint
    outlook: HoldingValues
    shares: Floats | None

    @property
    def chances(self) -> Floats:
        """Chance to win of each holding (holdings,)."""
        return self.outlook.chance

    @cached_property
    def action_probs(self) -> Mapping[str, Floats]:
        """P(action | holding) by legal action, each (holdings,); the mean over the members."""
        by_member = self._each
        if self.shares is None:
            return {action: each[0] for action, each in by_member.items()}
        means = np.einsum("mh,amh->ah", self.shares, np.stack([*by_member.values()]))
        return dict(zip(by_member, means, strict=True))

    @cached_property
    def _each(self) -> Mapping[str, Floats]:
        legal = legal_actions(self.spot)
        return dict(zip(legal, self._of(legal), strict=True))

    def _of(self, actions: Sequence[str]) -> Floats:
        """Return P(action | holding) of each member, (actions, members, holdings)."""
        members = members_of(self.model.policy)
        probs = odds_of_members(members, actions, self.spot, self.outlook)
        if probs is not None:
            return probs
        each = [member.probabilities(self.spot, self.outlook) for member in members]
        n = self.outlook.chance.size
        return np.stack(
            [np.stack([as_floats(odds[action], n) for odds in each]) for action in actions]
        )

    def weighed(self, action: str, before: Floats, street: int) -> Weighed:
        """Return the evidence of an action, given the pdd (holdings,) before it."""
        policy, n = self.model.policy, self.chances.size
        board, spot = self.outlook.board, self.spot
        tables = evidence_tables(policy, "" if board is None else board.game.key)
        power, idle = discounts(tables, spot, action, street)
        exponents = np.array(
            [power * exponent_on(m.likelihood_exponent, street) for m in members_of(policy)]
        )
        if action not in legal_actions(self.spot):
            each = np.zeros((len(exponents), n))
        elif "_each" in vars(self):  # all actions have been computed
            each = self._each[action].copy()
        else:
            each = self._of([action])[0]
        before, shares = as_floats(before, n), np.empty((1, 1))
        if self.shares is not None:
            shares = as_floats(self.shares, *each.shape).copy()
        likelihood, action_probs, after, figures = *np.zeros((3, n)), np.zeros(6)
        panel, learning = self.shares is not None, power * learning_of(policy)
        given = self.outlook.places, before, self.chances, each, shares, panel, exponents, learning
        weigh(*given, idle, np.empty((2, len(each))), likelihood, action_probs, after, figures)
        # By Bayes' rule the evidence is the mean of the likelihood.
        evidence = float(figures[5]) if learning < 1.0 else None
        return Weighed(
            likelihood,
            action_probs,
            after=after,
            figures=figures,
            evidence=evidence,
            shares=shares if panel else None,
        )


def forecast(
    model: Model, spot: DecisionPoint, outlook: HoldingValues, shares: Floats | None
) -> Forecast:
    """Return P(action | holding) from the model's policy (equation 3).

    ``shares`` are P(member | holding) of a panel; None uses its weights before the hand.
    """
    panel = panel_of(model.policy)
    if panel is None:
        shares = None
    elif shares is None:
        shape = (len(panel.members), outlook.chance.size)
        shares = np.broadcast_to(np.array(panel.weights)[:, None], shape)
    return Forecast(model, spot, outlook, shares)
