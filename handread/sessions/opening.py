"""Open logs: find them in folders, and copy input that can be read only once.

This is the only module that opens a log.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import IO

from handread.formats.log_reader import LogReader
from handread.formats.registry import dialect_named
from handread.formats.text import HEAD, holds_text, text_pieces
from handread.history import History, Problem

TERMS_FILE = "handread.json"
"""The file in every folder of tables that records how they were made."""

PATIENCE_SECONDS = 1.0

NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

COPY_PREFIX = "in-"
"""Start of the names of copies of input that can be read only once."""


def is_folder(argument: str) -> bool:
    """Return True if a FILE argument of a command names a folder."""
    try:
        return argument not in ("", "-") and Path(argument).is_dir()
    except (OSError, ValueError):  # nobody may look, or a null byte in the name
        return False


def open_input(path: Path, say: Callable[[str], None]) -> IO[bytes]:
    """Open a file of hands for reading.

    To open a pipe waits for somebody who writes to it; ``say`` is told so after a second.
    """
    if not path.is_fifo():
        return path.open("rb")
    notice = threading.Timer(
        PATIENCE_SECONDS, say, [f"{path}: waiting for a program to write to this pipe ..."]
    )
    notice.daemon = True
    notice.start()
    try:
        return path.open("rb")
    finally:
        notice.cancel()


def read_file(path: str | Path, dialect: str | None = None) -> Iterator[History | Problem]:
    """Yield the hands of a file, or the problem that it cannot be opened.

    Raises:
        ValueError: There is no such format; raised with the first hand.
    """
    chosen = dialect_named(dialect) if dialect else None
    try:
        with Path(path).open("rb") as stream:
            yield from LogReader(text_pieces(stream), str(path), chosen)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        yield Problem(str(path), 1, 1, f"cannot read the file: {reason}")


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file; raise ``OSError`` for all else: a pipe would wait for a writer."""
    found = os.open(path, os.O_RDONLY | NO_WAIT)
    if not S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise OSError(errno.EINVAL, "it is no regular file")
    return os.fdopen(found, "rb")


def open_below(folder: Path, parts: Sequence[str]) -> IO[bytes]:
    """Open a file below a folder without following a link, not even one made a moment ago."""
    if os.open not in os.supports_dir_fd:  # Windows, where few users may make links
        found = os.open(folder.joinpath(*parts), os.O_RDONLY | NO_WAIT)
        return os.fdopen(found, "rb")
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    for part in parts:
        above = place
        try:
            # Without waiting: for a pipe that took its place nobody may ever write.
            place = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=above)
        finally:
            os.close(above)
    return os.fdopen(place, "rb")


def files_below(folder: Path, besides: Path | None, faults: list[str]) -> Iterator[Path]:
    """Yield all files in a folder and its subfolders, sorted by name.

    Symbolic links are followed. The folder ``besides``, hidden files and folders of tables are
    skipped. A message is added to ``faults`` for every folder that cannot be read.
    """
    seen = set() if besides is None else {besides.resolve()}

    def unreadable(error: OSError) -> None:
        faults.append(f"{error.filename}: cannot be read: {error.strerror}")

    for place, folders, files in os.walk(folder, onerror=unreadable, followlinks=True):
        here = Path(place)
        if TERMS_FILE in files and here == folder and here.resolve() not in seen:
            faults.append(
                f"{folder}: is a folder of tables made by handread score, not of logs; "
                "handread summary and handread query read it"
            )
        if here.resolve() in seen or TERMS_FILE in files:  # a link that leads back, or tables
            folders.clear()
            continue
        seen.add(here.resolve())
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        shown = (here / name for name in sorted(files) if not name.startswith("."))
        yield from (file for file in shown if not os.access(here, os.X_OK) or file.is_file())


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read: its name in the tables and its path."""

    name: str
    path: Path


def input_files(
    paths: Iterable[str],
    base: Path,
    scratch: Path,
    besides: Path,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[list[InputFile], list[str]]:
    """Return the files that paths lead to, and a message for each path that cannot be read.

    Paths are files, folders, or ``-`` for standard input; a file named twice is read once. Names in
    the tables are relative to ``base`` for files below it. Input that can be read only once is
    copied to ``scratch``, under a digest of its content. The folder ``besides`` is skipped. ``say``
    is told of a pipe to which nobody writes.
    """
    found: dict[tuple[int, int], InputFile] = {}
    faults: list[str] = []
    for text in paths:
        path = Path(text)
        whole = is_folder(text)
        for file in files_below(path, besides, faults) if whole else [path]:
            try:
                source = _input_file("" if text == "" else str(file), base, scratch, say)
                status = source.path.stat()
                found.setdefault((status.st_dev, status.st_ino), source)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                faults.append(f"{text if not whole else file}: cannot be read: {reason}")
    return list(found.values()), faults


def _input_file(text: str, base: Path, scratch: Path, say: Callable[[str], None]) -> InputFile:
    if text == "-":
        return _copy(text, sys.stdin.buffer, scratch)
    with open_input(Path(text), say) as stream:
        if Path(text).is_file():
            return InputFile(_name(Path(text), base), Path(text))
        return _copy(_name(Path(text), base), stream, scratch)


def _copy(name: str, stream: IO[bytes], scratch: Path) -> InputFile:
    """Copy a stream; only its head if it holds no text."""
    head = stream.read(HEAD)
    handle, copy = tempfile.mkstemp(dir=scratch, prefix=COPY_PREFIX)
    with os.fdopen(handle, "w+b") as written:
        written.write(head)
        if holds_text(head):
            shutil.copyfileobj(stream, written)
        written.seek(0)
        digest = hashlib.file_digest(written, "sha256").hexdigest()[:8]
    return InputFile(f"{name}#{digest}", Path(copy))


def _name(path: Path, base: Path) -> str:
    """Return the name of a file in the tables, the same wherever a run is started."""
    whole = Path(os.path.normpath(path.absolute()))
    name = whole.relative_to(base) if whole.is_relative_to(base) else whole
    # polars strings are Unicode: escape other bytes of the name.
    return str(name).encode("utf-8", "backslashreplace").decode()
