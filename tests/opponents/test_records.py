"""What a hand adds to the record of each player, and records over many hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.game.replay import replay
from handread.game.rules import (
    DEUCE_RAZZ,
    FIVE_STUD,
    RAZZ,
    SAUND_STAKES,
    STUD,
    STUD8,
    STUD_HL,
    Variant,
)
from handread.game.steps import Replay
from handread.history import Seat
from handread.inference.players import player_models
from handread.opponents.counts import seat_counts
from handread.opponents.records import (
    OPENINGS,
    YOU,
    PlayerRecord,
    Players,
    SeatHand,
    holds_nothing,
    merge,
    records_of,
    seat_hands,
)
from handread.simulate import Setup, play_games, seated
from tests.examples import examples
from tests.hands import ALL_IN, GOLDEN, cards, hand, random_hand
from tests.opponents.comparing import assert_same_records

NAMES = ("Ann", "Bob", "", "Cy")


def added(script: str, variant: str = "stud") -> dict[int, SeatHand]:
    """What a hand adds by seat."""
    played = replay(hand(script, variant=variant))
    assert played.problem is None
    return {one.seat: one for one in seat_hands(played)}


@pytest.fixture(scope="module")
def games() -> list[Replay]:
    """Games of several kinds, of four players, one of them nameless."""
    found = []
    players = player_models("loose")
    seats = seated(players, 4)
    named = tuple(replace(seat, name=name) for seat, name in zip(seats, NAMES, strict=True))
    for game in (STUD, STUD8, RAZZ, FIVE_STUD):
        stakes = replace(SAUND_STAKES, bets=game.bets(100, 200))
        setup = Setup(players, seats, stakes, game=game, watched=False)
        for one in play_games(setup, 3, range(6)):
            found.append(replay(replace(one.history, seats=named)))
    return found


# A hand


def test_what_the_golden_hand_adds() -> None:
    found = added(GOLDEN)
    assert {seat: one.opening for seat, one in found.items()} == {
        1: "completed",
        2: "called",
        3: "folded",
        4: "folded",
        5: "brought in",
        6: "folded",
        7: "folded",
    }
    assert {seat: one.shown for seat, one in found.items() if one.shown} == {
        1: "split pair",
        2: "three to a flush",
    }
    assert sum(one.net_bets or 0.0 for one in found.values()) == pytest.approx(0.0)
    assert found[3].net_bets == pytest.approx(-0.125)
    assert {seat: one.bluffed for seat, one in found.items() if one.bluffed is not None} == {
        1: False,
        2: False,
    }


@pytest.mark.parametrize(
    ("play", "opening"),
    [
        ("1B 2f 3f", ("brought in", "folded", "folded")),
        ("1B 2c 3c", ("brought in", "limped", "limped")),
        ("1B 2c 3r 1f 2f", ("brought in", "limped", "completed")),
        ("1B 2r 3c 1c", ("called", "completed", "called")),
        ("1B 2r 3r 1c 2c", ("called", "completed", "re-raised")),
        ("1B 2c 3r 1r 2c 3c", ("re-raised", "called", "completed")),
        ("1b 2f 3f", ("completed", "folded", "folded")),
    ],
)
def test_the_opening_is_the_strongest_action(play: str, opening: tuple[str, ...]) -> None:
    doors = "1=??.??/2c 2=??.??/8d 3=??.??/Kh"
    found = added(f"1a 2a 3a\n3: {doors}\n{play}")
    assert tuple(found[seat].opening for seat in (1, 2, 3)) == opening
    assert set(opening) <= set(OPENINGS)


def test_without_a_choice_there_is_no_opening() -> None:
    found = added(ALL_IN)
    assert [one.opening for one in found.values()] == ["", ""]
    assert [one.bluffed for one in found.values()] == [None, None]


def test_an_unfinished_hand_has_no_result() -> None:
    found = added("1a 2a\n3: 1=??.??/2c 2=??.??/8d\n1B")
    assert [one.net_bets for one in found.values()] == [None, None]
    records = records_of([replay(hand("1a 2a\n3: 1=??.??/2c 2=??.??/8d\n1B"))])
    (nameless,) = records.values()
    assert (nameless.hands, nameless.finished, nameless.net) == (2, 0, 0.0)


def test_a_tournament_has_no_net_result_in_big_bets() -> None:
    played = hand(ALL_IN, stacks={1: 25, 2: 25})
    assert None not in [one.net_bets for one in seat_hands(replay(played))]
    of_tournament = seat_hands(replay(replace(played, tournament="7")))
    assert [one.net_bets for one in of_tournament] == [None, None]


def test_a_hero_without_a_name_is_you() -> None:
    history = hand(GOLDEN, hero=1)
    assert [one.name for one in seat_hands(replay(history))] == [YOU, *[""] * 6]
    named = replace(history, seats=(Seat(1, "Ann"), *history.seats[1:]))
    first, *others = seat_hands(replay(named))
    assert (first.name, first.you) == ("Ann", True)
    assert not any(one.you for one in others)


# Bluffs


@pytest.mark.parametrize(
    ("game", "text", "nothing"),
    [
        (STUD, "Ac Kd Jh 9s 7c 5d 2h", True),
        (STUD, "Ac Ad Jh 9s 7c 5d 2h", False),
        (STUD, "Ac Kc Jc 9c 7c 5d 2h", False),
        (STUD, "Ac Kd Qh Js Tc 5d 2h", False),
        (FIVE_STUD, "Ac Kd Jh 9s 7c", True),
        (FIVE_STUD, "Ac Ad Jh 9s 7c", False),
        (RAZZ, "Ac 2d 3h 4s Tc Kd Kh", False),
        (RAZZ, "Ac 2d 3h 4s Jc Kd Kh", True),
        (RAZZ, "Ac Ad Ah 2s 2c 3d 4h", True),
        (RAZZ, "Ac 2d 3h 4s 5c 5d 5h", False),
        (STUD8, "Ac Kd Jh 9s 7c 5d 2h", True),  # no pair, and no low: A 2 5 7 9
        (STUD8, "Ac Kd Jh 8s 7c 5d 2h", False),
        (STUD8, "Kc Kd Jh Ts 9c 5d 2h", False),
        (STUD8, "Ac 2d 3h 4s 9c Jd Qh", True),
        (STUD_HL, "Ac 2d 3h 4s 9c Jd Qh", False),
        (STUD_HL, "Kc Qd Jh 9s 7c 5d 2h", True),
        (DEUCE_RAZZ, "2c 3d 4h 6s Tc Kd Kh", False),
        (DEUCE_RAZZ, "2c 3d 4h 6s Jc Kd Kh", True),
    ],
)
def test_nothing_is_less_than_a_pair_and_no_low(game: Variant, text: str, nothing: bool) -> None:
    held = [card for card in cards(text) if card is not None]
    assert holds_nothing(game, held) is nothing


BLUFF = """
    1a 2a
    3: 1=Ac.Kd/Jh 2=8c.8d/4h
    2B 1c
    4: 1=9s 2=5s  1k 2k
    5: 1=7c 2=Tc  1k 2k
    6: 1=5d 2=2c  1k 2k
    7: 1={last}/ 2=6d/  {play}
"""


@pytest.mark.parametrize(
    ("last", "play", "bluffed"),
    [
        ("2h", "1b 2c", {1: True, 2: None}),
        ("Ah", "1b 2c", {1: False, 2: None}),
        ("2h", "1b 2f", {1: None, 2: None}),
        ("2h", "1k 2b 1c", {1: None, 2: False}),
        ("2h", "1k 2b 1r 2c", {1: True, 2: False}),
        ("2h", "1k 2k", {1: None, 2: None}),
        ("??", "1b 2c", {1: None, 2: None}),
    ],
)
def test_a_bluff_bets_the_last_street_and_shows_nothing(
    last: str, play: str, bluffed: dict[int, bool | None]
) -> None:
    found = added(BLUFF.format(last=last, play=play))
    assert {seat: one.bluffed for seat, one in found.items()} == bluffed


@pytest.mark.parametrize(
    ("variant", "down", "last", "bluffed"),
    [
        ("razz", "As.2d", "3h", False),  # 7-5-3-2-A
        ("razz", "Ks.Kd", "Jc", True),
        ("stud8", "As.2d", "3h", False),  # no pair, but a low
        ("stud8", "As.Qd", "Kh", True),
    ],
)
def test_games_with_a_low_ask_for_one(variant: str, down: str, last: str, bluffed: bool) -> None:
    high = "3: 1={down}/Th 2=8c.8d/4h\n2B 1c\n"
    low = "3: 1={down}/Th 2=8c.8d/4h\n1B 2c\n"
    order = {"razz": "2k 1k", "stud8": "1k 2k"}[variant]
    streets = [
        ("1a 2a\n" + (low if variant == "razz" else high)).format(down=down),
        f"4: 1=9s 2=5s {order}\n5: 1=7c 2=6c {order}\n6: 1=5d 2=3d {order}\n",
        f"7: 1={last}/ 2=6d/ " + {"razz": "2k 1b 2c", "stud8": "1b 2c"}[variant],
    ]
    found = added("".join(streets), variant=variant)
    assert found[1].bluffed is bluffed


# Records


@pytest.mark.thorough
def test_records_are_sums_over_hands(games: list[Replay]) -> None:
    found = records_of(games)
    hands = [(one, game) for game in games for one in seat_hands(game)]
    for (name, key), player in found.items():
        own = [one for one, game in hands if (one.name, game.history.variant) == (name, key)]
        assert player.hands == len(own)
        assert np.array_equal(player.counts, sum(one.counts for one in own))
        assert player.net == pytest.approx(sum(one.net_bets or 0.0 for one in own))
        assert player.finished == sum(one.net_bets is not None for one in own)
        assert player.shown.total() == sum(bool(one.shown) for one in own)
        assert player.bluffs[1] == sum(one.bluffed is not None for one in own)
        assert player.bluffs[0] <= player.bluffs[1]
        assert player.adjusted is None
    assert {name for name, _ in found} == set(NAMES)
    assert sum(player.net for player in found.values()) == pytest.approx(0.0)


@pytest.fixture(scope="module")
def whole(games: list[Replay]) -> Players:
    return records_of(games)


@pytest.mark.thorough
@given(st.integers(0, 24))
def test_records_of_parts_are_merged(games: list[Replay], whole: Players, at: int) -> None:
    for one, other in ((games[:at], games[at:]), (games[at:], games[:at])):
        found = records_of(one)
        merge(found, records_of(other))
        assert_same_records(found, whole)


def test_a_result_without_luck_is_merged_if_both_have_one() -> None:
    def player(adjusted: float | None) -> Players:
        return {("Ann", "stud"): PlayerRecord("Ann", STUD, hands=1, adjusted=adjusted)}

    for one, other, both in ((1.5, 2.0, 3.5), (1.5, None, None), (None, None, None), (0, 0, 0)):
        found = player(one)
        merge(found, player(other))
        assert found["Ann", "stud"].adjusted == both


@pytest.mark.parametrize(
    "game", [STUD, STUD8, RAZZ, FIVE_STUD, STUD_HL, DEUCE_RAZZ], ids=lambda game: game.key
)
@examples(25)
@given(seed=st.integers(0, 2**32), n=st.integers(2, 7))
def test_random_hands_add_up(game: Variant, seed: int, n: int) -> None:
    played = replay(random_hand(seed, n, deepest=20, game=game))
    found = seat_hands(played)
    assert [one.seat for one in found] == list(seat_counts(played))
    assert sum(one.net_bets or 0.0 for one in found) == pytest.approx(0.0)
    for one in found:
        assert (one.bluffed is not None) <= (one.seat in played.showdown)
        assert bool(one.shown) <= (one.seat in played.showdown)


def test_a_hand_without_a_street_adds_nothing() -> None:
    assert records_of([replay(replace(hand("1a 2a"), events=()))]) == {}
