"""From a record to what happened: streets, decisions, pots; and the first thing that cannot be.

``replay(history)`` walks the events over a ``Table`` and judges every one of them. What it
returns is the valid prefix of the hand and, if the record breaks a rule or its own totals,
the ``Problem`` that stopped it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from handread.cards import Card, MaybeCard
from handread.history import History, Problem
from handread.stud import Stakes


@dataclass(frozen=True, slots=True)
class Decision:
    """A voluntary action and the table its player saw before it. Amounts in minor units.

    ``action`` is one of fold, check, call, bet, raise; a completion is a raise with
    ``completes`` set (a bring-in that its owner completes at once has ``forced`` set too: to
    fold or check was not on offer). ``amount`` is what the action adds, ``to`` the player's
    total on the street after it. ``to_call`` is what a call would add were the stack deep
    enough, ``pot`` everything put in before the action, ``active`` the seats still in, the
    player included. ``can_raise`` says whether a bet or raise was allowed and affordable.
    ``later_bets`` is one bet on each later street, added up.
    """

    n: int
    street: int
    seat: int
    action: str
    amount: int
    to: int
    to_call: int
    pot: int
    active: tuple[int, ...]
    can_fold: bool
    can_raise: bool
    raises_left: int | None
    later_bets: int
    completes: bool = False
    forced: bool = False
    all_in: bool = False
    line: int = 0

    @property
    def n_active(self) -> int:
        """How many players are in, the one to act included (the paper's N)."""
        return len(self.active)

    @property
    def effective_odds(self) -> float:
        """What the player must still put in as a share of the final pot (section II).

        (to call + one bet a later street) / (pot + to call + N x one bet a later street).
        """
        share = self.to_call + self.later_bets
        return share / (self.pot + self.to_call + self.n_active * self.later_bets)


@dataclass(frozen=True, slots=True)
class StreetPlay:
    """One street: the cards on view after its deal, and the decisions of its betting.

    ``upcards`` holds every seat dealt in, folded ones too. ``active`` and ``pot`` are those
    right after the deal, before a bring-in; ``active_after`` and ``pot_after`` those after the
    betting. ``finished`` is False when the record stops inside the betting round.
    """

    number: int
    upcards: Mapping[int, tuple[Card, ...]]
    shared: Card | None
    active: tuple[int, ...]
    pot: int
    decisions: tuple[Decision, ...]
    active_after: tuple[int, ...]
    pot_after: int
    finished: bool
    bring_in: int | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot: how much, and the seats that can win it. The first is the main pot."""

    amount: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """What happened in a hand, as far as its record is whole and legal.

    ``stakes`` are the record's or, where it has none, those worked out from the actions.
    ``downcards`` are the known downcards by seat (two or three). ``won`` is what each seat
    was paid, after rake and without its own uncalled bet; empty when the hand did not end.
    ``stacks`` are the chips after the hand (None where the record gives no stacks).
    ``showdown`` lists the seats that were still in at the end when more than one was.
    ``problem`` is what stopped the replay; None for a hand that is whole, or that merely stops.
    """

    history: History
    stakes: Stakes
    streets: tuple[StreetPlay, ...]
    downcards: Mapping[int, tuple[Card, ...]]
    pots: tuple[Pot, ...]
    pot: int
    rake: int
    won: Mapping[int, int]
    stacks: Mapping[int, int | None]
    showdown: tuple[int, ...]
    finished: bool
    problem: Problem | None = None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All voluntary actions of the hand in order."""
        return tuple(d for street in self.streets for d in street.decisions)


__all__ = ["Decision", "MaybeCard", "Pot", "Replay", "StreetPlay"]
