"""Reading many hands for a fit: in parts, by several processes, kept when interrupted."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

from handread.columnar.files import read_hands, write_hands
from handread.engine import Replay, replay
from handread.fitting.fit import roster_of
from handread.fitting.gather import gather
from handread.fitting.sample import Sample
from handread.history import History
from handread.policy import PolicyFile, policy_text
from handread.runs import RunError, planned_parts, run_parts

DAMAGED = "a damaged part; remove it, and run again to go on"


class PartReader:
    """Reads hands by policies; what an interrupted run has read already is not read again.

    ``folder`` keeps the hands and the parts, ``tick`` is told how many hands were read.
    """

    def __init__(self, folder: Path, workers: int, tick: Callable[[int], None]) -> None:
        self._folder = folder
        self._workers = workers
        self._tick = tick

    def __call__(self, hands: Sequence[Replay], policies: PolicyFile, groups: int) -> Sample:
        """The sample of the hands, read by the policies."""
        file = self._folder / "hands.parquet"
        if not file.exists():
            write_hands(file, (hand.history for hand in hands))
        text = policy_text(policies)
        folder = self._folder / hashlib.sha256(text.encode()).hexdigest()[:16]
        folder.mkdir(exist_ok=True)
        parts = planned_parts(folder, len(hands), ".npz")
        run_parts(partial(_gather_part, file, policies, groups), parts, self._workers, self._tick)
        return Sample.join(_loaded(part.file) for part in parts)


def _gather_part(file: Path, policies: PolicyFile, groups: int, numbers: range, path: Path) -> None:
    """Read the hands of these numbers and keep their sample."""
    players, histories = roster_of(policies), _histories(file)
    hands = ((n, replay(histories[n]), players.lineup(histories[n])) for n in numbers)
    gather(hands, groups).save(path)


@cache
def _histories(file: Path) -> list[History]:
    """The hands of the run, which each process reads once; ``RunError`` for a damaged file."""
    found = list(read_hands(file.read_bytes(), str(file)))
    hands = [hand for hand in found if isinstance(hand, History)]
    if len(hands) < len(found):
        raise RunError(f"{file}: {DAMAGED}")
    return hands


def _loaded(file: Path) -> Sample:
    try:
        return Sample.load(file)
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile):
        raise RunError(f"{file}: {DAMAGED}") from None
