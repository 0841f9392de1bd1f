"""What became of a hand: who won the showdown, with what, and how the downcards are known."""

from __future__ import annotations

from collections.abc import Mapping

from handread.cards import Card, MaybeCard
from handread.engine import Replay
from handread.history import Deal
from handread.stud import HandRank, best_hand

SHOWN, HERO, PUBLISHED = WAYS = ("shown", "hero", "published")
"""The ways in which a player's downcards are known; see ``ways_known``."""


def final_ranks(replay: Replay) -> dict[int, HandRank]:
    """What the seats whose seven cards are all known end with."""
    up = replay.streets[-1].upcards if replay.streets else {}
    shared = tuple(street.shared for street in replay.streets)
    ranks = {}
    for seat, down in replay.downcards_on(7).items():
        cards: list[Card] = [c for c in (*down, *up.get(seat, ()), *shared) if c is not None]
        if len(cards) == 7:
            ranks[seat] = best_hand(cards)
    return ranks


def showdown_shares(replay: Replay, ranks: Mapping[int, HandRank]) -> dict[int, float]:
    """The part of the main pot that each seat of the showdown won; empty when that is not known.

    Empty without a showdown, too. From the hands where they are known, else from who was paid.
    """
    seats = replay.showdown
    if not seats:
        return {}
    if all(seat in ranks for seat in seats):
        best = max(ranks[seat] for seat in seats)
        winners = {seat for seat in seats if ranks[seat] == best}
    else:
        winners = {seat for seat in seats if replay.won.get(seat)}
        if len(winners) > 1 and len(replay.pots) > 1:  # the side pot's may be another
            return {}
    return {seat: (seat in winners) / len(winners) for seat in seats} if winners else {}


def ways_known(replay: Replay) -> dict[int, str]:
    """How the record comes to know each seat's downcards: shown, hero's or published.

    "shown" are those that were dealt face down, and those of a showdown in a record that does not
    tell everybody's: whoever folded is then missing among them.
    """
    history = replay.history
    dealt = [seat for seat in replay.streets[0].active if seat != history.hero]
    everybody = all(seat in replay.downcards for seat in dealt)
    down: dict[int, list[MaybeCard]] = {seat.number: [] for seat in history.seats}
    for event in history.events:
        if isinstance(event, Deal) and event.seat in down:
            down[event.seat] += event.down
    ways = {}
    for seat in replay.downcards_on(7):
        if seat == history.hero:
            ways[seat] = HERO
        elif None in (*down[seat], None, None)[:2] or (seat in replay.showdown and not everybody):
            ways[seat] = SHOWN
        else:
            ways[seat] = PUBLISHED
    return ways
