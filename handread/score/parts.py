"""Parts of the tables: folders with one Parquet file a table, read and written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import polars as pl

from handread.columnar.seal import is_intact, seal
from handread.runs import RunError
from handread.score import HANDS, PIECES, TABLES, VERSION
from handread.score.frames import SCHEMAS
from handread.score.plan import Key

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
            metadata={"handread.score": VERSION},
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
