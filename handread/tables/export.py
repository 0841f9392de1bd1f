"""Export tables as CSV or Arrow; text that a spreadsheet would run as a formula is made inert."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from handread.parallel import locked
from handread.tables import PIECES
from handread.tables.estimates import batches
from handread.tables.read import Tables
from handread.tables.store import WORK_FOLDER, to_disk

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""First characters of text that a spreadsheet interprets as a formula."""


def escape_formulas(table: pl.LazyFrame) -> pl.LazyFrame:
    """Return a table for CSV: enums are texts, and ' stands before what might be a formula."""
    schema = table.collect_schema()
    words = [name for name, kind in schema.items() if isinstance(kind, pl.Enum | pl.Categorical)]
    texts = [name for name, kind in schema.items() if kind == pl.String]
    return table.with_columns(*(_harmless(name) for name in texts), pl.col(words).cast(pl.String))


def _harmless(name: str) -> pl.Expr:
    cell = pl.col(name)
    risky = pl.any_horizontal(cell.str.starts_with(start) for start in FORMULA_STARTS)
    return pl.when(risky).then("'" + cell).otherwise(cell).alias(name)


def write_csv(table: pl.LazyFrame, path: Path) -> None:
    """Write a table as CSV with ``escape_formulas`` cells; a null is an empty cell."""
    escape_formulas(table).sink_csv(path, check_extension=False, engine="streaming")


def frame_csv(frame: pl.DataFrame) -> str:
    """Return a frame as CSV with ``escape_formulas`` cells; an empty cell means no number."""
    return escape_formulas(frame.lazy()).collect().write_csv()


def _copy_csv(tables: Tables, table: str, path: Path) -> None:
    """Write a few parts at a time: given many, polars reads too far ahead."""
    with path.open("wb") as file:
        for place, some in enumerate(batches(tables)):
            rows = escape_formulas(some.scan(table))
            rows.sink_csv(file, include_header=place == 0, engine="streaming")


def _copy_arrow(tables: Tables, table: str, path: Path) -> None:
    tables.scan(table).sink_ipc(path, compression="zstd", engine="streaming")


WRITERS: Mapping[str, Callable[[Tables, str, Path], None]] = {
    "csv": _copy_csv,
    "arrow": _copy_arrow,
}
"""Writers by format. The name of the format is that of the folder and of the file ending."""


def export_tables(tables: Tables, kind: str) -> None:
    """Export all tables to a subfolder of their folder, such as ``csv/hands.csv``.

    ``kind`` is a format of ``WRITERS``. An earlier export is replaced once all tables are written.

    Raises:
        OSError: If a file cannot be written.
        RunError: If a run has the tables open.
    """
    work = tables.folder / WORK_FOLDER
    work.mkdir(exist_ok=True)
    with locked(work):
        draft = work / f"draft-{kind}"  # removed by the next run if this one is killed
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        rows = _in_order(tables)
        for table in tables.names:
            file = draft / f"{table}.{kind}"
            WRITERS[kind](rows, table, file)
            to_disk(file)
        folder = tables.folder / kind
        folder.mkdir(exist_ok=True)
        for file in sorted(draft.iterdir()):
            file.replace(folder / file.name)
        draft.rmdir()


def _in_order(tables: Tables) -> Tables:
    """Return the tables with their parts sorted by the first file and line of each."""
    first = {
        part: replace(tables, parts=(part,))
        .scan(PIECES)
        .select("file", "first_line")
        .sort("file", "first_line")
        .head(1)
        .collect()
        .rows()
        for part in tables.parts
    }
    return replace(tables, parts=tuple(sorted(tables.parts, key=lambda part: first[part])))
