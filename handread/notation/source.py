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
HEAD = 4 * _SAMPLE
"""How many bytes tell what a file holds: a character of text has four at the most."""

_MANY_CONTROLS = 0.05
_MANY_ZEROS = 0.3


class NotTextError(Exception):
    """Bytes that hold no text; the message says to a person what they hold instead."""


def cleaned(text: str) -> str:
    """A text without what is no part of it.

    Logs that were joined end to end carry the mark of every part; some rooms end parts in a
    zero, which becomes a blank so that columns stay.
    """
    return text.replace(BYTE_ORDER_MARK, "").replace("\0", " ")


def refuse_other_data(head: bytes, encoding: str) -> None:
    """``NotTextError`` where the first bytes are those of an archive or of binary data."""
    for magic, message in _NOT_TEXT.items():
        if head.startswith(magic):
            raise NotTextError(message)
    text = head[:HEAD].decode(encoding, errors="replace")[:_SAMPLE]
    if len(_CONTROL.findall(text)) > _MANY_CONTROLS * len(text):
        raise NotTextError("this is binary data, not text")


def plain_line_ends(text: str) -> str:
    """The text with every line end (CRLF, LF or CR) made a line feed; lines keep their numbers."""
    return _LINE_END.sub("\n", text)


def encoding_by_head(data: bytes) -> str | None:
    """The UTF-16 encoding of a file by its mark or by where the zeros of its first bytes stand.

    None where it is another, which only the whole file tells.
    """
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
