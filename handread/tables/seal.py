"""A checksum for Parquet files, which have none: a damaged byte could change a figure unnoticed.

It stands between the columns and the footer, where the format allows any bytes; other programs
ignore it.
"""

from __future__ import annotations

import zlib
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO

import polars as pl

BROKEN = (Exception, pl.exceptions.PanicException)
"""Exceptions that polars raises for a damaged file; its panics are not an ``Exception``."""

_MAGIC = b"PAR1"
_MARK = b"handread"
_CHECKSUM_SIZE = 4
_PIECE = 1 << 20


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
    while left and (piece := file.read(min(left, _PIECE))):
        checksum = zlib.crc32(piece, checksum)
        left -= len(piece)
    file.seek(footer)
    return zlib.crc32(file.read(), checksum).to_bytes(_CHECKSUM_SIZE, "little")
