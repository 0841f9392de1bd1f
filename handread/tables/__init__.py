"""Many hands read into tables: Parquet that polars, DuckDB or pandas open.

``columns`` says what the tables hold, ``work`` makes the rows of a piece of a log, ``plan`` cuts
logs into pieces, ``store`` keeps the tables, ``run`` shares the work out. This module is light.
"""

from __future__ import annotations

VERSION = "handread.score/1"
"""The version of the tables; it changes when a stable column does."""

HANDS, STAGE_TABLE, ACTIONS, REJECTS, PIECES = TABLES = (
    "hands",
    "stages",
    "actions",
    "rejects",
    "pieces",
)
"""The names of the tables."""

TERMS_FILE = "handread.json"
"""What a folder of tables has, and no other: how they were made."""
