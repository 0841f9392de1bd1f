"""Random continuations of a decision: the net of each action, with the same cards and draws.

The hidden cards are drawn jointly from the reads of the actor. After every legal action the hand is
played on with the same cards and the same draws of all players (common random numbers), so that the
difference of two actions has a smaller error than either.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from handread.arrays import Floats, Ints
from handread.cards import DECK_SIZE, Card
from handread.continuation import net, play_on
from handread.decisions.turns import LegalAction, Turn

N_DRAWS = 16
"""Draws of a player for the actions of a continuation; they repeat in longer ones."""


@dataclass(frozen=True, slots=True)
class HouseRake:
    """The share of every pot that the house keeps."""

    share: float = 0.0  # fraction of the pot
    most: int | None = None  # largest rake, in minor units; None without a limit

    def of(self, pot: int) -> int:
        """Return the rake of a pot, in whole minor units, rounded down."""
        rake = int(pot * self.share)
        return rake if self.most is None else min(rake, self.most)


@dataclass(frozen=True, slots=True, repr=False)
class Futures:
    """The cards and draws of each rollout. Seats are those dealt in, in order of their numbers."""

    seats: tuple[int, ...]  # numbers of the seats
    down: Ints  # downcards (rollouts, seats, 3), padded with -1
    order: Ints  # cards to come in the order of the deal (rollouts, 52); -1 after the last
    draws: Floats  # uniform draws for the actions (rollouts, seats, ``N_DRAWS``)
    weights: Floats  # importance weight of each rollout (rollouts,), with mean 1

    def part(self, rows: slice) -> "Futures":
        """Return the futures of some rows."""
        return Futures(
            self.seats, self.down[rows], self.order[rows], self.draws[rows], self.weights[rows]
        )


def draw_futures(turn: Turn, n: int, rng: np.random.Generator) -> Futures:
    """Return ``n`` futures of a turn, for the player to act."""
    deals = turn.deals(n, rng)
    seats = tuple(player.seat for player in turn.table.players if player.dealt_in)
    down = np.full((n, len(seats), 3), -1)
    for place, seat in enumerate(seats):
        if seat in deals.seats:
            down[:, place] = deals.downcards(seat)
    left = np.ones((n, DECK_SIZE + 1), dtype=bool)
    left[:, DECK_SIZE] = False
    left[:, list(turn.hidden.seen)] = False
    left[np.arange(n)[:, None], down.reshape(n, -1)] = False  # -1 is the place after the last card
    keys = np.where(left[:, :DECK_SIZE], rng.random((n, DECK_SIZE)), 2.0)
    order = np.argsort(keys, axis=1)
    order[np.take_along_axis(keys, order, axis=1) > 1.0] = -1
    draws = rng.random((n, len(seats), N_DRAWS))
    return Futures(seats, down, order, draws, deals.weights / deals.weights.mean())


@dataclass(frozen=True, slots=True)
class Rollouts:
    """Continuations of a decision."""

    nets: Floats  # net chips of the actor from the decision on, in minor units (rollouts, actions)
    weights: Floats  # importance weight of each rollout (rollouts,), with mean 1


RollOut = Callable[[Turn, Sequence[LegalAction], Futures, HouseRake], Rollouts]
"""A way to play the futures of a turn: ``exact_rollouts`` or ``particles.particle_rollouts``."""


def exact_rollouts(
    turn: Turn, options: Sequence[LegalAction], futures: Futures, rake: HouseRake
) -> Rollouts:
    """Return continuations in which the table's observer reads every action exactly.

    They take 1 to 8 ms each; ``particles.particle_rollouts`` approximates them.
    """
    nets = np.zeros((futures.weights.size, len(options)))
    for i in np.flatnonzero(futures.weights).tolist():
        for j, option in enumerate(options):
            if option.action != "fold":
                nets[i, j] = _played_on(turn, option, futures, i, rake)
    return Rollouts(nets, futures.weights)


def _played_on(turn: Turn, option: LegalAction, futures: Futures, i: int, rake: HouseRake) -> int:
    downcards = {
        seat: tuple(Card(card) for card in cards if card >= 0)
        for seat, cards in zip(futures.seats, futures.down[i].tolist(), strict=True)
    }
    deck = [Card(card) for card in futures.order[i].tolist() if card >= 0]
    active, most = turn.table.active, turn.table.game.n_cards
    to_come = {seat: deck[place :: len(active)][:most] for place, seat in enumerate(active)}
    acted = {seat: count() for seat in active}
    draws = dict(zip(futures.seats, futures.draws[i].tolist(), strict=True))
    kept = {seat: turn.shares(option.belief, seat) for seat in option.belief.shares}
    shares = {seat: share for seat, share in kept.items() if share is not None}
    end = play_on(
        option.table,
        replace(option.belief, shares=shares),
        downcards=downcards,
        to_come=to_come,
        players=turn.later,
        draw=lambda seat: draws[seat][next(acted[seat]) % N_DRAWS],
        ties=turn.ties,
    )
    return net(end, turn.seat, rake.of(end.pot), turn.table)
