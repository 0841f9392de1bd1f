"""A run: what is to be read is planned, shared out, kept, and put together in order."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any

from handread import __version__
from handread.formats.registry import BUILT_IN, Known
from handread.parallel import RunError, spread
from handread.tables.store import (
    HAND_WEIGHT,
    Key,
    Piece,
    Planned,
    Scored,
    Source,
    Store,
    Terms,
    pieces,
    score_piece,
)

PART_WEIGHT = 5000 * HAND_WEIGHT
"""How much of what is read makes a part of the tables: some thousands of hands."""

Scoring = Callable[[Piece], Scored]
Sharing = Callable[[Scoring, Iterable[Piece]], Generator[tuple[Piece, Scored]]]
"""Shares pieces out among those who score them, and gives each with what came of it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run has to read: the pieces of its files in order, by the names of the files.

    ``faults`` says of the files that could not be read why.
    """

    files: Mapping[str, tuple[Planned, ...]]
    faults: Mapping[str, str]

    @property
    def pieces(self) -> Iterator[Planned]:
        """The pieces of all files."""
        return chain.from_iterable(self.files.values())

    @property
    def weight(self) -> int:
        """The work of all pieces."""
        return sum(piece.weight for piece in self.pieces)


def local_processes(workers: int) -> Sharing:
    """Shares out among so many processes of this machine; 1 is this process.

    This process reads the first piece, so that the kernels are compiled once and not by every one.
    """

    def share(work: Scoring, jobs: Iterable[Piece]) -> Generator[tuple[Piece, Scored]]:
        waiting = iter(jobs)
        for piece in islice(waiting, 1):
            yield piece, work(piece)
        yield from spread(work, waiting, workers)

    return share


def plan_run(files: Iterable[Source], dialect: str | None, known: Known = BUILT_IN) -> Plan:
    """What there is to read in files."""
    found: dict[str, tuple[Planned, ...]] = {}
    faults: dict[str, str] = {}
    for source in files:
        try:
            cut = (Planned(piece.key, piece.weight) for piece in pieces(source, dialect, known))
            found[source.name] = tuple(cut)
        except OSError as error:
            faults[source.name] = error.strerror or str(error)
    return Plan(found, faults)


def carry_out(
    store: Store,
    plan: Plan,
    files: Sequence[Source],
    dialect: str | None,
    terms: Terms,
    share: Sharing,
    tick: Callable[[int, int], None],
    known: Known = BUILT_IN,
) -> None:
    """Read what is planned and not yet kept; ``tick`` is told the work and the hands done.

    When it is stopped what is done is put into the tables. ``RunError`` when a file was another
    when it was read than when it was planned.
    """
    wanted = {piece.key: piece.weight for piece in plan.pieces}
    kept = store.in_parts | store.waiting
    store.drop({key for key in kept if key[0] in plan.files} - set(wanted))
    done = store.in_parts
    groups = list(_groups(piece for piece in plan.pieces if piece.key not in done))
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
    except (KeyboardInterrupt, RunError):  # a disk that is full takes no tables either
        _put_together(store, groups)
        raise
    _put_together(store, groups)
    store.join_small()
    changed = sorted({key[0] for key in missing})
    if changed:
        names_of = ", ".join(changed[:3]) + (" and others" if len(changed) > 3 else "")
        raise RunError(f"{names_of} changed while being read; --resume reads what is new")


def _put_together(store: Store, groups: Iterable[list[Key]]) -> None:
    """Put what is done into the tables, even where a part is not complete."""
    for group in (*groups, store.waiting):
        store.make_part(group)


def _read(files: Iterable[Source], dialect: str | None, known: Known) -> Iterator[Piece]:
    """All pieces of files with what they hold; of one that has gone none."""
    for source in files:
        try:
            yield from pieces(source, dialect, known)
        except OSError:
            continue


def _groups(planned: Iterable[Planned]) -> Iterator[list[Key]]:
    """Pieces in the order of the plan, as they make parts."""
    group: list[Key] = []
    weight = 0
    for piece in planned:
        group.append(piece.key)
        weight += piece.weight
        if weight >= PART_WEIGHT:
            yield group
            group, weight = [], 0
    if group:
        yield group


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
