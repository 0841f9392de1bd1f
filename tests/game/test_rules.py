"""The rules as data: who beats whom, who brings it in, who leads."""

from __future__ import annotations

import pickle
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.game import ranks as stud
from handread.game.ranks import best_eight_low, best_hand, best_low, rank_five
from handread.game.rules import SAUND_STAKES, STAGES, STREETS, STUD, VARIANTS, Stakes, Unit, Variant
from tests.examples import examples
from tests.hands import cards

LADDER = [  # each beats the one before
    *("7c 5d 4h 3s 2c", "Ac Kd Qh Js 9c", "2c 2d 5h 4s 3c", "2c 2d Ah 4s 3c", "3c 3d 2h 2s 4c"),
    *("Ac Ad 2h 2s 3c", "Ac Ad 3h 3s 2c", "2c 2d 2h 4s 3c", "Ac 2d 3h 4s 5c", "2c 3d 4h 5s 6c"),
    *("Tc Jd Qh Ks Ac", "7c 5c 4c 3c 2c", "Ac Kc Qc Jc 9c", "2c 2d 2h 3s 3c", "3c 3d 3h 2s 2c"),
    *("2c 2d 2h 2s 3c", "Ac 2c 3c 4c 5c", "Th Jh Qh Kh Ah"),
]


@pytest.mark.parametrize(
    ("seven", "rank"),
    [
        ("7c Qs 7h 8h Js 2c Jh", (stud.TWO_PAIR, 9, 5, 10)),
        ("Ac Ad Kc Kd Qh Qs Jc", (stud.TWO_PAIR, 12, 11, 10)),
        ("Ac Ad Ah Kc Kd Kh 2s", (stud.FULL_HOUSE, 12, 11)),
        ("2c 2d 2h 2s 3c 3d 3h", (stud.QUADS, 0, 1)),
        ("Ac 2d 3h 4s 5c 6d 6h", (stud.STRAIGHT, 4)),
        ("Ac 2d 3h 4s 5c Kd Qh", (stud.STRAIGHT, 3)),
        ("Kc Ac 2c 3c 4d 9c 5c", (stud.FLUSH, 12, 11, 7, 3, 1)),
        ("Ac 2c 3c 4c 5c 6d 7d", (stud.STRAIGHT_FLUSH, 3)),
        ("Qc Kd Ah 2s 3c 9d 7h", (stud.HIGH_CARD, 12, 11, 10, 7, 5)),
    ],
)
def test_best_five_of_seven(seven: str, rank: tuple[int, ...]) -> None:
    assert best_hand(cards(seven)) == rank


@given(st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True))
def test_the_best_hand_is_the_best_of_all_fives(hand: list[int]) -> None:
    assert best_hand(hand) == max(map(rank_five, combinations(hand, 5)))


@examples(500)
@given(st.lists(st.integers(0, 19), min_size=7, max_size=7, unique=True))
def test_the_best_of_few_ranks_is_the_best_of_all_fives(hand: list[int]) -> None:
    """Of five ranks alone, so that pairs, trips, quads and full houses abound."""
    assert best_hand(hand) == max(map(rank_five, combinations(hand, 5)))


LOWS = [  # each beats the one before
    *("2c 2d 2h 2s Ac", "Kc Kd Kh Qs Qc", "Ac Ad Ah 2s 3c", "Kc Kd Qh Qs Jc", "Ac Ad 2h 2s 3c"),
    *("Kc Kd 4h 3s 2c", "Ac Ad 4h 3s 2c", "Kc Qd Jh Ts 9c", "9c 4d 3h 2s Ac", "8c 7d 6h 5s 4c"),
    *("8c 7d 3h 2s Ac", "8c 6d 5h 4s 3c", "7c 6c 5c 4c 3c", "6c 4d 3h 2s Ac", "5c 4c 3c 2c Ac"),
]

DEUCE_LOWS = [  # each beats the one before
    *("Ac Kc Qc Jc Tc", "7c 6c 5c 4c 3c", "2c 2d 2h 2s 3c", "2c 2d 2h 3s 3c", "Ac 5c 4c 3c 2c"),
    *("7c 5c 4c 3c 2c", "6c 5d 4h 3s 2c", "2c 2d 2h 4s 3c", "3c 3d 2h 2s 4c", "2c 2d 5h 4s 3c"),
    *("Ac 6d 5h 4s 2c", "Ac 5d 4h 3s 2c", "Kc Qd Jh Ts 8c", "8c 5d 4h 3s 2c", "7c 6d 4h 3s 2c"),
    "7c 5d 4h 3s 2c",
]


@pytest.mark.parametrize(
    ("ladder", "rank"),
    [(LADDER, rank_five), (LOWS, stud.rank_low), (DEUCE_LOWS, stud.rank_deuce_low)],
)
def test_ladders(ladder: list[str], rank: stud.RankHand) -> None:
    ranks = [rank(cards(text)) for text in ladder]
    assert ranks == sorted(set(ranks))


@examples(200)
@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True))
def test_the_best_low_has_the_five_lowest_ranks(hand: list[int]) -> None:
    ranks = sorted({(card // 4 + 1) % 13 for card in hand})
    low = best_low(hand)
    if len(ranks) < 5:
        assert low[0] < 0
    else:
        assert low == (0, *(-rank for rank in reversed(ranks[:5])))
    qualifies = len([rank for rank in ranks if rank < 8]) >= 5
    assert best_eight_low(hand) == (low if qualifies else None)


def test_the_worst_low_that_qualifies_is_8_7_6_5_4() -> None:
    assert best_eight_low(cards("8c 7d 6h 5s 4c Kd Qh")) == (0, -7, -6, -5, -4, -3)
    assert best_eight_low(cards("9c 5d 4h 3s 2c Kd Qh")) is None


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("7c 5d 4h 3s 2c Ac Ad", (-stud.HIGH_CARD, -5, -3, -2, -1, 0)),
        ("6c 5d 4h 3s 2c Ac Kd", (-stud.HIGH_CARD, -11, -3, -2, -1, 0)),
        ("Ac 5d 4h 3s 2c 2d 2h", (-stud.HIGH_CARD, -12, -3, -2, -1, 0)),
    ],
)
def test_best_deuce_to_seven_low(text: str, rank: tuple[int, ...]) -> None:
    assert stud.best_deuce_low(cards(text)) == rank


@given(st.permutations(range(52)), st.permutations(range(4)))
def test_order_and_suits_do_not_matter(deck: list[int], suits: list[int]) -> None:
    hand = deck[:7]
    renamed = [card // 4 * 4 + suits[card % 4] for card in hand]
    assert best_hand(hand) == best_hand(sorted(hand)) == best_hand(renamed)


@pytest.mark.parametrize(
    ("game", "doors", "seats"),
    [
        ("stud", "3s 3h Ac 4c", [2, 1, 4, 3]),
        ("stud8", "3s 3h Ac 4c", [2, 1, 4, 3]),
        ("razz", "3s Kh As Kc", [2, 4, 1, 3]),
        ("razz", "3s 2h As Ac", [1, 2, 3, 4]),
        ("27razz", "3s Kh As Ac", [3, 4, 2, 1]),
        ("5stud", "3s 3h Ac 4c", [2, 1, 4, 3]),
    ],
)
def test_bring_in_of_each_game(game: str, doors: str, seats: list[int]) -> None:
    assert VARIANTS[game].brings_in(dict(enumerate(cards(doors), start=1))) == seats


@pytest.mark.parametrize(
    ("game", "showing", "leaders"),
    [
        ("stud8", ["8h 2c", "2d 2h", "Ac Kc"], [2]),
        ("razz", ["8h 2c", "2d 2h", "Ac Kc"], [1]),
        ("razz", ["2c Ac", "Ad 2d", "3d 2h"], [1, 2]),
        ("razz", ["Kc Qc", "Ad Ah"], [1]),
        ("27razz", ["2c Ac", "Kd Qd", "3d 3h"], [2]),
        ("5stud", ["8h", "9c", "Ac"], [3]),
        ("stud", ["8h 2c", "8c 3d"], [2]),
        ("stud", ["8h 2c", "2d 2h", "Ac Kc"], [2]),
        ("stud", ["8h Kc", "Kd 8c", "7c 6c"], [1, 2]),
        ("stud", ["2c 3c 4c", "Ad 2d 3d", "2h 2s 3h"], [3]),
        ("stud", ["2c 3c 4c 5c", "Ad Kh 2h 9s"], [2]),
        ("stud", ["4c 4d 4h", "Ac Ad Kh"], [1]),
        ("stud", ["4c 4d 5h 5d", "Ac Ad Kh Qh"], [1]),
    ],
)
def test_who_leads_in_each_game(game: str, showing: list[str], leaders: list[int]) -> None:
    hands = {seat: cards(text) for seat, text in enumerate(showing, start=1)}
    assert VARIANTS[game].leads(hands) == leaders


def test_deals_and_bets_of_each_game() -> None:
    readable = [game for game in VARIANTS.values() if game.key != "other"]
    assert {game.key: game.n_cards for game in readable} == {
        **dict.fromkeys(("stud", "stud8", "studhl", "razz", "27razz"), 7),
        "5stud": 5,
    }
    five, seven = VARIANTS["5stud"], VARIANTS["razz"]
    assert five.dealt == {2: (1, 1), 3: (1, 2), 4: (1, 3), 5: (1, 4)}
    assert (five.up_places, seven.up_places) == (slice(1, 5), slice(2, 6))
    assert five.bets(1, 2) == (1, 1, 2, 2)
    stakes = Stakes(1, 0, (10, 10, 20, 20))
    assert [five.bet(stakes, street) for street in (2, 3, 4, 5)] == [10, 10, 20, 20]
    assert [five.later_bets(stakes, street) for street in (2, 3, 4, 5)] == [50, 40, 20, 0]


@pytest.mark.parametrize(
    ("game", "hand", "ranks"),
    [
        ("stud", "Ac 3d 4h 5s 6c 7c Kd", ((stud.STRAIGHT, 5),)),
        ("stud8", "Ac 3d 4h 5s 6c 7c Kd", ((stud.STRAIGHT, 5), (0, -5, -4, -3, -2, 0))),
        ("stud8", "Ac 3d 4h 9s 9c 7c Kd", ((stud.PAIR, 7, 12, 11, 5), None)),
        ("razz", "Ac 3d 4h 5s 6c 7c Kd", ((0, -5, -4, -3, -2, 0),)),
        ("27razz", "Ac 3d 4h 5s 6c 7c Kd", ((0, -11, -4, -3, -2, -1),)),
        ("5stud", "Ac 2d 3h 4s 5c", ((stud.STRAIGHT, 3),)),
    ],
)
def test_what_wins_in_each_game(game: str, hand: str, ranks: tuple[object, ...]) -> None:
    variant: Variant = VARIANTS[game]
    assert variant.ranks(cards(hand)) == ranks
    assert variant.splits == (len(ranks) == 2)


def test_showing_straights_and_flushes_are_high_cards() -> None:
    assert rank_five(cards("5c 4c 3c 2c"))[0] == stud.HIGH_CARD


@pytest.mark.parametrize(
    ("text", "pair"), [("4c", False), ("4c 4d", True), ("4c 5c 6c", False), ("4c 5c 4h", True)]
)
def test_open_pair(text: str, pair: bool) -> None:
    assert stud.shows_pair(cards(text)) is pair


def test_streets_deal_seven_cards() -> None:
    assert sum(street.down + street.up for street in STREETS) == 7
    assert [street.name for street in STREETS] == ["3rd", "4th", "5th", "6th", "7th"]
    assert STAGES == ("3D", "3B", "4D", "4B", "5D", "5B", "6D", "6B", "7D", "7B")


def test_stakes_of_the_paper() -> None:
    assert [STUD.bet(SAUND_STAKES, s) for s in (3, 4, 5, 6, 7)] == [100, 100, 200, 200, 200]
    assert [STUD.later_bets(SAUND_STAKES, s) for s in (3, 4, 5, 6, 7)] == [700, 600, 400, 200, 0]


@pytest.mark.parametrize(
    ("unit", "amount", "text"),
    [
        (Unit(2, "$"), 125, "$1.25"),
        (Unit(2, ""), -5, "-0.05"),
        (Unit(0, ""), 1234567, "1,234,567"),
        (Unit(2, "€"), 123456789, "€1,234,567.89"),
        (Unit(3, ""), 1, "0.001"),
    ],
)
def test_money_as_text(unit: Unit, amount: int, text: str) -> None:
    assert unit.text(amount) == text


def test_a_game_is_printed_alike_by_all_processes() -> None:
    assert " at 0x" not in repr(STUD)  # the terms of a run that is resumed hold it


@pytest.mark.parametrize("game", VARIANTS.values(), ids=lambda game: game.key)
def test_each_game_is_one_value(game: Variant) -> None:
    """Records that were pickled are told from those of other games by it."""
    assert pickle.loads(pickle.dumps(game)) is game
