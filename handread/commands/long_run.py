"""A long run as a command meets it: progress, interruption, and an account at the end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from handread import __version__
from handread.commands.progress import progress, say
from handread.parallel import (
    PART_SIZE,
    Part,
    RunError,
    Work,
    is_device,
    parts_folder,
    planned_parts,
    run_parts,
    usable_cores,
)

WORTH_A_WORKER = 50
"""Games that take as long as it takes to start a process."""


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
    """The parts of a run over n games, worked out by that many processes (0: as it pays).

    ``what`` names what is counted where it is not games, ``weight`` how many games one is worth.
    The parts are kept beside ``output`` until the body of the ``with`` is done; a command that
    ``keeps`` none, whatever its output, says so here. Ends the program with status 130 when it is
    stopped, 2 when it cannot be done.
    """
    with (
        stoppable(output, keeps),
        parts_folder(output, {"version": __version__, **terms}) as folder,
    ):
        parts, account = work_out(folder, work, n, workers, suffix, what, weight)
        yield parts
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
    """The parts of n games in a folder, all worked out, and an account of that; as ``long_run``."""
    workers = workers or worth_it(n * weight)
    start = time.monotonic()
    parts = planned_parts(folder, n, suffix, max(1, PART_SIZE // weight))
    fresh = [part for part in parts if not part.file.exists()]
    done = sum(len(part.numbers) for part in fresh)
    with progress(n, what, before=n - done) as tick:
        run_parts(work, fresh, workers, tick)
    return parts, _account(done, n, what, time.monotonic() - start, min(workers, len(fresh)))


def worth_it(games: int) -> int:
    """How many processes pay for the work of so many games."""
    return max(1, min(usable_cores(), games // WORTH_A_WORKER))


@contextmanager
def stoppable(output: Path | None, keeps: bool = True) -> Iterator[None]:
    """Ends the program in a person's words: status 130 when stopped, 2 when it cannot be done.

    ``keeps`` is False where nothing would be kept with an output file either.
    """
    try:
        yield
    except KeyboardInterrupt:
        kept = "lost; with an output file it would be kept" if keeps else "lost"
        if output is not None and not is_device(output):
            kept = f"kept in {output}.parts; the same command goes on from it"
        say(f"stopped; what was done is {kept}")
        raise SystemExit(130) from None
    except RunError as error:
        say(f"handread: {error}")
        raise SystemExit(2) from None
    except OSError as error:
        say(f"handread: {error.filename or 'a file'} cannot be written: {error.strerror or error}")
        raise SystemExit(2) from None


def _account(fresh: int, n: int, what: str, seconds: float, processes: int) -> str:
    """What was done in how long."""
    if not fresh:
        return f"all {n:,} {what} are from an earlier run"
    earlier = f" (and {n - fresh:,} from an earlier run)" if fresh < n else ""
    by = "1 process" if processes == 1 else f"{processes} processes"
    speed = f"{fresh / max(seconds, 1e-9):.1f} a second"
    return (
        f"{fresh:,} {what if fresh > 1 else what[:-1]}{earlier} in {seconds:.0f} s: {speed}, {by}"
    )
