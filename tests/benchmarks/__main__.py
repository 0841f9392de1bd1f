"""``python -m tests.benchmarks [PART ...]``: measure, one thing after the other, and print."""

from __future__ import annotations

import os
import platform
import sys

import numba
import numpy

from tests.benchmarks import (
    costs,
    decisions,
    operators,
    processes,
    reading,
    reports,
    scoring,
    simulating,
    trees,
    whole_hands,
)

PARTS = {
    "operators": operators.rows,
    "operators-of-games": operators.games,
    "hand": whole_hands.analysis,
    "hands-of-games": whole_hands.games,
    "policies": whole_hands.policies,
    "read": reading.speed,
    "report": reports.one,
    "session": reports.sessions,
    "score": scoring.overhead,
    "memory": processes.memory,
    "games": simulating.speed,
    "profile": simulating.profile,
    "workers": simulating.workers,
    "game-memory": simulating.memory,
    "trees": trees.rows,
    "costs": costs.rows,
    "decisions": decisions.rows,
    "help": processes.help_screen,
    "analyze": processes.first_analysis,
}


def main(wanted: list[str]) -> int:
    """Print the table of the wanted parts, all if none is named; the exit status."""
    unknown = [name for name in wanted if name not in PARTS]
    if unknown:
        print(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    print(
        f"Python {platform.python_version()}, numpy {numpy.__version__}, "
        f"numba {numba.__version__}, {os.cpu_count()} cores; medians"
    )
    for name in wanted or PARTS:
        for row in PARTS[name]():
            print(f"{row.what:<40} {row.figure:>16}  {row.note}".rstrip(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
