"""What somebody else may put in the place of a file that the program reads back."""

from __future__ import annotations

import io
import marshal
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np


class Bomb:
    """Makes a file as soon as it is unpickled."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.touch, (self._place,)


def bombs(place: Path) -> list[bytes]:
    """Contents that would make a file if they were believed: pickles, and arrays of pickles."""
    arrays = io.BytesIO()
    np.savez(arrays, weight=np.array([Bomb(place)], dtype=object))
    one = io.BytesIO()
    np.save(one, np.array([Bomb(place)], dtype=object))
    return [pickle.dumps(Bomb(place)), arrays.getvalue(), one.getvalue()]


def damages(content: bytes) -> list[bytes]:
    """The content cut off, with a byte changed, and things that are something else."""
    middle = len(content) // 2
    changed = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    return [b"", content[:middle], changed, content + b"\0", b"no such thing", marshal.dumps(0)]
