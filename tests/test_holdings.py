"""Holdings in words, and a pdd summed by kind against a sum over its pairs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handread.cards import DECK_SIZE, N_PAIRS, Card, parse_card
from handread.hand_types import class_of, class_ranks
from handread.holdings import kind_of, likely_kinds, made_kind
from handread.htpd import PAIR_CARDS, Hands, Unseen


def cards(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


@pytest.mark.parametrize(
    ("down", "up", "kind"),
    [
        ("Ks Kd", "7h", "kings in the hole"),
        ("7s Kd", "7h", "split sevens"),
        ("7s 7d", "7h", "rolled-up sevens"),
        ("2s Kd", "7h", "king high"),
        ("2h Kh", "7h", "three to a flush"),
        ("6s 8d", "7h", "three to a straight"),
        ("Ah 2h", "3h", "three to a flush"),
        ("Ks Kd", "7h 7c", "two pair, kings up"),
        ("Ks Qd", "7h 7c", "sevens on board"),
        ("7s 7d", "7h 7c", "quads"),
        ("7s Kd", "7h 7c", "three sevens"),
        ("2h Kh", "7h 9h", "flush draw"),
        ("2h Kh", "7h 9c", "three to a flush"),
        ("5h 6c", "7h 8d", "straight draw"),
        ("Ah Kc", "Qh Jd", "straight draw"),
        ("Ah 2c", "4h 5d", "straight draw"),
        ("Kh Kc", "7h 8h 2h", "kings in the hole with a flush draw"),
        ("6h 9c", "7h 8d Ts", "straight"),
        ("6h 9h", "7h 8h Ts", "straight"),
        ("2h 9h", "7h 8h Th", "flush"),
        ("Ks Kd", "7h 7c 7d", "sevens full"),
        ("Ks 2d", "7h 7c 2s 9d", "two pair, sevens up"),
    ],
)
def test_kinds(down: str, up: str, kind: str) -> None:
    assert kind_of(cards(down), cards(up)).words == kind


def test_kinds_of_made_hands_leave_kickers_out() -> None:
    kinds = Counter(made_kind(rank) for rank in class_ranks())
    assert kinds["pair of sixes"] > 100
    assert kinds["full house"] == 0
    assert kinds["straight flush"] == 10
    assert "sixes full" in kinds


@given(st.permutations(range(DECK_SIZE)), st.integers(1, 4), st.integers(0, 99))
@settings(max_examples=12, deadline=None)
def test_kinds_of_a_pdd_are_sums_over_its_pairs(deck: list[Card], n_up: int, seed: int) -> None:
    up, unseen = deck[:n_up], Unseen(deck[: 2 * n_up])
    pdd = np.random.default_rng(seed).random(N_PAIRS) * unseen.live_pairs
    pdd /= pdd.sum()
    total = Counter[str]()
    for pair, p in zip(PAIR_CARDS.tolist(), pdd.tolist(), strict=True):
        if p > 0:
            total[kind_of(pair, up).words] += p
    found = likely_kinds(pdd, Hands(unseen, up).htpd(pdd), up, top=1000)
    assert dict(found) == pytest.approx(total)
    assert [p for _, p in found] == pytest.approx(sorted(total.values(), reverse=True))


def test_kinds_at_the_end_are_those_of_the_htpd() -> None:
    htpd = np.zeros(len(class_ranks()))
    htpd[class_of((2, 9, 5, 10))] = 0.5
    htpd[class_of((2, 9, 5, 11))] = 0.25
    htpd[class_of((4, 9))] = 0.25
    kinds = likely_kinds(np.zeros(22100), htpd, [], top=4)
    assert kinds == [("two pair, jacks up", 0.75), ("straight", 0.25)]
