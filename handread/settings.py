"""The files of settings that users give: grammars, policies, learned values."""

from __future__ import annotations

from pathlib import Path

LARGEST_FILE = 20_000_000
"""The size in bytes of the largest file of settings; the files included have less than a hundredth
of it."""


def settings_text(file: str | Path) -> str:
    """Return the text of a file of settings.

    Only regular files are read: a device or a pipe may have no end.

    Raises:
        ValueError: The file cannot be read, is too large, or is not text; the message names it.
    """
    try:
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
    """Return what is read of a file, or why none of it is."""
    if path.is_dir():
        return b"", "is a folder, not a file"
    if path.exists() and not path.is_file():
        return b"", "is a device or a pipe; settings are read from regular files"
    with path.open("rb") as stream:
        return stream.read(LARGEST_FILE + 1), ""
