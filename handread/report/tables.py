"""Tables of figures as text and JSON, and text laid out to the width of a terminal."""

import math
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from rich.cells import cell_len

from handread.report.layout import broken
from handread.report.words import visible
from handread.study.statistics import Estimate, FigureTable, Key

Rows = list[list[str]]

LEAST_WIDTH = 80
"""Width of text that is not printed to a terminal, and the minimum width on a terminal."""

PROSE_WIDTH = 100
"""Maximum width of prose: longer lines are hard to read, however wide the terminal is."""

LEAST_PROSE = 24
"""Minimum width of a table column whose prose is wrapped."""

LEAST_LABEL = 12

NO_VALUE = ("", "-")

_GAP = "  "
_SINGLE_BLANK = re.compile("(?<! ) (?! )")
_FIXED_BLANK = "\ue000"


def output_width() -> int:
    """Return the width of the terminal on stdout or ``COLUMNS``, at least 80; 80 without both."""
    return max(shutil.get_terminal_size((LEAST_WIDTH, 0)).columns, LEAST_WIDTH)


def as_prose(*paragraphs: str, hang: str = "", width: int | None = None) -> str:
    """Return paragraphs rewrapped between words; lines after the first are indented by ``hang``."""
    room = width or min(output_width(), PROSE_WIDTH)
    text = ""
    for paragraph in paragraphs:
        line = paragraph.strip("\n").replace("\n", " ")
        first = _broken(line, room)[0]
        rest = line[len(first) :].removeprefix(" ")
        others = _broken(rest, room - cell_len(hang)) if rest else []
        text += "".join(f"{each}\n" for each in (first, *(hang + other for other in others)))
    return text


def as_text(
    rows: Rows, indent: str = "", left: Collection[int] = (0,), width: int | None = None
) -> str:
    """Return a table whose first row has the heads; columns in ``left`` are left-aligned.

    If a table is too wide, its heads are wrapped between words, then a last column in ``left``. A
    table that is still too wide is split into several, each with the first column. A column without
    a head stays with the one before it. Nothing is omitted.
    """
    room = (width or output_width()) - cell_len(indent)
    tables = []
    for columns in _stacked(rows, room, left):
        widths = _fitting(rows, columns, room, left) or _least(rows, columns, room, left)
        lines = (line for row in rows for line in _row_lines(row, widths, left))
        tables.append("".join(f"{indent}{line}".rstrip() + "\n" for line in lines))
    return "\n".join(tables)


Widths = dict[int, int]


def _stacked(rows: Rows, room: int, left: Collection[int]) -> Iterator[list[int]]:
    """Yield the columns of each table into which one is split; all at once if they fit."""
    table = [0]
    for group in _groups(rows[0]):
        together = _fitting(rows, [0, *group], room, left) is not None
        for part in [group] if together else [[column] for column in group]:
            if len(table) > 1 and _fitting(rows, [*table, *part], room, left) is None:
                yield table
                table = [0]
            table += part
    yield table


def _groups(heads: Sequence[str]) -> list[list[int]]:
    """Return the columns after the first, grouping those without a head with the one before."""
    groups: list[list[int]] = []
    for column, head in enumerate(heads[1:], start=1):
        if head or not groups:
            groups.append([])
        groups[-1].append(column)
    return groups


def _natural(rows: Rows, columns: Iterable[int]) -> Widths:
    return {column: max(cell_len(row[column]) for row in rows) for column in columns}


def _total(widths: Widths) -> int:
    return sum(widths.values()) + len(_GAP) * (len(widths) - 1)


def _fitting(rows: Rows, columns: Sequence[int], room: int, left: Collection[int]) -> Widths | None:
    """Return widths at which columns fit, with heads and prose wrapped between words."""
    widths = _natural(rows, columns)
    last, over = columns[-1], _total(widths) - room
    if over > 0 and last in left and last and widths[last] - over >= LEAST_PROSE:
        return {**widths, last: widths[last] - over}
    body = _natural(rows[1:], columns) if rows[1:] else widths
    words = {c: _SINGLE_BLANK.split(rows[0][c]) for c in columns}
    narrow = {c: max(body[c], *map(cell_len, words[c])) for c in columns}
    for column in sorted(columns, key=lambda c: narrow[c] - widths[c]):
        if _total(widths) > room:
            widths[column] = narrow[column]
    if _total(widths) > room and 0 in left and len(columns) > 1:
        widths[0] = min(widths[0], max(room // 2, LEAST_LABEL))
    return widths if _total(widths) <= room else None


def _least(rows: Rows, columns: Sequence[int], room: int, left: Collection[int]) -> Widths:
    """Return the widths of columns that do not fit: text is wrapped anywhere, numbers never."""
    widths = _natural(rows, columns)
    for column in (columns[0], columns[-1]):
        over = _total(widths) - room
        if over > 0 and column in left:
            widths[column] = max(min(widths[column], LEAST_LABEL), widths[column] - over)
    return widths


def _row_lines(row: Sequence[str], widths: Widths, left: Collection[int]) -> Iterator[str]:
    cells = {column: _broken(row[column], width) for column, width in widths.items()}
    for n in range(max(map(len, cells.values()))):
        line = []
        for column, width in widths.items():
            text = cells[column][n] if n < len(cells[column]) else ""
            blanks = " " * (width - cell_len(text))
            line.append(text + blanks if column in left else blanks + text)
        yield _GAP.join(line).rstrip()


def _broken(text: str, width: int) -> list[str]:
    """Return the lines of a text, wrapped at single spaces; longer words are broken anywhere."""
    # Runs of several spaces are kept together, so that their number can be seen.
    if cell_len(text) <= width:
        return [text]
    fixed = re.sub(" {2,}", lambda blanks: _FIXED_BLANK * len(blanks[0]), text)
    lines = (line for _, line in broken(fixed, width, strips=True))
    return [line.replace(_FIXED_BLANK, " ").rstrip() for line in lines]


def hands_words(n: int) -> str:
    """Return a number of hands in words."""
    return "1 hand" if n == 1 else f"{n:,} hands"


def n_games(n: int) -> str:
    """Return a number of games in words."""
    return "1 game" if n == 1 else f"{n:,} games"


def number(value: float, digits: int, scale: float = 1.0, sign: str = "", unit: str = "") -> str:
    """Return a number as text: ``+0.16``; a dash for None."""
    # Digits that the order of a sum changes are rounded off first: halves go to the even digit.
    return f"{round(scale * value, 9):{sign}.{digits}f}{unit}" if math.isfinite(value) else "-"


def with_error(
    estimate: Estimate, digits: int = 3, scale: float = 1.0, sign: str = "", unit: str = ""
) -> str:
    """Return a mean and its standard error: ``1.188 ±.004``; a dash if there is no mean."""
    mean = number(estimate.mean, digits, scale, sign)
    if mean == "-" or not math.isfinite(estimate.error):
        return mean if mean == "-" else mean + unit
    return f"{mean} ±{scale * estimate.error:.{digits}f}{unit}".replace("±0.", "±.")


def with_interval(
    estimate: Estimate, digits: int, scale: float = 1.0, sign: str = "", unit: str = ""
) -> tuple[str, str]:
    """Return a mean and its interval in two cells: ``+0.16``, ``(+0.02 to +0.29)``."""
    mean = number(estimate.mean, digits, scale, f"{sign}z", unit)
    if not math.isfinite(estimate.low):
        return mean, ""
    low, high = (number(x, digits, scale, f"{sign}z") for x in (estimate.low, estimate.high))
    return mean, f"({low} to {high})"


def count(n: int) -> str:
    """Return a count; a dash for zero."""
    return f"{n:,}" if n else "-"


def with_n(estimate: Estimate, digits: int, sign: str = "") -> tuple[str, str, str]:
    """Return the number of values, their mean and its interval, in three cells."""
    return count(estimate.n), *with_interval(estimate, digits, sign=sign)


class FigureColumn(NamedTuple):
    """Columns of a text table; ``stage`` and ``group`` apply where the rows do not select them."""

    heads: tuple[str, ...]
    figure: str
    cells: Callable[[Estimate], str | tuple[str, ...]]
    stage: str = ""
    group: str = ""


def by_stage(
    table: FigureTable, group: str = "", about: str = "", indent: str = ""
) -> list[tuple[str, Key]]:
    """Return the rows of a table of stages: their labels, and the places of their figures."""
    return [(f"{indent}{stage}", Key("", stage, group, about)) for stage in table.stages]


def figures_text(
    table: FigureTable,
    places: Iterable[tuple[str, Key]],
    columns: Sequence[FigureColumn],
    title: str = "",
    gaps: bool = True,
) -> str:
    """Return figures as a text table, empty without rows; the arguments are ``figure_rows``'s."""
    rows = figure_rows(table, places, columns, title, gaps)
    return as_text(rows) if len(rows) > 1 else ""


def figure_rows(
    table: FigureTable,
    places: Iterable[tuple[str, Key]],
    columns: Sequence[FigureColumn],
    title: str = "",
    gaps: bool = True,
) -> Rows:
    """Return figures as the cells of a table, the heads first.

    ``places`` are the rows: their labels under the head ``title``, and the stage, group and part of
    their figures. With ``gaps``, rows without values in the first column are shown as well.
    """
    rows = [[title, *(head for column in columns for head in column.heads)]]
    for label, place in places:
        estimates = [
            table.at(each.figure, place.stage or each.stage, place.group or each.group, place.about)
            for each in columns
        ]
        if gaps or estimates[0].n:
            row = [label]
            for column, estimate in zip(columns, estimates, strict=True):
                cells = column.cells(estimate)
                row += (cells,) if isinstance(cells, str) else cells
            rows.append(row)
    return _without_empty(rows)


def stages_text(
    table: FigureTable, columns: Sequence[FigureColumn], group: str = "", about: str = ""
) -> str:
    """Return figures with a row for each stage that has values; empty without any."""
    return figures_text(table, by_stage(table, group, about, indent="  "), columns, gaps=False)


def _without_empty(rows: Rows) -> Rows:
    """Return a table without empty columns, but with the first two."""
    kept = [
        column
        for column in range(len(rows[0]))
        if column < 2 or any(row[column] not in NO_VALUE for row in rows[1:])
    ]
    return [[row[column] for column in kept] for row in rows]


def n_cell(estimate: Estimate) -> str:
    """Return the number of values."""
    return f"{estimate.n:,}"


def share_cells(estimate: Estimate) -> tuple[str, str]:
    """Return a share in percent and its interval, in two cells."""
    return with_interval(estimate, 0, 100.0, unit="%")


def infinite_cell(estimate: Estimate) -> str:
    """Return the number of infinite values; a dash for zero."""
    return count(estimate.infinite)


def mean_cell(
    estimate: Estimate, digits: int, scale: float = 1.0, sign: str = "", unit: str = ""
) -> str:
    """Return a mean alone; a dash without values."""
    return number(estimate.mean, digits, scale, sign, unit)


def reliability_text(table: FigureTable, kind: str, error: bool) -> str:
    """Return a reliability table with one row per bin, and standard errors or intervals."""
    heads, show = (("happened %",), with_error) if error else (("happened %", ""), with_interval)
    columns = (
        FigureColumn(("events",), "chance", n_cell),
        FigureColumn(("chance %",), "chance", partial(mean_cell, digits=1, scale=100.0)),
        FigureColumn(heads, "came_true", partial(show, digits=1, scale=100.0)),
    )
    places = [(f"  {group}", Key("", "", group, kind)) for group in table.groups(kind)]
    return figures_text(table, places, columns, kind)


def interval_object(estimate: Estimate) -> dict[str, float | None]:
    """Return a mean and its interval as JSON values."""
    numbers = {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
    return {name: value if math.isfinite(value) else None for name, value in numbers.items()}


def interval_objects(
    table: FigureTable, figures: Mapping[str, str], place: Key
) -> dict[str, dict[str, float | None]]:
    """Return figures of a place with their intervals, by the names that they have in JSON."""
    return {
        name: interval_object(table.at(figure, place.stage, place.group, place.about))
        for name, figure in figures.items()
    }


def counted_objects(table: FigureTable, figures: Mapping[str, str], place: Key) -> dict[str, Any]:
    """Return ``interval_objects``, and the counts of the last figure."""
    last = table.at(list(figures.values())[-1], place.stage, place.group, place.about)
    counts = {"n": last.n, "ruled_out": last.infinite}
    return {**counts, **interval_objects(table, figures, place)}


# Rows of any columns


def as_columns(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows under the names of their columns, with numbers right-aligned."""
    cells = list(rows)
    texts = [[visible(name) for name in names], *([_text(cell) for cell in row] for row in cells)]
    numbers = {n for n in range(len(names)) if _is_number(row[n] for row in cells)}
    return as_text(texts, left=set(range(len(names))) - numbers)


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
    """Return a row for JSON: infinite values are null, and ``infinite`` has their signs."""
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
