"""A smooth family of policies: the log-odds of an action are a weighted sum of features.

They are the log-odds of a bet against a check, or of a fold and of a raise against a call (a
multinomial logit). No boundary is sharp, so that no action of a human is impossible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from handread.game.rules import STUD, Variant
from handread.game.steps import DecisionPoint
from handread.policy.base import (
    Exponents,
    HoldingValues,
    checked_lapse,
    lapsed,
    legal_actions,
)
from handread.policy.features import STUD_HIGH, Floats, conditions_of, spot_features
from handread.policy.provenance import Measured
from handread.policy.uncertainty import Uncertainty

FEATURES = STUD_HIGH.names
"""Names of the weights."""

HOLDING_FEATURES = tuple(FEATURES[i] for i in STUD_HIGH.columns[1].ravel())
"""Those of the weights that tell holdings apart."""

HEADS = ("bet", "fold", "raise")
"""Actions with weights; check and call have log-odds of 0."""

PARAMETERS = tuple(f"{head}.{feature}" for head in HEADS for feature in FEATURES)
"""Names of all weights in the uncertainty of a fitted policy."""

Weights = tuple[float, ...]


def holding_features(outlook: HoldingValues, n_active: int) -> Floats:
    """Return the features of each holding that come from its chance to win, (2, holdings).

    They are the percentile scaled to -1..1, and ln(N x chance to win), clipped to -2..2.
    """
    chance = np.clip(outlook.log_chance + math.log(n_active), -2.0, 2.0)
    return np.stack([2.0 * outlook.percentile - 1.0, chance])


@dataclass(frozen=True)
class LogitPolicy:
    """Weights of the features for each action of ``HEADS``, in the order of ``FEATURES``.

    Weights that are left out at the end are 0. ``uncertainty`` is that of the weights of a fitted
    policy. ``by_game`` has the policies that stand for it in other games, by the key of the game.
    """

    name: str
    bet: Weights
    fold: Weights
    raise_: Weights
    lapse: float = 0.0
    likelihood_exponent: Exponents = 1.0
    title: str = ""
    source: str = ""
    uncertainty: Uncertainty | None = field(default=None, compare=False, repr=False)
    measured: Measured | None = field(default=None, compare=False)
    by_game: tuple[tuple[str, LogitPolicy], ...] = ()

    def __post_init__(self) -> None:
        for head in ("bet", "fold", "raise_"):
            own = getattr(self, head)
            object.__setattr__(self, head, (*own, *[0.0] * (len(FEATURES) - len(own))))

    def probabilities(self, spot: DecisionPoint, outlook: HoldingValues) -> dict[str, Floats]:
        """Return the probability of each legal action by holding."""
        legal = legal_actions(spot)
        # A check or a call has no weights.
        heads = [HEADS.index(action) if action in HEADS else len(HEADS) for action in legal]
        common = np.array(spot_features(spot, outlook.public, outlook.board))
        game = STUD if outlook.board is None else outlook.board.game
        slopes = self.slopes(spot, game)[heads]
        # Without the threads of BLAS, as ``bits.weighted_sum``.
        log_odds = np.einsum("hf,fn->hn", slopes[:, :2], holding_features(outlook, spot.n_active))
        log_odds += np.einsum("hf,f->h", self.common_weights[heads], common)[:, None]
        if outlook.board is not None and slopes[:, 2:].any():
            from handread.kernels.holdings import add_slopes

            tables = slopes[:, 2:, None] * STUD_HIGH.values
            add_slopes(outlook.codes, STUD_HIGH.shifts, STUD_HIGH.masks, tables, log_odds)
        odds = np.exp(log_odds - log_odds.max(axis=0))
        odds /= odds.sum(axis=0)
        return lapsed(dict(zip(legal, odds, strict=True)), self.lapse, spot)

    def slopes(self, spot: DecisionPoint, game: Variant = STUD) -> Floats:
        """Return the weights of the features of a holding in a situation.

        They are (heads + 1, features); the last row, of a check or a call, is 0.
        """
        conditions = np.array([1.0, *conditions_of(spot, game)])
        slopes: Floats = np.einsum("c,hcf->hf", conditions, self.holding_weights)
        return slopes

    @cached_property
    def common_weights(self) -> Floats:
        """The weights of the features that all holdings share, (heads + 1, features)."""
        return self._all[:, STUD_HIGH.columns[0]]

    @cached_property
    def holding_weights(self) -> Floats:
        """The weights of the features of a holding, (heads + 1, 1 + conditions, features)."""
        return self._all[:, STUD_HIGH.columns[1]]

    @property
    def _all(self) -> Floats:
        """The weights of all features by head; those of a check or a call are 0."""
        return np.array([self.bet, self.fold, self.raise_, [0.0] * len(FEATURES)])

    @property
    def blind(self) -> bool:
        """True if its actions do not depend on the downcards: they carry no information."""
        return self.lapse == 1.0 or not self.holding_weights.any()

    def with_lapse(self, lapse: float) -> LogitPolicy:
        """Return the policy with another lapse; raise ``PolicyError`` outside 0..1."""
        return replace(
            self,
            name=f"{self.name}, lapse {lapse:g}",
            lapse=checked_lapse(lapse),
            by_game=tuple((game, policy.with_lapse(lapse)) for game, policy in self.by_game),
        )

    def in_game(self, game: str) -> LogitPolicy:
        """Return the policy that stands for this one in a game."""
        return dict(self.by_game).get(game, self)
