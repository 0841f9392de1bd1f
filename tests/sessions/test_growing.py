"""A log that is read piece by piece while it is written."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from handread.history import History, Problem
from handread.sessions import growing
from handread.sessions.files import ReadSettings
from handread.sessions.growing import QUIET_SECONDS, Found, GrowingLog
from tests.program import ROOT, SAMPLES

TEXT = (SAMPLES / "simulated-pokerstars.txt").read_text(encoding="utf-8")
LOG = (SAMPLES / "pokerstars.txt").read_text(encoding="utf-8")
SECOND = LOG.rindex("PokerStars ")
HALF = LOG[: SECOND + (len(LOG) - SECOND) // 2]
"""The first hand, and half of the second."""


def aged(path: Path) -> None:
    """Make a file look as if nobody had written to it for long."""
    past = time.time() - 10 * QUIET_SECONDS
    os.utime(path, (past, past))


def reading(new: Found) -> History | Problem | None:
    return new.problem if new.played is None else new.played.history


@pytest.mark.parametrize("step", [777, 2000])
def test_hands_appear_once_each_and_whole(tmp_path: Path, step: int) -> None:
    """However the log is cut, nothing is shown of a hand that is still being written."""
    path, text = tmp_path / "log.txt", TEXT[:20_000]
    path.write_text(text, encoding="utf-8")
    aged(path)
    whole = list(GrowingLog("log.txt", ReadSettings(), path).fresh())
    source, found = GrowingLog("log.txt", ReadSettings(), path), list[Found]()
    for end in range(step, len(text) + step, step):
        path.write_text(text[:end], encoding="utf-8")
        found += source.fresh()
    aged(path)
    found += source.fresh()
    latest = {one.line: one for one in found}
    assert [reading(latest[line]) for line in sorted(latest)] == [reading(one) for one in whole]
    assert all(one.is_whole for one in found[:-1])
    assert list(source.fresh()) == []


def test_half_a_hand_waits_for_the_rest_and_not_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(HALF, encoding="utf-8")
    source = GrowingLog("log.txt", ReadSettings(), path)
    first = list(source.fresh())
    assert source.waits
    aged(path)
    rest = list(source.fresh())
    assert not source.waits
    assert len(first) + len(rest) == 2
    assert not rest[-1].is_whole


def test_a_file_that_goes_is_said_once(tmp_path: Path) -> None:
    source = GrowingLog("gone.txt", ReadSettings(), tmp_path / "gone.txt")
    (found,) = source.fresh()
    assert "cannot be read" in str(found.problem)
    assert list(source.fresh()) == []


def test_a_pipe_in_the_place_of_a_log_stops_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(LOG, encoding="utf-8")
    aged(path)
    source = GrowingLog("log.txt", ReadSettings(), path)
    assert len(list(source.fresh())) == 2
    path.unlink()
    os.mkfifo(path)
    (found,) = source.fresh()
    assert str(found.problem) == "log.txt:0:0: cannot be read: it is no regular file"
    path.unlink()
    path.write_text(LOG, encoding="utf-8")
    aged(path)
    assert [(one.line, reading(one)) for one in source.fresh()] == [(0, None)]


def test_a_log_of_a_clock_that_is_ahead_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.txt"
    path.write_text(HALF, encoding="utf-8")
    os.utime(path, (time.time() + 9999, time.time() + 9999))
    source = GrowingLog("log.txt", ReadSettings(), path)
    assert len(list(source.fresh())) == 1
    assert source.waits
    later = time.monotonic() + QUIET_SECONDS
    monkeypatch.setattr(growing.time, "monotonic", lambda: later)
    assert len(list(source.fresh())) == 1
    assert not source.waits


def test_a_log_that_is_being_written_anew_keeps_its_hands(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(LOG, encoding="utf-8")
    aged(path)
    source = GrowingLog("log.txt", ReadSettings(), path)
    assert len(list(source.fresh())) == 2
    path.write_text("", encoding="utf-8")
    assert list(source.fresh()) == []
    assert source.waits
    path.write_text(LOG, encoding="utf-8")
    assert list(source.fresh()) == []
    assert not source.waits


EVENING = (ROOT / "docs" / "first-evening.txt").read_text(encoding="utf-8")
"""A log of several pieces, if they are small."""

POKERSTARS = ReadSettings("pokerstars")


def test_half_a_hand_above_others_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One whose end is gone, and below which nothing is new, is shown when all is quiet."""
    monkeypatch.setattr(growing, "DETECTION_SIZE", 5_000)
    path, (first, rest) = tmp_path / "log.txt", EVENING.split("\n\n\n", 1)
    path.write_text(EVENING, encoding="utf-8")
    aged(path)
    source = GrowingLog("log.txt", POKERSTARS, path)
    assert len(list(source.fresh())) == 60
    lines = first.split("\n")
    for number in range(len(lines) // 2, len(lines)):
        lines[number] = ""
    path.write_text("\n\n\n".join(["\n".join(lines), rest]), encoding="utf-8")
    assert list(source.fresh()) == []
    assert source.waits
    aged(path)
    (found,) = source.fresh()
    assert found.played is not None
    assert not found.is_whole


@pytest.mark.parametrize("before", [0, 10])
def test_hands_before_a_fault_of_the_disk_are_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    monkeypatch.setattr(growing, "DETECTION_SIZE", 5_000)
    path, pieces = tmp_path / "log.txt", growing.LogReader.pieces
    path.write_text("\n\n\n".join(EVENING.split("\n\n\n")[:before]), encoding="utf-8")
    aged(path)
    source = GrowingLog("log.txt", POKERSTARS, path)
    found = list(source.fresh()) if before else []
    path.write_text(EVENING, encoding="utf-8")
    aged(path)
    whole = list(GrowingLog("log.txt", POKERSTARS, path).fresh())

    def broken(log: growing.LogReader, size: int) -> Iterator[object]:
        for number, piece in enumerate(pieces(log, size)):
            if number == 9:
                raise OSError(5, "Input/output error")
            yield piece

    with monkeypatch.context() as patch:
        patch.setattr(growing.LogReader, "pieces", broken)
        found += source.fresh()
    assert "Input/output error" in str(found[-1].problem)
    assert len(found) < 60
    found += source.fresh()
    latest = {one.line: reading(one) for one in found}
    assert latest.pop(0) is None
    assert [latest[line] for line in sorted(latest)] == [reading(one) for one in whole]
