"""Open the tables of a folder for summaries, plots, queries and copies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from handread.game.rules import ONLY_STUD, UNANALYZED, VARIANTS
from handread.history import Problem
from handread.parallel import RunError
from handread.tables import PIECES, REJECTS, TERMS_FILE, VERSION, tables_of
from handread.tables.columns import SCHEMAS
from handread.tables.rows import NOT_ANALYZED, NOT_UNDERSTOOD, OTHER_GAME, REFUSED
from handread.tables.store import (
    UNFINISHED,
    WORK_FOLDER,
    check_part,
    hand_keys,
    part_folders,
    unreadable,
)


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables on disk; nothing is loaded until it is collected.

    ``game`` is the key of the game whose rows are wanted; None stands for all.
    ``terms`` records how they were made. ``unfinished`` is True if a run was interrupted or is
    still going on, so that hands are missing.
    """

    folder: Path
    terms: dict[str, Any]
    parts: tuple[Path, ...]
    unfinished: bool
    game: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tables."""
        return tables_of(self.terms)

    def scan(self, table: str) -> pl.LazyFrame:
        """Return a table of all parts as a lazy frame, of the wanted game if it names the game."""
        schema = SCHEMAS[table]
        if not self.parts:
            return pl.LazyFrame(schema=schema)
        files = [(part / f"{table}.parquet").absolute() for part in self.parts]
        rows = pl.scan_parquet(files, glob=False, hive_partitioning=False, schema=schema)
        if self.game is None or "variant" not in schema:
            return rows
        return rows.filter(pl.col("variant") == self.game)

    def count(self, table: str) -> int:
        """Return the number of rows of a table."""
        return int(self.scan(table).select(pl.len()).collect().item())

    def hand_keys(self) -> set[bytes]:
        """Return the keys (``hand_key``) of the hands, as far as they have one."""
        return hand_keys(self.scan(PIECES).select("keys").collect())

    def left_out(self) -> dict[str, int]:
        """Return how many hands are not in the table of hands, by the reason in words."""
        kinds = self.scan(REJECTS).group_by("kind").len().collect()
        found = {str(kind): int(n) for kind, n in kinds.iter_rows()}
        repeated = int(self.scan(PIECES).select(pl.col("repeated").sum()).collect().item())
        return {
            "refused": found.get(REFUSED, 0),
            "not analyzed": found.get(NOT_ANALYZED, 0),
            "of other games": found.get(OTHER_GAME, 0),
            "repeated": repeated,
            "not understood": found.get(NOT_UNDERSTOOD, 0),
        }

    def path_of(self, file: str) -> str | None:
        """Return the path of a file of the tables, for a command started here.

        Return None if the file is gone, or if the hands came from standard input or a pipe.
        """
        base = Path(str(self.terms.get("folder", ".")))
        path = file if base == Path.cwd() else str(base / file)
        return path if Path(path).is_file() else None

    def other_games(self, reason: str = ONLY_STUD) -> dict[str, int]:
        """Return the number of hands of each game that is not read, most frequent first.

        ``reason`` is one of ``UNANALYZED`` for those that are read and not analyzed.
        """
        named = pl.col("reason").str.extract(f"^this is (.*); {reason}$").alias("game")
        counts = self.scan(REJECTS).select(named).drop_nulls().group_by("game").len()
        return dict(counts.sort(["len", "game"], descending=[True, False]).collect().iter_rows())

    def first_rejects(self, n: int) -> list[Problem]:
        """Return the problems of the first n refused hands except other games, in order."""
        where = ["file", "problem_line", "problem_column"]
        columns = [*where, "reason", "expected", "text", "variant"]
        skipped = [pl.col("reason").str.ends_with(why) for why in (ONLY_STUD, *UNANALYZED)]
        refused = self.scan(REJECTS).filter(~pl.any_horizontal(skipped))
        rows = refused.select(columns).sort(where).head(n).collect()
        return [_problem(row) for row in rows.iter_rows(named=True)]


def _problem(reject: Mapping[str, Any]) -> Problem:
    variant = reject["variant"]
    return Problem(
        reject["file"],
        reject["problem_line"],
        reject["problem_column"],
        reject["reason"],
        reject["expected"] or "",
        # A line of another game is not at fault.
        text=reject["text"] or "" if variant is None or VARIANTS[variant].readable else "",
    )


def open_tables(folder: Path) -> Tables:
    """Open the tables of a folder.

    Raises:
        RunError: If there are none, or if they are damaged or of another version.
    """
    try:
        terms = json.loads((folder / TERMS_FILE).read_text(encoding="utf-8"))
        version = terms["schema"]
    except PermissionError as error:
        raise RunError(unreadable(folder / TERMS_FILE, error)) from None
    except (OSError, ValueError, TypeError, KeyError):
        raise RunError(f"{folder}: is not a folder of tables made by handread score") from None
    if version != VERSION:
        raise RunError(f"{folder}: has tables {version}, not {VERSION}; score the hands anew")
    parts = tuple(part_folders(folder))
    for part in parts:
        check_part(part, tables_of(terms))
    unfinished = (folder / WORK_FOLDER / UNFINISHED).exists()
    return Tables(folder, terms, parts, unfinished)
