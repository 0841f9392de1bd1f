"""The 4,824 classes: how many, how often, in which order, and their names."""

from __future__ import annotations

import lzma
import random
from collections import Counter
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import combinations_with_replacement, pairwise
from math import comb, prod

import numpy as np
import pytest
from phevaluator import evaluate_cards  # type: ignore[import-untyped] - it has no types

from handread.cards import card_text
from handread.game import ranks as stud
from handread.game.ranks import best_hand, straight_top
from handread.kernels.tables import multiset_index, multiset_indices, multisets
from handread.odds.hand_types import (
    CATEGORIES,
    N_CLASSES,
    class_categories,
    class_of,
    class_ranks,
    class_tables,
    hand_name,
)
from handread.odds.showdown import showdown_of
from tests import naive
from tests.benchmarks.brute import category_counts
from tests.class_tables import numbered
from tests.hands import cards
from tests.program import ROOT

COUNTS = {  # of classes (design notes, section 4.1) and of hands
    "high card": (407, 23_294_460),
    "pair": (1470, 58_627_800),
    "two pair": (763, 31_433_400),
    "trips": (575, 6_461_620),
    "straight": (10, 6_180_020),
    "flush": (1277, 4_047_644),
    "full house": (156, 3_473_184),
    "quads": (156, 224_848),
    "straight flush": (10, 41_584),
}
CLASSES = {category: classes for category, (classes, _) in COUNTS.items()}
DIGESTS = {"high": "2c042b067391cabb", "low": "b0df9acd42818c0c", "five": "d37ae977dbb36489"}
DIGESTS["deuce"] = "7ce9f7cab56ab72e"
HANDS = {category: hands for category, (_, hands) in COUNTS.items()}


def random_hands(n: int, seed: int) -> np.ndarray:
    """Rows of seven different cards."""
    keys = np.random.default_rng(seed).random((n, 52))
    return np.asarray(np.argpartition(keys, 7, axis=1)[:, :7])


def kernel_classes(hands: np.ndarray) -> np.ndarray:
    """Classes of rows of seven cards by the kernels' tables, without a kernel."""
    tables = class_tables()
    ranks = np.sort(hands >> 2, axis=1)
    three, four = ranks[:, :3], ranks[:, 3:]
    classes = tables.by_ranks[multiset_indices(three), multiset_indices(four)].astype(np.int64)
    for suit in range(4):
        masks = np.where((hands & 3) == suit, 1 << (hands >> 2), 0).sum(axis=1)
        flush = np.bitwise_count(masks) >= 5
        classes[flush] = tables.by_flush[masks[flush]]
    return np.asarray(classes)


def test_number_of_classes() -> None:
    counts = Counter(CATEGORIES[category] for category in class_categories())
    assert counts == CLASSES
    assert sum(CLASSES.values()) == len(class_ranks()) == N_CLASSES


@pytest.mark.thorough
def test_hands_of_all_categories() -> None:
    """All C(52, 7) hands, rank pattern by rank pattern: no suit, then what is suited."""
    found = Counter[str]()
    categories = class_categories()
    tables, rows = class_tables(), np.array([*combinations_with_replacement(range(13), 7)])
    by_ranks = tables.by_ranks[multiset_indices(rows[:, :3]), multiset_indices(rows[:, 3:])]
    for ranks, rank_class in zip(map(tuple, rows.tolist()), by_ranks.tolist(), strict=True):
        copies = Counter(ranks)
        if max(copies.values()) > 4:
            continue
        category = CATEGORIES[categories[rank_class]]
        suited = suited_patterns(tuple(sorted(copies.values())))
        found[category] += prod(comb(4, n) for n in copies.values()) - suited
        found["flush"] += suited
    for mask in range(8192):
        if mask.bit_count() in (5, 6, 7):
            category = CATEGORIES[categories[tables.by_flush[mask]]]
            if category == "straight flush":
                # The rest of the seven cards come from the other three suits.
                n = 4 * comb(39, 7 - mask.bit_count())
                found["straight flush"] += n
                found["flush"] -= n
    assert found == HANDS


@cache
def suited_patterns(copies: tuple[int, ...]) -> int:
    """How many ways to suit ranks that come so many times have five of one suit."""
    ways = {0: 1}  # by how many of the ranks are there in one suit
    for n in copies:
        longer = Counter[int]()
        for suited, count in ways.items():
            longer[suited + 1] += count * comb(3, n - 1)
            longer[suited] += count * comb(3, n)
        ways = longer
    return 4 * sum(count for suited, count in ways.items() if suited >= 5)


@pytest.mark.slow
def test_hands_of_all_categories_one_by_one() -> None:
    counts = category_counts(class_categories())
    assert dict(zip(CATEGORIES, counts.tolist(), strict=True)) == HANDS


def test_classes_agree_with_the_plain_ranking() -> None:
    """Random hands, and hands of few ranks or of few suits: full houses, quads and flushes."""
    rng = random.Random(2)
    decks = []
    for _ in range(400):
        ranks = rng.sample(range(13), 4)
        suit = rng.randrange(4)
        decks.append([c for c in range(52) if c >> 2 in ranks])
        decks.append([c for c in range(52) if c & 3 == suit or c >> 2 == ranks[0]])
    rare = np.array([rng.sample(deck, 7) for deck in decks])
    for hands in (random_hands(3_000, seed=1), rare):
        plain = [class_of(best_hand(hand)) for hand in hands.tolist()]
        assert plain == kernel_classes(hands).tolist() == naive.classes_of(hands).tolist()
    made = {CATEGORIES[category] for category in class_categories()[plain]}
    assert made >= {"flush", "full house", "quads", "straight flush"}


def test_order_agrees_with_another_evaluator() -> None:
    """phevaluator numbers its ranks the other way: 1 is a royal flush."""
    hands = random_hands(30_000, seed=3)
    classes = kernel_classes(hands)
    theirs = -np.array([evaluate_cards(*hand) for hand in hands.tolist()])
    pairs = sorted(set(zip(classes.tolist(), theirs.tolist(), strict=True)))
    for (ours, other), (better, other_better) in pairwise(pairs):
        assert ours < better
        assert other < other_better


def test_cards_are_numbered_as_the_other_evaluator_numbers_them() -> None:
    hand = random_hands(1, seed=4)[0].tolist()
    assert evaluate_cards(*hand) == evaluate_cards(*(card_text(card) for card in hand))


def test_class_of_inverts_class_ranks() -> None:
    ranks = class_ranks()
    assert [class_of(rank) for rank in ranks] == list(range(N_CLASSES))
    assert list(ranks) == sorted(ranks)
    with pytest.raises(KeyError):
        class_of((stud.HIGH_CARD, 5, 3, 2, 1, 0))  # seven cards always make better than 7-high


def test_categories_add_up() -> None:
    htpd = np.full(N_CLASSES, 1 / N_CLASSES)
    expected = [n / N_CLASSES for n in CLASSES.values()]
    assert showdown_of().by_category(htpd) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("seven", "name"),
    [
        ("7c Qs 7h 8h Js 2c Jh", "two pair, jacks and sevens, queen kicker"),
        ("Th Jh Qh Kh Ah 2c 3c", "royal flush"),
        ("9h Th Jh Qh Kh 2c 3c", "straight flush to the king"),
        ("Ah 2h 3h 4h 5h Kc Kd", "straight flush to the five"),
        ("Ah 2c 3h 4h 5h Kc Kd", "straight to the five"),
        ("6c 6d 6h 6s Ac 2d 3h", "four sixes, ace kicker"),
        ("6c 6d 6h As Ac 2d 3h", "full house, sixes full of aces"),
        ("6c 6d 6h As Kc 2d 3h", "three sixes, ace kicker"),
        ("6c 6d Th As Kc 2d 3h", "pair of sixes, ace kicker"),
        ("2c 4d Th As Kc 7d 8h", "ace high, king ten eight seven"),
        ("2h 4h Th Ah 7h 7d 8c", "flush, ace high, ten seven four deuce"),
    ],
)
def test_names(seven: str, name: str) -> None:
    assert hand_name(best_hand(cards(seven))) == name


def test_only_pairs_and_trips_share_names() -> None:
    names = Counter(hand_name(rank) for rank in class_ranks())
    doubles = {name for name, n in names.items() if n > 1}
    assert all(name.startswith(("pair of", "three")) for name in doubles)


def test_straight_tops() -> None:
    assert straight_top({12, 0, 1, 2, 3}) == 3
    assert straight_top({12, 0, 1, 2, 11}) is None
    assert straight_top({8, 9, 10, 11, 12, 3}) == 12


@pytest.mark.thorough
def test_the_shipped_tables_are_those_numbered_anew() -> None:
    for name, arrays in numbered().items():
        content = (ROOT / "handread" / "odds" / f"{name}.npz.xz").read_bytes()
        assert sha256(content).hexdigest()[:16] == DIGESTS[name]
        with np.load(BytesIO(lzma.decompress(content))) as shipped:
            for file, made in zip(shipped.files, arrays, strict=True):
                assert shipped[file].dtype == made.dtype
                assert np.array_equal(shipped[file], made)


@pytest.mark.parametrize("size", range(7))
def test_multisets_of_ranks(size: int) -> None:
    ranks = multisets(size)
    listed = {tuple(row) for row in ranks.tolist()}
    assert listed == set(combinations_with_replacement(range(13), size))
    assert (multiset_indices(ranks) == np.arange(len(ranks))).all()
    if size < 5:  # as many as the kernel takes
        backwards = [np.ascontiguousarray(row[::-1]) for row in ranks]
        assert [multiset_index(row, size) for row in backwards] == list(range(len(ranks)))
