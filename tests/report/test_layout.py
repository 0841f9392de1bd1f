"""Text laid out in lines and tables, held against what rich makes of the same cells."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest
from rich.console import Console, Group
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table as RichTable
from rich.text import Text

from handread.report.layout import Cell, Column, Indented, TextTable, rendered, ruled

WORDS = ("kings", "a pair", "12%", "(40 to 59)", "漢字", "probably\nholds", "x  y", "")
STYLES = ("", "bold", "dim", "red", "bold green")
CONSOLES: dict[str, dict[str, Any]] = {
    "file": {"no_color": True},
    "terminal": {"force_terminal": True, "color_system": "standard"},
    "without colours": {"force_terminal": True, "color_system": "standard", "no_color": True},
}


def some_text(random: Random) -> Text:
    text = Text(random.choice(WORDS), style=random.choice(STYLES))
    for _ in range(random.choice((0, 0, 1, 3, 9))):
        text.append(" ").append(random.choice(WORDS), style=random.choice(STYLES))
    return text


def some_table(random: Random) -> TextTable:
    n = random.randint(1, 6)
    columns = [
        Column(
            random.choice(WORDS),
            right=random.random() < 0.4,
            wraps=random.random() < 0.7,
            least=random.choice((0, 0, 8)),
            most=random.choice((None, None, 10)),
        )
        for _ in range(n)
    ]
    table = TextTable(columns, gap=random.randint(0, 2), has_heads=random.random() < 0.8)
    if random.random() < 0.5:
        table.width = random.randint(10, 90)
        columns[-1].fills = True
    for _ in range(random.randint(1, 4)):
        cells: list[Cell] = [some_text(random) for _ in range(n)]
        cells[0] = random.choice((cells[0], random.choice(WORDS), (Text("two"), Text("texts"))))
        table.add_row(*cells, style=random.choice(("", "", "dim")))
    return table


def by_rich(table: TextTable) -> RichTable:
    made = RichTable(
        box=None,
        pad_edge=False,
        padding=(0, table.gap, 0, 0),
        header_style="dim",
        show_header=table.has_heads,
        width=table.width,
    )
    for column in table.columns:
        made.add_column(
            column.head,
            justify="right" if column.right else "left",
            no_wrap=not column.wraps,
            min_width=column.least or None,
            max_width=column.most,
            ratio=1 if column.fills else None,
        )
    for style, cells in table.rows:
        row = [Group(*cell) if isinstance(cell, tuple) else cell for cell in cells]
        made.add_row(*row, style=style)
    return made


@pytest.mark.parametrize("kind", CONSOLES)
@pytest.mark.parametrize("seed", range(40))
def test_lines_are_those_of_rich(seed: int, kind: str) -> None:
    random = Random(seed)
    table, text, width = some_table(random), some_text(random), random.randint(8, 120)
    page = io.StringIO()
    console = Console(file=page, width=width, highlight=False, emoji=False, **CONSOLES[kind])
    title = "The title of a hand, for a narrow terminal"
    ours = rendered([ruled(title, width), text, table, Indented(text)], console)
    console.print(Rule(Text(title, style="bold"), align="left", characters="="))
    for part in (text, by_rich(table), Padding(text, (0, 0, 0, 2))):
        console.print(part)
    theirs = "".join(line.rstrip(" ") + "\n" for line in page.getvalue().split("\n")[:-1])
    assert ours == theirs
