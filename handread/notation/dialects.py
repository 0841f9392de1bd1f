"""The dialects that handread reads, and which of them a text is written in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from handread.history import Problem
from handread.notation.dialect import Dialect, Reading, Writer
from handread.notation.phh import PHH
from handread.notation.room import rooms
from handread.notation.saund import SAUND
from handread.notation.source import NotTextError, decode, plain_line_ends

DETECTION_SIZE = 100_000
"""How many characters of a text are looked at to tell its dialect."""


@cache
def dialects() -> tuple[Dialect, ...]:
    """Every dialect, in the order in which a text is tried for them."""
    return (*rooms(), PHH, SAUND)


def dialect_named(name: str) -> Dialect:
    """The dialect of that name; ``ValueError`` with the names that there are."""
    for dialect in dialects():
        if dialect.name == name:
            return dialect
    raise ValueError(f"there is no dialect {name!r}; there are {_names()}")


def writer_named(name: str) -> Writer:
    """The dialect of that name, to write in; ``ValueError`` for one that can only be read."""
    dialect = dialect_named(name)
    if not isinstance(dialect, Writer):
        raise ValueError(f"{dialect.title} hands can be read, but not written")
    return dialect


def detect(text: str) -> Dialect | None:
    """The dialect that a text looks to be written in, ``None`` when it looks like none."""
    head = text[:DETECTION_SIZE]
    return next((dialect for dialect in dialects() if dialect.detect(head)), None)


def read_text(text: str, file: str, dialect: str | None = None) -> Iterator[Reading]:
    """The hands of a text, and problems that belong to no hand; never an exception for its sake.

    ``file`` is what sources and problems name. ``ValueError`` for an unknown dialect.
    """
    chosen = dialect_named(dialect) if dialect else None
    return _readings(text, file, chosen)


def read_bytes(data: bytes, file: str, dialect: str | None = None) -> Iterator[Reading]:
    """The same for the bytes of a file, whatever their encoding."""
    chosen = dialect_named(dialect) if dialect else None
    try:
        text = decode(data)
    except NotTextError as reason:
        return iter([Problem(file, 1, 1, str(reason), "text")])
    return _readings(text, file, chosen)


def read_file(path: str | Path, dialect: str | None = None) -> Iterator[Reading]:
    """The same for a file; one that cannot be opened is a problem too."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return iter([Problem(str(path), 1, 1, f"cannot read the file: {reason}")])
    return read_bytes(data, str(path), dialect)


def _readings(text: str, file: str, dialect: Dialect | None) -> Iterator[Reading]:
    if not text.strip():
        yield Problem(file, 1, 1, "there is no hand, the file is empty", "hands")
        return
    chosen = dialect or detect(text) or _by_suffix(file)
    if chosen is None:
        yield Problem(
            file, 1, 1, "this looks like no hand history that handread knows", f"one of: {_names()}"
        )
        return
    nothing = True
    for reading in chosen.read(plain_line_ends(text), file):
        nothing = False
        yield reading
    if nothing:
        yield Problem(file, 1, 1, "there is no hand in it", f"{chosen.title} hands")


def _by_suffix(file: str) -> Dialect | None:
    suffix = Path(file).suffix.lower()
    return next((dialect for dialect in dialects() if suffix in dialect.suffixes), None)


def _names() -> str:
    return ", ".join(dialect.name for dialect in dialects())
