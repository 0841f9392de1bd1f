"""Columns of the tables, with their types; frames of an analysis have the same figures."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

import polars as pl

import handread.tables as tables
from handread.decisions.hand_values import HandValues
from handread.game.rules import GAMES, STREET_NAMES, variant_of
from handread.inference.hand_analysis import Analysis
from handread.odds.showdown import showdown_of
from handread.opponents.records import OPENINGS
from handread.opponents.statistics import PLACES, STATISTICS
from handread.tables.figure import (
    FRAME,
    STAGE_FRAME,
    TABLE,
    Figure,
    ValueKind,
    columns_in,
    figures_of,
    finite,
)
from handread.tables.figures import (
    ACTION_FIGURES,
    COUNT,
    DECISION_FIGURES,
    FLAG,
    HAND_KEY,
    LEDGER_FIGURES,
    LINE,
    MONEY,
    OPEN_BITS,
    PROBABILITY,
    REAL,
    SEAT,
    SIGNED_BITS,
    STAGE_FIGURES,
    TEXT,
    one_of,
)
from handread.tables.rows import REJECT_WORDS, HandRow, PieceRow, PlayerRow, RejectRow, SeatRow

_row, _analysis, _history = figures_of(), figures_of("analysis"), figures_of("history")
_source, _replay, _stakes = figures_of("source"), figures_of("replay"), figures_of("stakes")
_unit, _problem, _play = figures_of("history.unit"), figures_of("problem"), figures_of("play")
_played = figures_of("played")

HAND_COLUMNS: tuple[Figure[HandRow], ...] = (
    _source("file", TEXT, "file of the hand, relative to the folder of the first run"),
    _source("line", LINE, "first line of the hand in its file, from 1"),
    _history("hand_id", TEXT, "what the log calls the hand"),
    _source("dialect", TEXT, "format that it was read as"),
    _history("variant", TEXT, f"key of the game: {', '.join(GAMES)}"),
    _history("table_name", TEXT, "table, as the log names it", "table", filled=True),
    _played("played_at", ValueKind("time", {}), "date and time by the clock of the log", "local"),
    _row("played_zone", TEXT, "time zone of that clock, if the log names it", "zone"),
    _row("played_utc", ValueKind("utc", {}), "the same time in UTC, if the log names its zone"),
    _unit(
        "currency", TEXT, "currency symbol of the amounts; empty for chips", "symbol", filled=True
    ),
    _unit("decimals", COUNT, "decimals of the currency: 2 if minor units are cents"),
    _stakes("ante_minor", MONEY, "ante"),
    _stakes("bring_in_minor", MONEY, "bring-in"),
    Figure("small_bet_minor", MONEY, "bet on the first street", lambda r: r.stakes.bets[0]),
    Figure(
        "big_bet_minor", MONEY, "bet on the last street, the big bet", lambda r: r.stakes.bets[-1]
    ),
    Figure("seats", COUNT, "number of players dealt in", lambda r: len(r.replay.streets[0].active)),
    _history("hero", COUNT, "seat of the player whose log it is"),
    Figure("known", COUNT, "number of players whose downcards are known", lambda r: len(r.known)),
    Figure("last_street", COUNT, "last street dealt", lambda r: r.replay.streets[-1].number),
    Figure("actions", COUNT, "number of voluntary actions", lambda r: len(r.analysis.actions)),
    _replay("finished", FLAG, "true if the log goes to the end of the hand"),
    Figure(
        "showdown",
        COUNT,
        "number of players in at the showdown; 0 without one",
        lambda r: len(r.replay.showdown),
    ),
    _row("winners", ValueKind("i16s", {}), "seats that won chips"),
    _replay("pot_minor", MONEY, "pot at the end"),
    _replay("rake_minor", MONEY, "rake"),
    _analysis("policy", TEXT, "policies that the hand was read with", "reader.name"),
    _analysis(
        "surprise_bits", SIGNED_BITS, "surprise of all actions together: -log2 of their probability"
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
    _problem("file", TEXT, "file, relative to the folder of the first run"),
    _row("line", LINE, "first line of the hand in its file, from 1", "file_line"),
    _history("hand_id", TEXT, "what the log calls the hand; empty for text that is not a hand"),
    _history("variant", TEXT, "game; empty if it is not known"),
    _row(
        "kind",
        one_of(REJECT_WORDS),
        "why it is here: its log is wrong; it is sound and cannot be analyzed; it is of another "
        "game; it is text that is not a hand",
    ),
    _problem("problem_line", LINE, "line of the fault", "line"),
    _problem("problem_column", LINE, "column of the fault", "column"),
    _problem("reason", TEXT, "what is wrong, in words", "message"),
    _problem(
        "expected", TEXT, "what was expected there; empty if nothing can be said", filled=True
    ),
    _row("text", TEXT, "text of that line", "line", filled=True),
    _problem("dialect", TEXT, "format that was tried; empty for none", filled=True),
)

PIECE_COLUMNS: tuple[Figure[PieceRow], ...] = (
    _row("file", TEXT, "file, relative to the folder of the first run"),
    _row("first_line", LINE, "first line of the piece"),
    _row("digest", TEXT, "hash of the content of the piece"),
    _row("hands", LINE, "number of its rows in hands"),
    _row("rejects", LINE, "number of its rows in rejects"),
    Figure("repeated", LINE, "number of its hands that came before", lambda _: 0),
    Figure(
        "keys",
        TEXT,
        "hashes of its other hands, by which a repeated one is noticed",
        lambda r: b"".join(r.keys).hex(),
        stable=False,
    ),
)

TIMES = ValueKind("i16", {"type": "integer", "minimum": 0})

CHANCES = "_of"
"""Ending of the column with the number of chances of a statistic."""


def _statistics() -> Iterator[Figure[PlayerRow]]:
    """Yield two columns for each statistic: how often it was done, out of how many chances."""
    for stat in STATISTICS:
        street = "" if stat.street is None else STREET_NAMES[stat.street]
        what = stat.definition.format(first="the first", street=street)
        done, chances = map(_count, (2 * PLACES[stat.key], 2 * PLACES[stat.key] + 1))
        yield Figure(stat.key, TIMES, f"times that the player {what}", done)
        yield Figure(stat.key + CHANCES, TIMES, f"chances for {stat.key}", chances)


def _count(place: int) -> Callable[[PlayerRow], int]:
    return lambda row: row.play.tally[place]


PLAYER_COLUMNS: tuple[Figure[PlayerRow], ...] = (
    *HAND_KEY,
    _play("seat", SEAT, "seat of the player"),
    _play("name", TEXT, "name of the player; you for a hero without one", filled=True),
    _play("you", FLAG, "true for the player whose log it is"),
    _play(
        "net_bets", REAL, "net result in big bets; empty for an unfinished hand, and in tournaments"
    ),
    _play(
        "opening",
        one_of(OPENINGS),
        "what the player did on the first street, the strongest action; empty without a choice",
        filled=True,
    ),
    _play(
        "shown", TEXT, "family of the player's first cards, if they were shown down", filled=True
    ),
    _play(
        "bluffed",
        FLAG,
        "true if the player bet the last street and showed down less than a pair, in games with a "
        "low none of these either; empty without such a bet that was shown down",
    ),
    _row(
        "styles",
        TEXT,
        "how much likelier each style of the policy makes the player's actions than a stranger's "
        "mixture of them, in the order of the styles; empty for a policy without styles",
    ),
    *_statistics(),
)

INFINITE = "_infinite"
"""Ending of the column that is true where bits are infinite, and therefore null."""


def _stored(figures: Iterable[Figure[Any]]) -> Iterator[Figure[Any]]:
    """Yield the columns of a table; bits that may be infinite take two."""
    for figure in columns_in(TABLE, figures):
        if figure.kind not in (OPEN_BITS, SIGNED_BITS):
            yield figure
            continue
        yield replace(figure, value=partial(_finite, figure))
        meaning = f"true if {figure.name} is infinite, and for that reason empty"
        yield Figure(figure.name + INFINITE, FLAG, meaning, partial(_infinite, figure), (TABLE,))


def _finite(figure: Figure[Any], row: object) -> object:
    return finite(cast("float | None", figure.value(row)))


def _infinite(figure: Figure[Any], row: object) -> bool:
    return figure.value(row) is not None and _finite(figure, row) is None


_FIGURES: Mapping[str, tuple[Figure[Any], ...]] = {
    tables.HANDS: HAND_COLUMNS,
    tables.STAGE_TABLE: STAGE_FIGURES,
    tables.ACTIONS: ACTION_FIGURES,
    tables.PLAYERS: PLAYER_COLUMNS,
    tables.REJECTS: REJECT_COLUMNS,
    tables.PIECES: PIECE_COLUMNS,
    tables.DECISIONS: DECISION_FIGURES,
    tables.LEDGERS: LEDGER_FIGURES,
}

COLUMNS = {table: tuple(_stored(figures)) for table, figures in _FIGURES.items()}
"""The columns of every table, in order."""

_TYPES: Mapping[str, pl.DataType] = {
    "text": pl.String(),
    "bool": pl.Boolean(),
    "i16": pl.Int16(),
    "i32": pl.Int32(),
    "i64": pl.Int64(),  # also for amounts: in a narrow unsigned type 2 - 3 is 255
    "i16s": pl.List(pl.Int16()),
    "f32": pl.Float32(),  # seven digits; more would be noise that does not compress
    "time": pl.Datetime("ms"),
    "utc": pl.Datetime("ms", "UTC"),
}


def type_of(figure: Figure[Any]) -> pl.DataType:
    """Return the polars type of a figure's column."""
    return pl.Enum(figure.kind.words) if figure.kind.words else _TYPES[figure.kind.type]


SCHEMAS: Mapping[str, pl.Schema] = {
    table: pl.Schema({column.name: type_of(column) for column in columns})
    for table, columns in COLUMNS.items()
}
"""The polars schema of every table."""

GAME = "variant"
"""The column stored in the name of a file, not in the file."""


def file_schema(table: str) -> dict[str, pl.DataType]:
    """Return the schema of the files of a table."""
    return {name: kind for name, kind in SCHEMAS[table].items() if name != GAME}


_UNITS = {
    "_minor": "minor units of the currency",
    "_bits": "bits",
    "_bets": "big bets",
    "_bb": "big bets",
}
"""Units by the endings of names."""


def unit_of(figure: Figure[Any]) -> str:
    """Return the unit of a column in words; empty without a unit."""
    units = [unit for ending, unit in _UNITS.items() if figure.name.endswith(ending)]
    return "0 to 1" if figure.name.startswith("p_") else "".join(units)


def notes_of_columns(table: str) -> dict[str, str]:
    """Return the metadata of a table's files about its columns, as JSON."""
    notes = {col.name: {"meaning": col.meaning, "unit": unit_of(col)} for col in COLUMNS[table]}
    return {"handread.columns": json.dumps(notes)}


def to_frame(analysis: Analysis, rows: str) -> pl.DataFrame:
    """Return a frame with a row per action, stage, or seat of a stage, as ``rows`` says.

    Raise ``ValueError`` if ``rows`` is not "actions", "stages" or "seats".
    """
    hand = HandRow(analysis)
    if rows == "actions":
        return _frame(columns_in(FRAME, ACTION_FIGURES), hand.actions())
    if rows == "stages":
        return _frame(columns_in(STAGE_FRAME, STAGE_FIGURES), hand.stages())
    if rows != "seats":
        raise ValueError(f"no rows {rows!r}: expected actions, stages or seats")
    categories = [
        Figure(f"p_{name.replace(' ', '_')}", PROBABILITY, "", partial(_category, name))
        for name in showdown_of(variant_of(hand.history.variant)).categories
    ]
    return _frame([*columns_in(FRAME, STAGE_FIGURES), *categories], hand.seats())


def values_frame(analysis: Analysis, values: HandValues, rows: str) -> pl.DataFrame:
    """Return a frame of the "decisions" or "ledgers" of a hand; ``ValueError`` for other rows."""
    if rows not in tables.VALUE_TABLES:
        raise ValueError(f"no rows {rows!r}: expected {' or '.join(tables.VALUE_TABLES)}")
    made = [row for table, row in HandRow(analysis).value_rows(values) if table == rows]
    return _frame(columns_in(FRAME, _FIGURES[rows]), made)


def _category(name: str, row: SeatRow) -> float:
    return row.categories[name]


def _frame(figures: Iterable[Figure[Any]], rows: Iterable[object]) -> pl.DataFrame:
    listed = list(rows)
    wide = {"word": pl.String(), "f32": pl.Float64(), "i16": pl.Int64(), "i32": pl.Int64()}
    return pl.DataFrame(
        [
            pl.Series(each.name, map(each.value, listed), wide.get(each.kind.type, type_of(each)))
            for each in figures
        ]
    )
