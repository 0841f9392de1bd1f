"""How far a long run is, on stderr when that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

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

from handread.report.words import visible
from handread.session import progress_bar


def _rate(task: Task) -> float:
    """Work done a second since the start; what an earlier run left does not count.

    Parts arrive in bursts, so a rate over the last moments would promise far too much.
    """
    done: float = task.completed - task.fields["before"]
    return done / task.elapsed if task.elapsed else 0.0


class _Speed(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        rate = _rate(task)
        return Text(f"{rate:.1f}/s" if rate else "")


class _TimeLeft(ProgressColumn):
    """The time to the end at the rate of the whole run."""

    def render(self, task: Task) -> Text:
        rate = _rate(task)
        if not rate or task.total is None:
            return Text("-:--:--")
        return Text(str(timedelta(seconds=round((task.total - task.completed) / rate))))


class _Hands(ProgressColumn):
    """How many hands were read, and how many a second, where the bar shows something else."""

    def render(self, task: Task) -> Text:
        hands, seconds = task.fields["hands"], task.elapsed
        speed = f", {hands / seconds:.1f}/s" if hands and seconds else ""
        return Text(f"{hands:,} hands{speed}")


def say(text: str) -> None:
    """Print a line on stderr, whatever stands in it."""
    Console(stderr=True, highlight=False, emoji=False, soft_wrap=True).print(
        visible(text), markup=False
    )


def _ignore(_done: int) -> None:
    """Nobody looks."""


@contextmanager
def progress(
    total: int, what: str, shown: bool = True, before: int = 0
) -> Iterator[Callable[[int], None]]:
    """Takes the count of what was done; shows it, the rate of the run and the time left.

    ``before`` of the total were done by an earlier run. Nothing is shown where ``shown`` is False
    or stderr is no terminal.
    """
    console = Console(stderr=True, emoji=False)
    if not (shown and console.is_terminal):
        yield _ignore
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
        yield lambda done: bar.advance(task, done)


@contextmanager
def hands_progress(total: int) -> Iterator[Callable[[int, int], None]]:
    """Takes how much work of ``total`` was done, and how many hands that were; as ``progress``.

    Work without hands was done by an earlier run.
    """
    console = Console(stderr=True, emoji=False)
    if not console.is_terminal:
        yield lambda _work, _hands: None
        return
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
    """Says, on a terminal, that the files are looked through before the work begins."""
    console = Console(stderr=True, emoji=False)
    if not console.is_terminal:
        yield
        return
    with progress_bar(console, SpinnerColumn(), TextColumn("{task.description}")) as bar:
        bar.add_task("looking through the files ...", total=None)
        yield
