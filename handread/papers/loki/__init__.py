"""Loki: weights updated by hand strength and potential (Billings et al. 1998)."""

from handread.papers import LOKI
from handread.registry import Commands, Entry, Paper

_READER, _PLAYER = f"{__name__}.reader", f"{__name__}.player"

PAPER = Paper(
    readers={
        "loki": Entry(_READER, "LokiReader", "Loki, one model for all players"),
        "loki-specific": Entry(_READER, "specific_reader", "Loki, a model for each player"),
        "loki-basic": Entry(_READER, "basic_reader", "Loki, which re-weighs on 3rd street only"),
    },
    players={
        "BPM": Entry(_PLAYER, "loki_player", "basic, of a moderate style"),
        "BPT": Entry(_PLAYER, "loki_player", "basic and tight"),
        "BPL": Entry(_PLAYER, "loki_player", "basic and loose"),
        "GOM": Entry(_PLAYER, "loki_player", "models its opponents as one"),
        "SOM": Entry(_PLAYER, "loki_player", "models each of its opponents"),
    },
    commands=(Commands("experiment", LOKI, f"{__name__}.commands", ("loki_tables",)),),
)
