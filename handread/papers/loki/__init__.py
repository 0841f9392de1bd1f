"""Loki: weights updated by hand strength and potential (Billings et al. 1998)."""

from handread.papers import LOKI
from handread.registry import Commands, Entry, Paper

_READER = f"{__name__}.reader"

PAPER = Paper(
    readers={
        "loki": Entry(_READER, "generic_reader", "Loki, one model for all players"),
        "loki-specific": Entry(_READER, "specific_reader", "Loki, a model for each player"),
        "loki-basic": Entry(_READER, "basic_reader", "Loki, which re-weighs on 3rd street only"),
    },
    players={
        "BPM": Entry(f"{__name__}.player", "loki_player", "basic, of a moderate style"),
        "BPT": Entry(f"{__name__}.player", "loki_player", "basic and tight"),
        "BPL": Entry(f"{__name__}.player", "loki_player", "basic and loose"),
        "GOM": Entry(f"{__name__}.player", "loki_player", "models its opponents as one"),
        "SOM": Entry(f"{__name__}.player", "loki_player", "models each of its opponents"),
    },
    commands=(
        Commands(
            "experiment",
            LOKI,
            f"{__name__}.commands",
            ("loki_tables",),
        ),
    ),
)
