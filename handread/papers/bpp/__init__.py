"""BPP, the Bayesian poker program of Korb, Nicholson and Jitnah (1999)."""

from handread.registry import Commands, Paper, PaperEntry

_SHIPPED, _COMMANDS, _FIGURE = (f"{__name__}.{name}" for name in ("shipped", "commands", "figure"))

PAPER = Paper(
    readers={
        "bpp": PaperEntry(_SHIPPED, "shipped_reader", "the network of Korb et al. 1999"),
        "bpp-improved": PaperEntry(_SHIPPED, "improved_reader", "the same with improvements"),
    },
    commands=(
        Commands("experiment", "Korb et al. 1999: BPP", _COMMANDS, ("bpp", "bpp_reader")),
        Commands("policy", "Policies", _COMMANDS, ("export",)),
    ),
    pictures={"matches_figure": _FIGURE, "curves_figure": _FIGURE},
)
