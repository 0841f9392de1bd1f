"""The experiments with BPP: matches, expected winnings, and the search for curves."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_ind

from handread.cards import Card
from handread.game.rules import FIVE_STUD, SAUND_UNIT, Stakes
from handread.game.seating import Phase
from handread.game.steps import DealtStreet, dealt_street, decision_at, decision_point_at
from handread.game.table import Table
from handread.history import History, Seat, Source, Wager
from handread.papers.bpp.board import BoardObserver
from handread.papers.bpp.expected import BLOCK, DECKS, expected
from handread.papers.bpp.figure import curves_figure
from handread.papers.bpp.game_tree import (
    CurvesInTree,
    DealtPairs,
    card_chances,
    expected_winnings,
    network_chances,
    rules_in_tree,
)
from handread.papers.bpp.matches import (
    BPP,
    PLAYERS,
    PROBABILISTIC,
    RULES,
    MatchPlan,
    Pairing,
    bpp_matches,
    play_match,
    player_named,
    welch_t,
)
from handread.papers.bpp.opponents import ProbabilisticPlayer, RuleBasedPlayer
from handread.papers.bpp.play import BPP_STAKES, Betting, Curves, bettings
from handread.papers.bpp.player import BPPPlayer, HabitReader, Habits
from handread.papers.bpp.search import (
    KINDS,
    SCORED_DECKS,
    SearchPlan,
    curves_toml,
    learned_matrices,
    search,
)
from handread.papers.bpp.types import FINE, PAPER
from handread.simulate import play_games
from tests.hands import cards
from tests.papers.tables import bpp_table

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
        for seat, own in self.hands.items():
            down, up = (own[:1], own[1:2]) if n == 2 else ((), own[n - 1 : n])
            table = table.deal(seat, down, up)
        return table.open_betting()

    def _result(self, table: Table) -> float:
        paid = {player.seat: player.paid for player in table.players}
        pot = sum(paid.values())
        if len(table.active) == 1:
            return (pot if table.active == (1,) else 0) - paid[1]
        own, other = (FIVE_STUD.ranks(self.hands[seat]) for seat in (1, 2))
        return pot * ((own > other) + (own == other) / 2) - paid[1]


@pytest.mark.parametrize(("cap", "n", "rival"), [(1, 2, "rules"), (2, 1, "cards")])
def test_expected_winnings_are_those_of_all_ways_to_play(cap: int, n: int, rival: str) -> None:
    deals = DealtPairs.sample(n, 3, cap)
    own = CurvesInTree(deals, BETTING, network_chances(deals, HABITS.matrices))
    reader = HabitReader(habits={"own": HABITS, "other": HABITS})
    if rival == "rules":
        player, other = RuleBasedPlayer(), rules_in_tree(deals)
    else:
        player = ProbabilisticPlayer(BETTING)
        other = CurvesInTree(deals, BETTING, card_chances(deals, 1), 1)
    found = expected_winnings(deals, own, other, cap=cap)
    stakes = replace(BPP_STAKES, cap=cap, cap_heads_up=cap)
    bpp = BPPPlayer(BETTING, reader)
    for number, (own_cards, others) in enumerate(deals.hands):
        if number % 2 == 0:
            slow = Playout((own_cards, others), {1: bpp, 2: player}).value(stakes)
        else:
            slow = -Playout((others, own_cards), {1: player, 2: bpp}).value(stakes)
        assert found[number] == pytest.approx(slow)


# Matches


def short_plan(*pairings: str, games: int = 6) -> MatchPlan:
    return MatchPlan(tuple(Pairing.parse(text, "paper") for text in pairings), games)


def test_bpp_sits_at_a_table_of_four() -> None:
    setup = bpp_table(
        one=BPPPlayer(BETTING),
        two=BPPPlayer(BETTING),
        three=ProbabilisticPlayer(BETTING),
        four=RuleBasedPlayer(),
    )
    games = [game.replay for game in play_games(setup, 2, range(12))]
    assert all(sum(game.won.values()) == sum(game.paid.values()) for game in games)
    assert any(len(game.showdown) > 2 for game in games)


def test_the_chance_against_several_is_the_product_of_those_against_each() -> None:
    history = History(
        "1", Source("", 1, ""), "5stud", SAUND_UNIT, BPP_STAKES, tuple(map(Seat, (1, 2, 3))), ()
    )
    up = {1: cards("As 9d"), 2: cards("Kd 8c"), 3: cards("5h 5c")}
    chances = {}
    for others in ((2,), (3,), (2, 3)):
        board = BoardObserver(history)
        board.deal(DealtStreet(3, FIVE_STUD, up, None, (1, *others), 600))
        chances[others] = BPPPlayer().chance(board, 1, cards("Ah"))
    assert chances[2, 3] == pytest.approx(chances[2,] * chances[3,])


def test_the_table_of_matches_agrees_with_the_matches() -> None:
    plan = short_plan("bpp:rules", "probabilistic:rules")
    found = bpp_matches(plan, 3)
    won = np.array([play_match(Pairing(BPP, RULES).players, 6, 1, n)[0] for n in range(3)])
    group = "bpp:rules"
    assert found.at("net_bets", group=group).mean == pytest.approx(won.mean())
    t = won.mean() / (won.std(ddof=1) / np.sqrt(won.size))
    assert found.at("t", group=group).mean == pytest.approx(t)
    assert found.at("t_per_root_game", group=group).mean == pytest.approx(t / np.sqrt(18))
    change = won[:, 3:].mean(axis=1) - won[:, :3].mean(axis=1)
    assert found.at("change_bets", group=group).mean == pytest.approx(change.mean())
    t = change.mean() / (change.std(ddof=1) / np.sqrt(3))
    assert found.at("t_of_change", group=group).mean == pytest.approx(t)
    course = [found.at("cumulative_bets", group=group, about=str(n)).mean for n in range(1, 7)]
    assert course == pytest.approx(np.cumsum(won.mean(axis=0)))
    assert found.at("first_match_bets", group=group, about="6").mean == won[0].sum()
    assert found.at("paper_t", group=group).mean == 7.84


def test_reading_is_worth_what_bpp_wins_beyond_the_one_that_never_learns() -> None:
    found = bpp_matches(short_plan("bpp:rules", "bpp-even:rules", games=10), 2)
    wins = [found.at("net_bets", group=name).mean for name in ("bpp:rules", "bpp-even:rules")]
    gain = found.at("reading_bets", group="bpp:rules")
    assert gain.mean == pytest.approx(wins[0] - wins[1])
    for end in ("first", "last"):
        ends = [
            found.at(f"{end}_bets", group=name).mean for name in ("bpp:rules", "bpp-even:rules")
        ]
        gain = found.at(f"{end}_reading_bets", group="bpp:rules")
        assert gain.mean == pytest.approx(ends[0] - ends[1])


def test_the_t_of_a_match_is_that_of_welch() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.normal(0.3, 2, 40), rng.normal(0, 1, 30)
    assert welch_t(first, second) == pytest.approx(ttest_ind(first, second, equal_var=False)[0])
    assert welch_t(np.ones(3), np.ones(3)) == 0.0


# The search


@pytest.mark.parametrize("kind", KINDS)
def test_a_climb_ends_higher_than_it_starts(kind: str) -> None:
    plan = SearchPlan(kind, decks=10, candidates=1, steps=5, learning=6)
    found = search(plan, 2)
    for climb in ("climb 1", "climb 2"):
        start, end = (found.at(name, group=climb) for name in ("candidate_bets", "found_bets"))
        assert end.mean >= start.mean
        assert end.n == 10
    best = max(found.groups(""), key=lambda climb: found.at("found_bets", group=climb).mean)
    assert (found.best.opening is not None) == (kind == "separate")
    assert (found.best.hidden is not None) == (kind == "hidden")
    deals = DealtPairs.sample(10, 1, SCORED_DECKS)
    chances = network_chances(deals, learned_matrices(plan))
    again = expected_winnings(deals, CurvesInTree(deals, found.best, chances), rules_in_tree(deals))
    assert again.mean() == pytest.approx(found.at("found_bets", group=best).mean)
    assert len(curves_figure(found).axes) == (4 if kind == "paper" else 8)


def test_the_curves_printed_are_the_curves_read() -> None:
    for name, betting in bettings().items():
        entry = tomllib.loads(curves_toml(name, betting))[name]
        for part in ("curves", "opening", "hidden"):
            curves = getattr(betting, part)
            if curves is not None:
                assert [entry[part][each] for each in ("bet", "call", "fold")] == [
                    list(shifts) for shifts in curves.shifts
                ]
        assert entry["steepness"] == betting.steepness


def test_finer_types_are_another_network() -> None:
    readers = {name: player_named(name, "paper").reader for name in PLAYERS[:4]}
    types = {name: (reader.types, reader.learns) for name, reader in readers.items()}
    assert types == {
        "bpp": (PAPER, True),
        "bpp-even": (PAPER, False),
        "bpp-fine": (FINE, True),
        "bpp-fine-even": (FINE, False),
    }
    won, (own, _) = play_match(Pairing("bpp-fine", PROBABILISTIC).players, 12, 4)
    assert won.size == 12
    assert own.reader.of("probabilistic-2").matrices.shape == (4, len(FINE), 2)


# Expected winnings


def test_expected_winnings_after_a_match_are_those_of_the_tree() -> None:
    plan = short_plan("bpp:probabilistic", "bpp-even:probabilistic", "rules:bpp", games=8)
    found = expected(plan, BLOCK)
    deals = DealtPairs.sample(BLOCK, 1, DECKS, 0)
    _, (own, other) = play_match(plan.pairings[0].players, 8, 1)
    habits = own.reader.of("probabilistic-2")
    chances = network_chances(deals, habits.matrices)
    players = (
        CurvesInTree(deals, own.betting, chances),
        CurvesInTree(deals, other.betting, card_chances(deals, 1), 1),
    )
    winnings = expected_winnings(deals, *players)
    net = {pairing.name: found.at("net_bets", group=pairing.name) for pairing in plan.pairings}
    assert net["bpp:probabilistic"].mean == pytest.approx(winnings.mean())
    assert net["bpp:probabilistic"].n == BLOCK
    gain = found.at("reading_bets", group="bpp:probabilistic").mean
    even = net["bpp-even:probabilistic"].mean
    assert gain == pytest.approx(winnings.mean() - even)


def test_two_of_a_kind_expect_nothing_of_each_other() -> None:
    plan = short_plan("probabilistic:probabilistic", "bpp-even:bpp-even", games=4)
    found = expected(plan, BLOCK)
    for pairing in plan.pairings:
        assert found.at("net_bets", group=pairing.name).mean == pytest.approx(0.0, abs=1e-9)
