"""The kernels, compiled once before the workers of a run start; each would compile them itself.

They go into the user's cache, whose files are named by what they are made of. A file of its own
there says that all have been compiled.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from handread.kernels import jit

SAMPLES = Path(__file__).parents[1] / "sample_histories"

COMMANDS = """
fit showdown.stud --one-policy --family logit --set rounds=1 --penalty 3 --temper 1
fit showdown.stud --one-policy --family ramps --set rounds=1 --penalty 3 --temper 1
fit showdown.stud --one-policy --family tree --set rounds=1 --temper 1
"""
"""What calls the kernels that most tests need."""


def compile_all() -> None:
    """Compile the kernels in processes of their own, unless that has been done."""
    done = jit._place("compiled", jit.__file__, version("numba"), sys.version_info[:2])
    if done is None or done.exists():
        return
    print("compiling the kernels for all tests (half a minute) ...", flush=True)
    for line in COMMANDS.strip().splitlines():
        command = (Path(sys.executable).with_name("handread"), *line.split())
        subprocess.run(command, cwd=SAMPLES, check=True, capture_output=True)
    jit._keep(done, b"")
