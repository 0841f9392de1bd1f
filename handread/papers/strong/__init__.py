"""A strong player by policy iteration, and the ladder that measures players."""

from handread.papers import STRONG
from handread.registry import Commands, Paper, PaperEntry

PAPER = Paper(
    players={"rollouts": PaperEntry(f"{__name__}.player", "RolloutPlayer", "decides by rollouts")},
    commands=(
        Commands("experiment", STRONG, f"{__name__}.commands", ("ladder",)),
        Commands("policy", STRONG, f"{__name__}.commands", ("improve",)),
    ),
)
