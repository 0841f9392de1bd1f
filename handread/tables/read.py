"""The tables of a folder, to be asked: for summaries, pictures, queries and copies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from handread.game.rules import VARIANTS
from handread.history import Problem
from handread.parallel import RunError
from handread.tables import REJECTS, TERMS_FILE, VERSION
from handread.tables.columns import SCHEMAS
from handread.tables.store import UNFINISHED, WORK_FOLDER, check_part, part_folders


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables as they are found on the disk; nothing is loaded until it is asked for.

    ``terms`` is what they were made with. ``unfinished`` says that a run into the folder was
    stopped, or is at work: there are hands that do not stand in the tables yet.
    """

    folder: Path
    terms: dict[str, Any]
    parts: tuple[Path, ...]
    unfinished: bool

    def scan(self, table: str) -> pl.LazyFrame:
        """A table of all parts, with the columns of ``frames.SCHEMAS``."""
        if not self.parts:
            return pl.LazyFrame(schema=SCHEMAS[table])
        files = [(part / f"{table}.parquet").absolute() for part in self.parts]
        return pl.scan_parquet(files, glob=False, hive_partitioning=False, schema=SCHEMAS[table])

    def count(self, table: str) -> int:
        """How many rows a table has."""
        return int(self.scan(table).select(pl.len()).collect().item())

    def path_of(self, file: str) -> str | None:
        """Where a file of the tables lies, for a command that is given here; None if it is gone.

        What came from standard input or a pipe cannot be had again.
        """
        base = Path(str(self.terms.get("folder", ".")))
        path = file if base == Path.cwd() else str(base / file)
        return path if Path(path).is_file() else None

    def first_rejects(self, n: int) -> list[Problem]:
        """The first of what was refused, by file and line."""
        where = ["file", "problem_line", "problem_column"]
        columns = [*where, "reason", "expected", "text", "variant"]
        table = self.scan(REJECTS).select(columns).sort(where).head(n).collect()
        return [_problem(*cells) for cells in table.iter_rows()]

    def size(self, table: str) -> int:
        """How many bytes the files of a table have."""
        return sum((part / f"{table}.parquet").stat().st_size for part in self.parts)


def _problem(
    file: str,
    line: int,
    column: int,
    message: str,
    expected: str | None,
    text: str | None,
    variant: str | None,
) -> Problem:
    # Nothing is wrong with a line of another game.
    shown = variant is None or VARIANTS[variant].readable
    return Problem(file, line, column, message, expected or "", text=(text or "") * shown)


def open_tables(folder: Path) -> Tables:
    """The tables of a folder; ``RunError`` where there are none that can be read."""
    try:
        terms = json.loads((folder / TERMS_FILE).read_text(encoding="utf-8"))
        version = terms["schema"]
    except (OSError, ValueError, TypeError, KeyError):
        raise RunError(f"{folder}: is no folder of tables that handread score made") from None
    if version != VERSION:
        raise RunError(f"{folder}: has tables {version}; this handread knows {VERSION}")
    parts = tuple(part_folders(folder))
    for part in parts:
        check_part(part)
    unfinished = (folder / WORK_FOLDER / UNFINISHED).exists()
    return Tables(folder, terms, parts, unfinished)
