"""Many inputs in processes of their own; one that takes its process with it is a failure."""

from __future__ import annotations

import multiprocessing
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from time import process_time

from tests.fuzz.cases import Case, case
from tests.fuzz.checks import Tally
from tests.fuzz.failures import Failure, smaller, tried
from tests.fuzz.limits import WAITING, little_memory, peak_megabytes
from tests.fuzz.logs import Logs, gathered

BLOCK = 50
"""How many inputs a process is given at once."""

SHRUNK = 3
"""How many failures of a kind a process makes smaller."""


@dataclass(slots=True)
class Findings:
    """What was found in some inputs.

    ``slowest`` is the most seconds that an input took, and its index; ``peak`` the most megabytes
    of memory that the process had.
    """

    tally: Tally = field(default_factory=Tally)
    failures: list[Failure] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, -1)
    peak: float = 0.0

    def add(self, other: Findings) -> None:
        self.tally.add(other.tally)
        self.failures += other.failures
        self.slowest = max(self.slowest, other.slowest)
        self.peak = max(self.peak, other.peak)


Trying = Callable[[Case, int], Tally | Failure]
"""Reads an input: what it holds, or how it fails."""


def run_here(seed: int, indices: Sequence[int], logs: Logs) -> Findings:
    """What is found in the inputs of some indices, one after the other, in this process."""
    found, kinds = Findings(), Counter[str]()
    for index in indices:
        _run_one(found, case(seed, index, logs), index, kinds, tried)
    return found


def run(
    seed: int, n: int, workers: int, real: Path | None = None, trying: Trying = tried
) -> Iterator[Findings]:
    """What is found in the first ``n`` inputs of a seed, a block at a time, by some processes."""
    logs = gathered(real)
    todo = deque(range(start, min(start + BLOCK, n)) for start in range(0, n, BLOCK))
    crew: dict[Connection, _Worker] = {}
    try:
        while todo or crew:
            while todo and len(crew) < workers:
                worker = _Worker.start(seed, real, trying, todo.popleft())
                crew[worker.connection] = worker
            # Where none of them has anything to say for so long, they are stuck.
            ready = wait(list(crew), timeout=3 * WAITING)
            for worker in [crew[connection] for connection in ready or crew]:
                found = worker.findings() if ready else None
                if found:
                    yield found
                    if todo:
                        worker.give(todo.popleft())
                        continue
                else:
                    index, rest = worker.given_up()
                    todo.extend(rest)
                    yield worker.death(case(seed, index, logs), index)
                worker.end()
                del crew[worker.connection]
    finally:
        for worker in crew.values():
            worker.end()


def _run_one(found: Findings, one: Case, index: int, kinds: Counter[str], trying: Trying) -> None:
    start = process_time()
    result = trying(one, index)
    found.slowest = max(found.slowest, (process_time() - start, index))
    if isinstance(result, Tally):
        found.tally.add(result)
        return
    found.tally.inputs += 1
    kinds[result.kind] += 1
    found.failures.append(smaller(result) if kinds[result.kind] <= SHRUNK else result)


def _work(
    connection: Connection, at: Synchronized[int], seed: int, real: Path | None, trying: Trying
) -> None:
    """Takes ranges of indices and gives back what is found in them, for ever."""
    logs = gathered(real)
    tried(case(seed, 0, logs))  # so that everything is loaded
    little_memory()
    kinds = Counter[str]()
    while True:
        found = Findings()
        for index in connection.recv():
            at.value = index
            _run_one(found, case(seed, index, logs), index, kinds, trying)
        found.peak = peak_megabytes()
        connection.send(found)


@dataclass(slots=True)
class _Worker:
    """A process, the input that it is at, and the inputs that it has to read."""

    process: BaseProcess
    connection: Connection
    at: Synchronized[int]
    block: range

    @classmethod
    def start(cls, seed: int, real: Path | None, trying: Trying, block: range) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        at = context.Value("q", block.start)
        arguments = (theirs, at, seed, real, trying)
        process = context.Process(target=_work, args=arguments, daemon=True)
        process.start()
        theirs.close()
        worker = cls(process, ours, at, block)
        worker.give(block)
        return worker

    def give(self, block: range) -> None:
        self.block = block
        self.at.value = block.start
        self.connection.send(block)

    def findings(self) -> Findings | None:
        """What the process has found; ``None`` if it is no more."""
        try:
            found: Findings = self.connection.recv()
        except (EOFError, ConnectionError):
            return None
        return found

    def given_up(self) -> tuple[int, list[range]]:
        """The input that the process ended with, and what is left of its block."""
        at, block = self.at.value, self.block
        rest = [range(block.start, at), range(at + 1, block.stop)]
        return at, [part for part in rest if part]

    def death(self, one: Case, index: int) -> Findings:
        """The finding that an input has taken its process with it, or does not end."""
        self.process.join(timeout=1)
        status = self.process.exitcode
        message = "it does not end" if status is None else f"the process ended with {status}"
        failure = Failure(index, "dead process", message, message, one)
        return Findings(Tally(inputs=1), [failure])

    def end(self) -> None:
        self.process.kill()
        self.process.join()
