"""Processes end at once, whatever they are doing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

KILLED_WHILE_IT_SENDS = """
import os, struct
from handread.processes import Helpers

if __name__ == "__main__":
    with Helpers(1) as helpers:
        print(helpers.submit(abs, -7).result())
        # The length of a result of which nothing follows, as of a worker that is killed there.
        os.write(helpers._pool._result_queue._writer.fileno(), struct.pack("!i", 1000))
    print("ended")
"""


def test_a_worker_killed_while_it_sends_is_not_waited_for(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(KILLED_WHILE_IT_SENDS, "utf-8")
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout.split(), done.stderr) == (["7", "ended"], "")
