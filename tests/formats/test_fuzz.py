"""The fuzzing of the reader: a few hundred inputs in every run, many in a marked one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest

from handread.formats.format import Writer
from handread.formats.registry import dialects
from handread.formats.room import Room
from tests.examples import share
from tests.fuzz import checks, failures, limits
from tests.fuzz.__main__ import main
from tests.fuzz.cases import Case, case
from tests.fuzz.checks import Tally, check
from tests.fuzz.coverage_guided import main as guided
from tests.fuzz.failures import Failure, smaller, tried
from tests.fuzz.logs import Logs, gathered
from tests.fuzz.workers import Findings, run, run_here
from tests.program import ROOT

MANY = int(os.environ.get("HANDREAD_FUZZ", "20000"))
"""How many inputs the marked run reads."""


@pytest.fixture(scope="module")
def logs() -> Logs:
    return gathered()


@pytest.mark.thorough
def test_a_few_hundred_inputs(logs: Logs) -> None:
    n = max(60, share(100))
    found = run_here(3, range(n), logs)
    assert found.failures == []
    assert (found.tally.inputs, found.tally.problems > n) == (n, True)
    assert found.tally.hands > 0.3 * n
    assert min(found.tally.accepted, found.tally.printed) > 0.04 * n


def test_an_input_is_made_of_its_numbers(logs: Logs) -> None:
    again = gathered()
    for index in range(60):
        assert case(3, index, logs) == case(3, index, again)
    assert len({case(3, index, logs).data for index in range(60)}) > 55
    assert case(3, 1, logs) != case(4, 1, logs)


def test_every_dialect_is_among_the_logs(logs: Logs) -> None:
    for dialect in dialects():
        assert any(dialect.detect(log.text) for log in logs.logs), dialect.name


def test_words_of_one_log_alone_may_be_names(logs: Logs) -> None:
    log = next(log for log in logs.logs if log.name == "steal.stud")
    assert "Seat" not in logs.own_words(log.text)
    assert logs.own_words("Zoe bets\nZoe folds") == ["Zoe"]


@pytest.fixture
def hand() -> Case:
    path = ROOT / "sample_histories" / "pokerstars.txt"
    first, *_ = path.read_bytes().split(b"\n\n\n")
    return Case(path.name, first + b"\n", piece=100, bit=7, printed=True)


def test_what_a_whole_hand_comes_to(hand: Case) -> None:
    writers = sum(isinstance(dialect, Writer) for dialect in dialects())
    tally = check(hand)
    assert (tally.inputs, tally.hands, tally.problems, tally.accepted) == (1, 1, 0, 1)
    assert 1 < tally.printed <= writers


def test_a_crash_is_a_failure(hand: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Room, "read", lambda *_: {}["no"])
    failure = tried(hand, 5)
    assert (failure.index, failure.kind) == (5, "KeyError in log_reader.py:_read")
    assert failure.case == hand


def test_a_hang_is_a_failure(hand: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.05)
    monkeypatch.setattr(Room, "read", lambda *_: all(n == n for n in count()))
    failure = tried(hand)
    assert failure.kind == "TooSlowError"
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_a_failing_input_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    def dislikes(one: Case) -> Tally:
        checks.demand(b"x" not in one.data or b"yz" not in one.data, "x and yz")
        return Tally()

    monkeypatch.setattr(failures, "check", dislikes)
    failure = tried(Case("a", b"one\nax\ntwo\n" * 9 + b"ayzb\n" * 9))
    assert failure.kind == "BrokenLawError: x and yz"
    assert smaller(failure).case.data in (b"xyz", b"yzx")


def dies(one: Case, index: int) -> Tally | Failure:
    """Ends its process at one input, finds another one bad."""
    if index == 3:
        os._exit(9)
    if index == 60:
        return Failure(index, "bad", "bad", "", replace(one, data=b""))
    return Tally(inputs=1)


@pytest.mark.dear("processes that die, and others in their place")
def test_an_input_that_ends_its_process_is_a_failure() -> None:
    found = Findings()
    for block in run(1, 70, 2, trying=dies):
        found.add(block)
    assert found.tally.inputs == 70
    kinds = sorted((failure.index, failure.kind) for failure in found.failures)
    assert kinds == [(3, "dead process"), (60, "bad")]


@pytest.mark.thorough
def test_the_command_tells_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--n", "4", "--seed", "2", "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("4 inputs in ")
    assert main(["--index", "1", "--seed", "2"]) == 0
    assert capsys.readouterr().out.startswith("Tally(inputs=1, ")


@pytest.mark.skipif(find_spec("atheris") is not None, reason="atheris is here")
def test_without_atheris_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert guided([]) == 2
    assert "pip install -e '.[fuzz]'" in capsys.readouterr().err


def in_a_process(*arguments: str) -> str:
    """The standard output of a module of the fuzzing; it must end well."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-5_000:]
    return done.stdout


@pytest.mark.slow
def test_many_inputs() -> None:
    assert f"{MANY:,} inputs" in in_a_process("tests.fuzz", "--n", str(MANY), "--seed", "1")


@pytest.mark.slow
def test_many_inputs_of_real_logs(real_hands: Path) -> None:
    options = ("--n", str(MANY), "--seed", "1", "--real", str(real_hands))
    assert f"{MANY:,} inputs" in in_a_process("tests.fuzz", *options)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
def test_inputs_guided_by_coverage() -> None:
    in_a_process("tests.fuzz.coverage_guided", f"-runs={MANY // 4}")
