"""Copies of the tables: they hold what the tables hold, and no formula."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from handread.parallel import RunError, locked
from handread.tables import ACTIONS, HANDS, TABLES, TERMS_FILE
from handread.tables.columns import SCHEMAS
from handread.tables.export import (
    FORMULA_STARTS,
    WRITERS,
    escape_formulas,
    export_tables,
    write_csv,
)
from handread.tables.files import WORK_FOLDER
from handread.tables.read import open_tables
from handread.tables.store import open_store
from tests.program import SAMPLES, run_here
from tests.score_sets import KEYS, RECORD

SAMPLE = str(SAMPLES / "check-raise.stud")


def harmless_cell(text: str | None) -> str | None:
    return f"'{text}" if text is not None and text.startswith(FORMULA_STARTS) else text


def as_it_is(folder: Path, table: str) -> pl.DataFrame:
    return open_tables(folder).scan(table).sort(KEYS[table]).collect()


@pytest.mark.parametrize("table", TABLES)
def test_arrow_holds_what_parquet_does_in_the_order_of_the_files(out: Path, table: str) -> None:
    export_tables(open_tables(out), "arrow")
    copy = pl.read_ipc(out / "arrow" / f"{table}.arrow")
    assert_frame_equal(copy.sort(KEYS[table]), as_it_is(out, table), check_exact=True)
    rows = copy.select(KEYS[table][:2]).rows()
    assert rows == sorted(rows)


@pytest.mark.parametrize("table", TABLES)
def test_csv_holds_what_parquet_does_but_for_formulas(out: Path, table: str) -> None:
    export_tables(open_tables(out), "csv")
    lists = {"winners": pl.String()} if table == HANDS else {}
    schema = {**SCHEMAS[table], **lists}
    copy = pl.read_csv(out / "csv" / f"{table}.csv", schema=schema)
    found = as_it_is(out, table)
    if lists:
        found = found.with_columns(pl.col("winners").cast(pl.List(pl.String)).list.join(" "))
    for name, kind in schema.items():
        if kind == pl.String:
            cells = [harmless_cell(cell) for cell in found[name]]
            found = found.with_columns(pl.Series(name, cells, pl.String))
            assert not any(cell.startswith(FORMULA_STARTS) for cell in copy[name].drop_nulls())
    assert_frame_equal(copy.sort(KEYS[table]), found.sort(KEYS[table]), check_exact=True)
    if table == ACTIONS:
        assert {"'=1+1", "'-Bob", "'\tTab\x1b[2J"} <= set(copy["name"])


@given(st.lists(st.none() | st.text(alphabet="=+-@\t\r\n a\"',é", max_size=4), max_size=5))
def test_cells_go_to_csv_and_back(cells: list[str | None]) -> None:
    frame = pl.DataFrame({"text": cells, "n": range(len(cells))}, schema_overrides={"text": str})
    expected = [harmless_cell(cell) for cell in cells]
    assert escape_formulas(frame.lazy()).collect()["text"].to_list() == expected


def test_what_csv_needs_quoted_comes_back(tmp_path: Path) -> None:
    cells = ["a,b", 'c"d', "e\nf", "g\rh", "", None, "=1", " ="]
    write_csv(pl.LazyFrame({"text": cells, "n": range(8)}), tmp_path / "x.csv")
    back = pl.read_csv(tmp_path / "x.csv")["text"].to_list()
    assert back == ["a,b", 'c"d', "e\nf", "g\rh", "", None, "'=1", " ="]


@pytest.mark.parametrize("kind", WRITERS)
def test_empty_tables_are_copied_with_their_columns(tmp_path: Path, kind: str) -> None:
    with open_store(tmp_path / "out", RECORD, False):
        pass
    export_tables(open_tables(tmp_path / "out"), kind)
    for table in TABLES:
        file = tmp_path / "out" / kind / f"{table}.{kind}"
        read = pl.read_ipc if kind == "arrow" else pl.read_csv
        assert read(file).columns == list(SCHEMAS[table])


def test_a_copy_is_replaced_whole_and_other_files_are_left_alone(tmp_path: Path) -> None:
    assert run_here("score", SAMPLE, "-o", str(tmp_path / "out"), "--format", "csv")[0] == 0
    folder = tmp_path / "out" / "csv"
    (folder / "mine.txt").write_text("kept")
    before = (folder / "hands.csv").read_text()
    (folder / "hands.csv").write_text("stale")
    (tmp_path / "out" / WORK_FOLDER / "draft-csv").mkdir()  # of a copy that was killed
    export_tables(open_tables(tmp_path / "out"), "csv")
    assert (folder / "hands.csv").read_text() == before
    assert (folder / "mine.txt").read_text() == "kept"
    assert not list((tmp_path / "out" / WORK_FOLDER).glob("draft-*"))


def test_a_copy_that_fails_leaves_the_old_one(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_tables(open_tables(out), "csv")

    def kept() -> dict[Path, bytes]:
        return {file: file.read_bytes() for file in (out / "csv").iterdir()}

    before = kept()

    def full(tables: object, table: str, path: Path) -> None:
        path.write_text("half")
        if table == TABLES[2]:
            raise OSError(28, "No space left on device")

    monkeypatch.setitem(WRITERS, "csv", full)  # type: ignore[arg-type]
    with pytest.raises(OSError, match="No space"):
        export_tables(open_tables(out), "csv")
    assert kept() == before


def test_no_copy_while_a_run_is_at_work(out: Path) -> None:
    with locked(out / WORK_FOLDER), pytest.raises(RunError, match="another run"):
        export_tables(open_tables(out), "csv")


def test_score_copies_to_the_formats_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = ("score", SAMPLE, "-o", str(out), "--format", "csv")
    assert run_here(*asked, "--format", "arrow").returncode == 0
    for kind in ("csv", "arrow"):
        assert sorted(file.stem for file in (out / kind).iterdir()) == sorted(TABLES)
    again = run_here(*asked, "--resume")
    assert again.returncode == 0
    assert "arrow is from an earlier run" in again.stderr.replace("\n", " ")
    assert "csv is from an earlier run" not in again.stderr
    shutil.rmtree(out / "csv")
    (out / "csv").write_text("a file that takes the place")
    done = run_here(*asked, "--resume")
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert (out / TERMS_FILE).is_file()
