"""Progress of long work on stderr: a bar on a terminal, else a line every half minute."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from rich.console import Console
from rich.progress import Progress, ProgressColumn, Task
from rich.text import Text

EVERY_SECONDS = 30.0
"""Time between two lines where stderr is no terminal."""


def progress_bar(console: Console, *columns: ProgressColumn) -> Progress:
    """Return a progress bar on stderr, or lines if that is no terminal; stdout is left alone.

    By default rich also redirects stdout while a bar is shown, and results meant for a file or a
    pipe would end up on the terminal.
    """
    if not console.is_terminal:
        return ProgressLines(console, *columns)
    return Progress(*columns, console=console, transient=True, redirect_stdout=False)


class ProgressLines(Progress):
    """Progress as lines in a log: the columns of a bar in words, every half minute.

    A thread of its own prints them, as a single step of the work may take minutes. Columns without
    words are left out. ``get_time`` is the clock, in seconds; ``stopped`` is set at the end.
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
            cell = column.render(task)
            # A spinner and a bar are no words, and "-:--:--" has nothing to say yet.
            if isinstance(cell, Text) and any(map(str.isalnum, cell.plain)):
                yield f"{cell.plain.strip()}{getattr(column, 'unit', '')}"
