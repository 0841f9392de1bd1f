"""Tables of the papers' games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from handread.cards import Card, holding_index
from handread.game.rules import FIVE_STUD, Stakes
from handread.game.steps import DecisionPoint
from handread.history import Seat
from handread.inference.players import player_models
from handread.inference.readers import Observer, Reader
from handread.papers.bpp.play import BPP_STAKES
from handread.policy import legal_actions
from handread.simulate import Setup, seated


def table(policy: str, n: int, **changes: Any) -> Setup:
    """Return a table of n players who follow a policy."""
    players = player_models(policy)
    return Setup(players, seated(players, n), **changes)


def bpp_table(watched: bool = False, **players: Any) -> Setup:
    """Return a table of the five-card stud of Korb et al. 1999; its players sit in order."""
    return Setup(
        player_models("uniform"),
        tuple(Seat(number, name) for number, name in enumerate(players, 1)),
        BPP_STAKES,
        game=FIVE_STUD,
        deciders=dict(enumerate(players.values(), 1)),
        watched=watched,
    )


FIVE = table("loose", 2, stakes=Stakes(25, 0, (100, 100, 200, 200)), game=FIVE_STUD)
"""Two players of five-card stud."""


@dataclass(frozen=True)
class Caller:
    """Never folds or raises."""

    reader: Reader
    name: str = "caller"

    def decide(
        self, observer: Observer, spot: DecisionPoint, down: tuple[Card, ...]
    ) -> Mapping[str, float]:
        assert observer.belief.pdds[spot.seat][holding_index(down)] > 0.0
        return {action: float(action in ("check", "call")) for action in legal_actions(spot)}
