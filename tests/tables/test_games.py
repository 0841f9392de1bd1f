"""Tables, summaries and scores of razz, hi/lo and five-card stud."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import polars as pl
import pytest

from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.odds.hand_types import CATEGORIES
from handread.odds.showdown import showdown_of
from handread.study.measures import pot_shares
from handread.tables import ACTIONS, HANDS, STAGE_TABLE
from handread.tables.read import open_tables
from tests.examples import few
from tests.program import first_hands, run, run_here

FILES = {
    STUD: "check-raise.stud",
    STUD8: "hi-lo.stud",
    RAZZ: "razz.stud",
    FIVE_STUD: "five-card.stud",
}
games = pytest.mark.parametrize("game", FILES, ids=lambda game: game.key)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[Variant, str]:
    """A log of a few hands of each game."""
    folder = tmp_path_factory.mktemp("logs")
    for name in FILES.values():
        (folder / name).write_text(first_hands(name, 2), "utf-8")
    return {game: str(folder / name) for game, name in FILES.items()}


@pytest.fixture(scope="module")
def out(logs: dict[Variant, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of these logs."""
    folder = tmp_path_factory.mktemp("games") / "out"
    files = logs.values()
    done = run_here("score", *files, "-o", str(folder), "--policy", "loose", "--workers", "1")
    assert done.stdout.endswith("; 0 refused\n")
    return folder


@pytest.mark.thorough
@games
def test_every_row_names_its_game(out: Path, game: Variant) -> None:
    tables = open_tables(out)
    rows = tables.scan(STAGE_TABLE).filter(pl.col("variant") == game.key).collect()
    assert set(rows["stage"]) <= set(game.stages)
    ends = rows.filter(pl.col("active"))
    names = [f"p_{name.replace(' ', '_')}" for name in showdown_of(game).categories]
    totals = ends.select(pl.sum_horizontal(names)).to_series().to_list()
    assert totals == pytest.approx([1.0 + game.splits] * ends.height, abs=1e-5)
    if game is RAZZ:
        highs = [f"p_{name.replace(' ', '_')}" for name in CATEGORIES]
        assert ends.select(pl.col(highs).is_null().all()).row(0) == (True,) * len(highs)
    for table in (HANDS, ACTIONS):
        assert game.key in set(tables.scan(table).select("variant").collect()["variant"])


@pytest.mark.parametrize("game", [*FILES, None], ids=lambda game: game and game.key)
def test_a_summary_of_one_game_or_all_counts_its_hands_alone(
    out: Path, game: Variant | None
) -> None:
    of_game = () if game is None else ("--game", game.key)
    done = run_here("summary", str(out), *of_game, "--json", "--least-hands", "1")
    found = json.loads(done.stdout)
    hands = open_tables(out).scan(HANDS).collect()
    if game is not None:
        hands = hands.filter(pl.col("variant") == game.key)
    assert found["hands"] == hands.height
    assert found["known"]["dealt_in"] == hands["seats"].sum()
    stages = [row["stage"] for row in found["reads"]]
    assert ("2D" in stages) is (game in (FIVE_STUD, None))


def test_a_game_can_be_asked_for(out: Path) -> None:
    asked = ("variant = 'razz' and p_action < .2", "--columns", "variant,street", "--json")
    rows = [json.loads(line) for line in run_here("query", str(out), *asked).stdout.splitlines()]
    assert {row["variant"] for row in rows if "variant" in row} == {"razz"}


@pytest.mark.thorough
@pytest.mark.parametrize("game", few([RAZZ, FIVE_STUD], 1), ids=lambda game: game.key)
def test_the_reads_of_one_game_are_scored(game: Variant, logs: dict[Variant, str]) -> None:
    options = ("--policy", "loose", "--workers", "1", "--resamples", "100", "--json")
    mixed = json.loads(run("evaluate", *logs.values(), "--game", game.key, *options).stdout)
    alone = json.loads(run("evaluate", logs[game], *options).stdout)
    assert mixed == alone
    schema = resources.files("handread.report").joinpath("evaluation-1.schema.json")
    jsonschema.validate(alone, json.loads(schema.read_text("utf-8")))
    stages = [row["stage"] for row in alone["stages"]]
    assert stages == list(game.stages)
    dealt = next(row for row in alone["stages"] if row["stage"] == game.stages[0])
    assert dealt["bits_on_truth"]["mean"] == pytest.approx(0.0, abs=1e-9)


def test_halves_of_a_pot() -> None:
    high, low = (1, 5), (0, -7, -5, -4, -3, -2)
    assert pot_shares({1: (high, None), 2: ((0, 12), None)}) == {1: 1.0, 2: 0.0}
    assert pot_shares({1: (high, None), 2: ((0, 12), low)}) == {1: 0.5, 2: 0.5}
    quarters = {1: (high, low), 2: ((0, 12), low), 3: ((0, 11), None)}
    assert pot_shares(quarters) == {1: 0.75, 2: 0.25, 3: 0.0}
    assert pot_shares({1: (high,), 2: (high,)}) == {1: 0.5, 2: 0.5}
