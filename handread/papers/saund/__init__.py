"""The experiments of Saund 2006, whose observer is the core of handread."""

from handread.registry import Commands, Paper

_PANEL = "Saund 2006, and the limits of its observer"
_COMMANDS, _FIGURE = f"{__name__}.commands", f"{__name__}.figure"

PAPER = Paper(
    commands=(
        Commands(
            "experiment",
            _PANEL,
            _COMMANDS,
            ("information_gain", "win_rates", "entropies", "calibration"),
        ),
    ),
    pictures={
        "gain_figure": "handread.report.figures",
        "entropies_figure": "handread.report.figures",
        "reliability_figure": "handread.report.figures",
        "win_rates_figure": _FIGURE,
    },
)
