"""A folder of tables: its parts, and a store that adds to them and loses nothing if killed.

The rows of each piece wait as an archive in a work folder until they fill a part. Every step is a
single rename, so that whenever a run is killed, each stored hand is in the tables exactly once.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar
from zipfile import ZipFile

import polars as pl

from handread.history import KEY_SIZE
from handread.parallel import RunError, locked
from handread.processes import interrupts_deferred
from handread.sessions.opening import COPY_PREFIX
from handread.tables import DECISIONS, HANDS, PIECES, TABLES, TERMS_FILE, VERSION, tables_of
from handread.tables.columns import SCHEMAS
from handread.tables.pieces import Key, Scored
from handread.tables.seal import BROKEN, is_intact, seal

PART_PREFIX = "part-"

COMPRESSION_LEVEL = 6
"""Compression level of zstd."""

WORK_FOLDER = ".work"
UNFINISHED = "unfinished"
_DRAFT, _GONE = "draft-", "gone-"

FEW_HANDS, MANY_PARTS = 2500, 8
"""Parts with fewer hands are merged when there are this many of them."""

Item = TypeVar("Item")

# Parts


def part_folders(folder: Path) -> list[Path]:
    """Return the parts of the tables of a folder."""
    return sorted(path for path in folder.glob(f"{PART_PREFIX}*") if path.is_dir())


def check_part(part: Path, tables: Iterable[str] = TABLES) -> None:
    """Check the tables of a part.

    All bytes are read for a checksum; decoding them with polars takes about thirty times as long.

    Raises:
        RunError: If a table is missing, damaged or of another version.
    """
    for table in tables:
        path = part / f"{table}.parquet"
        try:
            with path.open("rb") as file:
                sound = is_intact(file)
            known = sound and pl.read_parquet_schema(path.absolute()) == dict(SCHEMAS[table])
        except BROKEN as error:
            # A file that is cut short is read from before its beginning: EINVAL.
            of_file = (None, errno.ENOENT, errno.EINVAL)
            if isinstance(error, OSError) and error.errno not in of_file:
                raise RunError(unreadable(path, error)) from None
            sound = False
        if not sound:
            advice = f"remove {part}, and read its files anew with handread score --resume"
            raise RunError(f"{path}: is missing or damaged; {advice}")
        if not known:
            advice = "score the logs again, into another folder"
            raise RunError(f"{path}: has the columns of another version of handread; {advice}")


def unreadable(path: Path, error: OSError) -> str:
    """Return the message that a file of tables cannot be read: it may well be sound."""
    hint = "; ask its owner for the permission to read it"
    why = error.strerror or str(error)
    return f"{path}: cannot be read: {why}{hint if isinstance(error, PermissionError) else ''}"


def _read_part(part: Path, table: str) -> pl.DataFrame:
    """Return a table of a part; raise ``RunError`` as ``check_part``."""
    try:
        return pl.read_parquet(
            (part / f"{table}.parquet").absolute(), glob=False, hive_partitioning=False
        )
    except BROKEN:
        check_part(part)
        raise RunError(f"{part}: is damaged; remove it, and read its files anew") from None


def _write_part(part: Path, frames: Mapping[str, pl.DataFrame]) -> None:
    part.mkdir()
    for table, frame in frames.items():
        path = part / f"{table}.parquet"
        data = BytesIO()  # polars reports a full disk as a damaged file
        frame.write_parquet(
            data,
            compression="zstd",
            compression_level=COMPRESSION_LEVEL,
            metadata={"handread.tables": VERSION},
        )
        path.write_bytes(data.getbuffer())
        seal(path)
        to_disk(path)
    to_disk(part)


def to_disk(path: Path) -> None:
    """Flush a file or a folder to disk, so that a power failure does not leave it empty."""
    if path.is_dir():
        with suppress(OSError):  # not every system opens folders
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        return
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def in_groups(
    items: Iterable[Item], size_of: Callable[[Item], int], least: int
) -> Iterator[list[Item]]:
    """Yield items in groups of at least this size; the last may be smaller."""
    group: list[Item] = []
    size = 0
    for item in items:
        group.append(item)
        size += size_of(item)
        if size >= least:
            yield group
            group, size = [], 0
    if group:
        yield group


# Rows of pieces


def _keys_of(pieces: pl.DataFrame) -> set[Key]:
    return set(pieces.select("file", "first_line", "digest").iter_rows())


def hand_keys(pieces: pl.DataFrame) -> set[bytes]:
    """Return the keys of all hands of some pieces."""
    size = 2 * KEY_SIZE
    return {
        bytes.fromhex(text[at : at + size])
        for text in pieces["keys"]
        for at in range(0, len(text), size)
    }


def _concat(table: str, frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    found = list(frames)
    return pl.concat(found, rechunk=True) if found else pl.DataFrame(schema=SCHEMAS[table])


def _without(frames: Mapping[str, pl.DataFrame], stale: set[Key]) -> dict[str, pl.DataFrame]:
    """Return the tables of a part without the rows of some of its pieces."""
    keys = _keys_of(frames[PIECES])
    left = dict(frames)
    for file, first, _ in stale & keys:
        # The lines of a piece end where the next piece of its file begins.
        end = min((line for other, line, _ in keys if other == file and line > first), default=None)
        for table, frame in left.items():
            line = pl.col("first_line" if table == PIECES else "line")
            inside = (pl.col("file") == file) & (line >= first)
            if end is not None:
                inside &= line < end
            left[table] = frame.filter(~inside)
    return left


# The store


@contextmanager
def open_store(folder: Path, terms: Mapping[str, Any], resume: bool) -> Iterator[Store]:
    """Open the tables of a folder for a run; the folder is created if it is missing.

    ``terms`` are JSON values that determine the rows of a hand. Only ``resume`` adds to existing
    tables.

    Raises:
        RunError: If the folder holds other files, tables with other terms or, without ``resume``,
            any tables; if another run has it open; or if it cannot be written.
    """
    wanted = {"schema": VERSION, **terms}
    file = folder / TERMS_FILE
    try:
        folder.mkdir(exist_ok=True)
        if not file.exists() and any(entry.name != WORK_FOLDER for entry in folder.iterdir()):
            raise RunError(f"{folder}: contains other files; choose a new or empty folder")
        (folder / WORK_FOLDER).mkdir(exist_ok=True)
        with locked(folder / WORK_FOLDER):
            fresh = not file.exists()
            if fresh:
                base = str(Path.cwd())
                draft = folder / WORK_FOLDER / f"{_DRAFT}terms"
                record = json.dumps({**wanted, "folder": base}, sort_keys=True, indent=1)
                draft.write_text(record + "\n", encoding="utf-8")
                to_disk(draft)
                draft.rename(file)
            else:
                base = _check_terms(folder, file.read_text(encoding="utf-8"), wanted, resume)
            store = Store(folder, Path(base), tables_of(terms))
            try:
                yield store
            except BaseException:
                if fresh and not (store.in_parts or store.waiting):
                    file.unlink()  # nothing was kept: the next run may have other terms
                raise
            finally:
                store.clear_up()
    except OSError as error:
        raise RunError(f"{error.filename or folder}: {error.strerror or error}") from None


def _check_terms(folder: Path, text: str, wanted: Mapping[str, Any], resume: bool) -> str:
    """Return the folder that file names of the tables are relative to."""
    try:
        found = json.loads(text)
        base = str(found.pop("folder"))
    except (ValueError, TypeError, AttributeError, KeyError):
        raise RunError(f"{folder / TERMS_FILE}: is damaged") from None
    if found != wanted:
        raise RunError(f"{folder}: {_unlike(found, wanted)}, or choose another folder")
    if not resume:
        raise RunError(f"{folder}: already has tables; --resume adds to them")
    return base


def _unlike(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """Return what tables were made with that a run does not ask for, and how to ask for it."""
    unlike = [key for key in {**wanted, **found} if found.get(key) != wanted.get(key)]
    for key, made in (("schema", "in the form"), ("version", "by handread")):
        if key in unlike:
            return (
                f"these tables were made {made} {found.get(key)}, now it is {wanted.get(key)}: "
                "make them anew"
            )
    words = [_option_words(key, found.get(key), wanted.get(key)) for key in unlike]
    again = "give it again" if len(words) == 1 else "give the same options again"
    if words[0].startswith("no --") and len(words) == 1:
        again = "leave it out"
    return f"these tables have {' and '.join(words)}: {again}"


def _option_words(key: str, found: Any, wanted: Any) -> str:
    """Return the option that tables were made with, given the terms of the tables and of a run."""
    option = f"--{key.replace('_', '-')}"
    if found is None:
        return f"no {option}"
    if found is True:
        return option
    if key == "players":
        names, now = (re.sub(r" \([^()]*\)", "", str(terms)) for terms in (found, wanted))
        changed = "" if names != now else ", which has changed since"
        return f"hands read by {names}{changed} (--policy, --reader, --lapse, --seat and --known)"
    if key == "names":
        return "other names of players (--names)"
    if key != DECISIONS:
        return f"{option} {found}"
    way, now = (str(terms).partition(";")[0] for terms in (found, wanted))
    changed = "" if way != now else " with other policies"
    exact = re.fullmatch(r"(\d+) rollouts", way)
    return option + (f" --exact --rollouts {exact[1]}" if exact else "") + changed


class Store:
    """The tables of a folder while a run has it open.

    ``base`` is the folder that names of files in the tables are relative to, ``work`` the one for
    temporary files.
    """

    def __init__(self, folder: Path, base: Path, tables: Sequence[str] = TABLES) -> None:
        """Load the tables of earlier runs; raise ``RunError`` for a damaged part."""
        self._tables = tables
        self.folder = folder
        self.base = base
        self.work = folder / WORK_FOLDER
        self.clear_up()
        self._parts: dict[Path, set[Key]] = {}
        for part in part_folders(folder):
            check_part(part, tables)
            self._parts[part] = _keys_of(_read_part(part, PIECES))
        done = self.in_parts
        self._waiting: dict[Key, Path] = {}
        for file in sorted(self.work.glob("*.zip")):
            key = _key_of(file)
            if key is None or key in done:  # a run was killed while it made the part
                file.unlink()
            else:
                self._waiting[key] = file

    @property
    def in_parts(self) -> set[Key]:
        """Keys of the pieces that are in the tables."""
        return set().union(*self._parts.values())

    @property
    def waiting(self) -> set[Key]:
        """Keys of the pieces that are read but not yet in a part."""
        return set(self._waiting)

    def seen(self) -> tuple[set[bytes], set[Key]]:
        """Return the keys of all hands, and the pieces of which repeated hands were left out."""
        frames = [_read_part(part, PIECES) for part in self._parts]
        frames += _unpacked(self._waiting.values(), PIECES)
        pieces = _concat(PIECES, frames)
        return hand_keys(pieces), _keys_of(pieces.filter(pl.col("repeated") > 0))

    def keep(self, key: Key, scored: Scored) -> None:
        """Keep the rows of a piece."""
        name = _hash(repr(key))
        draft = self.work / f"{_DRAFT}{name}"
        with ZipFile(draft, "w") as archive:
            for table in self._tables:
                archive.writestr(table, scored.tables[table])
        to_disk(draft)
        file = self.work / f"{name}.zip"
        draft.rename(file)
        self._waiting[key] = file

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Mark the tables as unfinished until the body ends without an exception."""
        mark = self.work / UNFINISHED
        mark.touch()
        yield
        mark.unlink()

    def make_part(self, keys: Iterable[Key]) -> None:
        """Move waiting pieces into the tables as one part."""
        chosen = sorted(key for key in keys if key in self._waiting)
        if not chosen:
            return
        files = [self._waiting[key] for key in chosen]
        frames = {table: _concat(table, _unpacked(files, table)) for table in self._tables}
        with interrupts_deferred():
            self._swap([], chosen, frames)
            for key in chosen:
                del self._waiting[key]
            for file in files:
                file.unlink()

    def drop(self, stale: set[Key]) -> None:
        """Remove pieces from the tables, such as those of a file that has changed."""
        for key in stale & self.waiting:
            self._waiting.pop(key).unlink()
        for part, keys in list(self._parts.items()):
            if keys & stale:
                frames = {table: _read_part(part, table) for table in self._tables}
                with interrupts_deferred():
                    self._swap([part], sorted(keys - stale), _without(frames, stale))

    def join_small(self) -> None:
        """Merge small parts, such as those left by a log that grows day by day."""
        sizes = {part: int(_read_part(part, PIECES)[HANDS].sum()) for part in self._parts}
        small = [part for part, size in sizes.items() if size < FEW_HANDS]
        if len(small) < MANY_PARTS:
            return
        for parts in in_groups(small, sizes.__getitem__, FEW_HANDS):
            keys = sorted(set().union(*(self._parts[part] for part in parts)))
            frames = {
                table: _concat(table, [_read_part(part, table) for part in parts])
                for table in self._tables
            }
            with interrupts_deferred():
                self._swap(parts, keys, frames)

    def _swap(self, parts: list[Path], keys: list[Key], frames: Mapping[str, pl.DataFrame]) -> None:
        """Replace parts by one with these pieces, or by none if there are no pieces.

        The old parts are hidden before the new one becomes visible. If the run is killed in
        between, they are restored, because no other part has their pieces.
        """
        new = self.folder / (PART_PREFIX + _hash(repr(keys)))
        draft = self.work / f"{_DRAFT}{new.name}"
        if keys and not new.exists():
            shutil.rmtree(draft, ignore_errors=True)
            _write_part(draft, frames)
        gone = [self.work / f"{_GONE}{part.name}" for part in parts if part != new]
        for place in gone:
            old = self.folder / place.name.removeprefix(_GONE)
            old.rename(place)
            del self._parts[old]
        if keys:
            if not new.exists():
                draft.rename(new)
                to_disk(self.folder)
            self._parts[new] = set(keys)
        for place in gone:
            shutil.rmtree(place)

    def clear_up(self) -> None:
        """Remove temporary files of a killed run; restore parts that were not yet replaced."""
        there = part_folders(self.folder)
        for entry in list(self.work.iterdir()):
            if entry.name.startswith((_DRAFT, COPY_PREFIX)):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
            elif entry.name.startswith(_GONE):
                if self._replaced(entry, there):
                    shutil.rmtree(entry)
                else:
                    entry.rename(self.folder / entry.name.removeprefix(_GONE))

    @staticmethod
    def _replaced(gone: Path, there: Iterable[Path]) -> bool:
        """Return whether another part has pieces of a hidden one."""
        try:
            check_part(gone)
        except RunError:
            return True  # a part is deleted only after it was replaced
        keys = _keys_of(_read_part(gone, PIECES))
        return any(keys & _keys_of(_read_part(part, PIECES)) for part in there)


def _unpacked(files: Iterable[Path], table: str) -> Iterator[pl.DataFrame]:
    for file in files:
        with ZipFile(file) as archive:
            yield pl.read_ipc(archive.read(table))


def _key_of(file: Path) -> Key | None:
    """Return the key of the piece in an archive; None if it is damaged."""
    try:
        with ZipFile(file) as archive:
            if archive.testzip() is None:
                (key,) = _keys_of(pl.read_ipc(archive.read(PIECES)))
                return key
    except BROKEN:
        pass
    return None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]
