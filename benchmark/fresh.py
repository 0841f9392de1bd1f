"""Score readers on hands that nobody has seen: ``python -m benchmark.fresh --reader mine.py``.

The half is made from a seed that is drawn now, after the readers were frozen. It is the folder
``fresh-DATE-TIME``, with the seed in its answers, so that everybody can make it again. The words
are those of ``handread experiment benchmark``; without a reader, all that are included are scored.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmark.make import make_half


def main() -> int:
    """Make a half, score readers on it, and return the exit status."""
    half = f"fresh-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    if not {"-h", "--help"} & {*sys.argv}:
        make_half(half)
    folder = Path(__file__).parent
    command = ["handread", "experiment", "benchmark", "--folder", str(folder), "--half", half]
    return subprocess.run([sys.executable, "-m", *command, *sys.argv[1:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
