"""The benchmarks of another revision, measured in turns with those of this one.

``python -m tests.benchmarks --against REVISION [PART ...]`` prints both figures and their ratio.
The other revision is checked out into a temporary folder, and brings its own benchmarks.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.timing import Row
from tests.program import ROOT

SECONDS = {"ms": 1e-3, "s": 1.0}
FIGURE = re.compile(r"([\d.,]+) ?(ms|s|MB|%|x)?")


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """A revision of this repository in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="handread-benchmarks-") as name:
        folder = Path(name) / "then"
        subprocess.run(
            ["git", "worktree", "add", "-q", "--detach", folder, revision], cwd=ROOT, check=True
        )
        grammars = folder / "handread" / "grammars"
        if not grammars.exists():  # an installation for editing would lend it those of today
            grammars.symlink_to(folder / "grammars")
        try:
            yield folder
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", folder], cwd=ROOT, check=True)


def printed(folder: Path, part: str) -> dict[str, str]:
    """The figures of a part by what was measured, in a folder; none if it has no such part."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", part],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (re.split(r" {2,}", line.strip()) for line in done.stdout.splitlines()[1:])
    return {line[0]: line[1] for line in lines if len(line) > 1}


def ratio(now: str, then: str) -> str:
    """One figure over the other where both are numbers of one unit; times in any unit."""
    found = [FIGURE.fullmatch(figure) for figure in (now, then)]
    numbers = [
        (float(each[1].replace(",", "")) * SECONDS.get(each[2], 1.0), each[2] in SECONDS or each[2])
        for each in found
        if each is not None
    ]
    if len(numbers) < 2 or numbers[0][1] != numbers[1][1] or not numbers[1][0]:
        return ""
    return f"{numbers[0][0] / numbers[1][0]:.2f}"


def rows(revision: str, parts: Sequence[str]) -> Iterator[Row]:
    """The figures of some parts now, with those of a revision and the ratio as a note."""
    with checked_out(revision) as folder:
        for part in parts:
            then, now = printed(folder, part), printed(ROOT, part)
            for what, figure in now.items():
                note = "not measured then"
                if what in then:
                    note = f"then {then[what]}  {ratio(figure, then[what])}"
                yield Row(what, figure, note)
