"""``python -m tests.rooms_table PATH``: what becomes of the hands of a folder of logs, by room."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from handread.formats.log_reader import read_file
from handread.formats.registry import BUILT_IN
from handread.game.replay import replay
from handread.game.rules import VARIANTS
from handread.history import History, Problem
from handread.inference.analysis import analyze_replay
from handread.policy import load_policy

_ABOUT = re.compile(r" of seats? [^;]*|: .*|'[^']*'")
"""What a reason says of the one hand alone: seats and names."""

HEAD = ("room", "files", "hands", "stud high", "accepted", "analysed")


@dataclass(slots=True)
class Account:
    """What became of the hands of a room: how many there were, and why some were refused.

    ``accepted`` hands of stud high can be played through to their end, ``analysed`` ones be read
    as well. ``reasons`` are those of the hands that were not, with how many they were.
    """

    files: set[Path] = field(default_factory=set)
    hands: int = 0
    stud: int = 0
    accepted: int = 0
    analysed: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, reading: History | Problem) -> None:
        """Count a hand, or what is none."""
        if isinstance(reading, Problem):
            self._refuse("not understood", reading)
            return
        self.hands += 1
        if not VARIANTS[reading.variant].readable:
            self.reasons[f"{VARIANTS[reading.variant].title}"] += 1
            return
        self.stud += 1
        played = replay(reading)
        if played.problem is not None:
            self._refuse("refused", played.problem)
            return
        self.accepted += 1
        read = analyze_replay(played, load_policy("default"))
        if read.complete:
            self.analysed += 1
        else:
            self._refuse("not analysed", read.problems[-1])

    def _refuse(self, what: str, problem: Problem) -> None:
        self.reasons[f"{what}: {_ABOUT.sub('', problem.message)}"] += 1

    def cells(self) -> tuple[str, ...]:
        """The figures, in the order of the table's columns."""
        figures = (len(self.files), self.hands, self.stud, self.accepted, self.analysed)
        return tuple(map(str, figures))


def accounts(paths: Iterable[Path]) -> dict[str, Account]:
    """What became of the hands of some files, by the title of their dialect."""
    titles = {dialect.name: dialect.title for dialect in BUILT_IN.dialects}
    found: defaultdict[str, Account] = defaultdict(Account)
    for path in paths:
        for reading in read_file(path):
            name = reading.dialect if isinstance(reading, Problem) else reading.source.dialect
            account = found[titles.get(name, "none")]
            account.files.add(path)
            account.add(reading)
    return dict(sorted(found.items()))


def table(by_room: dict[str, Account]) -> Iterator[str]:
    """The lines of the table; under each room the reasons, the most frequent first."""
    rows = [(room, *account.cells()) for room, account in by_room.items()]
    totals = (sum(int(row[n]) for row in rows) for n in range(1, len(HEAD)))
    every = [HEAD, *rows, ("all", *map(str, totals))]
    widths = [max(len(row[n]) for row in every) for n in range(len(HEAD))]
    for row in every:
        room, *figures = row
        cells = (cell.rjust(width) for cell, width in zip(figures, widths[1:], strict=True))
        yield "  ".join((room.ljust(widths[0]), *cells))
        account = by_room.get(room)
        for reason, n in account.reasons.most_common() if account else ():
            yield f"{'':{widths[0]}}    {n} {reason}"


def main(arguments: list[str]) -> int:
    """Print the table of all files below a folder; the exit status."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("python -m tests.rooms_table FOLDER", file=sys.stderr)
        return 2
    paths = sorted(path for path in Path(arguments[0]).rglob("*") if path.is_file())
    for line in table(accounts(paths)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
