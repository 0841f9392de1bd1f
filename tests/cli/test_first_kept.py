"""What ``handread LOG...`` has read is kept, and only what is new is read the next time."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from handread import user_cache
from handread.cli import first, first_kept
from handread.game.steps import Replay
from handread.session_analyzer import SessionAnalyzer, SessionHand
from tests.program import ROOT, SAMPLES, Done, run_here

EVENING = (ROOT / "docs" / "first-evening.txt").read_text("utf-8").split("\n\n\n")
HANDS = [EVENING[n] for n in (0, 8, 9, 10, 11)]
"""Hands of the evening that end soon."""


@pytest.fixture(autouse=True)
def kept_at_once(folders_of_its_own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what is kept, also of the shortest logs and after every hand."""
    monkeypatch.setattr(first_kept, "LEAST_KEPT", 1)
    monkeypatch.setattr(user_cache, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(user_cache, "PAUSE_SHARE", 0.0)
    return folders_of_its_own


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lines of the hands that are read from now on."""
    found: list[int] = []
    analyze: Callable[[SessionAnalyzer, Replay], SessionHand] = SessionAnalyzer.analyze

    def noted(self: SessionAnalyzer, played: Replay) -> SessionHand:
        found.append(played.history.source.line)
        return analyze(self, played)

    monkeypatch.setattr(SessionAnalyzer, "analyze", noted)
    return found


def written(log: Path, *hands: str) -> str:
    log.write_text("\n\n\n".join(hands) + "\n", "utf-8")
    return str(log)


def anew(kept: Path, *words: str) -> Done:
    """The output when nothing has been kept."""
    shutil.rmtree(kept, ignore_errors=True)
    return run_here(*words)


def test_a_second_look_reads_nothing(tmp_path: Path, kept_at_once: Path, read: list[int]) -> None:
    log = written(tmp_path / "night.txt", *HANDS[:3])
    told = run_here(log)
    assert told.stdout.startswith("3 hands ")
    assert len(read) == 3
    assert run_here(log) == told
    assert len(read) == 3
    assert len(list(kept_at_once.glob("first-*"))) == 1


def test_of_a_log_that_grows_only_new_hands_are_read(
    tmp_path: Path, kept_at_once: Path, read: list[int]
) -> None:
    log = tmp_path / "night.txt"
    run_here(written(log, *HANDS[:2]))
    read.clear()
    grown = run_here(written(log, *HANDS))
    assert read == [1 + sum(part.count("\n") + 3 for part in HANDS[:n]) for n in (2, 3, 4)]
    assert run_here(str(log)) == grown == anew(kept_at_once, str(log))


@pytest.mark.thorough
def test_a_log_that_says_something_else_is_read_anew(
    tmp_path: Path, kept_at_once: Path, read: list[int]
) -> None:
    log = tmp_path / "night.txt"
    run_here(written(log, *HANDS[:3]))
    for changed in (HANDS[1:4], HANDS[:2], [HANDS[0].replace("duckpond", "duck"), *HANDS[1:3]]):
        read.clear()
        told = run_here(written(log, *changed))
        assert len(read) == len(changed)
        assert told == anew(kept_at_once, str(log))


def test_half_a_hand_at_the_end_is_read_again(
    tmp_path: Path, kept_at_once: Path, read: list[int]
) -> None:
    log = tmp_path / "night.txt"
    half = HANDS[2][: HANDS[2].index("*** 5th STREET")]
    assert run_here(written(log, *HANDS[:2], half)).stdout.startswith("3 hands ")
    read.clear()
    whole = run_here(written(log, *HANDS[:3]))
    assert len(read) == 1
    assert whole == anew(kept_at_once, str(log))


def test_what_was_read_before_ctrl_c_is_kept(
    tmp_path: Path, kept_at_once: Path, monkeypatch: pytest.MonkeyPatch, read: list[int]
) -> None:
    log = written(tmp_path / "night.txt", *HANDS[:4])
    noted = SessionAnalyzer.analyze

    def interrupted(self: SessionAnalyzer, played: Replay) -> SessionHand:
        if len(read) == 2:
            raise KeyboardInterrupt
        return noted(self, played)

    monkeypatch.setattr(SessionAnalyzer, "analyze", interrupted)
    stopped = run_here(log)
    assert (stopped.returncode, stopped.stdout) == (130, "")
    assert "the work done is kept; give the same command again to resume" in stopped.said
    monkeypatch.setattr(SessionAnalyzer, "analyze", noted)
    told = run_here(log)
    assert len(read) == 4
    assert told == anew(kept_at_once, log)


def test_a_damaged_file_costs_only_time(
    tmp_path: Path, kept_at_once: Path, read: list[int]
) -> None:
    log = written(tmp_path / "night.txt", *HANDS[:2])
    told = run_here(log)
    (kept,) = kept_at_once.glob("first-*")
    kept.write_bytes(kept.read_bytes()[:-9])
    assert run_here(log) == told
    assert len(read) == 4


def test_what_is_left_out_is_counted_again(tmp_path: Path, read: list[int]) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    shutil.copy(SAMPLES / "broken-turn.stud", logs / "broken.stud")
    written(logs / "night.txt", *HANDS[:2])
    (logs / "words.txt").write_text("These are words.\n")
    told = run_here(str(logs))
    assert (told.returncode, told.stderr) == (1, "")
    assert "Hands left out: 1 refused, 1 not understood" in " ".join(told.stdout.split())
    read.clear()
    assert run_here(str(logs)) == told
    assert read == []


@pytest.mark.thorough
def test_each_hero_and_each_log_is_kept_apart(
    tmp_path: Path, kept_at_once: Path, read: list[int]
) -> None:
    log, other = written(tmp_path / "night.txt", HANDS[0]), written(tmp_path / "day.txt", HANDS[0])
    hero, twice = ("--hero", "Rooster_21"), ("--keep-repeated",)
    looks = [(log,), (log, *hero), (other,), (log, other), (log, other, *twice), (f"{log}:3",)]
    told = [run_here(*look) for look in looks]
    assert len(list(kept_at_once.glob("first-*"))) == len(looks)
    read.clear()
    assert [run_here(*look) for look in looks] == told
    assert read == []
    assert run_here("-", stdin=HANDS[0]).returncode == 0
    assert len(list(kept_at_once.glob("first-*"))) == len(looks)


def test_ctrl_c_while_it_is_kept_leaves_no_draft(
    tmp_path: Path, kept_at_once: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    log = written(tmp_path / "night.txt", *HANDS[:2])
    monkeypatch.setattr(Path, "replace", press)
    assert run_here(log).returncode == 130
    assert [one for one in kept_at_once.iterdir() if one.name.startswith("first-")] == []


def test_without_space_nothing_is_kept(
    tmp_path: Path, kept_at_once: Path, monkeypatch: pytest.MonkeyPatch, read: list[int]
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    log = written(tmp_path / "night.txt", *HANDS[:2])
    monkeypatch.setattr(first_kept, "keep", refuse)
    told = run_here(log)
    assert (told.returncode, told.stderr) == (0, "")
    assert run_here(log) == told
    assert len(read) == 4


def test_other_hands_after_those_known_start_the_second_process_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would cost a second for nothing if all hands are known."""
    started: list[int] = []
    monkeypatch.setattr(first, "LEAST_HANDS", 2)
    monkeypatch.setattr(first, "usable_cores", lambda: 2)
    monkeypatch.setattr(first.Helpers, "warm", lambda *_: started.append(1))
    log = tmp_path / "night.txt"
    for hands, wanted in ((HANDS[:2], 1), (HANDS[:2], 1), (HANDS[:3], 1), (HANDS, 2)):
        run_here(written(log, *hands))
        assert len(started) == wanted
