"""The folder of a set of tables: what is kept there, whole or not at all, each hand once.

What is read piece by piece waits in a folder for work until the pieces of a part are together.
Every step is one renaming, so that whenever a run is killed, what was kept is there, and once.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl

from handread.runs import RunError, interrupts_deferred, locked
from handread.score import PIECES, TABLES, TERMS_FILE, VERSION
from handread.score.frames import joined, unpacked
from handread.score.parts import (
    BROKEN,
    PART_PREFIX,
    check_part,
    hands_in,
    keys_of,
    part_folders,
    read_part,
    to_disk,
    without,
    write_part,
)
from handread.score.plan import INPUT_PREFIX, Key, in_order
from handread.score.work import Scored

WORK_FOLDER = ".work"
UNFINISHED = "unfinished"
_DRAFT, _GONE = "draft-", "gone-"

FEW_HANDS, MANY_PARTS = 2500, 8
"""Parts with fewer hands are joined when there are as many of them."""


@contextmanager
def open_store(folder: Path, terms: Mapping[str, Any], resume: bool) -> Iterator[Store]:
    """The tables of a folder for a run on some terms (plain values that decide its rows).

    A folder that holds tables is taken up where ``resume`` says so. ``RunError`` else, for tables
    on other terms, for a folder of other things, and while another run is at work in it.
    """
    wanted = {"schema": VERSION, **terms}
    file = folder / TERMS_FILE
    try:
        folder.mkdir(exist_ok=True)
        if not file.exists() and any(entry.name != WORK_FOLDER for entry in folder.iterdir()):
            raise RunError(f"{folder}: holds other things; choose a new folder, or an empty one")
        (folder / WORK_FOLDER).mkdir(exist_ok=True)
        with locked(folder / WORK_FOLDER):
            fresh = not file.exists()
            if not fresh:
                base = _check_terms(folder, file.read_text(encoding="utf-8"), wanted, resume)
            else:
                base = str(Path.cwd())
                draft = folder / WORK_FOLDER / f"{_DRAFT}terms"
                record = json.dumps({**wanted, "folder": base}, sort_keys=True, indent=1)
                draft.write_text(record + "\n", encoding="utf-8")
                to_disk(draft)
                draft.rename(file)
            store = Store(folder, Path(base))
            try:
                yield store
            except BaseException:
                if fresh and not (store.in_parts or store.waiting):
                    file.unlink()  # nothing came of it: another run may begin otherwise
                raise
            finally:
                store.clear_up()
    except OSError as error:
        raise RunError(f"{error.filename or folder}: {error.strerror or error}") from None


def _check_terms(folder: Path, text: str, wanted: Mapping[str, Any], resume: bool) -> str:
    """The folder that file names are relative to, of tables that the run may go on with."""
    try:
        found = json.loads(text)
        base = str(found.pop("folder"))
    except (ValueError, TypeError, AttributeError, KeyError):
        raise RunError(f"{folder / TERMS_FILE}: is damaged") from None
    if found != wanted:
        unlike = [key for key in wanted if found.get(key) != wanted[key]]
        ways = ", ".join(f"{key}: {found.get(key)}, now {wanted[key]}" for key in unlike)
        message = f"holds tables that were made in another way ({ways}); choose another folder"
        raise RunError(f"{folder}: {message}")
    if not resume:
        raise RunError(f"{folder}: holds tables already; --resume goes on with them")
    return base


class Store:
    """The tables of a folder, while a run holds it.

    ``base`` is the folder that the names of files in the tables are relative to, ``work`` the one
    for what is in the making.
    """

    def __init__(self, folder: Path, base: Path) -> None:
        """Takes up what earlier runs have left; ``RunError`` for what is damaged."""
        self.folder = folder
        self.base = base
        self.work = folder / WORK_FOLDER
        self.clear_up()
        self._parts: dict[Path, set[Key]] = {}
        for part in part_folders(folder):
            check_part(part)
            self._parts[part] = keys_of(read_part(part, PIECES))
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
        to_disk(draft)
        file = self.work / f"{name}.zip"
        draft.rename(file)
        self._waiting[key] = file

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Marks the tables as unfinished until the body has come to its end."""
        mark = self.work / UNFINISHED
        mark.touch()
        yield
        mark.unlink()

    def make_part(self, keys: Iterable[Key]) -> None:
        """Put pieces that wait into the tables, as one part."""
        chosen = sorted((key for key in keys if key in self._waiting), key=in_order)
        if not chosen:
            return
        files = [self._waiting[key] for key in chosen]
        frames = {table: joined(table, _unpacked(files, table)) for table in TABLES}
        with interrupts_deferred():
            self._swap([], chosen, frames)
            for key in chosen:
                del self._waiting[key]
            for file in files:
                file.unlink()

    def drop(self, stale: set[Key]) -> None:
        """Take pieces out of the tables: their files have changed."""
        for key in stale & self.waiting:
            self._waiting.pop(key).unlink()
        for part, keys in list(self._parts.items()):
            if keys & stale:
                frames = {table: read_part(part, table) for table in TABLES}
                with interrupts_deferred():
                    self._swap([part], sorted(keys - stale, key=in_order), without(frames, stale))

    def join_small(self) -> None:
        """Make one part of many small ones, such as a log that grows leaves day by day."""
        sizes = {part: hands_in(read_part(part, PIECES)) for part in self._parts}
        small = [part for part, size in sizes.items() if size < FEW_HANDS]
        if len(small) < MANY_PARTS:
            return
        group: list[Path] = []
        for part in small:
            group.append(part)
            if part is small[-1] or sum(sizes[one] for one in group) >= FEW_HANDS:
                self._join(group)
                group = []

    def _join(self, parts: list[Path]) -> None:
        keys = sorted(set().union(*(self._parts[part] for part in parts)), key=in_order)
        frames = {table: joined(table, (read_part(p, table) for p in parts)) for table in TABLES}
        with interrupts_deferred():
            self._swap(parts, keys, frames)

    def _swap(self, parts: list[Path], keys: list[Key], frames: Mapping[str, pl.DataFrame]) -> None:
        """Put a part with these pieces in the place of some; without pieces none.

        Those that go are out of sight before it is seen. Killed between the two, they come
        back, as no other part has their pieces.
        """
        new = self.folder / (PART_PREFIX + _hash(repr(keys)))
        draft = self.work / f"{_DRAFT}{new.name}"
        if keys and not new.exists():
            shutil.rmtree(draft, ignore_errors=True)
            write_part(draft, frames)
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
        """Remove what a run was at when it ended, and bring back what it had not replaced yet."""
        there = part_folders(self.folder)
        for entry in list(self.work.iterdir()):
            if entry.name.startswith((_DRAFT, INPUT_PREFIX)):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
            elif entry.name.startswith(_GONE):
                if self._replaced(entry, there):
                    shutil.rmtree(entry)
                else:
                    entry.rename(self.folder / entry.name.removeprefix(_GONE))

    @staticmethod
    def _replaced(gone: Path, there: Iterable[Path]) -> bool:
        """Whether another part is in the place of one; one is removed only after that."""
        try:
            check_part(gone)
        except RunError:
            return True
        keys = keys_of(read_part(gone, PIECES))
        return any(keys & keys_of(read_part(part, PIECES)) for part in there)


def _unpacked(files: Iterable[Path], table: str) -> Iterator[pl.DataFrame]:
    for file in files:
        with ZipFile(file) as archive:
            yield unpacked(archive.read(table))


def _key_of(file: Path) -> Key | None:
    """The piece that a file in the folder for work holds; None if it is damaged."""
    try:
        with ZipFile(file) as archive:
            if archive.testzip() is None:
                (key,) = keys_of(unpacked(archive.read(PIECES)))
                return key
    except BROKEN:
        pass
    return None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]
