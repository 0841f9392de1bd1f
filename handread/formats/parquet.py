"""Parquet files of hands: written whole, sealed with a checksum, read in batches.

Parquet has no checksum, so a wrong byte could change a card or an amount unnoticed. The seal stands
between the columns and the footer, where the format leaves room and no reader looks, so that a
sealed file is a Parquet file like any other.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import SEEK_END, BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import polars as pl

from handread.formats.parquet_rows import DIALECT, SCHEMA, VERSION, VERSION_KEY, Batch, unpack
from handread.formats.text import MAGIC, is_parquet
from handread.history import History, Problem
from handread.parallel import write_whole

LEAST_SIZE = 2 * len(MAGIC) + 4
"""A Parquet file has at least the magic, the length of a footer, and the magic again, in bytes."""

_MARK = b"handread"
_CHECKSUM_SIZE = 4
_PIECE = 1 << 20


def seal(path: Path) -> None:
    """Add the checksum to a Parquet file that has none."""
    with path.open("r+b") as file:
        place = _footer(file)
        checksum = _checksum(file, place, place)
        file.seek(place)
        footer = file.read()
        file.seek(place)
        file.write(_MARK + checksum + footer)


def is_intact(file: BinaryIO) -> bool:
    """Return whether a Parquet file is as it was sealed; one without a seal passes."""
    footer = _footer(file)
    place = footer - len(_MARK) - _CHECKSUM_SIZE
    if place < len(MAGIC):
        return True
    file.seek(place)
    if file.read(len(_MARK)) != _MARK:
        return True
    return file.read(_CHECKSUM_SIZE) == _checksum(file, place, footer)


def _footer(file: BinaryIO) -> int:
    """Return where the footer begins; its length and the magic end the file."""
    end = file.seek(-4 - len(MAGIC), SEEK_END)
    return end - int.from_bytes(file.read(4), "little")


def _checksum(file: BinaryIO, columns_end: int, footer: int) -> bytes:
    """Return the CRC-32 of the columns, up to ``columns_end``, and of the footer."""
    checksum, left = 0, columns_end
    file.seek(0)
    while left and (piece := file.read(min(left, _PIECE))):
        checksum = zlib.crc32(piece, checksum)
        left -= len(piece)
    file.seek(footer)
    return zlib.crc32(file.read(), checksum).to_bytes(_CHECKSUM_SIZE, "little")


BATCH = 4096
"""Hands that are packed or unpacked at once; also the rows of a row group."""

_EXPECTED = "a Parquet file that handread wrote"
_LEVEL = 9
"""Of zstd: more makes files hardly smaller and takes several times as long."""

_ERROR_NUMBER = re.compile(r"\(os error (\d+)\)")

# What polars raises over a damaged file: its own errors, and panics, which are no ``Exception``.
_BROKEN = (Exception, pl.exceptions.PanicException)


# Writing


def check_hand(history: History) -> None:
    """Raise ``ValueError`` for a hand that ``write_hands`` would refuse."""
    Batch().add(history)


def write_hands(path: str | Path, histories: Iterable[History], batch: int = BATCH) -> int:
    """Write hands to a Parquet file, whole or not at all; how many they were.

    ``batch`` is how many hands are packed at once. ``ValueError`` names the first hand that the
    columns cannot hold (one with problems, above all); ``OSError`` when the file cannot be written.
    """
    if batch < 1:
        raise ValueError(f"{batch} hands at a time are too few")
    source = iter(histories)
    path = Path(path)
    beside = None if _is_device(path) else path.parent
    with tempfile.TemporaryDirectory(dir=beside, prefix=".handread-") as folder:
        parts: list[Path] = []
        total = 0
        while hands := _pack(islice(source, batch)):
            total += len(hands)
            parts.append(Path(folder, f"{len(parts)}.parquet").absolute())
            with _disk_errors():
                hands.frame().write_parquet(parts[-1], compression="lz4")
        _join(parts, path)
    return total


def merge_hands(paths: Iterable[str | Path], out: str | Path) -> int:
    """Join Parquet files of hands, in order, into one, whole or not at all; how many hands it has.

    ``out`` may be one of them. ``ValueError`` names the file that is not one of hands; ``OSError``
    when the joined file cannot be written.
    """
    parts, total = [Path(path).absolute() for path in paths], 0
    for path in parts:
        try:
            total += _count_rows(path)
        except _NotHandsError as reason:
            raise ValueError(f"{path}: {reason}") from None
    _join(parts, Path(out))
    return total


def _pack(histories: Iterable[History]) -> Batch:
    hands = Batch()
    for history in histories:
        try:
            hands.add(history)
        except ValueError as error:
            source = history.source
            where = f"{source.file}:{source.line}: hand {history.hand_id!r}"
            raise ValueError(f"{where} cannot be kept: {error}") from None
    return hands


def _join(parts: list[Path], path: Path) -> None:
    whole = _scan(parts) if parts else pl.LazyFrame(schema=SCHEMA)

    def fill(draft: Path) -> None:
        if _is_device(draft):  # which has no place to go back to for the checksum
            with tempfile.TemporaryDirectory(prefix=".handread-") as folder:
                file = Path(folder, "whole.parquet")
                fill(file)
                with file.open("rb") as source, draft.open("wb") as target:
                    shutil.copyfileobj(source, target)
            return
        with _disk_errors():
            whole.sink_parquet(
                draft,
                compression="zstd",
                compression_level=_LEVEL,
                row_group_size=BATCH,
                metadata={VERSION_KEY: VERSION},
            )
        seal(draft)

    write_whole(path, fill)


def _is_device(path: Path) -> bool:
    """Return whether a path leads to a device or a pipe."""
    return path.exists() and not (path.is_file() or path.is_dir())


@contextmanager
def _disk_errors() -> Iterator[None]:
    """Raise ``OSError`` where polars, which has errors of its own, cannot write a Parquet file."""
    try:
        yield
    except pl.exceptions.PolarsError as error:
        number = _ERROR_NUMBER.search(str(error))
        if number:
            raise OSError(int(number[1]), os.strerror(int(number[1]))) from None
        # Of a footer that finds no room polars says "Invalid thrift: transport error".
        full = "transport error" in str(error)
        raise OSError("the end cannot be written: no space left?" if full else str(error)) from None


# Reading


class _NotHandsError(Exception):
    """A file holds no hands; the message says why."""


def read_hands(source: str | Path | bytes, file: str | None = None) -> Iterator[History | Problem]:
    """Yield the hands of a Parquet file in order, from its path or bytes; never raise.

    ``file`` is what sources and problems name in place of the path; the line of a source is the
    row, from 1. A file that is not one of hands is one problem, a row that is no hand is one, and
    so is a stretch of rows that damage makes unreadable; the rest is read.
    """
    name = file or ("-" if isinstance(source, bytes) else str(source))
    for found in read_rows(source, name):
        if isinstance(found, Problem):
            yield found
        else:
            yield from found.hands(name)


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a file, not yet unpacked; ``first`` is the number of the first, from 1."""

    first: int
    frame: pl.DataFrame

    def hands(self, file: str) -> Iterator[History | Problem]:
        """Yield the hands, and a problem for each row that is none; one for all if damaged."""
        try:
            hands = unpack(self.frame, file, self.first)
        except _BROKEN:
            return iter([_damaged(file, self.first, self.first + self.frame.height - 1)])
        return hands

    def slices(self, size: int) -> Iterator[Rows]:
        """Yield the rows in slices of ``size``."""
        for start in range(0, self.frame.height, size):
            yield Rows(self.first + start, self.frame.slice(start, size))


def read_rows(source: str | Path | bytes, file: str) -> Iterator[Rows | Problem]:
    """Yield rows that are not unpacked, at most ``BATCH`` at a time, and problems."""
    try:
        rows = _count_rows(source)
    except _NotHandsError as reason:
        yield _problem(file, 1, str(reason))
        return
    if not rows:
        yield _problem(file, 1, "there is no hand in it", "hands")
    for start in range(0, rows, BATCH):
        try:
            frame = _scan(source).slice(start, BATCH).collect()
        except _BROKEN:
            yield _damaged(file, start + 1, min(start + BATCH, rows))
        else:
            yield Rows(start + 1, frame)


def read_row(
    source: str | Path | bytes, row: int, file: str | None = None
) -> tuple[list[History | Problem], int]:
    """Return what ``read_hands`` yields for one row, from 1, without unpacking the others.

    A problem of the whole file is one of every row. For a row that is not there the list is empty,
    and the second is the nearest that is; 0 where there is none, or no need of it.
    """
    name = file or ("-" if isinstance(source, bytes) else str(source))
    try:
        rows = _count_rows(source)
    except _NotHandsError as reason:
        return [_problem(name, 1, str(reason))], 0
    if not 1 <= row <= rows:
        return [], min(max(1, row), rows)
    try:
        return list(unpack(_scan(source).slice(row - 1, 1).collect(), name, row)), 0
    except _BROKEN:
        start = (row - 1) // BATCH * BATCH
        return [_damaged(name, start + 1, min(start + BATCH, rows))], 0


def _damaged(name: str, first: int, last: int) -> Problem:
    """Return the problem of damaged rows."""
    message = f"the file is damaged: rows {first} to {last} cannot be read"
    return _problem(name, first, message)


def _problem(file: str, row: int, message: str, expected: str = _EXPECTED) -> Problem:
    return Problem(file, row, 1, message, expected, dialect=DIALECT)


def _count_rows(source: str | Path | bytes) -> int:
    """Count the hands of a file; ``_NotHandsError`` if it holds none."""
    _refuse_other_files(source)
    try:
        metadata = pl.read_parquet_metadata(_place(source))
        columns = _scan(source).collect_schema()
        rows = int(_scan(source).select(pl.len()).collect().item())
    except _BROKEN:
        raise _NotHandsError("the file is damaged") from None
    version = metadata.get(VERSION_KEY)
    if version is None:
        raise _NotHandsError("this is a Parquet table, but not one of hands")
    if version != VERSION:
        raise _NotHandsError(
            f"the hands are in version {version[:20]!r} of the columns; "
            f"this handread knows version {VERSION!r}"
        )
    if columns != SCHEMA:
        wrong = [name for name in SCHEMA if columns.get(name) != SCHEMA[name]]
        which = ", ".join(wrong) or "there are more of them, or in another order"
        raise _NotHandsError(f"the columns are not those of version {VERSION!r}: {which}")
    return rows


def _refuse_other_files(source: str | Path | bytes) -> None:
    """Raise ``_NotHandsError`` for a file that cannot be opened or is not Parquet."""
    try:
        with BytesIO(source) if isinstance(source, bytes) else Path(source).open("rb") as stream:
            head = stream.read(len(MAGIC))
            size = stream.seek(0, SEEK_END)
            stream.seek(max(0, size - len(MAGIC)))
            tail = stream.read()
            if not is_parquet(head):
                raise _NotHandsError("this is no Parquet file")
            if tail != MAGIC or size < LEAST_SIZE:
                raise _NotHandsError("the file is cut short")
            if not is_intact(stream):
                raise _NotHandsError("the file is damaged: its checksum is not right")
    except OSError as error:
        raise _NotHandsError(f"cannot read the file: {error.strerror or error}") from None


def _place(source: str | Path | bytes) -> Path | bytes:
    # A whole path: polars takes some names for addresses.
    return source if isinstance(source, bytes) else Path(source).absolute()


def _scan(source: str | Path | bytes | list[Path]) -> pl.LazyFrame:
    place = source if isinstance(source, list) else _place(source)
    return pl.scan_parquet(place, glob=False, hive_partitioning=False)
