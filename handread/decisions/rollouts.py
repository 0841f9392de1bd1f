"""Random continuations of a decision: what each action wins, on the same cards and draws.

The hidden cards are drawn from the reads of the actor, no card twice, and each continuation is
played on after every legal action with the same cards and the same draws of all players (common
random numbers), so that the difference of two actions has a smaller error than either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from handread.cards import DECK, Card
from handread.continuation import net, play_on
from handread.decisions.turns import Option, Turn
from handread.inference.joint import Deals

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HouseRake:
    """The part of every pot that the house keeps.

    Attributes:
        share: Fraction of the pot.
        most: Most that it takes, in minor units; None without a limit.
    """

    share: float = 0.0
    most: int | None = None

    def of(self, pot: int) -> int:
        """Return the rake of a pot, in whole minor units, rounded down."""
        rake = int(pot * self.share)
        return rake if self.most is None else min(rake, self.most)


@dataclass(frozen=True, slots=True, repr=False)
class Rollouts:
    """Continuations of a decision.

    Attributes:
        actions: The legal actions.
        nets: Net chips of the actor from the decision on, in minor units (rollouts, actions).
        weights: Importance weight of each rollout (rollouts,), with mean 1.
    """

    actions: tuple[str, ...]
    nets: Floats
    weights: Floats

    def __repr__(self) -> str:
        return f"<Rollouts: {self.weights.size} of {', '.join(self.actions)}>"


def exact_rollouts(
    turn: Turn, options: Sequence[Option], n: int, rng: np.random.Generator, rake: HouseRake
) -> Rollouts:
    """Return ``n`` continuations in which the observer of the table reads every action exactly.

    They are slow: 5 to 20 ms each. ``particle_rollouts`` stands for them.
    """
    deals = turn.deals(n, rng)
    nets = np.zeros((n, len(options)))
    seed = int(rng.integers(2**62))
    for i in np.flatnonzero(deals.weights).tolist():
        downcards = _downcards(deals, i)
        to_come = cards_to_come(turn, downcards, np.random.default_rng((seed, i)))
        for j, option in enumerate(options):
            nets[i, j] = _played_on(turn, option, downcards, to_come, (seed, i), rake)
    return Rollouts(
        tuple(option.action for option in options), nets, deals.weights / deals.weights.mean()
    )


def _played_on(
    turn: Turn,
    option: Option,
    downcards: dict[int, tuple[Card, ...]],
    to_come: dict[int, list[Card]],
    seed: tuple[int, int],
    rake: HouseRake,
) -> int:
    if option.action == "fold":
        return 0
    streams = {seat: np.random.default_rng((*seed, seat)) for seat in downcards}
    end = play_on(
        option.table,
        option.belief,
        downcards,
        to_come,
        turn.players,
        lambda seat: float(streams[seat].random()),
        turn.ties,
    )
    return net(end, turn.seat, rake.of(end.pot), turn.table)


def _downcards(deals: Deals, row: int) -> dict[int, tuple[Card, ...]]:
    """Return the downcards of every seat in a joint deal."""
    return {
        seat: tuple(Card(c) for c in deals.cards[deals.rows[row, place]].tolist() if c >= 0)
        for place, seat in enumerate(deals.seats)
    }


def cards_to_come(
    turn: Turn, downcards: dict[int, tuple[Card, ...]], rng: np.random.Generator
) -> dict[int, list[Card]]:
    """Return random cards to come of every active seat, in the order in which it gets them."""
    taken = {*turn.hidden.seen, *(card for cards in downcards.values() for card in cards)}
    deck = [card for card in DECK if card not in taken]
    order = [deck[i] for i in rng.permutation(len(deck)).tolist()]
    active = turn.table.active
    n, most = len(active), turn.table.game.n_cards
    return {seat: order[i::n][:most] for i, seat in enumerate(active)}
