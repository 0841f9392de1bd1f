"""The slow obvious twin of reading a log in pieces: all of its bytes at once."""

from __future__ import annotations

from handread.notation.source import cleaned, encoding_by_head, refuse_other_data


def decode(data: bytes) -> str:
    """The text that the bytes of a file hold, without byte order marks.

    UTF-8 and UTF-16, with a mark or without, else Windows-1252; characters that a damaged
    file has lost become U+FFFD. Raises ``NotTextError`` for archives and other binary data.
    """
    encoding = encoding_by_head(data) or ("utf-8" if _is_utf8(data) else "cp1252")
    refuse_other_data(data, encoding)
    if encoding.startswith("utf-16"):
        data = data[: len(data) // 2 * 2]  # a damaged file may end in half a character
    return cleaned(data.decode(encoding, errors="replace"))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
