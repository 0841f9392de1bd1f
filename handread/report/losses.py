"""Differences between a hand and what is read from its conversion to another format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from handread.cards import Card
from handread.formats.dates import read_date
from handread.formats.grammar import date_styles
from handread.game.steps import Replay
from handread.history import (
    Collect,
    Deal,
    History,
    Muck,
    Remark,
    Seat,
    SharedCard,
    Show,
)
from handread.known_cards import known_downcards

Compared = tuple[str, object, object]
"""A kind of information, with its value in the hand and in the hand read again."""


@dataclass(slots=True)
class Losses:
    """Numbers of hands for each kind of information that was lost or made up."""

    lost: Counter[str] = field(default_factory=Counter)
    made_up: Counter[str] = field(default_factory=Counter)

    def add(self, played: Replay, read: Replay) -> None:
        """Compare a hand with the one that is read from its conversion."""
        for kind, before, after in _compared(played, read):
            if before != after:
                (self.lost if before else self.made_up)[kind] += 1

    def lines(self, title: str) -> Iterator[str]:
        """Yield a line for each kind of difference; ``title`` is that of the format."""
        for words, kinds in (("not kept", self.lost), ("made up", self.made_up)):
            for kind, n in kinds.items():
                yield f"{words} in {title}: {kind} ({n:,} {'hand' if n == 1 else 'hands'})"


def _compared(first: Replay, second: Replay) -> Iterator[Compared]:
    """Yield all information that may differ between two records of a hand.

    Information that is missing is empty or false.
    """
    one, other = first.history, second.history
    yield "hand numbers", one.hand_id, other.hand_id
    yield "tables", one.table, other.table
    yield from _dates(one.played_at, other.played_at)
    yield "whose log it is", one.hero, other.hero
    pairs = list(_pairs(one, other))
    yield "names of players", *_told((a.name, b.name) for a, b in pairs)
    yield "stacks", *_told((_chips(one, a.stack), _chips(other, b.stack)) for a, b in pairs)
    yield "who sits out", *_told((a.sitting_out, b.sitting_out) for a, b in pairs)
    yield "seats", _seat_numbers(one), _seat_numbers(other)
    yield "the currency", one.unit.symbol, other.unit.symbol
    yield from _stakes(first, second)
    yield "cards", _cards(one), _cards(one) & _cards(other)
    yield "which cards are the downcards", _downcards(one), _downcards(one) & _downcards(other)
    yield "who shows and who mucks", _showdown(one), _showdown(other)
    yield "bets and raises", _course(first), _course(second)
    yield "winnings and rake", _paid(first), _paid(second)
    yield "main and side pots apart", _pots(one), _pots(one) & _pots(other)
    yield "chat and other remarks", _remarks(one), _remarks(one) & _remarks(other)


def _told(pairs: Iterable[tuple[object, object]]) -> tuple[object, object]:
    """Return the first different pair of values by seat; lost ones come before made up ones."""
    others = [(a, b) for a, b in pairs if a != b]
    return next(((a, b) for a, b in others if a), others[0] if others else (None, None))


def _pairs(one: History, other: History) -> Iterator[tuple[Seat, Seat]]:
    seats = {seat.number: seat for seat in other.seats}
    for seat in one.seats:
        if seat.number in seats:
            yield seat, seats[seat.number]


def _seat_numbers(hand: History) -> list[int]:
    return [seat.number for seat in hand.seats]


def _chips(hand: History, amount: int | None) -> Decimal | None:
    """Return an amount in whole units of the currency, as readers may use other minor units."""
    return None if amount is None else Decimal(amount).scaleb(-hand.unit.decimals)


def _dates(before: str, after: str) -> Iterator[Compared]:
    """Yield the date or a part of it, such as the time zone, if it differs."""
    one, other = (read_date(text, date_styles()) for text in (before, after))
    if one is None or other is None:
        yield "dates", before, after
    elif one.same(other):
        return
    elif not one.timed and one.local.date() == other.local.date():
        yield "times of day", "", after
    elif one.local == other.local and bool(one.zone) != bool(other.zone):
        yield "time zones", one.zone, other.zone
    else:
        yield "dates", one, other


def _stakes(first: Replay, second: Replay) -> Iterator[Compared]:
    one, other = first.stakes, second.stakes
    hand, again = first.history, second.history
    yield (
        "the size of the bets (readers work out another)",
        [_chips(hand, bet) for bet in one.bets],
        [_chips(again, bet) for bet in other.bets],
    )
    yield "the ante (readers take another)", _chips(hand, one.ante), _chips(again, other.ante)
    yield (
        "the bring-in (readers take another)",
        _chips(hand, one.bring_in),
        _chips(again, other.bring_in),
    )
    yield (
        "the cap on raises (readers take the room's)",
        (one.cap, one.cap_heads_up),
        (other.cap, other.cap_heads_up),
    )
    yield (
        "double bets on an open pair (readers take the room's rule)",
        str(one.open_pair_doubles),
        str(other.open_pair_doubles),
    )
    yield "that the stakes are stated", not one.inferred, not other.inferred


def _cards(hand: History) -> set[tuple[int, Card]]:
    told: set[tuple[int, Card]] = set()
    shared = {event.card for event in hand.events if isinstance(event, SharedCard)}
    for event in hand.events:
        if isinstance(event, Deal):
            told |= {(event.seat, c) for c in (*event.down, *event.up) if c is not None}
        elif isinstance(event, Show | Muck):
            told |= {(event.seat, c) for c in event.cards if c is not None and c not in shared}
    return told


def _downcards(hand: History) -> set[tuple[int, frozenset[Card], tuple[Card, ...]]]:
    downs = known_downcards(hand).items()
    return {(seat, frozenset(cards[:2]), cards[2:]) for seat, cards in downs}


def _showdown(hand: History) -> set[tuple[int, bool]]:
    """Return the seats with True for a show, and False for a muck without a show."""
    shows = {event.seat for event in hand.events if isinstance(event, Show)}
    mucks = {event.seat for event in hand.events if isinstance(event, Muck)} - shows
    return {(seat, True) for seat in shows} | {(seat, False) for seat in mucks}


def _course(played: Replay) -> list[tuple[object, ...]]:
    hand = played.history
    return [
        (d.street, d.seat, d.action, _chips(hand, d.amount), _chips(hand, d.to), d.all_in)
        for d in played.decisions
    ]


def _paid(played: Replay) -> object:
    hand = played.history
    won = {seat: _chips(hand, amount) for seat, amount in played.won.items()}
    return played.finished and (won, _chips(hand, played.rake))


def _pots(hand: History) -> set[tuple[int, int]]:
    """Return the seats that are paid more than once, with the numbers of further payments."""
    paid = Counter(event.seat for event in hand.events if isinstance(event, Collect))
    return {(seat, n) for seat, times in paid.items() for n in range(1, times)}


def _remarks(hand: History) -> set[str]:
    return {event.text for event in hand.events if isinstance(event, Remark)}
