"""Large sets of hands in Parquet files: one row a hand, columns with types, nothing lost.

``handread.columnar.files`` writes, reads and joins such files. This module is light, so that who
opens a file can ask what it is without loading polars.
"""

from __future__ import annotations

MAGIC = b"PAR1"


def is_parquet(head: bytes) -> bool:
    """Whether the first bytes of a file (four or more) are those of Parquet."""
    return head.startswith(MAGIC)
