"""Matplotlib figures of hands, policies and tables, and files of them."""

from handread.report.figures.hand import hand_figure, hand_pages, htpd_figure
from handread.report.figures.information import entropies_figure, gain_figure
from handread.report.figures.policies import policy_figure, profile_figure
from handread.report.figures.scores import (
    players_figure,
    reliability_figure,
    session_figure,
    surprise_figure,
)
from handread.report.figures.style import pages_drawn, picture_bytes, save, save_pages

__all__ = [
    "entropies_figure",
    "gain_figure",
    "hand_figure",
    "hand_pages",
    "htpd_figure",
    "pages_drawn",
    "picture_bytes",
    "players_figure",
    "policy_figure",
    "profile_figure",
    "reliability_figure",
    "save",
    "save_pages",
    "session_figure",
    "surprise_figure",
]
