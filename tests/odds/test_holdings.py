"""Holdings in words, and a pdd summed by kind against a sum over its pairs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import DECK_SIZE, N_PAIRS, Card, parse_card
from handread.odds.hand_types import CATEGORIES, class_of, class_ranks
from handread.odds.holdings import Kind, families, kind_of, kinds, likely_kinds, made_kind
from handread.odds.htpd import PAIR_CARDS, Hands, Unseen
from tests.examples import examples


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


FAMILIES = {
    *CATEGORIES,
    "pair in the hole",
    "split pair",
    "pair on board",
    "pair with a flush draw",
    "three to a flush",
    "flush draw",
    "three to a straight",
    "straight draw",
}


@pytest.mark.parametrize(
    ("down", "up", "family"),
    [
        ("Ks Kd", "7h", "pair in the hole"),
        ("7s Kd", "7h", "split pair"),
        ("7s 7d", "7h", "trips"),
        ("7s Kd", "7h 7c", "trips"),
        ("7s 7d", "7h 7c", "quads"),
        ("2s Kd", "7h", "high card"),
        ("2h Kh", "7h", "three to a flush"),
        ("6s 8d", "7h", "three to a straight"),
        ("Ks Qd", "7h 7c", "pair on board"),
        ("Kh Kc", "7h 8h 2h", "pair with a flush draw"),
        ("6h 9h", "7h 8h Th", "straight flush"),
        ("Ks Kd", "7h 7c 7d", "full house"),
        ("Ks Kd", "7h 7c", "two pair"),
    ],
)
def test_families(down: str, up: str, family: str) -> None:
    assert kind_of(cards(down), cards(up)).family == family


def test_kinds_of_made_hands_leave_kickers_out() -> None:
    names = Counter(made_kind(rank) for rank in class_ranks())
    assert names["pair of sixes"] > 100
    assert names["full house"] == 0
    assert names["straight flush"] == 10
    assert "sixes full" in names


@given(st.permutations(range(DECK_SIZE)), st.integers(1, 4), st.integers(0, 99))
@examples(12)
def test_kinds_of_a_pdd_are_sums_over_its_pairs(deck: list[Card], n_up: int, seed: int) -> None:
    up, unseen = deck[:n_up], Unseen(deck[: 2 * n_up])
    pdd = np.random.default_rng(seed).random(N_PAIRS) * unseen.live_pairs
    pdd /= pdd.sum()
    total = plain_kinds(pdd, up)
    htpd = Hands(unseen, up).htpd(pdd)
    by_kind = kinds(pdd, htpd, up)
    assert by_kind == pytest.approx(total)
    found = likely_kinds(by_kind, top=1000)
    assert dict(found) == pytest.approx({kind.words: p for kind, p in total.items()})
    assert [p for _, p in found] == pytest.approx(sorted(total.values(), reverse=True))


def plain_kinds(pdd: np.ndarray, up: list[Card]) -> dict[Kind, float]:
    """The probability of every kind, pair by pair."""
    total = Counter[Kind]()
    for pair, p in zip(PAIR_CARDS.tolist(), pdd.tolist(), strict=True):
        if p > 0:
            total[kind_of(pair, up)] += p
    return dict(total)


@pytest.mark.parametrize(
    "up", ["5h 6h 7h 8h", "6h 7h 8h Kh", "9c Tc Jc", "9c Tc Jc 9d", "Ac 2c 4c"]
)
def test_a_straight_flush_is_told_from_a_flush(up: str) -> None:
    """9h Kc beside 5h 6h 7h 8h is a straight flush, 9c Kh a flush."""
    shown = cards(up)
    unseen = Unseen(shown)
    pdd = np.random.default_rng(0).random(N_PAIRS) * unseen.live_pairs
    found = kinds(pdd, np.zeros(0), shown)
    assert found == pytest.approx(plain_kinds(pdd, shown))
    assert {"flush", "straight flush"} <= {kind.family for kind in found}


@given(st.permutations(range(DECK_SIZE)), st.integers(1, 5), st.integers(0, 99))
@examples(12)
def test_families_are_sums_over_kinds(deck: list[Card], n_up: int, seed: int) -> None:
    up, unseen = deck[:n_up], Unseen(deck[: 2 * n_up])
    pdd = np.random.default_rng(seed).random(N_PAIRS) * unseen.live_pairs
    pdd /= pdd.sum()
    htpd = Hands(unseen, up).htpd(pdd)
    found = families(kinds(pdd, htpd, up))
    assert sum(found.values()) == pytest.approx(1.0)
    assert found.keys() <= FAMILIES
    assert list(found.values()) == sorted(found.values(), reverse=True)
    total = Counter[str]()
    for kind, p in kinds(pdd, htpd, up).items():
        total[kind.family] += p
    assert found == pytest.approx(dict(total))


def test_words_tell_the_family() -> None:
    """So that kinds may be listed by their words alone."""
    family: dict[str, str] = {}
    boards = ["7h", "7h 8h", "7h 7c", "7h 8h 9h", "7h 7c 9h 9c", "5h 6h 7h 8h", "7h Kd Ac"]
    for up in map(cards, boards):
        for kind in kinds(Unseen(up).live_pairs.astype(float), np.zeros(0), up):
            assert family.setdefault(kind.words, kind.family) == kind.family


def test_kinds_at_the_end_are_those_of_the_htpd() -> None:
    htpd = np.zeros(len(class_ranks()))
    htpd[class_of((2, 9, 5, 10))] = 0.5
    htpd[class_of((2, 9, 5, 11))] = 0.25
    htpd[class_of((4, 9))] = 0.25
    found = kinds(np.zeros(22100), htpd, [])
    assert families(found) == {"two pair": 0.75, "straight": 0.25}
    assert likely_kinds(found, top=4) == [
        ("two pair, jacks up", 0.75),
        ("straight", 0.25),
    ]
