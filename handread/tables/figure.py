"""Figures: columns of frames and tables, and fields of JSON objects with a schema.

Names give the unit: ``_minor`` is minor units of the currency (cents), ``_bits`` is bits, and the
prefix ``p_`` marks a probability. None means unknown. Infinite values stay infinite in columns: the
bits of a read that ruled out the truth are -inf. In JSON they are null, and money is an exact
number of the game's main unit.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from handread.game.rules import Unit

Schema = Mapping[str, Any]
ToJson = Callable[[Any, Unit], Any]
"""Turns a value into one of JSON, given the unit of amounts."""


def _same(value: Any, _: Unit) -> Any:
    return value


def finite(value: float | None, _: Unit | None = None) -> float | None:
    """Return bits, None for infinite ones."""
    return value if value is not None and math.isfinite(value) else None


def in_main_unit(amount: float, unit: Unit) -> float:
    """Return an amount of minor units in the main unit; whole ones are short decimals."""
    if not isinstance(amount, int):
        return float(amount / 10**unit.decimals)
    return float(Decimal(amount).scaleb(-unit.decimals)) if unit.decimals else amount


class ValueKind(NamedTuple):
    """The values that a figure can have, in a column and in JSON.

    The ``type`` of a column is "text", "bool", "i16", "i32", "i64", "f32", "time" (without a zone),
    "utc" (a time in UTC), "i16s" (a list of i16) or "word", with its values in order in ``words``.
    """

    type: str
    schema: Schema
    to_json: ToJson = _same
    words: tuple[str, ...] = ()


FRAME, STAGE_FRAME, TABLE = "frame", "frame of stages", "table"
"""The places of a figure's column."""

OF_STAGE, EVERYWHERE = (STAGE_FRAME, TABLE), (FRAME, STAGE_FRAME, TABLE)

Row = TypeVar("Row")

NO_SCHEMA: Schema = {}


class JsonField(NamedTuple):
    """The meaning, name and schema of a figure in JSON, where they differ from the column's."""

    meaning: str = ""
    name: str = ""
    schema: Schema = NO_SCHEMA


SAME = JsonField()


@dataclass(frozen=True, slots=True)
class Figure(Generic[Row]):
    """A figure.

    Attributes:
        name: Name of the column; it gives the unit.
        value: Returns the figure for a row.
        places: Places of its column.
        stable: False if it may change within a version of the tables.
        json: Its field in JSON, named as the column without ``_minor``; None if it has no field.
    """

    name: str
    kind: ValueKind
    meaning: str
    value: Callable[[Row], object]
    places: tuple[str, ...] = (FRAME, TABLE)
    stable: bool = True
    json: JsonField | None = None


def figures_of(part: str = "") -> Callable[..., Figure[Any]]:
    """Return a function that declares figures which are attributes of a part of the row.

    It takes name, kind and meaning as ``Figure`` does, then the path of the attribute; by default
    the name without ``_minor``. A figure is None without a part of its path, and an empty text
    counts as None if it is to be ``filled``.
    """

    def figure(
        name: str, kind: ValueKind, meaning: str, path: str = "", filled: bool = False, **more: Any
    ) -> Figure[Any]:
        whole = f"{part}.{path or name.removesuffix('_minor')}".strip(".").split(".")
        given = _at(whole)
        value = (lambda row: given(row) or None) if filled else given
        return Figure(name, kind, meaning, value, **more)

    return figure


def _at(path: Sequence[str]) -> Callable[[Any], Any]:
    """Return what returns the attribute of a row at a path: once a column, as rows are many."""
    *parts, name = path
    attribute = attrgetter(name)
    if not parts:
        return attribute
    part_at = _at(parts)

    def value(row: Any) -> Any:
        part = part_at(row)
        return None if part is None else attribute(part)

    return value


def columns_in(place: str, figures: Iterable[Figure[Row]]) -> tuple[Figure[Row], ...]:
    """Return the figures with a column in a place."""
    return tuple(figure for figure in figures if place in figure.places)


def json_figures(figures: Iterable[Figure[Row]]) -> dict[str, Figure[Row]]:
    """Return the figures that stand in JSON, by their names there."""
    fields = ((figure.json, figure) for figure in figures)
    return {j.name or f.name.removesuffix("_minor"): f for j, f in fields if j is not None}


def json_schemas(figures: Iterable[Figure[Any]]) -> dict[str, Schema]:
    """Return the JSON Schema of each figure that stands in JSON, by its name there."""
    return {
        name: {
            **((figure.json and figure.json.schema) or figure.kind.schema),
            "description": (figure.json and figure.json.meaning) or figure.meaning,
        }
        for name, figure in json_figures(figures).items()
    }


def json_values(figures: Iterable[Figure[Row]], row: Row, unit: Unit) -> dict[str, Any]:
    """Return the figures of a row that stand in JSON, by their names there."""
    named = json_figures(figures).items()
    return {name: figure.kind.to_json(figure.value(row), unit) for name, figure in named}
