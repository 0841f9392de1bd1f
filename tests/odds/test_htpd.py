"""The exact operators of games of seven cards against enumeration, to the last count."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterable
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import DECK_SIZE, N_PAIRS, Card, pair_index
from handread.game.rules import RAZZ, STUD, STUD8, Variant
from handread.odds.five_card import FiveCardHands
from handread.odds.hand_types import N_CLASSES
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS, Hands, LastHands, Operator, Unseen
from handread.odds.showdown import showdown_of
from tests import naive
from tests.benchmarks import brute
from tests.examples import examples, few
from tests.hands import cards


def one(pair: Iterable[Card]) -> np.ndarray:
    """The certainty of a pair."""
    pdd = np.zeros(N_PAIRS)
    pdd[pair_index(*pair)] = 1.0
    return pdd


def counts_of(hands: Hands, pair: Iterable[Card], m: int) -> np.ndarray:
    """The completions of a pair by class as whole numbers."""
    counts = hands.htpd(one(pair)) * comb(hands.unseen.n - 2, m)
    assert np.abs(counts - np.rint(counts)).max() < 1e-6
    return np.rint(counts).astype(np.int64)


def telling_pairs(seen: list[Card], up: list[Card], n: int) -> list[tuple[Card, Card]]:
    """Pairs of every kind, and random ones.

    They are suited with the upcards once, twice or not, of one rank, of low cards.
    """
    pairs = list(combinations(naive.unseen_cards(seen), 2))
    random.Random(n).shuffle(pairs)
    kinds: dict[tuple[object, ...], tuple[Card, Card]] = {}
    suited = [sum(suit == other & 3 for other in up) for suit in range(4)]
    for pair in pairs:
        suits = sorted(suited[card & 3] for card in pair)
        ranks = pair[0] >> 2 == pair[1] >> 2
        low = sum((card // 4 + 1) % 13 < 8 for card in pair)
        kinds.setdefault((*suits, pair[0] & 3 == pair[1] & 3, ranks, low), pair)
    return [*list(kinds.values())[: n // 2], *pairs[: n - n // 2]]


BOARDS = {
    "rainbow": "7h Tc 2d Ks",
    "four suited": "7h Th 2h Kh",
    "three suited": "7h Th 2h Kc",
    "two and two": "7h Th 2c Kc",
    "two suited": "Ah 5h 4c 3d",
    "paired": "7h 7c 2h Kh",
    "two pair": "7h 7c Kh Kc",
    "trips": "7h 7c 7d Kh",
    "quads": "7h 7c 7d 7s",
    "wheel": "Ah 2d 3c 4h",
    "steel wheel": "Ah 2h 3h 4h",
    "royal": "Th Jh Qh Kh",
    "straight flush inside": "5h 6h 8h 9h",
    "low flush": "2h 3h 4h 8h",
    "low steel wheel": "Ah 2h 3h 5h",
    "low two suits": "7h 5h 2c 4c",
    "low paired": "7h 7c 2h 3h",
    "bricks": "Ks Qs Js 9s",
    "low two pair": "3h 3c Kh Kc",
    "low trips": "7h 7c 7d 2h",
    "low quads": "2h 2c 2d 2s",
}


def with_a_fifth(board: str) -> str:
    """The board with the card that all share."""
    return f"{board} {'Jh' if '9h' in board else '9h'}"


TABLES = [
    *((board, 24, 20) for board in BOARDS.values()),
    *((board[:-3], 18, 12) for board in BOARDS.values()),
    *((up, 12, 4) for up in ("7h Th", "Ah 5c", "7h 7c", "Ks 2s")),
    *((with_a_fifth(board), 20, 24) for board in BOARDS.values()),
]
TABLES = few([*TABLES, *((up, others // 6, n) for up, others, n in TABLES)], len(TABLES))
"""The upcards of a seat on 4th to 7th street, how many others are on view, and the pairs tried."""

EACH = pytest.mark.parametrize("game", [STUD, STUD8, RAZZ], ids=lambda game: game.key)


@EACH
@pytest.mark.parametrize(("up", "others", "n"), TABLES)
def test_completions_are_counted(up: str, others: int, n: int, game: Variant) -> None:
    """With four upcards of one's own and one that all share, a pair makes one class."""
    own = cards(up)
    seen = naive.on_view(own, others)
    hands = Hands(Unseen(seen), own, showdown=showdown_of(game))
    pairs = telling_pairs(seen, own, n)
    for pair, expected in zip(pairs, naive.completions(seen, own, pairs, game.key), strict=True):
        assert (counts_of(hands, pair, 5 - len(own)) == expected).all()


@pytest.mark.thorough
def test_sixth_street_counts_of_every_pair() -> None:
    up = cards(BOARDS["three suited"])
    seen = naive.on_view(up, 20)
    hands = Hands(Unseen(seen), up)
    pairs = list(combinations(naive.unseen_cards(seen), 2))
    for pair, expected in zip(pairs, naive.completions(seen, up, pairs), strict=True):
        assert (counts_of(hands, pair, 1) == expected).all()


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
def test_third_street_counts(seats: int) -> None:
    up = cards("Ah")
    seen = naive.on_view(up, seats - 1)
    unseen = Unseen(seen)
    hands = Hands(unseen, up)
    for pair in telling_pairs(seen, up, 3):
        expected = brute.third_street_counts(unseen.cards, up[0], pair)
        assert (counts_of(hands, pair, 4) == expected).all()


@pytest.mark.thorough
@EACH
@pytest.mark.parametrize("pair", few(["4h 3h", "Kc Kd", "Ks Qh", "9h 8h", "7d 7s", "As 2d"], 1))
def test_third_street_counts_without_any_table(pair: str, game: Variant) -> None:
    up, seen = cards("7h"), cards("7h 2h Jc Td Ad 3s 8c")
    (expected,) = naive.completions(seen, up, [cards(pair)], game.key)
    hands = Hands(Unseen(seen), up, showdown=showdown_of(game))
    assert (counts_of(hands, cards(pair), 4) == expected).all()


@pytest.mark.thorough
def test_third_street_chances_of_every_pair() -> None:
    """All 990 pairs x 123,410 completions of one seat, dealt one by one."""
    up, seen = cards("7h"), cards("7h 2h Jc Td As 3s 8c")
    unseen = Unseen(seen)
    values = np.random.default_rng(0).random(N_CLASSES)
    expected = brute.third_street(unseen.cards, up[0], values)
    chances = Hands(unseen, up).chances(values)
    assert np.allclose(chances[unseen.live_pairs], expected, rtol=0, atol=1e-11)
    assert not chances[~unseen.live_pairs].any()


@pytest.mark.slow
def test_third_street_counts_of_every_pair() -> None:
    up, seen = cards("Qs"), cards("Qs Js Tc Ad As 3s 8c")
    unseen = Unseen(seen)
    hands = Hands(unseen, up)
    for pair in combinations(naive.unseen_cards(seen), 2):
        (expected,) = naive.completions(seen, up, [pair])
        assert (counts_of(hands, pair, 4) == expected).all()


@pytest.mark.parametrize("avoid", ["h", "hc", "c"])
@pytest.mark.parametrize("n_up", [1, 2, 3, 4])
def test_nearly_exhausted_suits(n_up: int, avoid: str) -> None:
    """Nearly all cards of a suit or two are on view, or none but the seat's own."""
    up = cards("7h Th 2c Kc")[:n_up]
    gone = [card for card in naive.unseen_cards(up) if "cdhs"[card & 3] in avoid]
    seen = [*up, *gone[: 24 - n_up]]
    unseen = Unseen(seen)
    hands = Hands(unseen, up)
    pairs = telling_pairs(seen, up, (3, 4, 6, 20)[n_up - 1])
    for pair, expected in zip(pairs, naive.completions(seen, up, pairs), strict=True):
        assert (counts_of(hands, pair, 5 - n_up) == expected).all()


@given(st.permutations(range(DECK_SIZE)), st.integers(1, 4), st.integers(2, 8), st.data())
@examples(40)
def test_every_completion_is_counted_once(
    deck: list[Card], n_up: int, seats: int, data: st.DataObject
) -> None:
    """The counts of every pair add up to C(n - 2, m), whatever lies on the table."""
    up, seen = deck[:n_up], deck[: n_up * seats]
    unseen = Unseen(seen)
    m = 5 - n_up
    hands = Hands(unseen, up)
    totals = hands.chances(np.ones(N_CLASSES)) * comb(unseen.n - 2, m)
    assert (np.rint(totals) == unseen.live_pairs * comb(unseen.n - 2, m)).all()
    assert np.abs(totals - np.rint(totals)).max() < 1e-6
    pair = data.draw(st.sampled_from(PAIR_CARDS[unseen.live_pairs].tolist()))
    counts = counts_of(hands, pair, m)
    assert counts.sum() == comb(unseen.n - 2, m)
    assert (counts >= 0).all()


@EACH
@given(st.permutations(range(DECK_SIZE)), st.integers(1, 5), st.integers(2, 7), st.integers(0, 99))
@examples(30)
def test_both_operators_are_of_one_matrix(
    game: Variant, deck: list[Card], n_up: int, seats: int, seed: int
) -> None:
    """p . (H f) = (H' p) . f, and a pdd of one pair gives what that pair alone counts."""
    rng = np.random.default_rng(seed)
    up, seen = deck[:n_up], deck[: min(n_up * seats, 30)]
    unseen = Unseen(seen)
    hands = Hands(unseen, up, showdown=showdown_of(game))
    values = rng.random(hands.showdown.n_classes)
    pdd = rng.random(N_PAIRS) ** 4 * unseen.live_pairs
    pdd /= pdd.sum()
    htpd = hands.htpd(pdd)
    assert htpd.sum() == pytest.approx(1.0 + game.splits, abs=1e-11)
    assert htpd.min() >= 0
    assert pdd @ hands.chances(values) == pytest.approx(htpd @ values, abs=1e-11)
    pair = tuple(PAIR_CARDS[rng.choice(np.flatnonzero(unseen.live_pairs))].tolist())
    alone = Hands(Unseen(seen), up, showdown_of(game))
    assert np.allclose(alone.htpd(one(pair)), hands.htpd(one(pair)), rtol=0, atol=1e-12)


@given(st.permutations(range(DECK_SIZE)), st.integers(1, 4), st.permutations(range(4)))
@examples(25)
def test_suits_have_no_order(deck: list[Card], n_up: int, suits: list[int]) -> None:
    """With the suits renamed the renamed pair makes the same hands."""

    def rename(card: Card) -> Card:
        return card // 4 * 4 + suits[card % 4]

    seen, values = deck[: 4 * n_up], np.random.default_rng(n_up).random(N_CLASSES)
    here = Hands(Unseen(seen), deck[:n_up]).chances(values)
    there = Hands(Unseen(map(rename, seen)), [rename(c) for c in deck[:n_up]]).chances(values)
    moved = [pair_index(rename(a), rename(b)) for a, b in PAIR_CARDS.tolist()]
    assert np.allclose(here, there[moved], rtol=0, atol=1e-12)


@given(st.permutations(range(DECK_SIZE)), st.integers(1, 5), st.integers(0, N_CLASSES))
@examples(60)
def test_chances_lie_between_0_and_1(deck: list[Card], n_up: int, beaten: int) -> None:
    """Against a class that nearly none or nearly all beat, rounding leaves no chance below 0."""
    values = np.where(np.arange(N_CLASSES) >= beaten, 1 / 3, 0.0)
    unseen = Unseen(deck[: 4 * n_up])
    chances = Hands(unseen, deck[:n_up]).chances(values)
    assert chances.min() >= 0.0
    assert chances.max() <= 1 / 3 + 1e-12


# 7th street


@EACH
@pytest.mark.parametrize("board", few(BOARDS.values(), 8))
def test_last_hands_count_every_triple(board: str, game: Variant) -> None:
    up = cards(board)
    seen = naive.on_view(up, 16)
    hands = LastHands(Unseen(seen), up, showdown_of(game))
    triples = np.flatnonzero(hands.live)
    assert triples.size == hands.n_live == comb(DECK_SIZE - len(seen), 3)
    assert not np.isin(TRIPLE_CARDS[triples], seen).any()
    assert ((hands.uniform > 0) == hands.live).all()
    rows = np.hstack([TRIPLE_CARDS[triples], np.broadcast_to(np.array(up), (triples.size, 4))])
    found = hands.htpd(hands.uniform) * triples.size
    assert np.abs(found - naive.class_counts(rows, game.key)).max() < 1e-6
    values = np.random.default_rng(1).random(hands.showdown.n_classes)
    chances = hands.chances(values)
    assert not chances[~hands.live].any()
    if game is STUD:
        assert chances[triples] == pytest.approx(values[naive.classes_of(rows)], abs=1e-12)
    alone = naive.class_counts(rows[::97, None], game.key)
    assert chances[triples[::97]] == pytest.approx(alone @ values, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_lift_and_pair_marginal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    up = cards("7h Th 2c Kc")
    seen = naive.on_view(up, 4 + 4 * seed)
    unseen = Unseen(seen)
    hands = LastHands(unseen, up)
    pairs = rng.random(N_PAIRS) * unseen.live_pairs * (rng.random(N_PAIRS) < 0.3)
    pairs /= pairs.sum()
    lifted = hands.lift(pairs)
    assert np.allclose(lifted, naive.lift(seen, pairs), rtol=0, atol=1e-15)
    triples = lifted * rng.random(lifted.size)
    triples /= triples.sum()
    marginal = hands.pair_marginal(pairs, triples)
    assert np.allclose(marginal, naive.pair_marginal(seen, pairs, triples), rtol=0, atol=1e-15)
    assert marginal.sum() == pytest.approx(1.0, abs=1e-12)


def test_shares_of_a_triple_are_those_of_its_pairs_weighed() -> None:
    """Each member's pdd over pairs is lifted by itself; one that holds nothing has no share."""
    rng = np.random.default_rng(3)
    up = cards("7h Th 2c Kc")
    seen = naive.on_view(up, 20)
    unseen = Unseen(seen)
    pairs = rng.random(N_PAIRS) * unseen.live_pairs * (rng.random(N_PAIRS) < 0.05)
    pairs /= pairs.sum()
    shares = rng.random((3, N_PAIRS))
    shares[1] = 0.0
    shares /= shares.sum(axis=0)
    found = LastHands(unseen, up).lift_shares(shares, pairs)
    weights = (shares * pairs).sum(axis=1)
    lifts = [naive.lift(seen, shares[member] * pairs) for member in (0, 2)]
    joint = np.stack([weights[0] * lifts[0], np.zeros_like(lifts[0]), weights[2] * lifts[1]])
    some = joint.sum(axis=0) > 0.0
    assert np.allclose(found[:, some], joint[:, some] / joint.sum(axis=0)[some], rtol=0, atol=1e-13)
    assert np.allclose(found[:, ~some], weights[:, None], rtol=0, atol=1e-13)
    assert 0 < np.count_nonzero(~some[unseen.live_triples])


def test_the_lift_alone_tells_nothing() -> None:
    """The marginal of the lift is the pdd over pairs that was lifted."""
    rng = np.random.default_rng(5)
    up = cards("7h Th 2c Kc")
    unseen = Unseen(naive.on_view(up, 8))
    pairs = rng.random(N_PAIRS) ** 3 * unseen.live_pairs
    pairs /= pairs.sum()
    hands = LastHands(unseen, up)
    marginal = hands.pair_marginal(pairs, hands.lift(pairs))
    assert np.allclose(marginal, pairs, rtol=0, atol=1e-15)
    uniform = hands.lift(unseen.live_pairs / unseen.live_pairs.sum())
    assert np.allclose(uniform, hands.uniform, rtol=0, atol=1e-15)


def test_a_lifted_pair_takes_any_third_card() -> None:
    up = cards("7h Th 2c Kc")
    unseen = Unseen(naive.on_view(up, 4))
    lifted = LastHands(unseen, up).lift(one(cards("As Ad")))
    assert np.count_nonzero(lifted) == unseen.n - 2
    assert lifted.max() == pytest.approx(1 / (unseen.n - 2))


@pytest.mark.parametrize("kind", [Hands, LastHands, FiveCardHands])
def test_an_operator_is_pickled_as_its_cards(kind: type[Operator]) -> None:
    up = cards("7h Tc 2d Ks")
    unseen = Unseen([*up, *cards("9c 9d")])
    operator = kind(unseen, up) if kind is FiveCardHands else kind(unseen, up, showdown_of(STUD8))
    even = operator.uniform_htpd  # which fills its tables
    written = pickle.dumps([operator, operator.unseen])
    assert len(written) < 1000
    again, left = pickle.loads(written)
    assert again.unseen is left
    assert again.showdown is operator.showdown
    assert np.array_equal(again.uniform_htpd, even)
