"""The store: what is kept comes back whole or not at all, whatever happened to its file."""

from __future__ import annotations

import random
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from handread.sessions import store
from handread.sessions.store import HandStore, forget, store_files, user_store
from tests.planted import bombs


class Kept(NamedTuple):
    name: str
    numbers: list[float]


KEYS = [bytes([n]) * 16 for n in range(40)]
RECORDS = {key: Kept(f"hand {n}", [n / 7.0] * 50) for n, key in enumerate(KEYS)}


def filled(path: Path) -> HandStore:
    made = HandStore(path)
    for key, value in RECORDS.items():
        made.keep([(key, value, False)])
    return made


def all_of(path: Path) -> dict[bytes, Kept]:
    return HandStore(path).found(dict.fromkeys(KEYS, Kept))


def test_what_is_kept_is_found_by_any_process(tmp_path: Path) -> None:
    made = filled(tmp_path / "hands")
    assert made.keeps
    assert all_of(tmp_path / "hands") == RECORDS
    assert HandStore(tmp_path / "hands").found({b"another": Kept}) == {}
    assert (tmp_path / "hands").stat().st_mode & 0o777 == 0o600
    other = HandStore(tmp_path / "hands")
    other.keep([(KEYS[0], Kept("anew", []), True)])
    assert made.found({KEYS[0]: Kept})[KEYS[0]].name == "anew"


@pytest.mark.dear("damages a file 500 times")
def test_nothing_that_is_damaged_is_found(tmp_path: Path) -> None:
    """Of 500 damages of the file each record is found as it was, or not at all."""
    filled(tmp_path / "whole").close()
    content = (tmp_path / "whole").read_bytes()
    rng = random.Random(1)
    for _ in range(500):
        data = bytearray(content)
        place = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[place] ^= 1 << rng.randrange(8)
            case 1:
                del data[place:]
            case 2:
                data[place : place + 200] = rng.randbytes(200)
            case _:
                del data[place : place + rng.randrange(1, 5000)]
        file = tmp_path / "hands"
        file.write_bytes(data)
        damaged = HandStore(file)
        found = damaged.found(dict.fromkeys(KEYS, Kept))
        assert found.items() <= RECORDS.items()
        damaged.keep([(KEYS[0], RECORDS[KEYS[0]], False)])
        damaged.close()
        file.unlink(missing_ok=True)


def test_nothing_that_was_planted_is_unpickled(tmp_path: Path) -> None:
    made, place = filled(tmp_path / "hands"), tmp_path / "made"
    for bomb in bombs(place):
        for record in (bomb, zlib.compress(bomb), store._digest(KEYS[0], bomb) + bomb):
            with closing(sqlite3.connect(tmp_path / "hands")) as database, database:
                database.execute("UPDATE records SET data = ? WHERE key = ?", (record, KEYS[0]))
            assert made.found({KEYS[0]: Kept}) == {}
    assert made.damaged == 9
    assert not place.exists()


def test_a_record_in_the_place_of_another_is_none(tmp_path: Path) -> None:
    made = filled(tmp_path / "hands")
    with closing(sqlite3.connect(tmp_path / "hands")) as database, database:
        first = database.execute("SELECT data FROM records WHERE key = ?", (KEYS[0],)).fetchone()
        database.execute("UPDATE records SET data = ? WHERE key = ?", (*first, KEYS[1]))
    assert list(made.found(dict.fromkeys(KEYS[:2], Kept))) == [KEYS[0]]


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    nowhere = HandStore(tmp_path / "none" / "hands")
    nowhere.keep([(KEYS[0], RECORDS[KEYS[0]], False)])
    assert nowhere.found({KEYS[0]: Kept}) == {}
    assert not nowhere.keeps
    assert not HandStore(None).keeps


def test_a_file_that_is_locked_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_WAIT_SECONDS", 0.0)
    filled(tmp_path / "hands")
    with closing(sqlite3.connect(tmp_path / "hands", isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        late = HandStore(tmp_path / "hands")
        assert late.found({KEYS[0]: Kept}) == {}
        late.keep([(KEYS[0], Kept("late", []), False)])
        assert not late.keeps
    assert all_of(tmp_path / "hands") == RECORDS


def test_only_the_last_pages_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_PAGES", 3)
    made = HandStore(tmp_path / "hands")
    for n, key in enumerate(KEYS[:12]):
        made.keep([(key, RECORDS[key], n % 2 == 0)])
    found = made.found(dict.fromkeys(KEYS, Kept))
    assert [KEYS.index(key) for key in KEYS if key in found] == [1, 3, 5, 6, 7, 8, 9, 10, 11]


def test_the_older_half_of_a_large_file_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path / "hands").close()
    monkeypatch.setattr(store, "MOST_BYTES", 1)
    assert list(all_of(tmp_path / "hands")) == KEYS[20:]


def test_versions_of_the_program_have_files_of_their_own(
    folders_of_its_own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = user_store()
    own.keep([(KEYS[0], RECORDS[KEYS[0]], False)])
    for version in "abcde":
        monkeypatch.setattr(store, "program_digest", lambda version=version: version)
        other = store.store_in(folders_of_its_own, version)
        assert other.found({KEYS[0]: Kept}) == {}
        other.keep([(KEYS[0], Kept(version, []), False)])
        assert len(store_files()) <= store.MOST_VERSIONS
    assert forget() > 0
    assert store_files() == []
