"""Hand records between text and history; judges no legality."""

from handread.notation.dialect import Dialect, Reading, Writer
from handread.notation.dialects import (
    LogPiece,
    LogReader,
    read_bytes,
    read_file,
    read_stream,
    read_text,
)
from handread.notation.known import (
    BUILT_IN,
    Known,
    OwnGrammar,
    detect,
    dialect_named,
    dialects,
    read_grammars,
    writer_named,
)
from handread.notation.saund_read import read_game
from handread.notation.source import HEAD
from handread.notation.stream import holds_text, text_pieces

__all__ = [
    "BUILT_IN",
    "HEAD",
    "Dialect",
    "Known",
    "LogPiece",
    "LogReader",
    "OwnGrammar",
    "Reading",
    "Writer",
    "detect",
    "dialect_named",
    "dialects",
    "holds_text",
    "read_bytes",
    "read_file",
    "read_game",
    "read_grammars",
    "read_stream",
    "read_text",
    "text_pieces",
    "writer_named",
]
