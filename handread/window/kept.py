"""What was read, kept in the user's cache until the next start.

There is a file for each set of logs and settings. It may be deleted at any time, and whatever is
wrong with it costs only time.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from handread.inference.readers import Reader
from handread.opponents.records import Players
from handread.sessions.opening import open_regular as opened
from handread.user_cache import Pauses, make_private, sealed, session_file, unsealed
from handread.window.library import KeptHand
from handread.window.sources import Source

_TABLES = """
CREATE TABLE saved (number INTEGER PRIMARY KEY CHECK (number = 1), times INTEGER, session BLOB);
INSERT INTO saved VALUES (1, 0, NULL);
CREATE TABLE hands (number INTEGER PRIMARY KEY, shown BLOB, data BLOB, valued BLOB);
"""


def _unsealed(number: int, shown: bytes, data: bytes, valued: bytes | None) -> KeptHand:
    given = None if valued is None else bytes(unsealed(valued))
    return KeptHand(number, bytes(unsealed(shown)), bytes(unsealed(data)), given)


@dataclass(frozen=True, slots=True)
class Content:
    """What a file said when it was read; ``changed`` is the time of its last change in ns."""

    path: Path
    size: int
    changed: int
    digest: bytes

    @classmethod
    def of(cls, path: Path, size: int) -> Content:
        """Return the content of a file up to a size; raise ``OSError`` if it cannot be read."""
        digest = hashlib.blake2b(digest_size=16)
        with opened(path) as stream:
            changed = os.fstat(stream.fileno()).st_mtime_ns
            left = size
            while left and (block := stream.read(min(left, 1 << 20))):
                digest.update(block)
                left -= len(block)
        return cls(path, size, changed, digest.digest())

    def is_there(self) -> bool:
        """Return whether the file still begins with it."""
        try:
            status = self.path.stat()
            if (status.st_size, status.st_mtime_ns) == (self.size, self.changed):
                return True
            return self.digest == Content.of(self.path, self.size).digest
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class KeptSession:
    """What a window goes on with: the logs, what was learned from them, and the library's rest.

    ``front`` is its first page as it was last made.
    """

    logs: Sequence[Source]
    reader: Reader
    players: Players
    rest: bytes
    front: str


class Kept:
    """A file in which a session and its hands are kept.

    Of windows that show the same session side by side, one keeps what it reads: the others stop
    when they see that the file has been written by another.

    Attributes:
        revision: That of the library when it was last saved or recalled.
    """

    def __init__(self, path: Path | None) -> None:
        """With None nothing is kept."""
        self.revision = 0
        self._path = path
        self._times = 0
        self._contents: dict[Path, Content] = {}
        self._pauses = Pauses()

    def stop(self) -> None:
        """Keep nothing from now on."""
        self._path = None

    def is_due(self) -> bool:
        """Return whether it is time to save."""
        return self._path is not None and self._pauses.are_over()

    def recalled(self) -> KeptSession | None:
        """Return the session; None if none is kept or a log has changed since.

        A log that has only grown has not changed.
        """
        try:
            with self._opened() as database:
                self._times, data = database.execute("SELECT times, session FROM saved").fetchone()
            if data is None:
                return None
            session: KeptSession
            contents: dict[Path, Content]
            session, contents = pickle.loads(unsealed(data))
        except Exception:
            self._start_anew()
            return None
        if not all(one.is_there() for one in contents.values()):
            self._start_anew()
            return None
        self._contents = contents
        return session

    def hands(self) -> list[KeptHand]:
        """Return the hands of the session; fewer if they cannot be read."""
        try:
            with self._opened() as database:
                rows = database.execute("SELECT * FROM hands ORDER BY number").fetchall()
            return [_unsealed(*row) for row in rows]
        except Exception:
            return []

    def save(self, session: KeptSession, revision: int, hands: Sequence[KeptHand]) -> None:
        """Save a session at a revision of its library, with the hands that changed since the last.

        Args:
            session: What is kept in place of what was.
            revision: That of the library.
            hands: The hands.
        """
        with self._pauses.after():
            self._write(session, hands)
        self._times, self.revision = self._times + 1, revision

    def _write(self, session: KeptSession, hands: Sequence[KeptHand]) -> None:
        try:
            self._contents = {log.path: self._content(log.path, log.size) for log in session.logs}
            data = sealed(pickle.dumps((session, self._contents), 5))
            rows = [
                (n, *(None if one is None else sealed(one) for one in row)) for n, *row in hands
            ]
            with self._opened() as database:
                times = database.execute("SELECT times FROM saved").fetchone()[0]
                if times == self._times:
                    database.executemany("INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?)", rows)
                    database.execute("UPDATE saved SET times = times + 1, session = ?", (data,))
            if times != self._times:  # another window keeps the session
                self.stop()
        except (sqlite3.Error, OSError, ValueError, pickle.PickleError):
            self.stop()

    def _content(self, path: Path, size: int) -> Content:
        """Return the content of a file; it is not read again if it has not changed."""
        known = self._contents.get(path)
        changed = path.stat().st_mtime_ns
        if known is None or (known.size, known.changed) != (size, changed):
            return Content.of(path, size)
        return known

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Yield the file during a transaction; it is made if it is missing."""
        if self._path is None:
            raise OSError("nothing is kept")
        make_private(self._path)
        with closing(sqlite3.connect(self._path, isolation_level=None)) as database:
            database.execute("PRAGMA synchronous = OFF")  # a cache may be lost with the power
            database.execute("PRAGMA page_size = 16384")  # of a new file: hands take several KB
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'hands'").fetchone():
                database.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")

    def _start_anew(self) -> None:
        """Delete a file that cannot be used, and its journal, which would damage the next one."""
        self._times = 0
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
                self._path.with_name(f"{self._path.name}-journal").unlink(missing_ok=True)


def kept_session(*depends_on: object) -> Kept:
    """Return where the session is kept that depends on some values and on this program."""
    return Kept(session_file("window-*.sqlite", *depends_on))
