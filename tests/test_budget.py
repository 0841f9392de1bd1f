"""The budget of tests: what is charged, what fails, and what may take more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import budget
from tests.budget import Budget, peak, slowness, spent

CASES = """
import pytest
from hypothesis import given, strategies as st
from tests.test_budget import CLOCK

def work(seconds):
    CLOCK["now"] += seconds

@pytest.fixture(scope="module")
def shared():
    work(.05)

def test_a_shared_fixture_is_charged_to_none(shared): pass
def test_long(): work(.05)
def test_a_little_above(): work(.033)
@pytest.mark.thorough
def test_thorough(): work(.05)
@pytest.mark.thorough
def test_too_long(): work(.12)
@pytest.mark.dear("it does")
def test_dear(): work(.12)
@pytest.mark.dear("")
def test_without_a_reason(): pass
@given(st.none())
def test_a_property(_): work(.01)
def test_what_fails_fails_once(): work(.05); assert False
"""


CLOCK = {"now": 0.0}
"""The seconds that the cases say they take, so that no other work is charged to them."""


class Heard:
    """Notes the outcomes of all reports by test."""

    def __init__(self) -> None:
        self.outcomes: dict[str, list[str]] = {}
        self.said = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.rpartition("::")[2].removeprefix("test_")
        self.outcomes.setdefault(name, []).append(report.outcome)
        self.said += report.longreprtext


def test_what_takes_too_much_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setattr(budget, "DEFAULT_RUN", 0.03)
    monkeypatch.setattr(budget, "OTHERS", 0.09)
    monkeypatch.setattr(budget, "NOISE", 1.25)
    monkeypatch.setattr(budget, "slowness", lambda: 1.0)
    monkeypatch.setattr(budget, "spent", lambda: CLOCK["now"])
    (tmp_path / "test_cases.py").write_text(CASES)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n thorough\n dear\n")
    heard = Heard()
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q"]
    options += ["--import-mode=importlib", str(tmp_path)]
    pytest.main(options, [Budget(), heard])
    failed = {name for name, found in heard.outcomes.items() if "failed" in found}
    assert failed == {"long", "too_long", "without_a_reason", "what_fails_fails_once"}
    assert heard.outcomes["what_fails_fails_once"] == ["passed", "failed", "passed"]
    assert "of 0.03 allowed: make it cheaper, or mark it thorough" in heard.said
    assert "of 0.09 allowed: make it cheaper, or say why with the mark dear" in heard.said
    assert "the mark dear needs a reason" in heard.said
    said = capsys.readouterr().out
    assert "processor time of 9 tests" in said
    above = [line for line in said.splitlines() if "above its limit" in line]
    assert [line.rpartition("test_")[2] for line in above] == ["a_little_above"]
    assert "the largest process: " in said


def test_what_other_processes_take_is_charged_alive_or_not() -> None:
    begun = spent()
    code = "sum(i * i for i in range(1_000_000)); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        while (alive := spent() - begun) < 0.03:
            pass
        process.communicate(b"\n")
    assert spent() - begun >= alive - 0.02
    assert peak() > 10 * 2**20


def test_a_machine_is_some_multiple_of_the_reference() -> None:
    assert 0.05 < slowness() < 50.0


def test_a_clock_that_measures_nothing_divides_by_no_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.budget.time.process_time", lambda: 1.0)
    assert slowness() == budget.LEAST_SLOWNESS
