"""The stakes of a record that states none, worked out from what the players put in."""

from __future__ import annotations

from handread.history import Ante, Bet, BringIn, Collect, History, RaiseTo, StreetStart
from handread.stud import Stakes

ROOM_CAP = 4
"""Bets and raises a street takes in the rooms; two players alone may raise without end."""


def infer_stakes(history: History) -> Stakes | None:
    """The stakes that the actions show, marked ``inferred``; ``None`` if nothing was posted.

    The ante and the bring-in are the largest posted. The small bet is the first full bet that is
    seen: a completion, or a bet on 4th street, or half a bet on a later one. Where every bet
    was an all-in, or none was made, it is taken to be twice the bring-in, or the largest all-in if
    that is more. Where the antes put all in, so that nobody could bet, it is taken to be four
    antes. A bring-in that nobody posted is taken to be half the small bet. The big bet is twice
    the small one. The rest is the rooms' custom: an open pair on 4th street doubles the
    bet, four bets a street, no cap heads-up.
    """
    antes = [e.amount or 0 for e in history.events if isinstance(e, Ante)]
    posted = [e.amount or 0 for e in history.events if isinstance(e, BringIn)]
    ante = max(antes, default=0)
    bring_in = max(posted, default=0)
    full, all_in = _first_bets(history)
    small = full or max(2 * bring_in, all_in)
    if not small and any(isinstance(event, Collect) for event in history.events):
        small = 4 * ante
    if small <= 0:
        return None
    return Stakes(
        ante=ante,
        bring_in=bring_in or small // 2,
        bets=(small, small, 2 * small, 2 * small, 2 * small),
        cap=ROOM_CAP,
        cap_heads_up=None,
        open_pair_doubles=True,
        inferred=True,
    )


def _first_bets(history: History) -> tuple[int, int]:
    """The first bet that no stack cut short, and the largest that one did, in small bets."""
    street, short, largest = 3, 0, 0
    for event in history.events:
        if isinstance(event, StreetStart):
            street, short = event.street, 0
        elif isinstance(event, Bet | RaiseTo):
            to = (event.amount if isinstance(event, Bet) else event.to) or 0
            # Over an all-in of half a bet or more it is one more bet, else what that fell short of.
            bet = to - short if 2 * short <= to <= 3 * short else to
            bet = bet // 2 if street >= 5 or (street == 4 and event.double) else bet
            if not event.all_in:
                return bet, largest
            short, largest = to, max(largest, bet)
    return 0, largest
