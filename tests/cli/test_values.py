"""``handread fit --values`` as a person meets it, and files of values."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from handread.decisions.learned import learned_values
from handread.inference.players import player_models
from handread.policy import PolicyError
from tests.program import run_here


@pytest.mark.parametrize("text", ["{}", "[]", "no values", '{"schema": 1}'])
def test_files_that_are_no_values_are_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "values.json"
    file.write_text(text, encoding="utf-8")
    for name in (file, tmp_path / "missing.json"):
        with pytest.raises(PolicyError, match=re.escape(str(name))):
            learned_values(player_models("people"), "stud", name)


@pytest.mark.slow
def test_values_are_fitted(tmp_path: Path) -> None:
    file = tmp_path / "values.json"
    few = ("--games", "50", "--rollouts", "10", "--set", "played-on=50", "--set", "showdowns=20")
    done = run_here("fit", "--values", "people", *few, "--prior", "people", "-o", str(file))
    assert done.returncode == 0, done.stderr
    assert "after a bet or raise" in done.stdout
    record = json.loads(file.read_text(encoding="utf-8"))
    assert record["made"]["command"].endswith("--set showdowns=20 --seed 1 --prior people")
    assert learned_values(player_models("people"), "stud", file).game == "stud"
