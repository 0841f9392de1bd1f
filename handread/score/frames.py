"""Rows become tables of polars, and these the bytes of Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any

import polars as pl

from handread.score.columns import COLUMNS, Column

_TYPES: Mapping[str, pl.DataType] = {
    "text": pl.String(),
    "flag": pl.Boolean(),
    "real": pl.Float32(),
    "money": pl.Int64(),
    "count": pl.Int64(),
}
"""Reals have seven digits: more would be noise that does not compress. Whole numbers are wide: in
narrow ones 2 - 3 may be 255."""


def type_of(column: Column[Any]) -> pl.DataType:
    """What polars holds the cells of a column as."""
    if isinstance(column.kind, str):
        return _TYPES[column.kind]
    return pl.Enum(column.kind)


SCHEMAS: Mapping[str, pl.Schema] = {
    table: pl.Schema({column.name: type_of(column) for column in columns})
    for table, columns in COLUMNS.items()
}
"""The columns of every table with their types."""


class Gathering:
    """The rows of a piece, by table."""

    def __init__(self) -> None:
        self._cells: dict[str, list[list[object]]] = {
            table: [[] for _ in columns] for table, columns in COLUMNS.items()
        }

    def add(self, rows: Iterable[tuple[str, object]]) -> None:
        """Put down rows, each with its table; none where a cell of one cannot be had."""
        found = [(table, [col.value(row) for col in COLUMNS[table]]) for table, row in rows]
        for table, cells in found:
            for column, cell in zip(self._cells[table], cells, strict=True):
                column.append(cell)

    def count(self, table: str) -> int:
        """How many rows a table has."""
        return len(self._cells[table][0])

    def frames(self) -> dict[str, pl.DataFrame]:
        """The tables."""
        return {
            table: pl.DataFrame(
                dict(zip(SCHEMAS[table], cells, strict=True)), schema=SCHEMAS[table], strict=True
            )
            for table, cells in self._cells.items()
        }


def packed(frame: pl.DataFrame) -> bytes:
    """A table as Arrow bytes, to be kept for a while or sent."""
    out = BytesIO()
    frame.write_ipc(out, compression="lz4")
    return out.getvalue()


def unpacked(data: bytes) -> pl.DataFrame:
    """A table from ``packed``."""
    return pl.read_ipc(data)


def joined(table: str, frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Tables of one kind on top of each other; an empty one of none."""
    found = list(frames)
    return pl.concat(found, rechunk=True) if found else pl.DataFrame(schema=SCHEMAS[table])
