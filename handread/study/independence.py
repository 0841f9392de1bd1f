"""The cost of treating the downcards of the seats as independent, in bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from handread.game.rules import STAGES
from handread.inference.joint import StageCost, independence_cost
from handread.simulate import Setup, read_games
from handread.study.replication import StageSums, figures_of_stage
from handread.study.statistics import Estimate, Figure, FigureTable


@dataclass(frozen=True, slots=True)
class StageIndependence:
    """The cost of independent seats at a stage, in bits, over the games with two or more active.

    ``cards_only`` and ``bet_inference`` are D(joint chances || independent chances), the cost on
    average over what an observer takes for possible; the ``_on_truth`` figures what it
    was on the cards that were dealt, with the same mean for the right policy and far more noise.
    ``equation_1`` is what the formula loses when all downcards are known. ``ruled_out`` games are
    left out, as in ``StageGain``.
    """

    stage: str
    games: int
    cards_only: Estimate
    bet_inference: Estimate
    cards_only_on_truth: Estimate
    bet_inference_on_truth: Estimate
    equation_1: Estimate
    ruled_out: int = 0

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name."""
        return {
            "cards_only_bits": self.cards_only,
            "bet_inference_bits": self.bet_inference,
            "cards_only_on_truth_bits": self.cards_only_on_truth,
            "bet_inference_on_truth_bits": self.bet_inference_on_truth,
            "equation_1_bits": self.equation_1,
        }


@dataclass(frozen=True, slots=True)
class IndependenceCost(FigureTable):
    """The cost of independence by stage, from ``draws`` joint deals a stage and observer."""

    games: int
    policy: str
    draws: int
    stages: tuple[StageIndependence, ...]

    def figures(self) -> Iterator[Figure]:
        """Yield the figures by stage; ``infinite`` counts the games left out."""
        for row in self.stages:
            yield from figures_of_stage(row.stage, row.games, row.ruled_out, row.figures())


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
