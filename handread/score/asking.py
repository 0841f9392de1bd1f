"""Questions to the tables: how many rows of which meet a condition, and which they are.

A question is a condition in the SQL of polars. It is about one table; columns of ``hands`` may
be named with those of stages and actions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import polars as pl

from handread.evaluation.values import Interval
from handread.experiments.values import Estimate
from handread.score import ACTIONS, HANDS, REJECTS, STAGES, TABLES
from handread.score.copies import write_csv
from handread.score.estimates import Mean
from handread.score.frames import SCHEMAS
from handread.score.sql import (
    QuestionError,
    check_condition,
    condition,
    in_words,
    names_in,
    short,
    statement,
    unknown_column,
)
from handread.score.tables import Tables

ASKED = (ACTIONS, STAGES, HANDS, REJECTS)
"""The tables that a question can be about: of those with all its columns it is the first."""

WITH_HANDS = (ACTIONS, STAGES)
"""Those that can be asked for columns of hands too."""

PLACE = ("file", "line")
"""The columns that say where a hand stands."""

SHOWN: Mapping[str, tuple[str, ...]] = {
    HANDS: ("hand_id", "seats", "last_street", "pot_minor", "winners", "surprise_bits"),
    STAGES: ("stage", "seat", "name", "upcards", "p_win", "entropy_bits", "truth_bits"),
    ACTIONS: ("street", "seat", "name", "action", "p_win", "p_action", "surprise_bits"),
    REJECTS: ("problem_line", "reason"),
}
"""The columns that are shown of a table where none are asked for, besides those of the question."""

_ORDER: Mapping[str, tuple[str, ...]] = {
    HANDS: PLACE,
    STAGES: (*PLACE, "stage", "seat"),
    ACTIONS: (*PLACE, "n"),
    REJECTS: (*PLACE, "problem_line", "problem_column"),
}

EVERY_COLUMN = ("all",)
"""Asks for all columns of a table."""

_MOST_ROWS = 2**32 - 1
"""How many rows polars can count."""

_COLUMNS = {name for table in ASKED for name in SCHEMAS[table]}


@dataclass(frozen=True, slots=True)
class Question:
    """How many rows of a table meet a ``condition``, out of those that meet ``given``.

    Without one all rows do. ``table`` is None where the columns tell it. ``columns`` are to be
    shown, ``EVERY_COLUMN`` or those of ``SHOWN`` where there are none; ``sort`` is a column to sort
    by, or several with commas between, each with ``desc`` behind it if the highest come first.
    """

    condition: str | None = None
    given: str | None = None
    table: str | None = None
    columns: tuple[str, ...] = ()
    sort: str | None = None


class Rows:
    """Rows that were asked for; they are read when they are taken."""

    def __init__(self, frame: pl.LazyFrame) -> None:
        with in_words():
            schema = frame.collect_schema()
        self._frame = frame
        self._narrow = [name for name, kind in schema.items() if kind == pl.Float32]
        self.columns = tuple(schema)

    def first(self, n: int) -> list[dict[str, object]]:
        """The first n of them, by column."""
        with in_words():
            found = self._frame.head(min(n, _MOST_ROWS)).collect(engine="streaming")
        return [self._cells(row) for row in found.iter_rows(named=True)]

    def all(self) -> Iterator[dict[str, object]]:
        """All of them."""
        with in_words():
            found = self._frame.collect(engine="streaming")
        return (self._cells(row) for row in found.iter_rows(named=True))

    def write_csv(self, path: Path, n: int | None = None) -> None:
        """Write the first n or all of them as CSV; ``OSError`` where that fails."""
        with in_words():
            write_csv(self._frame if n is None else self._frame.head(min(n, _MOST_ROWS)), path)

    def _cells(self, row: dict[str, object]) -> dict[str, object]:
        """A row with no more digits than the tables have."""
        for name in self._narrow:
            value = row[name]
            if isinstance(value, float) and math.isfinite(value):
                row[name] = float(f"{value:.7g}")
        return row


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rows out of how many meet a condition, and in how many hands out of how many.

    Of ``unknown`` rows it cannot be told, as a cell that the condition asks for is empty; they
    count as rows that do not meet it. ``error`` is the standard error of the share, hands being
    what is drawn; NaN with fewer than two.
    """

    count: int
    of: int
    unknown: int
    hands: int
    of_hands: int
    error: float

    @property
    def share(self) -> Interval:
        """The part of the rows that meets the condition; without a mean where there is no row."""
        share = self.count / self.of if self.of else math.nan
        return Mean(self.of, self.of_hands, 0, Estimate(share, self.error)).share


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question found: in which table, how many rows, and the rows.

    They have the columns of ``PLACE`` first, then ``columns``.
    """

    table: str
    tally: Tally
    columns: tuple[str, ...]
    rows: Rows


def ask(tables: Tables, question: Question) -> Answer:
    """Answer a question; ``QuestionError`` for one that the tables cannot answer."""
    asked = [text for text in (question.given, question.condition) if text is not None]
    conditions = [condition(text) for text in asked]
    sorting = list(_sorting(question.sort))
    named = [*(name for found in conditions for name in names_in(found)), *(n for n, _ in sorting)]
    for name in named:
        if name not in _COLUMNS and any(f'"{name}"' in text for text in asked):
            raise QuestionError(
                f"no column {short(name)}; a text stands in single marks: '{short(name)}'"
            )
    wanted = () if question.columns == EVERY_COLUMN else question.columns
    table = _table_of(question.table, [*named, *wanted])
    shown = _shown(table, question.columns, named)
    frame = _joined(tables, table, [*named, *shown])
    for text, found in zip(asked, conditions, strict=True):
        check_condition(text, found, frame)
    met = pl.lit(True) if question.condition is None else conditions.pop()
    frame = frame.filter(*conditions)
    keys = [*sorting, *((name, False) for name in _ORDER[table])]
    rows = (
        frame.filter(met)
        .sort([name for name, _ in keys], descending=[down for _, down in keys], nulls_last=True)
        .select(*PLACE, *shown)
    )
    return Answer(table, _tally(frame, met), shown, Rows(rows))


def tell(tables: Tables, question: str) -> Rows:
    """What a whole statement gives over the tables, by their names."""
    frames = {table: tables.scan(table) for table in TABLES}
    return Rows(statement(question, frames))


def _table_of(asked: str | None, names: list[str]) -> str:
    """The table that a question is about which names these columns."""
    if asked is not None:
        for name in names:
            if name not in _columns_about(asked):
                raise _no_column(name, asked)
        return asked
    if not names:
        return HANDS
    for table in ASKED:
        if SCHEMAS[table].keys() >= set(names):
            return table
    for table in WITH_HANDS:
        if set(_columns_about(table)) >= set(names):
            return table
    raise _homeless(names)


def _columns_about(table: str) -> list[str]:
    """The columns that can be asked for in a table."""
    own = list(SCHEMAS[table])
    return list(dict.fromkeys([*own, *SCHEMAS[HANDS]])) if table in WITH_HANDS else own


def _no_column(name: str, table: str) -> QuestionError:
    hands = f" or {HANDS}" if table in WITH_HANDS else ""
    return unknown_column(name, _columns_about(table), f"{table}{hands}")


def _homeless(names: list[str]) -> QuestionError:
    """Why no table has all these columns."""
    homes = {name: [table for table in ASKED if name in SCHEMAS[table]] for name in names}
    for name, found in homes.items():
        if not found:
            likely = max(ASKED, key=lambda table: len(SCHEMAS[table].keys() & set(names)))
            return _no_column(name, likely)
    where = "; ".join(f"{name} is in {', '.join(found)}" for name, found in homes.items())
    return QuestionError(f"no table has all of these columns: {where}")


def _joined(tables: Tables, table: str, names: Iterable[str]) -> pl.LazyFrame:
    """A table, with those of the named columns that only hands has."""
    rows = tables.scan(table)
    borrowed = [name for name in dict.fromkeys(names) if name not in SCHEMAS[table]]
    if not borrowed:
        return rows
    hands = tables.scan(HANDS).select(*PLACE, *borrowed)
    return rows.join(hands, on=PLACE, how="left")


def _shown(table: str, asked: tuple[str, ...], named: Iterable[str]) -> tuple[str, ...]:
    """The columns to show besides those of ``PLACE``."""
    if asked == EVERY_COLUMN:
        asked = (*SCHEMAS[table], *named)
    found = asked or (*SHOWN[table], *named)
    return tuple(dict.fromkeys(name for name in found if name not in PLACE))


def _sorting(text: str | None) -> Iterator[tuple[str, bool]]:
    """The columns to sort by, and whether the highest come first."""
    for part in [] if text is None else text.split(","):
        name, _, way = part.strip().partition(" ")
        if not name or way.strip().lower() not in ("", "asc", "desc"):
            raise QuestionError(
                f"{short(str(text))!r} is nothing to sort by: expected such as 'p_win desc'"
            )
        yield name, way.strip().lower() == "desc"


def _tally(frame: pl.LazyFrame, met: pl.Expr) -> Tally:
    """The rows of a frame and those that meet a condition, counted."""
    n, s = pl.col("n"), pl.col("s")
    by_hand = (
        frame.select(*PLACE, met=met)
        .group_by(PLACE)
        .agg(
            n=pl.len().cast(pl.Int64),
            s=pl.col("met").sum().cast(pl.Int64),
            unknown=pl.col("met").null_count().cast(pl.Int64),
        )
    )
    sums = by_hand.select(
        count=s.sum(),
        of=n.sum(),
        unknown=pl.col("unknown").sum(),
        hands=(s > 0).sum(),
        of_hands=pl.len(),
        ss=(s * s).sum(),
        sn=(s * n).sum(),
        nn=(n * n).sum(),
    )
    with in_words():
        found = sums.collect(engine="streaming").row(0, named=True)
    ss, sn, nn = found.pop("ss"), found.pop("sn"), found.pop("nn")
    return Tally(**found, error=_error(found["count"], found["of"], found["of_hands"], ss, sn, nn))


def _error(count: int, of: int, hands: int, ss: int, sn: int, nn: int) -> float:
    """The standard error of a share by linearisation, from sums of squares and products by hand.

    They are whole numbers: nothing cancels.
    """
    if hands < 2:
        return math.nan
    scatter = Fraction(ss) - 2 * Fraction(count, of) * sn + Fraction(count, of) ** 2 * nn
    return math.sqrt(scatter * hands / (hands - 1)) / of
