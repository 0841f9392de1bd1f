"""Learning curves as text."""

from functools import partial

from handread.papers.trees import study
from handread.report.tables import FigureColumn, as_prose, figures_text, mean_cell, with_error
from handread.report.words import visible
from handread.study.statistics import Key


def learning_text(table: study.LearningCurves) -> str:
    """Return learning curves as text: for each prediction, a line per number of games."""
    gain = partial(with_error, sign="+z")
    tables = []
    for kind, title in (
        (study.ACTION, "the action, given the outcome, the upcards and the history"),
        (study.OUTCOME, "the outcome, given the upcards and the history"),
    ):
        rows = [(f"{size:,}", Key("", "", "", study.part_of(kind, size))) for size in table.sizes]
        columns = [
            FigureColumn((curve,), study.LIKELIHOOD, partial(mean_cell, digits=3), group=curve)
            for curve in study.CURVES
        ]
        gains = [
            FigureColumn((f"{curve} - prior",), study.GAIN, gain, group=curve)
            for curve in study.CURVES[2:]
        ]
        tables.append(f"{title}\n{figures_text(table, rows, (*columns, *gains), 'games')}")
    head = as_prose(
        f"{len(table.players)} players, up to {max(table.sizes):,} games of each to learn from and "
        f"{table.held_out:,} held out; the prior is learned from {table.others:,} games of others",
        "mean log2 P of the held-out examples, in bits; its gain on the prior, with the standard "
        "error over the players",
        "the players: " + visible("; ".join(table.players)),
    )
    return "\n".join([head, *tables])
