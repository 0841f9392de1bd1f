"""The folder of a set of tables: what is kept there, whole or not at all, each hand once.

What is read piece by piece waits in a folder for work until the pieces of a part are together.
Every step is one renaming, so that whenever a run is killed, what was kept is there, and once.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, Any
from zipfile import ZipFile

import polars as pl

from handread import __version__
from handread.formats.log_reader import LogPiece, read_stream
from handread.formats.parquet import Rows, is_intact, seal
from handread.formats.registry import BUILT_IN, Known
from handread.formats.text import HEAD, MAGIC, holds_text, is_parquet
from handread.game.replay import no_cards, replay
from handread.history import History, Problem
from handread.inference.analysis import analyze_replay
from handread.inference.players import Roster
from handread.inference.values import Analysis
from handread.parallel import RunError, interrupts_deferred, locked
from handread.tables import HANDS, PIECES, REJECTS, TABLES, TERMS_FILE, VERSION
from handread.tables.columns import (
    SCHEMAS,
    Gathering,
    HandRow,
    PieceRow,
    RejectRow,
    joined,
    packed,
    unpacked,
)
from handread.tables.folders import files_below, is_folder


@dataclass(frozen=True, slots=True)
class Terms:
    """What decides the rows of a hand: who is taken to sit there, and how equal hands count.

    ``version`` is that of the program: workers elsewhere may have another.
    """

    roster: Roster
    ties: str
    version: str = __version__


@dataclass(frozen=True, slots=True)
class PackedRows:
    """Hands of a Parquet file: rows from ``first_line`` on, as ``frames.packed``."""

    data: bytes
    first_line: int

    def read(self, file: str) -> Iterator[History | Problem]:
        """The hands, and a problem for each row that is none."""
        return Rows(self.first_line, unpacked(self.data)).hands(file)


Content = LogPiece | PackedRows | Problem


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a file, with all that is needed to read it wherever that is done.

    ``only`` says that it is the whole file. ``weight`` is its share of the work, in characters.
    """

    file: str
    first_line: int
    digest: str
    weight: int
    only: bool
    content: Content

    @property
    def key(self) -> tuple[str, int, str]:
        """What tells the piece from every other."""
        return self.file, self.first_line, self.digest

    def readings(self) -> Iterator[History | Problem]:
        """The hands of the piece and the problems of its text."""
        if isinstance(self.content, Problem):
            yield self.content
            return
        nothing = True
        for reading in self.content.read(self.file):
            nothing = False
            yield reading
        if nothing and self.only and isinstance(self.content, LogPiece):
            yield self.content.nothing(self.file)

    def line(self, number: int) -> str:
        """A line of the piece; empty where it has none."""
        if not isinstance(self.content, LogPiece):
            return ""
        lines = self.content.text.split("\n")
        at = number - self.first_line
        return lines[at] if 0 <= at < len(lines) else ""


@dataclass(frozen=True, slots=True)
class Scored:
    """What came of a piece: its tables as ``frames.packed``, and how many hands they hold."""

    tables: dict[str, bytes]
    hands: int
    rejects: int


def score_piece(terms: Terms, piece: Piece) -> Scored:
    """Read the hands of a piece; the same whatever was read before it, and where.

    ``RunError`` where another version of the program is asked for.
    """
    if terms.version != __version__:
        raise RunError(f"a worker has handread {__version__}, not {terms.version}")
    gathered = Gathering()
    for reading in piece.readings():
        _add(terms, piece, reading, gathered)
    hands, rejects = gathered.count(HANDS), gathered.count(REJECTS)
    gathered.add([(PIECES, PieceRow(*piece.key, hands, rejects))])
    tables = {table: packed(frame) for table, frame in gathered.frames().items()}
    return Scored(tables, hands, rejects)


def _add(terms: Terms, piece: Piece, reading: History | Problem, gathered: Gathering) -> None:
    """Put down the rows of a hand, or why there are none."""
    problem, history = (reading, None) if isinstance(reading, Problem) else (None, reading)
    if history is not None:
        try:
            found = _read(terms, history)
            if not isinstance(found, Problem):
                gathered.add(HandRow(found).rows())
                return
            problem = found
        except Exception as error:  # a fault of ours must not cost the other hands of a million
            problem = history.problem(0, f"handread fails on this hand: {error!r}", "an analysis")
    assert problem is not None
    gathered.add([(REJECTS, RejectRow(problem, history, piece.line(problem.line)))])


def _read(terms: Terms, history: History) -> Analysis | Problem:
    """What is read of a hand, or what keeps it from being read to its end."""
    played = replay(history)
    nothing = played.problem or no_cards(played)
    if nothing is not None:
        return nothing
    analysis = analyze_replay(played, terms.roster.lineup(history), ties=terms.ties)
    return analysis if analysis.complete else analysis.problems[-1]


PIECE_SIZE = 1 << 15
"""How many characters of a log a piece has, if no hand is longer: some twenty hands of a room.

Where more text makes a log look like another notation, it is cut in another way, and read anew.
"""

PIECE_ROWS = 64
"""How many hands of a Parquet file a piece has."""

HAND_WEIGHT = 1500
"""The characters of a hand in a room's log: how much work a hand of a Parquet file is."""

INPUT_PREFIX = "in-"
"""What copies of input that cannot be read again are called."""

Key = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be read: how it is called in the tables, and where it lies."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Planned:
    """A piece that is to be read, without what it holds."""

    key: Key
    weight: int


def sources(
    paths: Iterable[str], base: Path, scratch: Path, besides: Path
) -> tuple[list[Source], list[str]]:
    """The files that paths lead to, and what is wrong with the other paths, in words.

    Of a folder all files in it and below it, in order of their names, but for hidden ones, those
    in ``besides``, and tables. Names are relative to ``base`` where they can be. What cannot be
    read twice, such as standard input, is put down in ``scratch``, and named by what it holds.
    """
    found: dict[tuple[int, int], Source] = {}
    faults: list[str] = []
    for text in paths:
        path = Path(text)
        whole = is_folder(text)
        for file in files_below(path, besides, faults) if whole else [path]:
            try:
                source = _source("" if text == "" else str(file), base, scratch)
                status = source.path.stat()
                found.setdefault((status.st_dev, status.st_ino), source)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                faults.append(f"{text if not whole else file}: cannot be read: {reason}")
    return list(found.values()), faults


def _source(text: str, base: Path, scratch: Path) -> Source:
    """A file; what is none is read now, as it cannot be read again."""
    if text == "-":
        return _copy(text, sys.stdin.buffer, scratch)
    with Path(text).open("rb") as stream:
        if Path(text).is_file():
            return Source(_name(Path(text), base), Path(text))
        return _copy(_name(Path(text), base), stream, scratch)


def _copy(name: str, stream: IO[bytes], scratch: Path) -> Source:
    """What cannot be read again; of what is neither log nor table enough to tell so."""
    head = stream.read(HEAD)
    handle, copy = tempfile.mkstemp(dir=scratch, prefix=INPUT_PREFIX)
    with os.fdopen(handle, "w+b") as written:
        written.write(head)
        if is_parquet(head) or holds_text(head):
            shutil.copyfileobj(stream, written)
        written.seek(0)
        digest = hashlib.file_digest(written, "sha256").hexdigest()[:8]
    return Source(f"{name}#{digest}", Path(copy))


def _name(path: Path, base: Path) -> str:
    """What a file is called in the tables, wherever a run is started from."""
    whole = Path(os.path.normpath(path.absolute()))
    name = whole.relative_to(base) if whole.is_relative_to(base) else whole
    # What is no text in a name is spelled out; polars holds nothing else.
    return str(name).encode("utf-8", "backslashreplace").decode()


def pieces(source: Source, dialect: str | None, known: Known = BUILT_IN) -> Iterator[Piece]:
    """The pieces of a file, in order, with what they hold; ``OSError`` when it cannot be read."""
    found = _pieces(source, dialect, known)
    first = next(found)
    second = next(found, None)
    if second is None:
        yield replace(first, only=True, digest=_digest(first.digest, "only"))
        return
    yield from (first, second)
    yield from found


def _pieces(source: Source, dialect: str | None, known: Known) -> Iterator[Piece]:
    with source.path.open("rb") as stream:
        if is_parquet(stream.read(len(MAGIC))):
            stream.seek(0)
            yield from _rows(source, stream)
            return
        stream.seek(0)
        for found in read_stream(stream, source.name, dialect, known).pieces(PIECE_SIZE):
            if isinstance(found, Problem):
                yield _piece(source.name, found.line, _digest(str(found)), 1, found)
            else:
                more = [found.above] if found.above else []
                more += [] if found.own is None else [found.own.text]
                more += [str(level.decides) for level in found.levels]
                digest = _digest(found.dialect, found.text, *more)
                yield _piece(source.name, found.first_line, digest, len(found.text), found)


def _rows(source: Source, stream: BufferedReader) -> Iterator[Piece]:
    from handread.formats.parquet import read_rows

    before = _state(source.path)
    digest = hashlib.file_digest(stream, "sha256").hexdigest()
    for found in read_rows(source.path, source.name):
        if _state(source.path) != before:
            raise OSError(f"{source.name} changed while being read")
        if isinstance(found, Problem):
            yield _piece(source.name, found.line, digest, 1, found)
            continue
        for rows in found.slices(PIECE_ROWS):
            content = PackedRows(packed(rows.frame), rows.first)
            n = rows.frame.height
            own = _digest(digest, str(n))
            yield _piece(source.name, rows.first, own, n * HAND_WEIGHT, content)


def _state(path: Path) -> tuple[int, ...]:
    """What changes when a file is replaced or written to."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _piece(name: str, line: int, digest: str, weight: int, content: Content) -> Piece:
    return Piece(name, line, digest, weight, only=False, content=content)


def _digest(*parts: str) -> str:
    text = "\0".join(parts)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def in_order(key: Key) -> tuple[str, int]:
    """What pieces are sorted by."""
    return key[:2]


PART_PREFIX = "part-"

COMPRESSION_LEVEL = 6
"""Of zstd."""

# What polars raises over a damaged file: its own errors, and panics, which are no ``Exception``.
BROKEN = (Exception, pl.exceptions.PanicException)


def part_folders(folder: Path) -> list[Path]:
    """The parts of the tables of a folder."""
    return sorted(path for path in folder.glob(f"{PART_PREFIX}*") if path.is_dir())


def check_part(part: Path) -> None:
    """Raise ``RunError`` for a part of which a table is missing, damaged or of another version.

    All bytes are read for their checksum: polars takes some thirty times as long to decode them.
    """
    for table in TABLES:
        path = part / f"{table}.parquet"
        try:
            with path.open("rb") as file:
                sound = is_intact(file)
            sound = sound and pl.read_parquet_schema(path.absolute()) == dict(SCHEMAS[table])
        except BROKEN:
            sound = False
        if not sound:
            advice = f"remove {part}, and read its files anew with handread score --resume"
            raise RunError(f"{path}: is missing or damaged; {advice}")


def read_part(part: Path, table: str) -> pl.DataFrame:
    """A table of a part; ``RunError`` as ``check_part``."""
    try:
        return pl.read_parquet(
            (part / f"{table}.parquet").absolute(), glob=False, hive_partitioning=False
        )
    except BROKEN:
        check_part(part)
        raise RunError(f"{part}: is damaged; remove it, and read its files anew") from None


def write_part(part: Path, frames: Mapping[str, pl.DataFrame]) -> None:
    """Write a part to a folder that is not there yet; ``OSError`` where that fails."""
    part.mkdir()
    for table in TABLES:
        path = part / f"{table}.parquet"
        data = BytesIO()  # to a disk that is full polars would say that the file is damaged
        frames[table].write_parquet(
            data,
            compression="zstd",
            compression_level=COMPRESSION_LEVEL,
            metadata={"handread.tables": VERSION},
        )
        path.write_bytes(data.getbuffer())
        seal(path)
        to_disk(path)
    to_disk(part)


def keys_of(pieces: pl.DataFrame) -> set[Key]:
    """The pieces of a table of them."""
    return set(pieces.select("file", "first_line", "digest").iter_rows())


def hands_in(pieces: pl.DataFrame) -> int:
    """How many hands they hold."""
    return int(pieces[HANDS].sum())


def without(frames: Mapping[str, pl.DataFrame], stale: set[Key]) -> dict[str, pl.DataFrame]:
    """The tables of a part without the rows of some of its pieces."""
    spans = list(_spans(keys_of(frames[PIECES]), stale))
    return {table: _outside(frame, table, spans) for table, frame in frames.items()}


def _spans(keys: set[Key], stale: set[Key]) -> Iterator[tuple[str, int, int | None]]:
    """File, first line and line behind the last of each stale piece; None where none follows."""
    for file, first, _ in stale & keys:
        behind = (line for other, line, _ in keys if other == file and line > first)
        yield file, first, min(behind, default=None)


def _outside(
    frame: pl.DataFrame, table: str, spans: Iterable[tuple[str, int, int | None]]
) -> pl.DataFrame:
    line = pl.col("first_line" if table == PIECES else "line")
    for file, first, behind in spans:
        inside = (pl.col("file") == file) & (line >= first)
        if behind is not None:
            inside &= line < behind
        frame = frame.filter(~inside)
    return frame


def to_disk(path: Path) -> None:
    """Have a file or a folder written through: a power cut must not leave it empty."""
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
