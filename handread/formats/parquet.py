"""Read and write Parquet files of hands, with a checksum.

Parquet files have no checksum, so a damaged byte could change a card or an amount unnoticed.
``seal`` adds one between the columns and the footer, where the format allows any bytes; other
programs ignore it.
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
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO

import polars as pl

from handread.formats.parquet_rows import (
    DIALECT,
    LONGEST,
    SCHEMA,
    VERSION,
    VERSION_KEY,
    Batch,
    sizes,
    unpack,
)
from handread.formats.parquet_sizes import RowGroup, excess, row_groups
from handread.formats.text import MAGIC, is_parquet
from handread.history import History, Problem
from handread.whole_files import is_device, write_whole

BATCH = 4096
"""Number of hands packed or unpacked at once, and of rows in a row group."""

_EXPECTED = "a Parquet file that handread wrote"
_LEVEL = 9
"""Compression level of zstd; a higher one takes several times as long for little gain."""

_ERROR_NUMBER = re.compile(r"\(os error (\d+)\)")

BROKEN = (Exception, pl.exceptions.PanicException)
"""Exceptions that polars raises for a damaged file; its panics are not an ``Exception``."""

LEAST_SIZE = 2 * len(MAGIC) + 4
"""Bytes of the smallest Parquet file: the magic, the length of the footer, and the magic again."""

_MARK = b"handread"
_CHECKSUM_SIZE = 4
_PIECE = 1 << 20


# Checksum


def seal(path: Path) -> None:
    """Add the checksum to a Parquet file that has none yet."""
    with path.open("r+b") as file:
        place = _footer(file)
        checksum = _checksum(file, place, place)
        file.seek(place)
        footer = file.read()
        file.seek(place)
        file.write(_MARK + checksum + footer)


def is_intact(file: BinaryIO) -> bool:
    """Return True if a Parquet file has the right checksum or none."""
    footer = _footer(file)
    place = footer - len(_MARK) - _CHECKSUM_SIZE
    if place < len(MAGIC):
        return True
    file.seek(place)
    if file.read(len(_MARK)) != _MARK:
        return True
    return file.read(_CHECKSUM_SIZE) == _checksum(file, place, footer)


def _footer(file: BinaryIO) -> int:
    """Return the offset of the footer; the file ends with its length and the magic."""
    end = file.seek(-4 - len(MAGIC), SEEK_END)
    return end - int.from_bytes(file.read(4), "little")


def _checksum(file: BinaryIO, columns_end: int, footer: int) -> bytes:
    """Return the CRC-32 of the columns, up to ``columns_end``, and the footer, from ``footer``."""
    checksum, left = 0, columns_end
    file.seek(0)
    while left and (piece := file.read(min(left, _PIECE))):
        checksum = zlib.crc32(piece, checksum)
        left -= len(piece)
    file.seek(footer)
    return zlib.crc32(file.read(), checksum).to_bytes(_CHECKSUM_SIZE, "little")


# Writing


def check_hand(history: History) -> None:
    """Raise ``ValueError`` for a hand that ``write_hands`` would reject."""
    Batch().add(history)


def write_hands(path: str | Path, histories: Iterable[History], batch: int = BATCH) -> int:
    """Write hands to a Parquet file, whole or not at all, and return their number.

    The hands have no problems and plain wagers, as ``written_out`` returns them; ``batch`` of them
    are packed at once. Raises ``ValueError`` for a hand that the columns cannot hold, and names it.
    """
    if batch < 1:
        raise ValueError(f"{batch} hands at a time are too few")
    source = iter(histories)
    path = Path(path)
    beside = None if is_device(path) else path.parent
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
    """Concatenate Parquet files of hands, whole or not at all, and return the number of hands.

    ``out`` may be one of ``paths``. Raises ``ValueError`` for a file that is not one of hands.
    """
    parts, total = [Path(path).absolute() for path in paths], 0
    for path in parts:
        try:
            groups = _row_groups(path)
            _refuse_unreadable(groups)
        except (_NotHandsError, ValueError) as reason:
            raise ValueError(f"{path}: {reason}") from None
        total += _count(groups)
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
        if is_device(draft):  # it cannot seek back to write the checksum
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
        _refuse_unreadable(_declared(draft))
        seal(draft)

    write_whole(path, fill)


def _refuse_unreadable(groups: list[RowGroup]) -> None:
    """Raise ``ValueError`` if a batch of hands is too large to be read back."""
    for start in range(0, _count(groups), BATCH):
        if large := excess(groups, start, BATCH):
            raise ValueError(f"the hands from number {start + 1} on are too large: {large}")


@contextmanager
def _disk_errors() -> Iterator[None]:
    """Turn errors of polars on writing a file into ``OSError``."""
    try:
        yield
    except pl.exceptions.PolarsError as error:
        number = _ERROR_NUMBER.search(str(error))
        if number:
            raise OSError(int(number[1]), os.strerror(int(number[1]))) from None
        # polars says "Invalid thrift: transport error" if the footer does not fit on the disk.
        full = "transport error" in str(error)
        raise OSError("the end cannot be written: no space left?" if full else str(error)) from None


# Reading


class _NotHandsError(Exception):
    """A file that is not one of hands; the message says why."""


def read_hands(source: str | Path | bytes, file: str | None = None) -> Iterator[History | Problem]:
    """Yield the hands of a Parquet file in order; a file of any content raises nothing.

    ``source`` is the path or the content of the file, ``file`` its name in sources and problems;
    the line of a source is the row, from 1. A problem stands for a row that is no hand, for
    damaged rows, and for a file that is not one of hands.
    """
    name = file or ("-" if isinstance(source, bytes) else str(source))
    for found in read_rows(source, name):
        if isinstance(found, Problem):
            yield found
        else:
            yield from found.hands(name)


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Packed rows of a file; ``first`` is the number of the first row, from 1."""

    first: int
    frame: pl.DataFrame

    def hands(self, file: str) -> Iterator[History | Problem]:
        """Return the hands, with a problem for each wrong row or one for damaged rows."""
        try:
            return unpack(self.frame, file, self.first)
        except BROKEN:
            return iter([_damaged(file, self.first, self.first + self.frame.height - 1)])

    def slices(self, size: int) -> Iterator[RowBatch]:
        """Yield the rows in batches of at most ``size``."""
        for start in range(0, self.frame.height, size):
            yield RowBatch(self.first + start, self.frame.slice(start, size))


def read_rows(source: str | Path | bytes, file: str) -> Iterator[RowBatch | Problem]:
    """Yield the rows of a file as ``read_hands`` does, in batches of at most ``BATCH`` rows."""
    try:
        groups = _row_groups(source)
    except _NotHandsError as reason:
        yield _problem(file, 1, str(reason))
        return
    rows = _count(groups)
    if not rows:
        yield _problem(file, 1, "there are no hands in it", "hands")
    for start in range(0, rows, BATCH):
        last = min(start + BATCH, rows)
        try:
            if large := excess(groups, start, BATCH):
                yield _too_large(file, start + 1, last, large)
                continue
            frame = _scan(source).slice(start, BATCH).collect()
            lengths = sizes(frame)
        except BROKEN:
            yield _damaged(file, start + 1, last)
        else:
            yield from _light(RowBatch(start + 1, frame), lengths, file)


def _light(rows: RowBatch, lengths: list[int], file: str) -> Iterator[RowBatch | Problem]:
    """Yield rows in batches of at most ``LONGEST`` characters, with a problem for a longer row.

    A text that many rows share is in memory once in a frame, but once for each row when unpacked.
    """
    begin = total = 0
    for row, length in enumerate([*lengths, LONGEST + 1]):
        if total + length > LONGEST:
            if row > begin:
                yield RowBatch(rows.first + begin, rows.frame.slice(begin, row - begin))
            begin, total = row, 0
        if length > LONGEST and row < len(lengths):
            message = f"row {rows.first + row} has {length:,} characters; the limit is {LONGEST:,}"
            yield _problem(file, rows.first + row, message, "a hand that is no longer")
            begin = row + 1
        else:
            total += length


def read_row(
    source: str | Path | bytes, row: int, file: str | None = None
) -> tuple[list[History | Problem], int]:
    """Return the hand or the problem of a row, from 1, and 0, without unpacking the others.

    If there is no such row, return an empty list and the nearest row; 0 in an empty file.
    """
    name = file or ("-" if isinstance(source, bytes) else str(source))
    try:
        groups = _row_groups(source)
    except _NotHandsError as reason:
        return [_problem(name, 1, str(reason))], 0
    rows = _count(groups)
    if not 1 <= row <= rows:
        return [], min(max(1, row), rows)
    start = (row - 1) // BATCH * BATCH
    last = min(start + BATCH, rows)
    try:
        if large := excess(groups, start, BATCH):
            return [_too_large(name, start + 1, last, large)], 0
        frame = _scan(source).slice(row - 1, 1).collect()
        (found,) = _light(RowBatch(row, frame), sizes(frame), name)
        return [found] if isinstance(found, Problem) else list(unpack(frame, name, row)), 0
    except BROKEN:
        return [_damaged(name, start + 1, last)], 0


def _damaged(name: str, first: int, last: int) -> Problem:
    message = f"the file is damaged: rows {first} to {last} cannot be read"
    return _problem(name, first, message)


def _too_large(name: str, first: int, last: int, large: str) -> Problem:
    message = f"rows {first} to {last} are too large: {large}"
    return _problem(name, first, message, "smaller row groups")


def _problem(file: str, row: int, message: str, expected: str = _EXPECTED) -> Problem:
    return Problem(file, row, 1, message, expected, dialect=DIALECT)


def _count(groups: Iterable[RowGroup]) -> int:
    return sum(group.rows for group in groups)


def _row_groups(source: str | Path | bytes) -> list[RowGroup]:
    """Return the row groups of a file of hands; raise ``_NotHandsError`` for any other."""
    _refuse_other_files(source)
    try:
        groups = _declared(source)
        metadata = pl.read_parquet_metadata(_place(source))
        columns = _scan(source).collect_schema()
        rows = int(_scan(source).select(pl.len()).collect().item())
    except BROKEN:
        raise _NotHandsError("the file is damaged") from None
    if min((group.rows for group in groups), default=0) < 0 or _count(groups) != rows:
        raise _NotHandsError("the file is damaged: its row counts are wrong")
    version = metadata.get(VERSION_KEY)
    if version is None:
        raise _NotHandsError("this is a Parquet table, but not of hands")
    if version != VERSION:
        raise _NotHandsError(
            f"the hands are in version {version[:20]!r} of the columns; "
            f"this handread knows version {VERSION!r}"
        )
    if columns != SCHEMA:
        wrong = [name for name in SCHEMA if columns.get(name) != SCHEMA[name]]
        which = ", ".join(wrong) or "there are more of them, or in another order"
        raise _NotHandsError(f"the columns are not those of version {VERSION!r}: {which}")
    return groups


def _declared(source: str | Path | bytes) -> list[RowGroup]:
    if isinstance(source, bytes):
        return row_groups(source)
    with Path(source).open("rb") as stream, mmap(stream.fileno(), 0, access=ACCESS_READ) as file:
        return row_groups(file)


def _refuse_other_files(source: str | Path | bytes) -> None:
    """Raise ``_NotHandsError`` for a file that is not a whole Parquet file, or that is damaged."""
    try:
        with BytesIO(source) if isinstance(source, bytes) else Path(source).open("rb") as stream:
            head = stream.read(len(MAGIC))
            size = stream.seek(0, SEEK_END)
            stream.seek(max(0, size - len(MAGIC)))
            tail = stream.read()
            if not is_parquet(head):
                raise _NotHandsError("this is not a Parquet file")
            if tail != MAGIC or size < LEAST_SIZE:
                raise _NotHandsError("the file is cut short")
            if not is_intact(stream):
                raise _NotHandsError("the file is damaged: its checksum is wrong")
    except OSError as error:
        raise _NotHandsError(f"cannot read the file: {error.strerror or error}") from None


def _place(source: str | Path | bytes) -> Path | bytes:
    # An absolute path: polars takes some names for addresses.
    return source if isinstance(source, bytes) else Path(source).absolute()


def _scan(source: str | Path | bytes | list[Path]) -> pl.LazyFrame:
    place = source if isinstance(source, list) else _place(source)
    return pl.scan_parquet(place, glob=False, hive_partitioning=False)
