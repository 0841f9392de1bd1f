"""Inputs that the program does not bear: what happened, and a smaller input that does it too."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic

from tests.fuzz.cases import Case
from tests.fuzz.checks import BrokenLawError, Tally, check
from tests.fuzz.limits import TooSlowError, in_time

PATIENCE = 20.0
"""Seconds to make an input smaller."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What an input did: where in the program, in words, the whole traceback, the input."""

    index: int
    kind: str
    message: str
    trace: str
    case: Case


def tried(case: Case, index: int = 0) -> Tally | Failure:
    """What an input holds, or how it fails."""
    try:
        with in_time():
            return check(case)
    except (Exception, TooSlowError) as error:
        return _failure(error, case, index)


def _failure(error: BaseException, case: Case, index: int) -> Failure:
    """The failure that an exception stands for; its kind is its place in the program."""
    name = type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "handread" in frame.filename.split("/")]
    place = f"{own[-1].filename.rpartition('/')[2]}:{own[-1].name}" if own else ""
    told = str(error)[:300]
    kind = f"{name}: {told[:40]}" if isinstance(error, BrokenLawError) else f"{name} in {place}"
    # What takes too long, or too much, may be anywhere when that is noticed.
    if isinstance(error, TooSlowError | MemoryError):
        kind = name
    trace = "".join(traceback.format_exception(error))
    return Failure(index, kind, told, trace, case)


def smaller(failure: Failure) -> Failure:
    """A failure of the same kind with as few lines, then characters, as patience finds."""
    end = monotonic() + PATIENCE

    def still(case: Case) -> Failure | None:
        again = tried(case, failure.index)
        return again if isinstance(again, Failure) and again.kind == failure.kind else None

    for parted in (lambda data: data.splitlines(keepends=True), _bytes):
        failure = _fewer(failure, parted, still, end)
    return failure


def _bytes(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


def _fewer(
    failure: Failure,
    parted: Callable[[bytes], list[bytes]],
    still: Callable[[Case], Failure | None],
    end: float,
) -> Failure:
    """Without runs of parts that the failure does not need, long runs first."""
    run = len(parted(failure.case.data)) // 2
    while run and monotonic() < end:
        for data in _without(parted(failure.case.data), run):
            if monotonic() > end:
                break
            found = still(replace(failure.case, data=data))
            if found:
                failure = found
                break
        else:
            run //= 2
    return failure


def _without(parts: list[bytes], run: int) -> Iterator[bytes]:
    """What is left without one run of that many parts, from the end on."""
    for start in range(len(parts) - run, -1, -run):
        yield b"".join(parts[:start] + parts[start + run :])
