"""From the columns of a Parquet file back to histories."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Any, TypeVar

import polars as pl

from handread.columnar.layout import CARDS, EMPTY, KINDS
from handread.history import Event, History, Muck, Problem, Seat, SharedCard, Show, Source
from handread.stud import VARIANTS, Stakes, Unit

DIALECT = "parquet"
"""What the hands of a Parquet file name as their dialect."""

_T = TypeVar("_T")

_Rows = tuple[tuple[Any, ...], ...] | None
"""The cells of each struct of a list; ``None`` where there is no list."""

_PLACES = {column: place for place, column in enumerate(EMPTY)}
_KIND_OF_NAME = {kind.name: kind for kind in KINDS}


def unpack(frame: pl.DataFrame, file: str, first_row: int) -> Iterator[History | Problem]:
    """The hands of a table of the columns of ``layout.SCHEMA``, in order.

    ``first_row`` is the row of the file, from 1, that the table begins with. A row that cannot
    be a hand comes back as its problem.
    """
    # All that polars may stumble over happens here, before the first hand is asked for.
    plain = frame.drop("seats", "events").to_dicts()
    seats, events = _lists(frame["seats"]), _lists(frame["events"])
    sources = (Source(file, row, DIALECT) for row in count(first_row))
    return map(_reading, sources, plain, seats, events)


def _reading(
    source: Source, hand: dict[str, Any], seats: _Rows, events: _Rows
) -> History | Problem:
    try:
        return _history(source, hand, seats, events)
    except ValueError as error:
        message = f"row {source.line} is no hand: {error}"
        expected = "a row as handread writes it"
        return Problem(source.file, source.line, 1, message, expected, dialect=DIALECT)


def _history(source: Source, hand: dict[str, Any], seats: _Rows, events: _Rows) -> History:
    for column in ("hand_id", "variant", "table", "played_at", "decimals", "currency"):
        if hand[column] is None:
            raise ValueError(f"there is no value in {column}")
    if seats is None or events is None:
        raise ValueError(f"there are no {'seats' if seats is None else 'events'}")
    if hand["variant"] not in VARIANTS:
        raise ValueError(f"{hand['variant']!r} is no game that handread knows")
    if hand["hero"] == 0:
        raise ValueError("seats count from 1, and 0 is the hero's")
    return History(
        hand_id=hand["hand_id"],
        source=source,
        variant=hand["variant"],
        unit=Unit(hand["decimals"], hand["currency"]),
        stakes=_stakes(hand["stakes"]),
        seats=tuple(_seat(*cells) for cells in seats),
        events=tuple(_event(*cells) for cells in events),
        hero=hand["hero"],
        table=hand["table"],
        played_at=hand["played_at"],
        end_line=source.line,
    )


def _stakes(cells: dict[str, Any] | None) -> Stakes | None:
    if cells is None:
        return None
    known = [cells[key] for key in cells if key != "cap_heads_up"]
    if None in known or None in cells["bets"]:
        raise ValueError("its stakes are not all there")
    return Stakes(**{**cells, "bets": tuple(cells["bets"])})


def _seat(number: int | None, name: str | None, stack: int | None, out: bool | None) -> Seat:
    if not number:
        raise ValueError("seats count from 1, and one has no number")
    if name is None or out is None:
        raise ValueError(f"seat {number} is not whole")
    return Seat(number, name, stack, out)


# Hands of one table repeat most of their events, and those carry no line: they are made once.
@lru_cache(maxsize=1 << 12)
def _event(name: str | None, *cells: Any) -> Event:
    """The event of a row of cells, as ``packing`` lays them out."""
    kind = _KIND_OF_NAME.get(name or "")
    if kind is None:
        raise ValueError("an event is of no kind")
    given: dict[str, Any] = dict(kind.fixed)
    down, up = (cells[_PLACES[column]] for column in ("down", "up"))
    if kind.event in (Show, Muck) and down:
        if (len(down), len(up)) != (3, 4):
            raise ValueError(f"an event of the kind {name!r} has {len(down)} cards in any order")
        given["any_order"] = True
        cells = tuple(
            {"down": (), "up": (*down[:2], *up, down[2])}.get(column, cell)
            for column, cell in zip(EMPTY, cells, strict=True)
        )
    for (column, empty), attribute, cell in zip(EMPTY.items(), kind.attributes, cells, strict=True):
        if attribute is None:
            if cell != empty:
                raise ValueError(f"an event has both the kind {name!r} and {column!r}")
        elif cell is None and attribute in kind.needed:
            raise ValueError(f"an event of the kind {name!r} has no {column!r}")
        else:
            given[attribute] = cell
    if given.get("seat") == 0:
        raise ValueError(f"seats count from 1, and an event of the kind {name!r} is of seat 0")
    if kind.event is SharedCard:
        if len(given["card"]) != 1:
            raise ValueError(f"{len(given['card'])} shared cards instead of one")
        given["card"] = given["card"][0]
    return kind.event(**given)


# Columns


def _lists(column: pl.Series) -> list[_Rows]:
    """The rows of cells of every list in a column of lists of structs."""
    parts = [_cells(part) for part in _flat(column).struct.unnest()]
    return _cut(tuple(zip(*parts, strict=True)), column)


def _cells(column: pl.Series) -> list[Any]:
    """The values of a column; of one with cards, tuples of their numbers."""
    if column.dtype == pl.List(CARDS):
        return _cut(tuple(_flat(column).to_physical().to_list()), column)
    return column.to_list()


def _flat(column: pl.Series) -> pl.Series:
    """The values of all lists of a column one after the other."""
    return column.filter(column.list.len() > 0).explode()


def _cut(values: tuple[_T, ...], column: pl.Series) -> list[tuple[_T, ...] | None]:
    """Values laid end to end in pieces as long as the lists of a column; ``None`` for a null."""
    pieces: list[tuple[_T, ...] | None] = []
    start = 0
    for length in column.list.len().to_list():
        pieces.append(None if length is None else values[start : start + length])
        start += length or 0
    return pieces
