"""What a player held and what the opponents showed, in the words of each game."""

from __future__ import annotations

import pytest

from handread.cards import Card, parse_card
from handread.game.replay import replay
from handread.game.rules import VARIANTS
from handread.report.spots import own_cards, showing_words, spot_words
from tests.pages import hands_of
from tests.program import SAMPLES


def cards(text: str) -> list[Card]:
    return [parse_card(card) for card in text.split()]


@pytest.mark.parametrize(
    ("game", "boards", "words"),
    [
        ("stud", ["Kd", "2c"], "a king"),
        ("stud", ["8d"], "an eight"),
        ("stud", ["Kd Qc", "9c 9d"], "nines"),
        ("stud", ["Kd Qc 2c", "Ac 3d 4d"], "ace high"),
        ("stud", ["Kd Qd 2d 7d", "Ac 3d 4d 9s"], "four diamonds"),
        ("stud", ["Kd Ks 2d 2h"], "kings and deuces"),
        ("stud", ["6d 6s 6h"], "three sixes"),
        ("stud", ["6d 6s 6h 6c"], "four sixes"),
        ("stud8", ["Kd Ks 2d", "7c 5d 3h"], "kings and 7-5-3"),
        ("stud8", ["Td 8c 2s", "7c 5d 3h"], "ten high and 7-5-3"),
        ("stud8", ["7c 5d 3h"], "7-5-3"),
        ("stud8", ["7c 5d"], "seven high"),
        ("razz", ["7c", "Ad"], "an ace"),
        ("razz", ["7c 5d 3h", "Ad 2d Kd"], "7-5-3"),
        ("razz", ["4c 4d 7h"], "a pair of fours"),
        ("5stud", ["Qc 9d", "Jd Js"], "jacks"),
        ("stud", [], ""),
    ],
)
def test_what_opponents_show(game: str, boards: list[str], words: str) -> None:
    assert showing_words([cards(up) for up in boards], VARIANTS[game]) == words


@pytest.mark.parametrize(
    ("name", "held", "showing"),
    [
        ("showdown.stud", "with ", "into "),
        ("razz.stud", "with three to a six", "into a three showing"),
        ("hi-lo.stud", "with three in a row with three low cards", "into an eight showing"),
        ("five-card.stud", "with five high", "against an eight showing"),
    ],
)
def test_a_decision_names_the_cards_of_its_game(name: str, held: str, showing: str) -> None:
    played = replay(next(hands_of(SAMPLES / name)))
    words = [spot_words(played, one) for one in played.decisions if one.seat == 1]
    assert held in words[0]
    assert showing in words[0]
    assert name != "showdown.stud" or all(one.startswith("with ") for one in words)


def test_nothing_is_said_of_cards_that_are_not_known() -> None:
    played = replay(next(hands_of(SAMPLES / "pokerstars.txt")))
    others = [d for d in played.decisions if d.seat not in played.downcards]
    assert {spot_words(played, one) for one in others} == {""}
    assert own_cards(played, others[0].seat) == own_cards(played, None) == ((), "")
    mine = own_cards(played, played.history.hero)
    assert mine == (("9c 9s", "6h Td 9d Ah", "4s"), "three nines")
