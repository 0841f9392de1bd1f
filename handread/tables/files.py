"""The files of tables: names, contents, and a checksum.

A part holds the rows of some pieces of logs. Each table has a file for each part and game, such as
``stages/variant=stud/part-3f2a.parquet``, so that other programs read a table by one pattern. The
file ``pieces/part-3f2a.parquet`` names the others and is written last: it makes the part valid.

Parquet has no checksum, and a damaged byte could change a figure unnoticed. Ours stands between the
columns and the footer, where the format allows any bytes; other programs ignore it.
"""

import errno
import hashlib
import json
import os
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote, unquote, urlsplit
from urllib.request import url2pathname
from uuid import uuid4

import polars as pl

from handread.parallel import RunError
from handread.tables import ALL_TABLES, PIECES, VERSION
from handread.tables.columns import GAME, SCHEMAS, file_schema, notes_of_columns
from handread.whole_files import move_over

PART_PREFIX = "part-"

LEVEL = 6

WORK_FOLDER = ".work"
DRAFT = "draft-"

NO_GAME = "__HIVE_DEFAULT_PARTITION__"
"""The game of rows without a game, as Hive, polars, DuckDB and Arrow call it."""

BROKEN = (Exception, pl.exceptions.PanicException)
"""Exceptions that polars raises for a damaged file; its panics are not an ``Exception``."""

_PART_FILE = re.compile(rf"({'|'.join(ALL_TABLES)})/({GAME}=[^/]+/)?{PART_PREFIX}[^/]+\.parquet")
_FILES, _REPLACES = "handread.files", "handread.replaces"

# Where tables are


@dataclass(frozen=True)
class Folder:
    """A folder of tables; a file is written in its work folder, then renamed."""

    root: Path

    def names(self) -> list[str]:
        """Return the names of the files of all parts."""
        paths = (path for n in ("*", "*/*") for path in self.root.glob(f"{n}/{PART_PREFIX}*"))
        return _part_files(path.relative_to(self.root).as_posix() for path in paths)

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        return (self.root / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        """Write a file."""
        draft, file = self.root / WORK_FOLDER / f"{DRAFT}{uuid4().hex}", self.root / name
        draft.write_bytes(data)
        to_disk(draft)
        file.parent.mkdir(parents=True, exist_ok=True)
        move_over(draft, file)
        to_disk(file.parent)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there; on Windows one that is open stays for the next run."""
        with suppress(PermissionError):
            (self.root / name).unlink(missing_ok=True)


@dataclass(frozen=True)
class FolderUrl:
    """A URL such as ``s3://bucket/tables``, opened by fsspec."""

    root: str

    def _do(self, what: str, name: str, *data: bytes) -> Any:
        """Call a method of fsspec on a file; raise ``OSError`` or ``RunError`` if it fails."""
        try:
            import fsspec  # type: ignore[import-untyped]

            system, root = fsspec.core.url_to_fs(self.root, use_listings_cache=False)
            return getattr(system, what)(f"{root.rstrip('/')}/{name}", *data)
        except OSError:
            raise
        except (ImportError, ValueError) as error:  # without the package of the protocol
            hint = "a URL needs: pip install 'handread[url]', with s3fs for s3://, gcsfs for gs://"
            raise RunError(f"{self.root}: {error}; {hint}") from None
        except Exception as error:  # such as no connection or no credentials
            raise RunError(f"{self.root}: {error}") from None

    def names(self) -> list[str]:
        """Return the names of the files of all parts."""
        paths = self._do("glob", f"**/{PART_PREFIX}*.parquet")
        root = self._do("_strip_protocol", "").rstrip("/") + "/"
        return _part_files(name.partition(root)[2] for name in paths)

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        return bytes(self._do("cat_file", name))

    def write(self, name: str, data: bytes) -> None:
        """Write a file."""
        self._do("pipe_file", name, data)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with suppress(FileNotFoundError):
            self._do("rm_file", name)


Place = Folder | FolderUrl
"""Where tables are kept; names of files are relative to it."""

Write = Callable[[str, bytes], object]
"""Writes a file, given its name and content."""


def is_address(output: str) -> bool:
    """Return True for a URL: whoever reads the hands then also writes the parts."""
    return "://" in output


def place_of(output: str) -> Place:
    """Return the place of a path or a URL; ``file://`` is a folder that many processes share."""
    if not is_address(output):
        return Folder(Path(output))
    parts = urlsplit(output)
    return Folder(Path(url2pathname(parts.path))) if parts.scheme == "file" else FolderUrl(output)


def _part_files(names: Iterable[str]) -> list[str]:
    """Return the names of files of parts; other files are not ours."""
    return sorted(name for name in names if _PART_FILE.fullmatch(name))


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


# Parts


class TablePart(NamedTuple):
    """A part: its name, the names of its files except ``pieces``, and the parts it replaces."""

    name: str
    files: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()

    @property
    def pieces(self) -> str:
        """The file of the pieces, which makes the part valid."""
        return _file(PIECES, self.name)

    def of(self, table: str, game: str | None = None) -> list[tuple[str, str | None]]:
        """Return the files of a table, of one game or of all, each with its game."""
        if table == PIECES:
            return [(self.pieces, None)]
        files = [(file, _game(file)) for file in self.files if file.startswith(f"{table}/")]
        return [pair for pair in files if game is None or pair[1] == game]


def _file(table: str, part: str, game: str | None = None) -> str:
    kind = "" if table == PIECES else f"{GAME}={NO_GAME if game is None else quote(game, '')}/"
    return f"{table}/{kind}{part}.parquet"


def _game(file: str) -> str | None:
    game = unquote(file.split("/")[1].partition("=")[2])
    return None if game == NO_GAME else game


def parts_of(place: Place) -> list[TablePart]:
    """Return the parts of tables; raise ``RunError`` for a damaged file.

    A replaced part, left by a run that was killed before removing it, is omitted.
    """
    parts = []
    for name in place.names():
        if not name.startswith(f"{PIECES}/"):
            continue
        part = TablePart(Path(name).stem)
        try:
            data = place.read(name)
            notes = pl.read_parquet_metadata(BytesIO(data)) if is_intact(BytesIO(data)) else {}
            lists = (tuple(json.loads(notes[key])) for key in (_FILES, _REPLACES))
            parts.append(TablePart(part.name, *lists))
        except BROKEN as error:
            raise _fault(place.root, name, part, error) from None
    gone = {old for part in parts for old in part.replaces}
    return [part for part in parts if part.name not in gone]


def check_part(folder: Path, part: TablePart) -> None:
    """Raise ``RunError`` if a file of a part is missing, damaged or of another version.

    All bytes are read for a checksum; decoding them with polars takes about thirty times as long.
    """
    for name in (*part.files, part.pieces):
        path = folder / name
        try:
            with path.open("rb") as file:
                sound = is_intact(file)
            schema = file_schema(name.partition("/")[0])
            known = sound and pl.read_parquet_schema(path.absolute()) == schema
        except BROKEN as error:
            raise _fault(folder, name, part, error) from None
        if not sound:
            raise _fault(folder, name, part, None)
        if not known:
            advice = "score the logs again, into another folder"
            raise RunError(f"{path}: has the columns of another version of handread; {advice}")


def _fault(folder: Path | str, name: str, part: TablePart, error: BaseException | None) -> RunError:
    """Return the error of a file of a part that cannot be read, or is damaged."""
    # A truncated file is read from before its beginning: EINVAL.
    if isinstance(error, OSError) and error.errno not in (None, errno.ENOENT, errno.EINVAL):
        return RunError(unreadable(Path(folder, name), error))
    advice = f"remove {folder}/{part.pieces}, and read its files anew with handread score --resume"
    return RunError(f"{folder}/{name}: is missing or damaged; {advice}")


def unreadable(path: Path, error: OSError) -> str:
    """Return the message that a file, which may well be sound, cannot be read."""
    hint = "; ask its owner for the permission to read it"
    why = error.strerror or str(error)
    return f"{path}: cannot be read: {why}{hint if isinstance(error, PermissionError) else ''}"


def read_part(place: Place, part: TablePart, table: str) -> pl.DataFrame:
    """Return a table of a part; raise ``RunError`` for a damaged file."""
    frames = []
    for name, game in part.of(table):
        try:
            frame = pl.read_parquet(BytesIO(place.read(name)), hive_partitioning=False)
        except BROKEN as error:
            raise _fault(place.root, name, part, error) from None
        with_game = {} if GAME not in SCHEMAS[table] else {GAME: pl.lit(game, pl.String)}
        frames.append(frame.with_columns(**with_game).select(SCHEMAS[table].names()))
    return joined(table, frames)


def joined(table: str, frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return the rows of some frames of a table together."""
    listed = list(frames)
    return pl.concat(listed, rechunk=True) if listed else pl.DataFrame(schema=SCHEMAS[table])


def write_files(
    write: Write,
    keys: Sequence[tuple[str, int, str]],
    frames: Mapping[str, pl.DataFrame],
    notes: Mapping[str, str],
    replaces: Sequence[str] = (),
) -> TablePart:
    """Write the files of a part with the rows of the pieces ``keys``, except file ``pieces``.

    ``notes``, on how the tables were made, go into the metadata of each file. ``replaces`` are the
    names of the parts that it replaces.
    """
    digest = hashlib.sha256(repr((keys, replaces)).encode("utf-8", "backslashreplace"))
    name = PART_PREFIX + digest.hexdigest()[:16]
    files = [
        _written(write, table, name, game, rows=rows, notes=notes)
        for table, frame in frames.items()
        if table != PIECES
        for (game,), rows in frame.partition_by(
            GAME, as_dict=True, include_key=False, maintain_order=True
        ).items()
    ]
    return TablePart(name, tuple(files), tuple(replaces))


def commit_part(
    write: Write, part: TablePart, pieces: pl.DataFrame, notes: Mapping[str, str]
) -> None:
    """Write the file of a part's pieces, which makes the part valid."""
    lists = {_FILES: json.dumps(part.files), _REPLACES: json.dumps(part.replaces)}
    _written(write, PIECES, part.name, None, rows=pieces, notes={**notes, **lists})


def _written(
    write: Write,
    table: str,
    part: str,
    game: str | None,
    rows: pl.DataFrame,
    notes: Mapping[str, str],
) -> str:
    name, out = _file(table, part, game), BytesIO()  # polars reports a full disk as damage
    metadata = {"handread.tables": VERSION, **notes, **notes_of_columns(table)}
    rows.write_parquet(out, compression="zstd", compression_level=LEVEL, metadata=metadata)
    write(name, sealed(out.getvalue()))
    return name


# The checksum

_MAGIC = b"PAR1"
_MARK = b"handread"
_CHECKSUM_SIZE = 4
_CHUNK = 1 << 20


def sealed(data: bytes) -> bytes:
    """Return the bytes of a Parquet file with the checksum."""
    place = _footer(BytesIO(data))
    checksum = _checksum(BytesIO(data), place, place)
    return b"".join((data[:place], _MARK, checksum, data[place:]))


def is_intact(file: BinaryIO) -> bool:
    """Return True if a Parquet file has the right checksum or none."""
    footer = _footer(file)
    place = footer - len(_MARK) - _CHECKSUM_SIZE
    if place < len(_MAGIC):
        return True
    file.seek(place)
    if file.read(len(_MARK)) != _MARK:
        return True
    return file.read(_CHECKSUM_SIZE) == _checksum(file, place, footer)


def _footer(file: BinaryIO) -> int:
    """Return the offset of the footer; the file ends with its length and the magic."""
    end = file.seek(-4 - len(_MAGIC), SEEK_END)
    return end - int.from_bytes(file.read(4), "little")


def _checksum(file: BinaryIO, columns_end: int, footer: int) -> bytes:
    """Return the CRC-32 of the columns, up to ``columns_end``, and the footer, from ``footer``."""
    checksum, left = 0, columns_end
    file.seek(0)
    while left and (piece := file.read(min(left, _CHUNK))):
        checksum = zlib.crc32(piece, checksum)
        left -= len(piece)
    file.seek(footer)
    return zlib.crc32(file.read(), checksum).to_bytes(_CHECKSUM_SIZE, "little")
