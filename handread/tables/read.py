"""Open the tables of a folder for summaries, plots, queries and copies."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from handread.game.rules import NOT_BY_READER, ONLY_STUD, VARIANTS
from handread.history import Problem
from handread.parallel import RunError
from handread.tables import PIECES, REJECTS, TERMS_FILE, VERSION, tables_of
from handread.tables.columns import GAME, INFINITE, SCHEMAS, file_schema
from handread.tables.files import WORK_FOLDER, Folder, TablePart, check_part, parts_of, unreadable
from handread.tables.rows import NOT_ANALYZED, NOT_UNDERSTOOD, OTHER_GAME, REFUSED
from handread.tables.store import UNFINISHED, hand_keys

NO_HAND = "holds no hands yet: handread score still runs, or was stopped before it kept one"


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables on disk; nothing is loaded until it is collected.

    ``game`` selects the rows of a game; None stands for all games. ``terms`` records how the tables
    were made. ``unfinished`` is True if hands are missing, as a run was interrupted or goes on.
    """

    folder: Path
    terms: dict[str, Any]
    parts: tuple[TablePart, ...]
    unfinished: bool
    game: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tables."""
        return tables_of(self.terms)

    def scan(self, table: str) -> pl.LazyFrame:
        """Return a table of all parts, only of ``game`` if the table has a column for it."""
        schema, by_game = file_schema(table), dict[str | None, list[Path]]()
        for part in self.parts:
            for name, game in part.of(table, self.game):
                by_game.setdefault(game, []).append((self.folder / name).absolute())
        if not by_game:
            return pl.LazyFrame(schema=SCHEMAS[table])
        frames = []
        for game, files in by_game.items():
            with_game = {GAME: pl.lit(game, pl.String)} if GAME in SCHEMAS[table] else {}
            rows = pl.scan_parquet(files, glob=False, hive_partitioning=False, schema=schema)
            frames.append(rows.with_columns(**with_game).select(SCHEMAS[table].names()))
        return pl.concat(frames)

    def whole(self, table: str) -> pl.LazyFrame:
        """Return a table as ``scan`` does, with infinite bits in their columns."""
        rows = self.scan(table)
        flags = [name for name in SCHEMAS[table] if name.endswith(INFINITE)]
        bits = {name: name.removesuffix(INFINITE) for name in flags}
        ends = {name: -math.inf if "truth" in name else math.inf for name in flags}
        return rows.with_columns(
            pl.when(flag).then(pl.lit(ends[flag], pl.Float32)).otherwise(name).alias(name)
            for flag, name in bits.items()
        )

    def count(self, table: str) -> int:
        """Return the number of rows of a table."""
        return int(self.scan(table).select(pl.len()).collect().item())

    def hand_keys(self) -> set[bytes]:
        """Return the keys (``hand_key``) of the hands that have one."""
        return hand_keys(self.scan(PIECES).select("keys").collect())

    def left_out(self) -> dict[str, int]:
        """Return how many hands are missing from the table of hands, by the reason in words."""
        kinds = self.scan(REJECTS).group_by("kind").len().collect()
        counts = {str(kind): int(n) for kind, n in kinds.iter_rows()}
        repeated = int(self.scan(PIECES).select(pl.col("repeated").sum()).collect().item())
        return {
            "refused": counts.get(REFUSED, 0),
            "not analyzed": counts.get(NOT_ANALYZED, 0),
            "of other games": counts.get(OTHER_GAME, 0),
            "repeated": repeated,
            "not understood": counts.get(NOT_UNDERSTOOD, 0),
        }

    def path_of(self, file: str) -> str | None:
        """Return the path of a file as commands take it here; None if it is gone, or a pipe."""
        base = Path(str(self.terms.get("folder", ".")))
        path = file if base == Path.cwd() else str(base / file)
        return path if Path(path).is_file() else None

    def other_games(self, reason: str = ONLY_STUD) -> dict[str, int]:
        """Return the number of hands by game refused for a reason, most frequent first."""
        named = pl.col("reason").str.extract(f"^this is (.*); {reason}$").alias("game")
        counts = self.scan(REJECTS).select(named).drop_nulls().group_by("game").len()
        return dict(counts.sort(["len", "game"], descending=[True, False]).collect().iter_rows())

    def first_rejects(self, n: int) -> list[Problem]:
        """Return the problems of the first n refused hands except other games, in order."""
        where = ["file", "problem_line", "problem_column"]
        columns = [*where, "reason", "expected", "text", "variant"]
        skipped = [pl.col("reason").str.ends_with(why) for why in (ONLY_STUD, NOT_BY_READER)]
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
    """Open a folder; raise ``RunError`` for missing, damaged or older tables."""
    try:
        terms = json.loads((folder / TERMS_FILE).read_text(encoding="utf-8"))
        version = terms["schema"]
    except PermissionError as error:
        raise RunError(unreadable(folder / TERMS_FILE, error)) from None
    except (OSError, ValueError, TypeError, KeyError):
        if [entry.name for entry in folder.glob("*")] == [WORK_FOLDER]:
            raise RunError(f"{folder}: {NO_HAND}") from None
        raise RunError(f"{folder}: is not a folder of tables made by handread score") from None
    if version != VERSION:
        ties = str(terms.get("ties", "split"))
        raise RunError(
            f"{folder}: has tables {version}, this version of handread reads {VERSION}; score the "
            f"logs again, into another folder: handread score LOGS -o {folder}-new --ties {ties}"
        )
    parts = tuple(parts_of(Folder(folder)))
    for part in parts:
        check_part(folder, part)
    unfinished = (folder / WORK_FOLDER / UNFINISHED).exists()
    return Tables(folder, terms, parts, unfinished)
