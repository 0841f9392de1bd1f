"""From the bytes of a file to its text: encodings, line ends, and what is no text at all."""

from __future__ import annotations

import codecs
import re

BYTE_ORDER_MARK = "\ufeff"

_NOT_TEXT = {
    b"\x1f\x8b": "this is a gzip archive, not text; unpack it first",
    b"PK\x03\x04": "this is a zip archive, not text; unpack it first",
    b"7z\xbc\xaf": "this is a 7z archive, not text; unpack it first",
    b"Rar!": "this is a rar archive, not text; unpack it first",
    b"BZh": "this is a bzip2 archive, not text; unpack it first",
    b"\xfd7zXZ": "this is an xz archive, not text; unpack it first",
    b"(\xb5/\xfd": "this is a zstandard archive, not text; unpack it first",
    b"%PDF": "this is a PDF, not text; save its text first",
    b"PAR1": "this is a parquet table, not a hand history",
}
_LINE_END = re.compile(r"\r\n|\n|\r")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_SAMPLE = 4096
_MANY_CONTROLS = 0.05
_MANY_ZEROS = 0.3


class NotTextError(Exception):
    """Bytes that hold no text; the message says to a person what they hold instead."""


def decode(data: bytes) -> str:
    """The text that the bytes of a file hold, without byte order marks.

    UTF-8 and UTF-16, with a mark or without, else Windows-1252; characters that a damaged
    file has lost become U+FFFD. Raises ``NotTextError`` for archives and other binary data.
    """
    for magic, message in _NOT_TEXT.items():
        if data.startswith(magic):
            raise NotTextError(message)
    text = _decode(data)
    controls = len(_CONTROL.findall(text, 0, _SAMPLE))
    if controls > _MANY_CONTROLS * len(text[:_SAMPLE]):
        raise NotTextError("this is binary data, not text")
    # Logs that were joined end to end carry the mark of every part; some rooms end parts in a
    # zero, which becomes a blank so that columns stay.
    return text.replace(BYTE_ORDER_MARK, "").replace("\0", " ")


def plain_line_ends(text: str) -> str:
    """The text with every line end (CRLF, LF or CR) made a line feed; lines keep their numbers."""
    return _LINE_END.sub("\n", text)


def text_lines(data: bytes) -> list[str]:
    """The lines of the text that bytes hold, for showing them; none where they hold no text."""
    try:
        return plain_line_ends(decode(data)).split("\n")
    except NotTextError:
        return []


def _decode(data: bytes) -> str:
    wide = _utf16_order(data)
    if wide:
        # A damaged file may end in half a character.
        return data[: len(data) // 2 * 2].decode(wide, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _utf16_order(data: bytes) -> str | None:
    """The UTF-16 encoding of the bytes by their mark or by where their zeros stand."""
    if data.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if data.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    sample = data[:_SAMPLE]
    zeros = [sample[start::2].count(0) / max(1, len(sample) // 2) for start in (0, 1)]
    if zeros[1] > _MANY_ZEROS and zeros[0] < zeros[1] / 4:
        return "utf-16-le"
    if zeros[0] > _MANY_ZEROS and zeros[1] < zeros[0] / 4:
        return "utf-16-be"
    return None
