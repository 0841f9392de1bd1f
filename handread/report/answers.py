"""Answers of the tables as text for people, and as values for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from handread.report.escape import visible
from handread.score import ACTIONS, HANDS, PIECES, REJECTS, STAGES, TABLES, VERSION
from handread.score.asking import Question, Tally
from handread.score.columns import COLUMNS, Column

NOUNS: Mapping[str, tuple[str, str]] = {
    HANDS: ("hand", "hands"),
    STAGES: ("seat at a stage", "seats at stages"),
    ACTIONS: ("action", "actions"),
    REJECTS: ("refused hand", "refused hands"),
}
"""What the rows of each table are, one and many."""

ROWS_OF: Mapping[str, str] = {
    HANDS: "a hand",
    STAGES: "a seat at a stage, if it is in or folded on the street",
    ACTIONS: "an action by choice",
    REJECTS: "a hand that was refused, or a text that is none",
    PIECES: "a piece of a file, as it was read",
}
"""What each table has a row for."""

TYPES: Mapping[str, str] = {
    "text": "text",
    "flag": "bool",
    "real": "f32",
    "money": "i64",
    "count": "i64",
}


def header(question: Question, table: str, tally: Tally) -> str:
    """How many rows out of how many, which these are, and what the interval is."""
    many = NOUNS[table][1]
    clustered = table not in (HANDS, REJECTS)
    among = f"all {many}" if question.given is None else f"the {many} where {question.given}"
    if question.condition is None:
        inside = f", in {_counted(HANDS, tally.of_hands)}" if clustered else ""
        return f"{_counted(table, tally.of)}{inside}: {visible(among)}\n"
    inside = f", in {tally.hands:,} of {_counted(HANDS, tally.of_hands)}" if clustered else ""
    interval = "" if tally.share.low is None else "; 95% interval"
    if interval and clustered:
        interval += f" by hands, as {many} of one hang together"
    lines = [
        f"{tally.count:,} of {_counted(table, tally.of)}{_share(tally)}{inside}",
        f"counted among {visible(among)}{interval}",
    ]
    if tally.unknown:
        lines.append(f"{tally.unknown:,} of them lack what is asked for, and count as not met")
    return "".join(f"{line}\n" for line in lines)


def _counted(table: str, n: int) -> str:
    """So many rows, as people say it."""
    return f"{n:,} {NOUNS[table][n != 1]}"


def _share(tally: Tally) -> str:
    """The share in brackets, with its interval where there is one."""
    found = tally.share
    if found.mean is None:
        return ""
    if found.low is None or found.high is None:
        return f" ({percent(found.mean)}%)"
    return f" ({percent(found.mean)}%, {percent(found.low)} to {percent(found.high)}%)"


def percent(share: float) -> str:
    """A share as percent, small ones with two digits."""
    found = 100.0 * share
    if 0.0 < found < 0.1:
        return f"{found:.{1 - math.floor(math.log10(found))}f}" if found >= 1e-6 else "<0.000001"
    return f"{found:.1f}"


def as_columns(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under the names of their columns, numbers to the right."""
    found = list(rows)
    texts = [[visible(name) for name in names], *([_text(cell) for cell in row] for row in found)]
    widths = [max(len(row[place]) for row in texts) for place in range(len(names))]
    right = [_is_number(row[place] for row in found) for place in range(len(names))]
    lines = []
    for row in texts:
        cells = zip(row, widths, right, strict=True)
        padded = (text.rjust(width) if end else text.ljust(width) for text, width, end in cells)
        lines.append("  ".join(padded).rstrip() + "\n")
    return "".join(lines)


def _is_number(cells: Iterable[object]) -> bool:
    return all(
        cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool))
        for cell in cells
    )


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:#.3g}" if 0.0 < abs(cell) < 0.1 else f"{cell:.3f}"
    return visible(str(cell))


def finite(row: Mapping[str, object]) -> dict[str, object]:
    """A row for JSON: what is infinite is null, and ``infinite`` says of which columns and sign."""
    infinite = {
        name: "inf" if value > 0 else "-inf"
        for name, value in row.items()
        if isinstance(value, float) and math.isinf(value)
    }
    cells = {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }
    return {"infinite": infinite, **cells} if infinite else cells


# The columns of the tables


def columns_text() -> str:
    """All tables with their columns, in words."""
    parts = [_INTRODUCTION, *(_table_text(table) for table in TABLES)]
    return "\n".join(parts)


_INTRODUCTION = f"""\
Tables {VERSION}. A * marks columns that may change within this version.
Types: text; bool; word, one of a list (an enum); f32, real numbers of seven digits; i64, whole
numbers. _minor is in minor units of the currency (cents), _bits in bits, p_ a chance.
Empty is what is not known. What is infinite is infinite: bits of what a read ruled out.
"""


def _table_text(table: str) -> str:
    rows = [
        (f"{column.name}{'' if column.stable else '*'}", type_name(column), _meaning(column))
        for column in COLUMNS[table]
    ]
    names, kinds = (max(len(row[place]) for row in rows) for place in (0, 1))
    lines = (f"  {name:<{names}}  {kind:<{kinds}}  {text}\n" for name, kind, text in rows)
    return f"{table}: a row for {ROWS_OF[table]}\n{''.join(lines)}"


def _meaning(column: Column[Any]) -> str:
    """What a column says; of words all of them."""
    words = "" if isinstance(column.kind, str) else f": {' '.join(column.kind)}"
    return column.meaning + words


def type_name(column: Column[Any]) -> str:
    """What the cells of a column are."""
    return TYPES[column.kind] if isinstance(column.kind, str) else "word"


def column_records() -> Iterator[dict[str, Any]]:
    """The same for programs: an object a column."""
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
