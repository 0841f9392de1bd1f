"""Hand records between text and history; judges no legality."""

from handread.notation.dialect import Dialect, Reading, Writer
from handread.notation.dialects import (
    detect,
    dialect_named,
    dialects,
    read_bytes,
    read_file,
    read_text,
    writer_named,
)
from handread.notation.saund_read import read_game
from handread.notation.source import text_lines

__all__ = [
    "Dialect",
    "Reading",
    "Writer",
    "detect",
    "dialect_named",
    "dialects",
    "read_bytes",
    "read_file",
    "read_game",
    "read_text",
    "text_lines",
    "writer_named",
]
