"""Columns of the tables: those of hands, rejects and pieces, and the types of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from handread.tables import ACTIONS, DECISIONS, HANDS, LEDGERS, PIECES, REJECTS, STAGE_TABLE
from handread.tables.figure import (
    COUNT,
    FLAG,
    MONEY,
    SIGNED_BITS,
    TABLE,
    TEXT,
    Figure,
    columns_in,
    one_of,
)
from handread.tables.figures import ACTION_FIGURES, STAGE_FIGURES
from handread.tables.rows import REJECT_WORDS, HandRow, PieceRow, RejectRow
from handread.tables.value_columns import DECISION_FIGURES, LEDGER_FIGURES

HAND_COLUMNS: tuple[Figure[HandRow], ...] = (
    Figure(
        "file",
        TEXT,
        "file of the hand, relative to the folder of the first run",
        lambda r: r.source.file,
    ),
    Figure(
        "line",
        COUNT,
        "first line of the hand in its file, from 1; of Parquet its row",
        lambda r: r.source.line,
    ),
    Figure("hand_id", TEXT, "what the log calls the hand", lambda r: r.history.hand_id),
    Figure("dialect", TEXT, "format that it was read as", lambda r: r.source.dialect),
    Figure(
        "variant", TEXT, "key of the game: stud, stud8, razz or 5stud", lambda r: r.history.variant
    ),
    Figure("table_name", TEXT, "table, as the log names it", lambda r: r.history.table or None),
    Figure(
        "played_at",
        TEXT,
        "date and time, as the log writes them",
        lambda r: r.history.played_at or None,
    ),
    Figure(
        "currency",
        TEXT,
        "currency symbol of the amounts; empty for chips",
        lambda r: r.history.unit.symbol or None,
    ),
    Figure(
        "decimals",
        COUNT,
        "decimals of the currency: 2 if minor units are cents",
        lambda r: r.history.unit.decimals,
    ),
    Figure("ante_minor", MONEY, "ante", lambda r: r.stakes.ante),
    Figure("bring_in_minor", MONEY, "bring-in", lambda r: r.stakes.bring_in),
    Figure("small_bet_minor", MONEY, "bet on the first street", lambda r: r.stakes.bets[0]),
    Figure(
        "big_bet_minor", MONEY, "bet on the last street, the big bet", lambda r: r.stakes.bets[-1]
    ),
    Figure("seats", COUNT, "number of players dealt in", lambda r: len(r.replay.streets[0].active)),
    Figure("hero", COUNT, "seat of the player whose log it is", lambda r: r.history.hero),
    Figure("known", COUNT, "number of players whose downcards are known", lambda r: len(r.known)),
    Figure("last_street", COUNT, "last street dealt", lambda r: r.replay.streets[-1].number),
    Figure("actions", COUNT, "number of voluntary actions", lambda r: len(r.analysis.actions)),
    Figure(
        "finished", FLAG, "true if the log goes to the end of the hand", lambda r: r.replay.finished
    ),
    Figure(
        "showdown",
        COUNT,
        "number of players in at the showdown; 0 without one",
        lambda r: len(r.replay.showdown),
    ),
    Figure("winners", TEXT, "seats that won chips, separated by blanks", lambda r: r.winners),
    Figure("pot_minor", MONEY, "pot at the end", lambda r: r.replay.pot),
    Figure("rake_minor", MONEY, "rake", lambda r: r.replay.rake),
    Figure(
        "policy", TEXT, "policies that the hand was read with", lambda r: r.analysis.reader.name
    ),
    Figure(
        "surprise_bits",
        SIGNED_BITS,
        "surprise of all actions together: -log2 of their probability",
        lambda r: r.analysis.surprise_bits,
    ),
    Figure(
        "unexplained",
        COUNT,
        "number of actions that the policy takes with no holding",
        lambda r: sum(not action.explained for action in r.analysis.actions),
    ),
    Figure(
        "findings",
        COUNT,
        "number of other findings; handread analyze prints them",
        lambda r: len(r.analysis.problems),
        stable=False,
    ),
)


REJECT_COLUMNS: tuple[Figure[RejectRow], ...] = (
    Figure("file", TEXT, "file, relative to the folder of the first run", lambda r: r.problem.file),
    Figure(
        "line",
        COUNT,
        "first line of the hand in its file, from 1; of Parquet its row",
        lambda r: r.file_line,
    ),
    Figure(
        "hand_id",
        TEXT,
        "what the log calls the hand; empty for text that is not a hand",
        lambda r: None if r.history is None else r.history.hand_id,
    ),
    Figure(
        "variant",
        TEXT,
        "game; empty if it is not known",
        lambda r: None if r.history is None else r.history.variant,
    ),
    Figure(
        "kind",
        one_of(REJECT_WORDS),
        "why it is here: its log is wrong; it is sound and cannot be analyzed; it is of another "
        "game; it is text that is not a hand",
        lambda r: r.kind,
    ),
    Figure("problem_line", COUNT, "line of the fault", lambda r: r.problem.line),
    Figure("problem_column", COUNT, "column of the fault", lambda r: r.problem.column),
    Figure("reason", TEXT, "what is wrong, in words", lambda r: r.problem.message),
    Figure(
        "expected",
        TEXT,
        "what was expected there; empty if nothing can be said",
        lambda r: r.problem.expected or None,
    ),
    Figure("text", TEXT, "text of that line", lambda r: r.line or None),
    Figure(
        "dialect",
        TEXT,
        "format that was tried; empty for none",
        lambda r: r.problem.dialect or None,
    ),
)

PIECE_COLUMNS: tuple[Figure[PieceRow], ...] = (
    Figure("file", TEXT, "file, relative to the folder of the first run", lambda r: r.file),
    Figure("first_line", COUNT, "first line of the piece", lambda r: r.first_line),
    Figure("digest", TEXT, "hash of the content of the piece", lambda r: r.digest),
    Figure("hands", COUNT, "number of its rows in hands", lambda r: r.hands),
    Figure("rejects", COUNT, "number of its rows in rejects", lambda r: r.rejects),
    Figure("repeated", COUNT, "number of its hands that came before", lambda _: 0),
    Figure(
        "keys",
        TEXT,
        "hashes of its other hands, by which a repeated one is noticed",
        lambda r: r.joined_keys,
        stable=False,
    ),
)

COLUMNS: Mapping[str, tuple[Figure[Any], ...]] = {
    HANDS: HAND_COLUMNS,
    STAGE_TABLE: columns_in(TABLE, STAGE_FIGURES),
    ACTIONS: columns_in(TABLE, ACTION_FIGURES),
    REJECTS: REJECT_COLUMNS,
    PIECES: PIECE_COLUMNS,
    DECISIONS: columns_in(TABLE, DECISION_FIGURES),
    LEDGERS: columns_in(TABLE, LEDGER_FIGURES),
}
"""The columns of every table, in order."""

_TYPES: Mapping[str, pl.DataType] = {
    "text": pl.String(),
    "bool": pl.Boolean(),
    "i64": pl.Int64(),  # also for amounts: in a narrow unsigned type 2 - 3 is 255
    "f32": pl.Float32(),  # seven digits; more would be noise that does not compress
}


def type_of(figure: Figure[Any]) -> pl.DataType:
    """Return the polars type of the column of a figure in the tables."""
    return pl.Enum(figure.kind.words) if figure.kind.words else _TYPES[figure.kind.type]


SCHEMAS: Mapping[str, pl.Schema] = {
    table: pl.Schema({column.name: type_of(column) for column in columns})
    for table, columns in COLUMNS.items()
}
"""The polars schema of every table."""
