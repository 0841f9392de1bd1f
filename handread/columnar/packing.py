"""From histories to the columns of a Parquet file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from itertools import chain
from typing import Any

import polars as pl

from handread.cards import DECK_SIZE, MaybeCard, card_text
from handread.columnar.layout import CARDS, EMPTY, EVENT, HAND, KINDS, SEAT, Kind
from handread.history import Event, History, Muck, Seat, SharedCard, Show, loose_cards
from handread.stud import VARIANTS, Stakes

_NAME_OF_CARD: dict[MaybeCard, str | None] = {
    **{card: card_text(card) for card in range(DECK_SIZE)},
    None: None,
}
_INT64 = range(-(2**63), 2**63)
_UINT8 = range(2**8)
_SEATS = range(1, 2**16)

_Cells = tuple[object, ...]


class Batch:
    """Hands on their way into a table; a hand that does not fit leaves no trace in it."""

    def __init__(self) -> None:
        self._hands: list[_Cells] = []
        self._seats: list[_Cells] = []
        self._n_seats: list[int] = []
        self._events: list[_Cells] = []
        self._n_events: list[int] = []

    def __len__(self) -> int:
        return len(self._hands)

    def add(self, history: History) -> None:
        """Takes in a hand; ``ValueError`` for one that the columns cannot hold.

        Refused are hands with problems, games and events that handread does not know, seats beyond
        1 to 65,535, amounts beyond 64 bits, cards out of the deck, and text that is no Unicode.
        """
        if history.problems:
            raise ValueError(f"its record is not sound: {history.problems[0].message}")
        hand = _hand_cells(history)
        seats = [_seat_cells(seat) for seat in history.seats]
        events = [_event_cells(event) for event in history.events]
        self._hands.append(hand)
        self._seats += seats
        self._n_seats.append(len(seats))
        self._events += events
        self._n_events.append(len(events))

    def frame(self) -> pl.DataFrame:
        """The table of the hands, of the columns of ``layout.SCHEMA``."""
        return pl.DataFrame(self._hands, schema=HAND, orient="row").with_columns(
            _in_lists(_structs(self._seats, SEAT), self._n_seats).alias("seats"),
            _in_lists(_structs(self._events, EVENT), self._n_events).alias("events"),
        )


def _hand_cells(history: History) -> _Cells:
    if history.variant not in VARIANTS:
        raise ValueError(f"{history.variant!r} is no game that handread knows")
    if history.unit.decimals not in _UINT8:
        raise ValueError(
            f"amounts with {history.unit.decimals} digits after the point; 255 is most"
        )
    return (
        _text(history.hand_id),
        history.variant,
        _text(history.table),
        _text(history.played_at),
        history.unit.decimals,
        _text(history.unit.symbol),
        None if history.hero is None else _seat(history.hero),
        None if history.stakes is None else _stakes_cells(history.stakes),
    )


@lru_cache(maxsize=256)
def _stakes_cells(stakes: Stakes) -> dict[str, object]:
    for amount in (stakes.ante, stakes.bring_in, *stakes.bets, stakes.cap, stakes.cap_heads_up):
        _amount(amount)
    return asdict(stakes)


def _seat_cells(seat: Seat) -> _Cells:
    return _seat(seat.number), _text(seat.name), _amount(seat.stack), seat.sitting_out


# Hands of one table repeat most of their events.
@lru_cache(maxsize=1 << 12)
def _event_cells(event: Event) -> _Cells:
    kind = _kind_of(event)
    cells: dict[str, Any] = dict(EMPTY)
    for column, attribute in zip(EMPTY, kind.attributes, strict=True):
        if attribute is not None:
            cells[column] = getattr(event, attribute)
    if isinstance(event, SharedCard):
        cells["up"] = (event.card,)
    elif isinstance(event, Show | Muck) and event.any_order:
        if len(event.cards) != 7:
            raise ValueError(f"a hand in any order has 7 cards, not {len(event.cards)}")
        cells["down"], cells["up"] = loose_cards(event), event.cards[2:6]
    if kind.attributes[0]:
        _seat(cells["seat"])
    _amount(cells["amount"])
    _text(cells["text"] or "")
    for card in (*cells["down"], *cells["up"]):
        if card not in _NAME_OF_CARD:
            raise ValueError(f"{card} is no card; cards are 0 to {DECK_SIZE - 1}")
    return kind.name, *cells.values()


_KINDS_OF_CLASS = {kind.event: [k for k in KINDS if k.event is kind.event] for kind in KINDS}


def _kind_of(event: Event) -> Kind:
    for kind in _KINDS_OF_CLASS.get(type(event), ()):
        if kind.covers(event):
            return kind
    raise ValueError(f"there is no such event as {event}")


def _seat(number: int) -> int:
    if number not in _SEATS:
        raise ValueError(f"there is no seat {number}; seats are 1 to {_SEATS[-1]}")
    return number


def _amount(amount: int | None) -> int | None:
    # Polars makes a null of a number that is too great for its column.
    if amount is not None and amount not in _INT64:
        raise ValueError("an amount takes more than 64 bits")
    return amount


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{text!r} holds what is no character") from None
    return text


# Columns


def _structs(rows: Sequence[_Cells], dtype: pl.Struct) -> pl.Series:
    """Rows of cells as a column of structs; the cards in the rows are numbers."""
    columns = list(zip(*rows, strict=True)) or [()] * len(dtype.fields)
    parts = [
        _card_lists(cells) if part.dtype == pl.List(CARDS) else pl.Series(cells, dtype=part.dtype)
        for part, cells in zip(dtype.fields, columns, strict=True)
    ]
    names = [part.name for part in dtype.fields]
    return pl.DataFrame(dict(zip(names, parts, strict=True))).to_struct()


def _card_lists(cells: Sequence[Sequence[MaybeCard]]) -> pl.Series:
    # Built from one flat column: polars takes far longer over many short lists of an enum.
    names = [_NAME_OF_CARD[card] for card in chain.from_iterable(cells)]
    return _in_lists(pl.Series(names, dtype=CARDS), list(map(len, cells)))


def _in_lists(values: pl.Series, lengths: Sequence[int]) -> pl.Series:
    """A column of lists: the first ``lengths[0]`` values, those after them, and so on."""
    rows = pl.DataFrame({"length": pl.Series(lengths, dtype=pl.UInt32)}).with_row_index("row")
    owners = rows.select(pl.col("row").repeat_by("length")).filter(pl.col("row").list.len() > 0)
    flat = pl.DataFrame({"row": owners["row"].explode(), "values": values})
    lists = flat.group_by("row", maintain_order=True).agg("values")
    joined = rows.join(lists, on="row", how="left", maintain_order="left")
    return joined["values"].fill_null(pl.Series([[]], dtype=lists.schema["values"]))
