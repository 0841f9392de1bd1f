"""What matters, now and in earlier versions, measured in turns in one run.

``python -m tests.benchmarks releases`` runs this file once for each figure, with the package of
each version: ``releases.py PART FOLDER`` prints the figure of the version on the path. Heavy
imports wait for the parts that need them, since a child's peak counts what its parent held.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from io import BytesIO
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

RELEASES = {"0.12.0": "345cf508", "0.23.0": "6b51e224"}
"""The commits of earlier versions."""

TURNS, HANDS, FEW, COPIES = 2, 50, 8, 2500
SAMPLES = Path(__file__).parents[2] / "sample_histories"

REPLICATE = """\
import sys, pathlib, polars as pl
(part,) = pathlib.Path(sys.argv[1]).glob("part-*")
for n in range(4):
    (new := part.with_name(f"part-{n}")).mkdir()
    for file in part.iterdir():
        rows = pl.read_parquet(file)
        copies = range(n * int(sys.argv[2]) // 4, (n + 1) * int(sys.argv[2]) // 4)
        parts = [rows.with_columns(pl.col(name) + f"-{i}" for name in ("file", "name")
            if name in rows.columns) for i in copies]
        pl.concat(parts).write_parquet(new / file.name)
__import__("shutil").rmtree(part)
"""
"""Copies the hands of tables before 0.24, as those of other files and players, in four parts."""


def run(*arguments: object) -> Any:
    """Run this Python; the processor time and the peak memory that it took."""
    nowhere = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    words = [sys.executable, *map(str, arguments)]
    pid = os.posix_spawn(sys.executable, words, os.environ, file_actions=nowhere)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise subprocess.CalledProcessError(os.waitstatus_to_exitcode(status), words)
    return usage


def processor(*arguments: object) -> float:
    """The processor time of this Python with some arguments."""
    usage = run(*arguments)
    return float(usage.ru_utime + usage.ru_stime)


def quickest(action: Callable[[], object], runs: int = 9) -> float:
    """The median processor time of an action that ran before."""
    action()
    times = []
    for _ in range(runs):
        start = process_time()
        action()
        times.append(process_time() - start)
    return median(times)


def people(_folder: Path) -> float:
    """A hand with every downcard known, all ten stages."""
    from handread.game.replay import replay
    from handread.inference.analysis import analyze_replay
    from handread.policy import load_policy
    from tests.hands import GOLDEN, hand

    played, policy = replay(hand(GOLDEN)), load_policy("people")
    return 1000 * quickest(lambda: analyze_replay(played, policy))


def games(_folder: Path) -> float:
    """Seven-handed games with all metrics."""
    from tests.benchmarks.simulating import _play_and_read

    return 100 / quickest(partial(_play_and_read, 100), runs=1)


def parsed(name: str, folder: Path) -> float:
    """Hands of a notation, read and replayed."""
    from handread.formats.log_reader import read_text
    from handread.game.replay import replay

    text = (folder / name).read_text(encoding="utf-8")

    def played() -> int:
        return len([replay(one) for one in read_text(text, "-")])

    return played() / quickest(played, runs=5)


def pokerkit(folder: Path) -> float:
    """The hands in PHH by PokerKit."""
    from pokerkit import HandHistory

    data = (folder / "hands.phhs").read_bytes()

    def played() -> int:
        return len([[*one] for one in HandHistory.load_all(BytesIO(data))])

    return played() / quickest(played, runs=3)


def command(per: int, words: tuple[str, ...], folder: Path) -> float:
    """A command on hands that are new to it; each turn has its own log."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    return processor("-m", "handread", *words) / per


def analyze(_folder: Path) -> float:
    """The time of one hand against that of the imports that it cannot do without."""
    hand = SAMPLES / "showdown.stud"
    pairs = []
    for _ in range(6):
        whole = processor("-m", "handread", "analyze", hand)
        pairs.append(whole / processor("-c", "import typer, numpy, numba"))
    return median(pairs[1:])


def summary(folder: Path) -> float:
    """The peak of the largest process, over hands of many players with valued decisions."""
    out = folder / "out"
    try:
        from tests.benchmarks.million import make
    except ImportError:  # before 0.24
        command(1, ("score", "few.txt", *SCORE, "--decisions"), folder)
        processor("-c", REPLICATE, out, COPIES)
    else:
        command(1, ("score", "log.txt", *SCORE, "--decisions"), folder)
        shutil.rmtree(folder / "many", ignore_errors=True)
        make(out, folder / "many", FEW * COPIES)
        out = folder / "many"
    return float(run("-m", "handread", "summary", out).ru_maxrss / 1024)


class Part(NamedTuple):
    """A figure: what it is, its unit, and what measures it in a folder with logs."""

    what: str
    unit: str
    measure: Callable[[Path], float]


PEOPLE = ("--policy", "people")
SCORE = ("-o", "out", "--workers", "1", *PEOPLE)

PARTS = {
    "people": Part("a seven-handed hand by people", "ms", people),
    "log": Part(f"handread LOG, {HANDS} new hands", "s", partial(command, 1, ("log.txt",))),
    "score": Part("score, a hand", "s", partial(command, HANDS, ("score", "log.txt", *SCORE))),
    "games": Part("games played and read", "a second", games),
    "decisions": Part(
        "decisions, a hand", "s", partial(command, FEW, ("decisions", "few.txt", *PEOPLE))
    ),
    "phh": Part("PHH, read and replayed", "hands/s", partial(parsed, "hands.phhs")),
    "pokerkit": Part("PHH by PokerKit", "hands/s", pokerkit),
    "pokerstars": Part("PokerStars", "hands/s", partial(parsed, "hands.txt")),
    "saund": Part("Saund", "hands/s", partial(parsed, "hands.stud")),
    "ipoker": Part("iPoker", "hands/s", partial(parsed, "hands.xml")),
    "analyze": Part("analyze one hand, against imports", "x", analyze),
    "summary": Part(f"summary of {FEW * COPIES:,} hands, peak", "MB", summary),
}


def rows() -> Iterator[Any]:
    """The figures of this version and of ``RELEASES``, with the ratios to these as a note."""
    from tests.benchmarks.against import checked_out
    from tests.benchmarks.timing import Row
    from tests.program import ROOT

    with ExitStack() as stack:
        logs = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="handread-")))
        folders = {"": ROOT} | {
            name: stack.enter_context(checked_out(commit)) for name, commit in RELEASES.items()
        }
        for name, part in PARTS.items():
            turns: dict[str, list[float]] = {version: [] for version in folders}
            for turn in range(TURNS + 1):  # the first fills the caches
                write_logs(logs, turn)
                for version, folder in folders.items():
                    figure = measured(name, folder, logs, version)
                    turns[version] += [figure] if turn and figure else []
            now, *then = (median(found) if found else 0.0 for found in turns.values())
            notes = [
                f"{version} {was:.3g}, {now / was:.2f} x" if was else f"{version} -"
                for version, was in zip(RELEASES, then, strict=True)
            ]
            yield Row(part.what, f"{now:.3g} {part.unit}" if now else "-", "; ".join(notes))


def write_logs(folder: Path, turn: int) -> None:
    """Write logs of new hands, and once those to be read again and again."""

    def write(name: str, n: int, *dialect: str) -> None:
        (folder / name).unlink(missing_ok=True)
        words = ("simulate", n, "--workers", 1, "--seed", turn, "-o", folder / name, *dialect)
        processor("-m", "handread", *words)

    write("log.txt", HANDS, "--dialect", "pokerstars")
    write("few.txt", FEW, "--dialect", "pokerstars")
    if turn == 0:
        write("hands.phhs", HANDS)
        write("hands.stud", HANDS)
        shutil.copy(folder / "log.txt", folder / "hands.txt")
        text = (SAMPLES / "ipoker.xml").read_text(encoding="utf-8")
        (folder / "hands.xml").write_text("\n\n\n".join([text] * HANDS), encoding="utf-8")


def measured(part: str, folder: Path, logs: Path, version: str) -> float:
    """The figure of a part in the checkout of a version; 0 where it has no such part."""
    environment = {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(logs / f"cache{version}")}
    done = subprocess.run(
        [sys.executable, "-P", __file__, part, logs],
        cwd=logs,
        env=os.environ | environment | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return float(done.stdout.split()[-1]) if done.returncode == 0 else 0.0


if __name__ == "__main__":
    print(PARTS[sys.argv[1]].measure(Path(sys.argv[2])))
