"""``python -m tests.fuzz --n 200000 --seed 1``: read that many inputs and tell what failed."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from handread.report.words import visible
from tests.fuzz.cases import case
from tests.fuzz.failures import Failure, smaller, tried
from tests.fuzz.logs import gathered
from tests.fuzz.workers import Findings, run

TOLD = 3
"""How many failures of a kind are told."""


@dataclass(slots=True)
class _Telling:
    """Tells on standard output of failures as they come, and on a terminal how far it is."""

    seed: int
    n: int
    keep: Path | None
    start: float = field(default_factory=perf_counter)
    kinds: dict[str, int] = field(default_factory=dict)

    def failure(self, failure: Failure) -> None:
        """One failure; of many of a kind, the first few."""
        told = self.kinds[failure.kind] = self.kinds.get(failure.kind, 0) + 1
        if self.keep:
            path = self.keep / f"{self.seed}-{failure.index}"
            path.write_bytes(failure.case.data)
            path.with_suffix(".txt").write_text(_whole(failure), encoding="utf-8", errors="replace")
        if told <= TOLD:
            sys.stderr.write("\r" if sys.stderr.isatty() else "")
            where = f"seed {self.seed} index {failure.index}"
            print(f"{where}: {visible(f'{failure.kind}: {failure.message}')}")
            print(f"    {failure.case.data[:300]!r}", flush=True)

    def progress(self, found: Findings) -> None:
        if sys.stderr.isatty():
            n = found.tally.inputs
            speed = n / (perf_counter() - self.start)
            line = f"\r{n:,} of {self.n:,} inputs, {speed:.0f} a second"
            print(line, end="", file=sys.stderr, flush=True)

    def end(self, found: Findings) -> None:
        sys.stderr.write("\n" if sys.stderr.isatty() else "")
        tally, taken = found.tally, perf_counter() - self.start
        print(
            f"{tally.inputs:,} inputs in {taken:.0f} s, {tally.inputs / taken:.0f} a second; "
            f"{tally.hands:,} hands read, {tally.accepted:,} of them replayed without a problem, "
            f"{tally.printed:,} printed and read again; {tally.problems:,} problems told; "
            f"{len(found.failures):,} failures"
        )
        seconds, index = found.slowest
        print(f"the slowest took {seconds:.2f} s (index {index}); {found.peak:.0f} MB at the most")
        for kind, n in sorted(self.kinds.items()):
            print(f"  {n:,} times {visible(kind)}")


def main(arguments: Sequence[str]) -> int:
    """Runs the inputs; 1 if one of them failed, else 0."""
    asked = _parser().parse_args(arguments)
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
    if asked.index is not None:
        return _one(asked.seed, asked.index, asked.real)
    telling, found = _Telling(asked.seed, asked.n, asked.keep), Findings()
    for block in run(asked.seed, asked.n, asked.workers, asked.real):
        found.add(block)
        for failure in block.failures:
            telling.failure(failure)
        telling.progress(found)
    telling.end(found)
    return 1 if found.failures else 0


def _one(seed: int, index: int, real: Path | None) -> int:
    """One input, in this process; whether and how it fails."""
    result = tried(case(seed, index, gathered(real)), index)
    print(_whole(smaller(result)) if isinstance(result, Failure) else result)
    return 1 if isinstance(result, Failure) else 0


def _whole(failure: Failure) -> str:
    return f"{failure.case}\n\n{visible(failure.message)}\n\n{failure.trace}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--n", type=int, default=10_000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=1, help="which inputs; others for another seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--real", type=Path, help="a folder of real logs to make inputs from too")
    parser.add_argument("--keep", type=Path, help="a folder for the inputs that fail, made smaller")
    parser.add_argument("--index", type=int, help="only this input, told in full")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
