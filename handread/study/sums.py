"""Sums over simulated games, kept in files so that long runs can be spread and resumed."""

from __future__ import annotations

import json
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from handread.parallel import (
    Work,
    no_tick,
    part_size,
    planned_parts,
    read_record,
    run_parts,
)
from handread.study.statistics import Estimate, Floats, Moments


class Sums:
    """The moments of vectors by name.

    Attributes:
        games: The number of games.
        ruled_out: By name, the number of vectors that were left out because one of their numbers
            is infinite: a read ruled out what could be.
    """

    def __init__(self) -> None:
        self.games = 0
        self.ruled_out: Counter[str] = Counter()
        self._moments: dict[str, Moments] = {}

    def add(self, name: str, values: Iterable[float]) -> bool:
        """Count a vector; return False for one that is left out."""
        vector = tuple(values)
        if not all(map(math.isfinite, vector)):
            self.ruled_out[name] += 1
            return False
        self._moments.setdefault(name, Moments(len(vector))).add(vector)
        return True

    def merge(self, name: str, moments: Moments, ruled_out: int = 0) -> None:
        """Count all the vectors of some moments."""
        self._moments.setdefault(name, Moments(moments.size)).merge(moments)
        self.ruled_out[name] += ruled_out

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order in which they were first counted."""
        return tuple(self._moments)

    def of(self, name: str, size: int) -> Moments:
        """Return the moments of the vectors of a name."""
        return self._moments.get(name) or Moments(size)

    def figure(self, name: str, over: Floats, under: Floats | None = None) -> Estimate:
        """Return the mean of a weighted sum of the numbers, or the ratio of two of them.

        ``n`` of the estimate counts the vectors, ``infinite`` those that were left out.
        """
        moments = self.of(name, over.size)
        found = moments.mean(over) if under is None else moments.ratio(over, under)
        n = moments.n
        return replace(found, n=n, infinite=self.ruled_out[name])

    def save(self, path: Path) -> None:
        """Keep the sums in a file, exactly."""
        moments = {name: found.record() for name, found in self._moments.items()}
        record = {"games": self.games, "moments": moments, "ruled_out": self.ruled_out}
        path.write_text(json.dumps(record), encoding="utf-8")

    @classmethod
    def load(cls, files: Iterable[Path]) -> Sums:
        """Return the sums of some files together, in their order."""
        sums = cls()
        for file in files:
            record = read_record(file)
            sums.games += record["games"]
            for name, moments in record["moments"].items():
                sums.merge(name, Moments.from_record(moments))
            sums.ruled_out.update(record["ruled_out"])
        return sums


Compute = Callable[[Work, int, int], Iterable[Path]]
"""A function that does the work for n games, one of which takes as long as ``weight`` plain ones,
and returns the files of its parts."""


def measured(
    work: Work, games: int, workers: int = 1, weight: int = 1, compute: Compute | None = None
) -> Sums:
    """Return the sums of games, measured in parts by several processes.

    The arguments are those of ``part_files``; the work saves the sums of the games of a part.
    """
    with part_files(work, games, workers, weight, compute) as files:
        return Sums.load(files)


@contextmanager
def part_files(
    work: Work, games: int, workers: int = 1, weight: int = 1, compute: Compute | None = None
) -> Iterator[Iterable[Path]]:
    """Do the work for n games in parts, by several processes, and yield the files of the parts.

    Args:
        work: The function that does the work for the games of a part and keeps the result; pickled
            if there is more than one worker.
        games: The number of games.
        workers: The number of processes.
        weight: The number of plain games that one takes as long as.
        compute: A function that runs the parts; by default in a temporary folder.
    """
    if compute is not None:
        yield compute(work, games, weight)
        return
    with tempfile.TemporaryDirectory(prefix="handread-") as folder:
        parts = planned_parts(Path(folder), games, size=part_size(weight))
        run_parts(work, parts, workers, no_tick)
        yield [part.file for part in parts]
