"""A strong player by policy iteration, and the ladder that measures players."""

from handread.papers import STRONG
from handread.registry import Commands, Entry, Paper

PAPER = Paper(
    players={"rollouts": Entry(f"{__name__}.player", "RolloutPlayer", "decides by rollouts")},
    commands=(
        Commands("experiment", STRONG, f"{__name__}.commands", ("ladder",)),
        Commands("policy", STRONG, f"{__name__}.commands", ("improve",)),
    ),
)
