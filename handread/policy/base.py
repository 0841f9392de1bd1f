"""What every policy is asked, and what it is told: spots and outlooks in, probabilities out."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from handread.game.steps import Spot

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

SAME_CHANCE = 1e-11
"""Chances to win that differ by less are the same but for rounding."""


class PolicyError(ValueError):
    """A policy file that cannot be used; the message names the file, the field and the fault."""


class Outlook:
    """What each holding that a player may have promises at a spot.

    ``chance`` is its chance to win (equation 1, before normalising), ``live`` says which holdings
    no seen card rules out.
    """

    def __init__(self, chance: Floats, live: Flags) -> None:
        self.chance = chance
        self.live = live

    @cached_property
    def log_chance(self) -> Floats:
        """The natural logarithm of the chance to win; -inf where there is none."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.chance)
        return logs

    @cached_property
    def standing(self) -> Floats:
        """The share of the live holdings that promise less, half of the equal ones included.

        From 0 for the worst to 1 for the best that the upcards allow; 0 for the dead.
        """
        standing = np.zeros(self.chance.size)
        live = np.flatnonzero(self.live)
        if not live.size:
            return standing
        order = live[np.argsort(self.chance[live])]
        # Holdings that differ in suits that do not matter differ by a rounding error; to round
        # would part some of them all the same, which a gap between neighbours does not.
        first = np.concatenate([[True], np.diff(self.chance[order]) > SAME_CHANCE])
        starts = np.flatnonzero(first)
        ends = np.append(starts[1:], live.size)
        middle = (starts + ends) / (2.0 * live.size)
        standing[order] = np.repeat(middle, ends - starts)
        return standing

    @cached_property
    def public(self) -> float:
        """The mean chance of the live holdings: what the upcards alone promise."""
        return float(self.chance[self.live].mean()) if self.live.any() else 0.0


class EvenOutlook(Outlook):
    """A player whose upcards promise what everybody's do, for showing a policy by the chance.

    Somebody who stands at q among like players beats each other one with probability q, and all
    of N - 1 with q ** (N - 1); the mean of that is 1/N.
    """

    def __init__(self, chance: Floats, players: int) -> None:
        super().__init__(chance, np.ones(chance.shape, dtype=bool))
        self._players = players

    @cached_property
    def standing(self) -> Floats:
        """The standing that gives the chance against players alike."""
        standing: Floats = self.chance ** (1.0 / (self._players - 1))
        return standing

    @cached_property
    def public(self) -> float:
        """A fair share."""
        return 1.0 / self._players


class Policy(Protocol):
    """What the observer asks of a policy."""

    @property
    def name(self) -> str:
        """The policy's name, for reports."""

    @property
    def temper(self) -> float:
        """The exponent on P(action | holding) with which the observer learns; 1 is Bayes' rule.

        Below 1 it protects the read from a policy that is not quite the player's: the actions of
        a hand are no independent witnesses of what the policy leaves out.
        """

    def probabilities(self, spot: Spot, outlook: Outlook) -> dict[str, Floats]:
        """The probability of each legal action, per holding."""


def legal_actions(spot: Spot) -> tuple[str, ...]:
    """What the player could do: of check and bet, or of fold, call and raise."""
    if spot.to_call == 0:
        return ("check", "bet") if spot.can_raise else ("check",)
    fold = ("fold",) if spot.can_fold else ()
    return (*fold, "call", "raise") if spot.can_raise else (*fold, "call")


def lapsed(odds: dict[str, Floats], lapse: float, spot: Spot) -> dict[str, Floats]:
    """The probabilities of somebody who with probability ``lapse`` acts at random."""
    legal = legal_actions(spot)
    random = lapse / len(legal)
    return {action: (1.0 - lapse) * odds[action] + random for action in legal}


def checked_lapse(lapse: float) -> float:
    """A lapse that is a probability; ``PolicyError`` when it is not."""
    if not 0.0 <= lapse <= 1.0:
        raise PolicyError(f"a lapse is a probability from 0 to 1, not {lapse}")
    return lapse


def spot_at_odds(players: int, odds: float | None) -> Spot:
    """A spot on 7th street to show a policy with: nobody has bet, or a call at effective odds.

    The odds are met as nearly as whole chips allow. Raises ``ValueError`` for odds that are no
    chance, or next to none.
    """
    if odds is not None and not 1e-6 <= odds < 1.0:
        raise ValueError(f"odds of {odds:g}: expected a chance from .000001 to below 1")
    to_call = 0 if odds is None else 1_000_000
    pot = 100 if odds is None else max(0, round(to_call / odds) - to_call)
    return Spot(
        n=1,
        street=7,
        seat=1,
        to_call=to_call,
        pot=pot,
        active=tuple(range(1, players + 1)),
        can_fold=odds is not None,
        can_raise=True,
        raises_left=3,
        later_bets=0,
        forced=False,
        raises=0 if odds is None else 1,
        leader=None,
        acted=(),
    )
