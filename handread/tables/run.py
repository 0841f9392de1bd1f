"""Run ``handread score``: plan the pieces, share them out, keep their rows and make parts of them.

The work is done by processes of this machine or by the workers of a Dask cluster.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from handread import __version__
from handread.formats.registry import BUILT_IN, FormatRegistry
from handread.parallel import RunError, spread
from handread.tables.input_files import InputFile
from handread.tables.pieces import HAND_WEIGHT, Key, Piece, Scored, ScoreTerms, pieces, score_piece
from handread.tables.store import Store

PART_WEIGHT = 5000 * HAND_WEIGHT
"""Work of the pieces that make a part of the tables: some thousands of hands."""

Scoring = Callable[[Piece], Scored]
Sharing = Callable[[Scoring, Iterable[Piece]], Generator[tuple[Piece, Scored]]]
"""Shares pieces out among workers; yields each piece with its rows, in any order."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of each piece to read, in order, and the reasons why files cannot be read."""

    weights: Mapping[Key, int]
    faults: Mapping[str, str]

    @property
    def files(self) -> set[str]:
        """Names of the files that can be read; each has a piece."""
        return {file for file, _, _ in self.weights}

    @property
    def weight(self) -> int:
        """The work of all pieces."""
        return sum(self.weights.values())


def plan_run(
    files: Iterable[InputFile], dialect: str | None, known: FormatRegistry = BUILT_IN
) -> Plan:
    """Read files once to find their pieces."""
    weights: dict[Key, int] = {}
    faults: dict[str, str] = {}
    for source in files:
        try:
            weights |= {piece.key: piece.weight for piece in pieces(source, dialect, known)}
        except OSError as error:
            faults[source.name] = error.strerror or str(error)
    return Plan(weights, faults)


def execute_plan(
    store: Store,
    plan: Plan,
    files: Sequence[InputFile],
    dialect: str | None,
    terms: ScoreTerms,
    share: Sharing,
    tick: Callable[[int, int], None],
    known: FormatRegistry = BUILT_IN,
) -> None:
    """Read the pieces that the store does not hold yet, and put them into its tables.

    An interrupted run puts what is done into the tables.

    Args:
        store: The tables. Pieces that the planned files no longer have are removed from them.
        plan: The pieces to read.
        files: The files of the plan.
        dialect: Notation of the files, or None to detect it.
        terms: Player models and tie rule.
        share: The workers.
        tick: Called with the work and the number of hands done since the last call.
        known: The formats to detect.

    Raises:
        RunError: If a file has changed since it was planned.
    """
    wanted = plan.weights
    planned = plan.files
    kept = store.in_parts | store.waiting
    store.drop({key for key in kept if key[0] in planned} - set(wanted))
    done = store.in_parts
    groups = list(_groups({key: n for key, n in wanted.items() if key not in done}))
    missing = set(wanted) - done - store.waiting
    tick(sum(wanted[key] for key in set(wanted) - missing), 0)
    jobs = (piece for piece in _read(files, dialect, known) if piece.key in missing)
    try:
        with closing(share(partial(score_piece, terms), jobs)) as results:
            for piece, scored in results:
                store.keep(piece.key, scored)
                missing.discard(piece.key)
                tick(wanted[piece.key], scored.hands + scored.rejects)
                while groups and missing.isdisjoint(groups[0]):
                    store.make_part(groups.pop(0))
    except (KeyboardInterrupt, RunError):  # not OSError: a full disk takes no tables either
        _make_parts(store, groups)
        raise
    _make_parts(store, groups)
    store.join_small()
    changed = sorted({key[0] for key in missing})
    if changed:
        names = ", ".join(changed[:3]) + (" and others" if len(changed) > 3 else "")
        raise RunError(f"{names} changed while being read; --resume reads what is new")


def _make_parts(store: Store, groups: Iterable[list[Key]]) -> None:
    """Move all waiting pieces into the tables, even if a part is not complete."""
    for group in (*groups, store.waiting):
        store.make_part(group)


def _read(
    files: Iterable[InputFile], dialect: str | None, known: FormatRegistry
) -> Iterator[Piece]:
    """Yield the pieces of files; of a file that has gone, none."""
    for source in files:
        try:
            yield from pieces(source, dialect, known)
        except OSError:
            continue


def _groups(weights: Mapping[Key, int]) -> Iterator[list[Key]]:
    """Yield the pieces of each part."""
    group: list[Key] = []
    total = 0
    for key, weight in weights.items():
        group.append(key)
        total += weight
        if total >= PART_WEIGHT:
            yield group
            group, total = [], 0
    if group:
        yield group


def local_processes(workers: int) -> Sharing:
    """Share pieces out among processes of this machine; 1 is this process.

    This process reads the first piece, so that the kernels are compiled once and not by every
    worker.
    """

    def share(work: Scoring, jobs: Iterable[Piece]) -> Generator[tuple[Piece, Scored]]:
        waiting = iter(jobs)
        for piece in islice(waiting, 1):
            yield piece, work(piece)
        yield from spread(work, waiting, workers)

    return share


# Dask

TIMEOUT = "20s"
"""Time to wait for the scheduler."""

GONE = "the cluster is gone; --resume goes on"

SHOWN = 5
"""Number of workers named in a message."""


@contextmanager
def cluster(address: str, tell: Callable[[str], None]) -> Iterator[Sharing]:
    """Share pieces out among the workers of a Dask cluster.

    Args:
        address: Address of the scheduler, such as ``tcp://host:8786``.
        tell: Called with a message if the cluster has no workers yet.

    Raises:
        RunError: If there is no scheduler at the address, if a worker does not have this version
            of the program, or if Dask is not installed.
    """
    try:
        from distributed import Client
        from distributed.comm.addressing import resolve_address
    except ImportError:
        message = "--scheduler needs Dask: pip install 'handread[cluster]'"
        raise RunError(message) from None
    # Exceptions say what goes wrong; the logs repeat it with tracebacks.
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
        yield lambda work, jobs: _share(client, work, jobs)
    finally:
        client.close(timeout=TIMEOUT)


class _Call:
    """A call that is made when its pickle is loaded: a scheduler needs no handread."""

    def __init__(self, function: Callable[..., object], *args: object) -> None:
        self._call = function, args

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._call


def _version() -> str:
    return __version__


def _work_here(version: str, packed: bytes) -> bytes:
    """Unpickle a piece with its work, do it, and pickle the rows."""
    if version != __version__:  # another version may not even unpickle it
        raise RunError(f"a worker has handread {__version__}, not {version}")
    work, piece = pickle.loads(packed)
    return pickle.dumps(work(piece))


def _check_workers(client: Any) -> None:
    """Raise ``RunError`` if workers do not have this version of the program."""
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
                if len(running) >= _capacity(client):
                    break
            if not running:
                return
            future = next(done)
            yield running.pop(future), _result(client, future)
    finally:
        client.cancel(list(running))


def _capacity(client: Any) -> int:
    """Return how many pieces to submit at once; the cluster may grow and shrink."""
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
    except Exception as error:  # anything a worker lacks, such as this program
        _check_workers(client)  # one may have joined later
        raise RunError(f"a worker of the cluster cannot do the work: {error}") from None
    return scored
