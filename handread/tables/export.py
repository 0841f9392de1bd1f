"""Export tables as CSV or Arrow; text that a spreadsheet would run as a formula is made inert."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from handread.parallel import locked
from handread.tables import PIECES
from handread.tables.estimates import batches
from handread.tables.files import WORK_FOLDER, TablePart, to_disk
from handread.tables.read import Tables
from handread.whole_files import move_over, write_text_whole, write_whole

Facts = Mapping[str, Any]

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""First characters of text that a spreadsheet interprets as a formula."""


def escape_formulas(table: pl.LazyFrame) -> pl.LazyFrame:
    """Return a table for CSV, of text and numbers; ' is put before a possible formula."""
    schema = table.collect_schema()
    words = [name for name, kind in schema.items() if isinstance(kind, pl.Enum | pl.Categorical)]
    texts = [name for name, kind in schema.items() if kind == pl.String]
    lists = [name for name, kind in schema.items() if isinstance(kind, pl.List)]
    return table.with_columns(
        *(_harmless(name) for name in texts),
        pl.col(words).cast(pl.String),
        pl.col(lists).cast(pl.List(pl.String)).list.join(" "),
    )


def _harmless(name: str) -> pl.Expr:
    cell = pl.col(name)
    risky = pl.any_horizontal(cell.str.starts_with(start) for start in FORMULA_STARTS)
    return pl.when(risky).then("'" + cell).otherwise(cell).alias(name)


def write_csv(table: pl.LazyFrame, path: Path) -> None:
    """Write a table as CSV with ``escape_formulas`` cells; a null is an empty cell."""
    escape_formulas(table).sink_csv(path, check_extension=False, engine="streaming")


def write_results(path: Path, rows: pl.LazyFrame, facts: Facts, whole: Facts) -> None:
    """Write results as CSV, JSON or Parquet, by the ending of the path.

    A table has ``facts``, about the run, as columns, if the rows have none of the name; a JSON
    object has them as ``run``, then the members of ``whole``.
    """
    names = rows.collect_schema()
    made = (pl.lit(value).alias(name) for name, value in facts.items() if name not in names)
    if path.suffix.lower() == ".json":
        text = json.dumps({"run": dict(facts), **whole}, allow_nan=False, indent=1, default=str)
        write_text_whole(path, text + "\n")
    elif path.suffix.lower() == ".csv":
        write_whole(path, partial(write_csv, rows.with_columns(made)))
    else:
        write_whole(path, partial(rows.with_columns(made).sink_parquet, engine="streaming"))


def _sorted(tables: Tables, table: str) -> pl.LazyFrame:
    """Return the rows of a part's table by file and line; rows of a hand keep their order."""
    line = "first_line" if table == PIECES else "line"
    return tables.scan(table).sort("file", line, maintain_order=True)


def _copy_csv(tables: Tables, table: str, path: Path) -> None:
    """Write a few parts at a time: given many, polars reads too far ahead."""
    with path.open("wb") as file:
        for place, some in enumerate(batches(tables)):
            rows = escape_formulas(_sorted(some, table))
            rows.sink_csv(file, include_header=place == 0, engine="streaming")


def _copy_arrow(tables: Tables, table: str, path: Path) -> None:
    rows = pl.concat([_sorted(some, table) for some in batches(tables)])
    rows.sink_ipc(path, compression="zstd", engine="streaming")


WRITERS = {"csv": _copy_csv, "arrow": _copy_arrow}
"""Writers by format; the format is the name of the folder and the ending of the files."""


def export_tables(tables: Tables, kind: str) -> None:
    """Export all tables in a format of ``WRITERS`` to a subfolder, such as ``csv/hands.csv``.

    An earlier export is replaced once all tables are written. Raise ``OSError`` if a file cannot
    be written, ``RunError`` if a run has the tables open.
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
            move_over(file, folder / file.name)
        draft.rmdir()


def _in_order(tables: Tables) -> Tables:
    def first(part: TablePart) -> list[tuple[Any, ...]]:
        pieces = replace(tables, parts=(part,)).scan(PIECES).select("file", "first_line")
        return sorted(pieces.collect().rows())[:1]

    return replace(tables, parts=tuple(sorted(tables.parts, key=first)))
