"""Copies of the tables in other formats, and cells of text that a spreadsheet does not run."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from handread.parallel import locked
from handread.tables import PIECES, TABLES
from handread.tables.estimates import batches
from handread.tables.read import Tables
from handread.tables.store import WORK_FOLDER, to_disk

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula, which can do harm."""


def harmless_cell(text: str) -> str:
    """A text for CSV: with a ' in front where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def harmless(table: pl.LazyFrame) -> pl.LazyFrame:
    """A table for CSV: words as text, and every cell of text as ``harmless_cell`` gives it."""
    schema = table.collect_schema()
    words = [name for name, kind in schema.items() if isinstance(kind, pl.Enum | pl.Categorical)]
    texts = [name for name, kind in schema.items() if kind == pl.String]
    return table.with_columns(*(_harmless(name) for name in texts), pl.col(words).cast(pl.String))


def _harmless(name: str) -> pl.Expr:
    cell = pl.col(name)
    risky = pl.any_horizontal(cell.str.starts_with(start) for start in FORMULA_STARTS)
    return pl.when(risky).then("'" + cell).otherwise(cell).alias(name)


def write_csv(table: pl.LazyFrame, path: Path) -> None:
    """Write a table as CSV of ``harmless`` cells; what is not known is an empty cell."""
    harmless(table).sink_csv(path, check_extension=False, engine="streaming")


def _copy_csv(tables: Tables, table: str, path: Path) -> None:
    """Some parts at a time: of many together polars would read more ahead than it need."""
    with path.open("wb") as file:
        for place, some in enumerate(batches(tables)):
            rows = harmless(some.scan(table))
            rows.sink_csv(file, include_header=place == 0, engine="streaming")


def _copy_arrow(tables: Tables, table: str, path: Path) -> None:
    tables.scan(table).sink_ipc(path, compression="zstd", engine="streaming")


COPIERS: Mapping[str, Callable[[Tables, str, Path], None]] = {
    "csv": _copy_csv,
    "arrow": _copy_arrow,
}
"""How a table is copied to each format, by its name, which folder and ending have too."""


def copy_tables(tables: Tables, kind: str) -> None:
    """Copy all tables to a folder of the format in theirs, as ``csv/hands.csv``.

    What an earlier copy left is replaced when all tables are written. The rows stand part by part.
    ``OSError`` where that fails, ``RunError`` while a run is at work on the tables.
    """
    work = tables.folder / WORK_FOLDER
    work.mkdir(exist_ok=True)
    with locked(work):
        draft = work / f"draft-{kind}"  # which the next run removes if this one is killed
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        rows = _in_order(tables)
        for table in TABLES:
            file = draft / f"{table}.{kind}"
            COPIERS[kind](rows, table, file)
            to_disk(file)
        folder = tables.folder / kind
        folder.mkdir(exist_ok=True)
        for file in sorted(draft.iterdir()):
            file.replace(folder / file.name)
        draft.rmdir()


def _in_order(tables: Tables) -> Tables:
    """The tables with their parts in the order of what each begins with."""
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
