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

    Types are dataclasses, named tuples, the usual containers, arrays, ``X | Y`` (X is tried
    first), ``Card``, enumerations of texts, bytes, and the simple types of JSON.

    Raises:
        ValueError: It holds no such value.
    """
    try:
        found: T = _restored(kind, value)
    except (TypeError, AttributeError, IndexError, OverflowError) as error:
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
    """Return an array of an archive of numpy; errors are as of ``read_typed``."""
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
    if origin is bytes:
        return bytes.fromhex(value)
    if base := next((one for one in _SIMPLE if issubclass(origin, one)), None):
        right = type(value) is base or (base is float and type(value) is int)
        if not right or (kind is Card and value not in range(DECK_SIZE)):
            raise ValueError(f"no {kind}")
        return value if kind is base else kind(value)
    if is_dataclass(origin):
        hints = _hints(kind)
        if value.keys() != hints.keys():
            raise ValueError(f"other fields than of {kind}")
        return kind(**{name: _restored(hint, value[name]) for name, hint in hints.items()})
    if type(value) is not list:
        raise ValueError(f"no {kind}")
    if origin is np.ndarray:
        return np.array(value[1], dtype=get_args(args[1])[0]).reshape(value[0])
    if origin in (Mapping, dict):
        return dict(_each(args, pair) for pair in value)
    if origin in (list, Sequence):
        return _each(args * len(value), value)
    if origin is not tuple:  # a named one
        return kind(*_each(_hints(kind).values(), value))
    return tuple(_each(args[:1] * len(value) if args[1:] == (...,) else args, value))


def _each(kinds: Any, values: Any) -> list[Any]:
    """Return values, each of its own type."""
    return [_restored(kind, value) for kind, value in zip(kinds, values, strict=True)]


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass or a named tuple, by name."""
    hints = get_type_hints(kind)
    names = [one.name for one in fields(kind)] if is_dataclass(kind) else kind._fields
    return {name: hints[name] for name in names}
