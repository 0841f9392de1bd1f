"""The replay engine: table states, decision points, legality, pots; a record's valid prefix."""

from handread.engine.played import DealtStreet, Decision, Replay, Spot, StreetPlay
from handread.engine.player import IllegalMove
from handread.engine.pots import Pot
from handread.engine.replaying import no_cards, replay, written_out
from handread.engine.table import Table
from handread.engine.tables import tables
from handread.infer_stakes import infer_stakes

__all__ = [
    "DealtStreet",
    "Decision",
    "IllegalMove",
    "Pot",
    "Replay",
    "Spot",
    "StreetPlay",
    "Table",
    "infer_stakes",
    "no_cards",
    "replay",
    "tables",
    "written_out",
]
