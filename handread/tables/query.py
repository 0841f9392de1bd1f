"""Query the tables: count and list the rows that meet a condition in the SQL of polars.

A condition is about one table; one about stages or actions may also name columns of hands.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import polars as pl

import handread.tables.conditions as conditions
from handread.study.statistics import Estimate, ratio_scatter
from handread.tables import ACTIONS, DECISIONS, HANDS, LEDGERS, PLAYERS, REJECTS, STAGE_TABLE
from handread.tables.columns import SCHEMAS
from handread.tables.estimates import HAND, batches
from handread.tables.export import Facts, write_results
from handread.tables.read import Tables

ASKED = (ACTIONS, STAGE_TABLE, HANDS, PLAYERS, REJECTS, DECISIONS, LEDGERS)
"""Tables that a condition can be about; the first that has all its columns is used."""

WITH_HANDS = (ACTIONS, STAGE_TABLE, PLAYERS, DECISIONS, LEDGERS)
"""Tables that are joined with the columns of hands."""

SHOWN: Mapping[str, tuple[str, ...]] = {
    HANDS: ("hand_id", "seats", "last_street", "pot_minor", "winners", "surprise_bits"),
    STAGE_TABLE: ("stage", "seat", "name", "upcards", "p_win", "entropy_bits", "truth_bits"),
    ACTIONS: ("street", "seat", "name", "action", "p_win", "p_action", "surprise_bits"),
    PLAYERS: ("seat", "name", "net_bets", "opening", "shown"),
    REJECTS: ("problem_line", "reason"),
    DECISIONS: ("street", "seat", "name", "action", "best", "cost_bb", "verdict"),
    LEDGERS: ("seat", "name", "net_minor", "luck_minor", "own_minor", "adjusted_minor"),
}
"""Columns shown by default, besides the columns of the question."""

_ORDER = ("stage", "n", "seat", "problem_line", "problem_column")
"""Columns that sort the rows of a hand, if the table has them."""

EVERY_COLUMN = ("all",)
"""Value of ``TableQuery.columns`` that selects all columns."""

_MOST_ROWS = 2**32 - 1
"""Maximum number of rows that polars can count."""

_COLUMNS = {name for table in ASKED for name in SCHEMAS[table]}


@dataclass(frozen=True, slots=True)
class TableQuery:
    """A query of the tables: which of the rows that meet ``given`` meet ``condition``?

    Attributes:
        condition: Condition in SQL; None is met by all rows.
        given: Condition in SQL that selects the rows to count among.
        table: Table; by default the one that has the columns of the question.
        columns: Columns to show, ``EVERY_COLUMN``, or none for the columns of ``SHOWN``.
        sort: Columns to sort by, separated by commas, each with ``desc`` for the highest first.
    """

    condition: str | None = None
    given: str | None = None
    table: str | None = None
    columns: tuple[str, ...] = ()
    sort: str | None = None


Order = Callable[[pl.LazyFrame], pl.LazyFrame]
"""Sorts rows."""


class Rows:
    """Rows of an answer, read lazily: the rows of all frames, in an order."""

    def __init__(
        self,
        frames: Sequence[pl.LazyFrame],
        order: Order = lambda rows: rows,
        columns: Sequence[str] | None = None,
    ) -> None:
        with conditions.polars_errors():
            schema = frames[0].select(pl.all() if columns is None else columns).collect_schema()
        self._frames, self._order = frames, order
        self._narrow = {name for name, kind in schema.items() if kind == pl.Float32}
        self.columns = tuple(schema)

    def first(self, n: int) -> list[dict[str, object]]:
        """Return the first n rows; no more are kept of each frame."""
        kept = list[pl.DataFrame]()
        with conditions.polars_errors():
            for frame in self._frames:
                some = self._order(frame).head(min(n, _MOST_ROWS)).collect(engine="streaming")
                both = pl.concat([*kept, some]).lazy()
                kept = [self._order(both).head(min(n, _MOST_ROWS)).collect()]
        return [self._cells(row) for row in kept[0].select(self.columns).iter_rows(named=True)]

    def all(self) -> Iterator[dict[str, object]]:
        """Return an iterator over all rows."""
        with conditions.polars_errors():
            rows = self._whole().collect(engine="streaming")
        return (self._cells(row) for row in rows.iter_rows(named=True))

    def write(self, path: Path, facts: Facts, whole: Facts, n: int | None = None) -> None:
        """Write the first n rows (by default all) by ``write_results``; may raise ``OSError``."""
        with conditions.polars_errors():
            rows = self._whole()
            write_results(path, rows if n is None else rows.head(min(n, _MOST_ROWS)), facts, whole)

    def _whole(self) -> pl.LazyFrame:
        return self._order(pl.concat(self._frames)).select(self.columns)

    def _cells(self, row: dict[str, object]) -> dict[str, object]:
        """Return a row with floats cut to the digits of the tables, and dates as text."""
        for name, value in row.items():
            if name in self._narrow and isinstance(value, float) and math.isfinite(value):
                row[name] = float(f"{value:.7g}")
            elif isinstance(value, datetime):
                row[name] = value.isoformat()
        return row


@dataclass(frozen=True, slots=True)
class QueryTally:
    """Counts of the rows and hands that meet a condition.

    Attributes:
        count: Rows that meet the condition.
        of: Rows that have a value in the columns of the condition, or meet it without.
        unknown: The other rows, without a value.
        hands: Hands with a row that meets the condition.
        of_hands: Hands with a row of ``of``.
        error: Standard error of the share, clustered by hand; NaN for fewer than two hands.
    """

    count: int
    of: int
    unknown: int
    hands: int
    of_hands: int
    error: float

    @property
    def share(self) -> Estimate:
        """The share of the rows that meet the condition; no mean if there are no rows."""
        share = self.count / self.of if self.of else math.nan
        return Estimate.share(share, self.error, self.of, self.of_hands)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question. The rows have the columns of ``HAND`` and then ``columns``."""

    table: str
    tally: QueryTally
    columns: tuple[str, ...]
    rows: Rows


def ask(tables: Tables, question: TableQuery) -> Answer:
    """Answer a question; raise ``QuestionError`` for one that the tables cannot answer."""
    asked = [text for text in (question.given, question.condition) if text is not None]
    parsed = [conditions.condition(text) for text in asked]
    sorting = list(_sorting(question.sort))
    roots = dict.fromkeys(name for met in parsed for name in met.meta.root_names())
    named = [*roots, *(name for name, _ in sorting)]
    for name in named:
        if name not in _COLUMNS and any(f'"{name}"' in text for text in asked):
            quoted = f"quote text with single quotes: '{conditions.shortened(name)}'"
            raise conditions.QuestionError(f"no column {conditions.shortened(name)}; {quoted}")
    wanted = () if question.columns == EVERY_COLUMN else question.columns
    table = _table_of(question.table, [*named, *wanted])
    if table not in tables.names:
        lack = f"there is no table {table}"
        raise conditions.QuestionError(f"{lack}; score the hands with --decisions")
    shown = _shown(table, question.columns, named, [name for name, _ in sorting])
    frames = [_joined(part, table, [*named, *shown]) for part in batches(tables)]
    for text, expression in zip(asked, parsed, strict=True):
        conditions.check_condition(text, expression, frames[0])
    met = pl.lit(True) if question.condition is None else parsed.pop()
    frames = [frame.filter(*parsed) for frame in frames]
    order = (*HAND, *(name for name in _ORDER if name in SCHEMAS[table]))
    keys = [*sorting, *((name, False) for name in order)]
    by, down = [name for name, _ in keys], [downwards for _, downwards in keys]
    columns = list(dict.fromkeys((*HAND, *shown)))
    kept = [frame.filter(met).select(list(dict.fromkeys((*columns, *by)))) for frame in frames]
    rows = Rows(kept, lambda some: some.sort(by, descending=down, nulls_last=True), columns)
    valued = pl.lit(True) if question.condition is None else _valued(question.condition, met)
    return Answer(table, _tally(frames, met, valued), shown, rows)


def select(tables: Tables, question: str) -> Rows:
    """Return the rows of a SELECT statement over the tables."""
    conditions.check_safe(question)
    with conditions.polars_errors():
        frames = {table: _wide(tables.scan(table)) for table in tables.names}
        return Rows([pl.SQLContext(frames, eager=False).execute(question)])


def _wide(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return rows with whole numbers of 64 bits: products of smaller ones overflow."""
    return rows.with_columns(pl.selectors.by_dtype(pl.Int16, pl.Int32).cast(pl.Int64))


def _table_of(asked: str | None, names: list[str]) -> str:
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
    columns = list(SCHEMAS[table])
    return list(dict.fromkeys([*columns, *SCHEMAS[HANDS]])) if table in WITH_HANDS else columns


def _no_column(name: str, table: str) -> conditions.QuestionError:
    hands = f" or {HANDS}" if table in WITH_HANDS else ""
    return conditions.unknown_column(name, _columns_about(table), f"{table}{hands}")


def _homeless(names: list[str]) -> conditions.QuestionError:
    """Return the error of a question whose columns are not in one table."""
    homes = {name: [table for table in ASKED if name in SCHEMAS[table]] for name in names}
    for name, tables in homes.items():
        if not tables:
            likely = max(ASKED, key=lambda table: len(SCHEMAS[table].keys() & set(names)))
            return _no_column(name, likely)
    where = "; ".join(f"{name} is in {', '.join(tables)}" for name, tables in homes.items())
    return conditions.QuestionError(f"no table has all of these columns: {where}")


def _joined(tables: Tables, table: str, names: Iterable[str]) -> pl.LazyFrame:
    """Return a table, joined with the named columns that exist only in hands."""
    rows = _wide(tables.scan(table))
    borrowed = [name for name in dict.fromkeys(names) if name not in SCHEMAS[table]]
    if not borrowed:
        return rows
    hands = _wide(tables.scan(HANDS)).select(*HAND, *borrowed)
    return rows.join(hands, on=HAND, how="left")


def _shown(
    table: str, asked: tuple[str, ...], named: Iterable[str], sorted_by: Iterable[str]
) -> tuple[str, ...]:
    """Return the columns to show after ``HAND``."""
    if asked == EVERY_COLUMN:
        asked = (*SCHEMAS[table], *named)
    columns = (*asked, *sorted_by) if asked else (*sorted_by, *SHOWN[table], *named)
    return tuple(dict.fromkeys(name for name in columns if name not in HAND))


def _sorting(text: str | None) -> Iterator[tuple[str, bool]]:
    """Yield each column to sort by, and whether to sort it in descending order."""
    for part in [] if text is None else text.split(","):
        name, _, way = part.strip().partition(" ")
        if not name or way.strip().lower() not in ("", "asc", "desc"):
            sorting = f"{conditions.shortened(str(text))!r} cannot be sorted by"
            raise conditions.QuestionError(f"{sorting}: expected a column, as in 'p_win desc'")
        yield name, way.strip().lower() == "desc"


def _valued(question: str, met: pl.Expr) -> pl.Expr:
    """Return whether a row counts: no column of the condition is null, or the row meets it.

    If the condition itself handles nulls, all rows count where it is true or false.
    """
    if conditions.speaks_of_empty_cells(question):
        return met.is_not_null()
    full = [pl.col(name).is_not_null() for name in met.meta.root_names()]
    return pl.all_horizontal(pl.lit(True), *full) | met.fill_null(False)


def _tally(frames: Iterable[pl.LazyFrame], met: pl.Expr, valued: pl.Expr) -> QueryTally:
    with conditions.polars_errors():
        sums = [_sums(frame, met, valued).collect(engine="streaming") for frame in frames]
        sums_of = pl.concat(sums).sum().row(0, named=True)
    # With s rows of a hand that meet the condition and n rows in all, these are the sums over hands
    # of s * s, s * n and n * n: exact, as the terms of the scatter nearly cancel.
    products = [Fraction(sums_of.pop(name)) for name in ("ss", "sn", "nn")]
    of, hands, error = sums_of["of"], sums_of["of_hands"], math.nan
    if hands >= 2:  # by linearisation (Cochran 1977, chapter 6)
        scatter = ratio_scatter(Fraction(sums_of["count"], of), *products)
        error = math.sqrt(scatter * hands / (hands - 1)) / of
    return QueryTally(**sums_of, error=error)


def _sums(frame: pl.LazyFrame, met: pl.Expr, valued: pl.Expr) -> pl.LazyFrame:
    n, s = pl.col("n"), pl.col("s")
    by_hand = (
        frame.select(*HAND, met=met, valued=valued)
        .group_by(HAND)
        .agg(
            n=pl.col("valued").sum().cast(pl.Int64),
            s=pl.col("met").sum().cast(pl.Int64),
            unknown=(~pl.col("valued")).sum().cast(pl.Int64),
        )
    )
    return by_hand.select(
        count=s.sum(),
        of=n.sum(),
        unknown=pl.col("unknown").sum(),
        hands=(s > 0).sum().cast(pl.Int64),
        of_hands=(n > 0).sum().cast(pl.Int64),
        ss=(s * s).sum(),
        sn=(s * n).sum(),
        nn=(n * n).sum(),
    )
