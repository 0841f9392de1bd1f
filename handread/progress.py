"""Progress of long work on stderr: a bar on a terminal, else a line every half minute.

A line also says that kernels are being compiled, if that takes long.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from handread.kernels import jit

EVERY_SECONDS = 30.0
"""Time between two lines where stderr is no terminal."""

SHOWN_SECONDS = 0.2
"""Time between two looks at what is compiled."""

SLOW_START_SECONDS = 2.0
"""Time after which compiling is announced."""


def progress_bar(console: Console, *columns: ProgressColumn) -> Progress:
    """Return a progress bar on stderr that leaves stdout alone; lines if that is no terminal.

    By default rich also redirects stdout while a bar is shown, and results meant for a file or a
    pipe would end up on the terminal.
    """
    if not console.is_terminal:
        return ProgressLines(console, *columns)
    return Progress(*columns, console=console, transient=True, redirect_stdout=False)


class ProgressLines(Progress):
    """Progress as lines in a log: what the columns of a bar say, every half minute.

    A thread of its own prints them, for a single step of the work may take minutes.

    Args:
        console: Where to print.
        columns: The columns of the bar; those without words are left out.
        get_time: Clock, in seconds.
        stopped: Set when the work is done.
    """

    def __init__(
        self,
        console: Console,
        *columns: ProgressColumn,
        get_time: Callable[[], float] = time.monotonic,
        stopped: threading.Event | None = None,
    ) -> None:
        super().__init__(*columns, console=console, get_time=get_time, disable=True)
        self._stopped = stopped or threading.Event()
        self._thread = threading.Thread(target=self._print_lines, daemon=True)

    def start(self) -> None:
        """Begin to print lines."""
        self._thread.start()

    def stop(self) -> None:
        """Print no more lines."""
        self._stopped.set()
        self._thread.join()

    def _print_lines(self) -> None:
        while not self._stopped.wait(EVERY_SECONDS):
            for task in self.tasks:
                line = ", ".join(self._cells(task))
                with suppress(OSError):  # nobody reads stderr any more
                    self.console.print(line, soft_wrap=True, markup=False, highlight=False)

    def _cells(self, task: Task) -> Iterator[str]:
        for column in self.columns:
            assert isinstance(column, ProgressColumn)
            found = column.render(task)
            # A spinner and a bar are no words, and "-:--:--" has nothing to say yet.
            if isinstance(found, Text) and any(map(str.isalnum, found.plain)):
                yield f"{found.plain.strip()}{getattr(column, 'unit', '')}"


class CompilingNotice:
    """Says, once, that kernels are being compiled if it takes long; a bar shows how far it is.

    ``say`` prints a line; the bar is shown on ``console`` if that is a terminal.
    """

    def __init__(self, say: Callable[[str], None], console: Console) -> None:
        self._say = say
        self._console = console
        self._said = False

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Watch the work in the body of the ``with``."""
        folder = jit.kernel_folder()
        when = f"once; they are kept in {folder}" if folder else "in each run; no folder keeps them"
        ended = threading.Event()

        def watch() -> None:
            while not (self._said or ended.wait(SLOW_START_SECONDS)):
                if jit.being_made:
                    self._said = True
                    self._say(f"compiling the kernels (takes up to half a minute, {when}) ...")
                    self._show(ended)

        watching = threading.Thread(target=watch, daemon=True)
        watching.start()
        try:
            yield
        finally:
            ended.set()
            watching.join()
        if jit.failures:
            why = jit.failures[0].strerror
            self._say(f"the compiled kernels cannot be kept in {folder}: {why}; the run continues")

    def _show(self, ended: threading.Event) -> None:
        """Show a bar of the kernels until the work has ended or all are compiled."""
        columns = TextColumn("compiling"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with progress_bar(self._console, *columns) as bar:
            task = bar.add_task("", total=jit.compiled.of)
            while jit.being_made and not ended.wait(SHOWN_SECONDS):
                done = jit.compiled.done
                bar.update(task, completed=done, total=max(done + 1, jit.compiled.of))
