"""The folders that are named for reading: which files in them are meant."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from handread.tables import TERMS_FILE


def is_folder(argument: str) -> bool:
    """Whether a FILE of a command is a folder."""
    try:
        return argument not in ("", "-") and Path(argument).is_dir()
    except ValueError:  # a name that no file can have
        return False


def files_below(folder: Path, besides: Path | None, faults: list[str]) -> Iterator[Path]:
    """Yield all files in a folder and below it, in order of their names.

    Left out are hidden ones, those in the folder ``besides``, and tables. What cannot be read is
    added to ``faults``, in words.
    """
    seen = set() if besides is None else {besides.resolve()}

    def unreadable(error: OSError) -> None:
        faults.append(f"{error.filename}: cannot be read: {error.strerror}")

    for place, folders, files in os.walk(folder, onerror=unreadable, followlinks=True):
        here = Path(place)
        if here.resolve() in seen or TERMS_FILE in files:  # a link leads back, or tables
            folders.clear()
            continue
        seen.add(here.resolve())
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        shown = (here / name for name in sorted(files) if not name.startswith("."))
        yield from (file for file in shown if file.is_file())
