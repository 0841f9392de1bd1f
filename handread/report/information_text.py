"""Information gain and calibration as text."""

from collections.abc import Iterable

import handread.report.tables as tables
from handread.study.calibration import Calibration
from handread.study.information_gain import InformationGain
from handread.study.statistics import FigureTable, Key

GAIN_COLUMNS = (
    tables.FigureColumn(("games",), "log2_n_bits", lambda found: tables.count(found.n)),
    tables.FigureColumn(("log2 N",), "log2_n_bits", tables.with_error),
    tables.FigureColumn(("entropy",), "entropy_bits", tables.with_error),
    tables.FigureColumn(("K-L cards",), "kl_cards_only_bits", tables.with_error),
    tables.FigureColumn(("K-L bets",), "kl_bet_inference_bits", tables.with_error),
    tables.FigureColumn(("gain", ""), "gain_fraction", tables.share_cells),
)


def gain_text(table: InformationGain, rows: Iterable[tuple[str, Key]] | None = None) -> str:
    """Return the information gain as text: a line a stage, or the rows that are given."""
    rows = tables.by_stage(table) if rows is None else rows
    return (
        tables.as_prose(
            f"{tables.n_games(table.games)}, {table.policy}",
            "bits, mean ±standard error over the games with two or more active",
        )
        + f"\n{tables.figures_text(table, rows, GAIN_COLUMNS, 'stage')}"
        + left_out(table, "gain_fraction")
    )


def left_out(table: FigureTable, figure: str) -> str:
    """Return a line on the reads that gave no chance to what happened, if there are any."""
    n = sum(table.at(figure, stage).infinite for stage in table.stages)
    return f"left out: {n:,} infinite, where a read ruled out what could be\n" if n else ""


def calibration_text(table: Calibration) -> str:
    """Return the reliability table as text: a line a bin."""
    head = (
        f"{tables.n_games(table.games)}, {table.policy}; the observer's chances, and what came true"
    )
    kinds = dict.fromkeys(key.about for key in table.figures)
    return "\n".join(
        [tables.as_prose(head), *(tables.reliability_text(table, kind, True) for kind in kinds)]
    )
