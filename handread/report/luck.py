"""The text of learned values and of the check of luck."""

from __future__ import annotations

import math

from handread.decisions.learned import LearnedValues
from handread.decisions.ledger import TERMS
from handread.game.rules import variant_of
from handread.report.decisions import TERM_WORDS
from handread.report.tables import (
    FigureColumn,
    as_prose,
    as_text,
    figures_text,
    n_games,
    number,
    with_error,
)
from handread.report.words import visible
from handread.study.luck import MEAN, RATIO, RESULTS, SQUARE, LuckCheck
from handread.study.statistics import Estimate, Key

RESULT_WORDS = {
    "net": "result",
    "luck": "luck of the cards",
    "adjusted": "result without luck",
}
"""The results of ledgers in words."""


def _root(estimate: Estimate) -> str:
    return number(math.sqrt(estimate.mean), 2) if estimate.n else ""


LUCK_COLUMNS = (
    FigureColumn(("mean",), MEAN, with_error),
    FigureColumn(("size",), SQUARE, _root),
)


def luck_text(found: LuckCheck) -> str:
    """Return the check of luck as text."""
    words = {**TERM_WORDS, **RESULT_WORDS}
    rows = [(words[name], Key("", group=name)) for name in (*TERMS, *RESULTS)]
    ratio = found.at(RATIO)
    return (
        as_prose(
            f"{n_games(found.games)} of {variant_of(found.game).title}, {visible(found.policy)}; "
            f"{found.ledgers:,} ledgers, all sums exact",
            "big bets a player and hand, mean ±standard error by game; "
            "the size is the root of the mean square",
        )
        + f"\n{figures_text(found, rows, LUCK_COLUMNS, 'term')}"
        + as_prose(
            f"variance without luck: {number(ratio.mean, 1, 100.0, unit='%')} "
            f"±{number(ratio.error, 1, 100.0)} of that of the result"
        )
    )


_MEASURED = (
    ("after a check or call", "called"),
    ("after a bet or raise", "raised"),
    ("difference of the two", "gain"),
)


def fitted_values_text(found: LearnedValues) -> str:
    """Return the errors of learned values on held-out games as text."""
    rows = [["value", "R2", "rms error", "spread"]]
    for words, name in _MEASURED:
        figures = [found.made[f"{name}_{figure}"] for figure in ("r2", "rms", "sd")]
        rows.append([words, *(number(figure, 3) for figure in figures)])
    title = variant_of(found.game).title
    return (
        as_prose(
            f"values of {visible(found.policy)} in {title}, "
            f"{round(found.made['decisions']):,} decisions rolled out",
            "in big bets, on games held out from the fit, without the noise of the rollouts",
        )
        + f"\n{as_text(rows)}"
    )
