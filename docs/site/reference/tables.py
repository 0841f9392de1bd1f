"""The page of the tables of ``handread score``, from their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docs.site.reference.markdown import (
    bullets,
    code,
    link,
    page,
    prose,
    sentence,
    table,
    with_code,
)
from handread.report.queries import ROWS_OF
from handread.tables import (
    ACTIONS,
    ALL_TABLES,
    DECISIONS,
    HANDS,
    LEDGERS,
    PIECES,
    REJECTS,
    STAGE_TABLE,
    VERSION,
)
from handread.tables.columns import COLUMNS
from handread.tables.figure import Figure

INTRODUCTION = f"""\
The tables that [`handread score`](commands.md#handread-score) writes, and that `handread.tabulate`
returns, with all of their columns. Their version is `{VERSION}`; [Schemas](../schemas.md) says what
that promises. [Many hands](../many-hands.md) shows how to make and query them.
"""

CONVENTIONS = (
    "`_minor` is an amount in minor units of the currency, such as cents; `decimals` in `hands` "
    "says where the point goes.",
    "`_bits` is information to base 2. A value may be infinite: the bits of a read that ruled out "
    "the truth are -inf.",
    "`p_` is a probability from 0 to 1, `_bb` an amount in big bets.",
    "An empty cell (null) means that the value is not known.",
    "A column marked *provisional* may change within this version.",
)

TYPES = {
    "text": "UTF-8 text (polars `String`)",
    "bool": "true or false (`Boolean`)",
    "i64": "whole number of 64 bits (`Int64`)",
    "f32": "real number of seven digits (`Float32`)",
    "word": "one word of a list (`Enum`); in the order of the list, so that `stage >= '5B'` works",
}

JOINS = (
    (
        f"{code(STAGE_TABLE)}, {code(ACTIONS)}, {code(DECISIONS)} and {code(LEDGERS)} join "
        f"{code(HANDS)} by `file` and `line`."
    ),
    f"{code(DECISIONS)} joins {code(ACTIONS)} by `file`, `line` and `n`.",
    (
        f"{code(ACTIONS)} and {code(LEDGERS)} join {code(STAGE_TABLE)} by `file`, `line` and "
        "`seat`; actions also by `street`."
    ),
    (
        f"A hand in {code(REJECTS)} is in no other table. Its `file` and `line` are the same as "
        "they would be there."
    ),
    (f"{code(PIECES)} lists what has been read. Only `handread score --resume` needs it."),
)

SQL = """\
```sql
select a.name, a.action, h.big_bet_minor, a.surprise_bits
from actions a join hands h on a.file = h.file and a.line = h.line
where a.street = 5 and h.variant = 'stud'
```"""


def tables_page() -> str:
    """Return the page of the tables."""
    return page(
        "Table reference",
        prose(INTRODUCTION),
        bullets(
            f"{link(name, shown=code(name))}: a row for {_rows_of(name)}" for name in ALL_TABLES
        ),
        "## How to read the columns",
        bullets(CONVENTIONS),
        "These are the types:",
        bullets(f"{code(name)}: {words}" for name, words in TYPES.items()),
        "## How the tables join",
        bullets(JOINS),
        "`handread query scores` takes a whole statement as well:",
        SQL,
        *(part for name in ALL_TABLES for part in _table(name)),
    )


def _table(name: str) -> Iterator[str]:
    """Yield the section of a table."""
    columns = COLUMNS[name]
    yield f"## {name}"
    yield prose(f"A row for {_rows_of(name)}. It has {len(columns)} columns.")
    yield table(("column", "meaning"), (_row(column) for column in columns))


def _rows_of(name: str) -> str:
    """Return what a row of a table is, in words."""
    return re.sub(r"\((score .*?)\)", r"(with `\1`)", ROWS_OF[name])


def _row(column: Figure[Any]) -> tuple[str, str]:
    """Return the cells of a column."""
    meaning = with_code(sentence(column.meaning))
    if column.meaning.startswith("as in "):
        other = column.meaning.removeprefix("as in ")
        meaning = f"As in {link(other, shown=code(other))}."
    elif column.kind.words:
        meaning += f" One of {', '.join(map(code, column.kind.words))}."
    facts = [column.kind.type, *_unit(column), *(() if column.stable else ("*provisional*",))]
    return f"{code(column.name)}<br>{', '.join(facts)}", meaning


def _unit(column: Figure[Any]) -> list[str]:
    """Return the unit of a column in words."""
    units = {"_minor": "minor units", "_bits": "bits", "_bb": "big bets"}
    found = [unit for ending, unit in units.items() if column.name.endswith(ending)]
    return ["0 to 1"] if column.name.startswith("p_") else found
