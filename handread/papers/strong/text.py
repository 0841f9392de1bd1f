"""The ladder, and the gains of an improved policy, as text."""

from __future__ import annotations

from functools import partial

from handread.papers.published import range_cell
from handread.papers.strong.improve import GAIN, Gains
from handread.papers.strong.ladder import NET, Ladder
from handread.report.tables import FigureColumn, as_prose, figures_text, with_error
from handread.study.statistics import FigureTable


def ladder_text(table: Ladder) -> str:
    """Return the results of the matches as text."""
    words = as_prose(
        f"{table.deals:,} deals of each match, played twice with the cards exchanged",
        "big bets a hand that the first player of a match wins, mean ±standard error over deals",
    )
    return f"{words}\n{_table(table, NET, 'match')}"


def gains_text(table: Gains, start: str) -> str:
    """Return the gains of an improved policy as text."""
    words = as_prose(
        f"{table.deals:,} deals with one player in the same seat, by the new policy and by {start}",
        "big bets a game that the new policy wins more, mean ±standard error over deals",
    )
    return f"{words}\n{_table(table, GAIN, 'against')}"


def _table(table: FigureTable, figure: str, title: str) -> str:
    columns = (
        FigureColumn(("big bets",), figure, partial(with_error, sign="+")),
        FigureColumn(("95%",), figure, range_cell),
    )
    rows = [(f"{key.group}, {key.about}", key) for key in table.figures]
    return figures_text(table, rows, columns, title)
