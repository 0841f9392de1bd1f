"""Holdings of razz, hi/lo and five-card stud in words."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import DECK_SIZE, Card, holding_index, parse_card
from handread.game.ranks import best_low
from handread.game.rules import DEUCE_RAZZ, FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.odds.hand_types import final_name, low_name
from handread.odds.holdings import families, kind_of, kind_table, kinds
from handread.odds.htpd import holding_cards
from handread.odds.low_holdings import kind_in_game
from tests.examples import examples


def cards(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("As 2d 3c 4h 5s 5d Kc", "wheel"),
        ("As 2d 4c 6h 8s 8d Kc", "8-6-4-2-A low"),
        ("As Td 9c 7h 8s 8d Kc", "T-9-8-7-A low"),
        ("4s 4d 6c 6h 5s 5d 2c", "pair of fours, 6-5-2"),
        ("As Ad Ac 3h 3s 3d 2c", "two pair, threes and aces, deuce kicker"),
        ("Ks Kd Kc Qh Qs Qd Qc", "full house, queens full of kings"),
    ],
)
def test_names_of_lows(hand: str, name: str) -> None:
    assert low_name(best_low(cards(hand))) == name


@pytest.mark.parametrize(
    ("game", "hand", "name"),
    [
        (STUD, "As Ad 3s 3h 8c 6d 5c", "two pair, aces and threes, eight kicker"),
        (RAZZ, "As Ad 3s 3h 8c 6d 5c", "8-6-5-3-A low"),
        (
            STUD8,
            "As Ad 3s 3h 8c 6d 5c",
            "two pair, aces and threes, eight kicker; 8-6-5-3-A low",
        ),
        (STUD8, "As Ad 3s 3h 8c Jd 5c", "two pair, aces and threes, jack kicker; no low"),
        (STUD8, "As 2s 3s 4s 5c Kd Kc", "straight to the five; wheel"),
        (DEUCE_RAZZ, "2s 3d 4s 5h 7c 7d Ac", "seven high, five four three deuce"),
        (DEUCE_RAZZ, "As Kd 4s 5h 2c 3d 3c", "king high, five four three deuce"),
        (FIVE_STUD, "7s 7d 9s Tc Qc", "pair of sevens, queen kicker"),
    ],
)
def test_names_of_whole_hands(game: Variant, hand: str, name: str) -> None:
    assert final_name(cards(hand), game) == name


@pytest.mark.parametrize(
    ("down", "up", "words", "family"),
    [
        ("As 2d", "5h", "three to a wheel", "three to a wheel"),
        ("As 2d", "7h", "three to a seven", "three low cards"),
        ("As 2d", "8h", "three to an eight", "three low cards"),
        ("As Kd", "8h", "two low cards with a king", "two low and a brick"),
        ("Qs Kd", "8h", "one low card", "one low card"),
        ("Qs Kd", "9h", "no low card", "no low card"),
        ("4s 4d", "8h", "pair of fours", "paired"),
        ("4s 4d", "4h", "three fours", "paired"),
        ("As 2d", "7h 5h", "seven-low draw", "seven-low draw"),
        ("As 7d", "8h 2c", "eight-low draw, rough", "eight-low draw"),
        ("As 2d", "3h 5h", "wheel draw", "wheel draw"),
        ("As 2d", "7h Kh", "three to a seven", "three low cards"),
        ("As 2d", "7h 7c", "three to a seven", "three low cards"),
        ("As 2d", "2h Ac", "two low cards", "two low cards"),
        ("As 2d", "6h 4c 8d", "8-6 low", "eight low"),
        ("As 2d", "3h 4c 5d", "wheel", "wheel"),
        ("As 2d", "7h 4c 8d", "8-7 low, rough", "eight low"),
        ("As 2d", "7h 9c 8d", "9-8 low, rough", "nine low"),
        ("As 2d", "7h 4c Td", "T-7 low", "ten low"),
        ("As 2d", "7h 4c Jd", "seven-low draw", "seven-low draw"),
        ("As 2d", "7h 4c Jd 6s", "7-6 low, rough", "seven low"),
        ("As 2d", "Qh Jc Td Kc", "two low cards", "two low cards"),
        ("As 2d Ks", "7h 4c Jd Js", "J-7 low", "jack low"),
        ("As 2d 2s", "7h 4c 4d 7s", "pair of deuces", "paired"),
        ("As 2d 2s", "Ac 4c 4d Ad", "two pair", "paired"),
        ("As 2d 2s", "Ac 2c 2h Ad", "full house", "paired"),
    ],
)
def test_kinds_of_razz(down: str, up: str, words: str, family: str) -> None:
    kind = kind_of(cards(down), cards(up), RAZZ.key)
    assert (kind.words, kind.family) == (words, family)


@pytest.mark.parametrize(
    ("down", "up", "words", "family"),
    [
        ("As 2d", "7h", "three low cards", "three low cards"),
        ("Qs 2d", "Qh", "split queens", "split pair"),
        ("As Ad", "7h", "aces in the hole", "pair in the hole"),
        (
            "As 2s",
            "7s",
            "three to a flush with three low cards",
            "three to a flush with three low cards",
        ),
        ("As Qd", "Qh 7c", "split queens", "split pair"),
        ("As 2d", "2h 7c", "split deuces with three low cards", "split pair with three low cards"),
        ("As 5d", "2h 7c", "7-5 low draw", "low draw"),
        ("As 5d", "2h 8c", "8-5 low draw", "low draw"),
        ("As 5d", "2h 3c", "gutshot with a wheel draw", "gutshot with a low draw"),
        (
            "As 5d",
            "2h 7c 7d",
            "sevens on board with a 7-5 low draw",
            "pair on board with a low draw",
        ),
        ("As 5d", "2h 7c 3d", "gutshot with a 7-5 low", "gutshot with a low"),
        ("As 5d", "2h 8c Kd 6h", "8-6 low", "low"),
        (
            "As 5s",
            "2s 8c 5d 6s",
            "split fives with a flush draw and an 8-6 low",
            "pair with a flush draw and a low",
        ),
        ("As Jd Js", "2h 2c 5d 7c", "two pair, jacks up", "two pair"),
        ("As 2d 3s", "4h 5c Kd Kc", "straight with a wheel", "straight with a low"),
        (
            "As Ad 3s",
            "3h 8c 6d 5c",
            "two pair, aces up, with an 8-6 low",
            "two pair with a low",
        ),
        ("As 2d Qs", "4h 7c Kd 6c", "ace high with a 7-6 low", "high card with a low"),
        ("As 2d Qs", "4h 7c Kd Jc", "ace high", "high card"),
    ],
)
def test_kinds_of_hi_lo(down: str, up: str, words: str, family: str) -> None:
    kind = kind_of(cards(down), cards(up), STUD8.key)
    assert (kind.words, kind.family) == (words, family)


@pytest.mark.parametrize(
    ("down", "up", "words"),
    [
        ("As", "7h", "ace high"),
        ("7s", "7h", "split sevens"),
        ("7s", "7h 7c", "three sevens"),
        ("Ks", "7h 7c", "sevens on board"),
        ("7s", "8s Ts", "three to a flush"),
        ("7s", "8s Ts 2s", "flush draw"),
        ("7s", "8s Ts 2d", "ten high"),
        ("7s", "8d 9s Tc", "open-ended straight draw"),
        ("7s", "8d 9s Tc Jc", "straight"),
        ("7s", "8d 9s Tc Qc", "queen high"),
        ("7s", "7d 9s Tc Qc", "pair of sevens"),
    ],
)
def test_kinds_of_five_card_stud(down: str, up: str, words: str) -> None:
    assert kind_of(cards(down), cards(up), FIVE_STUD.key).words == words


@st.composite
def boards(draw: st.DrawFn) -> tuple[Variant, int, list[Card]]:
    """A game, the number of downcards of a seat, and its upcards."""
    game = draw(st.sampled_from([RAZZ, STUD8, FIVE_STUD]))
    n_down, n_up = draw(st.sampled_from(sorted(set(game.dealt.values()))))
    if n_down == 3 and draw(st.booleans()):
        n_down, n_up = 2, 5  # the last card is shared
    deck = draw(st.permutations(list(map(Card, range(DECK_SIZE)))))
    return game, n_down, deck[:n_up]


@given(boards(), st.integers(0, 99))
@examples(40)
def test_a_pdd_by_kind_is_a_sum_over_its_holdings(
    board: tuple[Variant, int, list[Card]], seed: int
) -> None:
    game, n_down, up = board
    size = {1: 52, 2: 1326, 3: 22100}[n_down]
    held = holding_cards(size)
    rng = np.random.default_rng(seed)
    live = ~np.isin(held, np.array(up)).any(axis=1)
    some = rng.choice(np.flatnonzero(live), min(60, int(live.sum())), replace=False)
    pdd = np.zeros(size)
    pdd[some] = rng.dirichlet(np.ones(some.size))
    expected: Counter[object] = Counter()
    for holding in some.tolist():
        expected[kind_in_game([*map(Card, held[holding])], up, game.key)] += pdd[holding]
    found = kinds(pdd, np.zeros(0), up, game.key)
    assert found == pytest.approx(expected)
    assert sum(families(found).values()) == pytest.approx(1.0)
    for kind in found:
        assert not kind.detail or kind.words != kind.family


def test_the_tables_of_a_board_are_kept() -> None:
    up = cards("7h 2c")
    assert kind_table(1326, up, RAZZ.key) is kind_table(1326, up, RAZZ.key)
    assert len(kind_table(1326, up, STUD8.key).number) == 1326


def test_suits_do_not_matter_in_razz() -> None:
    up = cards("7h 2c 3d")
    table = kind_table(1326, up, RAZZ.key)
    for ranks in combinations(range(0, 52, 4), 2):
        pairs = [
            holding_index([Card(a + s), Card(b + t)])
            for a, b in [ranks]
            for s in range(4)
            for t in range(4)
            if Card(a + s) not in up and Card(b + t) not in up
        ]
        assert len(set(table.number[pairs].tolist())) == 1
