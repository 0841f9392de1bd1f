"""Tables of the figures of many hands, in Parquet files that polars, DuckDB and pandas open.

``pieces`` cuts logs into pieces and computes the rows of
each, ``store`` keeps the rows, ``run`` does all this for ``handread score``, and ``cluster`` moves
the work to a Dask cluster. ``columns`` lists the columns. ``read`` opens finished tables for
``summary``, ``query`` and ``export``.
"""

from __future__ import annotations

from collections.abc import Mapping

from handread.sessions.opening import TERMS_FILE as TERMS_FILE

VERSION = "handread.score/3"
"""Version of the tables; it changes when a stable column does."""

HANDS, STAGE_TABLE, ACTIONS, PLAYERS, REJECTS, PIECES = TABLES = (
    "hands",
    "stages",
    "actions",
    "players",
    "rejects",
    "pieces",
)
"""Names of the tables that every folder has."""

DECISIONS, LEDGERS = VALUE_TABLES = ("decisions", "ledgers")
"""Names of the tables that a folder has if decisions were valued."""

ALL_TABLES = (*TABLES, *VALUE_TABLES)


def tables_of(terms: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the tables of a folder that was made on these terms."""
    return ALL_TABLES if DECISIONS in terms else TABLES
