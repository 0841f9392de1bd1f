"""Text with styles, laid out in lines and tables for a terminal or a file.

Lines come out as from rich, but in one pass: rich measures and renders each cell of a table by
itself, which takes most of the time to show a hand.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from rich.text import Text

Styles = tuple[str | Style, ...]
"""Styles; later ones overrule earlier ones."""

Line = list[tuple[str, Styles]]
"""A line in pieces, each with its styles."""

Cell = str | Text | tuple[Text, ...]
"""The content of a cell; several texts stand one below the other."""

_WORD = re.compile(r"\s*\S+\s*")


@dataclass
class Column:
    """A column of a table; ``least`` and ``most`` bound its width.

    Text is cut unless it ``wraps``. A column that ``fills`` takes the width that the others leave
    in a table of fixed width.
    """

    head: str
    right: bool = False
    wraps: bool = True
    least: int = 0
    most: int | None = None
    fills: bool = False

    def bounded(self, width: int, gap: int) -> int:
        """Return a width, a gap included, within the bounds."""
        most = width if self.most is None else min(width, self.most + gap)
        return max(most, self.least + gap) if self.least else most


@dataclass
class TextTable:
    """A table without lines, with ``gap`` blanks between cells; ``width`` None fits the cells."""

    columns: list[Column]
    gap: int = 2
    width: int | None = None
    has_heads: bool = True
    rows: list[tuple[str, Sequence[Cell]]] = field(default_factory=list)

    def add_row(self, *cells: Cell, style: str = "") -> None:
        """Add a row below the others."""
        self.rows.append((style, cells))

    def lines(self, room: int) -> Iterator[Line]:
        """Yield the lines of the table; text wider than the room is cut."""
        rows = self.rows
        if self.has_heads:
            rows = [("dim", [column.head for column in self.columns]), *rows]
        gaps = [self.gap] * (len(self.columns) - 1) + [0]
        widths = self._widths([cells for _, cells in rows], gaps, room)
        for n, (style, cells) in enumerate(rows):
            stacks = [
                list(_cell_lines(cell, column, width, gap, style))
                for cell, column, width, gap in zip(cells, self.columns, widths, gaps, strict=True)
            ]
            height = max(1, *map(len, stacks))
            for lines, width in zip(stacks, widths, strict=True):
                blank: list[Line] = [[(" " * width, (style,))]] * (height - len(lines))
                # Heads stand at the foot of their row, cells at its top.
                lines[:] = blank + lines if self.has_heads and not n else lines + blank
            for parts in zip(*stacks, strict=True):
                line = [piece for part in parts for piece in part]
                yield _cut(line, room) if sum(widths) > room else line

    def _widths(self, rows: Sequence[Sequence[Cell]], gaps: Sequence[int], room: int) -> list[int]:
        """Return the widths of the columns, gaps included; those that wrap give way first."""
        room = room if self.width is None else self.width
        natural = [max(map(_width, cells)) for cells in zip(*rows, strict=True)]
        natural = [width + gap for width, gap in zip(natural, gaps, strict=True)]
        every = list(zip(self.columns, natural, gaps, strict=True))
        widths = [column.bounded(min(width, room), gap) or 1 for column, width, gap in every]
        for i, column in enumerate(self.columns):
            if column.fills and self.width is not None:
                widths[i] = max(1 + gaps[i], room - sum(widths[:i] + widths[i + 1 :]))
        if sum(widths) <= room:
            return widths
        _level(widths, [i for i, column in enumerate(self.columns) if column.wraps], room)
        _reduce(widths, [i for i, width in enumerate(widths) if width], sum(widths) - room, room)
        return [
            column.bounded(min(width, given), gap) if given else 0
            for (column, width, gap), given in zip(every, widths, strict=True)
        ]


def _level(widths: list[int], wrapping: Sequence[int], room: int) -> None:
    """Narrow the widest of the columns that wrap to the next in width, until all have room."""
    while sum(widths) > room and any(widths[i] for i in wrapping):
        most = max(widths[i] for i in wrapping)
        widest = [i for i in wrapping if widths[i] == most]
        below = max((widths[i] for i in wrapping if widths[i] < most), default=0)
        _reduce(widths, widest, sum(widths) - room, most - below)


def _reduce(widths: list[int], which: Sequence[int], excess: int, most: int) -> None:
    """Take an excess from some columns in equal parts, of each at most ``most``."""
    for left, i in zip(range(len(which), 0, -1), which, strict=True):
        taken = min(most, widths[i], round(excess / left))
        widths[i] -= taken
        excess -= taken


def _width(cell: Cell) -> int:
    if isinstance(cell, tuple):
        return max(map(_width, cell))
    plain = cell if isinstance(cell, str) else cell.plain
    return max(map(cell_len, plain.split("\n"))) if "\n" in plain else cell_len(plain)


def _cell_lines(cell: Cell, column: Column, width: int, gap: int, style: str) -> Iterator[Line]:
    """Yield the lines of a cell, as wide as its column and gap; none if the column has no room."""
    if width <= gap:
        return
    after = [(" " * gap, (style,))] if gap else []
    for text in cell if isinstance(cell, tuple) else (cell,):
        plain = text if isinstance(text, str) else text.plain
        breaks = {"wraps": column.wraps, "folds": False, "strips": column.right}
        for start, line in broken(plain, width - gap, **breaks):
            words = line.rstrip() if column.right else line
            blanks = " " * (width - gap - cell_len(words))
            before, behind = (blanks, "") if column.right else ("", blanks)
            if isinstance(text, str):
                yield [(before + words + behind, (style,)), *after]
            else:
                yield [*_pieces(text, start, words, style, before=before, behind=behind), *after]


def _pieces(
    text: Text, start: int, words: str, style: str = "", before: str = "", behind: str = ""
) -> Iterator[tuple[str, Styles]]:
    """Yield the pieces of a line of text, which begins at ``start``, between blanks."""
    base = style, text.style
    line, least, done = before + words + behind, len(before), 0
    for span in text.spans:
        first = max(span.start - start, 0) + least
        end = min(span.end - start, len(words)) + least
        if first < end:
            if done < first:
                yield line[done:first], base
            yield line[first:end], (*base, span.style)
            done = end
    if done < len(line):
        yield line[done:], base


def broken(
    text: str, width: int, wraps: bool = True, folds: bool = True, strips: bool = False
) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with the place of each, broken between words.

    A word wider than a line is broken anywhere if ``folds``, else cut. Blanks at the end of a line
    go if it ``strips``, else only where they have no room.
    """
    if "\n" not in text and cell_len(text) <= width:
        yield 0, text
        return
    start = 0
    for line in text.split("\n"):
        places = _break_places(line, width, folds) if wraps else []
        for first, end in pairwise((0, *places, len(line))):
            part = line[first:end]
            if strips:
                part = part.rstrip()
            elif wraps:
                part = part[: max(width, len(part.rstrip()))]
            if cell_len(part) > width:
                part = set_cell_size(part, width) if folds else set_cell_size(part, width - 1) + "…"
            yield start + first, part
        start += len(line) + 1


def _break_places(line: str, width: int, folds: bool) -> Iterator[int]:
    """Yield the places in a line where others begin."""
    used = 0
    for word in _WORD.finditer(line):
        start, room = word.start(), cell_len(word[0].rstrip())
        if room <= width - used:
            used += cell_len(word[0])
            continue
        for part in chop_cells(word[0], width) if folds and room > width else [word[0]]:
            if start:
                yield start
            used = cell_len(part)
            start += len(part)


def _cut(line: Line, room: int) -> Line:
    kept: Line = []
    for piece, styles in line:
        if cell_len(piece) >= room:
            return [*kept, (set_cell_size(piece, room), styles)]
        kept.append((piece, styles))
        room -= cell_len(piece)
    return kept


INDENT = 2
"""The blanks before an indented part."""


class Indented(NamedTuple):
    """A text or table that is indented."""

    part: Text | TextTable


Part = Text | TextTable | Indented


def ruled(title: str, width: int) -> Text:
    """Return a title in a line that is filled up to a width."""
    words = title if cell_len(title) <= width - 2 else set_cell_size(title, width - 3) + "…"
    rest = "=" * (width - cell_len(words) - 1)
    return Text().append(words, style="bold").append(" ").append(rest, style="bright_green")


def rendered(parts: Iterable[Part], console: Console) -> str:
    """Return parts, one below the other, as the console shows them."""
    colours = ColorSystem.STANDARD if console.color_system else None
    lines = []
    for each in parts:
        part, by = (each.part, INDENT) if isinstance(each, Indented) else (each, 0)
        room = console.width - by
        for line in part.lines(room) if isinstance(part, TextTable) else _text_lines(part, room):
            text = "".join(
                _style(styles, console.no_color).render(piece, color_system=colours)
                for piece, styles in line
            )
            lines.append(f"{' ' * by}{text}".rstrip(" ") + "\n")
    return "".join(lines)


def _text_lines(text: Text, room: int) -> Iterator[Line]:
    for start, words in broken(text.plain, room):
        yield list(_pieces(text, start, words))


@cache
def _style(styles: Styles, no_color: bool) -> Style:
    style = Style.combine(Style.parse(part) if isinstance(part, str) else part for part in styles)
    return style.without_color if no_color else style
