"""A checksum for Parquet files, which have none: damage is noticed before it is believed.

It stands between the columns and the footer, where the format leaves room and no reader looks, so
that a sealed file is a Parquet file like any other. Without it a byte that went wrong can change a
card or an amount and nobody would know.
"""

from __future__ import annotations

import zlib
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO

from handread.columnar import MAGIC

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
    """Where the footer begins: its length and the magic end the file."""
    end = file.seek(-4 - len(MAGIC), SEEK_END)
    return end - int.from_bytes(file.read(4), "little")


def _checksum(file: BinaryIO, columns_end: int, footer: int) -> bytes:
    """The CRC-32 of the columns, which end at one place, and of the footer from another on."""
    checksum, left = 0, columns_end
    file.seek(0)
    while left and (piece := file.read(min(left, _PIECE))):
        checksum = zlib.crc32(piece, checksum)
        left -= len(piece)
    file.seek(footer)
    return zlib.crc32(file.read(), checksum).to_bytes(_CHECKSUM_SIZE, "little")
