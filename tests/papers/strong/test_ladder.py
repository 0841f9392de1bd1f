"""The ladder against games played one by one, and the player who decides by rollouts."""

from __future__ import annotations

import numpy as np
import pytest

from handread.cards import DECK
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.inference.observer import SPLIT
from handread.inference.players import Model, PlayerModels
from handread.papers.strong.ladder import NET, ladder
from handread.papers.strong.player import RolloutPlayer, TableObserver
from handread.papers.tournament.study import table_of
from handread.policy import legal_actions, load_policy
from handread.runs import Run
from handread.simulate import Setup, play_game
from tests.papers.strong.test_self_play import setup_of
from tests.program import run_here

TIGHT, LOOSE = Model(load_policy("tight")), Model(load_policy("loose"))
SETUP = Setup(PlayerModels(LOOSE))


def test_each_deal_is_played_twice_with_the_cards_exchanged() -> None:
    found = ladder([TIGHT], [LOOSE], SETUP, 3, Run(4))
    for n, about in ((6, "6 seats"), (2, "heads-up")):
        nets = []
        for deal in range(3):
            total = 0
            for kinds in ([TIGHT, LOOSE], [LOOSE, TIGHT]):
                replay = play_game(table_of(kinds * (n // 2), SETUP), 4, deal).replay
                for seat, paid in replay.paid.items():
                    if kinds[(seat - 1) % 2] is TIGHT:
                        total += replay.won.get(seat, 0) - paid
            nets.append(total / n / replay.stakes.bets[-1])
        figure = found.at(NET, group="tight - loose", about=about)
        assert figure.mean == pytest.approx(np.mean(nets))
        assert figure.error == pytest.approx(np.std(nets, ddof=1) / 3**0.5)


def test_a_match_is_as_won_as_its_opposite_is_lost() -> None:
    one = ladder([TIGHT], [LOOSE], SETUP, 2, Run(1))
    other = ladder([LOOSE], [TIGHT], SETUP, 2, Run(1))
    means = [[figure.mean for figure in found.figures.values()] for found in (one, other)]
    assert means[0] == pytest.approx([-mean for mean in means[1]])


def test_nobody_plays_against_its_like() -> None:
    found = ladder([TIGHT, LOOSE], [LOOSE], SETUP, 2, Run(1))
    assert {key.group for key in found.figures} == {"tight - loose"}


@pytest.mark.thorough
def test_a_policy_is_chosen_by_which_players_without_one_are_read() -> None:
    """The bets of BPL mean something else then: the policy bets otherwise, and wins otherwise."""
    command = "experiment ladder --players people-average --set against=BPL --games 3 --set"
    found = [run_here(*command.split(), f"reading={one}") for one in ("default", "loose", "loos")]
    assert [done.returncode for done in found] == [0, 0, 2]
    assert found[0].stdout != found[1].stdout
    assert "no policy 'loos'" in found[2].said


@pytest.mark.parametrize("game", [STUD, STUD8, RAZZ, FIVE_STUD], ids=lambda game: game.key)
def test_the_player_by_rollouts_follows_the_table(game: Variant) -> None:
    """Its table at each decision is that of the game, but for the others' downcards."""
    setup = setup_of(game)
    player, n = RolloutPlayer("rollouts"), 0
    for number in range(4):
        replay = play_game(table_of([LOOSE] * 4, setup), 2, number).replay
        tables = {s.decision.n: s.before for s in replay.steps if s.decision is not None}
        observer = player.reader.observer(replay.history, SPLIT)
        assert isinstance(observer, TableObserver)
        for street in replay.streets:
            observer.deal(street)
            for decision in street.decisions:
                table, now = tables[decision.n], observer.walk.table
                assert (now.pot, now.queue, now.bets) == (table.pot, table.queue, table.bets)
                assert [p.up for p in now.players] == [p.up for p in table.players]
                assert [p.put for p in now.players] == [p.put for p in table.players]
                observer.observe(decision)
                n += 1
    assert n > 10


def test_the_player_by_rollouts_takes_better_actions_more_often() -> None:
    """With a pair of aces in the hole it folds less often than with two low cards."""
    player = RolloutPlayer("rollouts")
    folds: list[tuple[float, ...]] = []
    for number in range(40):
        replay = play_game(table_of([LOOSE, LOOSE], SETUP), 7, number).replay
        street, decision = replay.streets[0], replay.streets[0].decisions[0]
        if "fold" not in legal_actions(decision) or len(folds) == 3:
            continue
        observer = player.reader.observer(replay.history, SPLIT)
        observer.deal(street)
        seen = {card for cards in street.upcards.values() for card in cards}
        aces, deuces, fours = (
            [card for card in DECK if card >> 2 == rank and card not in seen] for rank in (12, 0, 2)
        )
        found = []
        for down in ((aces[0], aces[1]), (deuces[0], fours[0])):
            odds = player.decide(observer, decision, tuple(sorted(down)))
            assert sum(odds.values()) == pytest.approx(1.0)
            assert {*odds} == {*legal_actions(decision)}
            found.append(odds["fold"])
        folds.append(tuple(found))
    strong, weak = np.mean(folds, axis=0)
    assert len(folds) == 3
    assert strong < weak
