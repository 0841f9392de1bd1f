"""Values as JSON, and back by their types.

Files that others can write are read so: unlike pickle, it makes only values of the types that the
reader names, and runs no code of the file. Floats keep every bit, infinite ones and NaN too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from handread.cards import DECK_SIZE, Card
from handread.parallel import RunError, damaged

T = TypeVar("T")

_SIMPLE = (bool, int, float, str, NoneType)


def plain(value: Any) -> Any:
    """Return a value as JSON values; ``restored`` is the inverse."""
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return [[plain(key), plain(one)] for key, one in value.items()]
    if isinstance(value, list | tuple):
        return list(map(plain, value))
    if isinstance(value, np.ndarray):
        return [list(value.shape), value.ravel().tolist()]
    if isinstance(value, np.generic):
        return value.item()
    return value.hex() if isinstance(value, bytes) else value


def restored(kind: type[T], value: Any) -> T:
    """Return the value of a type that ``plain`` made JSON values of.

    Types are dataclasses, named tuples, ``Mapping``, ``dict``, ``list``, ``Sequence`` and tuples,
    arrays, ``X | Y``, ``Card``, enumerations of texts, bytes, texts, numbers, truth values and
    None. Of ``X | Y``, X is tried first.

    Raises:
        ValueError: It holds no such value.
    """
    try:
        found: T = _restored(kind, value)
    except (TypeError, KeyError, OverflowError) as error:
        raise ValueError(f"no {kind}: {error}") from None
    return found


def write_typed(value: Any, file: Path) -> None:
    """Write a value that ``read_typed`` reads."""
    file.write_text(json.dumps(plain(value), separators=(",", ":")), encoding="utf-8")


def read_typed(kind: type[T], file: Path) -> T:
    """Return the value of a type in a part of a run.

    Raises:
        RunError: The part is damaged.
    """
    try:
        return restored(kind, json.loads(file.read_bytes()))
    except (ValueError, RecursionError):
        raise RunError(damaged(file)) from None


def read_array(file: Path, name: str) -> npt.NDArray[Any]:
    """Return an array of a part of a run that is an archive of numpy.

    Raises:
        RunError: The part is damaged.
    """
    try:
        with np.load(file, allow_pickle=False) as arrays:
            found: npt.NDArray[Any] = arrays[name]
    except Exception:  # zipfile, zlib and numpy raise errors of many kinds
        raise RunError(damaged(file)) from None
    return found


def _restored(kind: Any, value: Any) -> Any:
    origin, args = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        for one in args:
            with suppress(ValueError):
                return restored(one, value)
        raise ValueError(f"no {kind}")
    if issubclass(origin, _SIMPLE):
        return _simple(origin, value)
    if origin is bytes:
        return bytes.fromhex(value)
    if is_dataclass(origin):
        hints = _hints(kind)
        return kind(**dict(zip(hints, _each(hints.values(), _values(hints, value)), strict=True)))
    if type(value) is not list:
        raise ValueError(f"no {kind}")
    if origin is np.ndarray:
        return np.array(value[1], dtype=get_args(args[1])[0]).reshape(value[0])
    if origin in (Mapping, dict):
        return dict(_each(args, pair) for pair in value)
    if origin in (list, Sequence):
        return [_restored(args[0], one) for one in value]
    if origin is not tuple:  # a named one
        return kind(*_each(_hints(kind).values(), value))
    return tuple(_each(args[:1] * len(value) if args[1:] == (...,) else args, value))


def _simple(kind: Any, value: Any) -> Any:
    """Return a text, number, truth value, None, card, or member of an enumeration of texts."""
    base = next(one for one in _SIMPLE if issubclass(kind, one))
    if type(value) is not base and not (base is float and type(value) is int):
        raise ValueError(f"no {kind}")
    if kind is Card and value not in range(DECK_SIZE):
        raise ValueError("no card")
    return value if kind is base else kind(value)


def _each(kinds: Any, values: Any) -> list[Any]:
    """Return values, each of its own type."""
    return [_restored(kind, value) for kind, value in zip(kinds, values, strict=True)]


def _values(hints: Mapping[str, Any], found: Any) -> list[Any]:
    """Return the values of the fields, in their order."""
    if type(found) is not dict or found.keys() != hints.keys():
        raise ValueError("other fields")
    return [found[name] for name in hints]


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass or a named tuple, by name."""
    hints = get_type_hints(kind)
    names = [one.name for one in fields(kind)] if is_dataclass(kind) else kind._fields
    return {name: hints[name] for name in names}
