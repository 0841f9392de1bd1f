"""Open logs, as the only module: FILE arguments, logs in folders, and input to be read once."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import IO, overload

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

_ADDRESS = re.compile(r"(.+):([0-9]{1,100})", re.S)


def is_folder(argument: str) -> bool:
    """Return True if a FILE argument of a command names a folder."""
    try:
        return argument not in ("", "-") and Path(argument).is_dir()
    except (OSError, ValueError):  # no permission, or a null byte in the name
        return False


@dataclass(frozen=True, slots=True)
class Address:
    """A FILE argument: a file, and the line of one hand in it if given."""

    file: str
    line: int | None = None


def address_of(argument: str) -> Address:
    """Parse a FILE argument: ``log.txt:12`` is the hand at line 12, ``-:12`` of standard input.

    The file must exist, and no file may have the whole argument as its name.
    """
    parts = _ADDRESS.fullmatch(argument)
    if parts and not is_there(argument) and is_there(parts[1]):
        return Address(parts[1], int(parts[2]))
    return Address(argument)


def is_there(file: str) -> bool:
    """Return True if a file or folder has this name, and for "-"; "" names none."""
    try:
        return file == "-" or (file != "" and Path(file).exists())
    except (OSError, ValueError):  # an impossible name
        return False


def same_file(path: Path, file: str) -> bool:
    """Return True if a path leads to a file that was named for reading."""
    if is_folder(file):
        return any(same_file(path, str(below)) for below in files_below(Path(file), None, []))
    file = address_of(file).file
    return file != "-" and path.exists() and is_there(file) and path.samefile(file)


def open_input(path: Path, say: Callable[[str], None]) -> IO[bytes]:
    """Open a file of hands; ``say`` reports a wait of a second for the writer of a pipe."""
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
    """Yield the hands of a file, or the problem of opening it.

    Raises:
        ValueError: The format is unknown; raised with the first hand.
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
    descriptor = os.open(path, os.O_RDONLY | NO_WAIT)
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file")
    return os.fdopen(descriptor, "rb")


def open_below(folder: Path, parts: Sequence[str]) -> IO[bytes]:
    """Open a file below a folder without following a link, not even one made a moment ago."""
    if os.open not in os.supports_dir_fd:  # Windows, where few users may make links
        return os.fdopen(os.open(folder.joinpath(*parts), os.O_RDONLY | NO_WAIT), "rb")
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    for part in parts:
        above = place
        try:
            # Without waiting: a pipe in its place may never get a writer.
            place = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=above)
        finally:
            os.close(above)
    return os.fdopen(place, "rb")


def files_below(folder: Path, besides: Path | None, faults: list[str]) -> Iterator[Path]:
    """Yield all files in a folder and its subfolders, sorted by name; follow symbolic links.

    Skip ``besides``, hidden files and folders of tables; add unreadable folders to ``faults``.
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
    reports a pipe without a writer.
    """
    by_identity: dict[tuple[int, int], InputFile] = {}
    faults: list[str] = []
    for text in paths:
        path = Path(text)
        whole = is_folder(text)
        for file in files_below(path, besides, faults) if whole else [path]:
            try:
                source = _input_file("" if text == "" else str(file), base, scratch, say)
                status = source.path.stat()
                by_identity.setdefault((status.st_dev, status.st_ino), source)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                faults.append(f"{text if not whole else file}: cannot be read: {reason}")
    return list(by_identity.values()), faults


def _input_file(text: str, base: Path, scratch: Path, say: Callable[[str], None]) -> InputFile:
    if text == "-":
        return _copy(text, sys.stdin.buffer, scratch)
    with open_input(Path(text), say) as stream:
        if Path(text).is_file():
            return InputFile(_name(Path(text), base), Path(text))
        return _copy(_name(Path(text), base), stream, scratch)


def _copy(name: str, stream: IO[bytes], scratch: Path) -> InputFile:
    """Copy a stream, or only its head if it is not text."""
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
    """Return the name of a file in the tables, the same wherever a run starts, on any system."""
    whole = Path(os.path.normpath(path.absolute()))
    name = whole.relative_to(base).as_posix() if whole.is_relative_to(base) else whole
    # polars strings are Unicode: escape other bytes of the name.
    return str(name).encode("utf-8", "backslashreplace").decode()


class Log(Sequence[History]):
    """The hands of files: a sequence of ``History``, in order.

    Attributes:
        problems: Texts in the files that are not hands, and folders that cannot be read.
    """

    def __init__(self, files: Sequence[str], readings: Iterable[History | Problem]) -> None:
        all_readings = list(readings)
        self._files = tuple(files)
        self._hands = tuple(reading for reading in all_readings if isinstance(reading, History))
        self.problems: tuple[Problem, ...] = tuple(
            reading for reading in all_readings if isinstance(reading, Problem)
        )

    def __len__(self) -> int:
        return len(self._hands)

    @overload
    def __getitem__(self, index: int) -> History: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[History, ...]: ...

    def __getitem__(self, index: int | slice) -> History | tuple[History, ...]:
        return self._hands[index]

    def __repr__(self) -> str:
        hands = f"{len(self):,} {'hand' if len(self) == 1 else 'hands'}"
        n = len(self.problems)
        problems = f", {n:,} {'problem' if n == 1 else 'problems'}" if n else ""
        what = repr(self._files[0]) if len(self._files) == 1 else f"{len(self._files)} files"
        return f"<Log of {what}: {hands}{problems}>"
