"""The playing side of BPP: pot odds and betting curves (Korb et al. 1999, sections 2.2 and 4).

A player compares its chance to win with the threshold at which a call breaks even (equation 7).
Three curves turn the difference into probabilities of a bet or raise, of a check or call and of a
fold (equations 8 to 10). Each curve has one shift for each round of betting, its ``f``.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Self, TypeVar

import numpy as np

from handread.arrays import Floats
from handread.cards import Card
from handread.game.ranks import rank_five
from handread.game.rules import FIVE_STUD, Stakes
from handread.game.steps import DecisionPoint
from handread.history import Action

Share = TypeVar("Share", float, Floats)

BPP_STAKES = Stakes(ante=100, bring_in=0, bets=(100, 100, 100, 100))
"""The paper's game: an ante of one bet, all bets of one size, a bet and three raises a round."""

ROUNDS = len(FIVE_STUD.streets)

STEEPNESS = 8.0
"""Slope of the curves of bets and of folds (equations 8 and 9)."""

CALL_STEEPNESS = 20.0
"""The factor in the exponent of the calling curve (equation 10)."""

BLUFFS = 0.05
"""Probability of a bluff in the last round (section 4.2)."""

LARGEST_SHIFT = 1.0


def threshold(pot: float, cost: float, players: int = 2, unit: float = 1.0) -> float:
    """Return the chance to win that makes a call as good as a fold.

    Against one opponent, who made the bet to call, the rest of the pot will be ``pot + cost -
    unit`` (equations 6 and 7). Of more players, half have made it (equation 5).

    Args:
        pot: The current pot (the paper's c).
        cost: The expected cost of reaching the showdown (k).
        players: The number of players still in (n).
        unit: The betting unit (u).
    """
    others = players - 1
    owed = unit if players == 2 else others * unit / 2.0
    return cost / (pot + (1 + others) * cost - owed)


def threshold_at(spot: DecisionPoint, bet: int) -> float:
    """Return the threshold at a decision point.

    The expected cost is the bet to call, else one bet, and one in each later round.
    """
    cost = max(spot.to_call, bet) + spot.later_bets
    return threshold(spot.pot, cost, spot.n_active, bet)


@dataclass(frozen=True, slots=True)
class Curves:
    """The shifts of the three betting curves, each by round (the 12 parameters of the search).

    ``bet`` shifts bets and raises to the right (f_b), ``call`` checks and calls to the left (f_c),
    ``fold`` folds to the left (f_f). Raises ``ValueError`` unless a curve has one shift for each
    round, from -1 to 1.
    """

    bet: tuple[float, ...] = (0.0,) * ROUNDS
    call: tuple[float, ...] = (0.0,) * ROUNDS
    fold: tuple[float, ...] = (0.0,) * ROUNDS

    def __post_init__(self) -> None:
        for name, shifts in zip(("bet", "call", "fold"), self.shifts, strict=True):
            if len(shifts) != ROUNDS or not all(abs(shift) <= LARGEST_SHIFT for shift in shifts):
                raise ValueError(f"{name} {list(shifts)}: expected {ROUNDS} shifts from -1 to 1")

    @property
    def shifts(self) -> tuple[tuple[float, ...], ...]:
        """The shifts by curve and round."""
        return self.bet, self.call, self.fold

    @classmethod
    def of(cls, parameters: Floats) -> Self:
        """Return the curves of 12 parameters: bets by round, then calls, then folds."""
        bet, call, fold = parameters.reshape(3, ROUNDS).tolist()
        return cls(tuple(bet), tuple(call), tuple(fold))

    def heights(self, excess: Floats, at: int, steepness: float) -> Floats:
        """Return the unnormalised probabilities (3, ...) of a bet, a call and a fold.

        ``excess`` is the chance to win minus the threshold (...), ``at`` the round, from 0.
        """
        f_bet, f_call, f_fold = (shifts[at] for shifts in self.shifts)
        return np.stack(
            [
                1.0 / (1.0 + np.exp(-steepness * (excess - f_bet))),
                np.exp(-CALL_STEEPNESS * (excess + f_call) ** 2) / 2.0,
                1.0 / (1.0 + np.exp(steepness * (excess + f_fold))),
            ]
        )


@dataclass(frozen=True, slots=True)
class Betting:
    """A player's betting, given its chance to win.

    The paper has one set of curves; the others are proposals of section 6.1.

    Attributes:
        opening: Curves without a bet to call; None for the same curves.
        hidden: Curves for hands that the downcard improves, whether opening or not; None for the
            same curves.
        bluffs: Probability of a bluff in the last round: a bet or raise with any hand.
    """

    curves: Curves = Curves()
    opening: Curves | None = None
    hidden: Curves | None = None
    steepness: float = STEEPNESS
    bluffs: float = BLUFFS

    def curves_in(self, to_call: bool, hidden: bool) -> Curves:
        """Return the curves of a decision; the arguments are as in ``shares``."""
        if self.hidden is not None and hidden:
            return self.hidden
        if self.opening is not None and not to_call:
            return self.opening
        return self.curves

    def shares(
        self, excess: Floats, at: int, to_call: bool, can_raise: bool, hidden: bool = False
    ) -> Floats:
        """Return the probabilities (3, ...) of a bet or raise, a check or call, and a fold.

        Without a bet to call, a fold is a check (the paper's FOLD/PASS); where no raise is allowed,
        a raise is a call. ``hidden`` is true where the downcard makes the hand better than it
        looks; for ``excess`` and ``at`` see ``Curves.heights``.
        """
        curves = self.curves_in(to_call, hidden)
        bet, call, fold = curves.heights(excess, at, self.steepness)
        heights = np.stack(legal_shares((bet, call, fold), to_call, can_raise))
        shares: Floats = heights / heights.sum(axis=0)
        if at == ROUNDS - 1 and can_raise and self.bluffs:
            shares *= 1.0 - self.bluffs
            shares[0] += self.bluffs
        return shares

    def decide(
        self, chance: float, spot: DecisionPoint, down: Sequence[Card], up: Sequence[Card], bet: int
    ) -> dict[str, float]:
        """Return the probability of each legal action at a chance to win."""
        hidden = self.hidden is not None and hides_strength(down, up)
        excess = np.array(chance - threshold_at(spot, bet))
        at = spot.street - FIVE_STUD.first
        shares = self.shares(excess, at, spot.to_call > 0, spot.can_raise, hidden)
        return action_probs(shares.tolist(), spot)


def legal_shares(shares: Iterable[Share], facing: bool, can_raise: bool) -> list[Share]:
    """Return the shares of a bet, a call and a fold; illegal actions count for the call."""
    bet, call, fold = shares
    if not facing:
        call, fold = call + fold, 0.0 * fold
    if not can_raise:
        call, bet = call + bet, 0.0 * bet
    return [bet, call, fold]


def action_probs(shares: Sequence[float], spot: DecisionPoint) -> dict[str, float]:
    """Return the probability of each legal action from ``Betting.shares``; see ``legal_shares``."""
    facing = spot.to_call > 0
    bet, call, fold = legal_shares(shares, facing, spot.can_raise)
    probs: dict[str, float] = {Action.CHECK: call}
    if facing:
        probs = {Action.FOLD: fold, Action.CALL: call}
    if spot.can_raise:
        probs[Action.RAISE if facing else Action.BET] = bet
    return probs


def hides_strength(down: Sequence[Card], up: Sequence[Card]) -> bool:
    """Return True if the downcard changes the kind of hand: its category or its first rank."""
    return rank_five([*down, *up])[:2] != rank_five(up)[:2]


@cache
def bettings() -> Mapping[str, Betting]:
    """Return the betting curves that the search found, by name (``curves.toml``)."""
    text = resources.files("handread.papers.bpp").joinpath("curves.toml").read_text("utf-8")
    return {name: _betting(entry) for name, entry in tomllib.loads(text).items()}


def _betting(entry: dict[str, Any]) -> Betting:
    sets: dict[str, Any] = {
        name: Curves(**{curve: tuple(shifts) for curve, shifts in entry[name].items()})
        for name in ("curves", "opening", "hidden")
        if name in entry
    }
    return Betting(**sets, steepness=entry["steepness"])


def paper_betting() -> Betting:
    """Return the curves that the paper's search found."""
    return bettings()["paper"]
