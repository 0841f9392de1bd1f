"""Progress where stderr is no terminal: a line every half minute, by a clock that tests turn."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress, ProgressColumn

from handread import progress as module
from handread.cli.console import _account, hands_progress, looking_through, progress
from handread.parallel import Part, StoredJobs, part_size
from handread.progress import ProgressLines
from handread.runs import Run, Task
from handread.sessions.files import ReadSettings, Session
from tests.program import SAMPLES, run


class Clock(threading.Event):
    """A clock that stands still, and an event that is waited for by this clock.

    ``pass_time`` lets the wait end that is going on, and returns when the next one has begun: all
    that was to be printed then is printed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self._begun: Queue[float | None] = Queue()
        self._over: Queue[bool] = Queue()

    def wait(self, timeout: float | None = None) -> bool:
        self._begun.put(timeout)
        return self._over.get()

    def set(self) -> None:
        super().set()
        self._over.put(True)

    def pass_time(self) -> None:
        waits = self._begun.get()
        assert waits == 30.0
        self.now += waits
        self._over.put(False)
        self._begun.put(self._begun.get())


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all lines of progress."""
    clock = Clock()

    def lines(console: Console, *columns: ProgressColumn) -> Progress:
        return ProgressLines(console, *columns, get_time=lambda: clock.now, stopped=clock)

    monkeypatch.setattr(module, "ProgressLines", lines)
    return clock


def test_long_work_prints_a_line_every_half_minute(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed() -> list[str]:
        return capsys.readouterr().err.splitlines()

    with progress(1000, "fit") as tick:
        tick(100, earlier=True)
        tick(0, "reading the hands, round 1")
        clock.pass_time()
        assert printed() == ["reading the hands, round 1, 100/1000"]
        tick(300)
        clock.pass_time()
        assert printed() == ["reading the hands, round 1, 400/1000, 10.0/s, 0:00:30 left"]
        clock.pass_time()  # a step that takes long
        assert printed() == ["reading the hands, round 1, 400/1000, 10.0/s, 0:00:30 left"]
    assert printed() == []


@pytest.mark.parametrize(
    ("bar", "work", "line"),
    [
        (lambda: hands_progress(1000), lambda tick: tick(250, 60), "25%, 60 hands, 2.0/s"),
        (looking_through, lambda _: None, "looking through the files ..."),
        (
            lambda: Session([str(SAMPLES / "showdown.stud")], ReadSettings())._progress(),
            lambda advance: advance(),
            "hands: 1, 0:00:30",
        ),
    ],
    ids=["hands", "looking", "session"],
)
def test_every_bar_has_its_line(
    clock: Clock,
    bar: Callable[[], Any],
    work: Callable[[Any], None],
    line: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with bar() as tick:
        work(tick)
        clock.pass_time()
    (found,) = capsys.readouterr().err.splitlines()
    assert found.startswith(line)


def test_the_bar_of_a_terminal_stays() -> None:
    on_a_terminal = module.progress_bar(Console(file=io.StringIO(), force_terminal=True))
    assert type(on_a_terminal) is Progress
    assert type(module.progress_bar(Console(file=io.StringIO()))) is ProgressLines


@pytest.mark.parametrize(
    ("fresh", "processes", "account"),
    [
        (0, 2, "all 10 games are from an earlier run"),
        (1, 1, "1 game (and 9 from an earlier run) in 2 s: 0.5 a second, 1 process"),
        (4, 0, "4 games (and 6 from an earlier run) in 2 s: 2.0 a second, the cluster"),
        (10, 3, "10 games in 2 s: 5.0 a second, 3 processes"),
    ],
)
def test_the_account_of_a_run_says_what_an_earlier_one_did(
    fresh: int, processes: int, account: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handread.cli.console.time.monotonic", lambda: 102.0)
    assert _account(Task(10, "games", fresh, processes, 100.0)) == account


@pytest.mark.parametrize("command", ["decisions", "report --decisions -o {}"])
@pytest.mark.parametrize(
    ("log", "size"),
    [("showdown.stud --policy people", 4), ("razz.stud --policy people", 4), ("razz.stud", 1)],
)
def test_hands_valued_by_rollouts_alone_are_in_parts_of_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, log: str, size: int
) -> None:
    sizes = []

    @contextmanager
    def parts(
        _run: Run, _work: object, jobs: StoredJobs, weight: int, *_: object, **_more: object
    ) -> Iterator[list[Part]]:
        sizes.append((jobs.size, part_size(weight)))
        yield []

    monkeypatch.setattr(Run, "parts", parts)
    words = command.format(tmp_path / "pages").split()
    run(words[0], f"sample_histories/{log.split(maxsplit=1)[0]}", *log.split()[1:], *words[1:])
    (found,) = sizes
    # The pages take time to write, too.
    assert found == ((size, size) if command == "decisions" or size == 1 else (3, 3))


def test_the_heaviest_of_the_first_jobs_limits_all_parts(tmp_path: Path) -> None:
    stored = StoredJobs.store(range(60), tmp_path, lambda job: 10 if job == 49 else 1)
    assert (stored.size, list(stored)) == (5, [*range(60)])
    assert StoredJobs.store([], tmp_path, lambda _: 99).size == 50
    later = StoredJobs.store(range(60), tmp_path, lambda job: 10 if job == 50 else 1)
    assert later.size == 50
