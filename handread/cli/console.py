"""Output of the commands: results on stdout, messages and progress on stderr."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
)
from rich.text import Text

from handread import __version__
from handread.parallel import (
    PART_SIZE,
    Part,
    RunError,
    Work,
    is_device,
    parts_folder,
    planned_parts,
    run_parts,
    useful_workers,
    write_text_whole,
)
from handread.progress import progress_bar
from handread.report.problems import error_console, on_screen

if TYPE_CHECKING:
    from handread.study.statistics import FigureTable
    from handread.tables.read import Tables

AnyTable = TypeVar("AnyTable", bound="FigureTable")


def emit(text: str) -> None:
    """Write to standard output and flush; escape characters that its encoding lacks.

    If the pipe's reader has closed it, the program ends quietly; a full disk ends it with a message
    and status 2.
    """
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except OSError as error:
        end_of_output(error)


def end_of_output(error: OSError) -> NoReturn:
    """End the program because a standard stream cannot be written.

    The program ends quietly if the reader has closed a pipe, otherwise with a message and status 2.
    """
    # Python flushes what is still buffered at exit, which would fail again.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        raise SystemExit(0) from None
    closed = error.errno == errno.EBADF
    reason = "standard output is closed" if closed else error.strerror or error
    try:
        print(f"handread: cannot write: {reason}", file=sys.stderr)
    except OSError:  # this message cannot be written either
        os.dup2(nowhere, sys.stderr.fileno())
    raise SystemExit(2) from None


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


@contextmanager
def stoppable(output: Path | None, keeps: bool = True) -> Iterator[None]:
    """End the program with a message: status 130 when interrupted, else like ``errors_told``.

    ``keeps`` is False if nothing is kept even with an output file.
    """
    try:
        with errors_told():
            yield
    except KeyboardInterrupt:
        kept = "lost; with an output file it would be kept" if keeps else "lost"
        if output is not None and not is_device(output):
            kept = f"kept in {output}.parts; give the same command again to resume"
        say(f"stopped; the work done is {kept}")
        raise SystemExit(130) from None


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
    keeps: bool = True,
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
        keeps: False for a command that keeps no parts, whatever its output.
    """
    with (
        stoppable(output, keeps),
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
) -> tuple[list[Part], str]:
    """Return the parts of n games in a folder, all computed, and a line on the time it took.

    The arguments are those of ``long_run``.
    """
    workers = workers or useful_workers(n * weight)
    start = time.monotonic()
    parts = planned_parts(folder, n, suffix, max(1, PART_SIZE // weight))
    fresh = [part for part in parts if not part.file.exists()]
    done = sum(len(part.numbers) for part in fresh)
    with progress(n, what, before=n - done) as tick:
        run_parts(work, fresh, workers, tick)
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


def _rate(task: Task) -> float:
    """Return the work done per second since the start, without that of an earlier run.

    Parts arrive in bursts, so a rate over the last moments would be far too optimistic.
    """
    done: float = task.completed - task.fields["before"]
    return done / task.elapsed if task.elapsed else 0.0


class _Speed(ProgressColumn):
    """Games per second."""

    def render(self, task: Task) -> Text:
        rate = _rate(task)
        return Text(f"{rate:.1f}/s" if rate else "")


class _TimeLeft(ProgressColumn):
    """The time left at the average rate of the run."""

    unit = " left"
    """Follows the time in a line of a log, where there is no bar before it."""

    def render(self, task: Task) -> Text:
        rate = _rate(task)
        if not rate or task.total is None:
            return Text("-:--:--")
        return Text(str(timedelta(seconds=round((task.total - task.completed) / rate))))


class _Hands(ProgressColumn):
    """The number of hands read and their rate, for a bar that measures something else."""

    def render(self, task: Task) -> Text:
        hands, seconds = task.fields["hands"], task.elapsed
        speed = f", {hands / seconds:.1f}/s" if hands and seconds else ""
        return Text(f"{hands:,} {'hand' if hands == 1 else 'hands'}{speed}")


def _no_bar(_done: int, _what: str | None = None, /) -> None:
    """Show nothing."""


class Advance(Protocol):
    """Advances a progress bar by what was done, and says what is done now."""

    def __call__(self, done: int, what: str | None = None, /) -> None:
        """Add to what is done; change the words unless they are None."""


@contextmanager
def progress(total: int, what: str, shown: bool = True, before: int = 0) -> Iterator[Advance]:
    """Show a progress bar with the rate and the time left; yields the function that advances it.

    That function may change the words of the bar. ``before`` is the part of the total done by an
    earlier run. Nothing is shown if ``shown`` is False.
    """
    console = Console(stderr=True, emoji=False)
    if not shown:
        yield _no_bar
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Speed(),
        _TimeLeft(),
    )
    with progress_bar(console, *columns) as bar:
        task = bar.add_task(what, total=total, completed=before, before=before)

        def advance(done: int, what: str | None = None) -> None:
            bar.update(task, advance=done, description=what)

        yield advance


@contextmanager
def hands_progress(total: int) -> Iterator[Callable[[int, int], None]]:
    """Like ``progress``, but the function takes the work done and the number of hands in it.

    Work without hands was done by an earlier run.
    """
    console = Console(stderr=True, emoji=False)
    columns = (BarColumn(), TaskProgressColumn(), _Hands(), _TimeLeft())
    with progress_bar(console, *columns) as bar:
        task = bar.add_task("", total=total, hands=0, before=0)
        read = before = 0

        def tick(work: int, hands: int) -> None:
            nonlocal read, before
            read += hands
            before += 0 if hands else work
            bar.update(task, advance=work, hands=read, before=before)

        yield tick


@contextmanager
def looking_through() -> Iterator[None]:
    """Show a spinner while the files are scanned before the work begins."""
    console = Console(stderr=True, emoji=False)
    with progress_bar(console, SpinnerColumn(), TextColumn("{task.description}")) as bar:
        bar.add_task("looking through the files ...", total=None)
        yield
