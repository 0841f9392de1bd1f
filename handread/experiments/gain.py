"""Figure 6 of Saund 2006: what the bets add to the cards, stage by stage."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from handread.experiments.moments import Moments
from handread.experiments.stage_sums import StageSums
from handread.experiments.values import InformationGain, StageGain
from handread.simulate import Setup, read_games
from handread.stud import STAGES

LOG2_N, ENTROPY, CARDS_ONLY, BET_INFERENCE = np.eye(4)


def measure_gain(setup: Setup, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the sums of what they show."""
    sums = StageSums(4)
    for _, read in read_games(setup, seed, numbers):
        sums.games += 1
        for stage in read.stages:
            if len(stage.active) < 2:
                continue
            entropy, divergences = stage.entropy_bits, stage.kl_bits
            assert entropy is not None  # a simulated game hides nothing
            assert divergences is not None
            sums.add(stage.stage, (math.log2(len(stage.active)), entropy, *divergences))
    sums.save(path)


def gain_table(files: Iterable[Path], policy: str) -> InformationGain:
    """The averages over the games of some files of sums; ``policy`` names what they bet by."""
    sums = StageSums.load(4, files)
    stages = (stage_gain(stage, sums.stages[stage], sums.ruled_out[stage]) for stage in STAGES)
    return InformationGain(sums.games, policy, tuple(stages))


def stage_gain(stage: str, moments: Moments, ruled_out: int) -> StageGain:
    """The row of a stage, from the moments of (log2 N, entropy, K-L of both observers)."""
    return StageGain(
        stage=stage,
        games=moments.n,
        log2_n=moments.mean(LOG2_N),
        entropy=moments.mean(ENTROPY),
        cards_only=moments.mean(CARDS_ONLY),
        bet_inference=moments.mean(BET_INFERENCE),
        gain=moments.ratio(CARDS_ONLY - BET_INFERENCE, CARDS_ONLY),
        ruled_out=ruled_out,
    )
