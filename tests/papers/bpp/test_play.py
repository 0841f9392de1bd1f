"""The playing side of BPP: thresholds, curves, and its opponents."""

from __future__ import annotations

import math
from functools import partial
from itertools import product

import numpy as np
import pytest

from handread.cards import DECK
from handread.game.ranks import rank_five
from handread.game.rules import FIVE_STUD
from handread.inference.observer import SPLIT, deal
from handread.papers.bpp.opponents import RuleBasedPlayer, chance_by_cards, rule_shares
from handread.papers.bpp.play import (
    BPP_STAKES,
    Betting,
    Curves,
    action_probs,
    hides_strength,
    threshold,
    threshold_at,
)
from handread.papers.bpp.player import BPPPlayer, HabitReader
from handread.papers.bpp.reader import BppReader
from handread.papers.bpp.record import Switches, action_matrices
from handread.papers.bpp.types import PAPER
from handread.simulate import play_games
from tests import strategies
from tests.hands import cards
from tests.papers.tables import bpp_table

spot = partial(
    strategies.spot,
    **{"street": 2, "to_call": 0, "pot": 200, "active": (1, 2), "raises_left": 4},
    **{"later_bets": 300, "raises": 0, "leader": None, "acted": ()},
)
"""A first decision of two players with an ante of one bet each, changed."""


# Thresholds


@pytest.mark.parametrize(("pot", "cost"), [(2, 1), (3, 4), (7, 2), (20, 1)])
def test_a_call_at_the_threshold_has_the_value_of_a_fold(pot: float, cost: float) -> None:
    at = threshold(pot, cost)
    # The other player has made the bet that is called, and pays the rest of the cost.
    assert at * (pot + cost - 1) - (1 - at) * cost == pytest.approx(0.0)
    assert at == pytest.approx(cost / (pot + 2 * cost - 1))


def test_the_threshold_of_more_players_is_that_of_equation_5() -> None:
    odds = 3 / (10 + 3 * 3 - 3 / 2)
    assert threshold(10, 3, players=4) == pytest.approx(odds / (1 + odds))


def test_the_cost_is_the_bet_to_call_and_one_in_each_later_round() -> None:
    opening, facing = spot(), spot(to_call=100, pot=300)
    assert threshold_at(opening, 100) == pytest.approx(threshold(2, 4))
    assert threshold_at(facing, 100) == pytest.approx(threshold(3, 4))
    last = spot(street=5, later_bets=0, to_call=100, pot=900)
    assert threshold_at(last, 100) == pytest.approx(0.1)


# Curves


def test_the_curves_are_those_of_equations_8_to_10() -> None:
    curves = Curves((0.1,) * 4, (0.2,) * 4, (0.3,) * 4)
    for excess in (-0.7, 0.0, 0.25):
        bet, call, fold = curves.heights(np.array(excess), 2, 8.0)
        assert bet == pytest.approx(1 / (1 + math.exp(-8 * (excess - 0.1))))
        assert call == pytest.approx(math.exp(-20 * (excess + 0.2) ** 2) / 2)
        assert fold == pytest.approx(1 / (1 + math.exp(8 * (excess + 0.3))))


def test_a_higher_chance_means_more_bets_and_fewer_folds() -> None:
    excess = np.linspace(-1, 1, 41)
    for steepness in (8.0, 20.0):
        bet, call, fold = Betting(steepness=steepness).shares(excess, 0, True, True)
        assert (np.diff(bet) > 0).all()
        assert (np.diff(fold) < 0).all()
        assert bet + call + fold == pytest.approx(np.ones(41))
        assert call.argmax() == 20


@pytest.mark.parametrize(("to_call", "can_raise"), list(product((True, False), repeat=2)))
def test_illegal_actions_count_for_the_check_or_call(to_call: bool, can_raise: bool) -> None:
    excess = np.linspace(-1, 1, 9)
    plain = Curves().heights(excess, 1, 8.0)
    plain /= plain.sum(axis=0)
    bet, call, fold = Betting().shares(excess, 1, to_call, can_raise)
    assert bet == pytest.approx(plain[0] * can_raise)
    assert fold == pytest.approx(plain[2] * to_call)
    assert bet + call + fold == pytest.approx(np.ones(9))


def test_bluffs_come_in_the_last_round_where_a_raise_is_legal() -> None:
    bluffing, honest, hopeless = Betting(bluffs=0.05), Betting(bluffs=0.0), np.array(-0.9)
    for at in range(4):
        for can_raise in (True, False):
            bluffed = bluffing.shares(hopeless, at, True, can_raise)
            plain = honest.shares(hopeless, at, True, can_raise)
            share = 0.05 * (at == 3 and can_raise)
            assert bluffed == pytest.approx((1 - share) * plain + [share, 0, 0])


def test_curves_of_their_own_for_opening_and_for_hidden_strength() -> None:
    plain, opening, hidden = (Curves((shift,) * 4) for shift in (0.0, 0.2, 0.4))
    betting = Betting(plain, opening, hidden)
    excess = np.array(0.1)
    for curves, to_call, hides in (
        (plain, True, False),
        (opening, False, False),
        (hidden, True, True),
        (hidden, False, True),
    ):
        shares = betting.shares(excess, 0, to_call, True, hides)
        assert shares == pytest.approx(Betting(curves).shares(excess, 0, to_call, True))


@pytest.mark.parametrize("shifts", [(0.0,) * 3, (0.0, 0.0, 0.0, 1.5), (math.nan,) * 4])
def test_curves_need_a_small_shift_for_each_round(shifts: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected 4 shifts from -1 to 1"):
        Curves(shifts)


def test_parameters_are_the_shifts_of_bets_calls_and_folds() -> None:
    curves = Curves.of(np.arange(12) / 20)
    assert curves.bet == (0.0, 0.05, 0.1, 0.15)
    assert curves.fold == (0.4, 0.45, 0.5, 0.55)


def test_probabilities_are_those_of_legal_actions() -> None:
    shares = (0.5, 0.3, 0.2)
    assert action_probs(shares, spot()) == {"bet": 0.5, "check": 0.5}
    facing = {"to_call": 100, "raises": 1}
    assert action_probs(shares, spot(**facing)) == {"raise": 0.5, "call": 0.3, "fold": 0.2}
    capped = spot(can_raise=False, raises_left=0, **facing)
    assert action_probs(shares, capped) == {"call": 0.8, "fold": 0.2}


def test_strength_is_hidden_where_the_downcard_makes_the_hand() -> None:
    assert hides_strength(cards("Ah"), cards("As 7d"))
    assert hides_strength(cards("Ah"), cards("Ks 7d"))
    assert not hides_strength(cards("7h"), cards("As Ad"))
    assert not hides_strength(cards("7h"), cards("As Kd"))


# The probabilistic player


def test_the_chance_with_one_card_unknown_is_exact() -> None:
    down, up, other = cards("Ah"), cards("As 7d 7c 2s"), cards("Kd Kc Th 4h")
    own = rank_five([*down, *up])
    unseen = [card for card in DECK if card not in {*down, *up, *other}]
    theirs = [rank_five([card, *other]) for card in unseen]
    wins = sum((own > rank) + (own == rank) / 2 for rank in theirs) / len(theirs)
    assert chance_by_cards(down, up, (other,)) == pytest.approx(wins)


def test_the_chance_on_the_first_round_is_near_that_of_a_sample() -> None:
    rng = np.random.default_rng(1)
    down, up, other = cards("Ah"), cards("Kd"), cards("8c")
    unseen = [card for card in DECK if card not in {*down, *up, *other}]
    won, n = 0.0, 4000
    for _ in range(n):
        rest = [unseen[i] for i in rng.permutation(len(unseen))[:7]]
        ours, theirs = rank_five([*down, *up, *rest[:3]]), rank_five([*other, *rest[3:]])
        won += (ours > theirs) + (ours == theirs) / 2
    assert chance_by_cards(down, up, (other,)) == pytest.approx(won / n, abs=0.025)


def test_the_chance_against_several_is_less_than_against_each() -> None:
    down, up = cards("Ah"), cards("As")
    one = chance_by_cards(down, up, (cards("Kd"),))
    two = chance_by_cards(down, up, (cards("Kd"), cards("8c")))
    assert one**2 * 0.8 < two < one
    assert chance_by_cards(down, up, (cards("Kd"),), cards("Ad Ac")) < one


# The rule-based player


@pytest.mark.parametrize(
    ("down", "up", "other", "facing", "shares"),
    [
        ("9c", "9d 4h", "Ks 5d", False, (0.9, 0.1, 0)),  # behind on the board, with a better type
        ("9c", "9d 4h", "Ks 5d", True, (0.9, 0.1, 0)),
        ("Kc", "9d 4h", "Ks 5d", True, (0.8, 0.2, 0)),  # ahead by a card of the same type
        ("6c", "9d 4h", "Ks 5d", True, (0, 0.15, 0.85)),  # beaten by the board
        ("6c", "Kd 4h", "9s 5d", True, (0.85, 0.15, 0)),  # ahead on the board
        ("6c", "Kd 4h", "Ks 3d", True, (0, 0.85, 0.15)),
        ("6c", "Kd 4h", "9s 5d", False, (1, 0, 0)),
        ("6c", "Kd 4h", "Ks 4d", False, (1, 0, 0)),  # equal boards
    ],
)
def test_the_rules_are_those_of_figure_4(
    down: str, up: str, other: str, facing: bool, shares: tuple[float, ...]
) -> None:
    assert rule_shares(cards(down), cards(up), cards(other), facing) == shares


def test_the_stakes_are_those_of_the_paper() -> None:
    assert BPP_STAKES.cap == BPP_STAKES.cap_heads_up == 4
    assert set(BPP_STAKES.bets) == {BPP_STAKES.ante}
    assert len(BPP_STAKES.bets) == len(FIVE_STUD.streets)


def test_the_habits_are_those_that_the_reader_of_bpp_learns() -> None:
    setup = bpp_table(bpp=BPPPlayer(), rules=RuleBasedPlayer())
    player, reader = HabitReader(), BppReader()
    for game in play_games(setup, 3, range(20)):
        seen = HabitReader().after(game.replay, ()).habits
        assert set(seen) == ({"bpp", "rules"} if game.replay.showdown else set())
        assert HabitReader(learns=False).after(game.replay, ()).habits == {}
        player, reader = player.after(game.replay, ()), reader.after(game.replay, ())
    # The reader goes on from what it knows of all players; the player starts at even odds.
    full = action_matrices([reader.own["rules"][FIVE_STUD.key]], FIVE_STUD, Switches()).bet
    for at in range(4):
        of_fine = PAPER.of_fine(at + 2)
        found = player.of("rules").matrices[at, of_fine, 1]
        assert full[at, 0, 0] == pytest.approx(found)


def test_the_observer_at_the_table_believes_in_the_cards_alone() -> None:
    setup = bpp_table(watched=True, bpp=BPPPlayer(), rules=RuleBasedPlayer())
    folds = 0
    for game in play_games(setup, 4, range(4)):
        observer = HabitReader().observer(game.history, SPLIT)
        for street in game.replay.streets:
            observer.deal(street)
            dealt, _ = deal(None, street)
            for decision in street.decisions:
                update = observer.observe(decision)
                assert update.evidence == pytest.approx(1.0)
                assert (update.after == dealt.pdds[decision.seat]).all()
                folded = decision.action == "fold"
                folds += folded
                assert (decision.seat in observer.belief.pdds) != folded
            for seat, pdd in observer.belief.pdds.items():
                assert (pdd == dealt.pdds[seat]).all()
    assert folds
