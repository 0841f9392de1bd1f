"""What a table is made of: players, what they may do, and the move that is not allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from handread.cards import Card, MaybeCard
from handread.stud import STREETS

_DEALT = tuple(
    zip(accumulate(s.down for s in STREETS), accumulate(s.up for s in STREETS), strict=True)
)
"""How many cards a player has once a street is dealt, down and up, by street from the 3rd."""


class IllegalMove(Exception):  # noqa: N818 - it is the word for it, and no error of the program
    """A move that the rules forbid: what is wrong, and what was expected, in a person's words.

    ``line`` is that of the record where it is not the line of the event being played.
    """

    def __init__(self, message: str, expected: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.line = line


class Phase(Enum):
    """What the table is waiting for."""

    ANTES = "antes"
    DEAL = "cards"
    BET = "betting"
    CLOSED = "the next street, or the pay-out"


@dataclass(frozen=True)
class Player:
    """A seat during the hand.

    ``stack`` is what lies behind, ``put`` what went in on this street (antes apart), ``paid``
    what went in during the hand. A player who posted no ante is not dealt in. ``loose`` are the
    three downcards where they are known, but not which of them came last.
    """

    seat: int
    name: str = ""
    stack: int | None = None
    put: int = 0
    paid: int = 0
    dealt_in: bool = False
    folded: bool = False
    all_in: bool = False
    down: tuple[MaybeCard, ...] = ()
    up: tuple[MaybeCard, ...] = ()
    loose: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return f"seat {self.seat} ({self.name})" if self.name else f"seat {self.seat}"

    @property
    def active(self) -> bool:
        """Dealt in and not folded."""
        return self.dealt_in and not self.folded

    @property
    def can_bet(self) -> bool:
        """Active with chips behind."""
        return self.dealt_in and not self.folded and not self.all_in

    def missing(self, street: int, shared: Sequence[MaybeCard] = ()) -> tuple[int, int]:
        """How many cards, down and up, the player has yet to get on a street."""
        down, up = _DEALT[street - STREETS[0].number]
        return down - len(shared) - len(self.down), up - len(self.up)


@dataclass(frozen=True, slots=True)
class Options:
    """What a player may do.

    ``to_call`` is the bet to the player were the stack deep enough, ``call`` what a call adds,
    ``raises`` the street totals to which a bet or raise may go, lowest first. ``forced`` is
    a bring-in that is due: only it or a completion is on offer, and ``call`` is its amount.
    """

    seat: int
    to_call: int
    call: int
    raises: tuple[int, ...]
    raises_left: int | None
    forced: bool = False
