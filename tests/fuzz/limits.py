"""How long an input may take and how much memory, in the process that reads it."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS = 5.0
"""Of processor time, which the machine's other work does not lengthen."""

WAITING = 60.0
"""Seconds on the clock, for what waits instead of working."""

MEMORY = 1 << 30
"""Bytes that may come on top of what a process has before it reads anything."""


class TooSlowError(BaseException):
    """An input takes too long; no ``except Exception`` on the way can take this for its own."""


@contextmanager
def in_time() -> Iterator[None]:
    """``TooSlowError`` if what is inside takes too long; in the main thread only."""
    before = {which: signal.signal(which, _too_slow) for which in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_REAL, WAITING)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for which, handler in before.items():
            signal.signal(which, handler)


def little_memory() -> None:
    """From here on ``MemoryError`` for more than ``MEMORY`` more, as far as the system can."""
    pages = _kilobytes("VmSize:")
    if pages:
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (pages * 1024 + MEMORY, most))


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    return _kilobytes("VmHWM:") / 1024


def _kilobytes(what: str) -> int:
    """A figure of this process; 0 where the system does not tell it."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123
            return next((int(line.split()[1]) for line in status if line.startswith(what)), 0)
    except OSError:
        return 0


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlowError(f"more than {SECONDS:g} s")
