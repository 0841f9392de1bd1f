"""Tables of figures as text for tests."""

import polars as pl

from handread.tables.export import escape_formulas


def frame_csv(frame: pl.DataFrame) -> str:
    """Return a frame as the CSV that files of results have."""
    return escape_formulas(frame.lazy()).collect().write_csv()
