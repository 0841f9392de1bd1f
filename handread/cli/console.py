"""Output of the commands: results on stdout, messages and progress on stderr."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TaskProgressColumn,
    TextColumn,
)
from rich.text import Text

from handread.cli.streams import STOPPED, write
from handread.kernels.jit import kernel_folder
from handread.parallel import (
    Part,
    PartTick,
    RunError,
    Work,
    is_device,
    no_tick,
    part_size,
    parts_folder,
    planned_parts,
    run_parts,
    useful_workers,
    write_text_whole,
)
from handread.progress import progress_bar
from handread.report.problems import error_console, on_screen
from handread.version import __version__

if TYPE_CHECKING:
    from handread.study.statistics import FigureTable
    from handread.tables.read import Tables

KEPT_SECONDS = 7 * 24 * 3600
"""How long the parts of an interrupted run are kept in the cache."""

AnyTable = TypeVar("AnyTable", bound="FigureTable")


def emit(text: str) -> None:
    """Write to standard output and flush; escape characters that its encoding lacks.

    If the pipe's reader has closed it, the program ends quietly; a full disk ends it with a message
    and status 2.
    """
    encoding = sys.stdout.encoding or "utf-8"
    write(text.encode(encoding, "backslashreplace").decode(encoding))


def say(text: str) -> None:
    """Print a line on stderr; escape control characters, and wrap it on a terminal."""
    console = error_console()
    console.print(on_screen(text, console), markup=False)


def keep(path: Path | None, text: str) -> None:
    """Write a table to a file, if one is given."""
    if path is not None:
        write_text_whole(path, text)


def write_result(found: FigureTable, csv: Path | None, plot: Path | None, figure: str) -> None:
    """Write a table of figures as CSV, and draw it by a function of ``report.figures``."""
    if csv is not None:
        from handread.report.tables import frame_csv

        keep(csv, frame_csv(found))
    draw(plot, lambda figures: getattr(figures, figure)(found))


def draw(path: Path | None, figure: Callable[[ModuleType], Any]) -> None:
    """Draw a figure to a file, if one is given; ``figure`` is called with the figures module."""
    if path is not None:
        from handread.report import figures

        figures.save(figure(figures), path)


def opened(folder: Path, game: str | None = None) -> Tables:
    """Open the tables of a folder, to see one game or all.

    A note on stderr says if hands are still missing.
    """
    from handread.tables.read import open_tables

    tables = replace(open_tables(folder), game=game)
    if tables.unfinished:
        say(f"{folder}: a run is not finished; handread score --resume continues it")
    return tables


# Errors and interruption


@contextmanager
def errors_told(*kinds: type[Exception]) -> Iterator[None]:
    """End the program with a message and status 2 on an error that is not a bug.

    Such errors are ``RunError``, a file that cannot be written, and errors of ``kinds``.
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


RESUME = "give the same command again to resume"

LOST = "stopped; the work done is lost"
"""The message of a command that keeps nothing when it is interrupted."""

UNREAD = "stopped while the hands were read; give the same command again"
"""The message of a command that is interrupted before its work begins."""


@contextmanager
def stoppable(output: Path | None, told: str = "") -> Iterator[None]:
    """End the program with a message: status 130 when interrupted, else like ``errors_told``.

    The message is ``told``; without it, that the parts of ``output`` are kept.
    """
    try:
        with errors_told():
            yield
    except KeyboardInterrupt:
        if told:
            say(told)
        elif output is None or is_device(output):
            say(f"{LOST}; with an output file it would be kept")
        else:
            say(f"stopped; the work done is kept in {output}.parts; {RESUME}")
        raise SystemExit(STOPPED) from None


@contextmanager
def kept_parts(name: str, terms: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the folder for the parts of a run whose result is printed.

    It is in the user's cache, and stays there if the run is interrupted; the message about the
    interruption says so. Parts that were not used for a week are deleted. Without a cache, or if
    the same command is already running, the parts are temporary.
    """
    terms = {"version": __version__, **terms}
    text = json.dumps(terms, sort_keys=True)
    cache, output = kernel_folder(), None
    if cache is not None:
        for old in cache.glob(f"{name}-*.parts"):
            with suppress(OSError):
                if time.time() - old.stat().st_mtime > KEPT_SECONDS:
                    shutil.rmtree(old)
        output = cache / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(parts_folder(output, terms))
        except RunError:
            output, folder = None, stack.enter_context(parts_folder(None, terms))
        told = LOST if output is None else f"stopped; the work done is kept; {RESUME}"
        stack.enter_context(stoppable(None, told))
        yield folder


# Long runs


@contextmanager
def long_run(
    output: Path | None,
    terms: Mapping[str, Any],
    work: Work,
    n: int,
    workers: int,
    suffix: str = "",
    what: str = "games",
    weight: int = 1,
    told: str = "",
) -> Iterator[list[Part]]:
    """Run ``work`` over n games in several processes, and yield the finished parts.

    The parts are kept beside ``output`` until the body of the ``with`` ends. An interrupted run
    with the same ``terms`` is resumed.

    Args:
        output: The file of the result; None keeps no parts.
        terms: JSON values that determine the result.
        work: The function that computes the games of a part.
        n: The number of games.
        workers: The number of processes; 0 uses as many as are worth starting.
        suffix: The ending of the parts' files.
        what: The plural name of the items counted.
        weight: The time that an item takes, in games.
        told: The message if it is interrupted, as in ``stoppable``.
    """
    with (
        stoppable(output, told),
        parts_folder(output, {"version": __version__, **terms}) as folder,
    ):
        parts, account = work_out(folder, work, n, workers, suffix, what, weight)
        yield parts
    say(account)


@contextmanager
def experiment_run(
    terms: Mapping[str, Any],
    workers: int,
    csv: Path | None,
    plot: Path | None,
    figure: str,
    what: str = "games",
) -> Iterator[tuple[Path, Callable[[Callable[..., AnyTable]], AnyTable]]]:
    """Yield the folder of a run's parts, and the function that runs an experiment in it.

    That function takes an experiment such as ``handread.study.calibration.calibration`` with all
    arguments except ``compute``, runs it in several processes, writes the CSV file and the picture,
    and returns the result. An interrupted run with the same terms is resumed.

    Args:
        terms: JSON values that determine the result.
        workers: The number of processes; 0 uses as many as are worth starting.
        csv: The CSV file to write.
        plot: The picture to draw.
        figure: The name of the function of ``report.figures`` that draws it.
        what: The plural name of the items counted.
    """
    output = csv or plot
    accounts: list[str] = []

    def finish(experiment: Callable[..., AnyTable]) -> AnyTable:
        def compute(work: Work, n: int, weight: int) -> list[Path]:
            parts, account = work_out(folder, work, n, workers, what=what, weight=weight)
            accounts.append(account)
            return [part.file for part in parts]

        found = experiment(compute=compute)
        write_result(found, csv, plot, figure)
        return found

    versioned = {"version": __version__, **terms}
    with stoppable(output), parts_folder(output, versioned) as folder:
        yield folder, finish
    for account in accounts:
        say(account)


def work_out(
    folder: Path,
    work: Work,
    n: int,
    workers: int,
    suffix: str = "",
    what: str = "games",
    weight: int = 1,
    compiling: Callable[[], AbstractContextManager[None]] | None = None,
) -> tuple[list[Part], str]:
    """Return the parts of n games in a folder, all computed, and a line on the time it took.

    The arguments are those of ``long_run``. With ``compiling``, the first part is computed in this
    process and in its context, so that kernels are compiled once; the bar begins after it, since
    its time says nothing about that of the others.
    """
    workers = workers or useful_workers(n * weight)
    start = time.monotonic()
    parts = planned_parts(folder, n, suffix, part_size(weight))
    fresh = [part for part in parts if not part.file.exists()]
    done = sum(len(part.numbers) for part in fresh)
    first = fresh[:1] if compiling is not None else []
    if compiling is not None:
        with compiling():
            run_parts(work, first, 1, no_tick)
    with progress(n, what) as tick:
        run_parts(work, parts, workers, tick)
    return parts, _account(done, n, what, time.monotonic() - start, min(workers, len(fresh)))


def _account(fresh: int, n: int, what: str, seconds: float, processes: int) -> str:
    if not fresh:
        return f"all {n:,} {what} are from an earlier run"
    earlier = f" (and {n - fresh:,} from an earlier run)" if fresh < n else ""
    by = "1 process" if processes == 1 else f"{processes} processes"
    counted = what if fresh > 1 else what[:-1]
    return f"{fresh:,} {counted}{earlier} in {seconds:.0f} s: {a_second(fresh, seconds)}, {by}"


def a_second(count: int, seconds: float) -> str:
    """Return a rate in words."""
    return f"{count / max(seconds, 1e-9):.1f} a second"


# Progress


def _start(bar: Progress, what: str, total: int, **fields: Any) -> TaskID:
    """Add a task of which nothing is done yet."""
    return bar.add_task(what, total=total, before=0, batch=0, at=0.0, **fields)


def _arrive(bar: Progress, number: TaskID, work: int, earlier: bool, **fields: Any) -> None:
    """Add what was done to a task; what an earlier run did tells nothing about the speed."""
    task = bar.tasks[number]
    if earlier:
        fields["before"] = task.fields["before"] + work
    elif work:
        fields |= {"at": task.elapsed or 0.0, "batch": max(work, task.fields["batch"])}
    bar.update(number, advance=work, **fields)


def _rate(task: Task) -> float:
    """Return the work done per second from the start to the last arrival.

    Parts arrive in bursts, so a rate over the last moments would be far too optimistic.
    """
    done: float = task.completed - task.fields["before"]
    return done / task.fields["at"] if task.fields["at"] else 0.0


class _Speed(ProgressColumn):
    """Games per second."""

    def render(self, task: Task) -> Text:
        rate = _rate(task)
        return Text(f"{rate:.1f}/s" if rate else "")


class _TimeLeft(ProgressColumn):
    """The time left at the average rate of the run.

    It runs down until the next arrival; if that is late, it stops at the time left after it.
    """

    unit = " left"
    """Follows the time in a line of a log, where there is no bar before it."""

    def render(self, task: Task) -> Text:
        rate = _rate(task)
        if not rate or task.total is None or task.elapsed is None:
            return Text("-:--:--")
        left = task.total - task.completed
        waited = task.elapsed - task.fields["at"]
        seconds = max(left / rate - waited, (left - task.fields["batch"]) / rate, 0.0)
        return Text(str(timedelta(seconds=round(seconds))))


class _Hands(ProgressColumn):
    """The number of hands read and their rate, for a bar that measures something else."""

    def render(self, task: Task) -> Text:
        hands, seconds = task.fields["hands"], task.elapsed
        speed = f", {hands / seconds:.1f}/s" if hands and seconds else ""
        return Text(f"{hands:,} {'hand' if hands == 1 else 'hands'}{speed}")


class Advance(PartTick, Protocol):
    """Advances a progress bar by what was done, and says what is done now."""

    def __call__(self, done: int, what: str | None = None, /, *, earlier: bool = False) -> None:
        """Add to what is done; change the words unless they are None."""


@contextmanager
def progress(total: int, what: str, shown: bool = True) -> Iterator[Advance]:
    """Show a progress bar with the rate and the time left; yields the function that advances it.

    That function may change the words of the bar. Nothing is shown if ``shown`` is False.
    """
    console = Console(stderr=True, emoji=False)
    if not shown:
        yield no_tick
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Speed(),
        _TimeLeft(),
    )
    with progress_bar(console, *columns) as bar:
        task = _start(bar, what, total)

        def advance(done: int, what: str | None = None, *, earlier: bool = False) -> None:
            _arrive(bar, task, done, earlier, description=what)

        yield advance


@contextmanager
def hands_progress(total: int) -> Iterator[Callable[[int, int], None]]:
    """Like ``progress``, but the function takes the work done and the number of hands in it.

    Work without hands was done by an earlier run.
    """
    console = Console(stderr=True, emoji=False)
    columns = (BarColumn(), TaskProgressColumn(), _Hands(), _TimeLeft())
    with progress_bar(console, *columns) as bar:
        task = _start(bar, "", total, hands=0)
        read = 0

        def tick(work: int, hands: int) -> None:
            nonlocal read
            read += hands
            _arrive(bar, task, work, earlier=not hands, hands=read)

        yield tick


@contextmanager
def looking_through() -> Iterator[None]:
    """Show a spinner while the files are scanned before the work begins."""
    console = Console(stderr=True, emoji=False)
    with progress_bar(console, SpinnerColumn(), TextColumn("{task.description}")) as bar:
        bar.add_task("looking through the files ...", total=None)
        yield
