"""Learning curves as text."""

from functools import partial

from handread.papers.trees import study
from handread.report.tables import FigureColumn, as_prose, figures_text, mean_cell, with_error
from handread.report.words import visible
from handread.study.statistics import Key


def learning_text(found: study.LearningCurves) -> str:
    """Return learning curves as text: for each prediction, a line per number of games."""
    gain = partial(with_error, sign="+z")
    tables = []
    for kind, title in (
        (study.ACTION, "the action, given the outcome, the upcards and the history"),
        (study.OUTCOME, "the outcome, given the upcards and the history"),
    ):
        rows = [(f"{size:,}", Key("", "", "", study.part_of(kind, size))) for size in found.sizes]
        columns = [
            FigureColumn((curve,), study.LIKELIHOOD, partial(mean_cell, digits=3), group=curve)
            for curve in study.CURVES
        ]
        gains = [
            FigureColumn((f"{curve} - prior",), study.GAIN, gain, group=curve)
            for curve in study.CURVES[2:]
        ]
        tables.append(f"{title}\n{figures_text(found, rows, (*columns, *gains), 'games')}")
    head = as_prose(
        f"{len(found.players)} players, up to {max(found.sizes):,} games of each to learn from and "
        f"{found.held_out:,} held out; the prior is learned from {found.others:,} games of others",
        "mean log2 P of the held-out examples, in bits; its gain on the prior, with the standard "
        "error over the players",
        "the players: " + visible("; ".join(found.players)),
    )
    return "\n".join([head, *tables])
