"""The work of a run on a Dask cluster that is there already.

A piece that goes there holds its text, so that the workers need no files, and what comes of it
comes back to be kept here. Dask gives the pieces of a worker that dies to another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from handread.runs import RunError
from handread.score.run import Scoring, Sharing
from handread.score.work import Piece, Scored

TIMEOUT = "20s"
"""How long to wait for the scheduler."""


@contextmanager
def cluster(address: str, tell: Callable[[str], None]) -> Iterator[Sharing]:
    """Shares pieces out among the workers of a scheduler, such as ``tcp://host:8786``.

    ``tell`` is given a word when no worker is there. ``RunError`` where there is no scheduler, or
    the library is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        message = "--scheduler needs Dask: pip install 'handread[cluster]'"
        raise RunError(message) from None
    # What goes wrong is told by its exception; the log repeats it with tracebacks.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise RunError(f"no Dask scheduler at {address}: {error}") from None
    if not client.nthreads():
        tell(f"the cluster at {address} has no workers yet; the work waits for them")
    try:
        yield lambda work, jobs: _share(client, work, jobs)
    finally:
        client.close(timeout=TIMEOUT)


def _share(client: Any, work: Scoring, jobs: Iterable[Piece]) -> Generator[tuple[Piece, Scored]]:
    from distributed import as_completed

    queue = iter(jobs)
    running: dict[Any, Piece] = {}
    done = as_completed(loop=client.loop)
    try:
        while True:
            for piece in queue:
                future = client.submit(work, piece, pure=False)
                running[future] = piece
                done.add(future)
                if len(running) >= _hands(client):
                    break
            if not running:
                return
            future = next(done)
            yield running.pop(future), _result(future)
    finally:
        client.cancel(list(running))


def _hands(client: Any) -> int:
    """How many pieces to have under way: the cluster may grow and shrink."""
    threads: int = sum(client.nthreads().values())
    return 2 * max(1, threads)


def _result(future: Any) -> Scored:
    from distributed import CancelledError, KilledWorker

    try:
        scored: Scored = future.result()
    except KilledWorker:
        message = "several workers of the cluster died over the same hands (out of memory?)"
        raise RunError(f"{message}; --resume goes on") from None
    except CancelledError:
        raise RunError("the cluster is gone; --resume goes on") from None
    except RunError:
        raise
    except Exception as error:  # whatever a worker lacks, such as this program
        raise RunError(f"a worker of the cluster cannot do the work: {error}") from None
    return scored
