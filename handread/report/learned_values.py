"""The text of learned values and of the check of luck."""

from __future__ import annotations

from handread.decisions.learned import LearnedValues
from handread.game.rules import variant_of
from handread.report.tables import (
    as_prose,
    as_text,
    number,
)
from handread.report.words import visible

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
