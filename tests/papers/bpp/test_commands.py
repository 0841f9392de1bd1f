"""The commands ``handread experiment bpp`` and ``bpp-curves``."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import pytest

from tests.program import run


def test_matches_print_tables_and_keep_them(tmp_path: Path) -> None:
    table, picture = tmp_path / "a.csv", tmp_path / "a.png"
    few = ("--matches", "2", "--games", "4", "--pairing", "bpp:rules", "--workers", "1")
    done = run(
        "experiment", "bpp", *few, "--ante", ".5", "--csv", str(table), "--plot", str(picture)
    )
    assert done.returncode == 0
    assert "ante of 0.5 bets, curves paper: 2 matches of 4 games" in done.stdout
    assert "bpp:rules" in done.stdout
    rows = list(csv.DictReader(table.open()))
    assert {row["group"] for row in rows} == {"bpp:rules"}
    assert picture.stat().st_size > 10_000


def test_expected_winnings_are_printed() -> None:
    few = ("--decks", "1", "--games", "4", "--pairing", "bpp:rules", "--workers", "1")
    done = run("experiment", "bpp", "--expected", *few)
    assert done.returncode == 0
    assert "after a match of 4 games" in " ".join(done.stdout.split())
    assert "bpp:rules     25  " in done.stdout


def test_the_search_prints_curves(tmp_path: Path) -> None:
    few = ("--climbs", "1", "--steps", "2", "--candidates", "1", "--decks", "5", "--learning", "0")
    picture = tmp_path / "curves.svg"
    done = run(
        "experiment", "bpp-curves", "separate", *few, "--workers", "1", "--plot", str(picture)
    )
    assert done.returncode == 0
    found = tomllib.loads(done.stdout[done.stdout.index("[separate]") :])
    assert set(found["separate"]) == {"steepness", "curves", "opening"}
    assert "round 4 opening" in picture.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["bpp", "--pairing", "bpp:nobody"], "no player 'nobody': expected bpp, bpp-even"),
        (["bpp", "--pairing", "bpp"], "'bpp' is no pairing: expected two players"),
        (["bpp", "--curves", "wild"], "no curves 'wild': expected paper"),
        (["bpp", "--ante", "0"], "'--ante'"),
        (["bpp-curves", "wild"], "'wild' is not one of"),
    ],
)
def test_experiments_that_cannot_be(arguments: list[str], words: str) -> None:
    done = run("experiment", *arguments)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.replace("│", "").split())
