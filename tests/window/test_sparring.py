"""Hands against opponents who play by themselves."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from handread.game.replay import replay
from handread.history import Deal
from handread.window.entry import GAMES, EnteredHand, EntrySetup
from handread.window.sparring import sparred

GAME_KEYS = [*GAMES]


def setup_of(game: str = "stud", players: int = 3, seed: int = 1, **more: Any) -> EntrySetup:
    form = {"game": game, "ante": "0.25", "bring_in": "0.50", "small": "2", "big": "4"}
    given = {"seats": [{}] * players, "hero": 2, "against": "people", "seed": seed}
    return EntrySetup.of(form | given | more)


def played(setup: EntrySetup, chance: Random) -> tuple[EnteredHand, list[object]]:
    """A hand with random actions of yours, and no fold."""
    entries: list[object] = []
    while True:
        entries = sparred(setup, entries)
        hand, taken, error = EnteredHand.of(setup, entries)
        assert (taken, error) == (len(entries), "")
        if hand.is_over:
            return hand, entries
        assert hand.due is None
        yours = [one for one in hand.choices if one.seat == setup.hero and "f" not in one.entry]
        entries.append(chance.choice(yours).entry)


@pytest.mark.parametrize("game", GAME_KEYS)
def test_others_play_until_it_is_your_turn_or_the_hand_is_over(game: str) -> None:
    shown = 0
    for seed in range(4):
        setup = setup_of(game, players=2 + seed % 2, seed=seed)
        hand, entries = played(setup, Random(seed))
        found = replay(hand.history)
        assert found.won
        shown += bool(found.showdown)
        assert sparred(setup, entries) == entries
    assert shown


def test_the_cards_and_actions_follow_from_the_seed() -> None:
    hands = [played(setup_of(seed=seed), Random(3))[1] for seed in (5, 5, 6)]
    assert hands[0] == hands[1] != hands[2]


def test_downcards_of_others_are_seen_at_the_showdown_alone() -> None:
    setup = setup_of(seed=2)
    hand, _, _ = EnteredHand.of(setup, sparred(setup, []))
    for event in hand.events:
        if isinstance(event, Deal) and event.seat != setup.hero:
            assert not any(event.down)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"against": "nobody"}, "against: expected one of"),
        ({"seed": "x"}, "seed: expected a whole number"),
        ({"hero": 0}, "your seat: choose one to play"),
        ({"seats": [{}] * 8}, "seats: at most 7 to play"),
    ],
)
def test_what_cannot_be_played_is_refused(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        setup_of(**wrong)
