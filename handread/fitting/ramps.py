"""The paper's family in the fit: where its ramps stand and how high, and the lapse.

A ramp is carried as its left end, the logarithm of its width and the log-odds of its two levels; so
are all values allowed and the slopes smooth.
"""

from __future__ import annotations

import math

import numpy as np

from handread.fitting.family import Slopes, by_turn
from handread.fitting.sample import Flags, Floats, Ints, Sample
from handread.policy import Panel, Ramp, RampPolicy, Single, load_policy

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

    def policy(self, vector: Floats, name: str, temper: float) -> RampPolicy:
        """The policy of these parameters, which are rounded to four places."""
        bet, raise_, fold = (_ramp(part) for part in vector[:-1].reshape(3, 4))
        lapse = round(float(_level(vector[-1])), 4)
        return RampPolicy(name, bet, raise_, fold, lapse=lapse, temper=temper)

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
