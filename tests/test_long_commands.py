"""Laws of all long commands: workers, a cluster and interruptions change nothing.

One command of each kind of work is interrupted and resumed, and given to a cluster; of the others
two processes must make what one makes. For ``score`` see ``tests/tables``, for the experiments
``tests/papers/test_two_processes.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import handread.parallel as parallel
from handread.cli.streams import STOPPED
from handread.parallel import Part, Work
from handread.processes import new_pool
from tests.long_commands import (
    COMMANDS,
    EXPERIMENTS,
    check_two_processes,
    done,
    small_parts,
    whole,
)
from tests.program import run_here

KINDS = ("simulate", "fit", "evaluate", "decisions", "information-gain")
"""One command of each kind of work: games, a fit, reads, values, and a study of games."""


@pytest.fixture(autouse=True)
def in_small_parts(tmp_path: Path) -> Iterator[None]:
    with small_parts(tmp_path):
        yield


@pytest.mark.thorough
def test_every_long_command_is_here() -> None:
    commands = {words[0] for words in COMMANDS.values()} | {
        words[1] for words in COMMANDS.values() if words[0] == "experiment"
    }
    group = run_here("experiment", "--help").stdout
    listed = set(re.findall(r"^ *[│|]? *([a-z][a-z-]+) {2,}\S", group, re.MULTILINE))
    assert {name for name in listed if name not in commands} == set()
    assert {"simulate", "fit", "evaluate", "decisions"} <= commands


@pytest.fixture
def work_done(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the parts that are computed, and a Ctrl-C before the one named ``stop``."""
    computed: list[str] = []
    at_work = parallel._work_whole

    def counted(work: Work, part: Part) -> None:
        if len(computed) + 1 == STOP["at"]:
            raise KeyboardInterrupt
        at_work(work, part)
        if "readings" not in part.file.parts:
            computed.append(f"{part.file.parent.name}/{part.file.name}")

    monkeypatch.setattr(parallel, "_work_whole", counted)
    yield computed
    STOP["at"] = 0


STOP = {"at": 0}


@pytest.mark.thorough
@pytest.mark.parametrize("name", KINDS)
def test_who_is_interrupted_resumes_and_nothing_is_done_twice(
    name: str, tmp_path: Path, work_done: list[str]
) -> None:
    expected = done(name, tmp_path / "whole", "--workers", "1")
    assert expected[0] == 0
    parts = list(work_done)
    assert len(parts) > 1
    work_done.clear()
    STOP["at"] = 2
    assert done(name, tmp_path / "again", "--workers", "1")[0] == STOPPED
    assert len(work_done) == 1
    STOP["at"] = 0
    assert done(name, tmp_path / "again", "--workers", "1", "--resume") == expected
    assert sorted(work_done) == sorted(parts)
    assert not list((tmp_path / "cache").iterdir())
    assert not list((tmp_path / "again").glob("*.parts"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a Dask cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.thorough
@pytest.mark.parametrize("name", KINDS)
def test_a_cluster_changes_nothing(name: str, tmp_path: Path, address: str) -> None:
    assert done(name, tmp_path / "cluster", "--scheduler", address) == whole(name, tmp_path)


@pytest.fixture(scope="module")
def two_processes() -> Iterator[ProcessPoolExecutor]:
    with new_pool(2) as pool:
        yield pool


DEAR = {
    "fit --values": pytest.mark.dear("two runs that play and value nine games each"),
    "improve": pytest.mark.dear("two runs that measure the gain in 200 deals"),
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=DEAR.get(name, ())) for name in COMMANDS if name not in EXPERIMENTS],
)
def test_two_processes_change_nothing(
    name: str, tmp_path: Path, two_processes: ProcessPoolExecutor
) -> None:
    check_two_processes(name, tmp_path, two_processes)


def test_resume_tells_if_there_is_nothing_to_resume(tmp_path: Path) -> None:
    asked = ("simulate", "2", "--seats", "2", "-o", str(tmp_path / "a.stud"), "--workers", "1")
    told = "there is no interrupted run with these options: this one begins anew"
    assert told in run_here(*asked, "--resume").stderr
    assert told not in run_here(*asked).stderr
