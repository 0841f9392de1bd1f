"""Hands and samples of a fit in files, so that its memory does not grow with their number."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from handread.game.steps import Replay
from handread.history import History
from handread.parallel import Spool
from handread.study.fit.sample import Sample

ROWS, ROWS_OF_TURN = 1 << 20, 64
"""Largest size of a batch of several parts, in rows (about 80 MB with its sums), and a turn's."""

IN_MEMORY = 3
"""Number of batches of a sample that stay in memory, so that small fits read nothing again."""


@dataclass(frozen=True, slots=True)
class StoredHands:
    """Hands in a temporary file, by their places; pickled as a list, for other processes."""

    spool: Spool = field(default_factory=Spool)
    places: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, hands: "Iterable[Replay] | StoredHands") -> "StoredHands":
        """Return hands in a file."""
        if isinstance(hands, StoredHands):
            return hands
        spool = Spool()
        return cls(spool, [spool.add(hand.history) for hand in hands])

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[History]:
        return map(self.spool.at, self.places)

    def __getitem__(self, numbers: slice | Sequence[int]) -> "StoredHands":
        chosen = range(len(self))[numbers] if isinstance(numbers, slice) else numbers
        return StoredHands(self.spool, [self.places[number] for number in chosen])

    def __reduce__(self) -> tuple[Any, ...]:
        return list, ([*self],)


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
