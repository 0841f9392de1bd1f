"""The quality of readers, figures and values: the comparisons in the documentation."""

from handread.papers import DECISIONS, READERS
from handread.registry import Commands, Paper

PAPER = Paper(
    commands=(
        Commands("experiment", READERS, f"{__name__}.commands", ("readers", "benchmark")),
        Commands("experiment", DECISIONS, f"{__name__}.decisions_commands", ("read_value",)),
    ),
    pictures={
        "readers_figure": f"{__name__}.readers_figure",
        "read_value_figure": f"{__name__}.decisions_figure",
    },
)
