"""The settings by which the decisions of any hand are valued, as commands take them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from decimal import Decimal

from handread.decisions.hand import HandValues, hand_values
from handread.decisions.rollouts import HouseRake
from handread.decisions.values import Valuation
from handread.game.rules import Unit
from handread.inference.players import PEOPLE_POLICY, PlayerModels, player_models, players_terms
from handread.inference.values import Analysis

ROLLOUTS = "rollouts"
"""Decisions are played on to the end of the hand, many times."""

PANEL_POLICY = "panel"
"""The policy that checks decisions of hands read by ``PEOPLE_POLICY``."""

_RAKE = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%(?:\s*max\s*(\d+(?:\.\d*)?|\.\d+))?\s*")


@dataclass(frozen=True, slots=True)
class RakeRule:
    """The rake as users write it: a percentage of the pot, with a limit in the unit of the log.

    Attributes:
        percent: Percentage of the pot.
        most: Most that the house takes; None without a limit.
    """

    percent: Decimal
    most: Decimal | None = None

    def __str__(self) -> str:
        limit = "" if self.most is None else f" max {self.most}"
        return f"{self.percent}%{limit}"

    def in_unit(self, unit: Unit) -> HouseRake:
        """Return the rake of a game with amounts in this unit."""
        most = None if self.most is None else int(self.most.scaleb(unit.decimals))
        return HouseRake(float(self.percent) / 100.0, most)


def parse_rake(text: str) -> RakeRule:
    """Return the rake of a text such as "5%" or "5% max 3".

    Raises:
        ValueError: It is something else, or more than the pot.
    """
    found = _RAKE.fullmatch(text)
    if found is None or Decimal(found[1]) > 100:
        raise ValueError(f"{text!r} is no rake: expected one such as '5%' or '5% max 3'")
    return RakeRule(Decimal(found[1]), None if found[2] is None else Decimal(found[2]))


def check_models(players: PlayerModels) -> PlayerModels:
    """Return the models that check decisions by default.

    They are ``PEOPLE_POLICY``, or the panel for hands that are read by ``PEOPLE_POLICY``.
    """
    read_by_people = players.rest.policy.name == PEOPLE_POLICY
    found = player_models(PANEL_POLICY if read_by_people else PEOPLE_POLICY)
    if players.simulated is None:
        return found
    return replace(found, simulated=check_models(players.simulated))


@dataclass(frozen=True, slots=True)
class DecisionTerms:
    """The settings by which decisions are valued.

    Attributes:
        way: The way to value them: ``ROLLOUTS``.
        rollouts: Number of rollouts of a decision.
        check: Models by which costly decisions are valued once more; None for none.
        seed: Random seed.
        rake: The rake; None for what the house kept of each hand.
    """

    way: str = ROLLOUTS
    rollouts: int = 400
    check: PlayerModels | None = None
    seed: int = 1
    rake: RakeRule | None = None

    @property
    def text(self) -> str:
        """The settings in one line; equal texts mean equal values."""
        number = f"{self.rollouts} " if self.way == ROLLOUTS else ""
        check = "none" if self.check is None else players_terms(self.check)
        rake = "of each hand" if self.rake is None else str(self.rake)
        return f"{number}{self.way}; check {check}; seed {self.seed}; rake {rake}"

    def values_of(self, analysis: Analysis, seats: set[int] | None = None) -> HandValues:
        """Return the values of a hand. They depend on no other hand.

        Args:
            analysis: The analysis of the hand, by policies.
            seats: Only those of these seats; None for all whose downcards are known.

        Raises:
            ValueError: The analysis is that of a reader without policies.
        """
        history = analysis.replay.history
        # Each hand has a stream of its own, so that the luck of the draws is not that of another.
        digest = hashlib.sha256(f"{self.seed} {history.hand_id}".encode("utf-8", "replace"))
        valuation = Valuation(
            rollouts=self.rollouts,
            check=self.check,
            seed=int.from_bytes(digest.digest()[:8]),
            rake=None if self.rake is None else self.rake.in_unit(history.unit),
        )
        return hand_values(analysis, valuation, seats)
