"""Games of a learner at a table of others, with what each of its actions is worth.

The games are compiled (``kernels.rollouts``), with particles for the public beliefs: a game takes a
millisecond. Everybody reads a seat by the policy by which it acts, the learner too.

A *deal* has the same upcards on the first street in some games, which differ in all other cards.
Each decision of the learner is played again from the start with each legal action in turn, with the
same cards, the same draws of all players and the same play before it. The learner's net after one
action is so noisy as its luck, two to four big bets, but its mean over games is exact: the true
cards and the play before are drawn as the learner would meet them. A policy fitted to many such
decisions averages the noise (``improve``); many rollouts of few decisions would cost the same and
say less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import handread.decisions.particles as particles
from handread.arrays import Flags, Floats, Ints
from handread.cards import DECK_SIZE, N_PAIRS, Card
from handread.decisions.rollouts import N_DRAWS, Futures, HouseRake
from handread.game.table import Table
from handread.history import Seat
from handread.inference.players import Model
from handread.kernels import rollout_state as kernels
from handread.kernels.actions import BET, CALL, FOLD, RAISE
from handread.kernels.betting import PAID
from handread.odds.htpd import holding_cards
from handread.policy import weights_of
from handread.policy.features import STUD_HIGH
from handread.simulate import Setup, first_decision

ME = 0
"""The place of the learner at the table. Doors are random, so that its position is random too."""

Features = npt.NDArray[np.float32]


class Seen(NamedTuple):
    """Decisions of the learner; N decisions, K features of ``STUD_HIGH.names``."""

    features: Features  # values of the features by weight (N, K)
    legal: Flags  # which of check or call, bet, fold and raise are legal (N, 4)
    nets: Floats  # the net of the whole game after each action, big bets (N, 4); 0 if not legal
    games: Ints  # number of the game of each (N,)


@dataclass(frozen=True)
class DealGames:
    """Games that begin with the same upcards, and the models of the players by place."""

    models: tuple[Model, ...]
    table: Table  # at the first decision
    down: Ints  # downcards (games, seats, 3), padded with -1
    order: Ints  # the cards to come (games, 52), padded with -1
    draws: Floats  # draws for the actions (games, seats, N_DRAWS)
    seed: int
    start: tuple[kernels.Setting, kernels.Particles]

    @classmethod
    def drawn(
        cls, models: Sequence[Model], games: int, seed: int, number: int, setup: Setup
    ) -> DealGames:
        """Return the numbered deal of a random seed, with the stakes and the game of a setup."""
        n, rng = len(models), np.random.default_rng((seed, number, 1))
        seats = tuple(Seat(place) for place in range(1, n + 1))
        table = first_decision(replace(setup, seats=seats), seed, number)
        seen = [Card(card) for player in table.players for card in player.up if card is not None]
        unseen = np.setdiff1d(np.arange(DECK_SIZE), seen)
        shuffled = rng.permuted(np.tile(unseen, (games, 1)), axis=1)
        n_down = setup.game.streets[0].down
        down = np.full((games, n, 3), -1)
        down[:, :, :n_down] = shuffled[:, : n * n_down].reshape(games, n, n_down)
        order = np.full((games, DECK_SIZE), -1)
        order[:, : unseen.size - n * n_down] = shuffled[:, n * n_down :]
        places = tuple(seat.number for seat in seats)
        setting = particles.setting_of(table, places, places, seen, setup.ties)
        start = setting, _particles(n, n_down, seen, rng)
        draws = rng.random((games, n, N_DRAWS))
        seed = int(rng.integers(2**31))
        return cls(tuple(models), table, down, order, draws=draws, seed=seed, start=start)

    def nets(self) -> tuple[Floats, Ints]:
        """Return the learner's net, in big bets, and its number of decisions, (games,) each."""
        nets, notes = self._play(np.arange(len(self.draws)), self.draws)
        return nets, notes[:, -1].astype(np.int64)

    def decisions(self) -> Seen:
        """Return the learner's decisions in all games."""
        n_acted = np.minimum(self.nets()[1], N_DRAWS)
        rows = np.repeat(np.arange(n_acted.size), n_acted)
        place = np.arange(rows.size) - np.repeat(np.cumsum(n_acted) - n_acted, n_acted)
        nets = np.zeros((rows.size, 4))
        nets[:, CALL], notes = self._forced(rows, place, np.full(rows.size, CALL))
        legal = np.zeros((rows.size, 4), dtype=bool)
        first = kernels.N_COMMON + kernels.N_CONDITIONS
        legal[:, 0], legal[:, 1:] = notes[:, 0] > 0.0, notes[:, first : first + 3] > 0.0
        bold = np.where(legal[:, RAISE], RAISE, BET)
        free = np.flatnonzero(legal[:, BET] | legal[:, RAISE])
        nets[free, bold[free]], _ = self._forced(rows[free], place[free], bold[free])
        before = self.start[0].seats[ME, PAID]
        nets[:, FOLD] = (before - notes[:, -2]) / self.table.stakes.bets[-1]
        nets[~legal] = 0.0
        reached = np.flatnonzero(legal[:, 0])
        return Seen(_features(notes[reached]), legal[reached], nets[reached], rows[reached])

    def _forced(self, rows: Ints, place: Ints, actions: Ints) -> tuple[Floats, Floats]:
        draws = self.draws[rows]
        draws[np.arange(rows.size), ME, place] = -1.0 - actions
        return self._play(rows, draws)

    def _play(self, rows: Ints, draws: Floats) -> tuple[Floats, Floats]:
        game = self.table.game
        arrays = particles.policy_arrays(self.models, game)
        if arrays is None:
            raise ValueError("policies of trees do not play in compiled games")
        arrays = arrays._replace(with_kinds=game.seven_card_high)
        seats = tuple(player.seat for player in self.table.players)
        futures = Futures(seats, self.down[rows], self.order[rows], draws, np.ones(rows.size))
        priors = _priors(self.models)
        shares = np.broadcast_to(priors, (rows.size, *priors.shape)).copy()
        setting, holdings = self.start
        start = setting, holdings._replace(belief=priors[:, :, None] * holdings.even[:, None, :])
        chances = particles.chances_of(futures, len(self.models), shares)
        nets, notes = particles.played_out(
            ME, game, start, arrays, chances, seed=self.seed, rake=HouseRake(), noted=True
        )
        return nets / self.table.stakes.bets[-1], notes


def _priors(models: Sequence[Model]) -> Floats:
    """Return the prior weights of the members of each seat's policy, (seats, members)."""
    weights = [weights_of(model.policy) for model in models]
    priors = np.zeros((len(weights), max(map(len, weights))))
    for row, of_policy in zip(priors, weights, strict=True):
        row[: len(of_policy)] = of_policy
    return priors


def _particles(
    n: int, n_down: int, seen: Sequence[Card], rng: np.random.Generator
) -> kernels.Particles:
    """Return equally likely holdings for each seat."""
    room = particles.N_PARTICLES * particles.THIRDS
    hold = np.zeros((n, room, 3), dtype=np.int64)
    even = np.zeros((n, room))
    cards = holding_cards(DECK_SIZE if n_down == 1 else N_PAIRS)
    live = np.flatnonzero(~np.isin(cards, seen).any(axis=1))
    size = min(live.size, particles.N_PARTICLES)
    for seat in range(n):
        steps = (np.arange(size) + rng.random()) / size
        rows = live[(steps * live.size).astype(np.int64)]
        hold[seat, :size, :n_down] = cards[rows]
        even[seat, :size] = 1.0 / size
    return kernels.Particles(hold, even, even[:, None, :], np.full(n, size))


def _features(notes: Floats) -> Features:
    """Return the values of the features by weight (N, K) from noted decisions."""
    first, second = kernels.N_COMMON, kernels.N_COMMON + kernels.N_CONDITIONS
    rest = notes[:, second:]
    n, percentile, chance, code = rest[:, 3], rest[:, 4], rest[:, 5], rest[:, 6].astype(np.uint32)
    scaled = np.clip(np.log(np.maximum(chance, 1e-300)) + np.log(n), -2.0, 2.0)
    levels = (code[:, None] >> STUD_HIGH.shifts) & STUD_HIGH.masks
    kinds = STUD_HIGH.values[np.arange(levels.shape[1]), levels]
    of_holding = [(2.0 * percentile - 1.0)[:, None], scaled[:, None], kinds]
    common, columns = STUD_HIGH.columns
    features = np.zeros((len(notes), len(STUD_HIGH.names)), dtype=np.float32)
    features[:, common] = notes[:, :first]
    conditions = notes[:, first:second, None]
    features[:, columns] = conditions * np.concatenate(of_holding, axis=1)[:, None, :]
    return features
