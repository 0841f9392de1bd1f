"""What a power failure or a bad disk makes of a file."""

from __future__ import annotations

from collections.abc import Callable


def cut_off(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :]


DAMAGES: list[Callable[[bytes], bytes]] = [lambda data: b"", lambda data: b"x", cut_off, flipped]
