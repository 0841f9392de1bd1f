"""Every number that an option takes has a limit, so that no command asks for endless memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import polars
import pytest

from tests.cli.test_help import COMMANDS
from tests.program import run

RAZZ = "sample_histories/razz.stud:65"


def numbers() -> Iterator[tuple[str, Any]]:
    """Every option, argument and setting of every command that takes a whole number."""
    for words, command in COMMANDS.items():
        for one in command.params:
            kind = one.type_descriptor.annotation
            if kind is int or int in get_args(kind):
                yield f"{' '.join(words)} {one.opts[0]}", one
        for one in command.settings:
            if one.kind is int:
                yield f"{' '.join(words)} --set {one.name}", one


NUMBERS = dict(numbers())


@pytest.mark.parametrize("option", NUMBERS)
def test_a_number_has_a_least_and_a_largest_value(option: str) -> None:
    found = NUMBERS[option]
    assert found.min is not None
    assert found.max is not None
    if found.min == 0 and found.name == "top":
        assert "0 shows none" in found.help or "0 lists none" in found.help


@pytest.mark.parametrize(
    "command",
    [
        "fit --values tight --rollouts",
        "experiment read-value --rollouts",
        "experiment bpp --games",
        "simulate",
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
    (table,) = Path(tables).glob("decisions/*/part-*.parquet")
    assert {*polars.read_parquet(table)["rollouts"]} == {12}
