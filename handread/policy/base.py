"""The interface of bet policies, and their common parts."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np

from handread.arrays import Flags, Floats, Ints, as_floats
from handread.game.steps import DecisionPoint
from handread.kernels.loading import Fixed, Workspace
from handread.kernels.reading import DIGIT, N_DIGITS, fill_percentiles
from handread.policy.features import STUD_HIGH, Board, Codes

Exponents = float | tuple[float, float, float, float, float]
"""A likelihood exponent for all streets, or one for each from 3rd to 7th."""

ByGame = tuple[tuple[str, tuple[float, ...]], ...]
"""Numbers by the key of a game."""


class PolicyError(ValueError):
    """Raised for a policy that cannot be used; the message names file, field and fault."""


class HoldingValues:
    """Value of each holding of the player to act.

    Attributes:
        chance: Chance to win (holdings,), equation 1 of Saund 2006, not normalised.
        live: True for the holdings (holdings,) that no visible card rules out.
        board: Face-up cards, or None.
        places: Indices of the live holdings.
    """

    def __init__(
        self, chance: Floats, live: Flags, board: Board | None = None, places: Ints | None = None
    ) -> None:
        self.chance = as_floats(chance, *live.shape)
        self.live = live
        self.board = board
        self.places = np.flatnonzero(live) if places is None else places

    @cached_property
    def codes(self) -> Codes:
        """The kinds of the holdings (holdings,), as ``codes_of``."""
        return codes_of(self.board, self.live)

    @cached_property
    def _standing(self) -> tuple[Floats, float]:
        percentile, public = np.zeros(self.chance.size), np.zeros(1)
        room = room_for_sorting(self.chance.size)
        fill_percentiles(self.places, self.chance, room, percentile, public)
        return percentile, float(public[0])

    @cached_property
    def log_chance(self) -> Floats:
        """The natural logarithm of the chance to win; -inf for a chance of 0."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.chance)
        return logs

    @property
    def percentile(self) -> Floats:
        """The percentile of each live holding, 0 to 1, ties in the middle; 0 for other holdings."""
        return self._standing[0]

    @property
    def public(self) -> float:
        """Mean chance to win of the live holdings: the value of the upcards alone."""
        return self._standing[1]


def codes_of(board: Board | None, live: Flags) -> Codes:
    """Return the kinds of the holdings (holdings,), see ``FeatureSet.codes``.

    They are 0 without a board, and in games without the kinds of stud high.
    """
    if board is None or not board.game.seven_card_high:
        return np.zeros(live.size, dtype=np.uint32)
    return STUD_HIGH.codes(board, live)


_ROOM = Workspace()


def room_for_sorting(size: int) -> Fixed:
    """Return the arrays for sorting the chances of at most so many holdings."""
    most = 1 << size.bit_length()  # few different sizes
    shapes = ((2, most), np.uint64), ((2, most), np.int64), ((N_DIGITS, 1 << DIGIT), np.int64)
    return _ROOM.of(most, lambda: tuple(np.empty(shape, kind) for shape, kind in shapes))


class EvenHoldingValues(HoldingValues):
    """A player with upcards as good as everybody's, to show a policy as a function of the chance.

    A holding at percentile q beats each of N - 1 equal opponents with probability q, and all of
    them with probability q ** (N - 1), which has the mean 1/N.
    """

    def __init__(self, chance: Floats, players: int) -> None:
        super().__init__(chance, np.ones(chance.shape, dtype=bool))
        self._players = players

    @property
    def percentile(self) -> Floats:
        """The percentile with the given chance against equal opponents."""
        return self.chance ** (1.0 / (self._players - 1))

    @property
    def public(self) -> float:
        """A fair share, 1/N."""
        return 1.0 / self._players


class Policy(Protocol):
    """P(action | holding) of a player, equation 3 of Saund 2006. Policies can be hashed."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """The name of the policy, for reports."""

    @property
    def likelihood_exponent(self) -> Exponents:
        """The exponent on P(action | holding) when the observer learns; 1 is Bayes' rule.

        Below 1 it protects the read from errors of the policy, which are not independent within a
        hand.
        """

    def probabilities(self, spot: DecisionPoint, outlook: HoldingValues) -> dict[str, Floats]:
        """Return the probability of each legal action with each holding.

        Args:
            spot: The situation of the player to act.
            outlook: The chance to win with each holding, and the cards on view.

        Returns:
            By legal action ("fold", "check", "call", "bet", "raise") an array (holdings,). Over the
            actions they sum to 1.
        """


def exponent_on(exponents: Exponents, street: int) -> float:
    """Return the likelihood exponent on a street, 2 to 7; 2nd street has the exponent of 3rd."""
    return exponents if isinstance(exponents, float) else exponents[max(0, street - 3)]


def legal_actions(spot: DecisionPoint) -> tuple[str, ...]:
    """Return the legal actions: of check and bet, or of fold, call and raise."""
    if spot.to_call == 0:
        return ("check", "bet") if spot.can_raise else ("check",)
    fold = ("fold",) if spot.can_fold else ()
    return (*fold, "call", "raise") if spot.can_raise else (*fold, "call")


def decision_point_at_odds(players: int, odds: float | None) -> DecisionPoint:
    """Return a situation on 7th street to show a policy with; without odds nobody has bet.

    The effective odds of a call are met as closely as whole chips allow.

    Raises:
        ValueError: The odds are not between .000001 and 1.
    """
    if odds is not None and not 1e-6 <= odds < 1.0:
        raise ValueError(f"odds of {odds:g}: expected a chance from .000001 to below 1")
    to_call = 0 if odds is None else 1_000_000
    pot = 100 if odds is None else max(0, round(to_call / odds) - to_call)
    return DecisionPoint(
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
