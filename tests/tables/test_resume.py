"""Runs that are killed, interrupted or damaged, and resumed."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import handread
from handread.parallel import RunError
from handread.tables import HANDS, PIECES, TABLES
from handread.tables.read import open_tables
from handread.tables.store import WORK_FOLDER, open_store
from tests.examples import is_thorough
from tests.score_sets import RECORD, Once, assert_same, games, score, small_pieces, tables

pytestmark = pytest.mark.usefixtures("small")


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


STRIDE = 1 if is_thorough() else 2
"""Of the steps that a run may fail at, each is tried, or every other."""


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
    """A log is scored, grows at its end and is scored again: killed at the steps of both.

    It shares a part with another, which is not named the second time.
    """
    small_pieces(monkeypatch, size=900)
    texts = [handread.write_hand(hand, "saund") + "\n" for hand in games()]
    log, other, out = tmp_path / "log.stud", tmp_path / "other.stud", tmp_path / "out"
    (another,) = handread.simulate_games(1, seats=3, seed=6)
    other.write_text(handread.write_hand(another.history, "saund"))

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
        steps += STRIDE
    assert kills > 30 / STRIDE


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
    (another,) = handread.simulate_games(1, seats=3, seed=6)
    other.write_text(handread.write_hand(another.history, "saund"))
    log.write_text("".join(texts[:3]))
    score([other, log], out, scorer)
    begun = shutil.copytree(out, tmp_path / "begun")
    log.write_text("".join(texts[1:]))
    expected = None
    for step in range(int(not after) % STRIDE, 1000, STRIDE):
        shutil.rmtree(out)
        shutil.copytree(begun, out)
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


def test_a_folder_is_not_taken_for_other_tables(tmp_path: Path) -> None:
    out = tmp_path / "out"
    busy = pytest.raises(RunError, match="another run is using it")
    with open_store(out, RECORD, resume=False), busy, open_store(out, RECORD, True):
        pass
    with pytest.raises(RunError, match="--resume adds to them"), open_store(out, RECORD, False):
        pass
    with open_store(out, RECORD, resume=True):
        pass
    other = {**RECORD, "ties": "paper"}
    with (
        pytest.raises(RunError, match="these tables have --ties split"),
        open_store(out, other, True),
    ):
        pass
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    with pytest.raises(RunError, match="other files"), open_store(tmp_path / "full", RECORD, True):
        pass
    with pytest.raises(RunError, match="not a folder of tables"):
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


def test_nobody_is_told_to_remove_tables_of_another_version(
    logs: list[Path], tmp_path: Path, scorer: Once
) -> None:
    out = tmp_path / "out"
    score(logs[2:3], out, scorer)
    (path,) = out.glob("part-*/pieces.parquet")
    pl.read_parquet(path).drop("repeated").write_parquet(path)
    assert fault_of(out) == (
        f"{path}: has the columns of another version of handread; "
        "score the logs again, into another folder"
    )


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
