"""Tables of the papers' games."""

from __future__ import annotations

from typing import Any

from handread.game.rules import FIVE_STUD, Stakes
from handread.history import Seat
from handread.inference.players import player_models
from handread.papers.bpp.play import BPP_STAKES
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
