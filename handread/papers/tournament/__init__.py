"""The duplicate tournament of Billings et al. 1998, for all players."""

from handread.papers import LOKI
from handread.registry import Commands, Paper

PAPER = Paper(
    commands=(Commands("experiment", LOKI, f"{__name__}.commands", ("tournament",)),),
    pictures={"tournament_figure": f"{__name__}.figure"},
)
