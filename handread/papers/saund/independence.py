"""The cost of treating the downcards of the seats as independent, in bits."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from handread.inference.joint import independence_cost
from handread.runs import Run
from handread.simulate import Setup, read_games
from handread.study.statistics import FigureTable
from handread.study.sums import Row, Study

INDEPENDENCE_FIGURES = (
    "cards_only_bits",
    "bet_inference_bits",
    "cards_only_on_truth_bits",
    "bet_inference_on_truth_bits",
    "equation_1_bits",
)
"""The figures of a stage, over the games with two or more active.

The first two are D(joint chances || independent chances): the mean cost over the deals that an
observer thinks possible, and ``on_truth`` the cost on the true cards, which has the same mean under
the right policy but far more noise. The last is the loss of equation 1 when all downcards are
known. Games are left out where one of the figures is infinite.
"""


@dataclass(frozen=True)
class IndependenceCost(FigureTable):
    """The cost of independence by stage, from ``draws`` joint deals a stage and observer."""

    games: int
    policy: str
    draws: int


JOINT_STREAM = 1_000
"""The random stream of a game for joint deals."""


def independence(
    setup: Setup, games: int = 250, draws: int = 20_000, run: Run = Run()
) -> IndependenceCost:
    """Play games and measure the cost of independence, with ``draws`` joint deals each time.

    Each observer has joint deals of its own at each stage.
    """
    study = Study(partial(independence_rows, setup, draws, run.seed), 1 + draws // 500)
    sums, names = study.sums(games, run), INDEPENDENCE_FIGURES
    weights = {name: (weight,) for name, weight in zip(names, np.eye(len(names)), strict=True)}
    return IndependenceCost(sums.by_stage(weights), sums.games, setup.players.name, draws)


def independence_rows(setup: Setup, draws: int, seed: int, number: int) -> Iterator[Row]:
    """Play a game, and yield the cost of independence by stage, in bits."""
    ((_, read),) = read_games(setup, seed, range(number, number + 1))
    rng = np.random.default_rng((seed, number, JOINT_STREAM))
    for cost in independence_cost(read, draws, rng):
        both = cost.cards_only, cost.bet_inference
        figures = [*(each.expected for each in both), *(each.on_truth for each in both)]
        yield cost.stage, [figure.bits for figure in (*figures, cost.equation_1)]
