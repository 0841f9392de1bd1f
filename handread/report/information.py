"""Information gain and calibration as text."""

from __future__ import annotations

from collections.abc import Iterable

from handread.report.tables import (
    FigureColumn,
    as_prose,
    by_stage,
    count,
    figures_text,
    n_games,
    reliability_text,
    share_cells,
    with_error,
)
from handread.study.calibration import Calibration
from handread.study.information import InformationGain
from handread.study.statistics import FigureTable, Key

GAIN_COLUMNS = (
    FigureColumn(("games",), "log2_n_bits", lambda found: count(found.n)),
    FigureColumn(("log2 N",), "log2_n_bits", with_error),
    FigureColumn(("entropy",), "entropy_bits", with_error),
    FigureColumn(("K-L cards",), "kl_cards_only_bits", with_error),
    FigureColumn(("K-L bets",), "kl_bet_inference_bits", with_error),
    FigureColumn(("gain", ""), "gain_fraction", share_cells),
)


def gain_text(table: InformationGain, rows: Iterable[tuple[str, Key]] | None = None) -> str:
    """Return the information gain as text: a line a stage, or the rows that are given."""
    rows = by_stage(table) if rows is None else rows
    return (
        as_prose(
            f"{n_games(table.games)}, {table.policy}",
            "bits, mean ±standard error over the games with two or more active",
        )
        + f"\n{figures_text(table, rows, GAIN_COLUMNS, 'stage')}"
        + left_out(table, "gain_fraction")
    )


def left_out(table: FigureTable, figure: str) -> str:
    """Return a line on the reads that gave no chance to what happened, if there are any."""
    n = sum(table.at(figure, stage).infinite for stage in table.stages)
    return f"left out: {n:,} infinite, where a read ruled out what could be\n" if n else ""


def calibration_text(table: Calibration) -> str:
    """Return the reliability table as text: a line a bin."""
    head = f"{n_games(table.games)}, {table.policy}; the observer's chances, and what came true"
    kinds = dict.fromkeys(key.about for key in table.figures)
    return "\n".join([as_prose(head), *(reliability_text(table, kind, True) for kind in kinds)])
