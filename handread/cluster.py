"""Run jobs on the workers of a Dask cluster."""

import logging
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any

from handread.parallel import Job, Result, RunError, Runner, carried
from handread.version import __version__

TIMEOUT = "20s"
"""Time to wait for the scheduler."""

GONE = "lost the connection to the cluster; --resume continues"

SHOWN = 5
"""Number of workers named in a message."""


@contextmanager
def cluster(address: str, tell: Callable[[str], None]) -> Iterator[Runner]:
    """Connect to a Dask cluster; yield the function that runs jobs on its workers.

    ``address`` is the scheduler's, such as ``tcp://host:8786``. ``tell`` is called with a message
    if the cluster has no workers yet. Raise ``RunError`` without a scheduler there, and
    if a worker does not have this version of the program.
    """
    from distributed import Client
    from distributed.comm.addressing import resolve_address

    # Exceptions report what goes wrong; Dask's logs would repeat it with tracebacks.
    for name in list(logging.root.manager.loggerDict):  # Dask's loggers do not inherit levels
        if name.partition(".")[0] in ("distributed", "asyncio", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        resolve_address(address)  # a client waits forever for an invalid address
        client = Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise RunError(f"no Dask scheduler at {address}: {error}") from None
    if not client.nthreads():
        tell(f"the cluster at {address} has no workers yet; the work waits for them")
    try:
        _check_workers(client)
        yield partial(_run, client)
    finally:
        client.close(timeout=TIMEOUT)


class _Call:
    """A call made only when its pickle is loaded, so that the scheduler does not need handread."""

    def __init__(self, function: Callable[..., object], *args: object) -> None:
        self._call = function, args

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._call


def _version() -> str:
    return __version__


def _work_here(version: str, packed: bytes) -> bytes:
    """Unpickle a job with its work, do it, and pickle the result."""
    if version != __version__:  # another version may not even unpickle it
        raise RunError(f"a worker has handread {__version__}, not {version}")
    work, job = pickle.loads(packed)
    return pickle.dumps(work(job))


def _check_workers(client: Any) -> None:
    """Raise ``RunError`` if workers do not have this version of the program."""
    try:
        versions = client.run(pickle.loads, pickle.dumps(_Call(_version)), on_error="return")
    except OSError:
        raise RunError(GONE) from None
    lacking = [
        f"{worker} has handread {version}" if isinstance(version, str) else f"{worker}: {version}"
        for worker, version in versions.items()
        if version != __version__
    ]
    if lacking:
        who = f"{len(lacking)} of {len(versions)} workers of the cluster lack handread"
        raise RunError(f"{who} {__version__}: {'; '.join(lacking[:SHOWN])}")


def _run(
    client: Any, work: Callable[[Job], Result], jobs: Iterable[Job]
) -> Generator[tuple[Job, Result]]:
    from distributed import as_completed

    queue = iter(jobs)
    running: dict[Any, Job] = {}
    done = as_completed(loop=client.loop)
    try:
        while True:
            # The cluster may grow and shrink.
            capacity = 2 * max(1, sum(client.nthreads().values()))
            for job in islice(queue, max(1, capacity - len(running))):
                call = _Call(_work_here, __version__, carried((work, job)))
                future = client.submit(pickle.loads, pickle.dumps(call), pure=False)
                running[future] = job
                done.add(future)
            if not running:
                return
            future = next(done)
            yield running.pop(future), _result(client, future)
    finally:
        client.cancel(list(running))


def _result(client: Any, future: Any) -> Any:
    from distributed import CancelledError, KilledWorker

    try:
        return pickle.loads(future.result())
    except KilledWorker:
        message = "several workers of the cluster died over the same hands (out of memory?)"
        raise RunError(f"{message}; --resume continues") from None
    except CancelledError:
        raise RunError(GONE) from None
    except RunError:
        raise
    except Exception as error:  # anything a worker lacks, such as this program
        _check_workers(client)  # one may have joined later
        raise RunError(f"a worker of the cluster cannot do the work: {error}") from None
