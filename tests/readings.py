"""All that a reader found in a text, to be compared."""

from __future__ import annotations

from handread.formats.log_reader import LogPiece, LogReader
from handread.formats.registry import dialects
from handread.history import History, Problem


def contents(reading: History | Problem) -> object:
    """All that a reading says, sources, lines and problems with it."""
    if isinstance(reading, Problem):
        return reading
    lines = [(event, event.line, event.column) for event in reading.events]
    return reading, reading.source, lines, reading.problems, reading.end_line


def cut(text: str, file: str, size: int, bit: int) -> list[LogPiece | Problem]:
    """The pieces of that size of a text that comes in bits of another."""
    dialect = next((dialect for dialect in dialects() if dialect.detect(text)), None)
    bits = (text[at : at + bit] for at in range(0, len(text), bit))
    return list(LogReader(bits, file, dialect).pieces(size))


def in_pieces(text: str, file: str, size: int, bit: int) -> list[History | Problem]:
    """The text read in such pieces."""
    return [
        one
        for piece in cut(text, file, size, bit)
        for one in ([piece] if isinstance(piece, Problem) else piece.read(file))
    ]
