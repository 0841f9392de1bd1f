"""Stars, tags and notes of hands, and training results: one file for all logs and windows.

Every request opens the file, and a change is one transaction: a crash leaves the state before or
after it, and programs that run side by side wait for each other.
"""

import json
import os
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from handread.user_cache import cache_folder, make_private

T = TypeVar("T")

SCHEMA = "handread.marks/1"
"""The schema of marks that are sent and exported, the same as in files that pages save."""

LONGEST_KEY, LONGEST_TAG, LONGEST_NOTE, MOST_TAGS = 200, 40, 10_000, 100
"""The most characters of each, and tags of a hand; pages cut longer ones in the same way."""

BUSY_SECONDS = 10
"""How long a request waits for another program that writes."""

DAYS = (0, 1, 3, 7, 21)
"""Days until a decision comes back, by how often in a row it was chosen right."""

DAY = 86_400_000
"""The milliseconds of a day."""

_TABLES = (
    """
CREATE TABLE marks (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,
    star INTEGER NOT NULL, tags TEXT NOT NULL, note TEXT NOT NULL, changed TEXT NOT NULL
)
""",
    "CREATE TABLE training (id TEXT PRIMARY KEY, box INTEGER NOT NULL, due INTEGER NOT NULL)",
    """
CREATE TABLE answers (
    number INTEGER PRIMARY KEY,
    day TEXT NOT NULL, kind TEXT NOT NULL, good INTEGER NOT NULL, digest TEXT NOT NULL
)
""",
)
"""What each version has added."""

VERSION = len(_TABLES)
_LEARN = "INSERT OR {} INTO training (id, box, due) VALUES (?, ?, ?)"
# A replaced row gets a new number: the greatest one shows whether anything has changed.
_PUT = "INSERT OR REPLACE INTO marks (key, star, tags, note, changed) VALUES (?, ?, ?, ?, ?)"
_LATEST = "SELECT coalesce(max(number), 0) FROM marks"
_SINCE = "SELECT key, star, tags, note, changed FROM marks WHERE number > ? ORDER BY number"
_BACK = "SELECT key, star, tags, note, changed FROM marks ORDER BY number DESC"
_TRAINED = "SELECT id, box, due FROM training"
_ANSWER = "INSERT INTO answers (day, kind, good, digest) VALUES (?, ?, ?, ?)"
_ANSWERED = "SELECT day, kind, good, digest FROM answers"

ACTS, HOLDS = KINDS = ("acts", "holds")
"""The kinds of questions: an action, or somebody's holding."""

USUAL = {"darwin": "Library/Application Support", "win32": "AppData/Local"}
"""Where programs keep the data of users, below their homes."""

NEVER = 2**63 - 1
"""A revision that no file has."""

READ, WRITE = "BEGIN", "BEGIN IMMEDIATE"
"""How transactions begin."""


class MarksError(Exception):
    """The file cannot be used, or the data sent are not marks; the text says why."""


class Mark(NamedTuple):
    """The user's marks on a hand.

    ``key`` is the key of its index row, ``changed`` a time as JavaScript writes it, in UTC.
    """

    key: str
    star: bool
    tags: tuple[str, ...]
    note: str
    changed: str

    @classmethod
    def read(cls, sent: object) -> Self | None:
        """Validate an untrusted mark; None if it is invalid."""
        if not isinstance(sent, dict) or not 0 < len(_text(sent.get("key"))) <= LONGEST_KEY:
            return None
        given = sent.get("tags")
        labels = given if isinstance(given, list) else []
        tags = [_text(tag).strip()[:LONGEST_TAG] for tag in labels]
        return cls(
            _text(sent["key"]),
            sent.get("star") is True,
            tuple(dict.fromkeys(filter(None, tags)))[:MOST_TAGS],
            _text(sent.get("note")).strip()[:LONGEST_NOTE],
            # A time to come would win over every change until then.
            min(_text(sent.get("changed")), now()),
        )

    @classmethod
    def kept(cls, row: Sequence[Any]) -> Self | None:
        """Return the mark in a row of the file; None if the row is damaged."""
        key, star, tags, note, changed = row
        try:
            labels = json.loads(tags)
            if type(labels) is not list or type(star) is not int:
                return None
            if all(text == _text(text) for text in (key, note, changed, *labels)):
                return cls(key, bool(star), tuple(labels), note, changed)
        except (ValueError, TypeError, RecursionError):
            pass
        return None


class Learned(NamedTuple):
    """The place of a decision in ``DAYS``, and its due time in milliseconds since 1970."""

    box: int
    due: int

    @classmethod
    def read(cls, sent: object) -> Self | None:
        """Validate an untrusted training result; None if it is invalid."""
        box, due = (sent.get(key) if isinstance(sent, dict) else None for key in cls._fields)
        if type(box) is not int or not 0 < box < len(DAYS) or not isinstance(due, int | float):
            return None
        return cls(box, int(due)) if 0 <= due <= _milliseconds() + DAYS[box] * DAY else None

    @classmethod
    def kept(cls, row: Sequence[Any]) -> tuple[str, Self] | None:
        """Return the id and the result in a row of the file; None if the row is damaged."""
        key, box, due = row
        sound = key == _text(key) and type(box) is int and box in range(len(DAYS))
        return (key, cls(box, due)) if sound and type(due) is int else None


class Answered(NamedTuple):
    """An answer to a kind of question on a day, 2026-03-31, and whether it was right: 1 or 0."""

    day: str
    kind: str
    good: int

    @property
    def row(self) -> tuple[str | int, ...]:
        """The row of the file, with a digest."""
        return *self, blake2b(repr(tuple(self)).encode(), digest_size=8).hexdigest()

    @classmethod
    def kept(cls, row: Sequence[Any]) -> Self | None:
        """Return the answer in a row of the file; None if the row is damaged."""
        day, kind, good, _ = row
        sound = day == _text(day) and kind in KINDS and type(good) is int
        answer = cls(day, kind, good) if sound else None
        return answer if answer is not None and answer.row == tuple(row) else None


def _milliseconds() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)


def sent_object(text: str | bytes, fault: str = "this is no JSON object") -> dict[str, Any]:
    """Return the JSON object that a page sent; raise ``MarksError`` with ``fault`` if invalid."""
    try:
        sent = json.loads(text)
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        raise MarksError(fault)
    return sent


def _text(value: object) -> str:
    """Return a text that can be stored; empty if it cannot."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def now() -> str:
    """Return the time as JavaScript writes it."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"


def marks_of(text: str | bytes) -> list[Mark]:
    """Return the valid marks of a request or a file; raise ``MarksError`` if it holds no list."""
    fault = "these are no marks of handread"
    sent = sent_object(text, fault)
    hands = sent.get("hands") if sent.get("schema") == SCHEMA else None
    if not isinstance(hands, list):
        raise MarksError(fault)
    return [mark for mark in map(Mark.read, hands) if mark is not None]


def user_folder() -> Path:
    """Return this user's folder for data to keep; below the cache for a user without a home."""
    # The rule for XDG_DATA_HOME is that a relative path is ignored.
    chosen = Path(os.environ.get("XDG_DATA_HOME", ""))
    if chosen.is_absolute():
        return chosen / "handread"
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "handread"
    try:
        home = Path.home()
    except RuntimeError:
        home = Path(os.devnull)
    usual = home / USUAL.get(sys.platform, ".local/share") / "handread"
    if os.access(usual, os.F_OK) or os.access(home, os.W_OK | os.X_OK):
        return usual
    return (cache_folder() or usual) / "data"


def marks_file() -> Path:
    """Return the path of this user's marks."""
    return user_folder() / "marks.sqlite"


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks in a file, which the first mark creates."""

    path: Path

    def rescued(self) -> Path | None:
        """Move a damaged file away, so that marks can be kept again; return its new place.

        None if the file is sound or missing. Raise ``MarksError`` if it cannot be used or moved.
        """
        if not self._is_there():
            return None
        try:
            with closing(self._connected()) as database:
                if database.execute("PRAGMA quick_check").fetchone() == ("ok",):
                    return None
        except sqlite3.OperationalError as error:
            raise self._error(error) from None
        except sqlite3.DatabaseError:
            pass
        place = self.path.with_name(f"marks-damaged-{datetime.now():%Y%m%d-%H%M%S-%f}.sqlite")
        try:
            self.path.replace(place)
            make_private(place)
            # The journal of the damaged file must not be played back into the new one.
            self.path.with_name(f"{self.path.name}-journal").unlink(missing_ok=True)
        except OSError as error:
            raise self._error(error) from None
        self._save_what_is_left(place)
        return place

    def _save_what_is_left(self, place: Path) -> None:
        """Put the readable rows of a damaged file, from both of its ends, into this."""
        with closing(Marks(place)._connected()) as database:
            ends = (_BACK, _SINCE.replace("?", "0"))
            marks = {mark.key: mark for end in ends for mark in _left_in(database, end, Mark.kept)}
            learned = dict(_left_in(database, _TRAINED, Learned.kept))
            answers = [*_left_in(database, _ANSWERED, Answered.kept)]
        if marks or learned or answers:
            self.take([*marks.values()])
            self.take_training({key: result._asdict() for key, result in learned.items()})
            with self._opened(WRITE) as database:
                database.executemany(_ANSWER, [answer.row for answer in answers])

    def _rows(self, query: str) -> list[Any]:
        """Return rows of the file, as a new version has them; none if there is no file."""
        if not self._is_there():
            return []
        with self._opened(WRITE) as database:
            return database.execute(query).fetchall()

    def since(self, revision: int = 0) -> tuple[int, list[Mark]]:
        """Return the ``revision`` of the file, and the marks that changed after an earlier one.

        It grows with every change, of this program or another.
        """
        if not self._is_there():
            return 0, []
        with self._opened(READ) as database:
            rows = database.execute(_SINCE, (revision,)).fetchall()
            latest = database.execute(_LATEST).fetchone()[0]
        return latest, [*filter(None, map(Mark.kept, rows))]

    def damaged(self) -> int:
        """Return the number of damaged rows; they do not affect the others."""
        marks, learned = map(Mark.kept, self._rows(_BACK)), map(Learned.kept, self._rows(_TRAINED))
        return [*marks, *learned, *map(Answered.kept, self._rows(_ANSWERED))].count(None)

    def put(self, marks: list[Mark]) -> None:
        """Keep the user's latest changes, whatever was there before."""
        with self._opened(WRITE) as database:
            database.executemany(_PUT, [_row(mark._replace(changed=now())) for mark in marks])

    def take(self, marks: list[Mark]) -> None:
        """Take over marks of a file that are newer than the present ones."""
        with self._opened(WRITE) as database:
            rows = filter(None, map(Mark.kept, database.execute(_SINCE, (0,))))
            kept = {mark.key: mark.changed for mark in rows}
            for mark in marks:
                if mark.key not in kept or mark.changed > kept[mark.key]:
                    database.execute(_PUT, _row(mark))

    def training(self) -> dict[str, Learned]:
        """Return the training results by the ids of the decisions."""
        return dict(filter(None, map(Learned.kept, self._rows(_TRAINED))))

    def learn(self, sent: Mapping[str, Any]) -> int:
        """Keep an answer: ``id`` and ``kind`` of its question, ``right``; return days until due.

        Raise ``MarksError`` for an invalid answer, or if the file cannot be used.
        """
        key, right, kind = _text(sent.get("id")), sent.get("right"), sent.get("kind", ACTS)
        if not 0 < len(key) <= LONGEST_KEY or not isinstance(right, bool) or kind not in KINDS:
            raise MarksError("this is no answer to a question")
        answered = Answered(f"{datetime.now():%Y-%m-%d}", kind, int(right))
        with self._opened(WRITE) as database:
            row = database.execute(f"{_TRAINED} WHERE id = ?", (key,)).fetchone()
            kept = Learned.kept(row) if row else None
            box = min((kept[1].box if kept else 0) + 1, len(DAYS) - 1) if right else 0
            due = _milliseconds() + DAYS[box] * DAY
            database.execute(_LEARN.format("REPLACE"), (key, box, due))
            database.execute(_ANSWER, answered.row)
        return DAYS[box]

    def score(self) -> list[tuple[str | int, ...]]:
        """Return the last 30 days of practice: questions and right answers by ``KINDS``."""
        answers = Counter(filter(None, map(Answered.kept, self._rows(_ANSWERED))))
        days = sorted({answer.day for answer in answers}, reverse=True)[:30]
        rows: list[tuple[str | int, ...]] = []
        for day in days:
            pairs = [[answers[Answered(day, kind, good)] for good in (0, 1)] for kind in KINDS]
            rows.append((day, *(n for wrong, good in pairs for n in (wrong + good, good))))
        return rows

    def take_training(self, sent: Mapping[str, Any]) -> None:
        """Take over a browser's training results, for decisions that are unknown here."""
        items = ((_text(key), Learned.read(new)) for key, new in sent.items())
        rows = [(key, *new) for key, new in items if new and 0 < len(key) <= LONGEST_KEY]
        with self._opened(WRITE) as database:
            database.executemany(_LEARN.format("IGNORE"), rows)

    def _is_there(self) -> bool:
        try:  # an empty file is being made by somebody's first mark
            return self.path.exists() and self.path.stat().st_size > 0
        except OSError as error:  # its folder may not be searched
            raise self._error(error) from None

    def _connected(self) -> sqlite3.Connection:
        made = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        made.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        return made

    @contextmanager
    def _opened(self, begin: str) -> Iterator[sqlite3.Connection]:
        """Yield the file during a transaction; an error rolls it back."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            make_private(self.path)
            with closing(self._connected()) as database:
                database.execute(begin)
                version = database.execute("PRAGMA user_version").fetchone()[0]
                if version > VERSION:
                    raise MarksError(f"{self.path}: a newer version of handread has written it")
                for table in _TABLES[version:]:
                    database.execute(table)
                if version < VERSION:
                    database.execute(f"PRAGMA user_version = {VERSION}")
                yield database
                database.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise self._error(error) from None

    def _error(self, error: Exception) -> MarksError:
        words = (error.strerror if isinstance(error, OSError) else "") or str(error)
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(
            error, sqlite3.OperationalError
        ):  # the content of the file is at fault, not its use
            words = f"is damaged ({words}); handread open keeps a copy when it starts again"
        return MarksError(f"{self.path}: {words}")


def _left_in(
    database: sqlite3.Connection, query: str, kept: Callable[[Sequence[Any]], T | None]
) -> Iterator[T]:
    """Yield the sound rows of a damaged file that can be read."""
    with suppress(sqlite3.Error):
        yield from filter(None, map(kept, database.execute(query)))


def _row(mark: Mark) -> tuple[object, ...]:
    return mark.key, mark.star, json.dumps(mark.tags), mark.note, mark.changed


def file_text(marks: list[Mark], training: Mapping[str, Learned]) -> str:
    """Return marks and training results as a file that pages read."""
    told = {
        "schema": SCHEMA,
        "hands": [mark._asdict() for mark in marks],
        "training": {key: learned._asdict() for key, learned in training.items()},
    }
    return json.dumps(told, indent=1) + "\n"
