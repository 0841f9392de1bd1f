"""In a terminal: results go where stdout leads, and nowhere else, whatever is shown on stderr."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress, ProgressColumn, Task, TaskID

from handread.cli.console import Watched, _Speed, _TimeLeft, hands_progress
from handread.parallel import _digest_file, planned_parts
from handread.progress import progress_bar
from handread.runs import Run
from tests.examples import few
from tests.program import PROGRAM, ROOT, run

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

BARS = {"analyze", "check", "convert", "evaluate", "experiment", "fit", "report", "score"}
BARS |= {"simulate"}
"""The commands that show on a terminal how far they are."""

LOG = "sample_histories/pokerstars.txt"
SHOWDOWN = "sample_histories/showdown.stud"
PRINTS = """
analyze LOG
analyze LOG --json
analyze sample_histories/broken-turn.stud
check LOG
convert LOG --to phh
evaluate SHOWDOWN --policy loose --resamples 100 --workers 1
experiment information-gain GAME
experiment entropies SHOWDOWN
fit SHOWDOWN --set rounds=1 --penalty 1 --temper 1 --workers 1
formats
formats --explain pokerstars --json
policy list
query TABLES street=5
report SHOWDOWN -o PAGES
score LOG -o TABLES --resume --workers 1
simulate 2 --policy loose
summary TABLES
summary TABLES --json
summary TABLES --plot surprise -o PAGES.svg
"""


@contextlib.contextmanager
def terminal(columns: int = 80) -> Iterator[tuple[int, list[bytes]]]:
    """A terminal to write on, and what has appeared on it when it is closed."""
    inside, outside = pty.openpty()
    termios.tcsetwinsize(outside, (40, columns))
    shown: list[bytes] = []

    def look() -> None:
        with contextlib.suppress(OSError):  # the end, as Linux puts it
            while data := os.read(inside, 65536):
                shown.append(data)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield outside, shown
    finally:
        os.close(outside)
        thread.join(timeout=60)
        os.close(inside)


def printed(args: tuple[str, ...], stderr: io.TextIOBase, path: Path) -> bytes:
    """What the program writes to a file as stdout, run in this process."""
    with (
        path.open("w", encoding="utf-8") as stdout,
        contextlib.chdir(ROOT),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
        pytest.raises(SystemExit) as end,
    ):
        PROGRAM.main(list(args), "handread")
    assert end.value.code in (0, 1)
    return path.read_bytes()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "scores"
    assert run("score", LOG, "-o", str(folder), "--workers", "1").returncode == 0
    return folder


@pytest.mark.parametrize("line", few(PRINTS.strip().splitlines(), 6))
def test_stdout_is_the_same_when_stderr_is_a_terminal(
    line: str, tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    places = {"TABLES": str(tables), "PAGES": str(tmp_path / "pages")}
    places |= {"LOG": LOG, "SHOWDOWN": SHOWDOWN, "GAME": "--games 1 --workers 1"}
    for word, place in places.items():
        line = line.replace(word, place)
    args = tuple(line.split())
    plain = printed(args, io.StringIO(), tmp_path / "plain")
    assert plain
    with terminal() as (outside, shown), open(outside, "w", closefd=False) as stderr:
        assert printed(args, stderr, tmp_path / "out") == plain
    seen = b"".join(shown)
    # Or else the terminal was none, and the test shows nothing.
    assert (b"\x1b[" in seen) == (args[0] in BARS)
    assert plain not in seen.replace(b"\r\n", b"\n")


@pytest.mark.thorough
@pytest.mark.parametrize("pipe", ["> out", "| head -n 3 > out"])
def test_a_shell_in_a_terminal(pipe: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m handread analyze {ROOT / SHOWDOWN} {pipe}"
    with terminal() as (outside, shown):
        done = subprocess.run(
            ["sh", "-c", command],
            stdin=outside,
            stdout=outside,
            stderr=outside,
            cwd=tmp_path,
            env={**os.environ, "TERM": "xterm"},
            check=False,
        )
    lines = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    assert done.returncode == 0
    assert len(lines) == 3 if "head" in pipe else len(lines) > 40
    assert lines[0].encode() not in b"".join(shown)


@pytest.mark.parametrize(
    ("seconds", "left"),
    [
        (25.0, "0:03:32"),  # 1700 games at 8 a second
        (40.0, "0:03:18"),
        (60.0, "0:03:08"),  # the next 200 games are late
        (99.0, "0:03:08"),
    ],
)
def test_the_rate_is_that_of_the_whole_run(seconds: float, left: str) -> None:
    """A batch that arrives, and what an earlier run has left, promise no speed that is not so."""
    fields = {"before": 100, "at": 25.0, "batch": 200}
    task = Task(TaskID(0), "games", 2000, 300, _get_time=lambda: seconds, fields=fields)
    task.start_time = 0.0
    assert [_Speed().render(task).plain, _TimeLeft().render(task).plain] == ["8.0/s", left]
    task.completed = 100
    assert [_Speed().render(task).plain, _TimeLeft().render(task).plain] == ["", "-:--:--"]


def test_work_of_an_earlier_run_counts_for_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    bars = []

    def kept(*columns: Any) -> Progress:
        bars.append(progress_bar(*columns))
        return bars[0]

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("handread.cli.console.progress_bar", kept)
    with terminal() as (outside, _), open(outside, "w", closefd=False) as stderr:
        monkeypatch.setattr(sys, "stderr", stderr)
        with hands_progress(1000) as tick:
            tick(400, 0)
            tick(100, 7)
            (task,) = bars[0].tasks
            assert (task.completed, task.fields["before"], task.fields["hands"]) == (500, 400, 7)


def test_the_time_left_does_not_count_an_earlier_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten hands of 3 s each, after two of an earlier run."""
    seconds, left, bars = 0.0, [], []

    def on_fake_clock(console: Console, *columns: ProgressColumn) -> Progress:
        bars.append(Progress(*columns, console=console, get_time=lambda: seconds))
        return bars[0]

    def work(_numbers: range, path: Path) -> None:
        nonlocal seconds
        if bars:
            (task,) = bars[0].tasks
            left.append(_TimeLeft().render(task).plain)
        seconds += 3.0
        path.touch()

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("handread.cli.console.progress_bar", on_fake_clock)
    for part in planned_parts(tmp_path, 2, size=1):
        part.file.touch()
        _digest_file(part.file).write_text(sha256(b"").hexdigest())
    with terminal() as (outside, _), open(outside, "w", closefd=False) as stderr:
        monkeypatch.setattr(sys, "stderr", stderr)
        run = Run(workers=1, resume=tmp_path, watch=Watched())
        with run.parts(work, 12, 50, "hands"):
            pass
    assert left == ["-:--:--", *(f"0:00:{3 * hands:02}" for hands in range(9, 0, -1))]
