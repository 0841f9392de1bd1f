"""``handread score`` as people start it: alone, with workers, on a cluster, stopped and killed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from handread.tables import HANDS, PIECES, REJECTS
from tests.examples import few
from tests.hands import write_hands
from tests.program import ROOT, run, whole_process
from tests.score_sets import Frames, assert_same, games, tables, text_of

STARTED = """
import sys
from handread.tables import pieces as plan, run
plan.PIECE_SIZE = run.JOB_WEIGHT = 300
from handread.cli import main
main()
"""
"""The program with files cut small, so that a run over few hands has much to do."""


def score_process(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", STARTED, "score", "--keep-repeated", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three copies of the games and a log that is partly broken."""
    folder = tmp_path_factory.mktemp("logs")
    for n in range(3):
        write_hands(folder / f"{n}.stud", games()[:4])
    text = text_of(games()[:4], "pokerstars") + "\nPokerStars Game #1: what\n\n"
    (folder / "room.txt").write_text(text)
    return folder


@pytest.fixture(scope="module")
def whole(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Frames:
    """The tables of an undisturbed run of one process."""
    out = tmp_path_factory.mktemp("whole") / "out"
    process = score_process(logs, "-o", out, "--workers", 1)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 1, errors
    assert output.startswith(f"{out}: 16 rows of hands, ")
    assert output.endswith("; 0 refused, 1 not understood\n")
    assert "room.txt:" in errors
    return tables(out)


def wait_for(ready: Callable[[], object], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not ready():
        time.sleep(0.05)


def done_of(out: Path) -> list[Path]:
    """The parts that a run has written."""
    return list(out.glob("pieces/part-*"))


def kill_at_work(process: subprocess.Popen[str], out: Path, later: float) -> None:
    """Kill a run some seconds after it has done something."""
    wait_for(lambda: done_of(out) or process.poll() is not None)
    time.sleep(later)
    process.kill()  # and of its workers each follows by itself


@pytest.mark.dear("runs of several processes that are killed")
@pytest.mark.parametrize(
    ("workers", "kills", "most"),
    [
        (2, 1, 0),
        *(pytest.param(n, k, 15, marks=pytest.mark.slow) for n, k in ((1, 17), (2, 17), (4, 16))),
    ],
)
def test_killed_and_resumed_the_tables_are_the_same(
    logs: Path, whole: Frames, tmp_path: Path, workers: int, kills: int, most: float
) -> None:
    """Runs are killed as they work, at most four in a folder, until there were enough kills."""
    chance, killed, n = Random(workers), 0, 0
    while killed < kills:
        out = tmp_path / f"out{n}"
        for last in [False] * min(kills, 4) + [True]:
            n_workers = 1 if last else workers
            process = score_process(logs, "-o", out, "--workers", n_workers, "--resume")
            if not last:
                kill_at_work(process, out, chance.uniform(0, most))
            _, errors = process.communicate()
            killed += process.returncode == -signal.SIGKILL
            assert process.returncode in ([1] if last else [1, -signal.SIGKILL]), errors
        assert_same(tables(out), whole)
        n += 1


@pytest.mark.dear("a run of three processes that is interrupted")
def test_interrupted_it_says_so_and_keeps_what_is_done(
    logs: Path, whole: Frames, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    process = score_process(logs, "-o", out, "--workers", 2)
    wait_for(lambda: done_of(out))
    os.kill(process.pid, signal.SIGINT)
    for _ in range(3):  # what is not Python's own may swallow one
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    # A worker that was just starting may complain of its end.
    assert f"stopped; the work done is kept in {out}; --resume continues\n" in errors
    assert 0 < tables(out)[PIECES].height < whole[PIECES].height
    again = ("--keep-repeated", "--resume", "--workers", "1")
    done = run("score", str(logs), "-o", str(out), *again)
    assert done.returncode == 1
    # The rest was cut into larger pieces than the run before had made.
    assert tables(out)[HANDS].equals(whole[HANDS])
    assert tables(out)[REJECTS].equals(whole[REJECTS])


SAMPLE = "sample_histories/showdown.stud"
AGAIN = "give it again, or choose another folder"
EXACT = ("--decisions", "--exact", "--rollouts", "12")


@pytest.mark.parametrize(
    ("made", "asked", "words"),
    [
        ((), ("--ties", "paper"), f"--ties split: {AGAIN}"),
        ((), ("--decisions",), "no --decisions: leave it out, or choose another folder"),
        ((), ("--keep-repeated",), "no --keep-repeated: leave it out, or choose another folder"),
        (
            (),
            ("--decisions", "--ties", "paper"),
            "--ties split and no --decisions: give the same options again, or choose another",
        ),
        (
            (),
            ("--policy", "tight"),
            "hands read by people; Saund's notation: table1-left (--policy, --reader, "
            f"--lapse, --seat and --known): {AGAIN}",
        ),
        *few(
            [
                (EXACT, (), f"{' '.join(EXACT)}: {AGAIN}"),
                pytest.param(
                    *(("--decisions",), (), f"--decisions: {AGAIN}"),
                    marks=pytest.mark.dear("learned values are loaded"),
                ),
            ],
            0,
        ),
        (("--keep-repeated",), (), f"--keep-repeated: {AGAIN}"),
    ],
)
def test_the_options_of_tables_are_asked_for_again(
    made: tuple[str, ...], asked: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    out = str(tmp_path / "out")
    assert run("score", SAMPLE, "-o", out, *made).returncode == 0
    told = " ".join(run("score", SAMPLE, "-o", out, "--resume", *asked).stderr.split())
    assert f"out: these tables have {words}" in told


def test_a_second_run_needs_to_be_told_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    rows = "1 rows of hands, 30 rows of stages, 19 rows of actions, 7 rows of players"
    made = f"{rows}, read by table1-left; 0 refused"
    assert run("score", SAMPLE, "-o", str(out))[:2] == (0, f"{out}: {made}\n")
    told = f"handread: {out}: already has tables; --resume adds to them\n"
    assert run("score", SAMPLE, "-o", str(out)) == (2, "", told)


def test_text_that_is_no_hand_is_counted_apart(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "junk.txt").write_bytes(b"\0\1junk")
    texts = (str(tmp_path / "empty.txt"), str(tmp_path / "junk.txt"))
    nothing = run("score", *texts, "-o", str(tmp_path / "nothing"))
    assert "hands read" not in nothing.stderr
    assert "already read" not in nothing.stderr
    sample = "sample_histories/broken-card.stud"
    done = run("score", *texts, sample, "-o", str(out))
    assert done.stdout.endswith("; 1 refused, 2 not understood\n")
    assert "1 hand read in" in done.stderr
    told = run("summary", str(out)).stdout
    assert "refused and not understood, by reason (one of each kind is shown)" in told
    assert "not understood, by reason" in run("summary", str(tmp_path / "nothing")).stdout


def test_broken_input_does_not_hide_the_tables(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("score", SAMPLE, "-o", str(out)).returncode == 0
    broken = run("score", "sample_histories/broken-card.stud", "no.txt", "-o", str(out), "--resume")
    assert broken.returncode == 2
    assert broken.stderr.startswith("no.txt: cannot be read: No such file or directory\n")
    assert "broken-card.stud:4:13: '11h' is not a card" in broken.stderr
    assert set(tables(out)[HANDS]["file"]) == {SAMPLE}
    alone = run("score", "no.txt", "-o", str(tmp_path / "no"))
    assert alone.returncode == 2


@pytest.mark.dear("a process of its own")
def test_standard_input_is_a_file_too(tmp_path: Path) -> None:
    text = (ROOT / SAMPLE).read_text()
    done = whole_process("score", "-", "-o", str(tmp_path / "out"), "--workers", "1", stdin=text)
    assert done.returncode == 0, done.stderr
    (name,) = tables(tmp_path / "out")[HANDS]["file"]
    assert re.fullmatch(r"-#[0-9a-f]{8}", name)
    other = (ROOT / "sample_histories" / "steal.stud").read_text()
    more = run("score", "-", "-o", str(tmp_path / "out"), "--resume", stdin=other)
    assert more.returncode == 0
    assert tables(tmp_path / "out")[HANDS]["file"].n_unique() == 2
    assert [p.name for p in (tmp_path / "out" / ".work").iterdir()] == ["lock"]


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = (ROOT / SAMPLE).read_text()
    with subprocess.Popen(
        [sys.executable, "-c", f"open({str(pipe)!r}, 'w').write({text!r})"]
    ) as writer:
        done = run("score", str(pipe), "-o", str(tmp_path / "out"))
        writer.wait(60)
    assert done.returncode == 0, done.stderr
    assert tables(tmp_path / "out")[HANDS]["file"][0].startswith(f"{pipe}#")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[tuple[str, object]]:
    """A Dask cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address, cluster


@pytest.mark.dear("a cluster of processes, one of which is killed")
def test_a_cluster_gives_the_same_tables_though_a_worker_is_killed(
    logs: Path, whole: Frames, tmp_path: Path, scheduler: tuple[str, object]
) -> None:
    address, cluster = scheduler
    out = tmp_path / "out"
    process = score_process(logs, "-o", out, "--scheduler", address)
    wait_for(lambda: len(done_of(out)) >= 3, 240)
    worker = next(iter(cluster.workers.values()))  # type: ignore[attr-defined]
    os.kill(worker.pid, signal.SIGKILL)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 1, errors
    assert_same(tables(out), whole)


@pytest.mark.thorough
def test_workers_with_another_version_are_named_at_the_start(
    logs: Path, tmp_path: Path, scheduler: tuple[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, _ = scheduler
    monkeypatch.setattr("handread.cluster.__version__", "9.9")
    done = run("score", str(logs), "-o", str(tmp_path / "out"), "--scheduler", address)
    assert done.returncode == 2
    wanted = r"handread: \d of \d workers of the cluster lack handread 9\.9: tcp://.* has handread"
    assert re.match(wanted, done.stderr)


@contextlib.contextmanager
def dask(part: str, home: Path, *arguments: str) -> Iterator[None]:
    """A scheduler or worker of Dask that is started in a folder."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{part}", "--no-dashboard", *arguments]
    with (home / f"{part}.log").open("w") as log:
        process = subprocess.Popen(command, cwd=home, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.kill()
            process.wait()


@pytest.mark.dear("a scheduler and two workers, a process each")
def test_a_worker_that_joins_without_handread_is_named_and_the_scheduler_needs_none(
    tmp_path: Path,
) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "here").mkdir()
    bare = tmp_path / "bare"  # the folder that Python starts in is searched first
    (bare / "handread").mkdir(parents=True)
    (bare / "handread/__init__.py").write_text("raise ModuleNotFoundError('no handread here')\n")
    told = tmp_path / "scheduler.json"
    of_scheduler = ("--scheduler-file", str(told))
    of_worker = (*of_scheduler, "--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path))
    with dask("scheduler", bare, "--host", "127.0.0.1", "--port", "0", *of_scheduler):
        wait_for(lambda: told.exists() and told.read_text().endswith("}"))
        address = json.loads(told.read_text())["address"]
        arguments = ("score", SAMPLE, "-o", str(tmp_path / "out"), "--scheduler", address)
        with dask("worker", bare, *of_worker):
            done = run(*arguments)
        assert done.returncode == 2
        assert "1 of 1 workers of the cluster lack handread" in done.stderr
        assert "no handread here" in done.stderr
        with dask("worker", tmp_path / "here", *of_worker):
            done = run(*arguments)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("tcp://127.0.0.1:9", "handread: no Dask scheduler at tcp://127.0.0.1:9"),
        ("nonsense://x", "handread: no Dask scheduler at nonsense://x"),
    ],
)
def test_no_cluster_is_said(
    address: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("handread.cluster.TIMEOUT", "1s")
    done = run("score", SAMPLE, "-o", str(tmp_path / "out"), "--scheduler", address)
    assert done.returncode == 2
    assert told in done.stderr
