"""How long work is done: one value that every long command and experiment takes."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Self

import handread.parallel as parallel


class Task(NamedTuple):
    """Work that begins, for a display of its progress.

    Attributes:
        fresh: The number of jobs that no earlier run did.
        processes: The number of processes that do them; 0 for a cluster.
        start: Time of the start, by ``time.monotonic``.
        weight: The time that a job takes, in plain games.
    """

    jobs: int
    what: str
    fresh: int
    processes: int
    start: float
    weight: int = 1


Watch = Callable[[Task], AbstractContextManager[parallel.PartTick]]
"""Shows the progress of work: yields the function that counts its jobs as done."""


def unwatched(_task: Task) -> AbstractContextManager[parallel.PartTick]:
    """Show nothing."""
    return nullcontext(parallel.no_tick)


@dataclass(frozen=True, slots=True)
class Run:
    """How long work is done. The results depend on the seed alone.

    Attributes:
        seed: The random seed.
        workers: The number of processes; 1 is this process, 0 as many as are worth starting.
        compute: Does the work elsewhere, as ``cluster.cluster`` yields it; None for this machine.
        resume: The folder with finished parts of equal work, which are not computed again; None for
            a temporary folder; see ``parallel.parts_folder``.
        watch: Shows the progress.
    """

    seed: int = 1
    workers: int = 1
    compute: parallel.Runner | None = None
    resume: Path | None = None
    watch: Watch = unwatched

    @contextmanager
    def parts(
        self,
        work: parallel.Work,
        jobs: parallel.Jobs | int,
        weight: int = 1,
        what: str = "games",
        suffix: str = "",
        landed: Callable[[list[parallel.Part]], None] | None = None,
    ) -> Iterator[list[parallel.Part]]:
        """Do work in parts, and yield the parts, with their files in place.

        Args:
            work: The function that does the jobs of a part and writes a file; pickled for other
                processes and machines.
            jobs: The jobs, or their number.
            weight: The time that a job takes, in plain games.
            what: The plural name of the jobs.
            suffix: The ending of the files.
            landed: Called with new parts when their files are in place.

        Raises:
            RunError: A worker died, or the cluster cannot do the work.
        """
        start = time.monotonic()
        with self._folder() as folder:
            # Stored jobs are in parts already.
            size = (
                jobs.size if isinstance(jobs, parallel.StoredJobs) else parallel.part_size(weight)
            )
            parts = parallel.planned_parts(folder, jobs, suffix, size)
            waiting = [part for part in parts if not part.file.exists()]
            n, fresh = (sum(len(part.numbers) for part in some) for some in (parts, waiting))
            processes = min(self.workers or parallel.useful_workers(n * weight), len(waiting))
            by = processes if self.compute is None else 0
            with self.watch(Task(n, what, fresh, by, start=start, weight=weight)) as tick:

                def told(done: int, /, *, earlier: bool = False) -> None:
                    tick(done, earlier=earlier)
                    if landed is not None:
                        landed(parts)

                parallel.run_parts(work, parts, processes, told, self.compute)
            yield parts

    @contextmanager
    def _folder(self) -> Iterator[Path]:
        if self.resume is not None:
            yield self.resume
            return
        with tempfile.TemporaryDirectory(prefix="handread-") as name:
            yield Path(name)

    def within(self, name: str) -> Self:
        """Return the run of a step of this one, whose parts are in a folder of their own."""
        if self.resume is None:
            return self
        folder = self.resume / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise parallel.RunError(f"{folder}: cannot be used: {error.strerror}") from None
        return replace(self, resume=folder)
