"""Values as bytes (MessagePack), and back by their types.

This is for files that others can write: unlike pickle, it makes only values of the types that the
reader names, and runs no code of the file. Floats keep every bit, infinite ones and NaN, too.
"""

from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from handread.cards import DECK_SIZE, Card
from handread.parallel import RunError, damaged

T = TypeVar("T")


def packed(value: Any) -> bytes:
    """Return a value as bytes for ``unpacked``.

    Characters that no file can hold, such as in a damaged file name, are escaped.
    """
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(value, builtin_types=(bytes,), enc_hook=_plain)
        return _ENCODER.encode(_escaped(plain))


def unpacked(kind: type[T], data: bytes | memoryview) -> T:
    """Return the value of a type from the bytes of ``packed``; raise ``ValueError`` for others.

    Types are dataclasses, named tuples, the usual containers, arrays, ``Card``, enumerations of
    texts, bytes, the simple types, and unions of different ones.
    """
    shape: Any = kind
    try:
        value: T = _decoder(shape).decode(data)
    except (msgspec.MsgspecError, TypeError, IndexError, OverflowError, RecursionError) as error:
        raise ValueError(f"no {kind}: {error}") from None
    return value


def write_typed(value: Any, file: Path) -> None:
    """Write a value that ``read_typed`` reads."""
    file.write_bytes(packed(value))


def read_typed(kind: type[T], file: Path) -> T:
    """Return the value of a type in a part of a run; raise ``RunError`` if it is damaged."""
    try:
        return unpacked(kind, file.read_bytes())
    except ValueError:
        raise RunError(damaged(file)) from None


def read_array(file: Path, name: str) -> npt.NDArray[Any]:
    """Return an array of a NumPy archive; errors as in ``read_typed``."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            array: npt.NDArray[Any] = arrays[name]
    except Exception:  # zipfile, zlib and numpy raise errors of many kinds
        raise RunError(damaged(file)) from None
    return array


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return int(value)
    if isinstance(value, np.ndarray):
        return [list(value.shape), value.ravel().tolist()]
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be kept")


def _restored(kind: Any, value: Any) -> Any:
    if kind is Card:
        if type(value) is not int or value not in range(DECK_SIZE):
            raise ValueError(f"{value!r} is not a card")
        return Card(value)
    shape, numbers = value
    return np.array(numbers, dtype=get_args(get_args(kind)[1])[0]).reshape(shape)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_escaped(key): _escaped(item) for key, item in value.items()}
    return list(map(_escaped, value)) if isinstance(value, list) else value


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_plain)


@cache
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind, dec_hook=_restored)
