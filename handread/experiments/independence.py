"""What it costs to take the seats as independent, instead of dealing all downcards together."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from handread.experiments.stage_sums import StageSums
from handread.experiments.values import IndependenceCost, StageIndependence
from handread.joint import StageCost, independence_cost
from handread.simulate import Setup, read_games
from handread.stud import STAGES

JOINT_STREAM = 1_000
"""Of the streams of chance that a game's number begins, the one for joint deals."""


def measure_independence(setup: Setup, draws: int, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the sums of what independence costs in them."""
    sums = StageSums(5)
    for number, (_, read) in zip(numbers, read_games(setup, seed, numbers), strict=True):
        sums.games += 1
        rng = np.random.default_rng((seed, number, JOINT_STREAM))
        for cost in independence_cost(read, draws, rng):
            sums.add(cost.stage, _figures(cost))
    sums.save(path)


def _figures(cost: StageCost) -> tuple[float, ...]:
    figures = (
        cost.cards_only.expected,
        cost.bet_inference.expected,
        cost.cards_only.on_truth,
        cost.bet_inference.on_truth,
        cost.equation_1,
    )
    return tuple(figure.bits for figure in figures)


def independence_table(files: Iterable[Path], policy: str, draws: int) -> IndependenceCost:
    """The averages over the games of some files of sums."""
    sums = StageSums.load(5, files)
    rows = []
    for stage in STAGES:
        moments = sums.stages[stage]
        cards, bets, cards_true, bets_true, formula = map(moments.mean, np.eye(5))
        rows.append(
            StageIndependence(
                stage=stage,
                games=moments.n,
                cards_only=cards,
                bet_inference=bets,
                cards_only_on_truth=cards_true,
                bet_inference_on_truth=bets_true,
                equation_1=formula,
                ruled_out=sums.ruled_out[stage],
            )
        )
    return IndependenceCost(sums.games, policy, draws, tuple(rows))
