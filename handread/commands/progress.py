"""How far a long run is, on stderr when that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from handread.report.escape import visible


class _Speed(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:.1f}/s")


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
def progress(total: int, what: str, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """Takes the count of what was done; shows it, the speed and the time left.

    Not where ``shown`` is False or stderr is no terminal.
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
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


@contextmanager
def hands_progress(total: int) -> Iterator[Callable[[int, int], None]]:
    """Takes how much work of ``total`` was done, and how many hands that were; as ``progress``."""
    console = Console(stderr=True, emoji=False)
    if not console.is_terminal:
        yield lambda _work, _hands: None
        return
    columns = (BarColumn(), TaskProgressColumn(), _Hands(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task("", total=total, hands=0)
        read = 0

        def tick(work: int, hands: int) -> None:
            nonlocal read
            read += hands
            bar.update(task, advance=work, hands=read)

        yield tick


@contextmanager
def looking_through() -> Iterator[None]:
    """Says, on a terminal, that the files are looked through before the work begins."""
    console = Console(stderr=True, emoji=False)
    if not console.is_terminal:
        yield
        return
    with console.status("looking through the files ..."):
        yield
