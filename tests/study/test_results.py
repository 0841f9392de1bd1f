"""Files of results: tidy columns, the values of papers, and how they were made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from handread.cli import console
from handread.inference.players import player_models, players_terms
from handread.study.statistics import COLUMNS, PAPER, Estimate, FigureTable, Key
from handread.tables.export import write_results
from handread.version import __version__
from tests.program import run, run_here


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        (Key("chance", group="20 to 30%", about="wins"), {"bin": 2}),
        (Key("entropy_bits", "3B", "12"), {"game": 12}),
        (Key("net", group="GOM", about="first 1,200 deals"), {"games": 1200}),
        (Key("net", group="GOM", about="deals 11 to 20"), {"games": 20}),
        (Key("cumulative_bets", group="bpp:rules", about="40"), {"games": 40}),
        (Key("gain", group="prior", about="actions, 100 games"), {"games": 100}),
        (Key("model_error_bits", group="fitted to 1,000 hands", about="fitted"), {"games": 1000}),
        (Key("net", group="seat 3, cards-only", about="seat"), {"seat": 3}),
        (Key("net", group="GOM-2", about="player"), {"seat": 2}),
        (Key("net", group="table1-left", about="kind"), {}),
        (Key("share", "5", "no bet"), {}),
    ],
)
def test_numbers_within_keys_have_columns_of_their_own(key: Key, numbers: dict[str, int]) -> None:
    assert key.numbers == numbers
    (row,) = FigureTable({key: Estimate(0.5)}).rows()
    assert {name: row[name] for name in ("bin", "game", "games", "seat") if row[name]} == numbers


def test_the_value_of_a_paper_stands_beside_the_figure() -> None:
    figures = {
        Key("net", "", "SOM", "kind"): Estimate(0.1),
        Key("net", "", "BPM", "kind"): Estimate(0.2),
        Key("net", "", "SOM", PAPER): Estimate(0.3),
        Key("t", "", "bpp:rules"): Estimate(7.0),
        Key("paper_t", "", "bpp:rules"): Estimate(7.84),
    }
    assert [row["paper"] for row in FigureTable(figures).rows()] == [0.3, None, 0.3, 7.84, None]


FACTS = {"command": "handread x", "version": "1", "seed": 7, "policy": "=p (abc)"}


def test_all_forms_have_the_same_figures_and_facts(tmp_path: Path) -> None:
    found = FigureTable({Key("a", group="1"): Estimate(0.5), Key("b"): Estimate(float("nan"))})
    for kind in ("csv", "json", "parquet"):
        write_results(tmp_path / f"f.{kind}", found.to_frame().lazy(), FACTS, found.to_dict())
    whole = json.loads((tmp_path / "f.json").read_text("utf-8"))
    assert whole == {"run": FACTS, "figures": found.rows()}
    table = pl.read_parquet(tmp_path / "f.parquet")
    assert table.columns == [*COLUMNS, *FACTS]
    assert table.drop(*FACTS).rows(named=True) == found.rows()
    text = pl.read_csv(tmp_path / "f.csv")
    assert text.columns == table.columns
    assert text["mean"].to_list() == [0.5, None]
    assert table["policy"].to_list() == ["=p (abc)"] * 2
    assert text["policy"].to_list() == ["'=p (abc)"] * 2, "no spreadsheet runs it"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.csv", "f.json", "f.parquet"]


GAMES = ("--games", "3", "--seats", "2", "--policy", "loose", "--seed", "5")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words",
    [
        ("experiment", "information-gain", *GAMES),
        ("experiment", "entropies", *GAMES),
        ("evaluate", "sample_histories/showdown.stud", "--policy", "loose", "--seed", "5"),
        ("decisions", "sample_histories/showdown.stud", "--policy", "people", "--seed", "5"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_file_says_how_it_was_made(words: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    assert run(*words, "-o", str(file), "--workers", "1").returncode == 0
    policy = "people" if words[0] == "decisions" else "loose"
    made = json.loads(file.read_text("utf-8"))["run"]
    assert made == {
        "command": f"handread {' '.join(words)}",  # without what changes no result
        "version": __version__,
        "seed": 5,
        "policy": players_terms(player_models(policy)),
    }


@pytest.mark.thorough
def test_a_fit_says_how_it_was_made(tmp_path: Path) -> None:
    file = tmp_path / "it's mine.toml"
    words = ("--family", "ramps", "--penalty", "3", "--likelihood-exponent", "1", "--one-policy")
    log = "sample_histories/showdown.stud"
    assert run("fit", log, *words, "--set", "rounds=1", "-o", str(file)).returncode == 0
    command, version, *_ = file.read_text("utf-8").splitlines()
    assert command.startswith(f"# handread fit {log} --family ramps ")
    assert version == f"# version {__version__}, seed 1"
    assert run("policy", "show", str(file)).returncode == 0


def test_other_endings_are_refused(tmp_path: Path) -> None:
    done = run_here("experiment", "information-gain", *GAMES, "-o", str(tmp_path / "f.xls"))
    assert done.returncode == 2
    assert "expected a file that ends in .csv, .json or .parquet" in done.said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("games", "processes", "told"),
    [
        (10, 1, ""),
        (1000, 1, "9 games\n"),
        (18_000, 1, "9 games, about 12 min\n"),
        (18_000, 2, "9 games, about 6 min\n"),
        (18_000, 0, "9 games\n"),
    ],
)
def test_a_long_run_says_its_size_before_it_starts(
    games: int, processes: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    console.say_size("9 games", games, processes)
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(("games", "others"), [("10,2300", 1000), ("10,23", 10), ("460", 200)])
def test_games_scale_the_prior_of_learning_curves(
    games: str, others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    place = "handread.papers.trees.commands.experiment"
    monkeypatch.setattr(place, lambda _measure, _text, terms, *_rest, **_named: asked.append(terms))
    assert run_here("experiment", "learning-curves", "--games", games).returncode == 0
    assert [one["others"] for one in asked] == [others]
