"""A smooth family of policies: the log-odds of an action are a weighted sum of features.

They are the log-odds of a bet against a check, or of a fold and of a raise against a call (a
multinomial logit). No boundary is sharp, so that no action of a human is impossible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from handread.game.steps import DecisionPoint
from handread.policy.base import Floats, HoldingValues, checked_lapse, lapsed, legal_actions

SPOT_FEATURES = (
    "constant",
    "third",
    "street",
    "raises",
    "unraised",
    "players",
    "odds",
    "price",
    "public",
    "led",
    "follows",
    "behind",
    "acted",
)
HOLDING_FEATURES = ("percentile", "chance")
FEATURES = (*SPOT_FEATURES, *HOLDING_FEATURES)
"""Names of the features, as in a policy file; see ``spot_features``."""

HEADS = ("bet", "fold", "raise")
"""Actions with weights; check and call have log-odds of 0."""

Weights = tuple[float, ...]
NO_WEIGHTS: Weights = (0.0,) * len(FEATURES)


def spot_features(spot: DecisionPoint, public: float) -> tuple[float, ...]:
    """Return the features that all holdings share, in the order of ``SPOT_FEATURES``.

    They are about 0 or 1 in common situations, and always within -3 to 3.

    Args:
        spot: The situation of the player to act.
        public: Mean chance to win of the player's live holdings.
    """
    n = spot.n_active
    waiting = (
        n - 1 - len({seat for seat in spot.acted if seat in spot.active and seat != spot.seat})
    )
    return (
        1.0,
        float(spot.street == 3),
        (spot.street - 5) / 2.0,
        min(spot.raises, 3) / 2.0,
        float(spot.to_call > 0 and spot.raises == 0),
        (n - 4) / 3.0,
        _log_share(spot.effective_odds, n),
        4.0 * spot.to_call / (spot.pot + spot.to_call) if spot.to_call else 0.0,
        _log_share(public, n),
        float(spot.leader == spot.seat),
        float(spot.leader not in (None, spot.seat)),
        waiting / max(1, n - 1),
        float(spot.seat in spot.acted),
    )


def holding_features(outlook: HoldingValues, n_active: int) -> Floats:
    """Return the features of each holding, (2, holdings), in the order of ``HOLDING_FEATURES``.

    They are the percentile scaled to -1..1, and ln(N x chance to win), clipped to -2..2.
    """
    chance = np.clip(outlook.log_chance + math.log(n_active), -2.0, 2.0)
    return np.stack([2.0 * outlook.percentile - 1.0, chance])


def _log_share(share: float, n: int) -> float:
    """Return ln(N x share) clipped to -2..2; 0 is a fair share."""
    return min(2.0, max(-2.0, math.log(n * share))) if share > 0.0 else -2.0


@dataclass(frozen=True, slots=True)
class LogitPolicy:
    """Weights of the features for each action of ``HEADS``, in the order of ``FEATURES``."""

    name: str
    bet: Weights
    fold: Weights
    raise_: Weights
    lapse: float = 0.0
    likelihood_exponent: float = 1.0
    title: str = ""
    source: str = ""

    def probabilities(self, spot: DecisionPoint, outlook: HoldingValues) -> dict[str, Floats]:
        """Return the probability of each legal action by holding."""
        common = np.array(spot_features(spot, outlook.public))
        own = holding_features(outlook, spot.n_active)
        legal = legal_actions(spot)
        heads = dict(zip(HEADS, (self.bet, self.fold, self.raise_), strict=True))
        log_odds = [_log_odds(heads.get(action, NO_WEIGHTS), common, own) for action in legal]
        odds = np.exp(np.stack(log_odds) - np.max(log_odds, axis=0))
        odds /= odds.sum(axis=0)
        return lapsed(dict(zip(legal, odds, strict=True)), self.lapse, spot)

    @property
    def blind(self) -> bool:
        """True if its actions do not depend on the downcards: they carry no information."""
        own = slice(len(SPOT_FEATURES), None)
        return self.lapse == 1.0 or not any(any(w[own]) for w in (self.bet, self.fold, self.raise_))

    def with_lapse(self, lapse: float) -> LogitPolicy:
        """Return the policy with another lapse; raise ``PolicyError`` outside 0..1."""
        return replace(self, name=f"{self.name}, lapse {lapse:g}", lapse=checked_lapse(lapse))


def _log_odds(weights: Weights, common: Floats, own: Floats) -> Floats:
    """Return the log-odds of an action by holding."""
    split = len(SPOT_FEATURES)
    # Without the threads of BLAS, as ``bits.weighted_sum``.
    by_holding: Floats = np.einsum("f,fh->h", np.array(weights[split:]), own)
    return float(np.dot(weights[:split], common)) + by_holding
