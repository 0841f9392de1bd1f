"""Runs that are killed, interrupted or damaged, and resumed."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import handread
from handread.parallel import RunError
from handread.tables import HANDS, PIECES, REJECTS, TABLES
from handread.tables.files import WORK_FOLDER
from handread.tables.read import open_tables
from handread.tables.store import open_store
from tests.examples import is_thorough
from tests.score_sets import (
    RECORD,
    Frames,
    Once,
    assert_same,
    games,
    score,
    small_pieces,
    tables,
    text_of,
)

pytestmark = pytest.mark.usefixtures("small")


class DeadError(BaseException):
    """The end of a process, which nothing catches."""


class Failing:
    """Lets a number of steps on the disk happen, then fails: once, or from then on.

    With ``after`` the step that fails has happened.
    """

    def __init__(self, steps: int, error: type[BaseException], after: bool, once: bool) -> None:
        self.left = steps
        self._error, self._after, self._once = error, after, once

    def step(self, action: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*args: Any, **kwargs: Any) -> Any:
            self.left -= 1
            fails = self.left == -1 or (self.left < 0 and not self._once)
            if fails and not self._after:
                raise self._error
            done = action(*args, **kwargs)
            if fails:
                raise self._error
            return done

        return guarded

    def run(self, action: Callable[[], None]) -> bool:
        """Whether an action failed."""
        with pytest.MonkeyPatch.context() as patch:
            for owner, name in STEPS:
                patch.setattr(owner, name, self.step(getattr(owner, name)))
            patch.setattr("handread.tables.store.shutil.rmtree", self.step(shutil.rmtree))
            with contextlib.suppress(DeadError, KeyboardInterrupt, RunError):
                action()
        return self.left < 0


STEPS = [
    (Path, "rename"),
    (Path, "replace"),
    (Path, "unlink"),
    (Path, "mkdir"),
    (Path, "write_text"),
    (Path, "write_bytes"),
    (pl.DataFrame, "write_parquet"),
]


STRIDE = 1 if is_thorough() else 7
"""Of the steps that a run may fail at, each is tried, or every seventh."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log that is to be written, beside another of a hand, which shares a part with it."""
    (another,) = handread.simulate_games(1, seats=3, seed=6)
    (tmp_path / "other.stud").write_text(text_of([another.history]))
    return tmp_path / "log.stud"


@pytest.mark.dear("killed at every seventh of some hundred steps")
def test_killed_at_any_step_and_resumed_the_tables_are_the_same(
    log: Path, scorer: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log is scored, grows at its end and is scored again: killed at the steps of both.

    The other log is not named the second time.
    """
    small_pieces(monkeypatch, size=900)
    other, out = log.with_name("other.stud"), log.with_name("out")

    def first() -> None:
        log.write_bytes(text_of(games()[:5]).encode())
        score([other, log], out, scorer, resume=True)

    def second() -> None:
        log.write_bytes(text_of(games()).encode())
        score([log], out, scorer, resume=True)

    first()
    second()
    expected = tables(out)
    assert expected[HANDS].height == len(games()) + 1
    steps, kills = 0, 0
    while True:
        shutil.rmtree(out)
        killed = Failing(steps, DeadError, after=False, once=False).run(first)
        if killed:
            first()
        assert tables(out)[HANDS].height == 6
        killed_later = Failing(steps, DeadError, after=False, once=False).run(second)
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
    log: Path,
    scorer: Once,
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException],
    after: bool,
) -> None:
    """An interrupt, or a disk that is full for a moment, before and after each step."""
    small_pieces(monkeypatch, size=500, part=2)
    other, out = log.with_name("other.stud"), log.with_name("out")
    log.write_text(text_of(games()[:3]))
    score([other, log], out, scorer)
    begun = shutil.copytree(out, log.with_name("begun"))
    log.write_text(text_of(games()[1:5]))
    expected = None
    for step in range(int(not after) % STRIDE, 1000, STRIDE):
        shutil.rmtree(out)
        shutil.copytree(begun, out)
        failed = Failing(step, error, after, once=True).run(
            lambda: score([log], out, scorer, resume=True)
        )
        found = tables(out)[HANDS]
        assert not found.select("file", "line").is_duplicated().any()
        assert (found["file"] == str(other)).sum() == 1
        score([log], out, scorer, resume=True)
        expected = tables(out) if expected is None else expected
        assert_same(tables(out), expected)
        assert expected[HANDS].height == 5
        if not failed:
            break
    assert step > 20


@pytest.mark.thorough
def test_an_interrupted_run_leaves_tables_that_can_be_read(
    logs: list[Path], whole: Frames, tmp_path: Path, scorer: Once
) -> None:
    class Stopped(Once):
        def share(self, work: Any, jobs: Any) -> Any:
            for n, done in enumerate(scorer.share(work, jobs)):
                if n == 1:
                    raise KeyboardInterrupt
                yield done

    with pytest.raises(KeyboardInterrupt):
        score(logs, tmp_path / "out", Stopped())
    found = open_tables(tmp_path / "out")
    assert 0 < found.count(PIECES) < whole[PIECES].height
    assert not found.unfinished
    score(logs, tmp_path / "out", scorer, resume=True)
    assert_same(tables(tmp_path / "out"), whole)


def test_a_folder_is_not_taken_for_other_tables(tmp_path: Path) -> None:
    out, full = tmp_path / "out", tmp_path / "full"
    busy = pytest.raises(RunError, match="another run is using it")
    with open_store(out, RECORD, resume=False), busy, open_store(out, RECORD, True):
        pass
    full.mkdir()
    (full / "letter.txt").write_text("dear")
    for folder, terms, resume, told in (
        (out, RECORD, False, "--resume adds to them"),
        (out, {**RECORD, "ties": "paper"}, True, "these tables have --ties split"),
        (full, RECORD, True, "other files"),
    ):
        with pytest.raises(RunError, match=told), open_store(folder, terms, resume):
            pass
    assert fault_of(full) == f"{full}: is not a folder of tables made by handread score"


def fault_of(out: Path) -> str:
    """What is said against the tables of a folder; empty where they open."""
    try:
        open_tables(out)
    except RunError as error:
        return str(error)
    return ""


@pytest.fixture
def out(logs: list[Path], tmp_path: Path, scorer: Once) -> Path:
    """Tables of one log in one part."""
    score(logs[2:3], tmp_path / "out", scorer)
    return tmp_path / "out"


def test_damage_is_named_and_mended_without_the_part(
    out: Path, logs: list[Path], scorer: Once
) -> None:
    for table in TABLES:
        found = [*out.glob(f"{table}/**/part-*.parquet")]
        assert bool(found) == (table != REJECTS)
        for path in found:
            data = path.read_bytes()
            path.write_bytes(b"PAR1" if table == PIECES else data[: len(data) // 2])
            pieces = out / PIECES / path.name
            fault = fault_of(out)
            assert fault.startswith(f"{path}: is missing or damaged; remove {pieces}, and")
            with pytest.raises(RunError) as error:
                score(logs[2:3], out, scorer, resume=True)
            assert str(error.value) == fault
            pieces.unlink()
            score(logs[2:3], out, scorer, resume=True)
            assert tables(out)[HANDS].height == 3


def test_nobody_is_told_to_remove_tables_of_another_version(out: Path) -> None:
    (path,) = out.glob("hands/variant=stud/part-*.parquet")
    pl.read_parquet(path, hive_partitioning=False).drop("seats").write_parquet(path)
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


@pytest.mark.thorough
def test_no_flipped_bit_in_a_part_goes_unnoticed(out: Path) -> None:
    rng, unnoticed = Random(6), 0
    for table in TABLES:
        paths = [*out.glob(f"{table}/**/part-*.parquet")]
        if not paths:
            continue
        (path,) = paths
        data, rows = path.read_bytes(), open_tables(out).scan(table).collect()
        for place in rng.sample(range(len(data)), 60):
            torn = bytearray(data)
            torn[place] ^= 1 << rng.randrange(8)
            path.write_bytes(torn)
            fault = fault_of(out)
            if fault:
                assert fault.startswith(f"{path}: is missing or damaged; remove {out}/pieces/part-")
            else:  # the mark of the checksum was hit
                unnoticed += 1
                assert_frame_equal(open_tables(out).scan(table).collect(), rows)
        path.write_bytes(data)
    assert unnoticed < 0.05 * 60 * len(TABLES)
