"""Hands that were read before cost only parsing, whatever became of their logs since."""

from __future__ import annotations

import random
import re
import signal
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from pathlib import Path

import pytest

from handread.report.index import IndexRow
from handread.sessions import parts
from handread.sessions.analyzing import HandView
from handread.sessions.counts import Fate
from handread.sessions.reading import ReadHand
from handread.sessions.store import HandStore
from handread.window import reading
from handread.window.work import read
from tests.program import ROOT, SAMPLES
from tests.window.conftest import Window, workshop
from tests.window.test_command import Reader, opened

LOG = (SAMPLES / "pokerstars.txt").read_text(encoding="utf-8")
EVENING = (ROOT / "docs" / "first-evening.txt").read_text(encoding="utf-8").split("\n\n\n")[:4]
"""The first hands of an evening."""


class Start:
    """A window on some logs, from its start until all is read.

    Attributes:
        read: The ids of the hands that were not kept.
    """

    def __init__(
        self, place: Path | None, *logs: Path, values: bool = False, policy: str = "people"
    ) -> None:
        self.read: list[str] = []
        self.shop = workshop(values, policy=policy)
        store = HandStore(place)
        with pytest.MonkeyPatch.context() as patch, self.shop.running():
            patch.setattr(parts, "user_store", lambda: store)
            patch.setattr(reading, "read", self._read)
            for log in logs:
                self.shop.add_file(log, log.name, 0.0)
            Window(self.shop).settle()
        store.close()
        self.listing = self.shop.library.listing()

    @property
    def rows(self) -> list[IndexRow]:
        return list(self.listing.rows)

    def _read(self, view: HandView, data: bytes) -> ReadHand:
        found = read(view, data)
        self.read.append(found.played.history.hand_id)
        return found


def ids(hands: list[str]) -> list[str]:
    return re.findall(r"#([0-9]+):", "".join(hands))


def written(path: Path, *hands: str) -> Path:
    path.write_text("\n\n\n".join([*hands, ""]), encoding="utf-8")
    return path


@pytest.mark.dear("two hands are read, and their decisions valued")
def test_a_second_start_reads_nothing_anew(tmp_path: Path) -> None:
    log, place = written(tmp_path / "night.txt", *EVENING[:2], "no hand", LOG, LOG), tmp_path / "k"
    first = Start(place, log, values=True)
    assert first.read[:2] == ids(EVENING[:2])
    assert all(row.worth is not None for row in first.rows)
    second = Start(place, log, values=True)
    assert second.read == []
    assert second.rows == first.rows
    assert second.listing == first.listing
    assert second.listing.left_out == "2 repeated"


@pytest.mark.thorough
@pytest.mark.parametrize("policy", ["people", ""])
def test_a_log_that_grew_costs_only_its_new_hands(tmp_path: Path, policy: str) -> None:
    """All is as if there had been no break, what was learned of the players too."""
    log, place = written(tmp_path / "night.txt", EVENING[0]), tmp_path / "k"
    first = Start(place, log, policy=policy)
    written(log, *EVENING[:3])
    other = written(tmp_path / "other.txt", EVENING[0], LOG)
    second = Start(place, log, other, policy=policy)
    assert second.rows[:1] == first.rows
    assert second.read[:2] == ids(EVENING[1:3])
    assert len(second.read) == 4
    assert second.listing.left_out == "1 repeated"
    whole = Start(tmp_path / "w", log, other, policy=policy)
    assert whole.read == [*ids(EVENING[:1]), *second.read]
    assert second.rows == whole.rows


@pytest.mark.thorough
def test_a_log_that_moved_or_lost_hands_costs_nothing(tmp_path: Path) -> None:
    log, place = written(tmp_path / "night.txt", *EVENING[:3]), tmp_path / "k"
    first = Start(place, log)
    moved = log.rename(tmp_path / "moved.txt")
    second = Start(place, moved)
    assert second.read == []
    assert [row.source for row in second.rows] == ["moved.txt"] * 3
    assert [row.key for row in second.rows] == [row.key for row in first.rows]
    third = Start(place, written(moved, *EVENING[:2]))
    assert third.read == []
    assert third.rows == second.rows[:2]


def test_what_went_wrong_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies costs its hand alone, and only until the next start."""
    log, place = written(tmp_path / "night.txt", *EVENING[:3]), tmp_path / "k"

    def broken(start: Start, view: HandView, data: bytes) -> ReadHand:
        found = read(view, data)
        if found.played.history.hand_id in ids(EVENING[1:2]):
            raise BrokenProcessPool("it died")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Start, "_read", broken)
        first = Start(None, log)
    assert [row.number for row in first.rows] == [1, 3]
    assert "the process that worked on it died" in first.listing.reasons[Fate.UNANALYZED][0]
    far = first.shop.library.progress()  # of the hands that are shown
    assert (far.found, far.read, far.reading) == (2, 2, False)
    assert len(Start(place, log).rows) == 3


def test_an_error_before_a_process_has_a_hand_costs_that_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(reading, "kept_hand", wrong)
    log = written(tmp_path / "night.txt", EVENING[0])
    assert len(Start(tmp_path / "k", log).rows) == 1
    monkeypatch.setattr(Start, "_read", wrong)
    reasons = Start(tmp_path / "k", log).listing.reasons
    assert "ZeroDivisionError" in reasons[Fate.UNANALYZED][0]


@pytest.mark.dear("a window is started again for each damage")
def test_a_damaged_store_costs_only_time(tmp_path: Path) -> None:
    log, place = written(tmp_path / "night.txt", *EVENING[:2]), tmp_path / "k"
    first = Start(place, log)
    whole, chance = place.read_bytes(), random.Random(1)
    for damage in (b"", b"no database at all" * 100, whole[:9000]):
        place.write_bytes(damage)
        assert Start(place, log).rows == first.rows
    for _ in range(8):
        changed = bytearray(whole)
        for at in chance.sample(range(len(whole)), 40):
            changed[at] ^= 1 << chance.randrange(8)
        place.write_bytes(changed)
        assert Start(place, log).rows == first.rows
    place.write_bytes(whole)
    with closing(sqlite3.connect(place)) as database, database:
        database.execute("UPDATE records SET data = zeroblob(length(data))")
    again = Start(place, log)
    assert again.read == first.read
    assert again.rows == first.rows
    nowhere = tmp_path / "no folder" / "k"
    assert Start(nowhere, log).rows == first.rows
    assert not nowhere.exists()


@pytest.mark.dear("two windows read the same logs")
def test_two_windows_show_the_same(tmp_path: Path) -> None:
    log, place = written(tmp_path / "night.txt", *EVENING, LOG), tmp_path / "k"
    store = HandStore(place)
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as both:
        patch.setattr(parts, "user_store", lambda: store)
        one, other = both.map(lambda _: listed(log), range(2))
    assert one == other == Start(tmp_path / "w", log).rows
    assert Start(place, log).read == []


def listed(log: Path) -> list[IndexRow]:
    """The rows of a window."""
    shop = workshop(policy="people")
    with shop.running():
        shop.add_file(log, log.name, 0.0)
        Window(shop).settle()
    return list(shop.library.listing().rows)


@pytest.mark.dear("the program starts twice, and reads hands until it is killed")
@pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent to a process there")
def test_a_window_may_be_killed_at_any_time(tmp_path: Path) -> None:
    log = written(tmp_path / "night.txt", *EVENING)
    for hands in (1, len(EVENING)):
        with opened(str(log)) as (program, address):
            found = Reader(address).pages(lambda _, names, hands=hands: len(names) >= hands)
            program.send_signal(signal.SIGKILL)
            program.wait(20)
    assert [name.partition("-")[2] for name in found] == [f"{one}.html" for one in ids(EVENING)]
