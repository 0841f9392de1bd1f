"""Laws of play: chips and cards are conserved, a record is replayed as it was played."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from handread.game.replay import replay, written_out
from handread.game.rules import Stakes
from handread.game.table import Table
from handread.history import Action, Ante, Deal, Event, SharedCard, Show, StreetStart, Wager
from tests.examples import examples
from tests.strategies import DEEPEST, STAKES, legal_hands


@examples(100)
@given(legal_hands(deepest=(4, 12, 40)))
def test_chips_and_cards_are_conserved_move_by_move(hand):
    at = Table.start(hand.stakes, hand.seats)
    chips = sum(seat.stack for seat in hand.seats)
    for event in hand.events:
        at = step(at, event)
        assert sum(p.stack for p in at.players) + at.pot == chips
        assert at.active == tuple(p.seat for p in at.players if p.active)
        assert min(p.stack for p in at.players) >= 0
        known = [c for p in at.players for c in (*p.down, *p.up)] + list(at.shared)
        assert sorted(known) == sorted(at.cards)
    assert at.is_over
    assert sum(pot.amount for pot in at.pots) == at.pot


def step(at: Table, event: Event) -> Table:
    match event:
        case Ante():
            return at.ante(event.seat, event.amount)
        case StreetStart():
            return at.next_street()
        case SharedCard():
            at = at.share(event.card)
        case Deal():
            at = at.deal(event.seat, event.down, event.up)
        case _:
            return at.play(event)
    done = not any(any(at.missing(p)) for p in at.players if p.active)
    return at.open_betting() if done else at


@examples(50)
@given(legal_hands(deepest=(4, 12)), st.booleans(), st.randoms(use_true_random=False))
def test_cards_may_be_dealt_in_any_order_and_one_by_one(hand, apart, rng):
    mixed: list[Event] = []
    for dealing, events in groupby(hand.events, lambda event: isinstance(event, Deal)):
        block = list(events)
        if dealing:
            rng.shuffle(block)
            block = [part for deal in block for part in (cut(deal) if apart else [deal])]
        mixed += block
    assert replay(replace(hand, events=tuple(mixed))).steps == replay(hand).steps


def cut(deal: Deal) -> list[Deal]:
    """A deal of each card alone."""
    down = [Deal(deal.seat, down=(card,)) for card in deal.down]
    return down + [Deal(deal.seat, up=(card,)) for card in deal.up]


@given(legal_hands(deepest=(4, 12, 40)), st.booleans(), st.data())
def test_no_chip_is_lost_wherever_a_record_stops(whole, unpaid, data):
    events = whole.events[: data.draw(st.integers(0, len(whole.events)))]
    played = replay(replace(whole, events=events, unpaid=unpaid))
    assert played.problem is None
    in_the_middle = played.rake if played.finished else played.pot
    assert sum(played.stacks.values()) + in_the_middle == sum(s.stack for s in whole.seats)
    assert not (unpaid and played.finished and played.pot)


@pytest.mark.parametrize("deepest", DEEPEST)
@examples(38)
@given(data=st.data())
def test_legal_hands_replay_and_written_out_say_the_same(deepest, data):
    hand = data.draw(legal_hands(deepest=[deepest]))
    played = replay(hand)
    assert (played.problem, played.finished) == (None, True)
    assert sum(played.won.values()) == played.pot == sum(pot.amount for pot in played.pots)
    assert len({d.n for d in played.decisions}) == len(played.decisions)
    if hand.seats[0].stack is not None:
        assert sum(played.stacks.values()) == sum(seat.stack for seat in hand.seats)
    explicit = written_out(played)
    again = replay(explicit)
    assert replace(again, history=hand) == played
    assert written_out(again) == explicit
    assert all(getattr(event, "amount", 0) is not None for event in explicit.events)


@pytest.mark.parametrize("deepest", DEEPEST)
@examples(38)
@given(data=st.data())
def test_a_damaged_hand_gives_a_prefix_of_the_play(deepest, data):
    hand = data.draw(legal_hands(deepest=[deepest]))
    n = data.draw(st.integers(0, len(hand.events) - 1))
    damaged = data.draw(
        st.sampled_from(
            [
                hand.events[:n] + hand.events[n + 1 :],
                hand.events[: n + 1] + hand.events[n:],
                hand.events[:n] + hand.events[n : n + 2][::-1] + hand.events[n + 2 :],
            ]
        )
    )
    played = replay(replace(hand, events=damaged))
    sound = replay(hand).decisions
    certain = sum(isinstance(e, Wager) and e.action is not Action.BRING_IN for e in hand.events[:n])
    assert played.decisions[:certain] == sound[:certain]
    again = replay(written_out(played))
    assert again.problem is None
    assert again.decisions == played.decisions


@pytest.mark.parametrize("stakes", STAKES, ids=["saund", "room"])
@pytest.mark.parametrize("deepest", [12, 40])
@examples(20)
@given(data=st.data(), rng=st.randoms(use_true_random=False))
def test_who_wins_does_not_hang_on_the_order(
    stakes: Stakes, deepest: int, data: st.DataObject, rng: Random
) -> None:
    whole = data.draw(legal_hands([stakes], [deepest], [True]))
    known = replay(whole)
    assume(len(known.showdown) > 1 and known.streets[-1].shared is None)
    events: list[Event] = []
    for event in whole.events:
        hidden = isinstance(event, Deal) and event.seat in known.showdown
        events.append(replace(event, down=(None,) * len(event.down)) if hidden else event)
    for seat in known.showdown:
        first, second, third = rng.sample(known.downcards[seat], 3)
        up = known.streets[-1].upcards[seat]
        events.append(Show(seat, (first, second, *up, third), any_order=True))
    found = replay(replace(whole, events=tuple(events)))
    assert found.problem is None
    assert (found.won, found.stacks) == (known.won, known.stacks)
    shown = {seat: tuple(sorted(known.downcards[seat])) for seat in known.showdown}
    assert found.loose_downcards == shown
    assert not shown.keys() & found.downcards.keys()
