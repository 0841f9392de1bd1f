"""Long runs in parts: many workers, kept when interrupted, gone on with later.

A run over numbers 0..n-1 is cut into parts of a fixed size. Each part is worked out on its own and
written as a file of its own, whole or not at all, into a folder; what is there already is not
worked out again. What a run gives therefore depends neither on the number of workers
nor on how often it was stopped.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PART_SIZE = 50
"""How many numbers a part holds where each is a game: a second or two of work."""

Work = Callable[[range, Path], None]
"""Works out the numbers of a part and writes them to a file."""


class RunError(Exception):
    """A run that cannot begin or go on; the message is for a person."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a run: its numbers, and the file that holds what came of them."""

    numbers: range
    file: Path


@contextmanager
def parts_folder(output: Path | None, terms: Mapping[str, Any]) -> Iterator[Path]:
    """The folder for the parts of a run, which is removed when the run has come to its end.

    With an output file it stands beside it and stays when the run is stopped; a later run on the
    same ``terms`` (plain values that decide the result) goes on from it. ``RunError`` when it
    holds a run on other terms.
    """
    if output is None:
        with tempfile.TemporaryDirectory(prefix="handread-") as name:
            yield Path(name)
        return
    folder = output.with_name(output.name + ".parts")
    text = json.dumps(terms, sort_keys=True, indent=1)
    note = folder / "run.json"
    try:
        folder.mkdir(exist_ok=True)
        if not note.exists():
            write_text_whole(note, text)
        elif note.read_text(encoding="utf-8") != text:
            message = f"{folder}: holds parts of another run; remove it, or choose another output"
            raise RunError(message)
    except OSError as error:
        raise RunError(f"{folder}: cannot be written: {error.strerror or error}") from None
    yield folder
    shutil.rmtree(folder)


def planned_parts(folder: Path, n: int, suffix: str = "", size: int = PART_SIZE) -> list[Part]:
    """The parts of a run over 0..n-1, in order, each of ``size`` numbers but the last."""
    spans = [range(first, min(first + size, n)) for first in range(0, n, size)]
    return [Part(span, folder / f"{span.start:09d}-{len(span)}{suffix}") for span in spans]


def run_parts(work: Work, parts: list[Part], workers: int, tick: Callable[[int], None]) -> None:
    """Work out all parts that are not there yet; ``tick`` is told how many numbers were done.

    ``work`` is pickled when there is more than one worker. ``RunError`` when a worker dies.
    """
    waiting = []
    for part in parts:
        if part.file.exists():
            tick(len(part.numbers))
        else:
            waiting.append(part)
    if min(workers, len(waiting)) <= 1:
        for part in waiting:
            _work_whole(work, part)
            tick(len(part.numbers))
    else:
        _share_out(work, waiting, min(workers, len(waiting)), tick)


def _share_out(work: Work, parts: list[Part], workers: int, tick: Callable[[int], None]) -> None:
    """The parts among worker processes, never many more than they have hands for."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_leave_interrupts_to_the_parent)
    queue = iter(parts)
    running: dict[Future[None], Part] = {}
    try:
        while True:
            for part in queue:
                running[pool.submit(_work_whole, work, part)] = part
                if len(running) >= 2 * workers:
                    break
            if not running:
                break
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                part = running.pop(future)
                future.result()
                tick(len(part.numbers))
    except BrokenProcessPool:
        message = "a worker process died (out of memory?); run it again to go on"
        raise RunError(message) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work_whole(work: Work, part: Part) -> None:
    """One part, whole or not at all."""
    draft = part.file.with_name(f".{part.file.name}.{os.getpid()}")
    try:
        work(part.numbers, draft)
        draft.replace(part.file)
    finally:
        draft.unlink(missing_ok=True)


def usable_cores() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def write_text_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old text or the new one, never a part."""
    write_whole(path, lambda draft: draft.write_text(text, encoding="utf-8", newline="\n"))


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a file beside ``path`` and put it in its place when it is done."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".handread-")
    os.close(handle)
    draft = Path(name)
    try:
        write(draft)
        draft.chmod(0o644)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
