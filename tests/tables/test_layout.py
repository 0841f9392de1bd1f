"""The layout of tables: read by other programs alone, written at a URL, described inside."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import handread
from handread.game.rules import ALL_STAGES
from handread.parallel import RunError
from handread.sessions.opening import input_files
from handread.tables import ACTIONS, HANDS, PIECES, REJECTS, STAGE_TABLE, TABLES
from handread.tables.columns import COLUMNS, GAME
from handread.tables.files import Folder, FolderUrl, parts_of, read_part
from handread.tables.pieces import pieces
from handread.tables.read import open_tables
from handread.tables.run import execute_plan, plan_run
from handread.tables.store import open_store
from handread.version import __version__
from tests.program import SAMPLES, run_here
from tests.score_sets import KEYS, RECORD, TERMS, Frames, Once, assert_same, small_pieces, tables

SAMPLE = str(SAMPLES / "pokerstars.txt")


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of several games, with a hand that is refused."""
    out = tmp_path_factory.mktemp("layout") / "out"
    logs = [SAMPLE, *(str(SAMPLES / name) for name in ("razz.stud", "broken-card.stud"))]
    done = run_here("score", *logs, "-o", str(out), "--workers", "1")
    assert done.returncode == 1, done.said
    return out


def test_each_table_has_a_folder_for_each_game(scored: Path) -> None:
    games = {path.name for path in (scored / HANDS).iterdir()}
    assert games == {f"{GAME}=stud", f"{GAME}=razz"}
    for table in (HANDS, STAGE_TABLE, ACTIONS):
        rows = pl.scan_parquet(scored / table, hive_partitioning=True).collect()
        own = open_tables(scored).scan(table).sort(KEYS[table]).collect()
        assert_frame_equal(rows.select(own.columns).sort(KEYS[table]), own)


def test_each_file_says_how_it_was_made_and_what_its_columns_are(scored: Path) -> None:
    (file, *_) = (scored / STAGE_TABLE).glob("*/part-*.parquet")
    notes = pl.read_parquet_metadata(file)
    terms = json.loads((scored / "handread.json").read_text())
    assert notes["handread.version"] == __version__
    assert notes["handread.policy"] == terms["players"]
    assert (notes["handread.ties"], notes["handread.viewpoint"]) == ("split", "public")
    assert notes["handread.command"].startswith("handread score ")
    columns = json.loads(notes["handread.columns"])
    assert columns.keys() == {column.name for column in COLUMNS[STAGE_TABLE]}
    assert all(column["meaning"] for column in columns.values())
    assert columns["truth_bits"]["unit"] == "bits"


def test_types_are_narrow_and_bits_finite(scored: Path) -> None:
    for table in TABLES:
        rows = open_tables(scored).scan(table).collect()
        reals = rows.select(pl.selectors.float()).to_dict(as_series=False)
        assert not any(map(math.isinf, filter(None, chain.from_iterable(reals.values()))))
    hands = open_tables(scored).scan(HANDS).collect()
    assert hands.schema["seats"] == pl.Int16
    assert hands.schema["winners"] == pl.List(pl.Int16)
    assert hands["winners"].list.len().min() == 1


def test_stages_sort_by_number(scored: Path) -> None:
    rows = open_tables(scored).scan(STAGE_TABLE).select("stage", "stage_number").unique().collect()
    for stage, number in rows.iter_rows():
        assert ALL_STAGES[number] == stage


def test_dates_have_the_zone_that_the_log_names() -> None:
    hands = [hand for hand in handread.read_hands(SAMPLE) if not isinstance(hand, handread.Problem)]
    row = handread.tabulate(hands[:1])[HANDS].row(0, named=True)
    assert row["played_at"].isoformat() == "2026-03-14T20:15:09"
    assert row["played_zone"] == "ET"
    assert row["played_utc"].isoformat() == "2026-03-15T00:15:09+00:00"


def test_infinite_bits_are_empty_and_flagged(whole: Frames) -> None:
    """In the rows of a hand that a policy rules out: the sum of a column stays finite."""
    actions = whole[ACTIONS]
    impossible = actions.filter("surprise_bits_infinite")
    assert impossible["surprise_bits"].null_count() == impossible.height
    assert actions["surprise_bits"].sum() < float("inf")


def test_tables_of_the_layout_before_say_what_to_do(tmp_path: Path) -> None:
    out = tmp_path / "old"
    (out / "part-1").mkdir(parents=True)
    (out / "part-1" / "hands.parquet").write_bytes(b"PAR1")
    (out / "handread.json").write_text(json.dumps({"schema": "handread.score/3", "folder": "/x"}))
    for words in (("summary",), ("query",), ("players",)):
        done = run_here(*words, str(out))
        assert done.returncode == 2
        assert "score the logs again, into another folder: handread score LOGS" in done.said
    again = run_here("score", SAMPLE, "-o", str(out), "--resume")
    assert again.returncode == 2
    assert "make them anew, or choose another folder" in " ".join(again.said.split())


# DuckDB


@pytest.fixture
def duck(scored: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """DuckDB in the folder of the tables."""
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install duckdb")
    monkeypatch.chdir(scored)
    with duckdb.connect() as connection:
        yield connection


def test_duckdb_reads_a_table_by_one_pattern(duck: Any, scored: Path) -> None:
    counts = dict(
        duck.sql(
            "select variant, count(*) from read_parquet('hands/*/part-*.parquet', "
            "hive_partitioning = true) group by variant"
        ).fetchall()
    )
    rows = open_tables(scored).scan(HANDS).group_by(GAME).len().collect()
    assert counts == dict(rows.iter_rows())


def test_duckdb_has_the_bits_of_each_stage_in_order(duck: Any, scored: Path) -> None:
    found = duck.sql(
        "select stage, avg(entropy_bits) from 'stages/*/part-*.parquet' where variant = 'stud' "
        "group by stage, stage_number order by stage_number"
    ).fetchall()
    stud = open_tables(scored).scan(STAGE_TABLE).filter(pl.col(GAME) == "stud")
    means = dict(stud.group_by("stage").agg(pl.col("entropy_bits").mean()).collect().iter_rows())
    assert [stage for stage, _ in found] == [stage for stage in ALL_STAGES if stage in means]
    assert [bits for _, bits in found] == pytest.approx([means[stage] for stage, _ in found])


def test_duckdb_has_the_results_of_each_player(duck: Any, scored: Path) -> None:
    found = duck.sql(
        "select name, count(*), sum(net_bets) from 'players/*/part-*.parquet' "
        "group by name order by count(*) desc, name"
    ).fetchall()
    rows = open_tables(scored).scan("players").collect()
    assert sum(n for _, n, _ in found) == rows.height
    for name, n, net in found:
        own = rows.filter(pl.col("name").eq_missing(pl.lit(name)))
        assert n == own.height
        assert net == pytest.approx(own["net_bets"].cast(pl.Float64).sum(), abs=1e-4)


def test_duckdb_reads_what_a_file_says_of_itself(duck: Any) -> None:
    rows = duck.sql("select key, value from parquet_kv_metadata('hands/*/part-*.parquet')")
    notes = {bytes(key).decode(): bytes(value).decode() for key, value in rows.fetchall()}
    assert "meaning" in json.loads(notes["handread.columns"])["pot_minor"]
    assert notes["handread.version"] == __version__


# At a URL


def away(output: str, logs: list[Path], scorer: Once, resume: bool = False) -> Frames:
    """What is at a URL after a run over files to it, whose workers write the parts."""
    with open_store(output, RECORD, resume) as store:
        files, _ = input_files(map(str, logs), store.base, store.work, store.folder)
        cut = partial(pieces, dialect=None)
        plan = plan_run(files, cut)
        execute_plan(store, plan, files, cut, TERMS, scorer.share, lambda _w, _h: None)
        found = parts_of(store.place)
        return {
            table: pl.concat([read_part(store.place, part, table) for part in found]).sort(
                KEYS[table]
            )
            for table in TABLES
        }


@pytest.fixture
def memory() -> Iterator[str]:
    """A URL of fsspec in memory."""
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    yield "memory://scores/set"
    fsspec.filesystem("memory").store.clear()


@pytest.mark.parametrize("at_url", [True, False])
def test_workers_write_the_same_tables(
    logs: list[Path],
    whole: Frames,
    tmp_path: Path,
    memory: str,
    monkeypatch: pytest.MonkeyPatch,
    at_url: bool,
) -> None:
    """In two runs, with hands that another part has, too."""
    small_pieces(monkeypatch)
    monkeypatch.setattr("handread.tables.run.PART_WEIGHT", 7500)
    output = memory if at_url else (tmp_path / "out").as_uri()
    assert away(output, logs[:2], Once())[PIECES].height < whole[PIECES].height
    found = away(output, logs, Once(), resume=True)
    assert_same(found, whole)
    if not at_url:
        assert_same(tables(tmp_path / "out"), whole)


def test_a_place_with_other_files_is_refused(memory: str) -> None:
    FolderUrl(memory).write("hands/variant=stud/part-1.parquet", b"")
    with pytest.raises(RunError, match="contains other files"), open_store(memory, {}, False):
        pass
    with pytest.raises(RunError, match=r"handread\[url\]"), open_store("xyz://y", {}, False):
        pass


def test_score_to_a_url_says_what_is_there(memory: str) -> None:
    done = run_here("score", SAMPLE, "-o", memory, "--workers", "1")
    assert done.returncode == 0, done.said
    assert f"{memory}: " in done.stdout
    assert "--resume adds to them" in run_here("score", SAMPLE, "-o", memory).said
    csv = run_here("score", SAMPLE, "-o", memory, "--format", "csv")
    assert "--format copies tables of a folder" in csv.said


def test_a_part_that_was_not_finished_is_none(scored: Path, tmp_path: Path) -> None:
    place = Folder(scored)
    (part,) = parts_of(place)
    assert {name.partition("/")[0] for name in part.files} == {*TABLES} - {PIECES}
    assert part.of(REJECTS, "stud")
    assert not part.of(REJECTS, "razz")
