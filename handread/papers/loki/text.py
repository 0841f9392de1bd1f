"""Loki's tables as text."""

from functools import partial

from handread.game.rules import STREET_NAMES
from handread.papers.loki.income import FIGURE as INCOME
from handread.papers.loki.model import ACTIONS, COSTS
from handread.papers.loki.study import ActionFrequencies, StartingHands
from handread.report.tables import FigureColumn, as_prose, figures_text, n_cell, n_games, with_error
from handread.study.statistics import Key

BEST, WORST = 20, 5
"""The starting hands that the text lists."""


def starting_hands_text(table: StartingHands) -> str:
    """Return the incomes of the best and the worst starting hands as text."""
    order = sorted(table.figures, key=lambda key: -table.figures[key].mean)
    shown = [(key.group, key) for key in (*order[:BEST], *order[-WORST:])]
    income = FigureColumn(("income",), INCOME, partial(with_error, digits=3, sign="+"))
    return (
        as_prose(
            f"{len(order):,} starting hands, {n_games(table.games)} each, {table.players} players",
            f"bets a game, mean ±standard error; the best {BEST} and the worst {WORST}",
        )
        + f"\n{figures_text(table, shown, [income], 'hand')}"
    )


def action_frequencies_text(table: ActionFrequencies) -> str:
    """Return the frequencies of actions as text: a line per street and cost."""
    share = partial(with_error, digits=1, scale=100.0, unit="%")
    columns = (
        FigureColumn(("actions",), ACTIONS[0], n_cell),
        *(FigureColumn((action,), action, share) for action in ACTIONS),
    )
    places = [
        (f"{STREET_NAMES[int(stage)]} street, {cost} to call", Key("", stage, cost))
        for stage in table.stages
        for cost in COSTS
        if table.at(ACTIONS[0], stage, cost).n
    ]
    return (
        as_prose(f"{n_games(table.games)}, {table.players}", "mean ±standard error over games")
        + f"\n{figures_text(table, places, columns, 'situation')}"
    )
