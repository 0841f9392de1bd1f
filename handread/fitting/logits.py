"""The smooth family in the fit: the weights of its features are its parameters."""

from __future__ import annotations

import numpy as np

from handread.fitting.family import Slopes, by_turn
from handread.fitting.sample import CODES, Flags, Floats, Sample
from handread.policy import LogitPolicy, Single
from handread.policy.logit import FEATURES, HEADS, SPOT_FEATURES

N_FEATURES, N_COMMON = len(FEATURES), len(SPOT_FEATURES)
STANDING, CHANCE = FEATURES.index("standing"), FEATURES.index("chance")
HELD = {"constant": 0.1, "chance": 5.0}
"""How tightly the prior holds some weights, against the others.

Nobody knows beforehand how readily people act. The chance to win and the standing tell the
holdings of a spot apart in the same order, and the standing does it alike on every street.
"""


SENSE = {
    "bet": {"standing": 0.5, "chance": 0.5},
    "fold": {"standing": -0.5, "chance": -0.5},
    "raise": {"standing": 0.5, "chance": 0.5},
}
"""What anybody would expect: who holds more bets and raises more, and folds less.

Without it, where no downcards are known, strong hands are told from weak ones, but not which is
which.
"""


class Logits:
    """Log-odds that are weighted sums of features; parameters head by head."""

    groups = 512
    names = tuple(f"{head}.{feature}" for head in HEADS for feature in FEATURES)

    def __init__(self) -> None:
        self.tightness = np.tile([HELD.get(feature, 1.0) for feature in FEATURES], len(HEADS))
        # How readily somebody acts and how much the cards count differ from player to player
        # more than what the street, the price or the field does to it.
        own = {"constant": 1.0, "third": 2.0, "standing": 2.0, "led": 2.0}
        self.personal = np.tile([own.get(feature, 8.0) for feature in FEATURES], len(HEADS))

    def common_sense(self) -> Floats:
        """Weights that assume no more than anybody would, (K,)."""
        return np.array([SENSE[head].get(f, 0.0) for head in HEADS for f in FEATURES])

    def outset(self) -> Floats:
        """Common sense said three times over, (K,).

        Where no downcards are known the evidence has a second peak, on which the strong fold; no
        search may begin near it.
        """
        return 3.0 * self.common_sense()

    def vector(self, policy: Single) -> Floats:
        """The weights, head by head; ``TypeError`` for a policy of another family."""
        if not isinstance(policy, LogitPolicy):
            raise TypeError(f"{policy.name} is no logit policy")
        return np.concatenate([policy.bet, policy.fold, policy.raise_])

    def policy(self, vector: Floats, name: str, temper: float) -> LogitPolicy:
        """The policy of these weights, which are rounded to four places."""
        bet, fold, raise_ = (
            tuple(round(float(weight), 4) for weight in head)
            for head in vector.reshape(len(HEADS), N_FEATURES)
        )
        return LogitPolicy(name, bet, fold, raise_, temper=temper)

    def chances(self, vector: Floats, sample: Sample) -> tuple[Floats, Slopes]:
        """The log of P(action | group) of each row, and the way back to the weights."""
        turn = sample.turn_of_row
        own = _own_features(sample)
        pushes = []
        for head, weights in zip(HEADS, vector.reshape(len(HEADS), N_FEATURES), strict=True):
            common = np.where(_legal(sample, head), sample.features @ weights[:N_COMMON], -np.inf)
            pushes.append(common[turn] + weights[N_COMMON:] @ own)
        total = np.logaddexp(np.logaddexp(0.0, pushes[0]), np.logaddexp(pushes[1], pushes[2]))
        # logaddexp of nothing with nothing is nothing: where a head is not legal it adds none.
        action = sample.action[turn]
        log_odds = np.choose(action, [np.zeros_like(total), *pushes]) - total

        def slopes(weight: Floats) -> Floats:
            out = np.empty((sample.n_turns, len(HEADS), N_FEATURES))
            for place, (head, push) in enumerate(zip(HEADS, pushes, strict=True)):
                off = weight * ((action == CODES[head]) - np.exp(push - total))
                out[:, place, :N_COMMON] = by_turn(sample, off)[:, None] * sample.features
                for feature, values in zip((STANDING, CHANCE), own, strict=True):
                    out[:, place, feature] = by_turn(sample, off * values)
            return out.reshape(sample.n_turns, len(self.names))

        return log_odds, slopes


def _own_features(sample: Sample) -> Floats:
    """The features of the holdings, (2, R), as ``policy.logit.holding_features`` has them."""
    chance = sample.log_chance + sample.log_n[sample.turn_of_row]
    return np.stack([2.0 * sample.standing - 1.0, np.clip(chance, -2.0, 2.0)])


def _legal(sample: Sample, head: str) -> Flags:
    """At which turns (T,) an action could be chosen."""
    return {
        "bet": ~sample.faced & sample.can_raise,
        "fold": sample.can_fold,
        "raise": sample.faced & sample.can_raise,
    }[head]
