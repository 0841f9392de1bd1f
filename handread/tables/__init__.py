"""Tables of the figures of many hands, in Parquet files that polars, DuckDB and pandas open.

``pieces`` cuts logs into pieces and computes their rows, ``store`` keeps the rows in parts,
``files`` writes parts, and ``run`` does all this for ``handread score``. ``columns`` lists the
columns. ``read`` opens finished tables for ``summary``, ``query`` and ``export``.
"""

from collections.abc import Mapping

from handread.sessions.opening import TERMS_FILE as TERMS_FILE

VERSION = "handread.score/4"
"""Version of the tables; it changes when a stable column does."""

TABLES = ("hands", "stages", "actions", "players", "rejects", "pieces")
HANDS, STAGE_TABLE, ACTIONS, PLAYERS, REJECTS, PIECES = TABLES
"""Names of the tables that every folder has."""

DECISIONS, LEDGERS = VALUE_TABLES = ("decisions", "ledgers")
"""Names of the tables of valued decisions."""

ALL_TABLES = (*TABLES, *VALUE_TABLES)


def tables_of(terms: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the tables of a folder with these terms."""
    return ALL_TABLES if DECISIONS in terms else TABLES
