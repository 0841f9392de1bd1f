"""From a text to the bytes of a file, as encodings, other programs and accidents leave it."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence

from numpy.random import Generator

from tests.fuzz.luck import pick, span

ENCODINGS = (
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"),
    *("utf-7", "shift_jis", "koi8-r", "cp437", "ascii"),
)
LINE_ENDS = ("\r\n", "\r", "\n\n", "\n\r", "\r\r\n", "\x85", "\u2028", "\0\n", " \n")
MAGIC = (
    *(b"\x1f\x8b\x08", b"PK\x03\x04", b"7z\xbc\xaf", b"BZh9", b"\xfd7zXZ", b"(\xb5/\xfd"),
    *(b"%PDF-1.4", b"PAR1", b"Rar!", b"\x7fELF", b"\x89PNG\r\n", b"SQLite format 3\0", b"{\\rtf1"),
    *(codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8, codecs.BOM_UTF32_BE),
)


def encoded(rng: Generator, text: str) -> bytes:
    """A text as bytes: most often UTF-8, else in any encoding, perhaps spoiled."""
    if rng.random() < 0.1:
        text = text.replace("\n", pick(rng, LINE_ENDS))
    if rng.random() < 0.8:
        return text.encode("utf-8", "surrogatepass")
    data = pick(rng, WAYS)(rng, text)
    return pick(rng, ACCIDENTS)(rng, data) if rng.random() < 0.5 else data


def _plainly(rng: Generator, text: str) -> bytes:
    """In one encoding, without what it cannot hold."""
    return text.encode(pick(rng, ENCODINGS), "replace")


def _mixed(rng: Generator, text: str) -> bytes:
    """Every other line in another encoding."""
    one, other = pick(rng, ENCODINGS), pick(rng, ENCODINGS)
    lines = text.splitlines(keepends=True)
    parts = (
        line.encode(other if rng.random() < 0.3 else one, "replace").removeprefix(
            codecs.BOM_UTF16_LE
        )
        for line in lines
    )
    return b"".join(parts)


def _twice(rng: Generator, text: str) -> bytes:
    """UTF-8 that was taken for something else and encoded once more."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1").encode(pick(rng, ENCODINGS[:6]))


def _damaged_line_ends(rng: Generator, text: str) -> bytes:
    """UTF-16 whose line ends a program for bytes has changed."""
    data = text.encode(pick(rng, ("utf-16", "utf-16-le", "utf-16-be")), "surrogatepass")
    return data.replace(b"\n", b"\r\n")


WAYS: Sequence[Callable[[Generator, str], bytes]] = (_plainly, _plainly, _mixed, _twice)
WAYS = (*WAYS, _damaged_line_ends)


def truncated(rng: Generator, data: bytes) -> bytes:
    at = int(rng.integers(len(data) + 1))
    return data[:at] if rng.random() < 0.8 else data[at:]


def flipped(rng: Generator, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(int(rng.integers(1, 6))):
        if changed:
            changed[int(rng.integers(len(changed)))] = int(rng.integers(256))
    return bytes(changed)


def shifted(rng: Generator, data: bytes) -> bytes:
    """With a piece too much or too little, so that wide characters fall apart."""
    part = span(rng, len(data), 5)
    new = rng.bytes(int(rng.integers(4)))
    return data[: part.start] + new + data[part.stop :]


def with_zeros(rng: Generator, data: bytes) -> bytes:
    at = int(rng.integers(len(data) + 1))
    return data[:at] + bytes(int(rng.integers(1, pick(rng, (3, 5_000))))) + data[at:]


def with_magic(rng: Generator, data: bytes) -> bytes:
    return pick(rng, MAGIC) + data


ACCIDENTS = (truncated, truncated, flipped, shifted, with_zeros, with_magic)


def noise(rng: Generator) -> bytes:
    n = int(rng.integers(pick(rng, (8, 300, 5_000))))
    kind = int(rng.integers(4))
    if kind == 0:
        return rng.bytes(n)
    if kind == 1:
        return pick(rng, MAGIC) + rng.bytes(n)
    if kind == 2:
        return bytes(rng.integers(32, 127, n, dtype="uint8"))
    return bytes(rng.integers(256, size=1, dtype="uint8")) * n
