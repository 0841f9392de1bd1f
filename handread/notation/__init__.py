"""Hand records between text and history; judges no legality."""

from handread.notation.dialect import Dialect, Reading, Writer
from handread.notation.dialects import (
    LogPiece,
    LogReader,
    detect,
    dialect_named,
    dialects,
    nothing_in,
    read_bytes,
    read_file,
    read_stream,
    read_text,
    writer_named,
)
from handread.notation.saund_read import read_game
from handread.notation.source import HEAD
from handread.notation.stream import holds_text

__all__ = [
    "HEAD",
    "Dialect",
    "LogPiece",
    "LogReader",
    "Reading",
    "Writer",
    "detect",
    "dialect_named",
    "dialects",
    "holds_text",
    "nothing_in",
    "read_bytes",
    "read_file",
    "read_game",
    "read_stream",
    "read_text",
    "writer_named",
]
