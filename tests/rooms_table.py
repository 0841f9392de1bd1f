"""``python -m tests.rooms_table PATH``: what becomes of a folder of logs, by room and game."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from handread.formats.log_reader import read_file
from handread.formats.registry import BUILT_IN
from handread.game.replay import replay, unanalysable
from handread.game.rules import VARIANTS
from handread.history import History, Problem
from handread.inference.analysis import analyze_replay
from handread.policy import load_policy

_ABOUT = re.compile(r" of seats? [^;]*|: .*|'[^']*'")
"""What a reason says of the one hand alone: seats and names."""

HEAD = ("room", "game", "files", "hands", "accepted", "analyzed")


@dataclass(slots=True)
class Account:
    """What became of the hands of a game in a room: how many there were, and why some were refused.

    ``accepted`` hands can be played through to their end, ``analyzed`` ones be read as well.
    ``reasons`` are those of the hands that were not, with how many they were.
    """

    files: set[Path] = field(default_factory=set)
    hands: int = 0
    accepted: int = 0
    analyzed: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, reading: History | Problem) -> None:
        """Count a hand, or what is none."""
        if isinstance(reading, Problem):
            self._refuse("not understood", reading)
            return
        self.hands += 1
        if not VARIANTS[reading.variant].readable:
            return
        played = replay(reading)
        if played.problem is not None:
            self._refuse("refused", played.problem)
            return
        self.accepted += 1
        nothing = unanalysable(played)
        if nothing is not None:
            self._refuse("not analyzed", nothing)
            return
        read = analyze_replay(played, load_policy("default"))
        if read.complete:
            self.analyzed += 1
        else:
            self._refuse("not analyzed", read.problems[-1])

    def _refuse(self, what: str, problem: Problem) -> None:
        self.reasons[f"{what}: {_ABOUT.sub('', problem.message)}"] += 1

    def cells(self) -> tuple[str, ...]:
        """The figures, in the order of the table's columns."""
        figures = (len(self.files), self.hands, self.accepted, self.analyzed)
        return tuple(map(str, figures))


def accounts(paths: Iterable[Path]) -> dict[tuple[str, str], Account]:
    """What became of the hands of some files, by the title of their dialect and the game."""
    titles = {dialect.name: dialect.title for dialect in BUILT_IN.dialects}
    found: defaultdict[tuple[str, str], Account] = defaultdict(Account)
    for path in paths:
        for reading in read_file(path):
            name = reading.dialect if isinstance(reading, Problem) else reading.source.dialect
            game = "" if isinstance(reading, Problem) else VARIANTS[reading.variant].title
            account = found[titles.get(name, "none"), game]
            account.files.add(path)
            account.add(reading)
    return dict(sorted(found.items()))


def table(found: dict[tuple[str, str], Account]) -> Iterator[str]:
    """The lines of the table; under each row the reasons, the most frequent first."""
    rows = [(*names, *account.cells()) for names, account in found.items()]
    totals = (sum(int(row[n]) for row in rows) for n in range(2, len(HEAD)))
    every = [HEAD, *rows, ("all", "", *map(str, totals))]
    widths = [max(len(row[n]) for row in every) for n in range(len(HEAD))]
    for row in every:
        room, game, *figures = row
        cells = (cell.rjust(width) for cell, width in zip(figures, widths[2:], strict=True))
        yield "  ".join((room.ljust(widths[0]), game.ljust(widths[1]), *cells))
        account = found.get((room, game))
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
