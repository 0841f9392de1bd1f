"""What is to be read: files cut into pieces, each known by what it holds.

A piece is a few dozen hands. Where a log grows, all its pieces but the last stay as they are; what
was read once need not be read again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import BufferedReader
from pathlib import Path
from typing import IO

from handread.columnar import MAGIC, is_parquet
from handread.history import Problem
from handread.notation import BUILT_IN, HEAD, Known, holds_text, read_stream
from handread.score.folders import files_below, is_folder
from handread.score.frames import packed
from handread.score.work import Content, PackedRows, Piece

PIECE_SIZE = 1 << 15
"""How many characters of a log a piece has, if no hand is longer: some twenty hands of a room.

Where more text makes a log look like another notation, it is cut in another way, and read anew.
"""

PIECE_ROWS = 64
"""How many hands of a Parquet file a piece has."""

HAND_WEIGHT = 1500
"""The characters of a hand in a room's log: how much work a hand of a Parquet file is."""

INPUT_PREFIX = "in-"
"""What copies of input that cannot be read again are called."""

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


def sources(
    paths: Iterable[str], base: Path, scratch: Path, besides: Path
) -> tuple[list[Source], list[str]]:
    """The files that paths lead to, and what is wrong with the other paths, in words.

    Of a folder all files in it and below it, in order of their names, but for hidden ones, those
    in ``besides``, and tables. Names are relative to ``base`` where they can be. What cannot be
    read twice, such as standard input, is put down in ``scratch``, and named by what it holds.
    """
    found: dict[tuple[int, int], Source] = {}
    faults: list[str] = []
    for text in paths:
        path = Path(text)
        whole = is_folder(text)
        for file in files_below(path, besides, faults) if whole else [path]:
            try:
                source = _source("" if text == "" else str(file), base, scratch)
                status = source.path.stat()
                found.setdefault((status.st_dev, status.st_ino), source)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                faults.append(f"{text if not whole else file}: cannot be read: {reason}")
    return list(found.values()), faults


def _source(text: str, base: Path, scratch: Path) -> Source:
    """A file; what is none is read now, as it cannot be read again."""
    if text == "-":
        return _copy(text, sys.stdin.buffer, scratch)
    with Path(text).open("rb") as stream:
        if Path(text).is_file():
            return Source(_name(Path(text), base), Path(text))
        return _copy(_name(Path(text), base), stream, scratch)


def _copy(name: str, stream: IO[bytes], scratch: Path) -> Source:
    """What cannot be read again; of what is neither log nor table enough to tell so."""
    head = stream.read(HEAD)
    handle, copy = tempfile.mkstemp(dir=scratch, prefix=INPUT_PREFIX)
    with os.fdopen(handle, "w+b") as written:
        written.write(head)
        if is_parquet(head) or holds_text(head):
            shutil.copyfileobj(stream, written)
        written.seek(0)
        digest = hashlib.file_digest(written, "sha256").hexdigest()[:8]
    return Source(f"{name}#{digest}", Path(copy))


def _name(path: Path, base: Path) -> str:
    """What a file is called in the tables, wherever a run is started from."""
    whole = Path(os.path.normpath(path.absolute()))
    name = whole.relative_to(base) if whole.is_relative_to(base) else whole
    # What is no text in a name is spelled out; polars holds nothing else.
    return str(name).encode("utf-8", "backslashreplace").decode()


def pieces(source: Source, dialect: str | None, known: Known = BUILT_IN) -> Iterator[Piece]:
    """The pieces of a file, in order, with what they hold; ``OSError`` when it cannot be read."""
    found = _pieces(source, dialect, known)
    first = next(found)
    second = next(found, None)
    if second is None:
        yield replace(first, only=True, digest=_digest(first.digest, "only"))
        return
    yield from (first, second)
    yield from found


def _pieces(source: Source, dialect: str | None, known: Known) -> Iterator[Piece]:
    with source.path.open("rb") as stream:
        if is_parquet(stream.read(len(MAGIC))):
            stream.seek(0)
            yield from _rows(source, stream)
            return
        stream.seek(0)
        for found in read_stream(stream, source.name, dialect, known).pieces(PIECE_SIZE):
            if isinstance(found, Problem):
                yield _piece(source.name, found.line, _digest(str(found)), 1, found)
            else:
                more = [found.above] if found.above else []
                more += [] if found.own is None else [found.own.text]
                more += [str(level.decides) for level in found.levels]
                digest = _digest(found.dialect, found.text, *more)
                yield _piece(source.name, found.first_line, digest, len(found.text), found)


def _rows(source: Source, stream: BufferedReader) -> Iterator[Piece]:
    from handread.columnar.files import read_rows

    before = _state(source.path)
    digest = hashlib.file_digest(stream, "sha256").hexdigest()
    for found in read_rows(source.path, source.name):
        if _state(source.path) != before:
            raise OSError(f"{source.name} changed while being read")
        if isinstance(found, Problem):
            yield _piece(source.name, found.line, digest, 1, found)
            continue
        for rows in found.slices(PIECE_ROWS):
            content = PackedRows(packed(rows.frame), rows.first)
            n = rows.frame.height
            own = _digest(digest, str(n))
            yield _piece(source.name, rows.first, own, n * HAND_WEIGHT, content)


def _state(path: Path) -> tuple[int, ...]:
    """What changes when a file is replaced or written to."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _piece(name: str, line: int, digest: str, weight: int, content: Content) -> Piece:
    return Piece(name, line, digest, weight, only=False, content=content)


def _digest(*parts: str) -> str:
    text = "\0".join(parts)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def in_order(key: Key) -> tuple[str, int]:
    """What pieces are sorted by."""
    return key[:2]
