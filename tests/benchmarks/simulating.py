"""Simulated games: how many a second, what takes the time, what more workers and games cost."""

from __future__ import annotations

import cProfile
import pstats
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

from handread.inference.analysis import analyze_replay
from handread.inference.players import Model, PlayerModels
from handread.papers.saund.replication import gain_rows
from handread.parallel import no_tick, planned_parts, run_parts
from handread.policy import load_policy
from handread.simulate import Setup, play_games, seated
from handread.study.sums import keep_sums
from tests.benchmarks.timing import Row, as_time, peak_megabytes

GAMES = 300
LINEUP = PlayerModels(Model(load_policy("default")))
SETUP = Setup(LINEUP, seated(LINEUP, 7), ties="paper")
KINDS = {
    "handread/odds": "counting",
    "kernels": "kernels",
    "handread/game": "table and replay",
    "numpy": "numpy",
}


def speed() -> Iterator[Row]:
    """Seven-handed games with full inference and all metrics, one core, warm."""
    _play_and_read(10)
    start = perf_counter()
    for _ in play_games(SETUP, 1, range(GAMES)):
        pass
    played = perf_counter() - start
    start = perf_counter()
    _play_and_read(GAMES)
    both = perf_counter() - start
    yield Row("games a second, played", f"{GAMES / played:.1f}", f"{as_time(played / GAMES)} each")
    note = f"{as_time(both / GAMES)} each, {GAMES} seven-handed games, all metrics"
    yield Row("games a second, played and read", f"{GAMES / both:.1f}", note)


def profile() -> Iterator[Row]:
    """Where the time of those games goes, by the part of the program."""
    _play_and_read(10)
    profiler = cProfile.Profile()
    profiler.runcall(_play_and_read, 100)
    spent: dict[str, float] = defaultdict(float)
    stats = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own, _, _) in stats.items():
        kind = next((name for part, name in KINDS.items() if part in file), "the rest in Python")
        spent[kind] += own
    total = sum(spent.values())
    for kind, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        yield Row(f"  {kind}", f"{seconds / total:.0%}", "of the time, with a profiler's own cost")


def _play_and_read(games: int) -> None:
    for game in play_games(SETUP, 1, range(games)):
        analyze_replay(game.replay, SETUP.players, ties=SETUP.ties, observed=game.observed)


def workers() -> Iterator[Row]:
    """Two workers against one, in turns; the start of the processes is part of it."""
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(2):
        for n, measured in times.items():
            with tempfile.TemporaryDirectory() as name:
                parts = planned_parts(Path(name), 1200)
                start = perf_counter()
                run_parts(partial(keep_sums, partial(gain_rows, SETUP, 1)), parts, n, no_tick)
                measured.append(perf_counter() - start)
    ratio = sum(times[1]) / sum(times[2])
    yield Row("two workers against one", f"{ratio:.2f} times", "1,200 games, twice in turns")


def memory() -> Iterator[Row]:
    """The peak memory of a run, small and larger."""
    for games in (1_000, 4_000):
        with tempfile.TemporaryDirectory() as name:
            command = ("-m", "handread", "simulate", str(games), "--workers", "1", "-o")
            peak = peak_megabytes(*command, f"{name}/games.stud")
        yield Row(f"peak memory, simulate {games}", f"{peak:.0f} MB", "one process")
