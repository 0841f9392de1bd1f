"""Find the unpacked size of a part of a Parquet file before it is unpacked.

polars reports neither the sizes of row groups nor those of pages. They are in the footer and in
the headers of the pages, which are structs in Thrift's compact protocol.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from mmap import mmap
from typing import Any

from handread.formats.text import MAGIC

MOST_BYTES = 128_000_000
"""Most bytes, unpacked, of the pages that hold a batch of rows."""

MOST_VALUES = 64_000_000
"""Most values in these pages: a run of one value is short in a page, but not in memory."""

_TRUE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 3, 7, 8, 9, 10, 12
_WHOLE_NUMBERS = (4, 5, 6)
_DELTA_BYTE_ARRAY = 7


@dataclass(frozen=True, slots=True)
class RowGroup:
    """The number of rows, and the bytes and values of the pages of all columns.

    ``pages`` is None if the sizes cannot be read.
    """

    rows: int
    pages: tuple[int, int] | None


def row_groups(file: bytes | mmap) -> list[RowGroup]:
    """Return the row groups of a Parquet file; raise any exception for a damaged footer."""
    end = len(file) - len(MAGIC) - 4
    footer = _ThriftReader(file, end - int.from_bytes(file[end : end + 4], "little")).struct()
    return [_group(file, group) for group in footer.get(4, ())]


def excess(groups: Sequence[RowGroup], first: int, rows: int) -> str | None:
    """Return a message if the row groups of some rows are too large to unpack, else None.

    ``first`` is the first of the ``rows`` rows, from 0. Raises ``ValueError`` for unreadable sizes.
    """
    size, values, start = 0, 0, 0
    for group in groups:
        if start < first + rows and start + group.rows > first:
            if group.pages is None:
                raise ValueError("the sizes of pages cannot be read")
            size += group.pages[0]
            values += group.pages[1]
        start += group.rows
    for amount, most, unit in ((size, MOST_BYTES, "bytes"), (values, MOST_VALUES, "values")):
        if amount > most:
            return f"unpacked, their row groups take {amount:,} {unit}; the limit is {most:,}"
    return None


def _group(file: bytes | mmap, group: dict[int, Any]) -> RowGroup:
    try:
        sizes = [page for chunk in group[1] for page in _pages(file, chunk[3])]
    except Exception:  # of a damaged page; other groups may be whole
        return RowGroup(group[3], None)
    return RowGroup(group[3], (sum(size for size, _ in sizes), sum(n for _, n in sizes)))


def _pages(file: bytes | mmap, column: dict[int, Any]) -> Iterator[tuple[int, int]]:
    """Yield the bytes and values of each page; the sums in the footer may be wrong."""
    place = column[9]
    if 0 < column.get(11, 0) < place:
        place = column[11]
    end = place + column[7]
    while place < end:
        reader = _ThriftReader(file, place)
        header = reader.struct()
        size, packed = header[2], header[3]
        values = next((header[key][1] for key in (5, 7, 8) if key in header), 0)
        if min(size, packed, values) < 0:
            raise ValueError("a page has a size below 0")
        if _DELTA_BYTE_ARRAY in (header.get(5, {}).get(2), header.get(8, {}).get(4)):
            size *= max(1, values)  # each text may repeat all of the last
        yield size, values
        place = reader.place + packed


class _ThriftReader:
    """Reads Thrift's compact protocol; a struct becomes a dictionary by field number."""

    def __init__(self, data: bytes | mmap, place: int) -> None:
        if not 0 <= place < len(data):
            raise ValueError("a part lies beyond the file")
        self.data = data
        self.place = place

    def struct(self) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            fields[number] = kind == _TRUE if kind <= 2 else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in _WHOLE_NUMBERS:
            return self._integer()
        if kind <= _BYTE:
            return self._byte()
        if kind == _BINARY:
            return self._take(self._unsigned())
        if kind == _STRUCT:
            return self.struct()
        if kind in (_LIST, _SET):
            head = self._byte()
            length = head >> 4 if head >> 4 < 15 else self._unsigned()
            return [self._value(head & 15) for _ in range(length)]
        if kind == _DOUBLE:
            return struct.unpack("<d", self._take(8))[0]
        raise ValueError(f"Parquet has no fields of type {kind}")

    def _byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def _unsigned(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 128:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def _integer(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)

    def _take(self, length: int) -> bytes:
        self.place += length
        return self.data[self.place - length : self.place]
