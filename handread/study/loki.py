"""The tables behind Loki (Billings et al. 1998): incomes of starting hands, and frequencies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from handread.readers.loki.income import FIGURE, GAMES, PLAYERS, shares_of_start, starts
from handread.readers.loki.model import (
    ACTIONS,
    COSTS,
    FIRST_STREET,
    N_STREETS,
    Category,
    categories,
)
from handread.simulate import Setup, play_games
from handread.study.statistics import Estimate, FigureTable, Floats, Key, Moments
from handread.study.sums import Compute, Sums, measured


@dataclass(frozen=True)
class StartingHands(FigureTable):
    """Incomes of starting hands in bets a game, if everybody puts in one and nobody folds.

    The groups are the hands, by name. ``players`` sit at the table.
    """

    players: int
    games: int


def starting_hands(
    players: int = PLAYERS,
    games: int = GAMES,
    seed: int = 1,
    workers: int = 1,
    compute: Compute | None = None,
) -> StartingHands:
    """Play every starting hand against random hands to the showdown.

    Args:
        players: The number of players, two to seven.
        games: Games for each starting hand.
        seed: The random seed.
        workers: The number of processes.
        compute: As in ``measured``.
    """
    names = starts().names
    work = partial(_play_starts, players, games, seed)
    sums = measured(work, len(names), workers, compute=compute)
    figures = {}
    for name in names:
        share = sums.figure(name, np.ones(1))
        mean, error = players * share.mean - 1.0, players * share.error
        figures[Key(FIGURE, group=name)] = Estimate.normal(mean, error, games)
    return StartingHands(figures, players, games)


def _play_starts(players: int, games: int, seed: int, numbers: range, path: Path) -> None:
    """Play the starting hands of these numbers and keep the moments of their shares."""
    sums = Sums()
    names = starts().names
    for number in numbers:
        total, squares = shares_of_start(number, players, games, seed)
        moments = Moments(1, games)
        moments.means[0] = total / games
        moments.scatter[0, 0] = squares - total**2 / games
        sums.merge(names[number], moments)
        sums.games += games
    sums.save(path)


@dataclass(frozen=True)
class ActionFrequencies(FigureTable):
    """Frequencies of folds, checks and calls, bets and raises, by street and cost.

    The figures are the kinds of action, the stages are streets ("3"), the groups costs in bets.
    """

    players: str
    games: int

    @property
    def stages(self) -> tuple[str, ...]:
        """The streets."""
        return tuple(dict.fromkeys(key.stage for key in self.figures))


def action_frequencies(
    setup: Setup, games: int, seed: int = 1, workers: int = 1, compute: Compute | None = None
) -> ActionFrequencies:
    """Count the actions of simulated games by street, cost and kind.

    Args:
        setup: The players and their table.
        games: The number of games.
        seed: The random seed.
        workers: The number of processes.
        compute: As in ``measured``.
    """
    sums = measured(partial(_count_actions, setup, seed), games, workers, compute=compute)
    shape = N_STREETS, len(COSTS), len(ACTIONS)
    size = N_STREETS * len(COSTS) * len(ACTIONS)
    figures = {}
    for street in range(N_STREETS):
        for cost, words in enumerate(COSTS):
            under = np.zeros(shape)
            under[street, cost] = 1.0
            n = round(sums.figure("actions", under.ravel()).mean * games)
            for kind, action in enumerate(ACTIONS):
                over = np.zeros(shape)
                over[Category(street, cost, kind)] = 1.0
                found = sums.figure("actions", over.ravel(), under.ravel())
                share = Estimate.share(found.mean, found.error, n, games if n else 0)
                figures[Key(action, str(street + FIRST_STREET), words)] = share
    assert sums.of("actions", size).n == games
    deciders = [player.name for _, player in sorted(setup.deciders.items())]
    models = setup.players.name if len(deciders) < len(setup.seats) else ""
    names = "; ".join(filter(None, [models, ", ".join(deciders)]))
    return ActionFrequencies(figures, names, games)


def _count_actions(setup: Setup, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the moments of their counts of actions."""
    sums = Sums()
    for game in play_games(setup, seed, numbers):
        counts: Floats = np.zeros((N_STREETS, len(COSTS), len(ACTIONS)))
        for _, category in categories(game.replay.decisions):
            counts[category] += 1
        sums.add("actions", counts.ravel())
        sums.games += 1
    sums.save(path)
