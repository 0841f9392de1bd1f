"""docs/ask.md: its clients run as they are shown."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from handread.engine.requests import parse_request
from tests.docs.test_docs import in_language, same
from tests.engine.asking import HAND
from tests.program import ROOT, SAMPLES

pytestmark = pytest.mark.docs

PAGE = "docs/ask.md"
BASH, NODE = shutil.which("bash"), shutil.which("node")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a program ``handread`` and the text of a hand."""
    program = tmp_path / "handread"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m handread "$@"\n')
    program.chmod(0o755)
    (tmp_path / "hand.txt").write_text(HAND, "utf-8")
    return tmp_path


def client(place: Path, *command: str | None) -> str:
    """What a client prints, which has nothing to complain about."""
    env = {
        **os.environ,
        "PATH": f"{place}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env=env,
        cwd=place,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


@pytest.mark.thorough
@pytest.mark.skipif(BASH is None, reason="bash is not installed")
def test_a_shell_script_follows_a_hand_street_by_street(place: Path) -> None:
    _, script = in_language("bash", PAGE)
    found = client(place, BASH, "-c", script)
    (shown,) = in_language("text", PAGE)
    assert same(shown, found), found
    assert re.findall("^..", found, re.M) == ["3D", "3B", "4D", "5D", "5B"]


@pytest.mark.dear("two processes start, one of them an engine that reads a hand")
def test_the_client_in_python_prints_chances(place: Path) -> None:
    (script,) = in_language("python", PAGE)
    found = client(place, sys.executable, "-c", script, str(SAMPLES / "pokerstars.txt"))
    hands = dict.fromkeys(re.findall(r"^hand (\d+): seat \d wins \d+%$", found, re.M))
    assert list(hands) == ["900000000101", "900000000102"]


@pytest.mark.dear("two processes start, one of them an engine that reads a hand")
@pytest.mark.skipif(NODE is None, reason="node is not installed: the client in JavaScript needs it")
def test_the_client_in_javascript_prints_chances(place: Path) -> None:
    (script,) = in_language("javascript", PAGE)
    (place / "client.js").write_text(script, "utf-8")
    found = client(place, NODE, "client.js", str(SAMPLES / "pokerstars.txt"))
    first, last = re.findall(r"\{.*?\}", found, re.S)
    assert len(re.findall(r"'\d': 0\.", first)) > len(re.findall(r"'\d': 0\.", last)) > 1


def test_the_page_names_every_key() -> None:
    text = (ROOT / PAGE).read_text("utf-8")
    table = text.partition("| key | meaning |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", table, re.M))))
    error = parse_request(b'{"": 1}')[1]
    assert named == set(str(error.record["expected"]).split(", "))  # type: ignore[union-attr]
