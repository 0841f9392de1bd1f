"""Files that are written whole or not at all."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path


def is_device(path: Path) -> bool:
    """Return True for a device, a pipe or the like, beside which no parts are kept."""
    return path.exists() and not (path.is_file() or path.is_dir())


def move_over(draft: Path, target: Path) -> None:
    """Move a draft to its place; on Windows wait a second for whoever has the old file open."""
    for rest in (0.05, 0.15, 0.3, 0.5) if sys.platform == "win32" else ():
        try:
            draft.replace(target)
        except PermissionError:
            time.sleep(rest)
        else:
            return
    draft.replace(target)


def write_text_whole(path: Path, text: str) -> None:
    """Write a text file atomically: readers see the old text or the new one, never part of it."""
    write_whole(path, lambda draft: draft.write_text(text, encoding="utf-8", newline="\n"))


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file atomically: ``write`` fills a draft beside it, which then replaces it.

    A link is followed; a device or a pipe is written directly. ``OSError`` names ``path``.
    """
    target = path.resolve()
    try:
        if is_device(target):
            write(target)
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".handread-")
        os.close(handle)
        draft = Path(name)
        try:
            write(draft)
            draft.chmod(_mode(target))
            move_over(draft, target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def _mode(path: Path) -> int:
    """Return the permissions of a file, or of a new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
