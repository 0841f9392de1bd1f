"""Pictures: figures of matplotlib made from values, and files of them."""

from handread.report.plots.canvas import drawn, save
from handread.report.plots.games import (
    calibration_figure,
    entropies_figure,
    gain_figure,
    win_rates_figure,
)
from handread.report.plots.hand import hand_figure, hand_pages
from handread.report.plots.hands import htpd_figure
from handread.report.plots.misspecified import misreading_figure
from handread.report.plots.pages import pages_drawn, save_pages
from handread.report.plots.players import players_figure, surprise_figure
from handread.report.plots.policies import policy_figure
from handread.report.plots.reliability import reliability_figure

__all__ = [
    "calibration_figure",
    "drawn",
    "entropies_figure",
    "gain_figure",
    "hand_figure",
    "hand_pages",
    "htpd_figure",
    "misreading_figure",
    "pages_drawn",
    "players_figure",
    "policy_figure",
    "reliability_figure",
    "save",
    "save_pages",
    "surprise_figure",
    "win_rates_figure",
]
