"""Many hands to tables: what the rows say, how files are cut up, and what a stop leaves."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

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
from handread.inference.values import Analysis
from handread.kernels.figures import read_figures
from handread.parallel import RunError
from handread.study.scores import ways_known
from handread.tables import ACTIONS, HANDS, PIECES, REJECTS, STAGE_TABLE, TABLES, TERMS_FILE
from handread.tables import pieces as score_work
from handread.tables.columns import COLUMNS, SCHEMAS
from handread.tables.input_files import InputFile, input_files
from handread.tables.pieces import pieces, score_piece
from handread.tables.read import open_tables
from handread.tables.store import WORK_FOLDER, open_store
from tests.naive import rank_of
from tests.score_sets import (
    RECORD,
    TERMS,
    Once,
    assert_same,
    games,
    score,
    small_pieces,
    tables,
    write_set,
)


@pytest.fixture(scope="module")
def scorer() -> Once:
    return Once()


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    small_pieces(monkeypatch)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_set(tmp_path_factory.mktemp("logs") / "set")


@pytest.fixture(scope="module")
def whole(
    logs: list[Path], scorer: Once, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, pl.DataFrame]]:
    """The tables of an undisturbed run."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        small_pieces(monkeypatch)
        out = tmp_path_factory.mktemp("whole") / "out"
        score(logs, out, scorer)
        yield tables(out)


@pytest.fixture(scope="module")
def read(logs: list[Path]) -> dict[tuple[str, int], Analysis]:
    """What the program reads in the same hands one by one."""
    found = {}
    for path in logs:
        for hand in handread.read_hands(path):
            if isinstance(hand, History) and not hand.problems:
                found[hand.source.file, hand.source.line] = handread.analyze(hand, "default")
    return found


# Rows


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
    categories = [column for column in active.columns if column.startswith("p_")][-9:]
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


# Pieces


@pytest.mark.parametrize(("rows", "size"), [(1, 1000), (3, 6000), (100, 1 << 15)])
def test_what_is_read_does_not_depend_on_the_pieces(
    logs: list[Path],
    whole: dict[str, pl.DataFrame],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rows: int,
    size: int,
) -> None:
    small_pieces(monkeypatch, rows, size, part=3)
    score(logs, tmp_path / "out", Once())
    found = tables(tmp_path / "out")
    for table in (HANDS, STAGE_TABLE, ACTIONS, REJECTS):
        assert found[table].equals(whole[table])


def test_the_pieces_of_a_file_hold_all_of_it(logs: list[Path]) -> None:
    for path in logs:
        cut = list(pieces(InputFile("x", path), None))
        assert len(cut) > 1 or path.stem in "cd"
        assert [piece.only for piece in cut] == [len(cut) == 1] * len(cut)
        read = [reading for piece in cut for reading in piece.readings()]
        assert read == list(handread.read_hands(path))


def test_folders_are_searched_but_for_hidden_files_and_the_tables(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.txt", ".hidden", ".git/x.txt", "out/part/hands.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("x")
    paths = [str(tmp_path / "b.txt"), str(tmp_path), f"{tmp_path}/./b.txt", str(tmp_path / "no")]
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / TERMS_FILE).write_text("{}")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "link.txt").symlink_to(tmp_path / "b.txt")
    found, faults = input_files(paths, tmp_path, tmp_path / "out", tmp_path / "out")
    assert [source.name for source in found] == ["b.txt", "sub/a.txt"]
    assert faults == [f"{tmp_path / 'no'}: cannot be read: No such file or directory"]
    found, faults = input_files(["", "./-"], tmp_path / "sub", tmp_path / "out", tmp_path / "out")
    assert not found
    assert [fault.partition(":")[0] for fault in faults] == ["", "./-"]


def test_a_name_that_is_no_text_is_spelled_out(tmp_path: Path, scorer: Once) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.stud"))
    path.write_text(handread.write_hand(games()[0], "saund"))
    score([path], tmp_path / "out", scorer)
    assert tables(tmp_path / "out")[HANDS]["file"].to_list() == [f"{tmp_path}/\\udcff.stud"]


def test_a_file_has_one_name_wherever_the_run_starts(
    tmp_path: Path, scorer: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    log = tmp_path / "sub" / "log.stud"
    log.write_text(handread.write_hand(games()[0], "saund"))
    monkeypatch.chdir(tmp_path)
    score([Path("sub/log.stud")], tmp_path / "out", scorer)
    monkeypatch.chdir(tmp_path / "sub")
    score([Path("log.stud")], tmp_path / "out", scorer, resume=True)
    score([log], tmp_path / "out", scorer, resume=True)
    assert tables(tmp_path / "out")[HANDS]["file"].to_list() == ["sub/log.stud"]
    assert open_tables(tmp_path / "out").path_of("sub/log.stud") == str(log)


def test_a_file_without_hands_is_refused_once(tmp_path: Path, scorer: Once) -> None:
    texts = {"empty.txt": "", "prose.txt": "no hand here", "blank.stud": "\n# nothing\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    score([tmp_path / name for name in texts], tmp_path / "out", scorer)
    rejects = tables(tmp_path / "out")[REJECTS]
    assert rejects["file"].to_list() == sorted(str(tmp_path / name) for name in texts)
    assert tables(tmp_path / "out")[PIECES]["rejects"].sum() == 3


# Growth


def test_a_log_that_grows_is_read_from_where_it_grew(tmp_path: Path, scorer: Once) -> None:
    texts = [handread.write_hand(hand, "pokerstars") + "\n\n" for hand in games()]
    log, other = tmp_path / "log.txt", tmp_path / "other.stud"
    other.write_text(handread.write_hand(games()[0], "saund"))
    log.write_text("".join(texts[:5]))
    score([log, other], tmp_path / "out", scorer)
    log.write_text("".join(texts))
    scorer.asked.clear()
    score([log], tmp_path / "out", scorer, resume=True)
    assert 0 < len(scorer.asked) < len(list(pieces(InputFile("x", log), None)))
    score([log, other], tmp_path / "fresh", Once())
    assert_same(tables(tmp_path / "out"), tables(tmp_path / "fresh"))


def test_a_file_that_was_changed_is_read_anew(tmp_path: Path, scorer: Once) -> None:
    log, other = tmp_path / "log.stud", tmp_path / "other.stud"
    other.write_text(handread.write_hand(games()[0], "saund"))
    log.write_text("\n".join(handread.write_hand(hand, "saund") for hand in games()[:6]))
    score([log, other], tmp_path / "out", scorer)
    log.write_text("\n".join(handread.write_hand(hand, "saund") for hand in games()[3:5]))
    score([log], tmp_path / "out", scorer, resume=True)
    score([log, other], tmp_path / "fresh", Once())
    assert_same(tables(tmp_path / "out"), tables(tmp_path / "fresh"))


def test_more_files_are_added(
    logs: list[Path], whole: dict[str, pl.DataFrame], tmp_path: Path, scorer: Once
) -> None:
    for n in range(1, len(logs) + 1):
        score(logs[:n], tmp_path / "out", scorer, resume=True)
    assert_same(tables(tmp_path / "out"), whole)


def test_a_file_that_changes_while_it_is_read(tmp_path: Path, scorer: Once) -> None:
    log = tmp_path / "log.stud"
    log.write_text("\n".join(handread.write_hand(hand, "saund") for hand in games()))

    class Late(Once):
        def share(self, work: Any, jobs: Any) -> Any:
            log.write_text(handread.write_hand(games()[0], "saund"))
            yield from scorer.share(work, jobs)

    with pytest.raises(RunError, match="changed while being read"):
        score([log], tmp_path / "out", Late())
    score([log], tmp_path / "out", scorer, resume=True)
    assert tables(tmp_path / "out")[HANDS].height == 1


# Stops


class DeadError(BaseException):
    """The end of a process, which nothing catches."""


class Killer:
    """Lets a number of steps on the disk happen, and then none any more: the process is dead."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def step(self, action: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if self.left <= 0:
                raise DeadError
            self.left -= 1
            return action(*args, **kwargs)

        return guarded


STEPS = [
    (Path, "rename"),
    (Path, "unlink"),
    (Path, "mkdir"),
    (Path, "write_text"),
    (Path, "write_bytes"),
    (pl.DataFrame, "write_parquet"),
]


def killed_after(steps: int, action: Callable[[], None]) -> bool:
    """Whether a run was killed after so many steps on the disk; if not it came to its end."""
    killer = Killer(steps)
    with pytest.MonkeyPatch.context() as monkeypatch:
        for owner, name in STEPS:
            monkeypatch.setattr(owner, name, killer.step(getattr(owner, name)))
        monkeypatch.setattr("handread.tables.store.ZipFile", killer.step(ZipFile))
        monkeypatch.setattr("handread.tables.store.shutil.rmtree", killer.step(shutil.rmtree))
        try:
            action()
        except DeadError:
            return True
    return False


@pytest.mark.thorough
def test_killed_at_any_step_and_resumed_the_tables_are_the_same(
    tmp_path: Path, scorer: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log is scored, grows at its end and is scored again: killed at each step of both.

    It shares a part with another, which is not named the second time.
    """
    small_pieces(monkeypatch, size=900)
    texts = [handread.write_hand(hand, "saund") + "\n" for hand in games()]
    log, other, out = tmp_path / "log.stud", tmp_path / "other.stud", tmp_path / "out"
    other.write_text(texts[0])

    def first() -> None:
        log.write_bytes("".join(texts[:5]).encode())
        score([other, log], out, scorer, resume=True)

    def second() -> None:
        log.write_bytes("".join(texts).encode())
        score([log], out, scorer, resume=True)

    first()
    second()
    expected = tables(out)
    assert expected[HANDS].height == len(texts) + 1
    steps, kills = 0, 0
    while True:
        shutil.rmtree(out)
        killed = killed_after(steps, first)
        if killed:
            first()
        assert tables(out)[HANDS].height == 6
        killed_later = killed_after(steps, second)
        if killed_later:
            second()
        assert_same(tables(out), expected)
        assert [p.name for p in (out / WORK_FOLDER).iterdir()] == ["lock"]
        if not (killed or killed_later):
            break
        kills += killed + killed_later
        steps += 1
    assert kills > 30


@pytest.mark.thorough
@pytest.mark.parametrize(("error", "after"), [(KeyboardInterrupt, True), (OSError, False)])
def test_what_fails_once_at_any_step_costs_no_hand(
    tmp_path: Path,
    scorer: Once,
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException],
    after: bool,
) -> None:
    """An interrupt, or a disk that is full for a moment, before and after each step."""
    small_pieces(monkeypatch, size=500, part=2)
    texts = [handread.write_hand(hand, "saund") + "\n" for hand in games()[:5]]
    log, other, out = tmp_path / "log.stud", tmp_path / "other.stud", tmp_path / "out"
    other.write_text(texts[0])
    expected = None
    for step in range(1000):
        shutil.rmtree(out, ignore_errors=True)
        log.write_text("".join(texts[:3]))
        score([other, log], out, scorer)
        log.write_text("".join(texts[1:]))
        left = step

        def once(action: Callable[..., Any]) -> Callable[..., Any]:
            def guarded(*args: Any, **kwargs: Any) -> Any:
                nonlocal left
                left -= 1
                if left == -1 and not after:
                    raise error
                done = action(*args, **kwargs)
                if left == -1:
                    raise error
                return done

            return guarded

        with pytest.MonkeyPatch.context() as broken:
            for owner, name in STEPS:
                broken.setattr(owner, name, once(getattr(owner, name)))
            broken.setattr("handread.tables.store.shutil.rmtree", once(shutil.rmtree))
            with contextlib.suppress(KeyboardInterrupt, RunError):
                score([log], out, scorer, resume=True)
        found = tables(out)[HANDS]
        assert not found.select("file", "line").is_duplicated().any()
        assert (found["file"] == str(other)).sum() == 1
        score([log], out, scorer, resume=True)
        expected = tables(out) if expected is None else expected
        assert_same(tables(out), expected)
        assert expected[HANDS].height == 5
        if left >= 0:
            break
    assert step > 20


def test_many_small_parts_become_one(
    tmp_path: Path, scorer: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    texts = [handread.write_hand(hand, "saund") for hand in games()]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.stud").write_text(text)
        score([tmp_path / f"{number}.stud"], out, scorer, resume=True)
    assert len(list(out.glob("part-*"))) == 1
    score(sorted(tmp_path.glob("*.stud")), tmp_path / "fresh", scorer)
    assert_same(tables(out), tables(tmp_path / "fresh"))


def test_an_interrupted_run_leaves_tables_that_can_be_read(
    logs: list[Path], whole: dict[str, pl.DataFrame], tmp_path: Path, scorer: Once
) -> None:
    class Stopped(Once):
        def share(self, work: Any, jobs: Any) -> Any:
            for n, done in enumerate(scorer.share(work, jobs)):
                if n == 4:
                    raise KeyboardInterrupt
                yield done

    with pytest.raises(KeyboardInterrupt):
        score(logs, tmp_path / "out", Stopped())
    found = open_tables(tmp_path / "out")
    assert found.count(PIECES) == 4
    assert not found.unfinished
    score(logs, tmp_path / "out", scorer, resume=True)
    assert_same(tables(tmp_path / "out"), whole)


# The folder


def test_a_folder_is_not_taken_for_other_tables(tmp_path: Path) -> None:
    out = tmp_path / "out"
    busy = pytest.raises(RunError, match="another run is at work")
    with open_store(out, RECORD, resume=False), busy, open_store(out, RECORD, True):
        pass
    with pytest.raises(RunError, match="--resume goes on"), open_store(out, RECORD, False):
        pass
    with open_store(out, RECORD, resume=True):
        pass
    other = {**RECORD, "ties": "paper"}
    with pytest.raises(RunError, match="ties: split, now paper"), open_store(out, other, True):
        pass
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    with pytest.raises(RunError, match="other things"), open_store(tmp_path / "full", RECORD, True):
        pass
    with pytest.raises(RunError, match="no folder of tables"):
        open_tables(tmp_path / "full")


def test_damage_is_named(logs: list[Path], tmp_path: Path, scorer: Once) -> None:
    out = tmp_path / "out"
    score(logs[2:3], out, scorer)
    (part,) = out.glob("part-*")
    (part / "pieces.parquet").write_bytes(b"PAR1")
    with pytest.raises(RunError, match=r"pieces\.parquet: is missing or damaged; remove .*part-"):
        score(logs[2:3], out, scorer, resume=True)
    for table in TABLES:
        shutil.rmtree(out)
        score(logs[2:3], out, scorer)
        (part,) = out.glob("part-*")
        whole = (part / f"{table}.parquet").read_bytes()
        (part / f"{table}.parquet").write_bytes(whole[: len(whole) // 2])
        with pytest.raises(RunError, match=rf"{table}\.parquet: is missing or damaged"):
            open_tables(out)
        with pytest.raises(RunError, match=rf"{table}\.parquet: is missing or damaged"):
            score(logs[2:3], out, scorer, resume=True)
        shutil.rmtree(part)
        score(logs[2:3], out, scorer, resume=True)
        assert tables(out)[HANDS].height == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_disk_that_is_full_is_told_and_costs_no_hand(
    logs: list[Path], tmp_path: Path, scorer: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write = Path.write_bytes
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", lambda _, data: write(Path("/dev/full"), data))
        with pytest.raises(RunError, match=r"No space left on device$"):
            score(logs[2:3], out, scorer)
    score(logs[2:3], out, scorer, resume=True)
    assert tables(out)[HANDS].height == 3


def fault_of(out: Path) -> str:
    """What is said against the tables of a folder; empty where they open."""
    try:
        open_tables(out)
    except RunError as error:
        return str(error)
    return ""


def test_no_flipped_bit_in_a_part_goes_unnoticed(
    logs: list[Path], tmp_path: Path, scorer: Once
) -> None:
    out = tmp_path / "out"
    score(logs[2:3], out, scorer)
    (part,) = out.glob("part-*")
    rng, unnoticed = Random(6), 0
    for table in TABLES:
        path = part / f"{table}.parquet"
        whole, rows = path.read_bytes(), pl.read_parquet(path)
        for place in rng.sample(range(len(whole)), 60):
            torn = bytearray(whole)
            torn[place] ^= 1 << rng.randrange(8)
            path.write_bytes(torn)
            fault = fault_of(out)
            if fault:
                assert fault.startswith(f"{path}: is missing or damaged; remove {part}, and")
            else:  # the mark of the checksum was hit
                unnoticed += 1
                assert_frame_equal(open_tables(out).scan(table).collect(), rows)
        path.write_bytes(whole)
    assert unnoticed < 0.05 * 60 * len(TABLES)


def test_every_table_is_there_without_a_hand(tmp_path: Path) -> None:
    with open_store(tmp_path / "out", RECORD, resume=False):
        pass
    assert [tables(tmp_path / "out")[table].height for table in TABLES] == [0] * 5
