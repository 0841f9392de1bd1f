"""Answers of ``handread query`` in words, and the columns of the tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from handread.report.tables import as_prose, as_text, output_width
from handread.report.words import visible
from handread.tables import ACTIONS, HANDS, PIECES, REJECTS, STAGE_TABLE, TABLES, VERSION
from handread.tables.columns import COLUMNS, Column
from handread.tables.query import Question, Tally

NOUNS: Mapping[str, tuple[str, str]] = {
    HANDS: ("hand", "hands"),
    STAGE_TABLE: ("seat at a stage", "seats at stages"),
    ACTIONS: ("action", "actions"),
    REJECTS: ("refused hand", "refused hands"),
}
"""The rows of each table in words, singular and plural."""

ROWS_OF: Mapping[str, str] = {
    HANDS: "a hand",
    STAGE_TABLE: "a seat at a stage, if it is in or folded on the street",
    ACTIONS: "an action by choice",
    REJECTS: "a hand that was refused, or a text that is none",
    PIECES: "a piece of a file, as it was read",
}
"""The meaning of a row of each table."""

TYPES: Mapping[str, str] = {
    "text": "text",
    "flag": "bool",
    "real": "f32",
    "money": "i64",
    "count": "i64",
}


def header(question: Question, table: str, tally: Tally) -> str:
    """Return the count and the share of an answer in words."""
    many = NOUNS[table][1]
    clustered = table not in (HANDS, REJECTS)
    among = f"all {many}" if question.given is None else f"the {many} where {question.given}"
    if question.condition is None:
        inside = f", in {_counted(HANDS, tally.of_hands)}" if clustered else ""
        counted = f"{_counted(table, tally.of)}{inside}: {visible(among)}"
        return as_prose(counted, width=output_width())
    inside = f", in {tally.hands:,} of {_counted(HANDS, tally.of_hands)}" if clustered else ""
    interval = "" if math.isnan(tally.share.low) else "; 95% interval"
    if interval and clustered:
        interval += f" by hands, as {many} of one hang together"
    lines = [
        f"{tally.count:,} of {_counted(table, tally.of)}{_share(tally)}{inside}",
        f"counted among {visible(among)}{interval}",
    ]
    if tally.unknown:
        lines.append(f"{tally.unknown:,} of them lack what is asked for, and count as not met")
    return as_prose(*lines, width=output_width())


def _counted(table: str, n: int) -> str:
    """Return a number of rows in words."""
    return f"{n:,} {NOUNS[table][n != 1]}"


def _share(tally: Tally) -> str:
    """Return the share in brackets, with its interval where there is one."""
    found = tally.share
    if math.isnan(found.mean):
        return ""
    if math.isnan(found.low):
        return f" ({percent(found.mean)}%)"
    return f" ({percent(found.mean)}%, {percent(found.low)} to {percent(found.high)}%)"


def percent(share: float) -> str:
    """Return a share as percent, small ones with two digits."""
    found = 100.0 * share
    if 0.0 < found < 0.1:
        return f"{found:.{1 - math.floor(math.log10(found))}f}" if found >= 1e-6 else "<0.000001"
    return f"{found:.1f}"


# The columns of the tables


def columns_text() -> str:
    """Return all tables with their columns in words."""
    parts = [as_prose(*_INTRODUCTION), *(_table_text(table) for table in TABLES)]
    return "\n".join(parts)


_INTRODUCTION = (
    f"Tables {VERSION}. A * marks columns that may change within this version.",
    "Types: text; bool; word, one of a list (an enum); f32, real numbers of seven digits; i64, "
    "whole numbers. _minor is in minor units of the currency (cents), _bits in bits, p_ a chance.",
    "Empty is what is not known. What is infinite is infinite: bits of what a read ruled out.",
)


def _table_text(table: str) -> str:
    rows = [
        [f"{column.name}{'' if column.stable else '*'}", type_name(column), _meaning(column)]
        for column in COLUMNS[table]
    ]
    return as_prose(f"{table}: a row for {ROWS_OF[table]}") + as_text(rows, "  ", left=(0, 1, 2))


def _meaning(column: Column[Any]) -> str:
    """Return the meaning of a column, with all its words."""
    words = "" if isinstance(column.kind, str) else f": {' '.join(column.kind)}"
    return column.meaning + words


def type_name(column: Column[Any]) -> str:
    """Return the type of the cells of a column in words."""
    return TYPES[column.kind] if isinstance(column.kind, str) else "word"


def column_records() -> Iterator[dict[str, Any]]:
    """Yield the columns of all tables as JSON objects."""
    for table in TABLES:
        for column in COLUMNS[table]:
            yield {
                "schema": VERSION,
                "table": table,
                "column": column.name,
                "type": type_name(column),
                "words": None if isinstance(column.kind, str) else list(column.kind),
                "meaning": column.meaning,
                "stable": column.stable,
            }
