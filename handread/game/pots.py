"""Pots: the bet that nobody called, main and side pots, and how winners share them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from handread.game.ranks import HandRank


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot: how much, in minor units, and the seats that can win it. The first is the main pot."""

    amount: int
    seats: tuple[int, ...]


def uncalled_part(paid: Mapping[int, int], live: Collection[int]) -> tuple[int, int] | None:
    """Return the seat that put in more than anybody else, and by how much; ``None`` if nobody did.

    ``paid`` has the chips of every seat in the hand. A folded seat gets nothing back.
    """
    if not live:
        return None
    seat = max(live, key=lambda live_seat: paid[live_seat])
    others = max((amount for other, amount in paid.items() if other != seat), default=0)
    return (seat, paid[seat] - others) if paid[seat] > others else None


def side_pots(paid: Mapping[int, int], live: Collection[int]) -> tuple[Pot, ...]:
    """Return the main pot and the side pots, given the chips of each seat and the live seats.

    A pot closes at each all-in of a live seat; chips of folded seats go to the pots they reach.
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


Ranks = Mapping[int, tuple[HandRank | None, ...]]
"""The ranks of the known hands by seat, one for each half of a pot, as ``Variant.ranks``."""


def best_seats(seats: Collection[int], ranks: Ranks, half: int = 0) -> tuple[int, ...]:
    """Return the seats, of those given, that may win a half.

    A seat without ranks may always win it; a known hand that does not qualify never does.
    """
    known = {seat: ranks[seat][half] for seat in seats if seat in ranks}
    best = max((rank for rank in known.values() if rank is not None), default=None)
    winners = {seat for seat, rank in known.items() if rank is not None and rank == best}
    return tuple(seat for seat in seats if seat not in known or seat in winners)


def halves(pot: Pot, ranks: Ranks) -> tuple[tuple[int, tuple[int, ...]], ...] | None:
    """Return the amount of each half of a pot, and the seats that share it.

    The high half comes first and has the odd chip. There is one half where the game has no other,
    where no low qualifies, and where one seat is left. Return ``None`` if a needed hand is unknown.
    """
    if len(pot.seats) == 1:
        return ((pot.amount, pot.seats),)
    if any(seat not in ranks for seat in pot.seats):
        return None
    n_halves = len(ranks[pot.seats[0]])
    won = [winners for n in range(n_halves) if (winners := best_seats(pot.seats, ranks, n))]
    each, odd = divmod(pot.amount, len(won))
    return tuple((each + (n < odd), winners) for n, winners in enumerate(won))


def shares(pots: Sequence[Pot], ranks: Ranks, rake: int = 0) -> dict[int, int] | None:
    """Return the winnings of each seat, in minor units; None if a needed hand is unknown.

    Odd chips go to the high half, then to the lowest seats; the main pot pays the rake first.
    """
    won: dict[int, int] = {}
    for pot in pots:
        taken = min(rake, pot.amount)
        rake -= taken
        parts = halves(Pot(pot.amount - taken, pot.seats), ranks)
        if parts is None:
            return None
        for amount, winners in parts:
            each, odd = divmod(amount, len(winners))
            for place, seat in enumerate(winners):
                won[seat] = won.get(seat, 0) + each + (place < odd)
    return {seat: amount for seat, amount in won.items() if amount}
