"""Questions to the tables: the counts against plain loops, the words for what cannot be asked."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.tables import ACTIONS, HANDS, REJECTS, STAGE_TABLE
from handread.tables.columns import SCHEMAS
from handread.tables.conditions import QuestionError, is_statement
from handread.tables.query import ASKED, EVERY_COLUMN, SHOWN, QueryTally, TableQuery, ask, select
from handread.tables.read import Tables
from tests.asked_set import EXAMPLE, Loaded, query
from tests.examples import examples
from tests.program import run_here

Row = Mapping[str, Any]
CONDITIONS: list[tuple[str, str, Callable[[Row], bool | None]]] = [
    (EXAMPLE, ACTIONS, lambda r: r["street"] == 5 and r["p_win"] > 0.6 and r["action"] == "fold"),
    (
        "street = 3 and action <> 'fold'",
        ACTIONS,
        lambda r: r["street"] == 3 and r["action"] != "fold",
    ),
    ("action in ('bet', 'raise')", ACTIONS, lambda r: r["action"] in ("bet", "raise")),
    ("'fold' = action or all_in", ACTIONS, lambda r: r["action"] == "fold" or r["all_in"]),
    ("p_win between .25 and .5", ACTIONS, lambda r: 0.25 <= r["p_win"] <= 0.5),
    ("name is null", ACTIONS, lambda r: r["name"] is None),
    ("cast(action as text) like 'c%'", ACTIONS, lambda r: r["action"][0] == "c"),
    ("p_win_cards_only > .5", STAGE_TABLE, lambda r: (r["p_win_cards_only"] or 0) > 0.5),
    ("stage >= '6D' and active", STAGE_TABLE, lambda r: r["stage"] >= "6" and r["active"]),
    (
        "truth_bits < -40 and stage = '7B'",
        STAGE_TABLE,
        lambda r: r["stage"] == "7B" and (r["truth_bits"] or 0) < -40,
    ),
    ("seats = 2", HANDS, lambda r: r["seats"] == 2),
    ("seats = 3 and p_win > .5", ACTIONS, lambda r: r["seats"] == 3 and r["p_win"] > 0.5),
    (
        "action = 'fold' and pot_minor > 300 and table_name is null",
        ACTIONS,
        lambda r: r["action"] == "fold" and r["pot_minor"] > 300 and r["table_name"] is None,
    ),
    (
        "upcards like 'A%' and seats > 3",
        STAGE_TABLE,
        lambda r: r["upcards"][0] == "A" and r["seats"] > 3,
    ),
    ("n_active - 9 < 0", ACTIONS, lambda r: True),
    ("seat * 100 > 255", ACTIONS, lambda r: r["seat"] * 100 > 255),
    ("raises - n_active >= -1", ACTIONS, lambda r: r["raises"] - r["n_active"] >= -1),
    ("reason like '%card%'", REJECTS, lambda r: "card" in r["reason"]),
]


@pytest.mark.parametrize(("text", "table", "meets"), CONDITIONS, ids=[c[0] for c in CONDITIONS])
def test_counts_are_those_of_a_loop(
    tables: Tables, loaded: Loaded, text: str, table: str, meets: Callable[[Row], bool | None]
) -> None:
    answer = ask(tables, TableQuery(text))
    expected = [row for row in loaded[table] if meets(row)]
    assert answer.table == table
    counted = answer.tally.of + answer.tally.unknown
    assert (answer.tally.count, counted) == (len(expected), len(loaded[table]))
    assert answer.tally.hands == len({(row["file"], row["line"]) for row in expected})
    found = answer.rows.first(10_000)
    assert [(row["file"], row["line"]) for row in found] == sorted(
        (row["file"], row["line"]) for row in expected
    )


NUMBERS = ("p_win", "p_action", "surprise_bits", "effective_odds", "truth_bits", "amount_minor")


@examples(12)
@given(
    column=st.sampled_from(NUMBERS),
    sign=st.sampled_from(["<", "<=", ">", ">=", "=", "<>"]),
    limit=st.integers(-50, 300).map(lambda n: n / 100),
    street=st.integers(3, 7),
)
def test_numbers_compare_as_they_are_written(
    tables: Tables, loaded: Loaded, column: str, sign: str, limit: float, street: int
) -> None:
    compare = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "=": "eq", "<>": "ne"}[sign]
    real = SCHEMAS[ACTIONS][column] == pl.Float32
    bound = np.float32(limit) if real else limit
    method = f"__{compare}__"
    among = [row for row in loaded[ACTIONS] if row["street"] == street]
    told = [row for row in among if row[column] is not None]
    met = [row for row in told if getattr(np.float64(row[column]), method)(np.float64(bound))]
    tally = ask(
        tables, TableQuery(f"{column} {sign} {limit}", given=f"street = {street}", table=ACTIONS)
    ).tally
    assert (tally.count, tally.of, tally.unknown) == (len(met), len(told), len(among) - len(told))


def test_the_share_has_the_interval_of_hands(tables: Tables, loaded: Loaded) -> None:
    by_hand: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for row in loaded[ACTIONS]:
        if row["street"] == 3:
            by_hand[row["file"], row["line"]].append(row["action"] == "call")
    k, n = len(by_hand), sum(map(len, by_hand.values()))
    share = Fraction(sum(map(sum, by_hand.values())), n)
    off = sum((sum(rows) - share * len(rows)) ** 2 for rows in by_hand.values())
    tally = ask(tables, TableQuery("action = 'call'", given="street = 3")).tally
    assert tally.of_hands == k
    assert tally.error == pytest.approx(math.sqrt(off * k / (k - 1)) / n)
    assert tally.share.mean == pytest.approx(float(share))
    assert 0 < tally.share.low < share < tally.share.high < 1


def test_few_hands_have_no_interval_and_all_of_many_leave_room(tables: Tables) -> None:
    nobody = ask(tables, TableQuery("action = 'fold'", given="p_win > 2")).tally
    assert nobody.of == 0
    assert math.isnan(nobody.share.mean)
    assert math.isnan(nobody.share.low)
    assert math.isnan(QueryTally(1, 4, 0, 1, 1, math.nan).share.low)
    every = ask(tables, TableQuery("street < 9 and n_active > 0")).tally
    assert every.count == every.of
    assert every.share.high == 1.0
    assert 0.5 < every.share.low < 1


def test_what_is_given_makes_the_denominator(tables: Tables, loaded: Loaded) -> None:
    answer = ask(tables, TableQuery("action = 'fold'", given="to_call_minor > 0 and seats = 4"))
    among = [r for r in loaded[ACTIONS] if r["to_call_minor"] > 0 and r["seats"] == 4]
    folds = [r for r in among if r["action"] == "fold"]
    assert (answer.tally.count, answer.tally.of) == (len(folds), len(among))
    assert 0 < len(folds) < len(among) < len(loaded[ACTIONS])


def test_rows_without_a_value_are_left_out(tables: Tables, loaded: Loaded) -> None:
    rows = loaded[STAGE_TABLE]
    told = [row for row in rows if row["p_truth"] is not None]
    hands = {(row["file"], row["line"]) for row in told}
    tally = ask(tables, TableQuery("p_truth > .1")).tally
    assert (tally.of, tally.unknown) == (len(told), len(rows) - len(told))
    assert 0 < tally.unknown
    assert tally.of_hands == len(hands)
    given = ask(tables, TableQuery("p_truth > .1", given="p_truth is not null")).tally
    assert given == replace(tally, unknown=0)
    # Also where another part of the condition is false.
    both = ask(tables, TableQuery("possible < 0 and p_truth > .1")).tally
    assert (both.count, both.of, both.unknown) == (0, tally.of, tally.unknown)
    # A condition about empty cells leaves no row out.
    for about in ("p_truth is null", "coalesce(p_truth, 0) > 2"):
        tally = ask(tables, TableQuery(about)).tally
        assert (tally.of, tally.unknown) == (len(rows), 0)


def test_a_mean_is_that_of_what_is_given(tables: Tables, loaded: Loaded) -> None:
    among = [row["p_win"] for row in loaded[ACTIONS] if row["street"] == 4]
    tally = ask(tables, TableQuery("p_win > avg(p_win)", given="street = 4")).tally
    assert tally.count == sum(p > sum(among) / len(among) for p in among)


def test_the_table_is_the_first_with_all_columns(tables: Tables) -> None:
    homes = {
        "pot_minor > 0": ACTIONS,
        "news_bits > 0": STAGE_TABLE,
        "rake_minor > 0": HANDS,
        "reason = 'x'": REJECTS,
        "rake_minor > 0 and p_win > 0": ACTIONS,
        "rake_minor > 0 and news_bits > 0": STAGE_TABLE,
    }
    assert {text: ask(tables, TableQuery(text)).table for text in homes} == homes
    assert ask(tables, TableQuery()).table == HANDS
    assert ask(tables, TableQuery("pot_minor > 0", table=STAGE_TABLE)).table == STAGE_TABLE
    assert ask(tables, TableQuery("pot_minor > 0", sort="entropy_bits")).table == STAGE_TABLE
    assert ask(tables, TableQuery("pot_minor > 0", columns=("rake_minor",))).table == HANDS


def test_rows_are_sorted_as_asked(tables: Tables, loaded: Loaded) -> None:
    question = TableQuery("action = 'call'", sort="street desc, p_win", columns=("street", "p_win"))
    found = [(row["street"], row["p_win"]) for row in ask(tables, question).rows.all()]
    calls = [row for row in loaded[ACTIONS] if row["action"] == "call"]
    expected = sorted((-row["street"], row["p_win"]) for row in calls)
    assert [(-street, pytest.approx(p)) for street, p in found] == expected


def test_unknown_values_come_last(tables: Tables) -> None:
    for sort in ("truth_bits", "truth_bits desc"):
        cells = [
            r["truth_bits"] for r in ask(tables, TableQuery("street = 3", sort=sort)).rows.all()
        ]
        assert cells[-1] is None
        assert cells[0] is not None


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        (
            TableQuery("effective_odds > .1 and seats > 2"),
            (*SHOWN[ACTIONS], "effective_odds", "seats"),
        ),
        (TableQuery("p_win > 0", columns=("n", "rake_minor")), ("n", "rake_minor")),
        (
            TableQuery("action = 'call'", sort="pot_minor desc", columns=("street", "p_win")),
            ("street", "p_win", "pot_minor"),
        ),
        (TableQuery(sort="rake_minor"), ("rake_minor", *SHOWN[HANDS])),
    ],
)
def test_shown_are_the_columns_asked_for_named_or_sorted_by(
    question: TableQuery, columns: tuple[str, ...], tables: Tables
) -> None:
    answer = ask(tables, question)
    assert answer.columns == columns
    assert answer.rows.columns == ("file", "line", *columns)


def test_all_columns_can_be_shown(tables: Tables) -> None:
    every = ask(tables, TableQuery("p_win > 0 and seats > 2", columns=EVERY_COLUMN))
    assert set(every.rows.columns) == {*SCHEMAS[ACTIONS], "seats"}
    assert all(SCHEMAS[table].keys() >= set(SHOWN[table]) for table in ASKED)


FAULTS = [
    ("pwin > .5", "no column pwin in actions or hands (did you mean p_win"),
    ("entropy > 1 and p_truth > 0", "no column entropy in stages or hands (did you mean entropy_b"),
    ("action = 'Fold'", "action is never 'Fold' (did you mean fold?); it is one of fold, check"),
    ("'flod' = action", "action is never 'flod'"),
    ("known not in ('shown', 'heero')", "never 'heero' (did you mean hero?)"),
    ("stage between '3B' and '9B'", "stage is never '9B'"),
    ("p_win >", "'p_win >' is not an SQL condition"),
    ("((p_win > 1", "is not an SQL condition"),
    ("", "the condition is empty"),
    ("p_win", "it is neither true nor false"),
    ("street + 1", "it is neither true nor false"),
    ("null", "it is neither true nor false"),
    ("columns('p_win') > .5", "it is neither true nor false"),
    ("p_win > 'x'", "a number is compared with text"),
    ("hand_id = 5", "a number is compared with text"),
    ("action like 'f%'", "cast(action as text)"),
    ('name = "Bob"', "quote text with single quotes: 'Bob'"),
    ("actions.p_win > .5", "names columns alone, without actions."),
    ("file in (select file from hands)", "cannot contain SELECT"),
    ("regexp_like(name, '(')", "regular expression"),
    ("foo(p_win) > 1", "unsupported function 'foo'"),
    ("p_win > .5; drop table hands", "cannot answer"),
    (
        "reason = 'x' and p_win > 0",
        "no table has all of these columns: reason is in rejects; p_win",
    ),
    ("exists (from read_csv('x'))", "can only read the tables"),
    ("select nope from hands", "no column nope"),
    ("select * from nope", "rejects, pieces, by --decisions decisions, ledgers"),
    ("select file from hands where hand_id > 3", "a number is compared with text"),
    ("select * from actions where action = 'x'", "'x' is not a value"),
    ("select 1; select 2", "only one statement"),
    ("select", "cannot answer"),
]


OPTION_FAULTS = [
    ("p_win > 0", "--sort", "p_win up", "cannot be sorted by"),
    ("p_win > 0", "--sort", ",", "cannot be sorted by"),
    ("p_win > 0", "--columns", "n,nn", "no column nn"),
    ("p_win > 0", "--table", "hands", "no column p_win in hands"),
    ("seats > 2", "--table", "rejects", "no column seats in rejects"),
    ("p_win > 0", "--given", "action = 'x'", "never 'x'"),
    ("select 1", "--given", "street = 3", "do not combine a SELECT"),
    ("p_win > 0", "--json", "-o", "x.csv", "choose one"),
    ("--table", "pieces", "pieces"),
]


@pytest.mark.parametrize(
    "words", [*FAULTS, *OPTION_FAULTS], ids=lambda words: " ".join(words[:-1]) or "-"
)
def test_faults_are_told_in_words(words: tuple[str, ...], out: Path) -> None:
    *asked, told = words
    done = query(out, *asked, status=2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert len(words) > 2 or done.stderr.startswith("handread: ")
    assert done.stdout == ""


def test_a_folder_without_tables_is_told(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        assert "is not a folder of tables" in query(folder, "p_win > .5", status=2).stderr
    assert run_here("query").returncode == 2


READERS = [
    "select * from read_csv('{0}')",
    "select * from \"read_csv\"('{0}')",
    "select * from READ_CSV /* x */ ('{0}')",
    "select * from hands where hand_id in (select a from read_csv('{0}'))",
    "with t as (select * from read_csv('{0}')) select * from t",
    "select $$'$$, a from read_csv('{0}') where '' = ''",
    "select * from read_parquet('{0}')",
    "select * from scan_csv('{0}')",
    "hand_id in (from read_csv('{0}'))",
    "select 'a' /*'*/, a from read_csv /*'*/ ('{0}')",
    "select 'a' --'\n, a from read_csv --'\n ('{0}')",
]
OTHERS = [
    "select * from '{0}'",
    'select * from "{0}"',
    "copy hands to '{0}'",
    "create table x as select * from hands",
    "drop table hands",
    "insert into hands values (1)",
    "select * into '{0}' from hands",
]


@pytest.mark.parametrize("text", [*READERS, *OTHERS])
def test_no_other_file_is_read_or_written(tables: Tables, tmp_path: Path, text: str) -> None:
    file = tmp_path / "secret.csv"
    file.write_text("a\nsecret\n")
    told = "can only read the tables" if text in READERS else "."
    with pytest.raises(QuestionError, match=told):
        _ask_or_tell(tables, text.format(file))
    assert [path.read_text() for path in tmp_path.iterdir()] == ["a\nsecret\n"]


def _ask_or_tell(tables: Tables, text: str) -> object:
    if is_statement(text):
        return list(select(tables, text).all())
    return list(ask(tables, TableQuery(text)).rows.all())


def test_names_like_those_of_functions_can_be_asked_for(tables: Tables) -> None:
    for name in ("read_em_weep", "scan_man, jr.", "full_scan"):
        assert ask(tables, TableQuery(f"name = '{name}'")).tally.count == 0
        assert not list(select(tables, f"select * from actions where name = '{name}'").all())


@pytest.mark.thorough
def test_a_long_question_is_not_repeated_in_the_error(out: Path) -> None:
    for question in ("p_win > > {}", "n'o {}", "street + {}", "p_win > a{}", "action = '{}'"):
        assert len(query(out, question.format("0" * 50_000), status=2).stderr) < 1500


def test_a_question_of_many_conditions_is_refused_at_once(tables: Tables) -> None:
    many = " and ".join(f"p_win > {n / 1000}" for n in range(201))
    assert ask(tables, TableQuery(many)).tally.of > 0
    for question in (f"{many} or seat = 1", f"select * from actions where {many} or seat = 1"):
        with pytest.raises(QuestionError, match="at most 200 'and' and 'or'; this one has 201"):
            _ask_or_tell(tables, question)


def test_a_limit_may_be_beyond_all_rows(out: Path) -> None:
    for question in ("p_win > .5", "select file from hands"):
        every = query(out, question, "--top", "1000000").stdout
        assert every == query(out, question, "--top", "9999").stdout


def test_statements_are_told_from_conditions() -> None:
    whole = ("select 1", " SELECT 1", "-- x\nselect 1", "/* x */ with t as (", "((select 1))")
    assert all(map(is_statement, whole))
    assert not any(map(is_statement, ("p_win > .5", "selected = 1", "without > 1", "", "'select'")))


def test_a_statement_runs_over_the_tables(out: Path, tables: Tables, loaded: Loaded) -> None:
    text = "select action, count(*) as n from actions group by action order by n desc, action"
    found = list(select(tables, text).all())
    counts = Counter(row["action"] for row in loaded[ACTIONS])
    assert {row["action"]: row["n"] for row in found} == counts
    lines = query(out, text, "--top", "2").stdout.splitlines()
    assert lines[0].split() == ["action", "n"]
    assert lines[1].split() == [found[0]["action"], str(found[0]["n"])]
    assert lines[3:] == ["... and more (--top)"]
    text = "select h.file, h.line, count(*) n from hands h join actions a using (file, line) \
        group by h.file, h.line order by n desc"
    assert "the report of one: handread report" in query(out, text).stdout


def test_small_numbers_do_not_wrap_in_statements(tables: Tables) -> None:
    (row,) = select(
        tables, "select min(seat - 9) as low, max(seat * 1000) as high from actions"
    ).all()
    assert -9 < row["low"] < 0  # type: ignore[operator]
    assert row["high"] % 1000 == 0  # type: ignore[operator]
