"""Columns of a Parquet file of hands: pack hands into them, and unpack them.

An event is a struct of its kind and seven cells, of which each kind uses some.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from itertools import chain, count
from typing import Any, TypeVar

import polars as pl

from handread import history as hh
from handread.cards import DECK, DECK_SIZE, MaybeCard, card_text
from handread.game.rules import STREET_NAMES, STUD, VARIANTS, Stakes, Unit, Variant, variant_of
from handread.game.wagers import check_plain
from handread.history import History, Problem, Seat, Source
from handread.known_cards import loose_cards

VERSION_KEY = "handread.hands"
"""Key of the version of the columns in the metadata of the file."""

VERSION = "1"

LONGEST = 4_000_000
"""Most characters of a hand, as in a log; see ``sizes``."""

EVENT_SIZE = 8
"""Characters that a seat or an event counts besides its texts and cards."""

CARDS = pl.Enum([card_text(card) for card in DECK])
"""Names of the cards; the physical value is the number of the card."""

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
"""The columns of an event after its kind, with the value of an unused cell."""


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event, with the attribute for each column of ``EMPTY`` that it uses.

    ``fixed`` are attributes that the name of the kind implies. ``needed`` are attributes that
    cannot be None: those without a default, or with another one.
    """

    name: str
    event: type[hh.Event]
    attributes: tuple[str | None, ...]
    fixed: Mapping[str, object] = field(default_factory=dict)
    needed: frozenset[str] = frozenset()


def _kind(name: str, event: type[hh.Event], columns: str = "", **fixed: object) -> EventKind:
    """Return a kind from its columns: ``seat``, or ``amount=to`` for an attribute ``to``."""
    pairs = (column.partition("=") for column in columns.split())
    attribute = {column: other or column for column, _, other in pairs}
    needed = frozenset(part.name for part in fields(event) if part.default is not None)
    return EventKind(name, event, tuple(map(attribute.get, EMPTY)), fixed, needed)


KINDS = (
    _kind("ante", hh.Ante, "seat amount all_in"),
    *(
        _kind(f"{name} street", hh.StreetStart, street=n)
        for n, name in STREET_NAMES.items()
        if n >= 3
    ),
    _kind("deal", hh.Deal, "seat down up"),
    _kind("shared card", hh.SharedCard, "up=card"),
    _kind("bring-in", hh.Wager, "seat amount=adds all_in", action=hh.Action.BRING_IN),
    _kind("check", hh.Wager, "seat", action=hh.Action.CHECK),
    _kind("fold", hh.Wager, "seat", action=hh.Action.FOLD),
    _kind("bet", hh.Wager, "seat amount=adds all_in double", action=hh.Action.BET),
    _kind("call", hh.Wager, "seat amount=adds all_in", action=hh.Action.CALL),
    _kind("raise to", hh.Wager, "seat amount=to all_in double", action=hh.Action.RAISE),
    _kind("uncalled", hh.Uncalled, "seat amount"),
    _kind("show", hh.Show, "seat up=cards"),
    _kind("muck", hh.Muck, "seat up=cards"),
    _kind("collect", hh.Collect, "seat amount text=pot"),
    _kind("total pot", hh.TotalPot, "amount", before_rake=True),
    _kind("total pot without rake", hh.TotalPot, "amount", before_rake=False),
    _kind("rake", hh.Rake, "amount"),
    _kind("remark", hh.Remark, "text"),
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
"""The columns of a hand that are not lists."""

SCHEMA = pl.Schema({**HAND, "seats": pl.List(SEAT), "events": pl.List(EVENT)})
"""All columns of a file, in order."""


def sizes(frame: pl.DataFrame) -> list[int]:
    """Return the length of each row in characters.

    A card counts two, a seat or an event ``EVENT_SIZE`` besides its texts and cards.
    """
    cell = pl.element().struct.field
    texts = [pl.col(name).str.len_chars() for name in HAND if HAND[name] == pl.String]
    seat = pl.sum_horizontal(EVENT_SIZE, cell("name").str.len_chars().cast(pl.Int64))
    cards = [2 * cell(column).list.len().cast(pl.Int64) for column in ("down", "up")]
    event = pl.sum_horizontal(EVENT_SIZE, cell("text").str.len_chars().cast(pl.Int64), *cards)
    lists = [
        pl.col(column).list.eval(size).list.sum()
        for column, size in (("seats", seat), ("events", event))
    ]
    return frame.select(size=pl.sum_horizontal(*texts, *lists).cast(pl.Int64))["size"].to_list()


# Packing

_NAME_OF_CARD: dict[MaybeCard, str | None] = {
    None: None,
    **dict(zip(DECK, CARDS.categories, strict=True)),
}
_INT64 = range(-(2**63), 2**63)
_SEATS = range(1, 2**16)

_Cells = tuple[object, ...]


class Batch:
    """Hands that are packed into columns; one that is rejected adds nothing."""

    def __init__(self) -> None:
        self._hands: list[_Cells] = []
        self._seats: list[list[_Cells]] = []
        self._events: list[list[_Cells]] = []

    def __len__(self) -> int:
        return len(self._hands)

    def add(self, history: History) -> None:
        """Add a hand; ``ValueError`` if the columns cannot hold it.

        They hold no hand with problems, of an unknown game or event, or with wagers that are not
        in plain form; no seat beyond 65,535, amount beyond 64 bits, card outside the deck or text
        that is not Unicode; and no more than ``LONGEST`` characters.
        """
        if history.problems:
            raise ValueError(f"its record is not sound: {history.problems[0].message}")
        check_plain(history.events)
        hand = _hand_cells(history)
        seats = [_seat_cells(seat) for seat in history.seats]
        moved = _streets_moved(history.events, STUD.first - variant_of(history.variant).first)
        events = [_event_cells(event) for event in moved]
        length = _characters(hand, seats, events)
        if length > LONGEST:
            raise ValueError(f"it has {length:,} characters; {LONGEST:,} is most")
        self._hands.append(hand)
        self._seats.append(seats)
        self._events.append(events)

    def frame(self) -> pl.DataFrame:
        """Return the hands in the columns of ``SCHEMA``."""
        return pl.DataFrame(self._hands, schema=HAND, orient="row").with_columns(
            _struct_lists(self._seats, SEAT).alias("seats"),
            _struct_lists(self._events, EVENT).alias("events"),
        )


def _hand_cells(history: History) -> _Cells:
    if history.variant not in VARIANTS:
        raise ValueError(f"{history.variant!r} is no game that handread knows")
    decimals = history.unit.decimals
    if decimals not in range(256):
        raise ValueError(f"amounts with {decimals} digits after the point; 255 is most")
    return (
        _text(history.hand_id),
        history.variant,
        _text(history.table),
        _text(history.played_at),
        decimals,
        _text(history.unit.symbol),
        None if history.hero is None else _seat(history.hero),
        None if history.stakes is None else _stakes_cells(history.stakes, history.variant),
    )


def _streets_moved(events: Sequence[hh.Event], by: int) -> Sequence[hh.Event]:
    """Return events with other numbers of the streets.

    The columns have the first street of any game as the 3rd, as in seven-card stud.
    """
    if not by:
        return events
    return tuple(
        replace(event, street=event.street + by) if isinstance(event, hh.StreetStart) else event
        for event in events
    )


def _characters(hand: _Cells, seats: list[_Cells], events: list[_Cells]) -> int:
    """Return the length that ``sizes`` finds in the row."""
    texts = [*hand, *chain.from_iterable(seats), *(cells[-1] for cells in events)]
    cards = sum(
        len(cards) for cells in events for cards in cells[-3:-1] if isinstance(cards, Sized)
    )
    length = sum(len(text) for text in texts if isinstance(text, str))
    return length + 2 * cards + EVENT_SIZE * (len(seats) + len(events))


@lru_cache(maxsize=256)
def _stakes_cells(stakes: Stakes, variant: str) -> dict[str, object]:
    n_bets, n_streets = len(stakes.bets), len(variant_of(variant).streets)
    if n_bets != n_streets:
        raise ValueError(f"its stakes have {n_bets} bets for {n_streets} streets")
    for amount in (stakes.ante, stakes.bring_in, *stakes.bets, stakes.cap, stakes.cap_heads_up):
        _amount(amount)
    short = len(STUD.streets) - n_bets
    return {**asdict(stakes), "bets": (*stakes.bets, *stakes.bets[-1:] * short)}


def _seat_cells(seat: Seat) -> _Cells:
    return _seat(seat.number), _text(seat.name), _amount(seat.stack), seat.sitting_out


# Hands at one table repeat most of their events.
@lru_cache(maxsize=1 << 12)
def _event_cells(event: hh.Event) -> _Cells:
    kind = _kind_of(event)
    cells: dict[str, Any] = dict(EMPTY)
    for column, attribute in zip(EMPTY, kind.attributes, strict=True):
        if attribute is not None:
            cells[column] = getattr(event, attribute)
    if isinstance(event, hh.SharedCard):
        cells["up"] = (event.card,)
    elif isinstance(event, hh.Show | hh.Muck) and event.any_order:
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


def _kind_of(event: hh.Event) -> EventKind:
    for kind in _KINDS_OF_CLASS.get(type(event), ()):
        if all(getattr(event, name) == value for name, value in kind.fixed.items()):
            return kind
    raise ValueError(f"there is no such event as {event}")


def _seat(number: int) -> int:
    if number not in _SEATS:
        raise ValueError(f"there is no seat {number}; seats are 1 to {_SEATS[-1]}")
    return number


def _amount(amount: int | None) -> int | None:
    # polars makes a null of a number that is too large for its column.
    if amount is not None and amount not in _INT64:
        raise ValueError("an amount takes more than 64 bits")
    return amount


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{text!r} holds what is no character") from None
    return text


def _struct_lists(lists: Sequence[Sequence[_Cells]], dtype: pl.Struct) -> pl.Series:
    """Return lists of rows of cells, with cards as numbers, as a column of lists of structs."""
    columns = list(zip(*chain.from_iterable(lists), strict=True)) or [()] * len(dtype.fields)
    parts = {
        part.name: _card_lists(cells)
        if part.dtype == pl.List(CARDS)
        else pl.Series(cells, dtype=part.dtype)
        for part, cells in zip(dtype.fields, columns, strict=True)
    }
    return _in_lists(pl.DataFrame(parts).to_struct(), list(map(len, lists)))


def _card_lists(cells: Sequence[Sequence[MaybeCard]]) -> pl.Series:
    # From one flat column: polars takes far longer to build many short lists of an enum.
    names = [_NAME_OF_CARD[card] for card in chain.from_iterable(cells)]
    return _in_lists(pl.Series(names, dtype=CARDS), list(map(len, cells)))


def _in_lists(values: pl.Series, lengths: Sequence[int]) -> pl.Series:
    """Return values as a column of lists of the given lengths."""
    rows = pl.DataFrame({"length": pl.Series(lengths, dtype=pl.UInt32)}).with_row_index("row")
    owners = rows.select(pl.col("row").repeat_by("length")).filter(pl.col("row").list.len() > 0)
    flat = pl.DataFrame({"row": owners["row"].explode(), "values": values})
    lists = flat.group_by("row", maintain_order=True).agg("values")
    joined = rows.join(lists, on="row", how="left", maintain_order="left")
    return joined["values"].fill_null(pl.Series([[]], dtype=lists.schema["values"]))


# Unpacking

DIALECT = "parquet"
"""Dialect of the hands of a Parquet file."""

_T = TypeVar("_T")

_Rows = tuple[tuple[Any, ...], ...] | None
"""The cells of each struct of a list; None for a null."""

_PLACES = {column: place for place, column in enumerate(EMPTY)}
_KIND_OF_NAME = {kind.name: kind for kind in KINDS}


def unpack(frame: pl.DataFrame, file: str, first_row: int) -> Iterator[History | Problem]:
    """Return an iterator over the hands of a frame, with a problem for each row that is no hand.

    ``first_row`` is the number of its first row in the file, from 1.
    """
    # polars is done before the iterator is returned: an error in damaged rows comes at the call.
    plain = frame.drop("seats", "events").to_dicts()
    seats, events = _lists(frame["seats"]), _lists(frame["events"])
    sources = (Source(file, row, DIALECT) for row in count(first_row))
    return map(_reading, sources, plain, seats, events)


def _reading(
    source: Source, hand: dict[str, Any], seats: _Rows, events: _Rows
) -> History | Problem:
    try:
        return _history(source, hand, seats, events)
    except ValueError as error:
        message = f"row {source.line} is no hand: {error}"
        expected = "a row as handread writes it"
        return Problem(source.file, source.line, 1, message, expected, dialect=DIALECT)


def _history(source: Source, hand: dict[str, Any], seats: _Rows, events: _Rows) -> History:
    for column in ("hand_id", "variant", "table", "played_at", "decimals", "currency"):
        if hand[column] is None:
            raise ValueError(f"there is no value in {column}")
    if seats is None or events is None:
        raise ValueError(f"there are no {'seats' if seats is None else 'events'}")
    if hand["variant"] not in VARIANTS:
        raise ValueError(f"{hand['variant']!r} is no game that handread knows")
    game = variant_of(hand["variant"])
    if hand["hero"] == 0:
        raise ValueError("seats count from 1, and 0 is the hero's")
    played = tuple(_event(*cells) for cells in events)
    return History(
        hand_id=hand["hand_id"],
        source=source,
        variant=hand["variant"],
        unit=Unit(hand["decimals"], hand["currency"]),
        stakes=_stakes(hand["stakes"], game),
        seats=tuple(_seat_of(*cells) for cells in seats),
        events=tuple(_streets_moved(played, game.first - STUD.first)),
        hero=hand["hero"],
        table=hand["table"],
        played_at=hand["played_at"],
        end_line=source.line,
        any_opener=True,
    )


def _stakes(cells: dict[str, Any] | None, game: Variant) -> Stakes | None:
    if cells is None:
        return None
    known = [cells[key] for key in cells if key != "cap_heads_up"]
    if None in known or None in cells["bets"]:
        raise ValueError("its stakes are not all there")
    return Stakes(**{**cells, "bets": tuple(cells["bets"])[: len(game.streets)]})


def _seat_of(number: int | None, name: str | None, stack: int | None, out: bool | None) -> Seat:
    if not number:
        raise ValueError("seats count from 1, and one has no number")
    if name is None or out is None:
        raise ValueError(f"seat {number} is not whole")
    return Seat(number, name, stack, out)


# Hands at one table repeat most of their events, and events read from columns have no line.
@lru_cache(maxsize=1 << 12)
def _event(name: str | None, *cells: Any) -> hh.Event:
    """Return the event of a row of cells, as ``_event_cells`` packs it."""
    kind = _KIND_OF_NAME.get(name or "")
    if kind is None:
        raise ValueError("an event is of no kind")
    given: dict[str, Any] = dict(kind.fixed)
    down, up = (cells[_PLACES[column]] for column in ("down", "up"))
    if kind.event in (hh.Show, hh.Muck) and down:
        if (len(down), len(up)) != (3, 4):
            raise ValueError(f"an event of the kind {name!r} has {len(down)} cards in any order")
        given["any_order"] = True
        cells = tuple(
            {"down": (), "up": (*down[:2], *up, down[2])}.get(column, cell)
            for column, cell in zip(EMPTY, cells, strict=True)
        )
    for (column, empty), attribute, cell in zip(EMPTY.items(), kind.attributes, cells, strict=True):
        if attribute is None:
            if cell != empty:
                raise ValueError(f"an event has both the kind {name!r} and {column!r}")
        elif cell is None and attribute in kind.needed:
            raise ValueError(f"an event of the kind {name!r} has no {column!r}")
        else:
            given[attribute] = cell
    if given.get("seat") == 0:
        raise ValueError(f"seats count from 1, and an event of the kind {name!r} is of seat 0")
    if kind.event is hh.SharedCard:
        if len(given["card"]) != 1:
            raise ValueError(f"{len(given['card'])} shared cards instead of one")
        given["card"] = given["card"][0]
    return kind.event(**given)


def _lists(column: pl.Series) -> list[_Rows]:
    """Return the rows of cells of each list in a column of lists of structs."""
    parts = [_cells(part) for part in _flat(column).struct.unnest()]
    return _cut(tuple(zip(*parts, strict=True)), column)


def _cells(column: pl.Series) -> list[Any]:
    """Return the values of a column; cards as tuples of numbers."""
    if column.dtype == pl.List(CARDS):
        numbers = _flat(column).to_physical().to_list()
        return _cut(tuple(None if n is None else DECK[n] for n in numbers), column)
    return column.to_list()


def _flat(column: pl.Series) -> pl.Series:
    """Return the values of all lists of a column in one."""
    return column.filter(column.list.len() > 0).explode()


def _cut(values: tuple[_T, ...], column: pl.Series) -> list[tuple[_T, ...] | None]:
    """Cut values into tuples as long as the lists of a column; None for a null."""
    pieces: list[tuple[_T, ...] | None] = []
    start = 0
    for length in column.list.len().to_list():
        pieces.append(None if length is None else values[start : start + length])
        start += length or 0
    return pieces
