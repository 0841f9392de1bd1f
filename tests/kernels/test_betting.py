"""Betting in the kernels and at the table: the same turns, raises and chips in random hands."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.game.rules import STUD, Stakes
from handread.game.seating import Phase
from handread.game.table import Table
from handread.history import AGGRESSIVE, Action, Seat, Wager
from handread.kernels import betting
from tests.examples import examples
from tests.hands import Dealer

STAKES = Stakes(10, 20, STUD.bets(50, 100), cap_heads_up=None)


class Shadow(Dealer):
    """Plays a random hand on a table, and from the first action also by the kernels.

    ``not_open`` counts turns of players to whom a short all-in does not re-open the betting.
    """

    def __init__(self, rng: Random, table: Table) -> None:
        super().__init__(rng, table, explicit=True)
        self.place = {player.seat: i for i, player in enumerate(table.players)}
        self.seats = np.zeros((len(self.place), 7), dtype=np.int64)
        self.queue = np.zeros(len(self.place), dtype=np.int64)
        self.state = np.zeros(7, dtype=np.int64)
        caps = [-1 if cap is None else cap for cap in (table.stakes.cap, table.stakes.cap_heads_up)]
        game = table.game
        rules = [game.first, game.last, game.n_cards, *caps, *table.stakes.bets]
        self.rules = np.array(rules, dtype=np.int64)
        self.not_open = 0

    def deal(self, table: Table) -> None:
        super().deal(table)
        if self.table.street == self.table.game.first:
            return
        betting.next_street(self.seats, self.state)
        if self.table.phase is Phase.BET:
            opener = self.place[self.table.may_act[0]]
            betting.open_from(self.seats, self.state, self.queue, opener)
        self.compare()

    def act(self) -> None:
        if self.table.bring_in_due:
            amount = self.table.options().call
            self.step(Wager(self.table.queue[0], Action.BRING_IN, amount))
            self.copy()
            return
        seat = self.table.may_act[0]
        options = self.table.options(seat)
        place = self.place[seat]
        target = betting.raise_target(self.seats, self.state, self.rules, place)
        assert target == (options.raises[0] if options.raises else -1)
        stack = self.table.player(seat).stack
        if not options.raises and options.raises_left != 0 and stack is not None:
            others = [p for p in self.table.players if p.can_bet and p.seat != seat]
            deeper = any(p.put + (p.stack or 0) > self.table.bet_to for p in others)
            self.not_open += stack > options.to_call and deeper
        wager = self.choose(options._replace(raises=options.raises[:1]))
        self.step(wager)
        if wager.action is Action.FOLD:
            betting.fold(self.seats, self.state, self.queue)
        elif wager.action in (Action.BET, Action.RAISE):
            betting.raise_to(self.seats, self.state, self.queue, self.rules, target)
        else:
            betting.call(self.seats, self.state, self.queue)
        self.compare()

    def step(self, wager: Wager) -> None:
        self.table = self.table.play(wager)
        self.events.append(wager)

    def copy(self) -> None:
        """Set the arrays to the state of the table."""
        at = self.table
        self.seats[:] = self.rows()
        self.state[:] = [
            *(at.street, at.bet_to, at.full_to, at.bets, at.bring_in_open),
            *(-1, len(at.queue)),
        ]
        self.queue[: len(at.queue)] = [self.place[seat] for seat in at.queue]

    def rows(self) -> list[list[int]]:
        return [
            [
                *(p.put, p.paid, -1 if p.stack is None else p.stack),
                *(p.folded, p.all_in, p.seat in self.table.acted),
                sum(one.seat == p.seat and one.action in AGGRESSIVE for one in self.table.past),
            ]
            for p in self.table.players
        ]

    def compare(self) -> None:
        at = self.table
        if at.phase is Phase.BET:
            assert self.seats.tolist() == self.rows()
        paid = [[row[i] for i in (betting.PAID, betting.STACK)] for row in self.rows()]
        assert self.seats[:, [betting.PAID, betting.STACK]].tolist() == paid
        names = (betting.BET_TO, betting.FULL_TO, betting.BETS, betting.BRING_IN_OPEN)
        assert self.state[list(names)].tolist() == [
            *(at.bet_to, at.full_to, at.bets, at.bring_in_open)
        ]
        n = self.state[betting.N_QUEUE]
        assert self.queue[:n].tolist() == [self.place[seat] for seat in at.queue]


def shadowed(seed: int, n_players: int, deepest: int | None) -> Shadow:
    rng = Random(seed)
    seats = [
        Seat(number, "", None if deepest is None else rng.randint(30, rng.choice((70, deepest))))
        for number in range(1, n_players + 1)
    ]
    shadow = Shadow(rng, Table.start(STAKES, seats))
    shadow.play()
    return shadow


@pytest.mark.thorough
@examples(200)
@given(st.integers(0, 2**32), st.integers(2, 7), st.sampled_from([None, 150, 300, 900]))
def test_the_kernels_bet_as_the_table_does(seed: int, n: int, deepest: int | None) -> None:
    shadowed(seed, n, deepest)


@pytest.mark.parametrize("deepest", [150, 300])
def test_random_hands_have_short_all_ins_that_do_not_reopen_the_betting(deepest: int) -> None:
    assert sum(shadowed(seed, 5, deepest).not_open for seed in range(60)) > 4
