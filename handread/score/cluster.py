"""The work of a run on a Dask cluster that is there already.

A piece that goes there holds its text, so that the workers need no files, and what comes of it
comes back to be kept here. Dask gives the pieces of a worker that dies to another.

Work and results travel as bytes, which Dask does not look into: a worker that finds an object of a
program that it lacks dies of it without a word, and a scheduler need not have the program.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from handread import __version__
from handread.runs import RunError
from handread.score.run import Scoring, Sharing
from handread.score.work import Piece, Scored

TIMEOUT = "20s"
"""How long to wait for the scheduler."""

GONE = "the cluster is gone; --resume goes on"

SHOWN = 5
"""How many workers are named that lack the program."""


@contextmanager
def cluster(address: str, tell: Callable[[str], None]) -> Iterator[Sharing]:
    """Shares pieces out among the workers of a scheduler, such as ``tcp://host:8786``.

    ``tell`` is given a word when no worker is there. ``RunError`` where there is no scheduler, a
    worker has not this version of the program, or the library is not installed.
    """
    try:
        from distributed import Client
        from distributed.comm.addressing import resolve_address
    except ImportError:
        message = "--scheduler needs Dask: pip install 'handread[cluster]'"
        raise RunError(message) from None
    # What goes wrong is told by its exception; the logs repeat it with tracebacks.
    for name in list(logging.root.manager.loggerDict):  # those of Dask do not heed each other
        if name.partition(".")[0] in ("distributed", "asyncio", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        resolve_address(address)  # of an address that is none a client waits for its own end
        client = Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise RunError(f"no Dask scheduler at {address}: {error}") from None
    if not client.nthreads():
        tell(f"the cluster at {address} has no workers yet; the work waits for them")
    try:
        _check_workers(client)
        yield lambda work, jobs: _share(client, work, jobs)
    finally:
        client.close(timeout=TIMEOUT)


class _Call:
    """A call that is made where the pickle of it is read."""

    def __init__(self, function: Callable[..., object], *args: object) -> None:
        self._call = function, args

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._call


def _version() -> str:
    return __version__


def _work_here(version: str, packed: bytes) -> bytes:
    """Do packed work and pack what comes of it."""
    if version != __version__:  # another version may not even unpack it
        raise RunError(f"a worker has handread {__version__}, not {version}")
    work, piece = pickle.loads(packed)
    return pickle.dumps(work(piece))


def _check_workers(client: Any) -> None:
    """``RunError`` that names the workers without this version of the program."""
    try:
        versions = client.run(pickle.loads, pickle.dumps(_Call(_version)), on_error="return")
    except OSError:
        raise RunError(GONE) from None
    lacking = [
        f"{worker} has handread {found}" if isinstance(found, str) else f"{worker}: {found}"
        for worker, found in versions.items()
        if found != __version__
    ]
    if lacking:
        who = f"{len(lacking)} of {len(versions)} workers of the cluster lack handread"
        raise RunError(f"{who} {__version__}: {'; '.join(lacking[:SHOWN])}")


def _share(client: Any, work: Scoring, jobs: Iterable[Piece]) -> Generator[tuple[Piece, Scored]]:
    from distributed import as_completed

    queue = iter(jobs)
    running: dict[Any, Piece] = {}
    done = as_completed(loop=client.loop)
    try:
        while True:
            for piece in queue:
                call = _Call(_work_here, __version__, pickle.dumps((work, piece)))
                future = client.submit(pickle.loads, pickle.dumps(call), pure=False)
                running[future] = piece
                done.add(future)
                if len(running) >= _hands(client):
                    break
            if not running:
                return
            future = next(done)
            yield running.pop(future), _result(client, future)
    finally:
        client.cancel(list(running))


def _hands(client: Any) -> int:
    """How many pieces to have under way: the cluster may grow and shrink."""
    threads: int = sum(client.nthreads().values())
    return 2 * max(1, threads)


def _result(client: Any, future: Any) -> Scored:
    from distributed import CancelledError, KilledWorker

    try:
        scored: Scored = pickle.loads(future.result())
    except KilledWorker:
        message = "several workers of the cluster died over the same hands (out of memory?)"
        raise RunError(f"{message}; --resume goes on") from None
    except CancelledError:
        raise RunError(GONE) from None
    except RunError:
        raise
    except Exception as error:  # whatever a worker lacks, such as this program
        _check_workers(client)  # who came later
        raise RunError(f"a worker of the cluster cannot do the work: {error}") from None
    return scored
