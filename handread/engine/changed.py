"""Frozen values with some fields changed, for the tables of the engine.

A replay makes some hundred and fifty of them a hand. ``dataclasses.replace`` looks every field up
by its name and sets it through the guard of the frozen class, which takes more than twice as long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def changed(value: T, **changes: Any) -> T:
    """A dataclass with slots and without ``__post_init__``, other fields in place of some.

    ``KeyError`` for a field that it does not have.
    """
    kind: Any = type(value)
    get, places, setters = _parts(kind)
    cells = list(get(value))
    for name, cell in changes.items():
        cells[places[name]] = cell
    made: T = object.__new__(kind)
    for set_field, cell in zip(setters, cells, strict=True):
        set_field(made, cell)
    return made


@cache
def _parts(
    kind: type[Any],
) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, int], list[Callable[[Any, Any], None]]]:
    """How to get all fields, the place of each, and how to set each."""
    names = [field.name for field in fields(kind)]
    setters = [getattr(kind, name).__set__ for name in names]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}, setters
