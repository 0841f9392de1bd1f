"""Long commands in small: what they are, what each makes, and what two processes make of it.

All share one mechanism, ``Run.parts``. ``tests/test_long_commands.py`` has its laws, and
``tests/papers/test_two_processes.py`` the experiments of the papers.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from unittest import mock

import handread.parallel as parallel
from handread.cli.streams import STOPPED
from tests.program import ROOT, few_games_for_values, run_here

SAMPLES = ROOT / "sample_histories"
LOG = str(SAMPLES / "pokerstars.txt")
LOGS = (LOG, str(SAMPLES / "showdown.stud"))
SESSION = "development/5stud/d-5stud-01.stud"
KEPT = tempfile.TemporaryDirectory(prefix="benchmark-")
"""A benchmark of five hands, until the tests end."""

(Path(KEPT.name) / SESSION).parent.mkdir(parents=True)
HANDS = (ROOT / "benchmark" / SESSION).read_text("utf-8").split("\n\n")[:5]
(Path(KEPT.name) / SESSION).write_text("\n\n".join(HANDS) + "\n", "utf-8")
WORDS: dict[str, tuple[str, ...]] = {
    "LOG": (LOG,),
    "LOGS": LOGS,
    "FEW": ("--games", "4", "--seats", "3"),
    "CSV": ("--output", "OUTPUT.csv"),
    "SESSION": ("--folder", KEPT.name),
}
"""What these words stand for in the lines below."""

LINES = {
    "simulate": "simulate 5 --seats 3 -o OUTPUT.phhs",
    "fit": "fit LOGS --one-policy --penalty 3 --set rounds=1 -o OUTPUT",
    "fit --values": "fit --values people --games 50 --set played-on=50 --set showdowns=0"
    " --rollouts 10 --game 5stud -o OUTPUT",
    "evaluate": "evaluate LOGS --policy loose --resamples 100 CSV",
    "evaluate --folds": "evaluate LOG --folds 2 --penalty 3 --one-policy --resamples 100 CSV",
    "decisions": "decisions LOGS --rollouts 10 --check none CSV",
    "information-gain": "experiment information-gain FEW CSV",
    "win-rates": "experiment win-rates FEW --set duplicate=yes CSV",
    "entropies": "experiment entropies FEW CSV",
    "calibration": "experiment calibration FEW CSV",
    "readers": "experiment readers LOG --players loose --games 3 --seats 2 --reader tight"
    " --reader cards-only --resamples 100 CSV",
    "tournament": "experiment tournament --players BPM,people --set sessions=3 --set deals=1 CSV",
    "loki-tables income": "experiment loki-tables income --games 2 --seats 3 CSV",
    "loki-tables": "experiment loki-tables actions FEW CSV",
    "bpp": "experiment bpp --set matches=2 --games 4 CSV",
    "bpp expected": "experiment bpp expected --set decks=50 --games 4 CSV",
    "bpp curves": "experiment bpp curves --set climbs=2 --set steps=1 --set candidates=1"
    " --set decks=4 --games 4 CSV",
    "bpp-reader": "experiment bpp-reader --games 4 --set train=4 CSV",
    "ladder": "experiment ladder --players tight --set against=loose --games 4 CSV",
    "improve": "policy improve --games 1 --set deals=2 --set against=tight -o OUTPUT",
    "learning-curves": "experiment learning-curves --games 2 --set others=10 CSV",
    "read-value": "experiment read-value LOG --players people --games 2 --rollouts 4"
    " --set scoring=4 CSV",
    "benchmark": "experiment benchmark SESSION --reader people --reader cards-only"
    " --resamples 100 CSV",
}
"""A small run of every command that takes ``--scheduler``, besides ``score``."""

EXPERIMENTS = [name for name, line in LINES.items() if line.startswith("experiment ")]

COMMANDS = {
    name: [each for word in line.split() for each in WORDS.get(word, (word,))]
    for name, line in LINES.items()
}

SMALL = 1
"""Jobs in a part: after the first, which is done here, there is work for two processes."""

TIMES = re.compile(r" +(?:ms|\d+\.\d+)(?= *$)|.*milliseconds.*", re.MULTILINE)
"""The times of readers, which the bench measures."""


@contextmanager
def small_parts(folder: Path) -> Iterator[None]:
    """Divide the work into small parts, and keep them in a folder."""
    (folder / "cache").mkdir()
    with (
        mock.patch.object(parallel, "part_sizes", lambda size=SMALL: repeat(min(size, SMALL))),
        mock.patch("handread.cli.console.kernel_folder", return_value=folder / "cache"),
        few_games_for_values(),
    ):
        yield


def done(name: str, folder: Path, *more: str) -> tuple[int, str, str]:
    """Give a command in a folder: its status, its text and what it writes."""
    folder.mkdir(exist_ok=True)
    words = [word.replace("OUTPUT", str(folder / "found")) for word in COMMANDS[name]]
    result = run_here(*words, *more)
    if result.returncode == STOPPED:
        assert "the work done is kept" in result.stderr
        assert "give the same command again to resume" in result.said
    files = sorted(path for path in folder.iterdir() if path.is_file())
    text = result.stdout.replace(str(folder), "")
    written = "".join(path.read_text("utf-8") for path in files)
    return result.returncode, *(TIMES.sub("", told) for told in (text, written))


def whole(name: str, folder: Path) -> tuple[int, str, str]:
    """What a command makes in this process, each command once."""
    if name not in WHOLE:
        WHOLE[name] = done(name, folder / "whole", "--workers", "1")
        assert WHOLE[name][0] == 0
    return WHOLE[name]


WHOLE: dict[str, tuple[int, str, str]] = {}


def check_two_processes(name: str, folder: Path, pool: ProcessPoolExecutor) -> None:
    """Two processes make of a command what one makes.

    The ``pool`` has them for all commands: to start them takes longer than most commands.
    """
    given: list[int] = []
    with (
        mock.patch.object(parallel, "new_pool", lambda n: given.append(n) or pool),
        mock.patch.object(parallel, "end_pools"),
    ):
        found = done(name, folder / "processes", "--workers", "2")
    assert found == whole(name, folder)
    assert set(given) == {2}
