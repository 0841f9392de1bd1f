"""Matplotlib figures of hands, policies and tables, and files of them."""

from handread.report.figures.hand_picture import hand_figure as hand_figure
from handread.report.figures.hand_picture import hand_pages as hand_pages
from handread.report.figures.hand_picture import htpd_figure as htpd_figure
from handread.report.figures.information_figures import entropies_figure as entropies_figure
from handread.report.figures.information_figures import gain_figure as gain_figure
from handread.report.figures.policies import policy_figure as policy_figure
from handread.report.figures.policies import profile_figure as profile_figure
from handread.report.figures.scores import players_figure as players_figure
from handread.report.figures.scores import reliability_figure as reliability_figure
from handread.report.figures.scores import session_figure as session_figure
from handread.report.figures.scores import surprise_figure as surprise_figure
from handread.report.figures.style import pages_drawn as pages_drawn
from handread.report.figures.style import picture_bytes as picture_bytes
from handread.report.figures.style import save as save
from handread.report.figures.style import save_pages as save_pages
