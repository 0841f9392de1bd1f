"""BPP as a player of five-card stud (Korb et al. 1999), against one opponent or several."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import numpy as np

from handread.arrays import Floats
from handread.cards import Card
from handread.game.rules import FIVE_STUD
from handread.game.steps import Decision, DecisionPoint, Replay
from handread.inference.observer import ObservedStreet, seat_cards
from handread.inference.readers import Observer
from handread.papers.bpp.board import BoardObserver, BoardReader, board_of
from handread.papers.bpp.network import AGGRESSIVE, PASSIVE, network
from handread.papers.bpp.play import ROUNDS, Betting, paper_betting
from handread.papers.bpp.record import choice_in
from handread.papers.bpp.types import PAPER, TypeSet

CLASSES = 2

EVEN_WEIGHT = 1.0
"""Number of actions of each class that the action matrices start with, for each type of hand."""


def action_classes(decisions: Sequence[Decision]) -> tuple[int, ...]:
    """Return the classes of actions: to pass or call, or to bet or raise (section 3.3).

    Folds have no class, since folded hands are not shown; nor have actions where no raise is
    allowed.
    """
    raised = (choice_in(decision).raised for decision in decisions)
    return tuple(
        [AGGRESSIVE if is_raise else PASSIVE for is_raise in raised if is_raise is not None]
    )


@dataclass(frozen=True, eq=False)
class Habits:
    """Counts of a player's actions in hands that were shown down (rounds, types, classes)."""

    counts: Floats

    @cached_property
    def matrices(self) -> Floats:
        """The action matrices P(class | type) (rounds, types, classes); even odds at first."""
        counts = self.counts + EVEN_WEIGHT
        matrices: Floats = counts / counts.sum(axis=-1, keepdims=True)
        return matrices

    def after(self, replay: Replay, seat: int, types: TypeSet) -> "Habits":
        """Return the habits with the actions of a seat in a hand."""
        counts = self.counts.copy()
        down = replay.downcards[seat]
        for street in replay.streets:
            kind = types.hand((*down, *seat_cards(street, seat)))
            decisions = [decision for decision in street.decisions if decision.seat == seat]
            for action in action_classes(decisions):
                counts[street.number - FIVE_STUD.first, kind, action] += 1.0
        return Habits(counts)


@cache
def no_habits(types: TypeSet) -> Habits:
    """Return the habits of a player without any hand."""
    return Habits(np.zeros((ROUNDS, len(types), CLASSES)))


@dataclass(frozen=True, eq=False)
class HabitReader(BoardReader):
    """The reader of BPP the player: the habits of every opponent, by name.

    It counts like ``BppReader`` with the paper's switches, but for each opponent alone and without
    pdds, so that a game takes a few milliseconds. Without learning the matrices stay at even odds.
    """

    name: str = "bpp"
    learns: bool = True
    types: TypeSet = PAPER
    habits: Mapping[str, Habits] = field(default_factory=dict)

    @property
    def terms(self) -> str:
        """The hand types, and a digest of the habits."""
        digest = hashlib.sha256(repr((self.types.name, self.learns)).encode())
        for name, habits in sorted(self.habits.items()):
            digest.update(name.encode() + b"\0" + habits.counts.tobytes())
        return f"{self.name} ({digest.hexdigest()[:12]})"

    def of(self, name: str) -> Habits:
        """Return the habits of a player; even odds for a stranger."""
        return self.habits.get(name) or no_habits(self.types)

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> "HabitReader":  # noqa: ARG002 - it needs no beliefs
        """Return the reader with the actions of all hands that were shown down."""
        if not self.learns or not replay.showdown:
            return self
        names = BoardObserver(replay.history).names
        seen = {
            names[seat]: self.of(names[seat]).after(replay, seat, self.types)
            for seat in replay.showdown
        }
        return replace(self, habits={**self.habits, **seen})


@dataclass(frozen=True)
class BPPPlayer:
    """BPP: the chance to win by the network of the round, then the betting curves.

    The chance against several opponents is the product of the chances to beat each, as if their
    hands were independent given the cards on view.
    """

    betting: Betting = field(default_factory=paper_betting)
    reader: HabitReader = field(default_factory=HabitReader)
    name: str = "BPP"

    def decide(
        self, observer: Observer, spot: DecisionPoint, down: tuple[Card, ...]
    ) -> Mapping[str, float]:
        """Return the probability of each legal action, by the betting curves."""
        board = board_of(observer)
        up, _ = board.sides(spot.seat)
        chance = self.chance(board, spot.seat, down)
        return self.betting.decide(chance, spot, down, up, board.bet)

    def chance(self, board: BoardObserver, seat: int, down: tuple[Card, ...]) -> float:
        """Return the chance to beat all opponents who are still in."""
        upcards = board.upcards
        at = board.street.number - FIVE_STUD.first
        types = self.reader.types
        code = types.hand((*down, *upcards[seat]))
        net = network(len(upcards[seat]) + 1, types)
        chance = 1.0
        for other, cards in upcards.items():
            if other != seat:
                acted = action_classes(board.decisions(other))
                matrix = self.reader.of(board.names[other]).matrices[at]
                chance *= net.beliefs(code, types.hand(cards), acted, matrix).win
        return chance
