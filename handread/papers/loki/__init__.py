"""Loki: weights updated by hand strength and potential (Billings et al. 1998)."""

from handread.papers import LOKI
from handread.registry import Commands, Paper, PaperEntry

_READER, _PLAYER = f"{__name__}.reader", f"{__name__}.player"

PAPER = Paper(
    readers={
        "loki": PaperEntry(_READER, "LokiReader", "Loki, one model for all players"),
        "loki-specific": PaperEntry(_READER, "specific_reader", "Loki, a model for each player"),
        "loki-basic": PaperEntry(
            _READER, "basic_reader", "Loki, which re-weighs on 3rd street only"
        ),
    },
    players={
        "BPM": PaperEntry(_PLAYER, "loki_player", "basic, of a moderate style"),
        "BPT": PaperEntry(_PLAYER, "loki_player", "basic and tight"),
        "BPL": PaperEntry(_PLAYER, "loki_player", "basic and loose"),
        "GOM": PaperEntry(_PLAYER, "loki_player", "models its opponents as one"),
        "SOM": PaperEntry(_PLAYER, "loki_player", "models each of its opponents"),
    },
    commands=(Commands("experiment", LOKI, f"{__name__}.commands", ("loki_tables",)),),
)
