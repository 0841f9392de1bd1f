"""The folder of a set of tables: what is kept there, whole or not at all, each hand once.

A part is a folder with one Parquet file a table. What is read piece by piece waits in a
folder for work until the pieces of a part are together. Every step is one renaming, so that
whenever a run is killed, what was kept is there, and once.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl

from handread.runs import RunError, locked
from handread.score import PIECES, TABLES, VERSION
from handread.score.frames import SCHEMAS, joined, unpacked
from handread.score.plan import Key, in_order
from handread.score.work import Scored

TERMS_FILE = "handread.json"
WORK_FOLDER = ".work"
PART_PREFIX = "part-"
INPUT_PREFIX = "in-"
_DRAFT, _GONE = "draft-", "gone-"

COMPRESSION_LEVEL = 6
"""Of zstd."""

_BROKEN = (Exception, pl.exceptions.PanicException)


@contextmanager
def open_store(folder: Path, terms: Mapping[str, Any], resume: bool) -> Iterator[Store]:
    """The tables of a folder for a run on some terms (plain values that decide its rows).

    A folder that holds tables is taken up where ``resume`` says so. ``RunError`` else, for tables
    on other terms, for a folder of other things, and while another run is at work in it.
    """
    record = json.dumps({"schema": VERSION, **terms}, sort_keys=True, indent=1) + "\n"
    file = folder / TERMS_FILE
    try:
        folder.mkdir(exist_ok=True)
        if not file.exists() and any(entry.name != WORK_FOLDER for entry in folder.iterdir()):
            raise RunError(f"{folder}: holds other things; choose a new folder, or an empty one")
        (folder / WORK_FOLDER).mkdir(exist_ok=True)
        with locked(folder / WORK_FOLDER):
            if file.exists():
                _check_terms(folder, file.read_text(encoding="utf-8"), record, resume)
            else:
                draft = folder / WORK_FOLDER / f"{_DRAFT}terms"
                draft.write_text(record, encoding="utf-8")
                draft.rename(file)
            store = Store(folder)
            try:
                yield store
            finally:
                store.clear_up()
    except OSError as error:
        raise RunError(f"{error.filename or folder}: {error.strerror or error}") from None


def _check_terms(folder: Path, found: str, wanted: str, resume: bool) -> None:
    if found != wanted:
        raise RunError(
            f"{folder}: holds tables that were made in another way ({_difference(found, wanted)}); "
            "choose another folder"
        )
    if not resume:
        raise RunError(f"{folder}: holds tables already; --resume goes on with them")


def _difference(found: str, wanted: str) -> str:
    try:
        old, new = json.loads(found), json.loads(wanted)
        changed = [
            f"{key}: {old.get(key)}, now {new[key]}" for key in new if old.get(key) != new[key]
        ]
    except (ValueError, AttributeError):
        changed = []
    return ", ".join(changed) or f"{TERMS_FILE} is damaged"


class Store:
    """The tables of a folder, while a run holds it."""

    def __init__(self, folder: Path) -> None:
        """Takes up what earlier runs have left; ``RunError`` for what is damaged."""
        self.folder = folder
        self.work = folder / WORK_FOLDER
        self.clear_up()
        self._parts: dict[Path, set[Key]] = {
            part: set(_keys(_read_part(part, PIECES))) for part in part_folders(folder)
        }
        in_parts = set().union(*self._parts.values())
        self._waiting: dict[Key, Path] = {}
        for file in sorted(self.work.glob("*.zip")):
            key = _key_of(file)
            if key is None or key in in_parts:  # a run was killed while it made the part
                file.unlink()
            else:
                self._waiting[key] = file

    @property
    def in_parts(self) -> set[Key]:
        """The pieces that stand in the tables."""
        return set().union(*self._parts.values())

    @property
    def waiting(self) -> set[Key]:
        """The pieces that are done, and stand in no part yet."""
        return set(self._waiting)

    def keep(self, key: Key, scored: Scored) -> None:
        """Keep what came of a piece."""
        name = _hash(repr(key))
        draft = self.work / f"{_DRAFT}{name}"
        with ZipFile(draft, "w") as archive:
            for table in TABLES:
                archive.writestr(table, scored.tables[table])
        _to_disk(draft)
        file = self.work / f"{name}.zip"
        draft.rename(file)
        self._waiting[key] = file

    def make_part(self, keys: Iterable[Key]) -> None:
        """Put pieces that wait into the tables, as one part."""
        chosen = sorted((key for key in keys if key in self._waiting), key=in_order)
        if not chosen:
            return
        files = [self._waiting[key] for key in chosen]
        frames = {table: joined(table, _unpacked(files, table)) for table in TABLES}
        self._add_part(chosen, frames)
        for key, file in zip(chosen, files, strict=True):
            file.unlink()
            del self._waiting[key]

    def drop(self, stale: set[Key]) -> None:
        """Take pieces out of the tables: their files have changed."""
        for key in stale & self.waiting:
            self._waiting.pop(key).unlink()
        for part, keys in list(self._parts.items()):
            if keys & stale:
                self._rewrite(part, keys - stale, keys & stale)

    def _rewrite(self, part: Path, kept: set[Key], stale: set[Key]) -> None:
        spans = list(_spans(stale, kept))
        frames = {table: _without(_read_part(part, table), table, spans) for table in TABLES}
        # Gone first: killed now, the pieces are read again, and do not stand there twice.
        gone = self.work / f"{_GONE}{part.name}"
        part.rename(gone)
        del self._parts[part]
        if kept:
            self._add_part(sorted(kept, key=in_order), frames)
        shutil.rmtree(gone)

    def _add_part(self, keys: list[Key], frames: Mapping[str, pl.DataFrame]) -> None:
        name = PART_PREFIX + _hash(repr(keys))
        draft = self.work / f"{_DRAFT}{name}"
        draft.mkdir()
        for table in TABLES:
            path = draft / f"{table}.parquet"
            frames[table].write_parquet(
                path,
                compression="zstd",
                compression_level=COMPRESSION_LEVEL,
                metadata={"handread.score": VERSION},
            )
            _to_disk(path)
        draft.rename(self.folder / name)
        self._parts[self.folder / name] = set(keys)

    def clear_up(self) -> None:
        """Remove what a run was at when it was killed, and copies of what it read."""
        for entry in self.work.iterdir():
            if entry.name.startswith((_DRAFT, _GONE, INPUT_PREFIX)):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def part_folders(folder: Path) -> list[Path]:
    """The parts of the tables of a folder."""
    return sorted(path for path in folder.glob(f"{PART_PREFIX}*") if path.is_dir())


def _read_part(part: Path, table: str) -> pl.DataFrame:
    path = part / f"{table}.parquet"
    try:
        frame = pl.read_parquet(path.absolute(), glob=False, hive_partitioning=False)
    except _BROKEN:
        frame = None
    if frame is None or frame.schema != SCHEMAS[table]:
        raise RunError(f"{path}: is damaged; remove the folder {part}, and its hands are read anew")
    return frame


def _keys(frame: pl.DataFrame) -> Iterator[Key]:
    return (row for row in frame.select("file", "first_line", "digest").iter_rows())


def _spans(stale: set[Key], kept: set[Key]) -> Iterator[tuple[str, int, int | None]]:
    """File, first line and line behind the last of each stale piece; None where none follows."""
    for file, first, _ in stale:
        behind = (line for other, line, _ in stale | kept if other == file and line > first)
        yield file, first, min(behind, default=None)


def _without(
    frame: pl.DataFrame, table: str, spans: Iterable[tuple[str, int, int | None]]
) -> pl.DataFrame:
    line = pl.col("first_line" if table == PIECES else "line")
    for file, first, behind in spans:
        inside = (pl.col("file") == file) & (line >= first)
        if behind is not None:
            inside &= line < behind
        frame = frame.filter(~inside)
    return frame


def _unpacked(files: Iterable[Path], table: str) -> Iterator[pl.DataFrame]:
    for file in files:
        with ZipFile(file) as archive:
            yield unpacked(archive.read(table))


def _key_of(file: Path) -> Key | None:
    """The piece that a file in the folder for work holds; None if it is damaged."""
    try:
        with ZipFile(file) as archive:
            if archive.testzip() is None:
                return next(_keys(unpacked(archive.read(PIECES))))
    except _BROKEN:
        pass
    return None


def _to_disk(path: Path) -> None:
    """A power cut must not leave a file that is empty."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]
