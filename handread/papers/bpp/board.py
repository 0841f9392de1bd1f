"""The public record of a hand as a player at the table sees it: cards on view, and actions.

BPP and its opponents decide without a pdd, so their observer makes a belief, by the cards alone,
only on request.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Self

import numpy as np

import handread.inference.observer as observing
from handread.cards import Card
from handread.game.rules import FIVE_STUD
from handread.game.steps import DealtStreet, Decision, Replay
from handread.history import Action, History
from handread.inference.readers import Observer


@dataclass(frozen=True)
class BoardReader:
    """The reader of players who keep their own account of the others' holdings."""

    name: str = "board"
    games: Sequence[str] = (FIVE_STUD.key,)
    learns: bool = False

    @property
    def terms(self) -> str:
        """The name: it has no settings."""
        return self.name

    def observer(self, history: History, ties: observing.TieRule) -> "BoardObserver":
        """Return an observer of a hand before its first card."""
        return BoardObserver(history, ties)

    def after(self, _replay: Replay, _observed: Sequence[observing.ObservedStreet]) -> Self:
        """Return the reader: it learns nothing."""
        return self


class BoardObserver:
    """The record of one hand; ``names`` has a number for a seat without a name."""

    def __init__(self, history: History, ties: observing.TieRule = observing.SPLIT) -> None:
        self.names = {seat.number: seat.name or str(seat.number) for seat in history.seats}
        self._stakes = history.stakes
        self._ties = ties
        self._street: DealtStreet | None = None
        self._decisions: list[Decision] = []
        self._folded: set[int] = set()

    @property
    def street(self) -> DealtStreet:
        """The last street dealt."""
        assert self._street is not None, "no card has been dealt"
        return self._street

    @property
    def bet(self) -> int:
        """The bet of the street, in minor units."""
        assert self._stakes is not None, "nobody plays without stakes"
        return self.street.game.bet(self._stakes, self.street.number)

    def decisions(self, seat: int) -> list[Decision]:
        """Return the decisions of a seat on the street."""
        return [decision for decision in self._decisions if decision.seat == seat]

    @property
    def upcards(self) -> Mapping[int, tuple[Card, ...]]:
        """The upcards of the seats that are still in."""
        seats = [seat for seat in self.street.active if seat not in self._folded]
        return {seat: observing.seat_cards(self.street, seat) for seat in seats}

    @property
    def dead(self) -> tuple[Card, ...]:
        """The upcards of the seats that have folded."""
        held = set(chain.from_iterable(self.upcards.values()))
        return tuple(sorted(observing.visible_cards(self.street) - held))

    def sides(self, seat: int) -> tuple[tuple[Card, ...], tuple[tuple[Card, ...], ...]]:
        """Return the upcards of a seat, and of each other seat that is still in."""
        upcards = self.upcards
        return upcards[seat], tuple(cards for other, cards in upcards.items() if other != seat)

    @property
    def belief(self) -> observing.Belief:
        """The belief by the cards alone: all holdings without a visible card are equally likely."""
        dealt, _ = observing.deal(None, self.street)
        return replace(dealt, pdds={seat: dealt.pdds[seat] for seat in self.upcards})

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Take in the cards of a street; their information is not measured."""
        self._street = street
        self._decisions = []
        return dict.fromkeys(street.active, 0.0)

    def follow(self, decision: Decision) -> None:
        """Take in an action."""
        self._decisions.append(decision)
        if decision.action is Action.FOLD:
            self._folded.add(decision.seat)

    def observe(self, decision: Decision) -> observing.Update:
        """Take in an action, which changes no belief."""
        belief = self.belief
        chances = belief.holding_chances(decision.seat, self._ties)
        _, update = observing.reweigh(belief, decision, np.ones(chances.size), chances)
        self.follow(decision)
        return update


def board_of(observer: Observer) -> BoardObserver:
    """Return the observer of a player who has a ``BoardReader``."""
    assert isinstance(observer, BoardObserver), "the observer is not one of the player's reader"
    return observer
