"""The paper's family of policies (section IV, Table I, Figure 5).

Piecewise linear in x = -log_N(p), p the chance to win and N the number of active players, with
the effective odds e at x_e = -log_N(e). With the *lapse* probability, which the paper has not, the
player takes a random legal action, so that no action of a human is impossible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from handread.game.steps import DecisionPoint
from handread.policy.base import Exponents, HoldingValues, checked_lapse, lapsed
from handread.policy.features import Floats
from handread.policy.provenance import Measured
from handread.policy.uncertainty import Uncertainty

RAMPS = ("bet", "raise", "fold")
PARTS = ("x0", "width", "y0", "y1")
PARAMETERS = (*(f"{ramp}.{part}" for ramp in RAMPS for part in PARTS), "lapse")
"""Names of the parameters of a fit: the logarithm of a width, the log-odds of levels and lapse."""


@dataclass(frozen=True, slots=True)
class Ramp:
    """A probability that is ``y0`` left of ``x0``, ``y1`` right of ``x1``, linear between."""

    x0: float
    x1: float
    y0: float
    y1: float

    def at(self, x: Floats) -> Floats:
        """Return the probability at each x."""
        if self.x0 == self.x1:
            return np.where(x < self.x0, self.y0, self.y1)
        share = np.clip((x - self.x0) / (self.x1 - self.x0), 0.0, 1.0)
        return self.y0 + (self.y1 - self.y0) * share


@dataclass(frozen=True, slots=True)
class RampPolicy:
    """The paper's family: a ramp to bet, one to raise, one to fold the rest.

    ``fold`` is a function of x - x_e, ``bet`` and ``raise_`` are functions of x. ``bluff`` is the
    part of the folding hands that raises instead where a raise is legal. ``uncertainty`` is that of
    the ``PARAMETERS`` of a fitted policy.
    """

    name: str
    bet: Ramp
    raise_: Ramp
    fold: Ramp
    bluff: float = 0.0
    lapse: float = 0.0
    likelihood_exponent: Exponents = 1.0
    title: str = ""
    source: str = ""
    uncertainty: Uncertainty | None = field(default=None, compare=False, repr=False)
    measured: Measured | None = field(default=None, compare=False)

    def probabilities(self, spot: DecisionPoint, outlook: HoldingValues) -> dict[str, Floats]:
        """Return the probability of each legal action by holding (Saund 2006, Figure 5)."""
        log_n = math.log(spot.n_active)
        x = -outlook.log_chance / log_n
        if spot.to_call == 0:
            bet = self.bet.at(x) if spot.can_raise else np.zeros_like(x)
            odds = {"check": 1.0 - bet, "bet": bet}
        else:
            raise_ = self.raise_.at(x) if spot.can_raise else np.zeros_like(x)
            x_e = -math.log(spot.effective_odds) / log_n
            fold = self.fold.at(x - x_e) if spot.can_fold else np.zeros_like(x)
            bluff = self.bluff * fold if spot.can_raise else np.zeros_like(x)
            odds = {
                "fold": (1.0 - raise_) * (fold - bluff),
                "call": (1.0 - raise_) * (1.0 - fold),
                "raise": raise_ + (1.0 - raise_) * bluff,
            }
        return lapsed(odds, self.lapse, spot)

    @property
    def blind(self) -> bool:
        """True if its actions do not depend on the downcards: they carry no information."""
        ramps = (self.bet, self.raise_, self.fold)
        return self.lapse == 1.0 or all(ramp.y0 == ramp.y1 for ramp in ramps)

    def with_lapse(self, lapse: float) -> RampPolicy:
        """Return the policy with another lapse; raise ``PolicyError`` outside 0..1."""
        known = None if self.uncertainty is None else self.uncertainty.without("lapse")
        name = f"{self.name}, lapse {lapse:g}"
        return replace(self, name=name, lapse=checked_lapse(lapse), uncertainty=known)
