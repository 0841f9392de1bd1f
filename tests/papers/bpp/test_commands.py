"""The commands ``handread experiment bpp`` with its kinds."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import pytest

from tests.program import run


def test_matches_print_tables_and_keep_them(tmp_path: Path) -> None:
    table, picture = tmp_path / "a.csv", tmp_path / "a.png"
    few = ("--set", "matches=2", "--games", "4", "--set", "pairing=bpp:rules", "--workers", "1")
    done = run(
        "experiment", "bpp", *few, "--set", "ante=.5", "--csv", str(table), "--plot", str(picture)
    )
    assert done.returncode == 0
    assert "ante of 0.5 bets, curves paper: 2 matches of 4 games" in done.stdout
    assert "bpp:rules" in done.stdout
    rows = list(csv.DictReader(table.open()))
    assert {row["group"] for row in rows} == {"bpp:rules"}
    assert picture.stat().st_size > 10_000


def test_expected_winnings_are_printed() -> None:
    few = ("--set", "decks=1", "--games", "4", "--set", "pairing=bpp:rules", "--workers", "1")
    done = run("experiment", "bpp", "expected", *few)
    assert done.returncode == 0
    assert "after a match of 4 games" in " ".join(done.stdout.split())
    assert "bpp:rules     25  " in done.stdout


def test_the_search_prints_curves(tmp_path: Path) -> None:
    few = ["curves=separate", "climbs=1", "steps=2", "candidates=1", "decks=5"]
    picture = tmp_path / "curves.svg"
    words = [word for one in few for word in ("--set", one)]
    words += ["--games", "0", "--workers", "1", "--plot", str(picture)]
    done = run("experiment", "bpp", "curves", *words)
    assert done.returncode == 0
    found = tomllib.loads(done.stdout[done.stdout.index("[separate]") :])
    assert set(found["separate"]) == {"steepness", "curves", "opening"}
    assert "round 4 opening" in picture.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["bpp", "--set", "pairing=bpp:nobody"], "no player 'nobody': expected bpp, bpp-even"),
        (["bpp", "--set", "pairing=bpp"], "'bpp' is no pairing: expected two players"),
        (["bpp", "--set", "curves=wild"], "'wild' is not one of paper, separate, hidden"),
        (["bpp", "--set", "ante=0"], "--set ante: 0 is not in the range 0.01 to 10"),
        (["bpp", "wild"], "'wild' is not one of"),
        (["bpp", "curves", "--set", "decks=1"], "--set decks: at least 2"),
        (["bpp", "curves", "--set", "ante=2"], "are for matches"),
        (["bpp", "expected", "--set", "steps=2"], "are for curves"),
        (["bpp", "--set", "decks=2"], "is for expected and for curves"),
        (["bpp", "expected", "--plot", "a.svg"], "--plot draws matches and curves"),
        (["bpp", "--games", "0"], "a match has at least 4 games, not 0"),
    ],
)
def test_experiments_that_cannot_be(arguments: list[str], words: str) -> None:
    done = run("experiment", *arguments)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.replace("│", "").split())
