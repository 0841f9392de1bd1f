"""The page of the tables of ``handread score``, from their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docs.site.reference.markdown import code, link, page, prose, sentence, table, with_code
from handread.report.queries import ROWS_OF
from handread.tables import ALL_TABLES, VERSION
from handread.tables.columns import COLUMNS, unit_of
from handread.tables.figure import Figure


def tables_page() -> str:
    """Return the page of the tables."""
    return page(
        "tables.md",
        version=VERSION,
        contents=[
            f"{link(name, shown=code(name))}: a row for {_rows_of(name)}" for name in ALL_TABLES
        ],
        sections=(part for name in ALL_TABLES for part in _table(name)),
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
    unit = [unit_of(column).removesuffix(" of the currency")] if unit_of(column) else []
    facts = [column.kind.type, *unit, *(() if column.stable else ("*provisional*",))]
    return f"{code(column.name)}<br>{', '.join(facts)}", meaning
