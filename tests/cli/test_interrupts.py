"""Ctrl-C at any moment of a command: status 130, and no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.examples import few
from tests.program import ROOT

INTERRUPTED = """
import os, signal, sys

wanted, met = int(sys.argv.pop(1)), 0

def press(event, arguments):
    global met
    if event == "import" and (met or arguments[0] == "handread.cli"):
        met += 1
        if met == wanted:
            os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(press)
from handread.__main__ import main
main()
"""
"""The program, with Ctrl-C pressed at the Nth import from ``handread.cli`` on."""


def pressed(code: str, *words: str, at_start: signal.Handlers = signal.SIG_DFL) -> tuple[int, str]:
    """Return the status and the messages of a program; the tests may run in the background."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, at_start),
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("number", few([1, 40, 3, 10, 20, 60, 100, 160]))
@pytest.mark.parametrize("command", ["--help", "formats", "analyze sample_histories/showdown.stud"])
def test_ctrl_c_while_modules_are_imported(command: str, number: int) -> None:
    assert pressed(INTERRUPTED, str(number), *command.split()) == (130, "")


LOST = """
import os, signal, sys
from handread.cli.program import guarded

class Pressed:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass

with guarded(False):
    Pressed()
    for _ in range(10**8):
        pass
"""


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_ctrl_c_in_a_destructor_is_not_lost(name: str) -> None:
    assert pressed(LOST.replace("SIGINT", name)) == (130, "")


@pytest.mark.thorough
def test_a_command_in_the_background_goes_on_ignoring_ctrl_c() -> None:
    assert pressed(INTERRUPTED, "40", "--help", at_start=signal.SIG_IGN) == (0, "")
