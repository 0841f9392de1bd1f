"""Hands that were read, kept in the user's cache for all commands and processes.

An evening is read by many commands: the first look, ``report``, ``decisions``, the window, the
tools of assistants. All of them ask this store through ``sessions.parts``.

The key
=======

    key = blake2b(hand without its place, terms of its reader, viewpoint, ties, part), 128 bits

It covers all that determines a part, and nothing else:

* The hand counts by its content. Path, number and neighbours are put in afterwards: a log that
  grew, moved or was copied costs only its new hands.
* The terms of the reader include all that it has learned of the players from earlier hands. They
  once cut the hashes of policies to 24 bits, too few for a key.
* The version is in the name of the file: a digest of the program's files. Two versions side by side
  never read each other's records.

The content
===========

Of each hand its row, its problems, the evidence for the reader and the values of its decisions, 5
kB; of the last ``MOST_PAGES`` hands that somebody looked at, report and steps, 40 kB. Never the
analysis: it takes 14 MB.

A record is a typed value (``handread.typed``), compressed, after a digest of its key and its bytes.
So a flipped bit and a record in the place of another are noticed: the record counts as damaged, and
the hand is read anew. Nothing is unpickled, as a pickle runs the code of whoever wrote the file.

The file
========

SQLite: several processes may use it at once, and be killed at any moment. It need not survive a
power failure (``synchronous = OFF``), since all of it can be made again. With a full or read-only
disk, a locked file or no home, nothing is kept, and that is no error.

Tried and dropped: a store for each front and each set of logs, which read all hands again for
another command or a copied log; pickles behind a digest; whole analyses; compiled templates and
pages made in advance, as a page from this store takes 30 ms.
"""

import math
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from handread.typed import packed, unpacked
from handread.user_cache import cache_folder, make_private, program_digest

T = TypeVar("T")

MOST_PAGES = 1_000
"""The number of pages that are kept: the last ones, of some 40 kB."""

MOST_BYTES = 1 << 30
"""The size in bytes beyond which the older half of the file is deleted; a hand takes 5 kB."""

MOST_VERSIONS = 3
"""The number of versions of the program with kept files."""

REST_SECONDS = 60.0
"""Seconds without keeping after a record could not be kept."""

_NAMES = "hands-*.sqlite"
_WAIT_SECONDS = 10.0
_DIGEST_SIZE = 16
_TABLE = """
CREATE TABLE IF NOT EXISTS records (
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, page INTEGER NOT NULL, data BLOB NOT NULL
)
"""
_OLDER_HALF = """
DELETE FROM records
WHERE number < (SELECT number FROM records ORDER BY number LIMIT 1 OFFSET (
    SELECT count(*) / 2 FROM records))
"""
_OLD_PAGES = """
DELETE FROM records
WHERE page AND number <= (
    SELECT number FROM records WHERE page ORDER BY number DESC LIMIT 1 OFFSET ?)
"""


class HandStore:
    """Keeps records by key; any thread and any process may use it.

    Attributes:
        path: The file; None if nothing is kept.
        damaged: The number of damaged records found.
        keeps: False if no record can be kept.
    """

    def __init__(self, path: Path | None) -> None:
        """With None, or if the file cannot be used, nothing is kept."""
        self.damaged = 0
        self.path = path
        self.keeps = path is not None
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._process = self._number = 0
        self._rests_until = -math.inf if path is not None else math.inf

    def found(self, kinds: Mapping[bytes, type[Any]]) -> dict[bytes, Any]:
        """Return the records kept under some keys, each of the type of its key."""
        query = f"SELECT key, data FROM records WHERE key IN ({', '.join('?' * len(kinds))})"
        none: list[tuple[bytes, bytes]] = []
        rows = self._with(lambda database: database.execute(query, [*kinds]).fetchall(), none)
        records = {}
        for key, data in rows:
            try:
                records[key] = unpacked(kinds[key], _content(key, data))
            except (ValueError, TypeError, KeyError, zlib.error):
                self.damaged += 1
        return records

    def keep(self, records: Iterable[tuple[bytes, object, bool]]) -> None:
        """Keep records, each with its key, its value, and True for a page."""
        if time.monotonic() < self._rests_until:
            return
        rows = []
        for key, value, page in records:
            data = zlib.compress(packed(value), 1)
            rows.append((key, page, _digest(key, data) + data))

        def write(database: sqlite3.Connection) -> bool:
            with database:
                database.execute("BEGIN IMMEDIATE")
                database.executemany(
                    "INSERT OR REPLACE INTO records (key, page, data) VALUES (?, ?, ?)", rows
                )
                if any(page for _, page, _ in rows):
                    database.execute(_OLD_PAGES, [MOST_PAGES])
            return True

        self.keeps = self._with(write, otherwise=False)
        if not self.keeps:  # after a full disk, for one, old records can still be read
            self._rests_until = time.monotonic() + REST_SECONDS

    def close(self) -> None:
        """Close the file until it is used again."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._database is not None and self._process == os.getpid():
            with suppress(sqlite3.Error):
                self._database.close()
        self._database = None

    def _with(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Return the result of ``work``, or ``otherwise`` without a file; remake a damaged file."""
        with self._lock:
            if self.path is None:
                return otherwise
            try:
                return work(self._connection(self.path))
            except sqlite3.OperationalError:
                return otherwise
            except (OSError, ValueError, OverflowError, sqlite3.Error) as error:
                self._drop()
                if isinstance(error, sqlite3.Error):
                    self.damaged += 1
                    _delete(self.path)
                return otherwise

    def _connection(self, path: Path) -> sqlite3.Connection:
        is_own = self._database is not None and self._process == os.getpid()
        # Another process may have deleted the file.
        if is_own and path.exists() and path.stat().st_ino == self._number:
            assert self._database is not None
            return self._database
        self._drop()
        make_private(path)
        database = sqlite3.connect(
            path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        database.execute("PRAGMA synchronous = OFF")  # a cache may be lost with the power
        database.execute(_TABLE)
        self._database, self._process = database, os.getpid()
        self._number = path.stat().st_ino
        page, pages, free = (
            database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_size", "page_count", "freelist_count")
        )
        if (pages - free) * page > MOST_BYTES:
            database.execute(_OLDER_HALF)
        return database


def user_store() -> HandStore:
    """Return the store of this version of the program, in the user's cache."""
    folder = cache_folder()
    return HandStore(None) if folder is None else store_in(folder, program_digest())


@cache
def store_in(folder: Path, version: str) -> HandStore:
    """Return the store of a version of the program in a folder; delete stores of old versions."""
    path = folder / _NAMES.replace("*", version)
    with suppress(OSError):
        os.utime(path)
    others = [file for file in store_files() if file != path]
    for old in others[MOST_VERSIONS - 1 :]:
        _delete(old)
    return HandStore(path)


def store_files() -> list[Path]:
    """Return the files of all versions of the program, the last used first."""
    folder = cache_folder()
    files = [] if folder is None else [*folder.glob(_NAMES)]
    with suppress(OSError):
        files.sort(key=lambda one: one.stat().st_mtime, reverse=True)
    return files


def forget() -> int:
    """Delete the files of all versions that no program on Windows uses; return their bytes."""
    user_store().close()
    files = store_files()
    size = size_of(files)
    for file in files:
        _delete(file)
    return size - size_of(files)


def size_of(files: Iterable[Path]) -> int:
    """Return the size of files in bytes."""
    size = 0
    for file in files:
        with suppress(OSError):
            size += file.stat().st_size
    return size


def damage_words() -> str:
    """Return the number of damaged records in words; empty for 0."""
    n = user_store().damaged
    hands = "1 record" if n == 1 else f"{n:,} records"
    return f"{hands} of what was kept of hands cannot be used: read anew" if n else ""


def _delete(path: Path) -> None:
    """Delete a file and its journal, which would damage the next file of that name."""
    for file in (path, path.with_name(f"{path.name}-journal")):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def _digest(key: bytes, data: bytes) -> bytes:
    return blake2b(key + data, digest_size=_DIGEST_SIZE).digest()


def _content(key: bytes, record: bytes) -> bytes:
    """Return the content of a record; raise ``ValueError`` if it is damaged."""
    data = record[_DIGEST_SIZE:]
    if record[:_DIGEST_SIZE] != _digest(key, data):
        raise ValueError("damaged")
    return zlib.decompress(data)
