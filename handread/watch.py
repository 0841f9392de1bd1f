"""The observer's way through a hand: what it believed after every deal and every action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from handread.engine import Replay, StreetPlay
from handread.history import Deal
from handread.lineup import Lineup
from handread.observer import Belief, TieRule, Update, deal, observe


@dataclass(frozen=True, slots=True)
class WatchedStreet:
    """A street as the public observer followed it.

    ``dealt`` is the belief after the deal, ``news`` what the deal told about each seat in bits,
    ``updates`` what each action told, ``after`` the belief after the betting.
    """

    dealt: Belief
    news: Mapping[int, float]
    updates: tuple[Update, ...]
    after: Belief


def watch(replay: Replay, lineup: Lineup, ties: TieRule) -> Iterator[WatchedStreet]:
    """The streets of a hand as the observer followed them.

    It ends before the first street on which an active seat's upcards were not all seen.
    """
    belief: Belief | None = None
    for street in replay.streets:
        if unseen_upcards(street):
            return
        dealt, news = deal(belief, street)
        belief = dealt
        updates: list[Update] = []
        for decision in street.decisions:
            belief, update = observe(belief, decision, lineup.of(decision.seat), ties)
            updates.append(update)
        yield WatchedStreet(dealt, news, tuple(updates), belief)


def unseen_upcards(street: StreetPlay) -> list[int]:
    """The active seats of which an upcard was not seen."""
    return [seat for seat in street.active if None in street.upcards[seat]]


def why_unseen(played: Replay, names: str) -> str:
    """In words, why a hand is not read on; ``names`` are the seats with an unseen upcard.

    Some logs list no upcards but their owner's: that is nothing amiss with the one hand.
    """
    listed = {
        event.seat
        for event in played.history.events
        if isinstance(event, Deal) and any(card is not None for card in event.up)
    }
    if listed <= {played.history.hero}:
        return (
            f"the log does not list the upcards of {names}; "
            "the hand can be played through, but not read"
        )
    return f"the upcards of {names} were not seen"
