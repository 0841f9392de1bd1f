"""The command ``query``: its tables, JSON, CSV and messages."""

from __future__ import annotations

import json
import math
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import polars as pl
import pytest

from handread.report.queries import percent
from handread.report.schemas import json_schema
from handread.report.tables import as_columns, finite
from handread.tables import ACTIONS, ALL_TABLES, HANDS, REJECTS, STAGE_TABLE, TERMS_FILE
from handread.tables.columns import COLUMNS, SCHEMAS
from handread.tables.files import WORK_FOLDER
from handread.tables.query import SHOWN, TableQuery, ask
from handread.tables.read import open_tables
from handread.tables.store import open_store
from tests.asked_set import EXAMPLE, Loaded, query
from tests.program import SAMPLES, run_here
from tests.score_sets import RECORD, Once, score


def test_people_get_counts_rows_and_the_way_to_a_report(out: Path, tmp_path: Path) -> None:
    folds, among = "action = 'fold'", "street = 3 and seats = 4"
    lines = query(out, folds, "--given", among, "--top", "2").stdout.splitlines()
    tally = ask(open_tables(out), TableQuery(folds, given=among)).tally
    share = tally.share
    assert lines[0] == (
        f"{tally.count} of {tally.of} actions ({percent(share.mean)}%, {percent(share.low)} to "
        f"{percent(share.high)}%), in {tally.hands} of {tally.of_hands} hands"
    )
    assert lines[1] == (
        "counted among the actions where street = 3 and seats = 4; "
        "95% interval by hands, as actions of one hand are correlated"
    )
    assert lines[3].split() == ["hand", *SHOWN[ACTIONS], "seats"]
    assert lines[6] == f"... and {tally.count - 2} more (--top)"
    command = shlex.split(lines[-1].split(": ")[1].split(" (with")[0])
    assert command[:2] == ["handread", "report"]
    shown = run_here(*command[1:], "-o", str(tmp_path / "page.html"))
    assert shown.returncode == 0, shown.stderr
    assert command[2] in (tmp_path / "page.html").read_text()


def test_rows_without_a_value_are_told(out: Path, loaded: Loaded) -> None:
    without = sum(row["truth_bits"] is None for row in loaded[ACTIONS])
    assert without > 1
    said = " ".join(query(out, "truth_bits > 0").stdout.split())
    assert f"{without:,} actions have no value here, and are left out" in said


def test_every_row_tells_the_line_of_its_hand(out: Path, loaded: Loaded) -> None:
    done = query(out, "p_win > .5", "--top", "100000")
    named = [line.split("  ")[0].strip() for line in done.stdout.splitlines() if ":" in line][:-1]
    expected = [f"{r['file']}:{r['line']}" for r in loaded[ACTIONS] if r["p_win"] > 0.5]
    assert sorted(named) == sorted(expected)


def test_without_a_condition_all_rows_count(out: Path, loaded: Loaded) -> None:
    refused = query(out, "--table", "rejects").stdout
    assert refused.splitlines()[0] == "1 hand left out: all hands left out"
    assert "what is wrong with the first: handread check" in refused
    (reject,) = loaded[REJECTS]
    assert reject["reason"] in refused
    assert query(out).stdout.startswith(f"{len(loaded[HANDS])} hands: all hands\n")
    nothing = query(out, "p_win > 2").stdout
    assert nothing.startswith("0 of ")
    assert "handread report" not in nothing


def test_the_report_is_by_the_players_of_the_tables(tmp_path: Path) -> None:
    sample = str(SAMPLES / "check-raise.stud")
    for name, args, note in [
        ("usual", [], False),
        ("ties", ["--ties", "paper"], False),
        ("loose", ["--policy", "loose"], True),
    ]:
        out = tmp_path / name
        assert run_here("score", sample, "-o", str(out), *args).returncode == 0
        last = query(out).stdout.splitlines()[-1]
        assert ("(with --policy, --lapse and --seat as the tables have them)" in last) is note
        assert ("--ties paper" in last) is (name == "ties")


def test_names_cannot_write_to_the_terminal(out: Path) -> None:
    done = query(out, "name is not null", "--columns", "name", "--top", "100000")
    assert "\\tTab\\x1b[2J" in done.stdout
    assert not {"\t", "\x1b"} & set(done.stdout)


def test_standard_input_cannot_be_had_again(tmp_path: Path) -> None:
    text = (SAMPLES / "check-raise.stud").read_text()
    out = tmp_path / "out"
    assert run_here("score", "-", "-o", str(out), stdin=text).returncode == 0
    done = query(out)
    assert done.stdout.splitlines()[-1] == (
        "the files of these hands are not there: what came from standard input is gone"
    )


def test_a_file_that_looks_like_an_option_is_named_behind_dashes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "-x y.stud").write_text((SAMPLES / "check-raise.stud").read_text())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert run_here("score", "-o", "out", "--", "-x y.stud").returncode == 0
        last = query(out).stdout.splitlines()[-1]
    assert last.endswith("handread report -- '-x y.stud:4'")


def test_json_is_an_object_on_the_whole_then_one_a_row(out: Path, loaded: Loaded) -> None:
    done = query(out, "p_truth = 0", "--json", "--columns", "all")
    whole, *rows = [
        json.loads(line, parse_constant=pytest.fail) for line in done.stdout.split("\n")[:-1]
    ]
    jsonschema.validate(whole, json_schema("query"))
    expected = [row for row in loaded[STAGE_TABLE] if row["p_truth"] == 0]
    assert whole["count"] == len(expected) > 0
    assert whole["denominator"] + whole["unknown"] == len(loaded[STAGE_TABLE])
    assert whole["unknown"] == sum(r["p_truth"] is None for r in loaded[STAGE_TABLE]) > 0
    assert whole["interval"][0] < whole["share"] < whole["interval"][1]
    assert whole["unfinished"] is False
    place = ("file", "line", "stage", "seat")
    by_place = {tuple(row[name] for name in place): row for row in expected}
    assert len(rows) == len(by_place)
    for row in rows:
        wanted = by_place[tuple(row[name] for name in place)]
        assert row["truth_bits_infinite"]
        assert row["truth_bits"] is None
        assert row.keys() == SCHEMAS[STAGE_TABLE].keys()
        for name, value in row.items():
            cell = wanted[name]
            if isinstance(cell, float):
                cell = pytest.approx(cell, rel=1e-6) if math.isfinite(cell) else None
            assert value == cell, name


def test_json_of_a_limit_of_no_rows_and_of_a_statement(out: Path) -> None:
    def told(*asked: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in query(out, *asked, "--json").stdout.splitlines()]

    assert len(told("p_win > 0", "--top", "3")) == 4
    (line,) = told("p_win > 2")
    assert line["count"] == 0
    (line,) = told("p_win > 0", "--given", "p_win > 2")
    assert (line["share"], line["interval"]) == (None, None)
    text = "select max(cast(0 as double) / 0) as nan, count(*) as n from actions"
    whole, row = told(text)
    assert (whole["statement"], row["nan"]) == (text, None)
    assert row["n"] > 0


def test_csv_has_the_rows_and_no_formulas(out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    done = query(out, "name is not null", "--columns", "name,action", "-o", str(file))
    assert str(file) in done.stdout
    found = pl.read_csv(file)
    made = ["command", "version", "policy"]
    assert found.columns == ["file", "line", "name", "action", *made]
    assert found.height == ask(open_tables(out), TableQuery("name is not null")).tally.count
    assert "'=1+1" in set(found["name"])
    assert not any(name.startswith("=") for name in found["name"])
    done = query(out, "name is not null", "--top", "2", "-o", str(file))
    assert done.stdout.endswith(f"the rows, at most 2, are in {file}\n")
    assert pl.read_csv(file).height == 2


def test_csv_is_kept_where_the_question_is_none(out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("kept")
    for text in ("p_wim > 0", "select p_wim from actions"):
        query(out, text, "-o", str(file), status=2)
    assert file.read_text() == "kept"
    query(out, "p_win > 0", "-o", str(tmp_path / "no" / "x.csv"), status=2)
    among = query(out, "p_win > 0", "-o", str(out / TERMS_FILE), status=2)
    assert "is in the folder of the tables" in among.stderr


def test_unfinished_and_damaged_tables_are_told(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with open_store(out, RECORD, False):
        pass
    (out / WORK_FOLDER / "unfinished").touch()
    assert "holds no hands yet" in query(out, EXAMPLE, status=2).stderr
    score([SAMPLES / "check-raise.stud"], out, Once(), resume=True)
    (out / WORK_FOLDER / "unfinished").touch()
    assert "a run is not finished" in query(out, EXAMPLE).stderr
    assert json.loads(query(out, EXAMPLE, "--json").stdout)["unfinished"] is True
    (file,) = out.glob("actions/*/part-*")
    file.write_bytes(b"PAR1 no PAR1")
    assert query(out, EXAMPLE, status=2).stderr.startswith("handread: ")


def test_the_schema_tells_every_column() -> None:
    text = run_here("query", "--schema", COLUMNS="1000").stdout
    for table in ALL_TABLES:
        part = text.split(f"\n{table}: a row for ")[1].split("\n\n")[0].splitlines()[1:]
        names = [line.split()[0] for line in part]
        assert names == [f"{c.name}{'' if c.stable else '*'}" for c in COLUMNS[table]]
        assert all(c.meaning in line for c, line in zip(COLUMNS[table], part, strict=True))
    records = [
        json.loads(line) for line in run_here("query", "--schema", "--json").stdout.splitlines()
    ]
    column = {**json_schema("query"), "anyOf": [{"$ref": "#/$defs/column"}]}
    jsonschema.validate(records[0], column)
    expected = [(table, c.name, c.stable) for table in ALL_TABLES for c in COLUMNS[table]]
    assert [(r["table"], r["column"], r["stable"]) for r in records] == expected


def test_shares_as_percent() -> None:
    shares = (0.0, 1.0, 0.5, 0.0348, 0.00098, 0.000012345, 1e-9)
    said = ["0.0", "100.0", "50.0", "3.5", "0.098", "0.0012", "<0.000001"]
    assert [percent(share) for share in shares] == said


def test_columns_stand_under_their_names_and_small_numbers_keep_three_digits() -> None:
    text = as_columns(("a", "name"), [(1, "x"), (22, None), (None, "\x1b[2J")])
    assert text == " a  name\n 1  x\n22\n    \\x1b[2J\n"
    assert as_columns(("p", "b"), [(0.5, True), (-math.inf, False)]).splitlines()[1:] == [
        "0.500  yes",
        " -inf  no",
    ]
    text = as_columns(["p_truth"], [[0.5], [0.0004312], [-0.05], [1.2e-7], [0.0]])
    assert text.split() == ["p_truth", "0.500", "0.000431", "-0.0500", "1.20e-07", "0.000"]


def test_what_is_not_finite_is_null_in_json() -> None:
    row = {"a": math.inf, "b": -math.inf, "c": math.nan, "d": 1.5, "e": None}
    numbers = {"a": None, "b": None, "c": None, "d": 1.5, "e": None}
    assert finite(row) == {"infinite": {"a": "inf", "b": "-inf"}, **numbers}
