"""Frozen values with some fields changed, for the tables of the engine.

A replay makes some hundred and fifty of them a hand. ``dataclasses.replace`` looks every field up
by its name and sets it through the guard of the frozen class, which takes many times as long.
"""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def changed(value: T, **changes: Any) -> T:
    """A dataclass without slots and ``__post_init__``, other fields in place of some.

    ``KeyError`` for a field that it does not have.
    """
    cells = value.__dict__
    for name in changes:
        cells[name]
    made: T = object.__new__(type(value))
    made.__dict__.update(cells)
    made.__dict__.update(changes)
    return made
