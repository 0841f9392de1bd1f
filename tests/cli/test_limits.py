"""Every number that an option takes has a limit, so that no command asks for endless memory."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars
import pytest
import typer

from handread.cli import app
from tests.program import run

RAZZ = "sample_histories/razz.stud:65"


def numbers(group: typer.Typer = app, name: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every option and argument of every command that takes a whole number."""
    for command in group.registered_commands:
        function = command.callback
        assert function is not None
        for option, parameter in inspect.signature(function, eval_str=True).parameters.items():
            kind, *rest = typing.get_args(parameter.annotation) or (None,)
            if kind is int or int in typing.get_args(kind):
                words = f"{name} {command.name or function.__name__}".replace("_", "-").strip()
                yield words, option, rest[0]
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        yield from numbers(inner.typer_instance, f"{inner.name}")


NUMBERS = {f"{command} {option}": found for command, option, found in numbers()}


@pytest.mark.parametrize("option", NUMBERS)
def test_a_number_has_a_least_and_a_largest_value(option: str) -> None:
    found = NUMBERS[option]
    assert found.min is not None
    assert found.max is not None
    if found.min == 0 and option.rsplit(maxsplit=1)[-1] == "top":
        assert "0 shows none" in found.help or "0 lists none" in found.help


@pytest.mark.parametrize(
    "command",
    [
        "fit --values tight --rollouts",
        "experiment read-value --rollouts",
        "experiment read-value --games",
        "experiment decision-calibration --rollouts",
        "experiment bpp --games",
        "simulate",
        "analyze x.txt --decisions --exact --rollouts",
        "report x.txt --decisions --exact --rollouts",
        "score x.txt -o x --decisions --exact --rollouts",
    ],
)
def test_more_than_fits_in_memory_is_refused_in_a_line(command: str) -> None:
    done = run(*command.split(), "1000000000")
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not in the range" in done.stderr or "or less" in done.stderr


@pytest.mark.parametrize(
    "command", ["analyze {razz}", "report {razz} -o {out}", "score {razz} -o {out}"]
)
def test_rollouts_are_refused_where_nothing_is_rolled_out(command: str, tmp_path: Path) -> None:
    words = command.format(razz=RAZZ, out=tmp_path / "x").split()
    done = run(*words, "--rollouts", "20")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--exact and --rollouts are for --decisions" in done.stderr


@pytest.mark.thorough
def test_score_takes_the_number_of_rollouts(tmp_path: Path) -> None:
    tables = str(tmp_path / "x")
    options = ("--decisions", "--exact", "--rollouts", "12", "-o", tables, "--workers", "1")
    assert run("score", "sample_histories/showdown.stud", *options).returncode == 0
    (table,) = Path(tables).glob("part-*/decisions.parquet")
    assert {*polars.read_parquet(table)["rollouts"]} == {12}


def test_analyze_takes_the_number_of_rollouts() -> None:
    done = run("analyze", RAZZ, "--decisions", "--exact", "--rollouts", "12")
    assert "Costs in chips by 12 rollouts a decision" in done.stdout


@pytest.mark.thorough
def test_report_takes_the_number_of_rollouts_and_repeats_it(tmp_path: Path) -> None:
    page = tmp_path / "x.txt"
    done = run("report", RAZZ, "--decisions", "--exact", "--rollouts", "12", "-o", str(page))
    assert done.returncode == 0
    assert "Costs in chips by 12 rollouts a decision" in page.read_text()
    page = page.with_suffix(".html")
    run("report", RAZZ, "--decisions", "--exact", "--rollouts", "12", "-o", str(page))
    assert "--decisions --exact --rollouts 12" in page.read_text()
