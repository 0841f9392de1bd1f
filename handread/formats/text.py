"""Decode a log and cut it into pieces, holding a few megabytes in memory."""

import codecs
import io
import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO

BYTE_ORDER_MARK = "\ufeff"
LOST = "\ufffd"
"""Stands for a lost character."""

_NOT_TEXT = {
    b"\x1f\x8b": "this is a gzip archive, not text; unpack it first",
    b"PK\x03\x04": "this is a zip archive, not text; unpack it first",
    b"PK\x05\x06": "this is an empty zip archive, not text",
    b"7z\xbc\xaf": "this is a 7z archive, not text; unpack it first",
    b"Rar!": "this is a rar archive, not text; unpack it first",
    b"BZh": "this is a bzip2 archive, not text; unpack it first",
    b"\xfd7zXZ": "this is an xz archive, not text; unpack it first",
    b"(\xb5/\xfd": "this is a zstandard archive, not text; unpack it first",
    b"%PDF": "this is a PDF, not text; save its text first",
    b"PAR1": "this is a Parquet table, not a hand history",
    b"\x89PNG": "this is a picture, not a hand history",
    b"\xff\xd8\xff": "this is a picture, not a hand history",
    b"GIF8": "this is a picture, not a hand history",
    b"SQLite format 3": "this is a database, not a hand history",
    b"\x7fELF": "this is a program, not a hand history",
}
_TAR = slice(257, 262), b"ustar"
_LOST = re.compile(r"(?<=[^\s\0])\0+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_SAMPLE = 4096
HEAD = 4 * _SAMPLE
"""Bytes that are enough to detect the content of a file: a character has at most four."""

UTF_8 = "utf-8"
TURN = 67
"""Most bytes needed to detect a change of the encoding."""

_MANY_CONTROLS = 0.05
_MANY_ZEROS = 0.3


class NotTextError(Exception):
    """Bytes are not text; the message names their kind."""


def cleaned(text: str, before: str = "") -> str:
    """Remove byte order marks and zeros from a text; ``before`` is the cleaned text before it.

    Concatenated logs have a mark each. Some rooms end parts with a zero, which becomes a blank so
    that columns stay the same. A zero after a character may stand for a lost one: U+FFFD.
    """
    text = text.replace(BYTE_ORDER_MARK, "")
    if "\0" not in text:
        return text
    last = before[-1:]
    text = _LOST.sub(lambda zeros: len(zeros[0]) * LOST, last + text)[len(last) :]
    return text.replace("\0", " ")


def refuse_archive(head: bytes) -> None:
    """Raise ``NotTextError`` for the first bytes of an archive or a known binary file."""
    for magic, message in _NOT_TEXT.items():
        if head.startswith(magic):
            raise NotTextError(message)
    place, magic = _TAR
    if head[place] == magic:
        raise NotTextError("this is a tar archive, not text; unpack it first")


def refuse_binary(head: str) -> None:
    """Raise ``NotTextError`` if the first characters, without trailing zeros, are not text.

    A crash may fill up a log with zeros.
    """
    sample = head[:_SAMPLE]
    sample = sample.rstrip("\0") or sample
    if len(_CONTROL.findall(sample)) > _MANY_CONTROLS * len(sample):
        raise NotTextError("this is binary data, not text")


def plain_line_ends(text: str) -> str:
    """Replace every line end (CRLF, LF or CR) by a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def encoding_by_head(data: bytes) -> str:
    """Return the encoding of the beginning of a file: UTF-8, or UTF-16 by its mark or its zeros."""
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
    return UTF_8


# Concatenated logs may change the encoding. Sixteen plain characters of UTF-16 cannot be UTF-8,
# and thirty-two characters that all consist of two plain bytes cannot be words in UTF-16. Within
# UTF-16 only a mark changes the byte order, as half a character may be missing. A line end before
# a zero is more likely the last of UTF-8 than the first of UTF-16.
_PLAIN = rb"[\t\n\r -~]"
_LITTLE = rb"(?:%b\0){16}" % _PLAIN
_BIG = rb"(?:\0%b){16}" % _PLAIN
_BYTES = rb"(?:\xef\xbb\xbf)?%b{64}" % _PLAIN
_FROM_UTF_8 = re.compile(
    rb"(?P<little>(?:\xff\xfe|(?![\r\n]))%b)|(?P<big>(?:\xfe\xff)?%b)" % (_LITTLE, _BIG)
)
_FROM_UTF_16 = re.compile(
    rb"(?P<little>\xff\xfe%b)|(?P<big>\xfe\xff%b)|(?P<bytes>%b)" % (_LITTLE, _BIG, _BYTES)
)
_TURNS = {"little": "utf-16-le", "big": "utf-16-be", "bytes": UTF_8}

_WINDOWS_1252 = bytes(range(256)).decode("cp1252", errors="replace")
_WINDOWS = "handread.windows-1252"


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Decode a byte that is not UTF-8, and return where to continue."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _WINDOWS_1252[error.object[error.start]], error.start + 1


codecs.register_error(_WINDOWS, _as_windows_1252)


class Decoder:
    """Incremental decoder of UTF-8 or UTF-16; the encoding may change within the text.

    A byte that is not UTF-8 is decoded as Windows-1252. Damaged UTF-16 becomes U+FFFD, which is
    also added if UTF-8 follows inside a line: the file before may end within a character.
    """

    def __init__(self, encoding: str) -> None:
        """``encoding`` is the encoding of the first bytes."""
        self._held = b""
        self._last = "\n"
        self._known = 0
        self._turn_to(encoding)

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of more bytes; the last few are held back until the next call."""
        data = self._held + data
        texts, start = [], 0
        while turn := self._turn(data):
            texts.append(self._end(data[start : turn.start()]))
            encoding = _TURNS[str(turn.lastgroup)]
            last = "".join(texts)[-1:] or self._last
            line_ends = last + data[turn.start() : turn.start() + 1].decode("latin-1")
            if encoding == UTF_8 and not {*line_ends} & {"\n", "\r"}:
                texts.append(LOST)
            self._turn_to(encoding)
            start, self._known = turn.span()
        if final:
            return "".join([*texts, self._end(data[start:])])
        # A turn may begin in the held bytes.
        end = max(start, len(data) - TURN + 1)
        self._held = data[end:]
        self._known = max(0, self._known - end)
        text = "".join([*texts, self._decoder.decode(data[start:end])])
        self._last = text[-1:] or self._last
        return text

    def _turn(self, data: bytes) -> re.Match[bytes] | None:
        if self._wide:
            return _FROM_UTF_16.search(data, self._known)
        # Most logs have no zero, which saves the search.
        return _FROM_UTF_8.search(data, self._known) if b"\0" in data else None

    def _turn_to(self, encoding: str) -> None:
        self._wide = encoding != UTF_8
        errors = "replace" if self._wide else _WINDOWS
        self._decoder = codecs.getincrementaldecoder(encoding)(errors=errors)

    def _end(self, data: bytes) -> str:
        """Decode the last bytes of an encoding; damaged UTF-16 may end in half a character."""
        text = self._decoder.decode(data)
        rest, _ = self._decoder.getstate()
        self._decoder.reset()
        whole = rest[: len(rest) // 2 * 2] if self._wide else rest
        return text + self._decoder.decode(whole, final=True)


PIECE = 1 << 20
"""Bytes, and characters of hands, that are read at once."""

LONGEST = 4_000_000
"""Most characters of a hand; enough for names of ten thousand characters on each line."""


def holds_text(head: bytes) -> bool:
    """Return True if a file with these first bytes (``HEAD`` are enough) is read as text."""
    try:
        _begin(head)
    except NotTextError:
        return False
    return True


def text_pieces(stream: IO[bytes], size: int = PIECE) -> Iterator[str]:
    """Yield the text of a stream from its current position, with line feeds as line ends.

    ``size`` bytes are read at once; bytes that are appended meanwhile are not read. Raise
    ``NotTextError`` for an archive or other binary data.
    """
    left = _length(stream)
    head = stream.read(HEAD)
    rest = None if left is None else left - len(head)
    decoder = _begin(head)
    lines = io.IncrementalNewlineDecoder(None, translate=True)  # without a decoder it takes text
    last = ""
    for data in chain([head], _byte_pieces(stream, size, rest)):
        text = cleaned(decoder.decode(data), last)
        last = text[-1:] or last
        yield lines.decode(text)
    yield lines.decode(cleaned(decoder.decode(b"", final=True), last), final=True)


def _begin(head: bytes) -> Decoder:
    refuse_archive(head)
    encoding = encoding_by_head(head)
    refuse_binary(Decoder(encoding).decode(head, final=True))
    return Decoder(encoding)


def _byte_pieces(stream: IO[bytes], size: int, left: int | None) -> Iterator[bytes]:
    """Yield ``left`` bytes of a stream, or all of a stream of unknown length, such as a pipe."""
    if left is None:
        yield from iter(lambda: stream.read(size), b"")
        return
    while data := stream.read(max(0, min(size, left))):
        left -= len(data)
        yield data


def _length(stream: IO[bytes]) -> int | None:
    """Return the number of bytes left; ``None`` if unknown. Some system files claim 0."""
    if not stream.seekable():
        return None
    here = stream.tell()
    end = stream.seek(0, os.SEEK_END)
    stream.seek(here)
    return end - here if end else None


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text: hands, or skipped text; the rest of an endless hand never ``begins``."""

    text: str
    passed_over: bool = False
    begins: bool = True


def cut_up(texts: Iterable[str], cut: Callable[[str], int], size: int) -> Iterator[TextPart]:
    """Cut a text into parts that end where a hand begins.

    A part is one hand or at most ``size`` characters. A hand is passed over if it has more than
    ``LONGEST`` characters and no other hand begins in these, whatever ``size`` and ``texts`` are.
    When a text grows, all parts but the last stay the same.

    ``texts`` are consecutive parts of the text. ``cut`` returns the offset of the last hand in a
    text that may be incomplete, or 0.
    """
    ahead = _Ahead(texts)
    seen = size = min(size, LONGEST)
    while ahead.holds(seen):
        length = cut(ahead.first(seen))
        if length:
            yield TextPart(ahead.take(length))
        elif seen == LONGEST and ahead.holds(LONGEST + 1):
            yield from _pass_over(ahead, cut)
        elif seen == LONGEST:
            break
        # Double the text, so that a hand that does not end is not searched with each text.
        seen = size if length or seen == LONGEST else min(2 * seen, LONGEST)
    if ahead.holds(1):
        yield TextPart(ahead.first(LONGEST))


def _pass_over(ahead: "_Ahead", cut: Callable[[str], int]) -> Iterator[TextPart]:
    """Yield the parts up to the beginning of the next hand, or to the end of the text.

    The searched texts overlap by half, so that one of them has all of the beginning.
    """
    begins = True
    while goes_on := ahead.holds(LONGEST):
        text = ahead.first(LONGEST)
        if cut(text):
            break
        yield TextPart(ahead.take(_overlap(text)), True, begins)
        begins = False
    text = ahead.first(LONGEST)
    length = _first_cut(text, cut) if goes_on or cut(text) else len(text)
    yield TextPart(ahead.take(length), True, begins)


def _overlap(text: str) -> int:
    """Return where the next searched text begins: at a line near the middle of this one.

    In a long line it does not begin with blanks, which would look like a blank line.
    """
    half = len(text) // 2
    start = text.rfind("\n", 0, half) + 1 or len(text[:half].rstrip()) - 1
    return start if start > 0 else half


def _first_cut(text: str, cut: Callable[[str], int]) -> int:
    """Return the offset of the first hand after the beginning of a text; there must be one.

    ``cut`` grows with the text, so a binary search finds the least length with a hand.
    """
    return cut(text[: bisect_left(range(len(text)), True, key=lambda n: cut(text[:n]) > 0)])


class _Ahead:
    """Buffer of a text that arrives in pieces."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = iter(texts)
        self._text = ""
        self._at = 0

    def holds(self, n: int) -> bool:
        while len(self._text) - self._at < n:
            more = next(self._texts, None)
            if more is None:
                return False
            self._text = self._text[self._at :] + more
            self._at = 0
        return True

    def first(self, n: int) -> str:
        return self._text[self._at : self._at + n]

    def take(self, n: int) -> str:
        """Return up to ``n`` of the buffered characters and remove them."""
        text = self.first(n)
        self._at += len(text)
        return text
