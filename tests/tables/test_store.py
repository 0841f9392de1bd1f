"""Many hands to tables: what the rows say, and which rows the store keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import handread
from handread.bits import entropy_bits
from handread.cards import cards_text
from handread.history import History
from handread.inference.hand_analysis import Analysis
from handread.odds.holdings import kind_of
from handread.sessions.opening import InputFile
from handread.study.scores import ways_known
from handread.tables import ACTIONS, HANDS, PIECES, REJECTS, STAGE_TABLE, store
from handread.tables import pieces as score_work
from handread.tables.columns import COLUMNS
from handread.tables.files import Folder, parts_of
from handread.tables.pieces import pieces, score_piece
from handread.tables.read import open_tables
from handread.tables.store import open_store
from tests.score_sets import RECORD, TERMS, Frames, Once, assert_same, games, score, tables, text_of

pytestmark = pytest.mark.usefixtures("small")

Read = dict[tuple[str, int], Analysis]


@pytest.fixture(scope="module")
def read(logs: list[Path]) -> Read:
    """What the program reads in the same hands one by one."""
    hands = [hand for path in logs for hand in handread.read_hands(path)]
    return {
        (hand.source.file, hand.source.line): handread.analyze(hand, "default")
        for hand in hands
        if isinstance(hand, History) and not hand.problems
    }


def assert_row(row: dict[str, Any], expected: dict[str, Any]) -> None:
    """Compare some cells; those of reals have seven digits."""
    for name, value in expected.items():
        digits = pytest.approx(value, rel=1e-6) if isinstance(value, float) else value
        assert row[name] == digits, name


def test_there_is_a_row_for_each_hand_seat_at_a_stage_and_action(whole: Frames, read: Read) -> None:
    stages = [
        (*where, stage.stage, seat)
        for where, analysis in read.items()
        for stage in analysis.stages
        for seat in (*stage.seats, *stage.folded)
    ]
    actions = [(*where, n + 1) for where, a in read.items() for n in range(len(a.actions))]
    for table, columns, wanted in (
        (HANDS, [], [*read]),
        (STAGE_TABLE, ["stage", "seat"], stages),
        (ACTIONS, ["n"], actions),
    ):
        assert sorted(whole[table].select("file", "line", *columns).rows()) == sorted(wanted)


def test_the_figures_are_those_of_the_analysis(whole: Frames, read: Read) -> None:
    for row in whole[STAGE_TABLE].iter_rows(named=True):
        analysis, number = read[row["file"], row["line"]], row["seat"]
        replay = analysis.replay
        stage = next(s for s in analysis.stages if s.stage == row["stage"])
        seat = (stage.seats if row["active"] else stage.folded)[number]
        families = seat.families()
        expected = {
            "upcards": cards_text(seat.up),
            "downcards": cards_text(seat.truth.downcards),
            "omniscience": "full",
            "known": ways_known(replay)[number],
            "street": int(row["stage"][0]),
            "family": next(iter(families)),
            "family_risen": seat.risen_family,
            "true_family": kind_of(seat.truth.downcards, seat.up).family,
            "name": replay.history.seat(number).name,
            "net_minor": replay.won.get(number, 0) - replay.paid[number],
            "won_share": replay.won.get(number, 0) / sum(replay.won.values()),
            "pot_minor": stage.pot,
            "n_active": len(stage.active),
            "p_win": stage.bet_inference.get(number),
            "p_win_cards_only": stage.cards_only.get(number),
            "p_win_omniscient": stage.omniscient and stage.omniscient.get(number),
            "outcome_entropy_bits": stage.entropy_bits,
            "kl_cards_only_bits": stage.kl_bits and stage.kl_bits[0],
            "kl_bits": stage.kl_bits and stage.kl_bits[1],
            "possible": int((seat.cards_only_pdd > 0).sum()),
            "entropy_bits": entropy_bits(seat.pdd),
            "news_bits": seat.news_bits,
            "p_truth": seat.truth.probability,
            "truth_bits": seat.truth.score_bits,
            "truth_rank": seat.truth.rank,
            "p_family": max(one.bet_inference for one in families.values()),
            "p_family_cards_only": next(iter(families.values())).cards_only,
            "p_pair": float(seat.categories()[1]) if row["active"] else None,
        }
        assert_row(row, expected)


def test_the_hands_are_those_of_the_analysis(whole: Frames, read: Read) -> None:
    for row in whole[HANDS].iter_rows(named=True):
        analysis = read[row["file"], row["line"]]
        replay, history = analysis.replay, analysis.replay.history
        expected = {
            "file": history.source.file,
            "line": history.source.line,
            "hand_id": history.hand_id,
            "dialect": history.source.dialect,
            "variant": "stud",
            "table_name": history.table or None,
            "played_at": None,
            "played_zone": None,
            "played_utc": None,
            "currency": history.unit.symbol or None,
            "decimals": 2,
            "ante_minor": 25,
            "bring_in_minor": 25,
            "small_bet_minor": 100,
            "big_bet_minor": 200,
            "seats": len(history.seats),
            "hero": None,
            "known": len(history.seats),
            "last_street": replay.streets[-1].number,
            "actions": len(replay.decisions),
            "finished": True,
            "showdown": len(replay.showdown),
            "winners": [seat for seat, won in sorted(replay.won.items()) if won],
            "pot_minor": replay.pot,
            "rake_minor": 0,
            "policy": "table1-left",
            "surprise_bits": analysis.surprise_bits,
            "surprise_bits_infinite": False,
            "unexplained": 0,
            "findings": len(analysis.problems),
        }
        assert row.keys() == expected.keys()
        assert_row(row, expected)


def test_the_actions_are_those_of_the_analysis(whole: Frames, read: Read) -> None:
    of_decision = {
        **{name: name for name in ("seat", "street", "action", "raises", "completes", "all_in")},
        **{f"{name}_minor": name for name in ("pot", "to_call", "amount", "to")},
        "effective_odds": "effective_odds",
    }
    names = ("p_win", "surprise_bits", "information_bits", "truth_bits")
    of_reading = {name: name for name in names} | {"p_action": "evidence", "p_win_own": "own_p_win"}
    for row in whole[ACTIONS].iter_rows(named=True):
        analysis = read[row["file"], row["line"]]
        reading = analysis.actions[row["n"] - 1]
        decision = reading.decision
        expected = {column: getattr(decision, name) for column, name in of_decision.items()}
        expected |= {column: getattr(reading, name) for column, name in of_reading.items()}
        expected["n_active"] = len(decision.active)
        expected["name"] = analysis.replay.history.seat(row["seat"]).name
        assert_row(row, expected)


def test_money_and_chances_add_up_and_nothing_is_nan(whole: Frames, read: Read) -> None:
    first = whole[STAGE_TABLE].filter(pl.col("stage") == "3D")
    per_hand = first.group_by("file", "line").agg(pl.col("net_minor").sum(), pl.sum("won_share"))
    joined = per_hand.join(whole[HANDS], on=["file", "line"])
    assert joined.height == len(read)
    assert (joined["net_minor"] + joined["rake_minor"]).to_list() == [0] * len(read)
    assert joined["won_share"].to_list() == pytest.approx([1.0] * len(read))
    active = whole[STAGE_TABLE].filter(pl.col("active"))
    sums = active.group_by("file", "line", "stage").agg(pl.col("^p_win.*$").sum())
    for column in ("p_win", "p_win_cards_only", "p_win_omniscient"):
        assert sums[column].to_list() == pytest.approx([1.0] * sums.height, abs=1e-5)
    for table in whole.values():
        reals = table.select(pl.selectors.float().is_nan().any())
        assert not any(reals.row(0)) if reals.width else True


def test_what_is_refused_stands_in_a_table_of_its_own(whole: Frames, logs: list[Path]) -> None:
    (row,) = whole[REJECTS].iter_rows(named=True)
    (hand,) = handread.read_hands(logs[3])
    (problem,) = hand.problems
    expected = {
        "file": str(logs[3]),
        "line": 1,
        "hand_id": "1",
        "problem_line": problem.line,
        "problem_column": problem.column,
        "reason": problem.message,
        "text": "1 Ann | 7c Qs | 11h r",
    }
    assert_row(row, expected)


def test_the_columns_are_said_once_and_in_words() -> None:
    for table, columns in COLUMNS.items():
        names = [column.name for column in columns]
        assert len(set(names)) == len(names), table
        assert all(column.meaning and column.name.islower() for column in columns)


def test_a_fault_of_the_program_costs_one_hand(
    logs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    (piece, *_) = pieces(InputFile("a.stud", logs[0]), None)
    original = score_work.analyze_replay

    def failing(played: Any, *args: Any, **kwargs: Any) -> Analysis:
        if played.history.source.line == 1:
            raise ZeroDivisionError("a fault")
        return original(played, *args, **kwargs)

    monkeypatch.setattr(score_work, "analyze_replay", failing)
    scored = score_piece(TERMS, piece)
    hands, rejects = (scored.frames[table] for table in (HANDS, REJECTS))
    assert (hands.height, rejects.height) == (len(list(piece.readings())) - 1, 1)
    assert "fails on this hand: ZeroDivisionError('a fault')" in rejects["reason"][0]


@pytest.mark.parametrize(("few", "joined"), [(3, False), (4, True)])
def test_parts_are_joined_when_three_have_fewer_hands_than_the_limit(
    tmp_path: Path, scorer: Once, monkeypatch: pytest.MonkeyPatch, few: int, joined: bool
) -> None:
    monkeypatch.setattr(store, "FEW_HANDS", few)
    monkeypatch.setattr(store, "MANY_PARTS", 3)
    out = tmp_path / "out"
    logs = [tmp_path / f"{n}.stud" for n in range(3)]
    for log, hands in zip(logs, (games()[:3], games()[3:4], games()[4:5]), strict=True):
        log.write_text(text_of(hands))
        score([log], out, scorer, resume=True)
    assert (len(parts_of(Folder(out))) < 3) == joined
    score(logs, tmp_path / "fresh", scorer)
    assert_same(tables(out), tables(tmp_path / "fresh"))


@pytest.mark.thorough
def test_a_piece_is_dropped_with_all_its_rows_and_no_others(
    logs: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    score(logs[1:], out, Once())
    before = tables(out)
    keys = before[PIECES].select("file", "first_line", "digest").rows()
    (file, first, digest), (_, end, _) = [key for key in keys if key[0] == str(logs[1])][1:3]
    with open_store(out, RECORD, resume=True) as kept:
        kept.drop({(file, first, digest)})
    for table, rows in tables(out).items():
        line = pl.col("first_line" if table == PIECES else "line")
        gone = (pl.col("file") == file) & (line >= first) & (line < end)
        assert_frame_equal(rows, before[table].filter(~gone))
        assert (rows.height < before[table].height) == (table != REJECTS)


def test_tables_are_unfinished_from_the_start_of_a_run_to_its_end(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with open_store(out, RECORD, resume=False) as kept, kept.at_work():
        assert open_tables(out).unfinished
    assert not open_tables(out).unfinished
    stopped = pytest.raises(KeyboardInterrupt)
    with open_store(out, RECORD, resume=True) as kept, stopped, kept.at_work():
        raise KeyboardInterrupt
    assert open_tables(out).unfinished
