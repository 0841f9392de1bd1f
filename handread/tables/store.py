"""A store of tables in parts, which adds parts and loses nothing if killed.

The file that makes a part valid is written last, and names the parts that it replaces. Whenever a
run is killed, each stored hand is in the tables exactly once.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import polars as pl

import handread.tables.files as files
from handread.history import KEY_SIZE
from handread.parallel import RunError, locked
from handread.processes import interrupts_deferred
from handread.sessions.opening import COPY_PREFIX
from handread.tables import DECISIONS, HANDS, PIECES, TERMS_FILE, VERSION, tables_of
from handread.tables.pieces import Key
from handread.version import __version__

UNFINISHED = "unfinished"

FEW_HANDS, MANY_PARTS = 5000, 8
"""Parts with fewer than 5000 hands are merged when there are 8 of them."""

Item = TypeVar("Item")


def in_groups(
    items: Iterable[Item], size_of: Callable[[Item], int], least: int
) -> Iterator[list[Item]]:
    """Yield items in groups of total size ``least`` or more; the last may be smaller."""
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


def _without(frames: Mapping[str, pl.DataFrame], stale: set[Key]) -> dict[str, pl.DataFrame]:
    """Return the tables of a part without the rows of the ``stale`` pieces."""
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


@contextmanager
def open_store(
    output: str | Path, terms: Mapping[str, Any], resume: bool, command: str = ""
) -> "Iterator[Store]":
    """Open the tables of a folder, or at a URL, for a run; create a missing folder.

    ``terms`` are JSON values that determine the rows of a hand. Only ``resume`` adds to existing
    tables. ``command`` goes into the metadata of files.

    Raises:
        RunError: The folder holds other files, tables with other terms or, without ``resume``,
            any tables; another run has it open; or it cannot be written.
    """
    wanted = {"schema": VERSION, **terms}
    place = files.place_of(str(output))
    try:
        with _work_folder(place) as work:
            base = _agreed(place, wanted, resume)
            store = Store(place, Path(base or Path.cwd()), tables_of(terms), work)
            store.notes, store.away = _notes(terms, command), files.is_address(str(output))
            if base is None:
                record = json.dumps({**wanted, "folder": str(store.base)}, sort_keys=True, indent=1)
                place.write(TERMS_FILE, f"{record}\n".encode())
            try:
                yield store
            except BaseException:
                if base is None and not store.in_parts:
                    place.remove(TERMS_FILE)  # nothing was kept: the next run may have other terms
                raise
            finally:
                store.clear_up()
    except OSError as error:
        raise RunError(f"{error.filename or place.root}: {error.strerror or error}") from None


@contextmanager
def _work_folder(place: files.Place) -> Iterator[Path]:
    """Yield a locked folder for temporary files; a new folder if the tables are at a URL."""
    if not isinstance(place, files.Folder):
        with TemporaryDirectory(prefix="handread-") as name:
            yield Path(name)
        return
    folder = place.root
    folder.mkdir(exist_ok=True)
    others = any(entry.name != files.WORK_FOLDER for entry in folder.iterdir())
    if others and not (folder / TERMS_FILE).exists():
        raise RunError(f"{folder}: contains other files; choose a new or empty folder")
    (folder / files.WORK_FOLDER).mkdir(exist_ok=True)
    with locked(folder / files.WORK_FOLDER):
        yield folder / files.WORK_FOLDER


def _notes(terms: Mapping[str, Any], command: str) -> dict[str, str]:
    said = {
        "version": __version__,
        "policy": terms.get("players", ""),
        "ties": terms.get("ties", ""),
        "viewpoint": "public",
        "command": command,
    }
    return {f"handread.{name}": str(value) for name, value in said.items()}


def _agreed(place: files.Place, wanted: Mapping[str, Any], resume: bool) -> str | None:
    """Return the base folder of file names in the tables; None for new tables."""
    try:
        terms = json.loads(place.read(TERMS_FILE))
        base = str(terms.pop("folder"))
    except FileNotFoundError:
        if place.names():
            raise RunError(f"{place.root}: contains other files; choose a new place") from None
        return None
    except (ValueError, TypeError, AttributeError, KeyError):
        raise RunError(f"{place.root}/{TERMS_FILE}: is damaged") from None
    if terms != wanted:
        raise RunError(f"{place.root}: {_unlike(terms, wanted)}, or choose another folder")
    if not resume:
        raise RunError(f"{place.root}: already has tables; --resume adds to them")
    return base


def _unlike(terms: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """Say how the terms of tables differ from a run's, and which options would agree."""
    unlike = [key for key in {**wanted, **terms} if terms.get(key) != wanted.get(key)]
    for key, made in (("schema", "in the form"), ("version", "by handread")):
        if key in unlike:
            now = f"now it is {wanted.get(key)}: make them anew"
            return f"these tables were made {made} {terms.get(key)}, {now}"
    words = [_option_words(key, terms.get(key), wanted.get(key)) for key in unlike]
    again = "give it again" if len(words) == 1 else "give the same options again"
    if words[0].startswith("no --") and len(words) == 1:
        again = "leave it out"
    return f"these tables have {' and '.join(words)}: {again}"


def _option_words(key: str, term: Any, wanted: Any) -> str:
    """Return the option of a term of tables, compared with the run's term."""
    option = f"--{key.replace('_', '-')}"
    if term is None:
        return f"no {option}"
    if term is True:
        return option
    if key == "players":
        names, now = (re.sub(r" \([^()]*\)", "", str(terms)) for terms in (term, wanted))
        changed = "" if names != now else ", which has changed since"
        return f"hands read by {names}{changed} (--policy, --reader, --lapse, --seat and --known)"
    if key == "names":
        return "other names of players (--names)"
    if key != DECISIONS:
        return f"{option} {term}"
    way, now = (str(terms).partition(";")[0] for terms in (term, wanted))
    changed = "" if way != now else " with other policies"
    exact = re.fullmatch(r"(\d+) rollouts", way)
    return option + (f" --exact --rollouts {exact[1]}" if exact else "") + changed


class Store:
    """The tables of a place while a run has it open.

    File names in the tables are relative to the folder ``base``, ``work`` is for
    temporary files, and ``notes`` is the metadata of files. The store is ``away`` if all
    processes that read hands can write to its place.
    """

    def __init__(self, place: files.Place, base: Path, tables: Sequence[str], work: Path) -> None:
        """Load the tables of earlier runs; raise ``RunError`` for a damaged part."""
        self._tables = tables
        self.place = place
        self.base = base
        self.work = work
        self.notes: Mapping[str, str] = {}
        self.away = False
        self._parts: dict[files.TablePart, set[Key]] = {}
        for part in files.parts_of(place):
            if isinstance(place, files.Folder):
                files.check_part(place.root, part)
            self._parts[part] = _keys_of(files.read_part(place, part, PIECES))
        self.clear_up()

    @property
    def in_parts(self) -> set[Key]:
        """Keys of the pieces that are in the tables."""
        return set().union(*self._parts.values())

    @property
    def folder(self) -> Path:
        """The folder of the tables; the temporary folder if they are at a URL."""
        return self.place.root if isinstance(self.place, files.Folder) else self.work

    def pieces(self) -> pl.DataFrame:
        """Return the rows of all pieces."""
        frames = (files.read_part(self.place, part, PIECES) for part in self._parts)
        return files.joined(PIECES, frames)

    def seen(self) -> tuple[set[bytes], set[Key]]:
        """Return the keys of all hands, and the pieces with repeated hands left out."""
        pieces = self.pieces()
        return hand_keys(pieces), _keys_of(pieces.filter(pl.col("repeated") > 0))

    def take(
        self,
        part: files.TablePart,
        data: Mapping[str, bytes],
        pieces: pl.DataFrame,
        gone: pl.DataFrame | None = None,
    ) -> None:
        """Put a part into the tables, without the hands whose file and line are in ``gone``.

        ``data`` are its files that are not in place yet.
        """
        keys = sorted(_keys_of(pieces))
        with interrupts_deferred():
            for name, content in data.items():
                self.place.write(name, content)
            if gone is not None and gone.height:
                frames = {
                    table: files.read_part(self.place, part, table).join(
                        gone, ["file", "line"], "anti"
                    )
                    for table in self._tables
                    if table != PIECES
                }
                part = files.write_files(self.place.write, keys, frames, self.notes)
            files.commit_part(self.place.write, part, pieces, self.notes)
            self._parts[part] = set(keys)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Mark the tables as unfinished until the body ends without an exception."""
        mark = self.work / UNFINISHED
        mark.touch()
        yield
        mark.unlink()

    def drop(self, stale: set[Key]) -> None:
        """Remove pieces from the tables, such as pieces of a file that has changed."""
        for part, keys in list(self._parts.items()):
            if keys & stale:
                frames = {table: files.read_part(self.place, part, table) for table in self._tables}
                with interrupts_deferred():
                    self._swap([part], sorted(keys - stale), _without(frames, stale))

    def join_small(self) -> None:
        """Merge small parts, such as those left by a log that grows day by day."""
        sizes = {p: int(files.read_part(self.place, p, PIECES)[HANDS].sum()) for p in self._parts}
        small = [part for part, size in sizes.items() if size < FEW_HANDS]
        if len(small) < MANY_PARTS:
            return
        for parts in in_groups(small, sizes.__getitem__, FEW_HANDS):
            keys = sorted(set().union(*(self._parts[part] for part in parts)))
            frames = {
                table: files.joined(
                    table, [files.read_part(self.place, part, table) for part in parts]
                )
                for table in self._tables
            }
            with interrupts_deferred():
                self._swap(parts, keys, frames)

    def _swap(
        self, parts: list[files.TablePart], keys: list[Key], frames: Mapping[str, pl.DataFrame]
    ) -> None:
        """Replace parts by one with the pieces ``keys``; remove them if there are no pieces.

        The new part names the parts that it replaces: if the run is killed now, they do not count.
        """
        if [self._parts[part] for part in parts] == [set(keys)]:
            return
        if keys:
            old = [part.name for part in parts]
            new = files.write_files(self.place.write, keys, frames, self.notes, old)
            files.commit_part(self.place.write, new, frames[PIECES], self.notes)
            self._parts[new] = set(keys)
        for part in parts:
            del self._parts[part]
            for name in (part.pieces, *part.files):  # first the file that makes it valid
                self.place.remove(name)

    def clear_up(self) -> None:
        """Remove temporary files of a killed run, and files that belong to no part."""
        for entry in list(self.work.iterdir()):
            if entry.name.startswith((files.DRAFT, COPY_PREFIX)):
                entry.unlink() if entry.is_file() else shutil.rmtree(entry)
        kept = {name for part in self._parts for name in (part.pieces, *part.files)}
        for name in self.place.names():
            if name not in kept:
                self.place.remove(name)
