"""From the bytes of a file to its text: encodings, line ends, and what is no text at all."""

from __future__ import annotations

import codecs
import re

BYTE_ORDER_MARK = "\ufeff"
LOST = "\ufffd"
"""What stands for a character that is lost."""

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
"""How many bytes tell what a file holds: a character of text has four at the most."""

UTF_8 = "utf-8"
TURN = 67
"""How many bytes at the most tell that the encoding changes."""

_MANY_CONTROLS = 0.05
_MANY_ZEROS = 0.3


class NotTextError(Exception):
    """Bytes that hold no text; the message says to a person what they hold instead."""


def cleaned(text: str, before: str = "") -> str:
    """A text without what is no part of it; ``before`` is what was cleaned of it before.

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
    """``NotTextError`` where the first bytes are those of an archive or a known binary file."""
    for magic, message in _NOT_TEXT.items():
        if head.startswith(magic):
            raise NotTextError(message)
    place, magic = _TAR
    if head[place] == magic:
        raise NotTextError("this is a tar archive, not text; unpack it first")


def refuse_binary(head: str) -> None:
    """``NotTextError`` where the first characters are no text.

    Zeros at the end say nothing: a log that was cut off by a crash may be filled up with them.
    """
    sample = head[:_SAMPLE]
    sample = sample.rstrip("\0") or sample
    if len(_CONTROL.findall(sample)) > _MANY_CONTROLS * len(sample):
        raise NotTextError("this is binary data, not text")


def plain_line_ends(text: str) -> str:
    """The text with every line end (CRLF, LF or CR) made a line feed; lines keep their numbers."""
    return _LINE_END.sub("\n", text)


def encoding_by_head(data: bytes) -> str:
    """The encoding that a file begins in.

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
    """What a byte stands for that is no UTF-8, and where to go on."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _WINDOWS_1252[error.object[error.start]], error.start + 1


codecs.register_error(_WINDOWS, _as_windows_1252)


class Decoder:
    """Makes text of bytes as they come, whatever parts they come in.

    UTF-8, in which a byte that is none stands for a character of Windows-1252, or UTF-16, in which
    U+FFFD stands for what is damaged. The encoding may change on the way.
    """

    def __init__(self, encoding: str) -> None:
        """``encoding`` is that of the first bytes."""
        self._held = b""
        self._known = 0
        self._turn_to(encoding)

    def decode(self, data: bytes, final: bool = False) -> str:
        """The text of what came and was not given yet; a few last bytes wait for the next."""
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
        """Where the encoding changes next."""
        if self._wide:
            return _FROM_UTF_16.search(data, self._known)
        # Most logs have no zero, and are not searched for more.
        return _FROM_UTF_8.search(data, self._known) if b"\0" in data else None

    def _turn_to(self, encoding: str) -> None:
        self._wide = encoding != UTF_8
        errors = "replace" if self._wide else _WINDOWS
        self._decoder = codecs.getincrementaldecoder(encoding)(errors=errors)

    def _end(self, data: bytes) -> str:
        """The last text in an encoding. A damaged file may end in half a character of UTF-16."""
        text = self._decoder.decode(data)
        rest, _ = self._decoder.getstate()
        self._decoder.reset()
        whole = rest[: len(rest) // 2 * 2] if self._wide else rest
        return text + self._decoder.decode(whole, final=True)
