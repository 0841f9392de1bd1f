"""Hand records between text and history; judges no legality."""

from handread.notation.dialect import Dialect, Reading
from handread.notation.dialects import (
    detect,
    dialect_named,
    dialects,
    read_bytes,
    read_file,
    read_text,
)

__all__ = [
    "Dialect",
    "Reading",
    "detect",
    "dialect_named",
    "dialects",
    "read_bytes",
    "read_file",
    "read_text",
]
