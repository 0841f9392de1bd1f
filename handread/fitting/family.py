"""What the fit asks of a family of policies: numbers in, the chances of actions and slopes out."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from handread.fitting.sample import Floats, Sample
from handread.policy import Single


class Slopes(Protocol):
    """The way back from rows to parameters."""

    def __call__(self, weight: Floats) -> Floats:
        """The slope of each turn's weighted log-probability, (T, parameters).

        ``weight`` (R,) is how much each row counts: the probability of its group.
        """


class Family(Protocol):
    """A family of policies as vectors of free parameters (K,), none of them bounded."""

    @property
    def groups(self) -> int:
        """How many groups a line may have; holdings that stood nearly alike then go together."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the parameters are called, as in a policy file ("fold.standing")."""

    @property
    def tightness(self) -> Floats:
        """How tightly the prior holds each parameter at penalty 1, (K,): 1 / its variance."""

    @property
    def personal(self) -> Floats:
        """The same for how far a player's parameters are from everybody's, (K,)."""

    def common_sense(self) -> Floats:
        """What to lean on where no policy is given, (K,)."""

    def outset(self) -> Floats:
        """Where a search begins, (K,)."""

    def vector(self, policy: Single) -> Floats:
        """The parameters of a policy of the family, (K,)."""

    def policy(self, vector: Floats, name: str, temper: float) -> Single:
        """The policy of these parameters."""

    def chances(self, vector: Floats, sample: Sample) -> tuple[Floats, Slopes]:
        """The log of P(action | group) of each row, (R,), and the way back to the parameters."""


def by_turn(sample: Sample, values: Floats) -> Floats:
    """The sum of each turn's rows, (T,)."""
    sums = np.bincount(sample.turn_of_row, weights=values, minlength=sample.n_turns)
    return sums.astype(np.float64)  # of no rows the sums are whole numbers
