"""The files of settings that users give: grammars, policies, learned values."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_FOLDERS: ContextVar[Sequence[Path] | None] = ContextVar("folders", default=None)
"""The folders below which settings may be read; None for anywhere."""

LARGEST_FILE = 20_000_000
"""Largest size in bytes of a file of settings, over a hundred times the included ones."""


@contextmanager
def only_below(folders: Sequence[Path]) -> Iterator[None]:
    """In the body of the ``with``, read settings only below these real folders."""
    token = _FOLDERS.set(folders)
    try:
        yield
    finally:
        _FOLDERS.reset(token)


def is_there(path: str | Path) -> bool:
    """Return True if a path exists and settings may be read from it."""
    folders = _FOLDERS.get()
    try:
        real = Path(path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):  # a zero byte, or a loop of links
        return False
    return folders is None or any(map(real.is_relative_to, folders))


def settings_text(file: str | Path) -> str:
    """Return the text of a regular file of settings, below the folders of ``only_below``.

    A device or a pipe may have no end. Raise ``ValueError``, which names the file, if it cannot be
    read, is too large, or is not text.
    """
    try:
        if _FOLDERS.get() is not None and not is_there(file):
            raise ValueError("there is no such file")
        data, unfit = _begun(Path(file))
    except (OSError, ValueError) as error:  # such as a name with a zero byte
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"{file}: cannot be read: {reason}") from None
    if unfit:
        raise ValueError(f"{file}: {unfit}")
    if len(data) > LARGEST_FILE:
        most = f"{LARGEST_FILE // 1_000_000} MB"
        raise ValueError(f"{file}: is larger than {most}, the most that is read as settings")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{file}: is not UTF-8 text") from None
    return text.replace("\r\n", "\n")


def _begun(path: Path) -> tuple[bytes, str]:
    """Return the first bytes of a file, or why it cannot be read."""
    if path.is_dir():
        return b"", "is a folder, not a file"
    if path.exists() and not path.is_file():
        return b"", "is a device or a pipe; settings are read from regular files"
    with path.open("rb") as stream:
        return stream.read(LARGEST_FILE + 1), ""
