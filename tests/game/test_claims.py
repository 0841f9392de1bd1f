"""Amounts that a log states beside its events, compared with the play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handread.game.replay import replay
from handread.history import Claim, Collect, NetResult, Problem
from tests.hands import hand

STEAL = """
    1a 2a 3a
    3: 1=7h 2=9d 3=3c
    3B 1r 2f 3f
"""
"""Seat 1 completes to 1.00 and wins 1.25: three antes and bring-in and call of .25 each."""


def found(claims: list[tuple[str, int, int]]) -> list[str]:
    """What is said against claims about the steal: figure, seat and amount."""
    problem = Problem("log.txt", 1, 1, "")
    played = replay(
        replace(
            hand(STEAL, Collect(1, 125)),
            claims=tuple(
                Claim(figure, seat, amount, replace(problem, line=n))
                for n, (figure, seat, amount) in enumerate(claims)
            ),
        )
    )
    assert played.problem is None
    return [problem.expected for problem in played.findings]


@pytest.mark.parametrize(
    ("figure", "seat", "amount", "said"),
    [
        ("won", 1, 125, "1.25"),
        ("collects", 1, 125, "1.25"),
        ("bets", 1, 50, "0.50"),  # without the .75 that come back
        ("wins", 1, 75, "0.75"),
        ("net", 1, 75, "0.75"),
        ("won", 3, 0, "0.00"),
        ("collects", 3, 0, "0.00"),
        ("bets", 2, 25, "0.25"),
        ("loses", 3, 50, "0.50"),
        ("net", 3, -50, "-0.50"),
    ],
)
def test_each_figure_of_a_seat(figure: str, seat: int, amount: int, said: str) -> None:
    assert found([(figure, seat, amount)]) == []
    assert found([(figure, seat, amount + 1)]) == [f"{said} by the play"]


def test_a_room_may_collect_the_uncalled_bet_too() -> None:
    assert found([("collects", 1, 200)]) == []
    assert found([("won", 1, 200)]) == ["1.25 by the play"]


def test_high_and_low_may_have_a_line_each() -> None:
    assert found([("won", 1, 60), ("won", 1, 65)]) == []
    assert found([("won", 1, 60), ("won", 1, 66)]) == ["1.25 by the play"] * 2
    assert found([("won", 1, 125), ("won", 3, 0)]) == []
    assert found([("won", 1, 100), ("won", 3, 25)]) == ["1.25 by the play", "0.00 by the play"]
    assert found([("bets", 1, 25), ("bets", 1, 25)]) == ["0.50 by the play"] * 2


@pytest.mark.parametrize(
    ("figure", "amount", "said"), [("increase", 100, "1.00"), ("added", 275, "2.75")]
)
def test_a_raise_by_its_owner_who_has_the_bring_in_in_front(
    figure: str, amount: int, said: str
) -> None:
    """Seat 3 raises 2.00 to 3.00, with .25 in the pot already."""
    raised = hand(STEAL.replace("3B 1r 2f 3f", "3B 1r 2r 3r"))
    place = len(raised.events) - 1
    for stated, expected in ((amount, []), (amount - 1, [said]), (amount + 1, [said])):
        claim = Claim(figure, 3, stated, Problem("log.txt", 4, 1, ""), event=place)
        played = replay(replace(raised, claims=(claim,)))
        assert [problem.expected for problem in played.findings] == expected


def test_what_was_won_follows_from_net_results() -> None:
    nets = (NetResult(1, 75), NetResult(2, -25), NetResult(3, -50))
    played = replay(replace(hand(STEAL), nets=nets))
    assert (played.problem, played.won) == (None, {1: 125})
    played = replay(replace(hand(STEAL, Collect(1, 100)), nets=nets))
    assert (played.problem, played.won) == (None, {1: 125})


def test_net_results_of_a_hand_cut_short_count_an_uncalled_bet_as_returned() -> None:
    nets = (NetResult(1, -50), NetResult(2, -25), NetResult(3, -50))
    played = replay(replace(hand(STEAL.replace("2f 3f", "")), nets=nets))
    assert (played.problem, played.won, played.finished) == (None, {}, False)
