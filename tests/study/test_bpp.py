"""The experiments with BPP: matches, expected winnings, and the search for curves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from handread.cards import Card
from handread.game.rules import FIVE_STUD, Stakes
from handread.game.seating import Phase
from handread.game.steps import dealt_street, decision_at, decision_point_at
from handread.game.table import Table
from handread.history import History, Seat, Source, Wager
from handread.readers.bpp.board import BoardObserver
from handread.readers.bpp.opponents import ProbabilisticPlayer, RuleBasedPlayer
from handread.readers.bpp.play import BPP_STAKES, Betting, Curves
from handread.readers.bpp.player import BPPPlayer, HabitReader, Habits
from handread.study.bpp_tree import (
    CurvesInTree,
    Deals,
    NetworkChances,
    RulesInTree,
    card_chances,
    expected_winnings,
)

BETTING = Betting(
    Curves((0.1, 0.0, 0.2, 0.1), (0.1, 0.0, -0.1, 0.2), (0.3, 0.2, 0.0, 0.1)),
    opening=Curves((0.0, 0.3, 0.1, 0.2)),
    steepness=9.0,
)
HABITS = Habits(np.random.default_rng(4).integers(0, 9, (4, 17, 2)).astype(float))
"""The habits of no player in particular."""


class Playout:
    """All ways in which a deal can be played, by the rules of the table.

    The slow twin of the tree: it asks the players of the frame at each decision.
    """

    def __init__(self, hands: tuple[tuple[Card, ...], ...], players: dict[int, object]) -> None:
        self.hands = dict(enumerate(hands, 1))
        self.players = players
        self.seats = (Seat(1, "own"), Seat(2, "other"))

    def value(self, stakes: Stakes) -> float:
        """The expected winnings of seat 1, in bets."""
        table = Table.start(stakes, self.seats, game=FIVE_STUD)
        for seat in (1, 2):
            table = table.ante(seat)
        return self._from(table, ()) / stakes.small

    def _from(self, table: Table, acted: tuple) -> float:
        if table.is_over or (table.phase is Phase.CLOSED and table.street == FIVE_STUD.last):
            return self._result(table)
        if table.phase is not Phase.BET:
            return self._from(self._dealt(table), ())
        spot = decision_point_at(table, 1, table.may_act[0])
        observer = BoardObserver(
            History("1", Source("", 1, ""), "5stud", table.unit, table.stakes, self.seats, ())
        )
        observer.deal(dealt_street(table))
        for decision in acted:
            observer.observe(decision)
        probs = self.players[spot.seat].decide(observer, spot, self.hands[spot.seat][:1])
        assert sum(probs.values()) == pytest.approx(1.0)
        total = 0.0
        for action, share in probs.items():
            if share > 0.0:
                wager = Wager(spot.seat, action)
                after = table.play(wager)
                decision = decision_at(spot, table.plain(wager), table, after)
                total += share * self._from(after, (*acted, decision))
        return total

    def _dealt(self, table: Table) -> Table:
        table = table.next_street()
        n = table.street
        for seat, cards in self.hands.items():
            down, up = (cards[:1], cards[1:2]) if n == 2 else ((), cards[n - 1 : n])
            table = table.deal(seat, down, up)
        return table.open_betting()

    def _result(self, table: Table) -> float:
        paid = {player.seat: player.paid for player in table.players}
        pot = sum(paid.values())
        if len(table.active) == 1:
            return (pot if table.active == (1,) else 0) - paid[1]
        own, other = (FIVE_STUD.ranks(self.hands[seat]) for seat in (1, 2))
        return pot * ((own > other) + (own == other) / 2) - paid[1]


def with_lowest_seat_opening(deals: Deals) -> Deals:
    """The deals with ties of the showing hands decided as at the table."""
    leads = deals.leads.copy()
    for number, (own, other) in enumerate(deals.hands):
        for at in range(4):
            best = FIVE_STUD.leads({0: own[1 : at + 2], 1: other[1 : at + 2]})
            leads[number, at] = best[0]
    return replace(deals, leads=leads)


@pytest.mark.parametrize(("cap", "n", "rival"), [(1, 4, "rules"), (1, 3, "cards"), (2, 2, "cards")])
def test_expected_winnings_are_those_of_all_ways_to_play(cap: int, n: int, rival: str) -> None:
    deals = with_lowest_seat_opening(Deals.sample(n, 3, cap))
    own = CurvesInTree(deals, BETTING, NetworkChances(deals, list(HABITS.matrices)))
    reader = HabitReader(habits={"other": HABITS})
    if rival == "rules":
        player, other = RuleBasedPlayer(), RulesInTree(deals)
    else:
        player = ProbabilisticPlayer(BETTING)
        other = CurvesInTree(deals, BETTING, card_chances(deals, 1), 1)
    found = expected_winnings(deals, own, other, cap=cap)
    stakes = replace(BPP_STAKES, cap=cap, cap_heads_up=cap)
    for number, hands in enumerate(deals.hands):
        slow = Playout(hands, {1: BPPPlayer(BETTING, reader), 2: player}).value(stakes)
        assert found[number] == pytest.approx(slow)
