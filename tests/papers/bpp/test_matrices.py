"""BPP's hand types and matrices against plain counts, and Table 1 of its paper."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from handread.cards import DECK, Card
from handread.game.ranks import best_hand
from handread.papers.bpp import hand_codes_kernel as kernels
from handread.papers.bpp import network
from handread.papers.bpp.types import FINE, NINE, PAPER, TYPE_SETS, TypeSet, hand_code
from tests.hands import cards

ALL_HANDS = comb(52, 5)
DEALT = 10_000_000

TABLE_1 = {
    "busted": (1_302_540, 0.5015629),
    "pair": (1_098_240, 0.4225703),
    "two_pair": (123_552, 0.0475431),
    "triple": (54_912, 0.0211037),
    "straight": (10_200, 0.0035492),
    "flush": (5_108, 0.0019693),
    "full_house": (3_744, 0.0014405),
    "quads": (624, 0.0002476),
    "straight_flush": (40, 0.0000134),
}
"""The exact number of hands of each category, and the probability that the paper prints."""

WHEELS = {"busted": 1020, "straight": -1020, "flush": 4, "straight_flush": -4}
"""The hands that change their category if A-2-3-4-5 is no straight."""


# Table 1


def test_categories_have_their_exact_numbers_of_hands() -> None:
    found = dict(zip(NINE.labels, network.final_counts(NINE).tolist(), strict=True))
    assert found == {name: count for name, (count, _) in TABLE_1.items()}
    assert round(found["pair"] / ALL_HANDS, 6) == 0.422569


def standard_errors(name: str, count: int) -> float:
    chance = count / ALL_HANDS
    return (TABLE_1[name][1] - chance) / sqrt(chance * (1.0 - chance) / DEALT)


@pytest.mark.parametrize("name", TABLE_1)
def test_the_paper_sampled_its_table_without_the_wheel(name: str) -> None:
    # Nine rows within two standard errors of 10,000,000 hands, if the ace is high only.
    count = TABLE_1[name][0]
    assert abs(standard_errors(name, count + WHEELS.get(name, 0))) < 2.0
    if name == "straight":  # with the wheel, its number is not a matter of luck
        assert standard_errors(name, count) < -18.0


# Hand types


def plain_type(hand: list[Card]) -> str:
    """The type of the paper, written out."""
    bands = dict(zip("23456789TJQKA", ["low"] * 8 + ["medium"] * 2, strict=False))
    bands |= {"Q": "queen", "K": "king", "A": "ace"}
    times = Counter(repr(card)[0] for card in hand)
    order = "23456789TJQKA"
    if len(hand) == 5:
        category, *_ = best_hand(hand)
        made = list(TABLE_1)[category]
    else:
        groups = sorted(times.values(), reverse=True)
        made = {4: "quads", 3: "triple", 2: "pair", 1: "busted"}[groups[0]]
        made = "two_pair" if groups == [2, 2] else made
        if made == "busted" and len(hand) > 2:
            straights = ["A2345", *(order[i : i + 5] for i in range(9))]
            straight = any(set(times) <= set(ranks) for ranks in straights)
            flush = len({repr(card)[1] for card in hand}) == 1
            draws = {(True, True): "straight_flush", (True, False): "straight"}
            made = draws.get((straight, flush), "flush" if flush else made)
    if made not in ("busted", "pair"):
        return made
    return f"{made}_{bands[max(times, key=lambda r: (times[r], order.index(r)))]}"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_types_written_out(n: int) -> None:
    rng = random.Random(n)
    for _ in range(800):
        suits = rng.choice(["cdhs", "c", "cd"])
        deck = [card for card in DECK if repr(card)[1] in suits]
        hand = rng.sample(deck, n)
        assert PAPER.labels[PAPER.hand(hand)] == plain_type(hand), hand


@pytest.mark.parametrize(
    ("hand", "paper", "fine"),
    [
        ("As Ks", "busted_ace", "busted_A"),
        ("Qs Qd", "pair_queen", "pair_Q"),
        ("2s 7s Ts", "flush", "flush_draw_medium"),
        ("As 2d 4c", "straight", "straight_draw_ace"),
        ("5s 6s 8s 9s", "straight_flush", "straight_flush_draw_low"),
        ("5s 6s 8s 9d", "straight", "straight_draw_low"),
        ("As 2d 3c 4s 5d", "straight", "straight_low"),
        ("3s 3d Ac Ad 5d", "two_pair", "two_pair_ace"),
        ("2s 4s 9s Ts Ks", "flush", "flush_king"),
        ("4s 9s Ts Ks", "flush", "flush_draw_king"),
    ],
)
def test_types_of_hands(hand: str, paper: str, fine: str) -> None:
    assert PAPER.labels[PAPER.hand(cards(hand))] == paper
    assert FINE.labels[FINE.hand(cards(hand))] == fine


@pytest.mark.parametrize(
    ("hand", "paper", "fine"),
    [
        ("2s 4s 9s Ts Kd", "busted_king", "flush_draw_king"),
        ("2s 4s 9s Ts Kd Kc", "pair_king", "pair_K"),
        ("7s 8d 9s Ts Kd Ac", "busted_ace", "straight_draw_ace"),
        ("7s 8d 9s Ts Jd Ac", "straight", "straight_medium"),
    ],
)
def test_hands_of_seven_card_stud_with_a_card_to_come(hand: str, paper: str, fine: str) -> None:
    assert PAPER.labels[PAPER.hand(cards(hand), to_come=True)] == paper
    assert FINE.labels[FINE.hand(cards(hand), to_come=True)] == fine


def test_seven_cards_count_as_their_best_five() -> None:
    rng = random.Random(7)
    for _ in range(500):
        deck = [card for card in DECK if repr(card)[1] in rng.choice(["cdhs", "cd"])]
        hand = rng.sample(deck, 7)
        category, first, *_ = best_hand(hand)
        assert hand_code(hand, to_come=False) == 13 * category + first


@pytest.mark.parametrize("types", TYPE_SETS.values(), ids=lambda types: types.name)
def test_fine_types_divide_the_others(types: TypeSet) -> None:
    every = np.arange(kernels.N_CODES)
    for n in (2, 4, 5, 6):
        np.testing.assert_array_equal(types.of_fine(n)[FINE.of(every, n)], types.of(every, n))


# Matrices


def test_counts_of_a_deck_of_twenty_cards() -> None:
    # The first C(20, n) subsets are those of the first twenty cards, the deuces to the sixes.
    codes = {n: np.empty(comb(20, n), dtype=np.uint8) for n in range(1, 6)}
    for n, row in codes.items():
        kernels.subset_codes(n, n < 5, row)
    for n, m in [(5, 2), (5, 4), (4, 3), (3, 2)]:
        found = np.zeros((kernels.N_CODES, kernels.N_CODES), dtype=np.int64)
        places = np.array(list(combinations(range(n), m)))
        kernels.count_parts(n, codes[n], places, codes[m], found)
        parts = {part: hand_code(part) for part in combinations(DECK[:20], m)}
        plain = Counter(
            (hand_code(hand), parts[part])
            for hand in combinations(DECK[:20], n)
            for part in combinations(hand, m)
        )
        assert {(i, j): found[i, j] for i, j in np.argwhere(found).tolist()} == plain


def test_counts_of_the_second_round_by_plain_loops() -> None:
    found = network.grouped(network.counts().upcards[3], PAPER, 3, 2)
    types = {part: PAPER.hand(part) for part in combinations(DECK, 2)}
    plain = np.zeros_like(found)
    for a, b, c in combinations(DECK, 3):
        current = PAPER.hand((a, b, c))
        for part in ((a, b), (a, c), (b, c)):
            plain[current, types[part]] += 1
    np.testing.assert_array_equal(found, plain)


@pytest.mark.parametrize("types", TYPE_SETS.values(), ids=lambda types: types.name)
@pytest.mark.parametrize("n", network.ROUNDS)
def test_rows_are_distributions(types: TypeSet, n: int) -> None:
    for matrix in (
        network.current_given_final(types, n),
        network.upcards_given_current(types, n),
    ):
        assert (matrix >= 0.0).all()
        np.testing.assert_allclose(matrix.sum(axis=1), 1.0)


@pytest.mark.parametrize("n", network.ROUNDS)
def test_finals_and_current_hands_agree(n: int) -> None:
    # The first n of five random cards are n random cards.
    final = network.row_shares(network.final_counts(PAPER))
    mixed = final @ network.current_given_final(PAPER, n)
    codes = np.empty(comb(52, n), dtype=np.uint8)
    kernels.subset_codes(n, n < 5, codes)
    np.testing.assert_allclose(
        mixed, np.bincount(PAPER.of(codes, n), minlength=len(PAPER)) / codes.size
    )


def test_last_round_has_the_final_hand() -> None:
    np.testing.assert_array_equal(network.current_given_final(PAPER, 5), np.eye(17))


# BPP Win


def test_better_types_win_and_equal_types_share() -> None:
    shares = network.shares_given_finals(PAPER)
    order = np.arange(17)
    above, below = order[:, None] > order, order[:, None] < order
    assert (shares[above] == 1.0).all()
    assert (shares[below] == 0.0).all()
    np.testing.assert_array_equal(np.diagonal(shares), 0.5)
