"""Matplotlib figures of hands, policies and experiments, and files of them."""

from handread.papers.bench.decisions_figure import decision_calibration_figure, read_value_figure
from handread.papers.bench.readers_figure import readers_figure
from handread.papers.bpp.figure import curves_figure, matches_figure
from handread.papers.saund.figure import (
    entropies_figure,
    gain_figure,
    misreading_figure,
    tournament_figure,
    win_rates_figure,
)
from handread.papers.trees.figure import learning_figure
from handread.report.figures.hand import hand_figure, hand_pages, htpd_figure
from handread.report.figures.policies import policy_figure, profile_figure
from handread.report.figures.scores import (
    players_figure,
    reliability_figure,
    session_figure,
    surprise_figure,
)
from handread.report.figures.style import drawn, pages_drawn, save, save_pages

__all__ = [
    "curves_figure",
    "decision_calibration_figure",
    "drawn",
    "entropies_figure",
    "gain_figure",
    "hand_figure",
    "hand_pages",
    "htpd_figure",
    "learning_figure",
    "matches_figure",
    "misreading_figure",
    "pages_drawn",
    "players_figure",
    "policy_figure",
    "profile_figure",
    "read_value_figure",
    "readers_figure",
    "reliability_figure",
    "save",
    "save_pages",
    "session_figure",
    "surprise_figure",
    "tournament_figure",
    "win_rates_figure",
]
