"""What is to be read: files cut into pieces, each known by what it holds.

A piece is a few dozen hands. Where a log grows, all its pieces but the last stay as they are; what
was read once need not be read again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from handread.columnar import MAGIC, is_parquet
from handread.history import Problem
from handread.notation import read_stream
from handread.score.frames import packed
from handread.score.work import Content, PackedRows, Piece

PIECE_SIZE = 1 << 15
"""How many characters of a log a piece has, if no hand is longer: some twenty hands of a room."""

PIECE_ROWS = 64
"""How many hands of a Parquet file a piece has."""

HAND_WEIGHT = 1500
"""The characters of a hand in a room's log: how much work a hand of a Parquet file is."""

Key = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be read: how it is called in the tables, and where it lies."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Planned:
    """A piece that is to be read, without what it holds."""

    key: Key
    weight: int


def sources(paths: Iterable[str], scratch: Path, besides: Path) -> tuple[list[Source], list[str]]:
    """The files that paths lead to, and what is wrong with the other paths, in words.

    Of a folder all files in it and below it, in order of their names, but for hidden ones and
    those in ``besides``. What cannot be read twice, such as standard input, which is called "-",
    is put down in ``scratch``.
    """
    found: dict[str, Source] = {}
    faults: list[str] = []
    for text in paths:
        path = Path(os.path.normpath(text))
        files = _files_below(path, besides) if text != "-" and path.is_dir() else [path]
        for file in files:
            name = str(file)
            if name not in found:
                try:
                    found[name] = Source(name, _readable_twice(file, scratch / f"in-{len(found)}"))
                except (OSError, ValueError) as error:
                    reason = getattr(error, "strerror", None) or error
                    faults.append(f"{file}: cannot be read: {reason}")
    return list(found.values()), faults


def _readable_twice(file: Path, copy: Path) -> Path:
    """A file itself, or a copy of what it gives."""
    if str(file) == "-":
        with copy.open("wb") as written:
            shutil.copyfileobj(sys.stdin.buffer, written)
        return copy
    with file.open("rb") as stream:
        if file.is_file():
            return file
        with copy.open("wb") as written:
            shutil.copyfileobj(stream, written)
    return copy


def _files_below(folder: Path, besides: Path) -> Iterator[Path]:
    excluded = besides.resolve()
    for place, folders, files in os.walk(folder):
        here = Path(place)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and (here / name).resolve() != excluded
        )
        yield from (here / name for name in sorted(files) if not name.startswith("."))


def pieces(source: Source, dialect: str | None) -> Iterator[Piece]:
    """The pieces of a file, in order, with what they hold; ``OSError`` when it cannot be read."""
    found = _pieces(source, dialect)
    first = next(found)
    second = next(found, None)
    if second is None:
        yield replace(first, only=True)
        return
    yield from (first, second)
    yield from found


def _pieces(source: Source, dialect: str | None) -> Iterator[Piece]:
    with source.path.open("rb") as stream:
        if is_parquet(stream.read(len(MAGIC))):
            stream.seek(0)
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            yield from _rows(source, digest)
            return
        stream.seek(0)
        for found in read_stream(stream, source.name, dialect).pieces(PIECE_SIZE):
            if isinstance(found, Problem):
                yield _piece(source.name, found.line, _digest(str(found)), 1, found)
            else:
                digest = _digest(found.dialect, found.text)
                yield _piece(source.name, found.first_line, digest, len(found.text), found)


def _rows(source: Source, digest: str) -> Iterator[Piece]:
    from handread.columnar.files import read_rows

    for found in read_rows(source.path, source.name):
        if isinstance(found, Problem):
            yield _piece(source.name, found.line, digest, 1, found)
            continue
        for rows in found.slices(PIECE_ROWS):
            content = PackedRows(packed(rows.frame), rows.first)
            n = rows.frame.height
            own = _digest(digest, str(n))
            yield _piece(source.name, rows.first, own, n * HAND_WEIGHT, content)


def _piece(name: str, line: int, digest: str, weight: int, content: Content) -> Piece:
    return Piece(name, line, digest, weight, only=False, content=content)


def _digest(*parts: str) -> str:
    text = "\0".join(parts)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def in_order(key: Key) -> tuple[str, int]:
    """What pieces are sorted by."""
    return key[:2]
