"""``python -m tests.benchmarks [PART ...]``: measure, one thing after the other, and print.

With ``--against REVISION`` each part is also measured in that revision, just before.
``releases`` has what matters, with the figures of two earlier versions from the same run.
"""

from __future__ import annotations

import argparse
import os
import platform

import numba
import numpy

from tests.benchmarks import (
    against,
    asking,
    costs,
    decisions,
    operators,
    processes,
    reading,
    releases,
    reports,
    scoring,
    simulating,
    trees,
    whole_hands,
)

PARTS = {
    "releases": releases.rows,
    "operators": operators.rows,
    "operators-of-games": operators.games,
    "hand": whole_hands.analysis,
    "hands-of-games": whole_hands.games,
    "policies": whole_hands.policies,
    "read": reading.speed,
    "engine": asking.rows,
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


def main() -> None:
    """Print the table of the wanted parts, all if none is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--against", metavar="REVISION", help="a commit or tag to compare with")
    asked = parser.parse_args()
    if unknown := [name for name in asked.parts if name not in PARTS]:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    print(
        f"Python {platform.python_version()}, numpy {numpy.__version__}, "
        f"numba {numba.__version__}, {os.cpu_count()} cores; medians"
    )
    parts = asked.parts or [*PARTS]
    found = (row for name in parts for row in PARTS[name]())
    for row in against.rows(asked.against, parts) if asked.against else found:
        print(f"{row.what:<40} {row.figure:>16}  {row.note}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
