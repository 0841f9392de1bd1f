"""The program as a user starts it: in this process, or where that matters in one of its own."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import typer.testing
from typer.testing import CliRunner

from handread.cli import app
from handread.cli.fit import ValueFitOptions
from handread.study.fit.value_games import ValuesPlan

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_histories"
LONG_IN_SAUND = ("five-card.stud", "hi-lo.stud", "razz.stud")
LOGS = sorted(path for path in SAMPLES.iterdir() if path.name not in LONG_IN_SAUND)
"""Samples of every text format, without the long ones in Saund's notation.

To parse these takes longer than all the others, which have the same notation.
"""
ONE_GAME = [path for path in LOGS if path.name.startswith("simulated") or path.suffix == ".xml"]
"""A log of each format."""

# CliRunner builds all commands of the program anew at each call, which costs more than most calls.
typer.testing._get_command = cache(typer.testing._get_command)
PROGRAM = typer.testing._get_command(app)
"""The program, to be called with ``main`` where a test has streams of its own."""


class Done(NamedTuple):
    """How the program ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def said(self) -> str:
        """The messages in one line, without the frame of a fault of usage."""
        return " ".join(re.sub("[│╭╮╰╯─]", " ", self.stderr).split())


def _warm(told: str) -> str:
    """Return messages as they are where all kernels have been compiled before."""
    return re.sub(r"^compiling the kernels .*\n", "", told, flags=re.M)


def run(*args: str, stdin: str = "", **env: str) -> Done:
    """The program run in this process, which has its imports and kernels at hand.

    To load them costs a process of its own seconds, most commands far less. What the program did
    not foresee is raised.
    """
    with contextlib.chdir(ROOT):
        return run_here(*args, stdin=stdin, **env)


def run_here(*args: str, stdin: str = "", **env: str) -> Done:
    """As ``run``, in whatever folder the test stands in."""
    done = CliRunner().invoke(app, list(args), input=stdin, env=env)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, _warm(done.stderr))


def whole_process(*args: str, stdin: str = "", **env: str) -> Done:
    """The program in a process of its own: its streams, its encoding, its exit status."""
    done = subprocess.run(
        [sys.executable, "-m", "handread", *args],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **env},
    )
    return Done(done.returncode, done.stdout, _warm(done.stderr))


@contextlib.contextmanager
def few_games_for_values() -> Iterator[None]:
    """Let ``fit --values`` play a few games, where it asks for 50."""
    asked = ValueFitOptions._plan

    def small(values: ValueFitOptions, seed: int) -> ValuesPlan:
        return replace(asked(values, seed), games=9, played_on=3)

    with mock.patch.object(ValueFitOptions, "_plan", small):
        yield


def first_hands(name: str, n: int) -> str:
    """The first hands of a sample in Saund's notation."""
    text = (SAMPLES / name).read_text("utf-8")
    return "\n\n".join(text.split("\n\n")[:n]) + "\n"


def unlike_samples() -> list[Path]:
    """The sample files in order; of those that hold the same games one."""
    found = sorted(SAMPLES.iterdir())
    return [path for path in found if path.stem[:9] != "simulated" or path.suffix == ".phhs"]
