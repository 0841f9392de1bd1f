"""Decode a log and cut it into pieces, holding a few megabytes in memory."""

from __future__ import annotations

import codecs
import io
import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO

MAGIC = b"PAR1"


def is_parquet(head: bytes) -> bool:
    """Return True if the first bytes of a file (four or more) are those of Parquet."""
    return head.startswith(MAGIC)


BYTE_ORDER_MARK = "\ufeff"
LOST = "\ufffd"
"""Replaces a character that is lost."""

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
    b"PAR1": "this is a parquet table, not a hand history",
}
_TAR = slice(257, 262), b"ustar"
_LINE_END = re.compile(r"\r\n|\n|\r")
_LOST = re.compile(r"(?<=[^\s\0])\0+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_SAMPLE = 4096
HEAD = 4 * _SAMPLE
"""Bytes that are enough to detect what a file holds: a character has four at most."""

UTF_8 = "utf-8"
TURN = 67
"""Most bytes that show a change of the encoding."""

_MANY_CONTROLS = 0.05
_MANY_ZEROS = 0.3


class NotTextError(Exception):
    """Bytes are not text; the message says what they are."""


def cleaned(text: str, before: str = "") -> str:
    """Remove marks and zeros from a text; ``before`` is what precedes it, cleaned.

    Logs that were joined end to end carry the mark of every part. Some rooms end parts in a zero,
    which becomes a blank so that columns stay. A zero behind a character may stand for one that
    was lost, and becomes U+FFFD.
    """
    text = text.replace(BYTE_ORDER_MARK, "")
    if "\0" not in text:
        return text
    last = before[-1:]
    text = _LOST.sub(lambda zeros: len(zeros[0]) * LOST, last + text)[len(last) :]
    return text.replace("\0", " ")


def refuse_archive(head: bytes) -> None:
    """Raise ``NotTextError`` if the first bytes are those of an archive or a known binary file."""
    for magic, message in _NOT_TEXT.items():
        if head.startswith(magic):
            raise NotTextError(message)
    place, magic = _TAR
    if head[place] == magic:
        raise NotTextError("this is a tar archive, not text; unpack it first")


def refuse_binary(head: str) -> None:
    """Raise ``NotTextError`` if the first characters are not text.

    Zeros at the end say nothing: a log that was cut off by a crash may be filled up with them.
    """
    sample = head[:_SAMPLE]
    sample = sample.rstrip("\0") or sample
    if len(_CONTROL.findall(sample)) > _MANY_CONTROLS * len(sample):
        raise NotTextError("this is binary data, not text")


def plain_line_ends(text: str) -> str:
    """Replace every line end (CRLF, LF or CR) by a line feed; lines keep their numbers."""
    return _LINE_END.sub("\n", text)


def encoding_by_head(data: bytes) -> str:
    """Return the encoding in which a file begins.

    UTF-16 by its mark or by where the zeros of its first bytes stand, else UTF-8.
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
    return UTF_8


# Logs that were joined end to end change between encodings. Sixteen plain characters of UTF-16
# are no UTF-8, and thirty-two of one that are all made of two plain bytes are no words. In
# UTF-16 only a mark tells of the other byte order, as half a character may be missing. A line end
# before a zero is rather the last of UTF-8 than the first of UTF-16.
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
    """Decode bytes that arrive in parts of any size.

    UTF-8, in which a byte that is none stands for a character of Windows-1252, or UTF-16, in which
    U+FFFD stands for what is damaged. The encoding may change on the way.
    """

    def __init__(self, encoding: str) -> None:
        """``encoding`` is that of the first bytes."""
        self._held = b""
        self._known = 0
        self._turn_to(encoding)

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the bytes so far; a few last ones wait for the next."""
        data = self._held + data
        texts, start = [], 0
        while turn := self._turn(data):
            texts.append(self._end(data[start : turn.start()]))
            self._turn_to(_TURNS[str(turn.lastgroup)])
            start, self._known = turn.span()
        if final:
            return "".join([*texts, self._end(data[start:])])
        # A turn may begin in what is held.
        end = max(start, len(data) - TURN + 1)
        self._held = data[end:]
        self._known = max(0, self._known - end)
        return "".join([*texts, self._decoder.decode(data[start:end])])

    def _turn(self, data: bytes) -> re.Match[bytes] | None:
        """Return the match where the encoding changes next."""
        if self._wide:
            return _FROM_UTF_16.search(data, self._known)
        # Most logs have no zero, and are not searched for more.
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
"""Most characters of a hand: enough for names of ten thousand characters in each line."""


def holds_text(head: bytes) -> bool:
    """Return True if a file with these first bytes (``HEAD`` are enough) is read as text."""
    try:
        _begin(head)
    except NotTextError:
        return False
    return True


def text_pieces(stream: IO[bytes], size: int = PIECE, begun: bytes = b"") -> Iterator[str]:
    """Yield the text of a stream from its current position, line ends replaced by line feeds.

    ``begun`` is what was read of it before. The pieces, joined, do not depend on their size. What
    is written to the end of a file while it is read is left out. ``NotTextError`` for archives and
    other binary data.
    """
    left = _length(stream)
    head = begun + stream.read(HEAD)
    rest = None if left is None else left - (len(head) - len(begun))
    decoder = _begin(head)
    lines = io.IncrementalNewlineDecoder(None, translate=True)
    last = ""
    for data in chain([head], _byte_pieces(stream, size, rest)):
        text = cleaned(decoder.decode(data), last)
        last = text[-1:] or last
        yield _lines_of(lines, text)
    yield _lines_of(lines, cleaned(decoder.decode(b"", final=True), last), final=True)


def _begin(head: bytes) -> Decoder:
    """Return a decoder for a file with these first bytes; ``NotTextError`` if it is not text."""
    refuse_archive(head)
    encoding = encoding_by_head(head)
    refuse_binary(Decoder(encoding).decode(head, final=True))
    return Decoder(encoding)


def _byte_pieces(stream: IO[bytes], size: int, left: int | None) -> Iterator[bytes]:
    """Yield ``left`` bytes of a stream; all of one of unknown length, such as a pipe."""
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


def _lines_of(lines: io.IncrementalNewlineDecoder, text: str, final: bool = False) -> str:
    """Replace line ends; the decoder takes text if it has no bytes to decode."""
    return lines.decode(text, final=final)


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text: hands to be read, or text that is skipped.

    ``begins`` says that a hand which does not end begins here, of which the parts that follow and
    are passed over are the rest.
    """

    text: str
    passed_over: bool = False
    begins: bool = True


def cut_up(texts: Iterable[str], cut: Callable[[str], int], size: int) -> Iterator[TextPart]:
    """Cut a text, which ``texts`` joined are, into parts that end where a hand begins.

    ``cut`` tells where in a text that goes on the last hand begins, 0 where it knows of none. A
    part has ``size`` characters at the most, or is one hand. A hand is passed over if no other
    begins in its first ``LONGEST`` characters and there are more; which these are does not depend
    on ``size`` or ``texts``. A text that grows keeps all its parts but the last.
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
        # A hand that does not end is not looked through again with each text.
        seen = size if length or seen == LONGEST else min(2 * seen, LONGEST)
    if ahead.holds(1):
        yield TextPart(ahead.first(LONGEST))


def _pass_over(ahead: _Ahead, cut: Callable[[str], int]) -> Iterator[TextPart]:
    """Yield the parts up to the next beginning of a hand, or to the end of the text.

    It is looked for in stretches that overlap by half, so that what tells of it is in one of them.
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
    """Return where the next stretch begins: about the middle of a text, with a line.

    Where lines are too long for that, not with blanks: the rest of a line is no blank line.
    """
    half = len(text) // 2
    start = text.rfind("\n", 0, half) + 1 or len(text[:half].rstrip()) - 1
    return start if start > 0 else half


def _first_cut(text: str, cut: Callable[[str], int]) -> int:
    """Return where the first hand after the beginning of a text starts; there must be one.

    The more is seen of a text, the later is the last beginning in it.
    """
    return cut(text[: bisect_left(range(len(text)), True, key=lambda n: cut(text[:n]) > 0)])


class _Ahead:
    """The text ahead of a reader, which arrives in pieces."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = iter(texts)
        self._text = ""
        self._at = 0

    def holds(self, n: int) -> bool:
        """Return True if ``n`` characters are ahead, and have them at hand."""
        while len(self._text) - self._at < n:
            more = next(self._texts, None)
            if more is None:
                return False
            self._text = self._text[self._at :] + more
            self._at = 0
        return True

    def first(self, n: int) -> str:
        """Return up to ``n`` of the characters at hand."""
        return self._text[self._at : self._at + n]

    def take(self, n: int) -> str:
        """Return them, and move past them."""
        text = self.first(n)
        self._at += len(text)
        return text
