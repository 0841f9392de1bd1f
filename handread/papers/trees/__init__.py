"""The relational decision trees of Ponsen et al. 2008: how fast they learn a player."""

from handread.registry import Commands, Paper

_PANEL = "Ponsen et al. 2008: decision trees"

PAPER = Paper(
    commands=(Commands("experiment", _PANEL, f"{__name__}.commands", ("learning_curves",)),),
    pictures={"learning_figure": f"{__name__}.figure"},
)
