"""Long runs in parts, by several processes, that can be interrupted and resumed.

A run over jobs, often the numbers 0..n-1, is cut into parts of a fixed size. Each part is computed
on its own and written to a file of its own, atomically, with a digest beside it; a part whose file
agrees with its digest is not computed again. The result therefore depends neither on the number of
workers nor on interruptions. Others may have written the folder: nothing in it is unpickled.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from handread.processes import end_pools, interrupts_blocked, new_pool
from handread.whole_files import is_device, move_over, write_text_whole

PART_SIZE = 50
"""The number of items in a part: a second or two of work."""

ANSWER_SECONDS = 0.2
"""Longest delay before Ctrl-C takes effect, in seconds."""

Work = Callable[[Any, Path], None]
"""A function that does the jobs of a part and writes the results to a file."""


class Jobs(Protocol):
    """Jobs in order, with slices as parts: a range, a list or ``StoredJobs``."""

    def __len__(self) -> int:
        """Return their number."""

    def __getitem__(self, numbers: slice, /) -> Iterable[Any]:
        """Return the jobs of a part."""


class PartTick(Protocol):
    """Takes the number of items done; items of an earlier run say nothing about the speed."""

    def __call__(self, done: int, /, *, earlier: bool = False) -> None:
        """Count items as done."""


def no_tick(_done: int, _what: str | None = None, /, *, earlier: bool = False) -> None:
    """Count nothing."""


Job = TypeVar("Job")
Result = TypeVar("Result")


class RunError(Exception):
    """A run that cannot begin or continue; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a run: the numbers of its jobs, the file of their results, and the jobs."""

    numbers: range
    file: Path
    jobs: Iterable[Any]


@contextmanager
def parts_folder(output: Path | None, terms: Mapping[str, Any]) -> Iterator[Path]:
    """Make the folder for the parts of a run; remove it when the run is finished.

    ``output`` is the file that the run will write; None stands for a temporary folder. If the run
    is interrupted, the folder beside the file stays, so that a later run with the same terms
    resumes. ``terms`` are JSON values that determine the result; equal terms share parts.

    Raise ``RunError`` if the folder holds parts of another run, or another run is using it.
    """
    if output is None or is_device(output):
        with tempfile.TemporaryDirectory(prefix="handread-") as name:
            yield Path(name)
        return
    text = json.dumps(terms, sort_keys=True, indent=1)
    beside = output.with_name(output.name + ".parts")
    folder = beside / hashlib.sha256(text.encode()).hexdigest()[:16]
    try:
        beside.mkdir(exist_ok=True)
        if any(entry.name != folder.name for entry in beside.iterdir()):
            message = "holds parts of another run; remove it, or choose another output"
            raise RunError(f"{beside}: {message}")
        folder.mkdir(exist_ok=True)
        # For human readers; only the folder name is checked.
        write_text_whole(folder / "run.json", text)
    except OSError as error:
        raise RunError(f"{beside}: cannot be written: {error.strerror or error}") from None
    with locked(folder):
        yield folder
    shutil.rmtree(folder, ignore_errors=True)  # another run may just begin to use it
    with suppress(OSError):  # the folder is not empty
        beside.rmdir()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder against a second run.

    The system releases the lock of a run that dies. Raise ``RunError`` if another run holds the
    lock, or if it cannot be made.
    """
    try:
        file = (folder / "lock").open("w")
    except OSError as error:
        raise RunError(f"{error.filename}: cannot be used: {error.strerror}") from None
    with file:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"{folder.parent}: another run is using it") from None
        yield


def part_size(weight: int) -> int:
    """Return the number of items in a part, each as much work as ``weight`` games."""
    return max(1, PART_SIZE // weight)


def part_sizes(size: int = PART_SIZE) -> Iterator[int]:
    """Yield the sizes of the parts of a run, in order, without end.

    The first parts are smaller, so that a progress bar shows a rate early.
    """
    tenth = size // 10
    if tenth:
        yield from (tenth, tenth, 2 * tenth, 2 * tenth, size - 6 * tenth)
    yield from repeat(size)


def planned_parts(
    folder: Path, jobs: Jobs | int, suffix: str = "", size: int = PART_SIZE
) -> list[Part]:
    """Return the parts of a run, in order, as ``part_sizes`` cuts them; delete damaged ones.

    For a number n the jobs are the numbers 0..n-1. Raise ``RunError`` if one cannot be used.
    """
    jobs = range(jobs) if isinstance(jobs, int) else jobs
    parts, first = [], 0
    for length in part_sizes(size):
        if first >= len(jobs):
            break
        span = range(first, min(first + length, len(jobs)))
        file = folder / f"{span.start:09d}-{len(span)}{suffix}"
        try:
            if not _is_sound(file):
                file.unlink(missing_ok=True)
                _digest_file(file).unlink(missing_ok=True)
        except OSError as error:  # such as a folder of that name
            raise RunError(f"{error.filename}: cannot be used: {error.strerror}") from None
        parts.append(Part(span, file, jobs[span.start : span.stop]))
        first = span.stop
    return parts


def _is_sound(file: Path) -> bool:
    """Return whether the file of a part agrees with its digest."""
    beside = _digest_file(file)
    both = file.is_file() and beside.is_file()
    return both and hashlib.sha256(file.read_bytes()).hexdigest().encode() == beside.read_bytes()


def _digest_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.sha256")


def run_parts(
    work: Work, parts: Iterable[Part], workers: int, tick: PartTick, compute: Runner | None = None
) -> None:
    """Compute all parts with missing files; raise ``RunError`` if a worker dies.

    ``work`` is pickled if there is more than one worker. ``compute`` runs the jobs on other
    machines, and results are then written here; None stands for processes of this machine.
    """
    waiting: list[Part] = []
    for part in parts:
        if part.file.exists():
            tick(len(part.numbers), earlier=True)
        else:
            waiting.append(part)
    if compute is None:
        done = spread(partial(_work_whole, work), waiting, min(workers, len(waiting)))
        with closing(done):
            for part, _ in done:
                tick(len(part.numbers))
        return
    with closing(compute(partial(_work_away, work), waiting)) as results:
        for part, result in results:
            _work_whole(partial(_write, result), part)
            tick(len(part.numbers))


class Runner(Protocol):
    """Runs jobs elsewhere: ``spread`` with its workers bound, or a cluster."""

    def __call__(
        self, work: Callable[[Job], Result], jobs: Iterable[Job], /
    ) -> Generator[tuple[Job, Result]]:
        """Yield each job with its result, in any order."""


def spread(
    work: Callable[[Job], Result], jobs: Iterable[Job], workers: int, first_here: bool = False
) -> Generator[tuple[Job, Result]]:
    """Yield each job with its result, in order of completion; ``RunError`` if a worker dies.

    At most two jobs per worker are pending at a time. Closing the generator before its end kills
    the workers: after Ctrl-C it is better to redo a job of a second or two than to wait for it.

    One worker is this process; for more, the work and the jobs are pickled. ``first_here`` does the
    first job in this process, so that kernels are compiled only once.
    """
    queue = iter(jobs)
    for job in queue if workers <= 1 else islice(queue, int(first_here)):
        yield job, work(job)
    if workers <= 1:
        return
    running: dict[Future[Result], Job] = {}
    with _processes(workers) as pool:
        try:
            while True:
                for job in islice(queue, 2 * workers - len(running)):
                    with interrupts_blocked():
                        running[pool.submit(work, job)] = job
                if not running:
                    return
                # With polars loaded, an interrupted wait is resumed: use short waits.
                done, _ = wait(running, ANSWER_SECONDS, FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        except BrokenProcessPool:
            raise RunError(
                "a worker process died (out of memory?); with an output file, run again to resume"
            ) from None


_KEPT: ContextVar[dict[int, ProcessPoolExecutor] | None] = ContextVar("kept", default=None)
"""Processes that wait for more work, by their number; None outside of ``workers_kept``."""


@contextmanager
def workers_kept() -> Iterator[None]:
    """Let consecutive calls of ``spread`` use the same processes, which take seconds to start."""
    kept: dict[int, ProcessPoolExecutor] = {}
    token = _KEPT.set(kept)
    try:
        yield
    finally:
        _KEPT.reset(token)
        end_pools(kept.values())


@contextmanager
def _processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Yield processes; kill them unless the body ends without an error."""
    kept = _KEPT.get()
    waiting = {} if kept is None else kept
    pool = waiting.pop(workers, None)
    if pool is None:
        pool = new_pool(workers)
    try:
        yield pool
    except BaseException:
        end_pools((pool, *waiting.values()), kill=True)
        waiting.clear()
        raise
    if kept is None:
        end_pools((pool,))
    else:
        kept[workers] = pool


def _work_away(work: Work, part: Part) -> bytes:
    """Compute a part on a machine that need not have its folder; return the file's content."""
    with tempfile.TemporaryDirectory(prefix="handread-") as folder:
        draft = Path(folder) / part.file.name
        work(part.jobs, draft)
        return draft.read_bytes()


def _write(result: bytes, _jobs: Iterable[Any], path: Path) -> None:
    path.write_bytes(result)


def _work_whole(work: Work, part: Part) -> None:
    """Compute one part and write its file atomically."""
    draft = part.file.with_name(f".{part.file.name}.{os.getpid()}")
    try:
        work(part.jobs, draft)
        with draft.open("rb+") as file:  # a power failure must not leave an empty part
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
        write_text_whole(_digest_file(part.file), digest)
        move_over(draft, part.file)
    finally:
        draft.unlink(missing_ok=True)


WORTH_A_WORKER = 50
"""Number of games whose work takes as long as starting a process."""


def useful_workers(games: int) -> int:
    """Return how many processes are worth starting for this many games."""
    return max(1, min(usable_cores(), games // WORTH_A_WORKER))


def usable_cores() -> int:
    """Return the number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    cores = os.cpu_count() or 1
    return min(cores, 61) if sys.platform == "win32" else cores  # a Windows pool takes at most 61


@dataclass(frozen=True, slots=True)
class StoredPart:
    """The jobs of a part, in a file until they are needed."""

    file: Path

    def __iter__(self) -> Iterator[Any]:
        return iter(pickle.loads(self.file.read_bytes()))


@dataclass(frozen=True, slots=True)
class StoredJobs:
    """Jobs in a private folder, pickled in the parts of ``part_sizes``, never all in memory.

    There are ``n``, at most ``size`` in a part.
    """

    folder: Path
    n: int
    size: int = PART_SIZE

    @classmethod
    def store(
        cls, jobs: Iterable[Job], folder: Path, size: int | Callable[[Job], int] = PART_SIZE
    ) -> Self:
        """Store jobs below a folder that others may write to; ``size`` may be a job's time."""
        place = Path(tempfile.mkdtemp(prefix="jobs-", dir=folder))
        jobs, n = iter(jobs), 0
        if not isinstance(size, int):  # the slowest of the first jobs limits all parts
            first = list(islice(jobs, PART_SIZE))
            jobs, size = chain(first, jobs), part_size(max(map(size, first), default=1))
        for length in part_sizes(size):
            part = list(islice(jobs, length))
            if not part:
                break
            (place / str(n)).write_bytes(pickle.dumps(part))
            n += len(part)
        return cls(place, n, size)

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, numbers: slice) -> StoredPart:
        return StoredPart(self.folder / str(numbers.start))

    def __iter__(self) -> Iterator[Any]:
        for file in sorted(self.folder.iterdir(), key=lambda file: int(file.name)):
            yield from StoredPart(file)


def carried(value: object) -> bytes:
    """Return a value pickled for another machine: with the contents of stored jobs."""
    file = io.BytesIO()
    _Carrier(file).dump(value)
    return file.getvalue()


class _Carrier(pickle.Pickler):
    def reducer_override(self, value: object) -> Any:
        """Pickle stored jobs as a list of them."""
        if isinstance(value, StoredPart):
            return pickle.loads, (value.file.read_bytes(),)
        if isinstance(value, StoredJobs):
            return list, (list(value),)
        return NotImplemented


def damaged(file: Path) -> str:
    """Return the message that a part, though it agrees with its digest, is not as expected."""
    return f"{file}: this part does not fit this run; delete it and run again to resume"
