"""Tests of relational trees: what they ask, and their answers as words."""

from __future__ import annotations

import numpy as np
import pytest

from handread.game.rules import RAZZ
from handread.game.seating import PastAction
from handread.history import Action
from handread.inference.players import player_models
from handread.policy import Board, HoldingValues
from handread.policy.relations import (
    ACTION_TESTS,
    HOLDING_TESTS,
    OUTCOME_TESTS,
    SITUATION_TESTS,
    Holdings,
    Situation,
    choice_words,
    holding_words,
    packed,
    situation_words,
)
from handread.simulate import Setup, play_games, seated
from tests.policies import board
from tests.strategies import spot

BY_NAME = {test.name: test for test in SITUATION_TESTS}
HOLDING_BY_NAME = {test.name: test for test in HOLDING_TESTS}

PAST = (
    PastAction(3, 2, Action.RAISE),
    PastAction(3, 3, Action.CALL),
    PastAction(3, 4, Action.CALL),
    PastAction(3, 1, Action.CALL),
    PastAction(4, 3, Action.BET),
    PastAction(4, 4, Action.CALL),
)
"""Seat 2 completed on 3rd street and three called; on 4th street 3 bets and 4 calls."""


def ask(
    name: str, own: str = "Kd 9c", others: tuple[str, ...] = ("7s 7h", "Ac Jc", "5d 6d")
) -> bool:
    point = spot(past=PAST, leader=3, acted=(3, 4), to_call=100, raises=1)
    return BY_NAME[name].of(Situation(point, board(own, *others)))


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("there is a bet, a raise or a bring-in to call", True),
        ("only the bring-in is to call", False),
        ("the pot odds of a call are 25% or more", True),
        ("the pot odds of a call are 30% or more", False),
        ("4 or more players are in", True),
        ("5 or more players are in", False),
        ("this player called before", True),
        ("this player has acted on this street", False),
        ("this player was aggressive before", False),
        ("this player shows a king or an ace", True),
        ("this player shows an ace", False),
        ("this player shows a pair", False),
        # The better was passive on 3rd street and shows an ace; the pair is the raiser's.
        ("the last raiser was passive before", True),
        ("the last raiser was aggressive before", False),
        ("the last raiser shows an ace", True),
        ("somebody still in was aggressive before", True),
        ("somebody yet to act on this street was aggressive before", True),
        ("somebody still in who bet or raised on this street shows a pair", False),
        ("somebody still in shows a pair", True),
        ("somebody still in who called on this street shows an ace", False),
        ("somebody still in who called on this street was passive before", True),
        ("somebody still in led the betting before this street", True),
        ("somebody still in who called on this street shows a higher card than this player", False),
    ],
)
def test_answers(name: str, answer: bool) -> None:
    assert ask(name) is answer


def test_a_folded_opponent_is_not_still_in() -> None:
    point = spot(past=PAST, leader=3, active=(1, 3, 4), acted=(3, 4, 2))
    situation = Situation(point, board("Kd 9c", "Ac Jc", "5d 6d"))
    assert not BY_NAME["somebody still in was aggressive before"].of(situation)
    assert not BY_NAME["there is somebody yet to act on this street"].of(situation)


def test_three_cards_to_a_hand() -> None:
    others = ("7s 8s 9s", "2h 3d Ac", "4c 4d 6h")
    assert ask("somebody still in shows three of a suit", "2c 3c 4s", others)
    assert ask("somebody still in shows three to a straight", "2c 3c 4s", others)
    assert ask("this player shows three to a straight", "2c 3h 6s")
    assert not ask("this player shows three to a straight", "2c 3h 7s")
    assert not ask("this player shows three of a suit", "2c 3c 7s")


def test_flushes_do_not_count_in_razz() -> None:
    name = "this player shows three of a suit"
    own = board("2c 3c 7c", "Ad", game=RAZZ)
    assert not BY_NAME[name].of(Situation(spot(active=(1, 2)), own))


def test_without_upcards_tests_of_upcards_fail() -> None:
    situation = Situation(spot(), None)
    shows = [test for test in SITUATION_TESTS if "show" in test.name]
    assert shows
    assert not any(test.of(situation) for test in shows)


def test_names_are_different() -> None:
    tests = (*SITUATION_TESTS, *HOLDING_TESTS, *ACTION_TESTS, *OUTCOME_TESTS)
    assert len({test.name for test in tests}) == len(tests)


def test_holdings() -> None:
    holdings = Holdings(
        np.array([0.05, 0.5, 0.96]),
        np.log([0.1, 0.25, 0.8]),
        np.zeros(3, dtype=np.uint32),
        np.log(4),
        np.log(0.2),
    )

    def answers(name: str) -> list[bool]:
        return HOLDING_BY_NAME[name].of(holdings).tolist()

    assert answers("the holding is among the best 5%") == [False, False, True]
    assert answers("the holding is among the best 50%") == [False, True, True]
    assert answers("the chance to win is a fair share or more") == [False, True, True]
    assert answers("the chance to win is 80% or more") == [False, False, True]
    assert answers("the chance to win is the effective odds or more") == [False, True, True]
    twice = "the chance to win is 2 times the effective odds or more"
    assert answers(twice) == [False, False, True]
    assert answers("the hand has one pair") == [False, False, False]


def test_words_hold_the_answers() -> None:
    flags = np.random.default_rng(1).random((5, 150)) < 0.5
    words = packed(flags)
    assert words.shape == (5, 3)
    back = [[bool(int(row[t // 64]) >> (t % 64) & 1) for t in range(150)] for row in words]
    assert np.array_equal(back, flags)


@pytest.mark.thorough
def test_words_of_games() -> None:
    """The words of decisions have the answers of each test."""
    models = player_models("people")
    seen = np.zeros(len(SITUATION_TESTS), dtype=bool)
    for game in play_games(Setup(models, seated(models, 7)), 4, range(6)):
        for street, observed in zip(game.replay.streets, game.observed, strict=True):
            hands = observed.dealt.hands
            for update in observed.updates:
                point = update.decision
                rivals = tuple(hands[seat].up for seat in point.active if seat != point.seat)
                up = Board(hands[point.seat].up, rivals, hands[point.seat].unseen.mask)
                answers = [test.of(Situation(point, up)) for test in SITUATION_TESTS]
                assert np.array_equal(packed(np.array([answers]))[0], situation_words(point, up))
                seen |= answers
                assert len(point.past) == point.n - 1
                assert {d.seat for d in point.past if d.street == street.number} == set(point.acted)
    assert seen.sum() > 80


def test_words_of_holdings_and_choices() -> None:
    up = board("Kd", "7s")
    live = up.unseen[:, None] & up.unseen
    pairs = np.array([live[low, high] for high in range(52) for low in range(high)])
    values = HoldingValues(np.linspace(0.0, 1.0, pairs.size), pairs, up)
    holdings = Holdings.of(spot(active=(1, 2)), values)
    words = holding_words(holdings)
    for place, test in enumerate(HOLDING_TESTS):
        bits = words[:, place // 64] >> np.uint64(place % 64) & np.uint64(1)
        assert np.array_equal(bits.astype(bool), test.of(holdings)), test.name
    (bet,) = choice_words(ACTION_TESTS, ["bet"])
    names = [t.name for i, t in enumerate(ACTION_TESTS) if int(bet[0]) >> i & 1]
    assert names == ["the action is a bet", "the action is a bet or a raise"]
