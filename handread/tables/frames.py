"""An analysis as tidy polars frames, with the names and units of the tables of ``score``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import polars as pl

from handread.game.rules import variant_of
from handread.inference.hand import Analysis
from handread.odds.showdown import showdown_of
from handread.tables.columns import type_of
from handread.tables.figure import FRAME, PROBABILITY, STAGE_FRAME, Figure, columns_in
from handread.tables.figures import ACTION_FIGURES, STAGE_FIGURES
from handread.tables.rows import HandRow, SeatRow


def to_frame(analysis: Analysis, rows: str) -> pl.DataFrame:
    """Return a frame with a row per action, per stage, or per stage and seat.

    Raises:
        ValueError: ``rows`` is none of "actions", "stages" and "seats".
    """
    hand = HandRow(analysis)
    if rows == "actions":
        return _frame(columns_in(FRAME, ACTION_FIGURES), hand.actions())
    if rows == "stages":
        return _frame(columns_in(STAGE_FRAME, STAGE_FIGURES), hand.stages())
    if rows != "seats":
        raise ValueError(f"no rows {rows!r}: expected actions, stages or seats")
    categories = [
        Figure(f"p_{name.replace(' ', '_')}", PROBABILITY, "", partial(_category, name))
        for name in showdown_of(variant_of(hand.history.variant)).categories
    ]
    return _frame([*columns_in(FRAME, STAGE_FIGURES), *categories], hand.seats())


def _category(name: str, row: SeatRow) -> float:
    return row.categories[name]


def _frame(figures: Iterable[Figure[Any]], rows: Iterable[object]) -> pl.DataFrame:
    found = list(rows)
    types = {"word": pl.String(), "f32": pl.Float64()}
    return pl.DataFrame(
        [
            pl.Series(each.name, map(each.value, found), types.get(each.kind.type, type_of(each)))
            for each in figures
        ]
    )
