"""Processes that work for this one, and Ctrl-C while they do."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Self, TypeVar

from handread.extras import missing

Result = TypeVar("Result")


def new_pool(workers: int, nice: int = 0) -> ProcessPoolExecutor:
    """Return a pool whose processes start with its jobs; ``nice`` as in ``Helpers``."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, context, initializer=_serve_one_parent, initargs=(nice,))


def end_pools(pools: Iterable[ProcessPoolExecutor], *, kill: bool = False) -> None:
    """End processes once they are idle; with ``kill``, end all workers of this program at once."""
    with answering(signal.SIGINT, signal.SIG_IGN):  # a second Ctrl-C would leave some running
        for worker in multiprocessing.active_children() if kill else ():
            worker.kill()
        for pool in pools:
            # The thread that reads results would wait forever for the rest of one whose worker was
            # killed: this process also holds the other end of the pipe.
            results = getattr(pool, "_result_queue", None) if kill else None
            if (writer := getattr(results, "_writer", None)) is not None:
                writer.close()
            pool.shutdown(cancel_futures=True)


class Helpers:
    """Processes for single jobs of a second or two, which any thread may give them.

    They start with the first jobs. A process that dies fails its jobs, and another replaces it.
    Leaving the ``with`` kills the ``workers`` processes.
    """

    def __init__(self, workers: int, nice: int = 0) -> None:
        """``nice`` is the niceness of the processes, from 0 to 19."""
        self.workers = workers
        self._nice = nice
        self._ended = False
        self._pool = new_pool(workers, nice)
        self._lock = threading.Lock()
        self._warmed: list[Future[None]] = []

    @property
    def ready(self) -> int:
        """The number of processes that have imported the module of ``warm``."""
        return sum(start.done() for start in self._warmed)

    def submit(self, work: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Have a process call ``work``; ``RuntimeError`` if ended. All arguments are pickled."""
        with self._lock, interrupts_blocked():
            if self._ended:
                raise RuntimeError("the processes have been ended")
            try:
                return self._pool.submit(work, *arguments)
            except BrokenProcessPool:
                self._pool = new_pool(self.workers, self._nice)
                return self._pool.submit(work, *arguments)

    def warm(self, module: str) -> None:
        """Start all processes to import a module that jobs will need."""
        self._warmed = [self.submit(_import, module) for _ in range(self.workers)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes at once, whatever they are doing."""
        with self._lock:
            self._ended = True
        end_pools((self._pool,), kill=True)


def _import(module: str) -> None:
    import_module(module)


def failure_words(error: Exception) -> str:
    """Return why a job has no result."""
    if isinstance(error, BrokenProcessPool):
        return "the process that worked on it died (out of memory?)"
    return missing(error) or f"an error in the program itself: {type(error).__name__}: {error}"


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C while a worker is started.

    The worker inherits the blocked signal; otherwise a Ctrl-C would kill it with a traceback before
    it starts to ignore SIGINT. Another thread of this process may still receive the signal, so it
    is deferred as well.
    """
    with interrupts_deferred():
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            yield
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Defer a Ctrl-C until a short critical section ends."""
    pressed: list[int] = []
    with answering(signal.SIGINT, lambda number, _frame: pressed.append(number)):
        yield
    if pressed:
        raise KeyboardInterrupt


@contextmanager
def answering(
    number: int, handler: Callable[[int, Any], object] | signal.Handlers
) -> Iterator[None]:
    """Answer a signal otherwise; only in the main thread, which alone receives it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def _serve_one_parent(nice: int = 0) -> None:
    """Set up a worker: ignore Ctrl-C, exit when the parent dies, limit polars to one thread.

    By default polars starts one thread per core. ``nice`` as in ``Helpers``.
    """
    os.environ["POLARS_MAX_THREADS"] = "1"
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
