"""Laws of all long commands: workers, a cluster and interruptions change nothing.

All share one mechanism, ``Run.parts``. One command of each kind of work is interrupted and resumed,
and given to a cluster; of the others two processes must make what one makes. For ``score`` see
``tests/tables``.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

import pytest

import handread.parallel as parallel
from handread.cli.streams import STOPPED
from handread.parallel import Part, Work
from handread.processes import new_pool
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
    "CSV": ("--csv", "OUTPUT"),
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
    "independence": "experiment independence FEW --set draws=1000 CSV",
    "misspecified": "experiment misspecified --games 3 --seats 2 --set fitted=4 CSV",
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
    "learning-curves": "experiment learning-curves --games 2 --set others=10 CSV",
    "read-value": "experiment read-value LOG --players people --games 2 --rollouts 4"
    " --set scoring=4 CSV",
    "decision-calibration": "experiment decision-calibration LOG --players people --games 2"
    " --rollouts 4 CSV",
    "luck": "experiment luck FEW CSV",
    "benchmark": "experiment benchmark SESSION --reader people --reader cards-only"
    " --resamples 100 CSV",
}
"""A small run of every command that takes ``--scheduler``, besides ``score``."""

KINDS = ("simulate", "fit", "evaluate", "decisions", "information-gain")
"""One command of each kind of work: games, a fit, reads, values, and a study of games."""

COMMANDS = {
    name: [each for word in line.split() for each in WORDS.get(word, (word,))]
    for name, line in LINES.items()
}

SMALL = 1
"""Jobs in a part: after the first, which is done here, there is work for two processes."""

TIMES = re.compile(r" +(?:ms|\d+\.\d+)(?= *$)|.*milliseconds.*", re.MULTILINE)
"""The times of readers, which the bench measures."""


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(parallel, "part_sizes", lambda size=SMALL: repeat(min(size, SMALL)))
    monkeypatch.setattr("handread.cli.console.kernel_folder", lambda: tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    with few_games_for_values():
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


@pytest.fixture
def here(tmp_path: Path) -> Callable[[str], tuple[int, str, str]]:
    """What a command makes in this process, each command once."""

    def of(name: str) -> tuple[int, str, str]:
        if name not in WHOLE:
            WHOLE[name] = done(name, tmp_path / "whole", "--workers", "1")
            assert WHOLE[name][0] == 0
        return WHOLE[name]

    return of


WHOLE: dict[str, tuple[int, str, str]] = {}


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
    whole = parallel._work_whole

    def counted(work: Work, part: Part) -> None:
        if len(computed) + 1 == STOP["at"]:
            raise KeyboardInterrupt
        whole(work, part)
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
    whole = done(name, tmp_path / "whole", "--workers", "1")
    assert whole[0] == 0
    parts = list(work_done)
    assert len(parts) > 1
    work_done.clear()
    STOP["at"] = 2
    assert done(name, tmp_path / "again", "--workers", "1")[0] == STOPPED
    assert len(work_done) == 1
    STOP["at"] = 0
    assert done(name, tmp_path / "again", "--workers", "1", "--resume") == whole
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
def test_a_cluster_changes_nothing(
    name: str, tmp_path: Path, address: str, here: Callable[[str], tuple[int, str, str]]
) -> None:
    assert done(name, tmp_path / "cluster", "--scheduler", address) == here(name)


@pytest.fixture(scope="module")
def two_processes() -> Iterator[ProcessPoolExecutor]:
    """Two processes for all commands: to start them takes longer than most commands."""
    with new_pool(2) as pool:
        yield pool


DEAR = {
    "learning-curves": "two runs that grow trees",
    "fit --values": "two runs that play and value nine games each",
    "misspecified": "each run fits a policy to simulated games",
    "loki-tables income": "two runs over all starting hands",
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.dear(DEAR[n]) if n in DEAR else ()) for n in COMMANDS],
)
def test_two_processes_change_nothing(
    name: str,
    tmp_path: Path,
    two_processes: ProcessPoolExecutor,
    here: Callable[[str], tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[int] = []
    monkeypatch.setattr(parallel, "new_pool", lambda n: given.append(n) or two_processes)
    monkeypatch.setattr(parallel, "end_pools", lambda pools, **_: None)
    assert done(name, tmp_path / "processes", "--workers", "2") == here(name)
    assert set(given) == {2}


def test_resume_tells_if_there_is_nothing_to_resume(tmp_path: Path) -> None:
    asked = ("simulate", "2", "--seats", "2", "-o", str(tmp_path / "a.stud"), "--workers", "1")
    told = "there is no interrupted run with these options: this one begins anew"
    assert told in run_here(*asked, "--resume").stderr
    assert told not in run_here(*asked).stderr
