"""``handread fit --values`` and ``handread experiment luck`` as a person meets them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from tests.program import run_here


def test_luck_is_checked(tmp_path: Path) -> None:
    table = tmp_path / "luck.csv"
    words = ("experiment", "luck", "--games", "3", "--seats", "3", "--seed", "4", "--workers", "1")
    done = run_here(*words, "--output", str(table))
    assert done.returncode == 0, done.stderr
    assert "3 games of seven-card stud, people; 9 ledgers, all sums exact" in done.stdout
    assert "luck of the cards" in done.stdout
    with table.open(encoding="utf-8") as lines:
        rows = {(row["figure"], row["group"]): row for row in csv.DictReader(lines)}
    assert float(rows["mean_big_bets", "net"]["mean"]) == pytest.approx(0.0)
    luck, rest = (float(rows["mean_big_bets", name]["mean"]) for name in ("luck", "adjusted"))
    assert luck == pytest.approx(-rest)


@pytest.mark.parametrize("text", ["{}", "[]", "no values", '{"schema": 1}'])
def test_files_that_are_no_values_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "values.json"
    file.write_text(text, encoding="utf-8")
    for name in (file, tmp_path / "missing.json"):
        done = run_here("experiment", "luck", "--games", "3", "--set", f"values={name}")
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        # The folder may be so long that the name is broken at the edge of the box.
        assert name.name in re.sub(r"[\s│]", "", done.stderr)


@pytest.mark.slow
def test_values_are_fitted(tmp_path: Path) -> None:
    file = tmp_path / "values.json"
    few = ("--games", "50", "--rollouts", "10", "--set", "played-on=50", "--set", "showdowns=20")
    done = run_here("fit", "--values", "people", *few, "--prior", "people", "-o", str(file))
    assert done.returncode == 0, done.stderr
    assert "after a bet or raise" in done.stdout
    record = json.loads(file.read_text(encoding="utf-8"))
    assert record["made"]["command"].endswith("--set showdowns=20 --seed 1 --prior people")
    checked = run_here("experiment", "luck", "--games", "2", "--set", f"values={file}")
    assert checked.returncode == 0, checked.stderr
