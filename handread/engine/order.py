"""The order of play: who sits after whom, who brings in, who opens."""

from __future__ import annotations

from collections.abc import Sequence

from handread.engine.player import Player
from handread.stud import bring_in_seats, leading_seats, shows_pair


def clockwise(players: Sequence[Player], seat: int) -> tuple[int, ...]:
    """The seats with chips to bet, clockwise from a seat, itself first if it is one of them."""
    seats = [player.seat for player in players if player.can_bet]
    return (*(s for s in seats if s >= seat), *(s for s in seats if s < seat))


def clockwise_after(players: Sequence[Player], seat: int) -> tuple[int, ...]:
    """The other seats with chips to bet, clockwise after a seat."""
    return tuple(other for other in clockwise(players, seat) if other != seat)


def low_seats(players: Sequence[Player]) -> tuple[int, ...]:
    """The seats to which the bring-in may fall; more than one if door cards are unseen.

    When the low card is all-in from the ante, the next player clockwise brings in.
    """
    doors = {player.seat: player.up[0] for player in players if player.active}
    low = [seat for seat, card in doors.items() if card is None]
    low += bring_in_seats({s: card for s, card in doors.items() if card is not None})[:1]
    return tuple(sorted({clockwise(players, seat)[0] for seat in low}))


def high_seats(players: Sequence[Player]) -> tuple[int, ...]:
    """The seats that may open a later street: the best showing hand of those with chips to bet.

    More than one when equal hands show, for which no rule is settled, or cards are unseen.
    """
    hands = {player.seat: player.up for player in players if player.can_bet}
    seen = {s: [c for c in up if c is not None] for s, up in hands.items() if None not in up}
    unseen = [seat for seat in hands if seat not in seen]
    return tuple(sorted(unseen + (leading_seats(seen) if seen else [])))


def open_pair(players: Sequence[Player]) -> bool:
    """Whether a player still in shows a pair, or may show one, its upcards not being all seen."""
    hands = [player.up for player in players if player.active]
    return any(None in up or shows_pair([c for c in up if c is not None]) for up in hands)
