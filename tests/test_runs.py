"""Long runs: whole parts, gone on with after a stop, the same for any number of workers."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.parallel import (
    PART_SIZE,
    RunError,
    StoredJobs,
    locked,
    no_tick,
    parts_folder,
    planned_parts,
    run_parts,
    spread,
    workers_kept,
)
from handread.processes import interrupts_blocked
from handread.runs import Run
from handread.whole_files import write_text_whole, write_whole

N = 3 * PART_SIZE + 7


def write_numbers(
    numbers: range,
    path: Path,
    log: Path | None = None,
    stop: int | None = None,
    die: int | None = None,
) -> None:
    """Write numbers; note it in a log, and stop or die at the part that begins with one."""
    if log is not None:
        with log.open("a") as file:
            file.write(f"{numbers.start}\n")
    if numbers.start == die:
        os.kill(os.getpid(), signal.SIGKILL)
    path.write_text(" ".join(map(str, numbers)))
    if numbers.start == stop:
        raise KeyboardInterrupt


def result(folder: Path) -> list[int]:
    parts = planned_parts(folder, N)
    return [int(word) for part in parts for word in part.file.read_text().split()]


def test_all_numbers_in_order(tmp_path: Path) -> None:
    done: list[tuple[int, bool]] = []

    def tick(n: int, /, *, earlier: bool = False) -> None:
        done.append((n, earlier))

    for earlier in (False, True):
        run_parts(write_numbers, planned_parts(tmp_path, N), 1, tick)
        assert result(tmp_path) == list(range(N))
        assert sum(n for n, before in done if before is earlier) == N


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    terms = {"seed": 1}
    with pytest.raises(KeyboardInterrupt), parts_folder(output, terms) as folder:
        run_parts(partial(write_numbers, stop=PART_SIZE), planned_parts(folder, N), 1, no_tick)
    log = tmp_path / "log"
    with parts_folder(output, terms) as folder:
        run_parts(partial(write_numbers, log=log), planned_parts(folder, N), 1, no_tick)
        assert result(folder) == list(range(N))
    # The part in which it was stopped was not whole, and is not taken for it.
    assert log.read_text().split() == [str(k * PART_SIZE) for k in (1, 2, 3)]
    assert list(tmp_path.iterdir()) == [log]


def test_a_longer_run_uses_what_a_shorter_one_did(tmp_path: Path) -> None:
    log = tmp_path / "log"
    work = partial(write_numbers, log=log)
    run_parts(work, planned_parts(tmp_path, 2 * PART_SIZE), 1, no_tick)
    run_parts(work, planned_parts(tmp_path, 3 * PART_SIZE), 1, no_tick)
    # The first fifty numbers are cut smaller, so that one soon sees how fast it is.
    assert log.read_text().split() == ["0", "5", "10", "20", "30", "50", "100"]


@given(n=st.integers(0, 500), size=st.integers(1, 60))
def test_parts_hold_every_number_once(n: int, size: int) -> None:
    parts = planned_parts(Path("folder"), n, size=size)
    assert [number for part in parts for number in part.numbers] == list(range(n))
    assert all(0 < len(part.numbers) <= size for part in parts)
    # What a shorter run has done a longer one can use, but for its last part.
    longer = planned_parts(Path("folder"), n + size, size=size)
    assert longer[: max(0, len(parts) - 1)] == parts[:-1]


def nap(seconds: int) -> bool:
    """Waits; whether this process is one that Ctrl-C cannot reach, even as it starts."""
    time.sleep(seconds)
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.thorough
def test_a_stop_does_not_wait_for_what_is_at_work() -> None:
    start = time.monotonic()
    with contextlib.closing(spread(nap, [0, 600, 600, 600], 2)) as done:
        assert next(done) == (0, True)
    assert time.monotonic() - start < 300
    assert not multiprocessing.active_children()


def who(_: int) -> int:
    """The process that does this job."""
    return os.getpid()


@pytest.mark.dear("six processes start")
def test_kept_workers_do_the_next_work_too_and_end_with_the_body() -> None:
    with workers_kept():
        first = {pid for _, pid in spread(who, range(8), 2)}
        workers = {worker.pid for worker in multiprocessing.active_children()}
        assert first <= workers
        assert {pid for _, pid in spread(who, range(8), 2)} <= workers
        with contextlib.closing(spread(nap, [0, 600, 600], 2)) as stopped:
            next(stopped)
        assert not multiprocessing.active_children()
        assert {pid for _, pid in spread(who, range(2), 2)}.isdisjoint(workers)
    assert not multiprocessing.active_children()


INTERRUPTED = """
import os, signal, threading, polars
from handread.parallel import spread
from tests.test_runs import nap

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what runs behind a shell
    polars.DataFrame({"a": [1, 2]}).lazy().select(polars.col("a").sum()).collect()
    results = spread(nap, [0, 600, 600], 2)
    next(results)
    threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        next(results)
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.dear("a process of its own, and its workers")
def test_an_interrupt_is_answered_though_polars_has_a_say_in_it(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert done.stdout == "interrupted\n"


def test_an_interrupt_waits_while_a_worker_starts() -> None:
    reached = []

    def start() -> None:
        with interrupts_blocked():
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("end")

    with pytest.raises(KeyboardInterrupt):
        start()
    assert reached == ["end"]


def test_nothing_is_kept_beside_a_device() -> None:
    for name in ("/dev/null", "/dev/full"):
        if Path(name).exists():
            with parts_folder(Path(name), {}) as folder:
                assert not Path(f"{name}.parts").exists()
            assert not folder.exists()


def refused(output: Path, told: str) -> None:
    with pytest.raises(RunError, match=told), parts_folder(output, {}):
        pass


def test_parts_and_files_of_others_are_not_taken(tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    with pytest.raises(KeyboardInterrupt), parts_folder(output, {"seed": 1}) as folder:
        raise KeyboardInterrupt
    (folder / "run.json").unlink()
    refused(output, "holds parts of another run")
    assert folder.exists()
    foreign = tmp_path / "b.csv.parts" / "thesis.txt"
    foreign.parent.mkdir()
    foreign.write_text("years of work")
    refused(tmp_path / "b.csv", "holds parts of another run")
    assert foreign.read_text() == "years of work"
    refused(tmp_path / "nowhere" / "out.csv", "cannot be written")


@pytest.mark.parametrize("name", ["000000000-5", "000000000-5.sha256", "lock", "step"])
def test_what_is_no_part_ends_the_run_with_its_name(name: str, tmp_path: Path) -> None:
    place = tmp_path / name
    if name == "step":
        place.write_text("a file")
    else:
        place.mkdir()

    def begin() -> None:
        with locked(tmp_path):
            Run(resume=tmp_path).within("step")
            planned_parts(tmp_path, N)

    with pytest.raises(RunError, match=f"{name}: cannot be used: "):
        begin()


def test_a_part_of_another_user_ends_the_run_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The administrator may read anything, so the refusal is simulated."""
    run_parts(write_numbers, planned_parts(tmp_path, N), 1, no_tick)

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(RunError, match="000000000-5: cannot be used: Permission denied"):
        planned_parts(tmp_path, N)


def test_two_runs_do_not_share_an_output(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    output = tmp_path / "out.csv"
    with parts_folder(output, {}):
        refused(output, "another run is using it")
    with parts_folder(output, {}):
        pass


@pytest.mark.dear("four processes start")
def test_a_worker_that_dies_ends_the_run_and_keeps_the_rest(tmp_path: Path) -> None:
    parts, done = planned_parts(tmp_path, N), list[int]()

    def tick(n: int, /, *, earlier: bool = False) -> None:
        done.append(n)

    with pytest.raises(RunError, match="a worker process died"):
        run_parts(partial(write_numbers, die=2 * PART_SIZE), parts, 2, no_tick)
    run_parts(write_numbers, parts, 2, tick)
    assert result(tmp_path) == list(range(N))
    assert sum(done) == N


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write_text_whole(path, "old")

    def fail(draft: Path) -> None:
        draft.write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_whole(path, fail)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


SIMULATE = (sys.executable, "-m", "handread", "simulate", "--policy", "loose", "--seats", "2")


def begun(output: Path, games: str, **streams: int) -> subprocess.Popen[str]:
    """A simulation by two workers, after its first parts."""
    run = subprocess.Popen(
        [*SIMULATE, games, "-o", str(output), "--workers", "2"],
        start_new_session=True,
        text=True,
        **streams,
    )
    deadline = time.monotonic() + 120
    while not parts_of(output) and time.monotonic() < deadline:
        time.sleep(0.05)
    return run


def parts_of(output: Path) -> int:
    return len(list(output.with_name(f"{output.name}.parts").glob("*/0*")))


@pytest.mark.dear("a program and its workers start")
def test_a_second_interrupt_leaves_no_workers_behind(tmp_path: Path) -> None:
    run = begun(tmp_path / "x.stud", "100000", stderr=subprocess.PIPE)  # never done before
    for _ in range(2):
        os.killpg(run.pid, signal.SIGINT)
        time.sleep(0.2)
    _, words = run.communicate(timeout=240)
    assert run.returncode == 130
    assert "\nstopped; the work done is kept" in words
    assert "Traceback" not in words


def test_links_are_followed_and_devices_left(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    write_text_whole(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o600
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    write_text_whole(pipe, "through")
    assert reader.communicate(timeout=60)[0] == "through"
    assert pipe.is_fifo()


@given(st.integers(0, N), st.integers(1, N))
def test_jobs_that_wait_are_there_in_order(
    tmp_path_factory: pytest.TempPathFactory, n: int, size: int
) -> None:
    stored = StoredJobs.store(range(n), tmp_path_factory.mktemp("jobs"), size)
    assert list(stored) == list(range(n))
