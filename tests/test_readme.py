"""The README cannot lag behind the program: what it shows is run, and the outputs compared."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from handread.policy import LogitPolicy, load_policy, parse_policy
from handread.policy.logit import FEATURES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.M | re.S)
CONSOLE = [text for language, text in BLOCKS if language == "console"]


def same(expected: str, found: str) -> bool:
    """Whether an output is as shown; ``...`` on a line of its own stands for any lines."""
    # On a busy machine the kernels may take long enough for a word about it.
    quick = re.sub(r"^compiling the counting kernels .*\n", "", found, flags=re.M)
    bare = [re.sub(r"\s+\n", "\n", text).rstrip() for text in (expected, quick)]
    return doctest.OutputChecker().check_output(bare[0], bare[1], doctest.ELLIPSIS)


def test_the_first_two_blocks_are_one_line_each() -> None:
    (kind_1, job), (kind_2, tests) = BLOCKS[:2]
    assert kind_1 == kind_2 == "sh"
    assert job.count("\n") == tests.count("\n") == 1
    assert "handread analyze" in job
    assert "pytest" in tests


@pytest.mark.parametrize("block", CONSOLE, ids=lambda text: text.splitlines()[0][2:60])
def test_commands_print_what_is_shown(block: str, tmp_path: Path) -> None:
    (tmp_path / "sample_histories").symlink_to(ROOT / "sample_histories")
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
        program, *args = shlex.split(command)
        assert program == "handread"
        done = subprocess.run(
            [sys.executable, "-m", "handread", *args],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        assert same(expected, done.stdout), done.stdout


def test_the_worked_example() -> None:
    at = [i for i, (language, _) in enumerate(BLOCKS) if language == "python"]
    assert len(at) == 1
    code, (_, expected) = BLOCKS[at[0]][1], BLOCKS[at[0] + 1]
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.chdir(ROOT):
        exec(compile(code, "README.md", "exec"), {})
    assert same(expected, out.getvalue()), out.getvalue()


def test_the_policies_shown_are_policies() -> None:
    ramps, logit = (text for language, text in BLOCKS if language == "toml" and "[fold]" in text)
    assert parse_policy(ramps, "README.md") == load_policy("loose")
    weights = parse_policy(logit, "README.md")
    assert isinstance(weights, LogitPolicy)
    assert weights.fold[FEATURES.index("standing")] == -1.5
