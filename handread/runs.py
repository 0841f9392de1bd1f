"""How long work is done: one value that every long command and experiment takes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from handread.parallel import (
    Jobs,
    Part,
    PartTick,
    RunError,
    Runner,
    StoredJobs,
    Work,
    no_tick,
    part_size,
    planned_parts,
    run_parts,
    useful_workers,
)


class Task(NamedTuple):
    """Work that begins, for who shows how far it is.

    Attributes:
        fresh: The number of jobs that no earlier run did.
        processes: The number of processes that do them; 0 for a cluster.
        start: When it began, by ``time.monotonic``.
    """

    jobs: int
    what: str
    fresh: int
    processes: int
    start: float


Watch = Callable[[Task], AbstractContextManager[PartTick]]
"""Shows how far work is: yields the function that counts its jobs as done."""


def unwatched(_task: Task) -> AbstractContextManager[PartTick]:
    """Show nothing."""
    return nullcontext(no_tick)


@dataclass(frozen=True, slots=True)
class Run:
    """How long work is done. The results depend on the seed alone.

    Attributes:
        seed: The random seed.
        workers: The number of processes; 1 is this process, 0 as many as are worth starting.
        compute: Does the work elsewhere, as ``cluster.cluster`` yields it; None for this machine.
        resume: The folder in which finished parts are kept, and not computed again; None for a
            temporary one. Its parts are those of equal work: see ``parallel.parts_folder``.
        watch: Shows how far the work is.
    """

    seed: int = 1
    workers: int = 1
    compute: Runner | None = None
    resume: Path | None = None
    watch: Watch = unwatched

    @contextmanager
    def parts(
        self,
        work: Work,
        jobs: Jobs | int,
        weight: int = 1,
        what: str = "games",
        suffix: str = "",
        landed: Callable[[list[Part]], None] | None = None,
    ) -> Iterator[list[Part]]:
        """Do work in parts, and yield the parts, whose files are there.

        Args:
            work: The function that does the jobs of a part and writes a file; pickled for other
                processes and machines.
            jobs: The jobs, or their number.
            weight: The time that a job takes, in plain games.
            what: The plural name of the jobs.
            suffix: The ending of the files.
            landed: Called with the parts whenever the files of some more are there.

        Raises:
            RunError: A worker died, or the cluster cannot do the work.
        """
        start = time.monotonic()
        with self._folder() as folder:
            # Stored jobs are in parts already.
            size = jobs.size if isinstance(jobs, StoredJobs) else part_size(weight)
            parts = planned_parts(folder, jobs, suffix, size)
            waiting = [part for part in parts if not part.file.exists()]
            n, fresh = (sum(len(part.numbers) for part in some) for some in (parts, waiting))
            processes = min(self.workers or useful_workers(n * weight), len(waiting))
            by = processes if self.compute is None else 0
            with self.watch(Task(n, what, fresh, by, start)) as tick:

                def told(done: int, /, *, earlier: bool = False) -> None:
                    tick(done, earlier=earlier)
                    if landed is not None:
                        landed(parts)

                run_parts(work, parts, processes, told, self.compute)
            yield parts

    @contextmanager
    def _folder(self) -> Iterator[Path]:
        if self.resume is not None:
            yield self.resume
            return
        with tempfile.TemporaryDirectory(prefix="handread-") as name:
            yield Path(name)

    def within(self, name: str) -> Run:
        """Return the run of a step of this one, whose parts are in a folder of their own."""
        if self.resume is None:
            return self
        folder = self.resume / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{folder}: cannot be used: {error.strerror}") from None
        return replace(self, resume=folder)
