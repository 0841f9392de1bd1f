"""Sums over games by stage, kept in files: what the tables by stage are made from."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from handread.experiments.moments import Moments
from handread.runs import read_record
from handread.stud import STAGES


class StageSums:
    """Some numbers for each game and stage, summed over games.

    ``games`` counts the games, ``ruled_out`` by stage the vectors that were left out because one
    of their numbers was infinite.
    """

    def __init__(self, size: int) -> None:
        self.games = 0
        self.stages = {stage: Moments(size) for stage in STAGES}
        self.ruled_out = dict.fromkeys(STAGES, 0)

    def add(self, stage: str, values: Sequence[float]) -> None:
        """Count the numbers of a game at a stage."""
        if all(map(math.isfinite, values)):
            self.stages[stage].add(values)
        else:
            self.ruled_out[stage] += 1

    def save(self, path: Path) -> None:
        """Keep the sums in a file, exactly."""
        stages = {stage: moments.record() for stage, moments in self.stages.items()}
        record = {"games": self.games, "stages": stages, "ruled_out": self.ruled_out}
        path.write_text(json.dumps(record), encoding="utf-8")

    @classmethod
    def load(cls, size: int, files: Iterable[Path]) -> StageSums:
        """The sums of some files together, in their order."""
        sums = cls(size)
        for file in files:
            record = read_record(file)
            sums.games += record["games"]
            for stage, moments in sums.stages.items():
                moments.merge(Moments.from_record(record["stages"][stage]))
                sums.ruled_out[stage] += record["ruled_out"][stage]
        return sums
