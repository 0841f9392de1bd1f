"""A log read in pieces: memory holds a few megabytes, whatever stands in it."""

from __future__ import annotations

import io
import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO

from handread.notation.source import (
    HEAD,
    Decoder,
    NotTextError,
    cleaned,
    encoding_by_head,
    refuse_archive,
    refuse_binary,
)

PIECE = 1 << 20
"""How many bytes are read at once, and characters of hands."""

LONGEST = 4_000_000
"""How many characters a hand may have: names of ten thousand in each of its lines are no more."""


def holds_text(head: bytes) -> bool:
    """Whether a file with these first bytes (``HEAD`` of them tell) is read as text."""
    try:
        _begin(head)
    except NotTextError:
        return False
    return True


def text_pieces(stream: IO[bytes], size: int = PIECE, begun: bytes = b"") -> Iterator[str]:
    """The text of a stream from where it stands, line ends made line feeds.

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
    """What decodes a file with these first bytes; ``NotTextError`` if it is no text."""
    refuse_archive(head)
    encoding = encoding_by_head(head)
    refuse_binary(Decoder(encoding).decode(head, final=True))
    return Decoder(encoding)


def _byte_pieces(stream: IO[bytes], size: int, left: int | None) -> Iterator[bytes]:
    """So many bytes of a stream; what does not say how long it is, such as a pipe, to its end."""
    if left is None:
        yield from iter(lambda: stream.read(size), b"")
        return
    while data := stream.read(max(0, min(size, left))):
        left -= len(data)
        yield data


def _length(stream: IO[bytes]) -> int | None:
    """How many bytes follow. Some files that the system makes up say 0, and hold something."""
    if not stream.seekable():
        return None
    here = stream.tell()
    end = stream.seek(0, os.SEEK_END)
    stream.seek(here)
    return end - here if end else None


def _lines_of(lines: io.IncrementalNewlineDecoder, text: str, final: bool = False) -> str:
    """A text with line feeds for line ends; without bytes to decode, it takes text."""
    return lines.decode(text, final=final)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text: hands to be read, or what is passed over as it belongs to no hand's text.

    ``begins`` says that a hand which does not end begins here, of which the parts that follow and
    are passed over are the rest.
    """

    text: str
    passed_over: bool = False
    begins: bool = True


def cut_up(texts: Iterable[str], cut: Callable[[str], int], size: int) -> Iterator[Part]:
    """The text that ``texts`` are end to end, in parts that end where a hand begins.

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
            yield Part(ahead.take(length))
        elif seen == LONGEST and ahead.holds(LONGEST + 1):
            yield from _pass_over(ahead, cut)
        elif seen == LONGEST:
            break
        # A hand that does not end is not looked through again with each text.
        seen = size if length or seen == LONGEST else min(2 * seen, LONGEST)
    if ahead.holds(1):
        yield Part(ahead.first(LONGEST))


def _pass_over(ahead: _Ahead, cut: Callable[[str], int]) -> Iterator[Part]:
    """The parts up to the next beginning of a hand, or to the end of the text.

    It is looked for in stretches that overlap by half, so that what tells of it is in one of them.
    """
    begins = True
    while goes_on := ahead.holds(LONGEST):
        text = ahead.first(LONGEST)
        if cut(text):
            break
        yield Part(ahead.take(_overlap(text)), True, begins)
        begins = False
    text = ahead.first(LONGEST)
    length = _first_cut(text, cut) if goes_on or cut(text) else len(text)
    yield Part(ahead.take(length), True, begins)


def _overlap(text: str) -> int:
    """Where in a text the next stretch begins: about its middle, with a line.

    Where lines are too long for that, not with blanks: the rest of a line is no blank line.
    """
    half = len(text) // 2
    start = text.rfind("\n", 0, half) + 1 or len(text[:half].rstrip()) - 1
    return start if start > 0 else half


def _first_cut(text: str, cut: Callable[[str], int]) -> int:
    """Where the first hand begins behind the beginning of a text in which one does.

    The more is seen of a text, the later is the last beginning in it.
    """
    return cut(text[: bisect_left(range(len(text)), True, key=lambda n: cut(text[:n]) > 0)])


class _Ahead:
    """The part of a text, coming in bits, that is ahead of the reader."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = iter(texts)
        self._text = ""
        self._at = 0

    def holds(self, n: int) -> bool:
        """Whether so many characters are ahead; as much of the text is then at hand."""
        while len(self._text) - self._at < n:
            more = next(self._texts, None)
            if more is None:
                return False
            self._text = self._text[self._at :] + more
            self._at = 0
        return True

    def first(self, n: int) -> str:
        """The next characters that are at hand, up to so many."""
        return self._text[self._at : self._at + n]

    def take(self, n: int) -> str:
        """The same, now left behind."""
        text = self.first(n)
        self._at += len(text)
        return text
