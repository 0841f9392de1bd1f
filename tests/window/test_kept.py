"""What was read is kept until the next start, and read again where its log says something else."""

from __future__ import annotations

import re
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from handread import user_cache
from handread.readers import load_reader
from handread.report.index import IndexRow
from handread.typed import plain
from handread.user_cache import MOST_FILES
from handread.window import reading
from handread.window.kept import Kept, KeptSession, kept_session
from handread.window.library import KeptHand
from handread.window.reading import STEP_SECONDS
from handread.window.watching import keep_log
from handread.window.work import ReadHand, read_hand
from tests.planted import bombs
from tests.program import ROOT, SAMPLES
from tests.window.conftest import Window, columns_of, workshop

LOG = (SAMPLES / "pokerstars.txt").read_text(encoding="utf-8")
EVENING = (ROOT / "docs" / "first-evening.txt").read_text(encoding="utf-8").split("\n\n\n")[:4]
"""The first hands of an evening."""


@pytest.fixture(autouse=True)
def kept_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_cache, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(user_cache, "PAUSE_SHARE", 0.0)


class Start:
    """A window on some logs, from its start until all is read, valued and kept."""

    def __init__(
        self, place: Path, *logs: Path, values: bool = False, policy: str = "people"
    ) -> None:
        self.read: list[int] = []
        self.kept = Kept(place)
        shop = workshop(values, self.kept, policy=policy)
        shop.recall()
        shop.restore()
        self.recalled = self._rows(shop)
        with pytest.MonkeyPatch.context() as patch, shop.running():
            patch.setattr(reading, "read_hand", self._read)
            for log in logs:
                shop.add_file(log, log.name)
            window = Window(shop)
            window.settle()
            while values and shop.library.progress().valued < shop.library.progress().shown:
                time.sleep(0.01)
            while self.kept.is_due() and self.kept.revision != shop.library.revision:
                time.sleep(0.01)
        self.rows = self._rows(shop)
        self.listing = shop.library.listing()
        self.valued = shop.library.progress().valued

    def _read(self, rendering: Any, data: bytes) -> ReadHand:
        found = read_hand(rendering, data)
        assert found.row is not None
        self.read.append(found.row.number)
        return found

    @staticmethod
    def _rows(shop: reading.Workshop) -> list[dict[str, Any]]:
        rows: list[IndexRow] = list(shop.library.listing().rows)
        return [plain(row) for row in rows]


def written(path: Path, *hands: str) -> Path:
    path.write_text("\n\n\n".join([*hands, ""]), encoding="utf-8")
    return path


@pytest.mark.dear("a window is started twice")
def test_a_second_start_reads_nothing_anew(tmp_path: Path) -> None:
    log, place = written(tmp_path / "night.txt", *EVENING[:2], "no hand", LOG, LOG), tmp_path / "k"
    first = Start(place, log, values=True)
    assert first.read
    second = Start(place, log, values=True)
    assert second.read == []
    assert second.recalled == second.rows == first.rows
    assert second.listing == first.listing
    assert second.listing.repeated == 2
    assert second.valued == first.valued == len(first.rows)


@pytest.mark.thorough
def test_the_first_page_is_there_before_the_hands(tmp_path: Path) -> None:
    log, held = written(tmp_path / "night.txt", *EVENING), Kept(tmp_path / "k")
    shop = workshop(kept=held)
    with shop.running():
        shop.add_file(log, log.name)
        window = Window(shop)
        window.settle()
        page, rows = window.get("/"), window.news()["rows"]
        while shop.front != page or held.revision != shop.library.revision:
            time.sleep(0.01)
        time.sleep(2 * STEP_SECONDS)  # the page is kept even if no hand has changed
    assert f"{len(EVENING)} hands" in page
    again = workshop(kept=Kept(tmp_path / "k"))
    again.recall()
    window = Window(again)
    assert window.get("/") == page
    assert again.library.listing().rows == []
    for file in re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', page):
        assert window.get(f"/{file}") != ""
    with ThreadPoolExecutor(1) as other:
        news = other.submit(window.client.get, "/news", params={"columns": columns_of(page)})
        time.sleep(0.1)
        assert not news.done()
        again.restore()
        assert news.result(timeout=30).json()["rows"] == rows
    assert window.get("/") == page


@pytest.mark.thorough
def test_what_is_new_is_read_as_if_there_had_been_no_break(tmp_path: Path) -> None:
    """Numbers go on, hands that came before are known, and what was learned of the players is."""
    log, place = written(tmp_path / "night.txt", EVENING[0]), tmp_path / "k"
    first = Start(place, log)
    written(log, *EVENING[:3])
    other = written(tmp_path / "other.txt", EVENING[0], LOG)
    second = Start(place, log, other)
    assert second.recalled == first.rows
    assert second.read == [2, 3, 4, 5]
    assert second.listing.repeated == 1
    whole = Start(tmp_path / "w", log, other)
    assert whole.read == [1, 2, 3, 4, 5]
    assert second.rows == whole.rows


@pytest.mark.thorough
@pytest.mark.parametrize("change", ["changed", "gone"])
def test_a_log_that_says_something_else_is_read_anew(tmp_path: Path, change: str) -> None:
    log, place = written(tmp_path / "night.txt", *EVENING[:2]), tmp_path / "k"
    other = written(tmp_path / "other.txt", EVENING[2])
    Start(place, log, other)
    if change == "gone":
        log.unlink()
        assert len(Start(place, other).rows) == 1
    else:
        written(log, EVENING[1])
        second = Start(place, log, other)
        assert second.recalled == []
        assert second.read == [1, 2]


@pytest.mark.thorough
def test_a_damaged_file_costs_only_time(tmp_path: Path) -> None:
    log, place = written(tmp_path / "night.txt", EVENING[0]), tmp_path / "k"
    first = Start(place, log)
    for damage in (b"", b"no database at all" * 100, place.read_bytes()[:9000]):
        place.write_bytes(damage)
        assert Start(place, log).rows == first.rows
        assert Start(place, log).read == []
    nowhere = tmp_path / "no folder" / "k"
    assert Start(nowhere, log).rows == first.rows
    assert not nowhere.exists()


def kept_in(place: Path) -> Kept:
    kept = Kept(place)
    session = KeptSession([], load_reader("people"), {}, b"rest", "front")
    kept.save(session, 1, [KeptHand(1, b"shown", b"data", None), KeptHand(2, b"", b"more", b"v")])
    return kept


@pytest.mark.parametrize("column", ["hands.shown", "hands.data", "hands.valued", "saved.session"])
def test_a_changed_byte_is_never_shown(tmp_path: Path, column: str) -> None:
    place = tmp_path / "k"
    kept_in(place)
    assert place.stat().st_mode & 0o777 == 0o600
    again = Kept(place)
    assert again.recalled() is not None
    assert [hand.data for hand in again.hands()] == [b"data", b"more"]
    table, _, name = column.partition(".")
    made = tmp_path / "made"
    for value in (bombs(made)[0], b"", 3, None):
        kept_in(place)
        with closing(sqlite3.connect(place)) as database, database:
            database.execute(f"UPDATE {table} SET {name} = ?", [value])
        if table == "hands" and not (name == "valued" and value is None):
            assert again.hands() == []
        if table == "saved":
            assert again.recalled() is None
    assert not made.exists()
    for at in (0, -1):  # of the digest, and of what was kept
        place.unlink(missing_ok=True)
        kept_in(place)
        with closing(sqlite3.connect(place)) as database, database:
            longest = f"SELECT {name} FROM {table} ORDER BY length({name}) DESC"
            changed = bytearray(database.execute(longest).fetchone()[0])
            changed[at] ^= 1
            database.execute(f"UPDATE {table} SET {name} = ? WHERE {name} NOTNULL", [changed])
        assert again.hands() == [] or table == "saved"
        assert again.recalled() is None or table == "hands"


@pytest.mark.thorough
def test_of_two_windows_one_keeps_the_session(tmp_path: Path) -> None:
    log, place = written(tmp_path / "night.txt", *EVENING[:2]), tmp_path / "k"
    one = Start(place, log)
    late = Kept(place)
    assert late.recalled() is not None
    written(log, *EVENING)
    two = Start(place, log)
    found = Kept(place)
    session, hands = found.recalled(), found.hands()
    assert session is not None
    late.save(session, 1, [])
    assert not late.is_due()
    assert len(hands) == len(two.rows) == len(one.rows) + 2
    assert Start(place, log).recalled == two.rows


def test_there_is_a_file_for_each_set_of_logs_and_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "user's cache" / "handread"
    for number in range(MOST_FILES + 3):
        log = written(tmp_path / f"{number}.txt", EVENING[number % 2])
        found = kept_session([str(log)], "people")
        assert found.recalled() is None
    assert len(list(folder.glob("window-*.sqlite"))) == MOST_FILES
    before = {path.name for path in folder.iterdir()}
    assert kept_session([str(log)], "people").recalled() is None
    assert {path.name for path in folder.iterdir()} == before
    monkeypatch.setattr(user_cache, "_program", lambda: b"a version to come")
    assert kept_session([str(log)], "people").recalled() is None
    assert len(list(folder.glob("window-*.sqlite"))) == 1
    assert not before & {path.name for path in folder.iterdir()}


def test_added_logs_become_files(tmp_path: Path) -> None:
    """The same log is one file, one that has grown takes its place, and names stay inside."""
    folder = tmp_path / "logs"
    assert keep_log(folder, "night.txt", b"one") == folder / "night.txt"
    assert keep_log(folder, "night.txt", b"one and two") == folder / "night.txt"
    assert keep_log(folder, "night.txt", b"one and two") == folder / "night.txt"
    assert keep_log(folder, "night.txt", b"another") == folder / "night 2.txt"
    assert keep_log(folder, "night.txt", b"another") == folder / "night 2.txt"
    names = [
        "../../etc/passwd",
        "..",
        "",
        "a\0b\n<b>",
        "CON:\\x",
        ".hidden",
        "x" * 999,
        "page.html",
    ]
    for name in names:
        path = keep_log(folder, name, name.encode() or b"empty")
        assert path.parent == folder
        assert not path.name.startswith(".")
        assert path.suffix in (".txt", "")
        assert path.read_bytes() == name.encode() or b"empty"
    assert len(list(folder.iterdir())) == 2 + len(names)


@pytest.mark.thorough
def test_a_session_with_added_logs_is_kept(tmp_path: Path) -> None:
    """The log of the start, what was added and what was written since are there again."""
    place, folder = tmp_path / "k", tmp_path / "more logs"
    log = written(tmp_path / "night.txt", *EVENING[:1])
    held = Kept(place)
    shop = workshop(kept=held, added=folder)
    with shop.running():
        shop.add_file(log, log.name)
        window = Window(shop)
        window.settle()
        window.add(LOG, "more.txt")
        shop.add_file(written(log, *EVENING[:2]), log.name)
        window.settle()
        assert str(folder) in window.get("/")
        while held.is_due() and held.revision != shop.library.revision:
            time.sleep(0.01)
    rows = Start._rows(shop)
    assert len(rows) == 4
    second = Start(place, log, folder / "more.txt", policy="")
    assert (second.recalled, second.rows, second.read) == (rows, rows, [])


def test_a_log_that_cannot_be_written_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file in the place of the folder", encoding="utf-8")
    shop = workshop(added=tmp_path / "logs")
    with shop.running():
        answer = Window(shop).client.post("/logs", params={"name": "a"}, content=LOG)
        assert answer.status_code == 507
        assert answer.text.startswith("it cannot be kept: ")
        assert shop.library.listing().rows == []
