"""The slow obvious twin of reading a log in pieces: all of its bytes at once."""

from __future__ import annotations

from handread.formats.text import UTF_8, Decoder, encoding_by_head, refuse_archive, refuse_binary

PLAIN = frozenset(b"\t\n\r" + bytes(range(32, 127)))


def decode(data: bytes) -> str:
    """The text that the bytes of a file hold, without byte order marks.

    UTF-8 and UTF-16, with a mark or without, one after the other in any order. Bytes that are no
    UTF-8 are characters of Windows-1252; characters that a damaged file of UTF-16 has lost become
    U+FFFD, which also stands where UTF-8 follows UTF-16 inside a line. Raises ``NotTextError`` for
    archives and other binary data.
    """
    refuse_archive(data)
    encoding = encoding_by_head(data)
    refuse_binary(Decoder(encoding).decode(data, final=True))
    text, start, at = "", 0, 0
    while at < len(data):
        turn = _turn(data[at : at + 67], encoding)
        if turn:
            text += _decoded(data[start:at], encoding)
            start = at
            inside = text and not {"\n", "\r"} & {text[-1], chr(data[at])}
            if encoding != UTF_8 == turn[0] and inside:
                text += "\ufffd"
            encoding, length = turn
            at += length
        else:
            at += 1
    text += _decoded(data[start:], encoding)
    return _without_zeros(text.replace("\ufeff", ""))


def _without_zeros(text: str) -> str:
    clean = ""
    for character in text:
        blank = not clean or clean[-1].isspace()
        clean += character if character != "\0" else " " if blank else "\ufffd"
    return clean


def _turn(data: bytes, before: str) -> tuple[str, int] | None:
    """The encoding that begins with these bytes, and how many of them tell."""
    for mark, low, encoding in ((b"\xff\xfe", 0, "utf-16-le"), (b"\xfe\xff", 1, "utf-16-be")):
        marked = data.startswith(mark)
        units = data[2:34] if marked else data[:32]
        line_end = low == 0 and units[:1] in (b"\r", b"\n")
        wide = len(units) == 32 and not any(units[1 - low :: 2]) and PLAIN.issuperset(units[low::2])
        if wide and (marked or (before == UTF_8 and not line_end)):
            return encoding, len(units) + 2 * marked
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    plain = data[len(mark) : len(mark) + 64]
    if before != UTF_8 and len(plain) == 64 and PLAIN.issuperset(plain):
        return UTF_8, len(mark) + 64
    return None


def _decoded(data: bytes, encoding: str) -> str:
    if encoding != UTF_8:
        return data[: len(data) // 2 * 2].decode(encoding, errors="replace")
    text, at = "", 0
    while at < len(data):
        try:
            return text + data[at:].decode()
        except UnicodeDecodeError as error:
            wrong = at + error.start
            text += data[at:wrong].decode() + data[wrong : wrong + 1].decode("cp1252", "replace")
            at = wrong + 1
    return text
