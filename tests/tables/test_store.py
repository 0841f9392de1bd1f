"""Many hands to tables: what the rows say, how files are cut up, and what a stop leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import handread
from handread.bits import entropy_bits
from handread.cards import cards_text
from handread.history import History
from handread.inference.hand import Analysis
from handread.kernels.figures import read_figures
from handread.odds.hand_types import CATEGORIES
from handread.odds.holdings import kind_of
from handread.study.scores import ways_known
from handread.tables import ACTIONS, HANDS, PIECES, REJECTS, STAGE_TABLE, TABLES, store
from handread.tables import pieces as score_work
from handread.tables.columns import COLUMNS, SCHEMAS
from handread.tables.input_files import InputFile
from handread.tables.pieces import pieces, score_piece
from handread.tables.read import open_tables
from handread.tables.store import open_store, part_folders
from tests.naive import rank_of
from tests.score_sets import RECORD, TERMS, Once, games, score, tables

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture(scope="module")
def read(logs: list[Path]) -> dict[tuple[str, int], Analysis]:
    """What the program reads in the same hands one by one."""
    found = {}
    for path in logs:
        for hand in handread.read_hands(path):
            if isinstance(hand, History) and not hand.problems:
                found[hand.source.file, hand.source.line] = handread.analyze(hand, "default")
    return found


def test_there_is_a_row_for_each_hand_seat_at_a_stage_and_action(
    whole: dict[str, pl.DataFrame], read: dict[tuple[str, int], Analysis]
) -> None:
    assert set(whole[HANDS].select("file", "line").rows()) == set(read)
    stages = {
        (*where, stage.stage, seat)
        for where, analysis in read.items()
        for stage in analysis.stages
        for seat in (*stage.seats, *stage.folded)
    }
    assert sorted(whole[STAGE_TABLE].select("file", "line", "stage", "seat").rows()) == sorted(
        stages
    )
    actions = [(*where, n + 1) for where, a in read.items() for n in range(len(a.actions))]
    assert sorted(whole[ACTIONS].select("file", "line", "n").rows()) == sorted(actions)


def test_the_figures_are_those_of_the_analysis(
    whole: dict[str, pl.DataFrame], read: dict[tuple[str, int], Analysis]
) -> None:
    for row in whole[STAGE_TABLE].iter_rows(named=True):
        analysis = read[row["file"], row["line"]]
        stage = next(s for s in analysis.stages if s.stage == row["stage"])
        seat = (stage.seats if row["active"] else stage.folded)[row["seat"]]
        assert seat.truth is not None
        replay = analysis.replay
        assert (row["upcards"], row["downcards"]) == (
            cards_text(seat.up),
            cards_text(seat.truth.downcards),
        )
        assert (row["omniscience"], row["known"], row["street"]) == (
            "full",
            ways_known(replay)[row["seat"]],
            int(row["stage"][0]),
        )
        true = kind_of(seat.truth.downcards, seat.up).family
        assert (row["family"], row["family_risen"], row["true_family"]) == (
            next(iter(seat.families())),
            seat.risen_family,
            true,
        )
        assert row["name"] == replay.history.seat(row["seat"]).name
        assert row["net_minor"] == replay.won.get(row["seat"], 0) - replay.paid[row["seat"]]
        expected = {
            "won_share": replay.won.get(row["seat"], 0) / sum(replay.won.values()),
            "pot_minor": stage.pot,
            "n_active": len(stage.active),
            "p_win": stage.bet_inference.get(row["seat"]),
            "p_win_cards_only": stage.cards_only.get(row["seat"]),
            "p_win_omniscient": stage.omniscient and stage.omniscient.get(row["seat"]),
            "outcome_entropy_bits": stage.entropy_bits,
            "kl_cards_only_bits": stage.kl_bits and stage.kl_bits[0],
            "kl_bits": stage.kl_bits and stage.kl_bits[1],
            "possible": int((seat.cards_only_pdd > 0).sum()),
            "entropy_bits": entropy_bits(seat.pdd),
            "news_bits": seat.news_bits,
            "p_truth": seat.truth.probability,
            "truth_bits": seat.truth.score_bits,
            "truth_rank": seat.truth.rank,
            "p_family": max(one.bet_inference for one in seat.families().values()),
            "p_family_cards_only": next(iter(seat.families().values())).cards_only,
            "p_pair": seat.categories()[1] if row["active"] else None,
        }
        for name, value in expected.items():
            assert row[name] == (None if value is None else pytest.approx(value, rel=1e-6)), name


def analysis_of(row: dict[str, Any], read: dict[tuple[str, int], Analysis]) -> Analysis:
    return read[row["file"], row["line"]]


def test_the_hands_are_those_of_the_analysis(
    whole: dict[str, pl.DataFrame], read: dict[tuple[str, int], Analysis]
) -> None:
    for row in whole[HANDS].iter_rows(named=True):
        analysis = analysis_of(row, read)
        replay, history = analysis.replay, analysis.replay.history
        assert row == {
            "file": history.source.file,
            "line": history.source.line,
            "hand_id": history.hand_id,
            "dialect": history.source.dialect,
            "variant": "stud",
            "table_name": history.table or None,
            "played_at": history.played_at or None,
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
            "winners": " ".join(str(seat) for seat, won in sorted(replay.won.items()) if won),
            "pot_minor": replay.pot,
            "rake_minor": 0,
            "policy": "table1-left",
            "surprise_bits": pytest.approx(analysis.surprise_bits, rel=1e-6),
            "unexplained": 0,
            "findings": len(analysis.problems),
        }


def test_the_actions_are_those_of_the_analysis(
    whole: dict[str, pl.DataFrame], read: dict[tuple[str, int], Analysis]
) -> None:
    for row in whole[ACTIONS].iter_rows(named=True):
        action = read[row["file"], row["line"]].actions[row["n"] - 1]
        decision = action.decision
        assert (row["seat"], row["street"], row["action"]) == (
            decision.seat,
            decision.street,
            decision.action,
        )
        assert (row["pot_minor"], row["to_call_minor"]) == (decision.pot, decision.to_call)
        assert (row["amount_minor"], row["to_minor"]) == (decision.amount, decision.to)
        assert (row["n_active"], row["raises"]) == (len(decision.active), decision.raises)
        assert (row["completes"], row["all_in"]) == (decision.completes, decision.all_in)
        assert row["name"] == analysis_of(row, read).replay.history.seat(row["seat"]).name
        assert row["effective_odds"] == pytest.approx(decision.effective_odds, rel=1e-6)
        for name in ("p_win", "surprise_bits", "information_bits", "truth_bits"):
            assert row[name] == pytest.approx(getattr(action, name), rel=1e-6)
        assert row["p_action"] == pytest.approx(action.evidence, rel=1e-6)
        assert row["p_win_own"] == pytest.approx(action.own_p_win, rel=1e-6)


def test_money_adds_up(
    whole: dict[str, pl.DataFrame], read: dict[tuple[str, int], Analysis]
) -> None:
    first = whole[STAGE_TABLE].filter(pl.col("stage") == "3D")
    per_hand = first.group_by("file", "line").agg(pl.col("net_minor").sum(), pl.sum("won_share"))
    joined = per_hand.join(whole[HANDS], on=["file", "line"])
    assert joined.height == len(read)
    assert (joined["net_minor"] + joined["rake_minor"]).to_list() == [0] * len(read)
    assert joined["won_share"].to_list() == pytest.approx([1.0] * len(read))


def test_chances_sum_to_one_and_nothing_is_nan(whole: dict[str, pl.DataFrame]) -> None:
    active = whole[STAGE_TABLE].filter(pl.col("active"))
    sums = active.group_by("file", "line", "stage").agg(pl.col("^p_win.*$").sum())
    for column in ("p_win", "p_win_cards_only", "p_win_omniscient"):
        assert sums[column].to_list() == pytest.approx([1.0] * sums.height, abs=1e-5)
    categories = [f"p_{name.replace(' ', '_')}" for name in CATEGORIES]
    assert active.select(pl.sum_horizontal(categories)).to_series().to_list() == pytest.approx(
        [1.0] * active.height, abs=1e-5
    )
    for table in whole.values():
        reals = table.select(pl.selectors.float().is_nan().any())
        assert not any(reals.row(0)) if reals.width else True


def test_what_is_refused_stands_in_a_table_of_its_own(
    whole: dict[str, pl.DataFrame], logs: list[Path]
) -> None:
    (row,) = whole[REJECTS].iter_rows(named=True)
    (hand,) = handread.read_hands(logs[3])
    assert isinstance(hand, History)
    (problem,) = hand.problems
    assert (row["file"], row["line"], row["hand_id"]) == (str(logs[3]), 1, "1")
    assert (row["problem_line"], row["problem_column"]) == (problem.line, problem.column)
    assert row["reason"] == problem.message
    assert row["text"] == "1 Ann | 7c Qs | 11h r"


def test_the_columns_are_said_once_and_in_words() -> None:
    for table, columns in COLUMNS.items():
        names = [column.name for column in columns]
        assert len(set(names)) == len(names), table
        assert all(column.meaning and column.name.islower() for column in columns)
        assert list(SCHEMAS[table]) == names


def test_a_fault_of_the_program_costs_one_hand(
    logs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    (piece, *_) = pieces(InputFile("a.parquet", logs[0]), None)
    original = score_work.analyze_replay

    def failing(played: Any, *args: Any, **kwargs: Any) -> Analysis:
        if played.history.source.line == 1:
            raise ZeroDivisionError("a fault")
        return original(played, *args, **kwargs)

    monkeypatch.setattr(score_work, "analyze_replay", failing)
    scored = score_piece(TERMS, piece)
    assert (scored.hands, scored.rejects) == (1, 1)
    rejects = pl.read_ipc(scored.tables[REJECTS])
    assert "fails on this hand: ZeroDivisionError('a fault')" in rejects["reason"][0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.data())
def test_the_figures_of_a_read_in_one_pass(weights: list[float], data: st.DataObject) -> None:
    weights[0] += 0.5
    pdd = np.array(weights) / sum(weights)
    guess = np.where(data.draw(st.booleans()), np.ones(pdd.size), pdd)
    index = data.draw(st.integers(-1, pdd.size - 1))
    if index >= 0 and guess[index] == 0:
        index = -1
    entropy, live, possible, better, equal = read_figures(pdd, guess, index)
    assert entropy == pytest.approx(entropy_bits(pdd), abs=1e-12)
    assert (live, possible) == (np.count_nonzero(pdd), np.count_nonzero(guess))
    if index >= 0:
        assert better + (equal + 1) / 2 == rank_of(pdd, index, guess > 0)
    else:
        assert (better, equal) == (0, 0)


def test_every_table_is_there_without_a_hand(tmp_path: Path) -> None:
    with open_store(tmp_path / "out", RECORD, resume=False):
        pass
    assert [tables(tmp_path / "out")[table].height for table in TABLES] == [0] * 5


@pytest.mark.parametrize(("few", "joined"), [(3, False), (4, True)])
def test_parts_are_joined_when_three_have_fewer_hands_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int, joined: bool
) -> None:
    monkeypatch.setattr(store, "FEW_HANDS", few)
    monkeypatch.setattr(store, "MANY_PARTS", 3)
    out = tmp_path / "out"
    for n, hands in enumerate((games()[:3], games()[3:4], games()[4:5])):
        log = tmp_path / f"{n}.stud"
        log.write_text("\n".join(handread.write_hand(hand, "saund") for hand in hands))
        score([log], out, Once(), resume=True)
    assert (len(part_folders(out)) < 3) == joined
    assert tables(out)[HANDS].height == 5


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
