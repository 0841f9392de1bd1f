"""Files that the program reads back, and that somebody else has written, or that are damaged."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from docs.site.decision_calibration import _KeptDecision as KeptDecisions
from handread.cli import valuing
from handread.cli.simulate import histories
from handread.decisions.decision_values import DecisionValue
from handread.parallel import Part, RunError, StoredJobs
from handread.runs import Run
from handread.sessions.page_files import kept_hands
from handread.study.fit.sample import Sample
from handread.study.fit.value_games import GameData
from handread.study.scores import HandScores
from handread.study.sums import Sums
from handread.typed import packed, read_typed
from handread.user_cache import keep, load
from tests.planted import bombs, damages

READERS: dict[str, Callable[[Part], object]] = {
    "decisions": lambda part: read_typed(list[valuing.Valued], part.file),
    "decisions by rollouts": lambda part: read_typed(
        list[tuple[int, dict[int, DecisionValue]]], part.file
    ),
    "report": kept_hands,
    "evaluate": lambda part: read_typed(list[HandScores], part.file),
    "experiment": lambda part: Sums.load([part.file]),
    "fit": lambda part: Sample.load(part.file),
    "fit-values": lambda part: read_typed(GameData, part.file),
    "simulate": lambda part: list(histories([part.file])),
    "decision_calibration": lambda part: read_typed(KeptDecisions, part.file),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_planted_part_runs_no_code(read: Callable[[Part], object], tmp_path: Path) -> None:
    file, made = tmp_path / "000000000-1", tmp_path / "made"
    for bomb in bombs(made):
        file.write_bytes(bomb)
        with pytest.raises(RunError, match=r"000000000-1: this part does not fit this run"):
            read(Part(range(1), file, ()))
    assert not made.exists()


def _moments(n: int, shape: list[int]) -> dict[str, Any]:
    return {"deals": [n, [shape, [0.0, 0.0]], [[1, 2], [0.0, 0.0]]]}


ODD = {
    "garbage": ("simulate", ["garbage\n"]),
    "a number below 0": ("experiment", [1, _moments(-1, [2]), {}]),
    "another shape": ("experiment", [1, _moments(1, [2]), {}]),
    "no vector": ("experiment", [1, _moments(1, [2, 1]), {}]),
    "a short row": ("decision_calibration", [[[0, 0, 1.0]], []]),
    "a long ledger": ("decision_calibration", [[], [[0, 0, 0, 0]]]),
}


@pytest.mark.parametrize(("name", "content"), ODD.values(), ids=ODD)
def test_an_odd_part_is_named(name: str, content: Any, tmp_path: Path) -> None:
    """Whatever its digest says."""
    file = tmp_path / "000000000-1"
    file.write_bytes(packed(content))
    with pytest.raises(RunError, match=r"000000000-1: this part does not fit this run"):
        READERS[name](Part(range(1), file, ()))


def test_sums_of_parts_that_differ_are_refused(tmp_path: Path) -> None:
    files = [tmp_path / "1", tmp_path / "2"]
    for size, file in enumerate(files, 1):
        sums = Sums()
        sums.add("deals", [1.0] * size)
        sums.save(file)
    with pytest.raises(RunError, match="2: this part does not fit this run"):
        Sums.load(files)
    with pytest.raises(RunError, match="deals: parts do not fit this run"):
        Sums.load(files[:1]).of("deals", 2)


def write(jobs: Iterable[Any], path: Path) -> None:
    path.write_text(" ".join(map(str, jobs)))


def test_a_damaged_part_is_made_anew(tmp_path: Path) -> None:
    run = Run(resume=tmp_path)
    with run.parts(write, 12) as parts:
        first = [part.file.read_bytes() for part in parts]
    for damage in damages(first[1]):
        parts[1].file.write_bytes(damage)
        with run.parts(write, 12) as again:
            assert [part.file.read_bytes() for part in again] == first
    beside = tmp_path / f"{parts[0].file.name}.sha256"
    for damage in damages(beside.read_bytes()):
        beside.write_bytes(damage)
        with run.parts(write, 12) as again:
            assert [part.file.read_bytes() for part in again] == first


def test_only_jobs_that_were_stored_are_unpickled(tmp_path: Path) -> None:
    """None of a folder that was there before, as that of a run that is resumed."""
    made = tmp_path / "made"
    for name in ("0", "5", "jobs-0", "jobs-abc"):
        (tmp_path / name).write_bytes(bombs(made)[0])
    stored = StoredJobs.store(range(5), tmp_path)
    assert list(stored) == list(stored[0:5]) == list(range(5))
    assert stored.folder.stat().st_mode & 0o777 == 0o700
    assert list(StoredJobs.store([], tmp_path)) == []
    assert not made.exists()


def test_a_file_of_the_cache_that_another_user_wrote_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kernel.kept"
    keep(file, pickle.dumps(3))
    assert load(file) == 3
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert load(file) is None
    assert not file.exists()


def test_damaged_files_of_the_cache_are_made_anew(tmp_path: Path) -> None:
    file = tmp_path / "kernel.kept"
    keep(file, pickle.dumps([3] * 9))
    assert file.stat().st_mode & 0o777 == 0o600
    for damage in damages(file.read_bytes()):
        file.write_bytes(damage)
        assert load(file) is None
        assert not file.exists()
    keep(file, b"no pickle, whatever its digest says")
    assert load(file) is None
    assert load(tmp_path) is None
    assert tmp_path.exists()
