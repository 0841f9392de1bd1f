"""Processor time and memory for each test, which may take no more: ``pytest --budget``.

A test is charged what its process and all that it started spend from its setup to its teardown, in
seconds of the machine that ``REFERENCE`` was measured on: a piece of work, timed at the start and
after each test that takes long, shows how much slower this one is just now. A test above its limit
is run again, twice at most, and charged the smallest sum: the first of several pays for what all
of them use (imports, kernels, fixtures of the module), and a machine that others use is noisy.
What noise may explain does not fail: it is listed at the end, to be made cheaper in quiet.

A test that must take more has the mark ``dear``, with the reason: ``@pytest.mark.dear("...")``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from _pytest.runner import runtestprotocol

try:
    import resource
except ImportError:  # Windows, where nothing is charged
    resource = None  # type: ignore[assignment]

REFERENCE = 0.00137
"""Processor time of the piece of work, in seconds, where the tests of 0.23.0 took 1,220 s."""

LEAST_SLOWNESS = 0.1
"""No machine is taken to be faster than ten times the one of the reference."""

DEFAULT_RUN = 0.5
"""The most seconds for a test of the default run."""

OTHERS = 1.0
"""The most seconds for a test that only ``.ci/run`` runs."""

NOISE = 2.0
"""A test fails above this multiple: where others use the machine too, one took .8 s for its .4."""

MEMORY = 1_600 * 2**20
"""The most bytes for a process. Whole runs took up to 1,430 MB."""

AGAIN = 2
"""So often a test above its limit is run again."""

SHOWN = 20
"""So many of the dearest tests are listed."""

LEFT_OUT = ("thorough", "papers", "browser", "slow")
"""The marks of tests that are not in the default run."""


def slowness() -> float:
    """Return how long the piece of work takes, as a multiple of the reference."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        cells = np.arange(1326.0)
        for i in range(150):
            cells = np.cumsum(cells[::-1]) / cells.sum()
            _ = [j * j % 7 for j in range(i)]
        times.append(time.process_time() - begun)
    return max(LEAST_SLOWNESS, min(times) / REFERENCE)  # a coarse clock may measure nothing


def spent() -> float:
    """Return the processor time of this process and of all that it started, in seconds."""
    if resource is None:
        return 0.0
    ended = (sum(resource.getrusage(who)[:2]) for who in _WHO)
    return sum(ended) + sum(_of_living())


def peak() -> int:
    """Return the most bytes that this process, or one that it waited for, has held at a time."""
    return 0 if resource is None else 1024 * max(resource.getrusage(who)[2] for who in _WHO)


_WHO = () if resource is None else (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def _of_living() -> Iterator[float]:
    """Yield the processor times of the processes below this one."""
    try:  # most tests start none, and to look at all processes takes longer than they do
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except (ChildProcessError, AttributeError):
        return
    parents, times = {}, {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(place.parent.name)] = int(fields[1])
        times[int(place.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    level = {os.getpid()}
    while level := {process for process, parent in parents.items() if parent in level}:
        yield from (times[process] for process in level)


class Budget:
    """The plugin, in each process that runs tests and in the one that their reports reach."""

    def __init__(self) -> None:
        self._slowness = slowness()
        self._taken: dict[str, tuple[float, int]] = {}
        """Seconds and bytes by test."""
        self._above: list[str] = []
        """The tests above their limits that did not fail."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run a test, twice more if it took too much, and fail it if it always did."""
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        limit, before = limit_of(item), peak()
        reports, seconds = self._run(item)
        for _ in range(AGAIN):
            if seconds > limit and all(report.passed for report in reports):
                item._initrequest()  # type: ignore[attr-defined]
                reports, again = self._run(item)
                seconds = min(seconds, again)
        reports += self._end_shared(item, nextitem)
        held = peak() if peak() > before else 0
        fault = fault_of(item, seconds, limit, held)
        passed = all(report.passed for report in reports)
        if fault and passed:
            reports[-1].outcome, reports[-1].longrepr = "failed", f"{item.nodeid}: {fault}"
        above = seconds > limit and passed and not fault
        reports[-1].user_properties += [("seconds", seconds), ("bytes", held), ("above", above)]
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _run(self, item: pytest.Item) -> tuple[list[pytest.TestReport], float]:
        """Run a test and end only what is its own; return the reports and the seconds."""
        begun = spent()
        # Named as the next item, the parent of this one stays as it is set up.
        reports = runtestprotocol(item, log=False, nextitem=item.parent)  # type: ignore[arg-type]
        took = spent() - begun
        if took > DEFAULT_RUN / 2:
            self._slowness = slowness()
        return reports, took / self._slowness

    @staticmethod
    def _end_shared(item: pytest.Item, nextitem: pytest.Item | None) -> list[pytest.TestReport]:
        """End what the next test does not need; return a report only of a failure."""
        end = item.session._setupstate.teardown_exact
        call = pytest.CallInfo.from_call(lambda: end(nextitem), when="teardown")
        return [item.ihook.pytest_runtest_makereport(item=item, call=call)] if call.excinfo else []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what a test took."""
        found = dict(report.user_properties)
        if "seconds" in found:
            self._taken[report.nodeid] = (found["seconds"], found["bytes"])
            if found["above"]:
                self._above.append(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the dearest tests, and say what all took."""
        write, taken = terminalreporter.write_line, self._taken
        whole = sum(seconds for seconds, _ in taken.values())
        write(f"processor time of {len(taken):,} tests, in seconds of the reference: {whole:,.0f}")
        for name in sorted(taken, key=lambda name: -taken[name][0])[:SHOWN]:
            write(f"{taken[name][0]:8.2f}  {name}")
        if taken:
            held, name = max((held, name) for name, (_, held) in taken.items())
            write(f"the largest process: {held / 2**20:,.0f} MB, {name}")
        for name in self._above:
            write(f"above its limit, by noise or a little: {taken[name][0]:.2f} s, {name}")


def limit_of(item: pytest.Item) -> float:
    """Return the most seconds that a test may take."""
    if item.get_closest_marker("dear"):
        return float("inf")
    # The default run tries a property on a fifth of the examples.
    has_few = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return OTHERS if has_few or any(map(item.get_closest_marker, LEFT_OUT)) else DEFAULT_RUN


def fault_of(item: pytest.Item, seconds: float, limit: float, held: int) -> str:
    """Return what is wrong with the time or the memory of a test; "" if nothing is."""
    dear = item.get_closest_marker("dear")
    if dear and not (dear.args and str(dear.args[0]).strip()):
        return "the mark dear needs a reason"
    if seconds > NOISE * limit:
        more = "mark it thorough" if limit < OTHERS else "say why with the mark dear"
        return f"{seconds:.2f} s of processor time, of {limit} allowed: make it cheaper, or {more}"
    if held > MEMORY:
        return f"a process held {held / 2**20:,.0f} MB, of {MEMORY / 2**20:,.0f} allowed"
    return ""
