"""PokerKit plays the same hands: same actors, bets and stacks after every move, same winners."""

from __future__ import annotations

import warnings
from random import Random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from handread.cards import cards_text
from handread.engine import replay
from handread.engine.player import Options
from handread.engine.table import Phase, Table
from handread.history import Action, Bet, BringIn, Deal, Fold, History, RaiseTo, Seat, Source
from handread.stud import SAUND_STAKES, SAUND_UNIT
from tests.hands import Dealer

pokerkit = pytest.importorskip("pokerkit")

DEEP = 10**6


def start(table: Table):
    auto = pokerkit.Automation
    stakes = table.stakes
    return pokerkit.FixedLimitSevenCardStud.create_state(
        (
            auto.ANTE_POSTING,
            auto.BET_COLLECTION,
            auto.HOLE_CARDS_SHOWING_OR_MUCKING,
            auto.HAND_KILLING,
            auto.CHIPS_PUSHING,
            auto.CHIPS_PULLING,
        ),
        True,
        stakes.ante,
        stakes.bring_in,
        stakes.bet(3),
        stakes.bet(5),
        tuple(DEEP if player.stack is None else player.stack for player in table.players),
        len(table.players),
    )


class Shadow(Dealer):
    """Plays a random hand on both tables at once and compares them after every move."""

    def __init__(self, rng: Random, table: Table) -> None:
        super().__init__(rng, table, explicit=True)
        self.state = start(table)
        self.place = {player.seat: i for i, player in enumerate(table.players)}

    def deal(self, table: Table) -> None:
        done = len(self.events)
        super().deal(table)
        if self.state.can_burn_card("??"):
            self.state.burn_card("??")
        for event in self.events[done:]:
            if isinstance(event, Deal):
                dealt = cards_text(event.down + event.up, "")
                self.state.deal_hole(dealt, self.place[event.seat])
        self.compare()

    def act(self) -> None:
        before = self.table
        actor = list(self.place)[self.state.actor_index]
        if actor not in before.may_act and before.bets == 0 and before.street > 3:
            # There the best hand opens, or who sits next if it is all-in; in the rooms the best
            # hand of those who can act does.
            assert any(player.active and player.all_in for player in before.players)
            reject()
        assert actor in before.may_act
        options = before.options(actor)
        action = self.choose(self.both_allow(options))
        self.table = before.play(action)
        self.events.append(action)
        self.mirror(action)
        self.compare()

    def both_allow(self, options: Options) -> Options:
        """PokerKit lets no short all-in be raised by who has acted, and counts it as a raise."""
        least = self.state.min_completion_betting_or_raising_to_amount
        if self.table.bets == self.state.completion_betting_or_raising_count:
            short = self.table.bet_to != self.table.full_to
            assert short or options.raises == (() if least is None else (least,))
        possible = tuple(to for to in options.raises if to == least)
        return Options(
            options.seat,
            options.to_call,
            options.call,
            possible,
            options.raises_left,
            options.forced,
        )

    def mirror(self, action: Action) -> None:
        match action:
            case BringIn():
                self.state.post_bring_in()
            case Fold():
                self.state.fold()
            case Bet():
                self.state.complete_bet_or_raise_to(action.amount)
            case RaiseTo():
                self.state.complete_bet_or_raise_to(action.to)
            case _:
                self.state.check_or_call()

    def compare(self) -> None:
        if self.table.phase is Phase.BET:
            assert [p.put for p in self.table.players] == list(self.state.bets)
            assert self.state.total_pot_amount == self.table.pot
            assert [DEEP - p.paid if p.stack is None else p.stack for p in self.table.players] == (
                list(self.state.stacks)
            )
        else:
            assert self.state.actor_index is None


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6), st.sampled_from([None, 4, 12, 40]))
def test_pokerkit_plays_the_same_hand(seed, n_players, deepest):
    rng = Random(seed)
    seats = [
        Seat(number, "", None if deepest is None else rng.randint(10, 100 * deepest))
        for number in sorted(rng.sample(range(1, 9), n_players))
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shadow = Shadow(rng, Table.start(SAUND_STAKES, seats))
        played = shadow.play()
    hand = History(
        "1",
        Source("test", 1, "test"),
        "stud",
        SAUND_UNIT,
        SAUND_STAKES,
        tuple(seats),
        tuple(played),
    )
    outcome = replay(hand)
    assert outcome.problem is None
    assert outcome.finished
    won = [outcome.won.get(seat, 0) - shadow.table.player(seat).paid for seat in shadow.place]
    assert won == list(shadow.state.payoffs)
