"""FILE arguments of commands: a file, a folder, or one hand by its line (``log.txt:12``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from handread.sessions.opening import files_below, is_folder

_ADDRESS = re.compile(r"(.+):([0-9]{1,100})", re.S)


@dataclass(frozen=True, slots=True)
class Address:
    """A FILE argument: a file, and the line of one hand in it if that is named."""

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
    """Return True if there is a file or folder of this name, which "" is not; "-" always is."""
    try:
        return file == "-" or (file != "" and Path(file).exists())
    except (OSError, ValueError):  # a name that no file can have
        return False


def same_file(path: Path, file: str) -> bool:
    """Return whether a path leads to a file that was named for reading."""
    if is_folder(file):
        return any(same_file(path, str(one)) for one in files_below(Path(file), None, []))
    file = address_of(file).file
    return file != "-" and path.exists() and is_there(file) and path.samefile(file)
