"""The cost of treating the downcards of the seats as independent, in bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from handread.inference.joint import StageCost, independence_cost
from handread.simulate import Setup, read_games
from handread.study.statistics import FigureTable, Key, stages_with
from handread.study.sums import Compute, Sums, measured

INDEPENDENCE_FIGURES = (
    "cards_only_bits",
    "bet_inference_bits",
    "cards_only_on_truth_bits",
    "bet_inference_on_truth_bits",
    "equation_1_bits",
)
"""The figures of a stage, over the games with two or more active.

The first two are D(joint chances || independent chances), the cost on average over what an observer
takes for possible; those ``on_truth`` are what it was on the cards that were dealt, with the same
mean for the right policy and far more noise. The last is what equation 1 loses when all downcards
are known. Games are left out where one of the figures is infinite.
"""


@dataclass(frozen=True)
class IndependenceCost(FigureTable):
    """The cost of independence by stage, from ``draws`` joint deals a stage and observer."""

    games: int
    policy: str
    draws: int


JOINT_STREAM = 1_000
"""Of the random streams of a game, the one for joint deals."""


def independence(
    setup: Setup,
    games: int = 250,
    seed: int = 1,
    draws: int = 20_000,
    workers: int = 1,
    compute: Compute | None = None,
) -> IndependenceCost:
    """Play games and measure what independent seats cost an observer.

    Args:
        setup: The table.
        games: The number of games.
        seed: The random seed.
        draws: The number of joint deals at each stage, for each observer.
        workers: The number of processes.
        compute: As in ``measured``.
    """
    work = partial(measure_independence, setup, draws, seed)
    sums = measured(work, games, workers, 1 + draws // 500, compute)
    return independence_table(sums, setup.players.name, draws)


def measure_independence(setup: Setup, draws: int, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the sums of what independence costs in them."""
    sums = Sums()
    for number, (_, read) in zip(numbers, read_games(setup, seed, numbers), strict=True):
        sums.games += 1
        rng = np.random.default_rng((seed, number, JOINT_STREAM))
        for cost in independence_cost(read, draws, rng):
            sums.add(cost.stage, _bits(cost))
    sums.save(path)


def _bits(cost: StageCost) -> tuple[float, ...]:
    figures = (
        cost.cards_only.expected,
        cost.bet_inference.expected,
        cost.cards_only.on_truth,
        cost.bet_inference.on_truth,
        cost.equation_1,
    )
    return tuple(figure.bits for figure in figures)


def independence_table(sums: Sums, policy: str, draws: int) -> IndependenceCost:
    """Return the averages over games."""
    weights = np.eye(len(INDEPENDENCE_FIGURES))
    figures = {
        Key(name, stage): sums.figure(stage, weight)
        for stage in stages_with(sums.names)
        for name, weight in zip(INDEPENDENCE_FIGURES, weights, strict=True)
    }
    return IndependenceCost(figures, sums.games, policy, draws)
