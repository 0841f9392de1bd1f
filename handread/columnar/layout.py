"""The columns of a hand in a Parquet file, and which of them each kind of event fills.

One row a hand; its events are a list of structs, so that ``explode`` and ``unnest`` make a table
of actions of it. Cards and kinds of events are enums: they read as words (``7h``, ``raise to``),
a value that names none cannot be written, and they take less room than small integers do, which
polars writes without a dictionary. Money is an integer of minor units, as everywhere. A null is
what the record does not say: a card not seen, an amount left to the rules, unknown stakes.
The cards of a show stand in ``up``, in the order of the log; of a hand whose last downcard may be
any of three, these three stand in ``down``.

Lines and columns of the text that a hand came from are not kept; in a Parquet file the place of a
hand is its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

import polars as pl

from handread.cards import DECK_SIZE, card_text
from handread.history import (
    Ante,
    Bet,
    BringIn,
    Call,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    Muck,
    RaiseTo,
    Rake,
    Remark,
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
)
from handread.stud import STREET_NAMES

VERSION_KEY = "handread.hands"
"""The key of the file's metadata under which the version of the columns stands."""

VERSION = "1"

CARDS = pl.Enum([card_text(card) for card in range(DECK_SIZE)])
"""Cards by name; the place of a name in the list is the number of the card."""

_CELLS: Mapping[str, tuple[pl.DataType, object]] = {
    "seat": (pl.UInt16(), None),
    "amount": (pl.Int64(), None),
    "all_in": (pl.Boolean(), False),
    "double": (pl.Boolean(), False),
    "down": (pl.List(CARDS), ()),
    "up": (pl.List(CARDS), ()),
    "text": (pl.String(), None),
}

EMPTY = {column: empty for column, (_, empty) in _CELLS.items()}
"""The columns of an event after its kind, with what stands in those that its kind does not use."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event: the attribute of the event for each column of ``EMPTY``, if it has one.

    ``fixed`` are attributes that the name says by itself; ``needed`` those that a record cannot
    leave open (what the event's class has no default for, or another default than ``None``).
    """

    name: str
    event: type[Event]
    attributes: tuple[str | None, ...]
    fixed: Mapping[str, object] = field(default_factory=dict)
    needed: frozenset[str] = frozenset()

    def covers(self, event: Event) -> bool:
        """Whether an event of this kind's class is of this kind."""
        return all(getattr(event, name) == value for name, value in self.fixed.items())


def _kind(name: str, event: type[Event], columns: str = "", **fixed: object) -> Kind:
    """A kind whose columns are words: ``seat``, or ``amount=to`` where the event says ``to``."""
    pairs = (column.partition("=") for column in columns.split())
    attribute = {column: other or column for column, _, other in pairs}
    needed = frozenset(part.name for part in fields(event) if part.default is not None)
    return Kind(name, event, tuple(map(attribute.get, EMPTY)), fixed, needed)


KINDS = (
    _kind("ante", Ante, "seat amount all_in"),
    *(_kind(f"{name} street", StreetStart, street=n) for n, name in STREET_NAMES.items()),
    _kind("deal", Deal, "seat down up"),
    _kind("shared card", SharedCard, "up=card"),
    _kind("bring-in", BringIn, "seat amount all_in"),
    _kind("check", Check, "seat"),
    _kind("fold", Fold, "seat"),
    _kind("bet", Bet, "seat amount all_in double"),
    _kind("call", Call, "seat amount all_in"),
    _kind("raise to", RaiseTo, "seat amount=to all_in double"),
    _kind("uncalled", Uncalled, "seat amount"),
    _kind("show", Show, "seat up=cards"),
    _kind("muck", Muck, "seat up=cards"),
    _kind("collect", Collect, "seat amount text=pot"),
    _kind("total pot", TotalPot, "amount", before_rake=True),
    _kind("total pot without rake", TotalPot, "amount", before_rake=False),
    _kind("rake", Rake, "amount"),
    _kind("remark", Remark, "text"),
)

_STAKES = pl.Struct(
    {
        "ante": pl.Int64,
        "bring_in": pl.Int64,
        "bets": pl.Array(pl.Int64, 5),
        "cap": pl.Int64,
        "cap_heads_up": pl.Int64,
        "open_pair_doubles": pl.Boolean,
        "inferred": pl.Boolean,
    }
)

SEAT = pl.Struct(
    {"number": pl.UInt16, "name": pl.String, "stack": pl.Int64, "sitting_out": pl.Boolean}
)

EVENT = pl.Struct(
    {
        "kind": pl.Enum([kind.name for kind in KINDS]),
        **{column: dtype for column, (dtype, _) in _CELLS.items()},
    }
)

HAND = {
    "hand_id": pl.String(),
    "variant": pl.String(),
    "table": pl.String(),
    "played_at": pl.String(),
    "decimals": pl.UInt8(),
    "currency": pl.String(),
    "hero": pl.UInt16(),
    "stakes": _STAKES,
}
"""The columns of a hand that are no lists."""

SCHEMA = pl.Schema({**HAND, "seats": pl.List(SEAT), "events": pl.List(EVENT)})
"""The columns of version 1; a file must have these, in this order."""
