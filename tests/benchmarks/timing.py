"""Medians of wall-clock times, and whole processes measured from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter

from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant

GAMES = (STUD, RAZZ, STUD8, FIVE_STUD)

SPAWN = """\
import os, sys
pid = os.posix_spawn(sys.executable, sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what was measured, the figure, and what it rests on."""

    what: str
    figure: str
    note: str = ""


def seconds(action: Callable[[], object]) -> float:
    """How long an action takes once."""
    start = perf_counter()
    action()
    return perf_counter() - start


def median_seconds(action: Callable[[], object], runs: int) -> float:
    """The median time of an action; it runs once more before, unmeasured."""
    action()
    return median(seconds(action) for _ in range(runs))


def alternating(actions: Sequence[Callable[[], object]], runs: int) -> list[float]:
    """The median time of each of some actions, run in turns so that they share the weather."""
    for action in actions:
        action()
    rounds = [[seconds(action) for action in actions] for _ in range(runs)]
    return [median(times) for times in zip(*rounds, strict=True)]


def by_game(
    what: str, action: Callable[[Variant], object], notes: Mapping[Variant, str], runs: int
) -> Iterator[Row]:
    """The time of an action in each game, in turns."""
    times = alternating([partial(action, game) for game in notes], runs)
    for (game, note), time in zip(notes.items(), times, strict=True):
        yield Row(
            f"{what} {game.title}", as_time(time), f"{time / times[0]:.2f} x stud high; {note}"
        )


def run_python(*arguments: str, **environment: str) -> None:
    """Run this Python in a process of its own; ``CalledProcessError`` if that fails."""
    subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    )


def peak_megabytes(*arguments: str) -> float:
    """The peak resident memory of this Python with some arguments.

    A small process starts it: a child's peak counts what its parent held at the fork.
    """
    done = subprocess.run(
        [sys.executable, "-c", SPAWN, sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    kilobytes = int(done.stderr.split()[-1])
    return kilobytes / (1024 * 1024 if sys.platform == "darwin" else 1024)


def as_time(figure: float) -> str:
    """A time with three figures, in the unit that suits it."""
    return f"{figure:.2f} s" if figure >= 1 else f"{figure * 1000:.3g} ms"
