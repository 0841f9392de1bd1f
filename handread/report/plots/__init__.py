"""Pictures: figures of matplotlib made from values, and files of them."""

from handread.report.plots.canvas import drawn, save
from handread.report.plots.games import (
    calibration_figure,
    entropies_figure,
    gain_figure,
    win_rates_figure,
)
from handread.report.plots.hands import htpd_figure
from handread.report.plots.misspecified import misreading_figure
from handread.report.plots.policies import policy_figure
from handread.report.plots.reliability import reliability_figure

__all__ = [
    "calibration_figure",
    "drawn",
    "entropies_figure",
    "gain_figure",
    "htpd_figure",
    "misreading_figure",
    "policy_figure",
    "reliability_figure",
    "save",
    "win_rates_figure",
]
