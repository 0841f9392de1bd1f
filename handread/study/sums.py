"""Sums over simulated games, kept in files so that long runs can be spread and resumed."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

from handread.arrays import Floats
from handread.parallel import Jobs, RunError, damaged
from handread.runs import Run
from handread.study.statistics import Estimate, Key, Moments, stages_with
from handread.typed import read_typed, write_typed

Weights = tuple[Floats] | tuple[Floats, Floats]
"""The weights of the numbers of a vector in a figure: of a mean, or over and under a ratio."""


class _Kept(NamedTuple):
    games: int
    moments: dict[str, Moments]
    ruled_out: dict[str, int]


class Sums:
    """The moments of vectors by name.

    ``ruled_out`` counts vectors left out as a number is infinite: a read ruled out a possibility.
    """

    def __init__(self) -> None:
        self.games = 0
        self.ruled_out: Counter[str] = Counter()
        self._moments: dict[str, Moments] = {}

    def add(self, name: str, values: Iterable[float] | Moments) -> None:
        """Count a vector, unless one of its numbers is infinite, or all vectors of some moments."""
        if isinstance(values, Moments):
            self.merge(name, values)
            return
        vector = tuple(values)
        if all(map(math.isfinite, vector)):
            self._moments.setdefault(name, Moments.none(len(vector))).add(vector)
        else:
            self.ruled_out[name] += 1

    def merge(self, name: str, moments: Moments, ruled_out: int = 0) -> None:
        """Count all the vectors of some moments."""
        self._moments.setdefault(name, Moments.none(moments.size)).merge(moments)
        self.ruled_out[name] += ruled_out

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order of their first vectors."""
        return tuple(self._moments)

    def of(self, name: str, size: int) -> Moments:
        """Return the moments of the vectors of a name; raise ``RunError`` for another size."""
        moments = self._moments.get(name) or Moments.none(size)
        if moments.size != size:
            raise RunError(f"{name}: parts do not fit this run; delete them and run again")
        return moments

    def figure(self, name: str, over: Floats, under: Floats | None = None) -> Estimate:
        """Return the mean of a weighted sum of the numbers, or the ratio of two of them.

        ``n`` of the estimate counts the vectors, ``infinite`` the vectors left out.
        """
        moments = self.of(name, over.size)
        estimate = moments.mean(over) if under is None else moments.ratio(over, under)
        return replace(estimate, n=moments.n, infinite=self.ruled_out[name])

    def figures(
        self, name: str, weights: Mapping[str, Weights], stage: str = "", group: str = ""
    ) -> dict[Key, Estimate]:
        """Return figures of the vectors of a name, by the weights of each, for a table."""
        return {Key(figure, stage, group): self.figure(name, *of) for figure, of in weights.items()}

    def by_stage(self, weights: Mapping[str, Weights]) -> dict[Key, Estimate]:
        """Return the figures of each stage; the vectors are named after stages."""
        return {
            key: figure
            for stage in stages_with(self.names)
            for key, figure in self.figures(stage, weights, stage).items()
        }

    def save(self, path: Path) -> None:
        """Keep the sums in a file, exactly."""
        write_typed(_Kept(self.games, self._moments, self.ruled_out), path)

    @classmethod
    def load(cls, files: Iterable[Path]) -> Self:
        """Return the sums of some files together, in their order; raise ``RunError`` for others."""
        sums = cls()
        for file in files:
            games, kept, ruled_out = read_typed(_Kept, file)
            sums.games += games
            try:
                for name, moments in kept.items():
                    sums.merge(name, moments)
            except ValueError:
                raise RunError(damaged(file)) from None
            sums.ruled_out.update(ruled_out)
        return sums


Row = tuple[str, Iterable[float] | Moments]
"""A name, and numbers to add to its moments, or the moments of several vectors."""


@dataclass(frozen=True, slots=True)
class Study:
    """An experiment that is a sum over games.

    ``rows``, which is pickled for workers, yields the rows of a game, given its number or another
    job. ``weight`` is the cost of a game relative to a plain game, ``what`` the games' plural name.
    """

    rows: Callable[[Any], Iterable[Row]]
    weight: int = 1
    what: str = "games"

    def sums(self, games: Jobs | int, run: Run) -> Sums:
        """Return the sums of the rows of all games."""
        with run.parts(partial(keep_sums, self.rows), games, self.weight, self.what) as parts:
            return Sums.load(part.file for part in parts)


def keep_sums(rows: Callable[[Any], Iterable[Row]], games: Iterable[Any], path: Path) -> None:
    """Keep the sums of the rows of some games in a file."""
    sums = Sums()
    for game in games:
        sums.games += 1
        for name, values in rows(game):
            sums.add(name, values)
    sums.save(path)
