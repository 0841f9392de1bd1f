"""Hands and samples of a fit, so that its memory does not grow with their number.

Hands are compressed, to about a kilobyte each; samples, half a megabyte a hand, are in a file.
"""

import math
import os
import pickle
import tempfile
import zlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from handread.arrays import Array
from handread.game.steps import Replay
from handread.history import History
from handread.study.fit.sample import ARRAYS, Sample

ROWS, ROWS_OF_TURN = 1 << 20, 64
"""Largest size of a batch of several parts, in rows (about 80 MB with its sums), and a turn's."""

IN_MEMORY = 3
"""Number of batches of a sample that stay in memory, so that small fits read nothing again."""


def compressed(hand: History) -> bytes:
    """Return a hand as ``StoredHands`` keep it."""
    return zlib.compress(pickle.dumps(hand, pickle.HIGHEST_PROTOCOL), 1)


@dataclass(frozen=True, slots=True)
class StoredHands:
    """Hands, ``compressed``, in memory."""

    packed: list[bytes] = field(default_factory=list)

    @classmethod
    def of(cls, hands: "Iterable[Replay] | StoredHands") -> "StoredHands":
        """Return hands, compressed."""
        if isinstance(hands, StoredHands):
            return hands
        return cls([compressed(hand.history) for hand in hands])

    def __len__(self) -> int:
        return len(self.packed)

    def __iter__(self) -> Iterator[History]:
        return (pickle.loads(zlib.decompress(hand)) for hand in self.packed)

    def __getitem__(self, numbers: slice | Sequence[int]) -> "StoredHands":
        if isinstance(numbers, slice):
            return StoredHands(self.packed[numbers])
        return StoredHands([self.packed[number] for number in numbers])


class Spool:
    """Samples in a nameless temporary file; it has nothing but the numbers of their arrays."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - open as long as this is
        self._kinds: dict[int, list[tuple[np.dtype[Any], tuple[int, ...]]]] = {}

    def add(self, sample: Sample) -> int:
        """Keep a sample, and return its place."""
        place = self._file.seek(0, os.SEEK_END)
        arrays = [getattr(sample, name) for name in ARRAYS]
        self._kinds[place] = [(array.dtype, array.shape) for array in arrays]
        for array in arrays:
            self._file.write(array.tobytes())
        return place

    def at(self, place: int) -> Sample:
        """Return the sample at a place."""
        self._file.seek(place)
        return Sample(*(self._next(kind, shape) for kind, shape in self._kinds[place]))

    def _next(self, kind: np.dtype[Any], shape: tuple[int, ...]) -> Array:
        return np.fromfile(self._file, kind, math.prod(shape)).reshape(shape)


@dataclass(frozen=True, slots=True)
class KeptSample:
    """A sample in a file, in batches of whole hands: the places of the parts of each.

    The first batches of a file that were asked for stay in ``memory``.
    """

    spool: Spool
    batches: list[list[int]] = field(default_factory=list)
    memory: dict[int, Sample] = field(default_factory=dict)

    @classmethod
    def of(cls, samples: Iterable[Sample], folder: Path | None = None) -> "KeptSample":
        """Keep samples of different hands, in a file in a folder."""
        spool = Spool(folder)
        return _by_name(spool, (("", sample) for sample in samples), {}).get("", cls(spool))

    @property
    def n_turns(self) -> int:
        """The number of actions."""
        return sum(part.n_turns for part in self.parts())

    def parts(self) -> Iterator[Sample]:
        """Yield the batches, as samples."""
        for places in self.batches:
            part = self.memory.get(places[0]) or Sample.join(map(self.spool.at, places))
            if len(self.memory) < IN_MEMORY:
                self.memory[places[0]] = part
            yield part

    def with_truths(self) -> "KeptSample":
        """Return the sample with the true holding alone, of weight 1, where it is known."""
        return KeptSample.of((part.with_truths() for part in self.parts()), self.spool.folder)

    def of_players(self, names: Container[str]) -> "dict[str, KeptSample]":
        """Return the lines of each of some players."""
        lines = (
            (name, part.select(part.player == name))
            for part in self.parts()
            for name in np.unique(part.player).tolist()
            if name in names
        )
        return _by_name(self.spool, lines, self.memory)


Lines = Sample | KeptSample
"""Lines in memory, or not."""


def _by_name(
    spool: Spool, samples: Iterable[tuple[str, Sample]], memory: dict[int, Sample]
) -> dict[str, KeptSample]:
    """Keep samples with names; those of a name are one sample."""
    kept, rows = dict[str, KeptSample](), Counter[str]()
    for name, sample in samples:
        batches = kept.setdefault(name, KeptSample(spool, memory=memory)).batches
        size = sample.percentile.size + ROWS_OF_TURN * sample.n_turns
        rows[name] += size
        if not batches or rows[name] > ROWS:
            batches.append([])
            rows[name] = size
        batches[-1].append(spool.add(sample))
    return kept
