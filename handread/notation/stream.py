"""A log read in pieces: memory holds a few megabytes, or one hand if that is longer."""

from __future__ import annotations

import codecs
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from shutil import copyfileobj
from typing import IO

from handread.notation.source import HEAD, cleaned, encoding_by_head, refuse_other_data

PIECE = 1 << 20
"""How many bytes are read at once, an even number, and characters of hands."""

IN_MEMORY = 1 << 24
"""How much of what cannot be read twice, such as standard input, is kept off the disk."""


@contextmanager
def seekable(stream: IO[bytes]) -> Iterator[IO[bytes]]:
    """The stream itself, or what it holds in a file that can be read twice."""
    if stream.seekable():
        yield stream
        return
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as copy:
        copyfileobj(stream, copy)
        copy.seek(0)
        yield copy


def text_pieces(stream: IO[bytes], size: int = PIECE) -> Iterator[str]:
    """The text of a seekable stream from where it stands, line ends made line feeds.

    Joined, the pieces are ``plain_line_ends(decode(data))`` of all the bytes. ``NotTextError``
    for archives and other binary data.
    """
    start = stream.tell()
    head = stream.read(HEAD)
    encoding = encoding_by_head(head)
    if encoding is None:
        stream.seek(start)
        encoding = "utf-8" if _is_utf8(stream, size) else "cp1252"
    refuse_other_data(head, encoding)
    stream.seek(start)
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    lines = io.IncrementalNewlineDecoder(None, translate=True)
    wide = encoding.startswith("utf-16")
    while data := stream.read(size):
        # A damaged file may end in half a character.
        whole = data[: len(data) // 2 * 2] if wide else data
        yield _lines_of(lines, cleaned(decoder.decode(whole)))
    yield _lines_of(lines, cleaned(decoder.decode(b"", final=True)), final=True)


def cut_up(texts: Iterable[str], cut: Callable[[str], int], size: int) -> Iterator[str]:
    """The text that ``texts`` are end to end, in parts that end where a hand begins.

    ``cut`` tells where in a text that goes on the last hand begins, 0 where it knows of none. A
    part has ``size`` characters at the most, or is one hand. A text that grows keeps all its parts
    but the last.
    """
    rest, seen = "", size
    for text in texts:
        rest += text
        start = 0
        while len(rest) >= start + seen:
            length = cut(rest[start : start + seen])
            if length:
                yield rest[start : start + length]
                start += length
            # A hand that does not end is not looked through again with each text.
            seen = size if length else 2 * seen
        rest = rest[start:]
    yield rest


def _lines_of(lines: io.IncrementalNewlineDecoder, text: str, final: bool = False) -> str:
    """A text with line feeds for line ends; without bytes to decode, it takes text."""
    return lines.decode(text, final=final)


def _is_utf8(stream: IO[bytes], size: int) -> bool:
    """Whether all that follows is UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while data := stream.read(size):
            decoder.decode(data)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
