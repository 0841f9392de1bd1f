"""Figure 6 of Saund 2006: what the bets add to the cards, stage by stage."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from handread.analysis import analyze_replay
from handread.experiments.moments import Moments
from handread.experiments.values import InformationGain, StageGain
from handread.simulate import Game, Setup, play_games
from handread.stud import STAGES

LOG2_N, ENTROPY, CARDS_ONLY, BET_INFERENCE = np.eye(4)


class GainSums:
    """The sums behind the table: four numbers a game for each stage with two or more active."""

    def __init__(self) -> None:
        self.games = 0
        self.stages = {stage: Moments(4) for stage in STAGES}
        self.ruled_out = dict.fromkeys(STAGES, 0)

    def add(self, game: Game, setup: Setup) -> None:
        """Count a game."""
        self.games += 1
        read = analyze_replay(game.replay, setup.lineup, ties=setup.ties, watched=game.watched)
        for stage in read.stages:
            if len(stage.active) < 2:
                continue
            entropy, divergences = stage.entropy_bits, stage.kl_bits
            assert entropy is not None  # a simulated game hides nothing
            assert divergences is not None
            if all(map(math.isfinite, divergences)):
                log2_n = math.log2(len(stage.active))
                self.stages[stage.stage].add((log2_n, entropy, *divergences))
            else:
                self.ruled_out[stage.stage] += 1

    def save(self, path: Path) -> None:
        """Keep the sums in a file, exactly."""
        stages = {stage: moments.record() for stage, moments in self.stages.items()}
        record = {"games": self.games, "stages": stages, "ruled_out": self.ruled_out}
        path.write_text(json.dumps(record), encoding="utf-8")

    def merge_file(self, path: Path) -> None:
        """Count all that a file of sums has counted."""
        record = json.loads(path.read_text(encoding="utf-8"))
        self.games += record["games"]
        for stage, moments in self.stages.items():
            moments.merge(Moments.from_record(record["stages"][stage]))
            self.ruled_out[stage] += record["ruled_out"][stage]

    def table(self, policy: str) -> InformationGain:
        """The averages; ``policy`` names what the players bet by."""
        return InformationGain(self.games, policy, tuple(map(self._stage, STAGES)))

    def _stage(self, stage: str) -> StageGain:
        moments = self.stages[stage]
        return StageGain(
            stage=stage,
            games=moments.n,
            log2_n=moments.mean(LOG2_N),
            entropy=moments.mean(ENTROPY),
            cards_only=moments.mean(CARDS_ONLY),
            bet_inference=moments.mean(BET_INFERENCE),
            gain=moments.ratio(CARDS_ONLY - BET_INFERENCE, CARDS_ONLY),
            ruled_out=self.ruled_out[stage],
        )


def measure_gain(setup: Setup, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the sums of what they show."""
    sums = GainSums()
    for game in play_games(setup, seed, numbers):
        sums.add(game, setup)
    sums.save(path)


def gain_table(files: Iterable[Path], policy: str) -> InformationGain:
    """The averages over the games of some files of sums, in their order."""
    sums = GainSums()
    for file in files:
        sums.merge_file(file)
    return sums.table(policy)
