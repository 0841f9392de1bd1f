"""Output of the commands: results on stdout, messages and progress on stderr."""

import hashlib
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import rich.progress as bars
from rich.console import Console
from rich.text import Text

from handread.cli.streams import STOPPED, write
from handread.kernels.jit import kernel_folder
from handread.lazy import lazily
from handread.parallel import PART_SIZE, PartTick, RunError, StoredJobs, no_tick, parts_folder
from handread.progress import progress_bar
from handread.report.problems import error_console, on_screen
from handread.report.tables import output_width
from handread.runs import Task
from handread.whole_files import is_device

with lazily():
    import handread.report.figures as figures
    import handread.tables.read as tables_read

KEPT_SECONDS = 7 * 24 * 3600
"""How long the parts of an interrupted run are kept in the cache."""


def emit(text: str) -> None:
    """Write to standard output and flush; escape characters that its encoding lacks.

    A closed pipe ends the program quietly, a full disk with a message and status 2.
    """
    encoding = sys.stdout.encoding or "utf-8"
    write(text.encode(encoding, "backslashreplace").decode(encoding))


def say(text: str) -> None:
    """Print a line on stderr; escape control characters, and wrap it on a terminal."""
    console = error_console()
    console.print(on_screen(text, console), markup=False)


def screen() -> Console:
    """Return a console that renders text for stdout, as wide as its terminal."""
    return Console(highlight=False, emoji=False, width=output_width())


def draw(path: Path | None, figure: Callable[[ModuleType], Any]) -> None:
    """Draw a figure to a file, if one is given; ``figure`` is called with the figures module."""
    if path is not None:
        figures.save(figure(figures), path)


def opened(folder: Path, game: str | None = None) -> "tables_read.Tables":
    """Open the tables of a folder, for one game or all; note on stderr if hands are missing."""
    tables = replace(tables_read.open_tables(folder), game=game)
    if tables.unfinished and not tables.parts:
        raise RunError(f"{folder}: {tables_read.NO_HAND}")
    if tables.unfinished:
        say(f"{folder}: a run is not finished; handread score --resume continues it")
    return tables


@contextmanager
def errors_told(*kinds: type[Exception]) -> Iterator[None]:
    """End the program with a message and status 2 on an error that is not a bug.

    These are ``RunError``, a file that cannot be written, and errors of ``kinds``.
    """
    refused: tuple[type[Exception], ...] = (RunError, *kinds)
    try:
        yield
    except refused as error:
        say(f"handread: {error}")
        raise SystemExit(2) from None
    except OSError as error:
        say(f"handread: {error.filename or 'a file'} cannot be written: {error.strerror or error}")
        raise SystemExit(2) from None


LOST = "stopped; the work done is lost"
"""The message of a command that keeps nothing when it is interrupted."""


@contextmanager
def stoppable(told: str | Callable[[], str]) -> Iterator[None]:
    """End the program with this message and status 130 when interrupted, else like ``errors_told``.

    For the parts of an output see ``kept_words``. A function makes the message when it is needed.
    """
    try:
        with errors_told():
            yield
    except KeyboardInterrupt:
        say(told if isinstance(told, str) else told())
        raise SystemExit(STOPPED) from None


@contextmanager
def stored(
    jobs: Iterable[Any], size: int | Callable[[Any], int] = PART_SIZE
) -> Iterator[StoredJobs]:
    """Read all jobs and yield them, stored on disk in parts by ``StoredJobs.store``."""
    with tempfile.TemporaryDirectory(prefix="handread-") as name:
        with stoppable("stopped while the hands were read; give the same command again"):
            kept = StoredJobs.store(jobs, Path(name), size)
        yield kept


def kept_words(output: Path | None) -> str:
    """Return the message that the parts of an output, or parts in the cache, are kept."""
    where = "" if output is None else f" in {output}.parts"
    return f"stopped; the work done is kept{where}; give the same command again to resume"


@contextmanager
def kept_parts(
    output: Path | None, terms: Mapping[str, Any], resume: bool = False
) -> Iterator[Path]:
    """Yield the folder for the parts of a run; it stays there if the run is interrupted.

    It is beside the output, or in the user's cache for a printed result (``parts_folder``). Parts
    in the cache are deleted after a week without use. Without a cache, or while the same command is
    running, the folder is temporary.

    Args:
        output: The file that is written, if any.
        terms: JSON values that determine the result; "command" is the name of the command.
        resume: True to report if there is nothing to resume.
    """
    if output is not None and not is_device(output):
        with stoppable(kept_words(output)), parts_folder(output, terms) as folder:
            _tell_if_fresh(folder, resume)
            yield folder
        return
    cached = _in_cache(terms)
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(parts_folder(cached, terms))
        except RunError:
            cached, folder = None, stack.enter_context(parts_folder(None, terms))
        stack.enter_context(stoppable(LOST if cached is None else kept_words(None)))
        _tell_if_fresh(folder, resume)
        yield folder


def _in_cache(terms: Mapping[str, Any]) -> Path | None:
    """Return the path in the user's cache beside which parts are kept; delete old parts."""
    cache = kernel_folder()
    if cache is None:
        return None
    name = terms["command"]
    for old in cache.glob(f"{name}-*.parts"):
        with suppress(OSError):
            if time.time() - old.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(old)
    text = json.dumps(terms, sort_keys=True)
    return cache / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _tell_if_fresh(folder: Path, resume: bool) -> None:
    if resume and {entry.name for entry in folder.iterdir()} <= {"lock", "run.json"}:
        say("there is no interrupted run with these options: this one begins anew")


A_SECOND = 25
"""Plain games that a process usually plays and reads in a second."""


class Watched:
    """Shows the progress of a run, and afterwards how long it took."""

    def __init__(self) -> None:
        self._accounts: list[str] = []

    @contextmanager
    def __call__(self, task: Task) -> Iterator[PartTick]:
        """Say how large a task is, and show a progress bar for it."""
        say_size(f"{task.fresh:,} {task.what}", task.fresh * task.weight, task.processes)
        with progress(task.jobs, task.what) as tick:
            yield tick
        self._accounts.append(_account(task))

    def tell(self) -> None:
        """Say how long each task took."""
        for account in self._accounts:
            say(account)


def say_size(what: str, games: float, processes: int = 1) -> None:
    """Say before a long run how large and about how long it is; ``games`` is in plain games.

    With 0 processes, for a cluster, no time is known.
    """
    minutes = games / A_SECOND / max(processes, 1) / 60
    if minutes > 1 / 4:
        say(f"{what}, about {minutes:.0f} min" if minutes >= 1.5 and processes else what)


def _account(task: Task) -> str:
    fresh, n, what = task.fresh, task.jobs, task.what
    if not fresh:
        return f"all {n:,} {what} are from an earlier run"
    seconds = time.monotonic() - task.start
    earlier = f" (and {n - fresh:,} from an earlier run)" if fresh < n else ""
    by = {0: "the cluster", 1: "1 process"}.get(task.processes, f"{task.processes} processes")
    counted = what if fresh > 1 else what[:-1]
    return f"{fresh:,} {counted}{earlier} in {seconds:.0f} s: {a_second(fresh, seconds)}, {by}"


def a_second(count: int, seconds: float) -> str:
    """Return a rate in words."""
    return f"{count / max(seconds, 1e-9):.1f} a second"


def _rate(task: bars.Task) -> float:
    """Return the work done per second from the start to the last arrival.

    Parts arrive in bursts, so a rate over the last moments would be far too optimistic.
    """
    done: float = task.completed - task.fields["before"]
    return done / task.fields["at"] if task.fields["at"] else 0.0


class _Speed(bars.ProgressColumn):
    def render(self, task: bars.Task) -> Text:
        rate = _rate(task)
        return Text(f"{rate:.1f}/s" if rate else "")


class _TimeLeft(bars.ProgressColumn):
    """The time left at the average rate of the run; it pauses if the next arrival is late."""

    unit = " left"
    """Follows the time in a line of a log without a bar before it."""

    def render(self, task: bars.Task) -> Text:
        rate = _rate(task)
        if not rate or task.total is None or task.elapsed is None:
            return Text("-:--:--")
        left = task.total - task.completed
        waited = task.elapsed - task.fields["at"]
        seconds = max(left / rate - waited, (left - task.fields["batch"]) / rate, 0.0)
        return Text(str(timedelta(seconds=round(seconds))))


class _HandRate(bars.ProgressColumn):
    """The number of hands read and their rate, for a bar with another measure."""

    def render(self, task: bars.Task) -> Text:
        hands, seconds = task.fields["hands"], task.elapsed
        speed = f", {hands / seconds:.1f}/s" if hands and seconds else ""
        return Text(f"{hands:,} {'hand' if hands == 1 else 'hands'}{speed}")


class Advance(PartTick, Protocol):
    """Advances a progress bar, and changes its words."""

    def __call__(self, done: int, what: str | None = None, /, *, earlier: bool = False) -> None:
        """Add to the work done; change the words if some are given."""


@contextmanager
def progress(total: int, what: str, shown: bool = True) -> Iterator[Advance]:
    """Show a progress bar, if ``shown``; yield a function that advances it and sets its words."""
    if not shown:
        yield no_tick
        return
    shares = bars.BarColumn(), bars.MofNCompleteColumn()
    columns = bars.TextColumn("{task.description}"), *shares, _Speed()
    with _bar(total, *columns, description=what) as arrive:

        def advance(done: int, what: str | None = None, *, earlier: bool = False) -> None:
            arrive(done, earlier, description=what)

        yield advance


@contextmanager
def hands_progress(total: int) -> Iterator[Callable[[int, int], None]]:
    """Like ``progress``, but the function takes the work done and its hands (0 if done earlier)."""
    read = 0
    columns = bars.BarColumn(), bars.TaskProgressColumn(), _HandRate()
    with _bar(total, *columns, hands=0) as arrive:

        def tick(work: int, hands: int) -> None:
            nonlocal read
            read += hands
            arrive(work, not hands, hands=read)

        yield tick


@contextmanager
def _bar(
    total: int, *columns: bars.ProgressColumn, description: str = "", **fields: Any
) -> Iterator[Callable[..., None]]:
    """Show a progress bar with the time left behind its columns.

    Yields ``arrive(work, earlier, **fields)`` to report work. Work of an ``earlier`` run does not
    count for the speed; the columns show ``fields``.
    """
    console = Console(stderr=True, emoji=False)
    with progress_bar(console, *columns, _TimeLeft()) as bar:
        number = bar.add_task(description, total=total, before=0, batch=0, at=0.0, **fields)

        def arrive(work: int, earlier: bool, **fields: Any) -> None:
            task = bar.tasks[number]
            if earlier:
                fields["before"] = task.fields["before"] + work
            elif work:
                fields |= {"at": task.elapsed or 0.0, "batch": max(work, task.fields["batch"])}
            bar.update(number, advance=work, **fields)

        yield arrive


@contextmanager
def looking_through() -> Iterator[None]:
    """Show a spinner while the files are scanned before the work begins."""
    console = Console(stderr=True, emoji=False)
    columns = bars.SpinnerColumn(), bars.TextColumn("{task.description}")
    with progress_bar(console, *columns) as bar:
        bar.add_task("looking through the files ...", total=None)
        yield
