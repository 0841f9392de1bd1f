"""Calibration of the observer in simulated games: of what it gives 30%, 30% should happen."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from handread.cards import DECK_SIZE
from handread.game.rules import HandRank, best_hand
from handread.inference.values import Analysis, StageReading
from handread.parallel import read_record
from handread.simulate import Game, Setup, read_games
from handread.study.scores import BINS, KINDS
from handread.study.statistics import (
    CalibrationBin,
    Estimate,
    Figure,
    FigureTable,
    reliability_figures,
)


@dataclass(frozen=True, slots=True)
class Calibration(FigureTable):
    """A reliability table over ``games`` simulated games, by kind of event."""

    games: int
    policy: str
    bins: Mapping[str, tuple[CalibrationBin, ...]]

    def figures(self) -> Iterator[Figure]:
        """Yield what came true, by kind of event and bin."""
        return reliability_figures(self.bins)


class CalibrationSums:
    """The sums behind a reliability table: by kind of event and bin of probability.

    Events of one game are correlated, so errors are clustered by game: ``squares`` adds
    up, over games, the square of what the outcomes of a bin exceed their chances by.
    """

    def __init__(self) -> None:
        self.games = 0
        # By kind and bin: events, sum of chances, sum of outcomes, squared excess a game.
        self.sums = np.zeros((len(KINDS), BINS, 4))

    def add(self, game: Game, read: Analysis) -> None:
        """Count a game and what was read in it."""
        self.games += 1
        ranks = {seat: best_hand(cards) for seat, cards in game.full_hands.items()}
        mine = np.zeros((len(KINDS), BINS, 3))
        for stage in read.stages:
            if len(stage.active) < 2:
                continue
            for kind, events in enumerate((_wins(stage, ranks), _categories(stage, ranks))):
                for chance, outcome in events:
                    mine[kind, min(int(chance * BINS), BINS - 1)] += (1.0, chance, outcome)
        self.sums[:, :, :3] += mine
        self.sums[:, :, 3] += (mine[:, :, 2] - mine[:, :, 1]) ** 2

    def save(self, path: Path) -> None:
        """Keep the sums in a file, exactly."""
        record = {"games": self.games, "sums": self.sums.tolist()}
        path.write_text(json.dumps(record), encoding="utf-8")

    @classmethod
    def load(cls, files: Iterable[Path]) -> CalibrationSums:
        """The sums of some files together, in their order."""
        sums = cls()
        for file in files:
            record = read_record(file)
            sums.games += record["games"]
            sums.sums += np.array(record["sums"])
        return sums

    def _error(self, squares: float) -> float:
        """The error of what happened, given its chance; NaN from a single game."""
        return math.sqrt(squares) if self.games > 1 else math.nan

    def table(self, policy: str) -> Calibration:
        """The reliability table; bins without events are left out."""
        bins = {
            kind: tuple(
                CalibrationBin(
                    low=place / BINS,
                    high=(place + 1) / BINS,
                    events=int(n),
                    chance=chances / n,
                    happened=Estimate(outcomes / n, self._error(squares) / n, n=int(n)),
                )
                for place, (n, chances, outcomes, squares) in enumerate(rows.tolist())
                if n
            )
            for kind, rows in zip(KINDS, self.sums, strict=True)
        }
        return Calibration(self.games, policy, bins)


def _wins(stage: StageReading, ranks: dict[int, HandRank]) -> Iterator[tuple[float, float]]:
    """Each active seat's chance to win, and its share of the pot were all to stay in."""
    best = max(ranks[seat] for seat in stage.active)
    winners = [seat for seat in stage.active if ranks[seat] == best]
    for seat, chance in stage.bet_inference.items():
        yield chance, (seat in winners) / len(winners)


def _categories(stage: StageReading, ranks: dict[int, HandRank]) -> Iterator[tuple[float, float]]:
    """The chance of each category that an active seat's hand may become, and whether it does."""
    for seat in stage.active:
        for category, chance in enumerate(stage.seats[seat].categories()):
            if chance > 0.0:  # to rule out what cannot be is no skill
                yield chance, float(ranks[seat][0] == category)


def measure_calibration(setup: Setup, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the sums of what they show.

    Raises ``ValueError`` for eight players, for whom the deck holds no seven cards each.
    """
    if len(setup.seats) * 7 > DECK_SIZE:
        raise ValueError("calibration needs seven cards for every seat: 7 players at most")
    sums = CalibrationSums()
    for game, read in read_games(setup, seed, numbers):
        sums.add(game, read)
    sums.save(path)


def calibration_table(files: Iterable[Path], policy: str) -> Calibration:
    """The reliability table over the games of some files of sums, in their order."""
    return CalibrationSums.load(files).table(policy)
