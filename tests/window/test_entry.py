"""A hand by hand: what is legal is offered, what is not is refused, and what is saved is the hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from handread.cards import MaybeCard, card_text
from handread.game.replay import replay, written_out
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Stakes, Variant
from handread.game.table import Table
from handread.history import Action, Ante, Deal, Event, History, SharedCard, StreetStart, Wager
from handread.window.entry import MOST_ENTRIES, RAISES, EnteredHand, Setup
from tests.hands import ROOM_STAKES, one, random_hand
from tests.pages import NASTY
from tests.window.conftest import Window

GAMES = (STUD, STUD8, RAZZ, FIVE_STUD)
NO_CAP = replace(ROOM_STAKES, ante=25, bring_in=25)


def form(hand: History, **changes: Any) -> dict[str, Any]:
    """What the form of the page states for a hand whose seats are numbered without a gap."""
    assert hand.stakes is not None
    money = {
        "ante": hand.stakes.ante,
        "bring_in": hand.stakes.bring_in,
        "small": hand.stakes.small,
        "big": hand.stakes.big,
    }
    seats = [
        {"name": seat.name, "stack": "" if seat.stack is None else f"{seat.stack / 100:.2f}"}
        for seat in hand.seats
    ]
    return {
        "game": hand.variant,
        "hero": hand.hero,
        "all_cards": True,
        "seats": seats,
        **{name: f"{amount / 100:.2f}" for name, amount in money.items()},
        **changes,
    }


def entries(event: Event, table: Table) -> list[str]:
    """The entries of an event at a table of which all cards are known."""
    match event:
        case Deal(down=down, up=up):
            return [card_text(card) for card in (*down, *up)]
        case SharedCard(card=card):
            return [card_text(card)]
        case Wager(seat=seat, action=action, adds=adds, to=to):
            number = str(seat) if len(table.may_act) > 1 else ""
            plain = {Action.FOLD: "f", Action.CHECK: "k", Action.CALL: "c", Action.BRING_IN: "c"}
            if action in plain:
                return [number + plain[action]]
            total = to if to is not None else table.player(seat).put + (adds or 0)
            return [number + RAISES[table.options(seat).raises.index(total)]]
    return []


def seats_from_one(hand: History) -> History:
    from handread.history import renumbered

    return renumbered(hand, {seat.number: n for n, seat in enumerate(hand.seats, 1)})


def dealt(seed: int, game: Variant, deepest: int | None) -> tuple[History, list[str]]:
    """A random hand and its entries."""
    n_players = 2 + seed % (game.max_players - 1)
    hand = seats_from_one(random_hand(seed, n_players, NO_CAP, deepest, game=game))
    return hand, [word for step in replay(hand).steps for word in entries(step.event, step.before)]
