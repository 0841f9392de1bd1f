"""Pots: the bet that nobody called, main and side pots, and how winners share them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from handread.game.rules import HandRank


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot: how much, in minor units, and the seats that can win it. The first is the main pot."""

    amount: int
    seats: tuple[int, ...]


def uncalled_part(paid: Mapping[int, int], live: Collection[int]) -> tuple[int, int] | None:
    """Return the seat that put in more than anybody else, and by how much; ``None`` if nobody did.

    ``paid`` is what each seat put in during the hand, folded ones too; a seat that has folded
    gets nothing back.
    """
    if not live:
        return None
    seat = max(live, key=lambda live_seat: paid[live_seat])
    others = max((amount for other, amount in paid.items() if other != seat), default=0)
    return (seat, paid[seat] - others) if paid[seat] > others else None


def side_pots(paid: Mapping[int, int], live: Collection[int]) -> tuple[Pot, ...]:
    """Return the main pot and the side pots, given what each seat put in and who is still in.

    Every level at which a live seat is all-in closes a pot; what folded seats put in goes to
    the pots of the levels it reaches.
    """
    levels = sorted({paid[seat] for seat in live if paid[seat] > 0})
    pots: list[Pot] = []
    below = 0
    for level in levels:
        top = max(paid.values()) if level == levels[-1] else level
        amount = sum(max(0, min(total, top) - below) for total in paid.values())
        pots.append(Pot(amount, tuple(sorted(seat for seat in live if paid[seat] >= level))))
        below = level
    return tuple(pots)


def best_seats(seats: Collection[int], ranks: Mapping[int, HandRank]) -> tuple[int, ...]:
    """Return the seats, of those given, that may hold the best hand as far as hands are known.

    A seat without a rank may always hold it; known hands are in only when no known one beats them.
    """
    best = max((ranks[seat] for seat in seats if seat in ranks), default=None)
    return tuple(seat for seat in seats if seat not in ranks or ranks[seat] == best)


def shares(
    pots: Sequence[Pot], ranks: Mapping[int, HandRank], rake: int = 0
) -> dict[int, int] | None:
    """Return what each winning seat gets, in minor units; None if a needed hand is unknown.

    Odd chips go to the lowest seats. The rake comes out of the main pot first.
    """
    won: dict[int, int] = {}
    for pot in pots:
        winners = best_seats(pot.seats, ranks)
        if len(pot.seats) > 1 and any(seat not in ranks for seat in pot.seats):
            return None
        taken = min(rake, pot.amount)
        rake -= taken
        each, odd = divmod(pot.amount - taken, len(winners))
        for place, seat in enumerate(winners):
            won[seat] = won.get(seat, 0) + each + (place < odd)
    return {seat: amount for seat, amount in won.items() if amount}
