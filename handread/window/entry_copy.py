"""A hand of a log as the setup and the entries that lead to it, for a copy that is changed."""

from collections.abc import Iterator
from typing import Any

from handread.cards import MaybeCard, card_text
from handread.formats.phh_write import money
from handread.game.seating import IllegalMove
from handread.game.steps import Replay
from handread.history import AGGRESSIVE, Wager
from handread.window.entry import LONGEST_NAME, EnteredHand, EntrySetup


def copied(played: Replay) -> tuple[dict[str, Any], list[str]]:
    """Return the form of a hand, and its entries up to a play that the form does not allow.

    Seats that are not dealt in are left out, and the others are numbered from 1.
    """
    last = played.steps[-1].after
    number = {seat: place for place, seat in enumerate(sorted(played.paid), 1)}
    dealt = [last.player(seat) for seat in number]
    history, stakes = played.history, played.stakes
    amounts = ("ante", "bring_in", "small", "big")
    unit = history.unit
    stacks = {seat: history.seat(seat).stack for seat in number}
    form: dict[str, Any] = {
        "game": history.variant,
        "hero": number.get(history.hero or 0, 0),
        "all_cards": all(player.down and None not in player.down for player in dealt),
        "seats": [
            {
                "name": player.name[:LONGEST_NAME],
                "stack": "" if (stack := stacks[player.seat]) is None else money(stack, unit),
            }
            for player in dealt
        ],
        **{name: money(getattr(stakes, name), unit) for name in amounts},
    }
    return form, list(_Copy(played, number, EntrySetup.of(form)).entries())


class _Copy:
    """Enters the cards and the actions of a played hand, one after the other."""

    def __init__(self, played: Replay, number: dict[int, int], setup: EntrySetup) -> None:
        last = played.steps[-1].after
        self._hand = EnteredHand(setup)
        self._shared = iter(last.shared)
        players = {place: last.player(seat) for seat, place in number.items()}
        self._up = {place: iter(player.up) for place, player in players.items()}
        downs = {place: player.loose or player.down for place, player in players.items()}
        self._down = {place: iter(cards) for place, cards in downs.items()}
        self._unseen = {place for place, cards in downs.items() if None in cards}
        moves = [event for event in played.moves if isinstance(event, Wager)]
        self._wagers = iter([(number[wager.seat], wager) for wager in moves])

    def entries(self) -> Iterator[str]:
        """Yield the entries, until the hand or the form ends."""
        while not self._hand.is_over:
            entry = self._next()
            if entry is None:
                return
            try:
                self._hand.enter(entry)
            except IllegalMove:
                return
            yield entry

    def _next(self) -> str | None:
        due = self._hand.due
        if due is None:
            return self._action()
        if due.shown and due.seat in self._unseen:
            return "m"
        cards: Iterator[MaybeCard] = self._shared
        if due.seat:
            cards = (self._up if due.is_up else self._down)[due.seat]
        return next((card_text(card) for card in cards), None)

    def _action(self) -> str | None:
        seat, wager = next(self._wagers, (0, None))
        if wager is None:
            return None
        for choice in self._hand.choices:
            if choice.seat == seat and self._same(choice.wager, wager):
                return choice.entry
        return None

    def _same(self, offered: Wager, wager: Wager) -> bool:
        if wager.action not in AGGRESSIVE:
            return offered.action is wager.action
        put = self._hand.table.player(offered.seat).put
        totals = {w.to if w.to is not None else put + (w.adds or 0) for w in (offered, wager)}
        return offered.action in AGGRESSIVE and len(totals) == 1
