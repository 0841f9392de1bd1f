"""The paper's family in the fit: where its ramps stand and how high, and the lapse.

A ramp is carried as its left end, the logarithm of its width and the log-odds of its two levels; so
are all values allowed and the slopes smooth.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from handread.policy import LogitPolicy, Panel, Ramp, RampPolicy, Single, load_policy
from handread.policy.logit import FEATURES, HEADS, SPOT_FEATURES
from handread.study.fit.sample import CODES, Flags, Floats, Ints, Sample


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
        """What the parameters are called, as in a policy file ("fold.percentile")."""

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

    def policy(self, vector: Floats, name: str, exponent: float) -> Single:
        """The policy of these parameters."""

    def chances(self, vector: Floats, sample: Sample) -> tuple[Floats, Slopes]:
        """The log of P(action | group) of each row, (R,), and the way back to the parameters."""


def by_turn(sample: Sample, values: Floats) -> Floats:
    """The sum of each turn's rows, (T,)."""
    sums = np.bincount(sample.turn_of_row, weights=values, minlength=sample.n_turns)
    return sums.astype(np.float64)  # of no rows the sums are whole numbers


N_FEATURES, N_COMMON = len(FEATURES), len(SPOT_FEATURES)
PERCENTILE, CHANCE = FEATURES.index("percentile"), FEATURES.index("chance")
HELD = {"constant": 0.1, "chance": 5.0}
"""How tightly the prior holds some weights, against the others.

Nobody knows beforehand how readily people act. The chance to win and the percentile tell the
holdings of a spot apart in the same order, and the percentile does it alike on every street.
"""


SENSE = {
    "bet": {"percentile": 0.5, "chance": 0.5},
    "fold": {"percentile": -0.5, "chance": -0.5},
    "raise": {"percentile": 0.5, "chance": 0.5},
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
        own = {"constant": 1.0, "third": 2.0, "percentile": 2.0, "led": 2.0}
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

    def policy(self, vector: Floats, name: str, exponent: float) -> LogitPolicy:
        """The policy of these weights, which are rounded to four places."""
        bet, fold, raise_ = (
            tuple(round(float(weight), 4) for weight in head)
            for head in vector.reshape(len(HEADS), N_FEATURES)
        )
        return LogitPolicy(name, bet, fold, raise_, likelihood_exponent=exponent)

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
                for feature, values in zip((PERCENTILE, CHANCE), own, strict=True):
                    out[:, place, feature] = by_turn(sample, off * values)
            return out.reshape(sample.n_turns, len(self.names))

        return log_odds, slopes


def _own_features(sample: Sample) -> Floats:
    """The features of the holdings, (2, R), as ``policy.logit.holding_features`` has them."""
    chance = sample.log_chance + sample.log_n[sample.turn_of_row]
    return np.stack([2.0 * sample.percentile - 1.0, np.clip(chance, -2.0, 2.0)])


def _legal(sample: Sample, head: str) -> Flags:
    """At which turns (T,) an action could be chosen."""
    return {
        "bet": ~sample.faced & sample.can_raise,
        "fold": sample.can_fold,
        "raise": sample.faced & sample.can_raise,
    }[head]


RAMPS = ("bet", "raise", "fold")
PARTS = ("x0", "width", "y0", "y1")
NARROWEST, WIDEST, LOWEST = 0.02, 1000.0, 0.002
"""The narrowest ramp and the lowest level that are told from none; the widest from a level."""

SPREAD = {"x0": 0.4, "width": 0.8, "y0": 1.2, "y1": 1.2}
"""How far the prior lets each part stray from its centre, one standard deviation."""


class Ramps:
    """Twelve numbers of ramps, and the log-odds of the lapse."""

    groups = 1024  # a ramp is steep
    names = (*(f"{ramp}.{part}" for ramp in RAMPS for part in PARTS), "lapse")

    def __init__(self) -> None:
        ramp = [SPREAD[part] ** -2.0 for part in PARTS]
        self.tightness = np.array([*(ramp * len(RAMPS)), 1.0])
        self.personal = 2.0 * self.tightness

    def common_sense(self) -> Floats:
        """The ramps of the preset ``loose``, wide and low, and many lapses, (K,)."""
        return self.vector(loose())

    def outset(self) -> Floats:
        """The same, (K,)."""
        return self.common_sense()

    def vector(self, policy: Single) -> Floats:
        """The parameters of a policy; ``TypeError`` for one of another family or with bluffs."""
        if not isinstance(policy, RampPolicy) or policy.bluff:
            raise TypeError(f"{policy.name} is no policy of plain ramps")
        out: list[float] = []
        for ramp in (policy.bet, policy.raise_, policy.fold):
            width = min(WIDEST, max(NARROWEST, ramp.x1 - ramp.x0))
            out += [ramp.x0, math.log(width), _log_odds(ramp.y0), _log_odds(ramp.y1)]
        return np.array([*out, _log_odds(policy.lapse)])

    def policy(self, vector: Floats, name: str, exponent: float) -> RampPolicy:
        """The policy of these parameters, which are rounded to four places."""
        bet, raise_, fold = (_ramp(part) for part in vector[:-1].reshape(3, 4))
        lapse = round(float(_level(vector[-1])), 4)
        return RampPolicy(name, bet, raise_, fold, lapse=lapse, likelihood_exponent=exponent)

    def chances(self, vector: Floats, sample: Sample) -> tuple[Floats, Slopes]:
        """The log of P(action | group) of each row, and the way back to the parameters."""
        turn = sample.turn_of_row
        x = -sample.log_chance / sample.log_n[turn]
        faced, can_fold = sample.faced[turn], sample.can_fold[turn]
        can_raise = sample.can_raise[turn]
        bet, raise_, fold = (
            _Rise(part, at, legal)
            for part, at, legal in zip(
                vector[:-1].reshape(3, 4),
                (x, x, x - sample.odds_x[turn]),
                (can_raise & ~faced, can_raise & faced, can_fold),
                strict=True,
            )
        )
        lapse = _level(vector[-1])
        n_legal = np.where(faced, 1.0 + can_fold + can_raise, 2.0)
        action = sample.action[turn]
        meant, by_bet, by_raise, by_fold = _meant(action, faced, bet.p, raise_.p, fold.p)
        odds = (1.0 - lapse) * meant + lapse / n_legal

        def slopes(weight: Floats) -> Floats:
            scale = weight / odds
            columns = []
            for rise, by in ((bet, by_bet), (raise_, by_raise), (fold, by_fold)):
                columns += [
                    by_turn(sample, scale * (1.0 - lapse) * by * part) for part in rise.slopes()
                ]
            by_lapse = (1.0 / n_legal - meant) * lapse * (1.0 - lapse)
            return np.stack([*columns, by_turn(sample, scale * by_lapse)], axis=1)

        return np.log(odds), slopes


def loose() -> Single:
    """A policy that rules little out."""
    policy = load_policy("loose").with_lapse(0.3)
    assert not isinstance(policy, Panel)  # a preset
    return policy


class _Rise:
    """A ramp at the rows (R,); 0 where its action is not legal."""

    def __init__(self, part: Floats, x: Floats, legal: Flags) -> None:
        x0, log_width, low, high = part
        self._width = _width(log_width)
        self._bound = not math.log(NARROWEST) <= log_width <= math.log(WIDEST)
        self._y0, self._y1 = _level(low), _level(high)
        self._legal = legal
        self._along = (x - x0) / self._width
        self._share = np.clip(self._along, 0.0, 1.0)
        self.p = np.where(legal, self._y0 + (self._y1 - self._y0) * self._share, 0.0)

    def slopes(self) -> tuple[Floats, Floats, Floats, Floats]:
        """The slopes of the ramp by its four parts, in the order of ``PARTS``."""
        rise = np.where((self._along > 0.0) & (self._along < 1.0), self._y1 - self._y0, 0.0)
        parts = (
            -rise / self._width,
            -rise * self._along * (not self._bound),
            (1.0 - self._share) * self._y0 * (1.0 - self._y0),
            self._share * self._y1 * (1.0 - self._y1),
        )
        first, second, third, fourth = (np.where(self._legal, part, 0.0) for part in parts)
        return first, second, third, fourth


def _meant(
    action: Ints, faced: Flags, bet: Floats, raise_: Floats, fold: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """The probability of the action taken, without a lapse, and its slopes by the three ramps."""
    stays = np.where(faced, (1.0 - raise_) * (1.0 - fold), 1.0 - bet)
    meant = np.choose(action, [stays, bet, (1.0 - raise_) * fold, raise_])
    nothing = np.zeros_like(bet)
    by_bet = np.choose(action, [np.where(faced, 0.0, -1.0), nothing + 1.0, nothing, nothing])
    by_raise = np.choose(action, [np.where(faced, fold - 1.0, 0.0), nothing, -fold, nothing + 1.0])
    by_fold = np.choose(
        action, [np.where(faced, raise_ - 1.0, 0.0), nothing, 1.0 - raise_, nothing]
    )
    return meant, by_bet, by_raise, by_fold


def _level(log_odds: float) -> float:
    """A probability from its log-odds."""
    return 1.0 / (1.0 + math.exp(-min(30.0, max(-30.0, log_odds))))


def _width(log_width: float) -> float:
    """The width of a ramp; a search may try any."""
    return math.exp(min(math.log(WIDEST), max(math.log(NARROWEST), log_width)))


def _log_odds(level: float) -> float:
    """The log-odds of a probability, of 0 and 1 those of ``LOWEST`` off them."""
    kept = min(1.0 - LOWEST, max(LOWEST, level))
    return math.log(kept / (1.0 - kept))


def _ramp(part: Floats) -> Ramp:
    x0, log_width, low, high = part.tolist()
    return Ramp(
        x0=round(x0, 4),
        x1=round(x0 + _width(log_width), 4),
        y0=round(_level(low), 4),
        y1=round(_level(high), 4),
    )
