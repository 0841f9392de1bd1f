"""The operators of razz, hi/lo and five-card stud against enumeration, to the last count."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, Card, pair_index, triple_index
from handread.game.ranks import best_deuce_low, best_eight_low, best_low, rank_five
from handread.game.rules import (
    DEUCE_RAZZ,
    GAMES,
    RAZZ,
    STUD,
    STUD8,
    STUD_HL,
    VARIANTS,
    Variant,
)
from handread.inference.observer import TIE_RULES
from handread.kernels.dealing import class_of_hand
from handread.kernels.tables import multiset_index
from handread.odds.five_card import FiveCardHands
from handread.odds.hand_types import (
    N_CLASSES,
    class_of,
    deuce_tables,
    five_tables,
    low_tables,
    ranks_of_keys,
)
from handread.odds.htpd import TRIPLE_CARDS, Hands, LastHands, Unseen, holding_cards, triple_classes
from handread.odds.showdown import LOWS, NO_LOW, category_places, showdown_of
from tests import naive
from tests.examples import examples, few
from tests.hands import cards

SPLIT, PAPER = TIE_RULES["split"], TIE_RULES["paper"]


def certain(size: int, holding: int) -> np.ndarray:
    pdd = np.zeros(size)
    pdd[holding] = 1.0
    return pdd


# Classes


def seven_cards() -> st.SearchStrategy[list[Card]]:
    """Seven cards, often with several of a rank."""
    narrow = st.sets(st.integers(0, 12), min_size=2, max_size=4).flatmap(
        lambda ranks: st.permutations([Card(4 * r + s) for r in ranks for s in range(4)])
    )
    return st.one_of(narrow, st.permutations(list(map(Card, range(DECK_SIZE))))).map(
        lambda deck: deck[:7]
    )


@pytest.mark.thorough
@given(seven_cards())
@examples(200)
def test_the_class_of_a_low_is_its_rank(hand: list[Card]) -> None:
    ranks = np.array(hand) >> 2
    three, four = multiset_index(ranks[:3].copy(), 3), multiset_index(ranks[3:].copy(), 4)
    number = int(low_tables().by_ranks[three, four])
    assert naive.low_ranks()[number] == best_low(hand)
    qualifies = number >= len(naive.low_ranks()) - low_tables().n_qualify
    assert qualifies == (best_eight_low(hand) is not None)
    assert naive.lows_of(np.array([hand])).tolist() == [number]


def test_lows_rise_from_a_full_house_of_kings_to_the_wheel() -> None:
    assert list(naive.low_ranks()) == sorted(naive.low_ranks())
    assert len(naive.low_ranks()) == 5083
    assert naive.low_ranks()[-1] == (0, -4, -3, -2, -1, 0)
    assert low_tables().n_qualify == comb(8, 5) == 56


@cache
def five_ranks() -> Sequence[tuple[int, ...]]:
    return ranks_of_keys(five_tables().keys)


@pytest.mark.thorough
@given(st.permutations(list(map(Card, range(DECK_SIZE)))))
@examples(200)
def test_the_class_of_five_cards_is_their_rank(deck: list[Card]) -> None:
    tables, ranks_of = five_tables(), five_ranks()
    suited = [card for card in deck if card & 3 == deck[0] & 3]
    full = [Card(4 * r % 52 + s) for r in (deck[0], deck[0] + 1) for s in range(4)]
    for hand in (deck[:5], full, full[2:]):
        ranks = np.sort(np.array(hand[:5]) >> 2)
        place = multiset_index(ranks[:3].copy(), 3), multiset_index(ranks[3:].copy(), 2)
        if len({card & 3 for card in hand[:5]}) > 1:
            assert ranks_of[tables.by_ranks[place]] == rank_five(hand[:5])
    mask = sum(1 << (card >> 2) for card in suited[:5])
    assert ranks_of[tables.by_flush[mask]] == rank_five(suited[:5])


def test_there_are_7462_hands_of_five_cards() -> None:
    ranks = ranks_of_keys(five_tables().keys)
    assert len(ranks) == 7462
    assert list(ranks) == sorted(ranks)


# Five-card stud


@pytest.mark.thorough
@pytest.mark.parametrize("up", ["Ah", "8h 9h", "8h 9d", "8h 9h Jh", "5c 5d 2h", "Th Jh Qh Kh"])
def test_five_card_counts(up: str) -> None:
    own = cards(up)
    seen = naive.on_view(own, 5)
    hands = FiveCardHands(Unseen(seen), own)
    m = 4 - len(own)
    unseen = naive.unseen_cards(seen)
    chosen = random.Random(1).sample(unseen, 2) if m == 3 else unseen
    suited = [card for card in unseen if card & 3 == own[0] & 3]
    for down in {*chosen, suited[0]}:
        rest = [card for card in unseen if card != down]
        dealt = [(down, *own, *future) for future in combinations(rest, m)]
        counts = np.bincount(naive.five_classes(dealt), minlength=7462)
        found = hands.htpd(certain(DECK_SIZE, down)) * len(dealt)
        assert np.abs(found - counts).max() < 1e-6
        values = np.random.default_rng(down).random(7462)
        expected = counts @ values / len(dealt)
        assert hands.chances(values)[down] == pytest.approx(expected, abs=1e-12)
    assert not hands.chances(np.ones(7462))[seen].any()
    assert hands.uniform_htpd.sum() == pytest.approx(1.0, abs=1e-12)


def test_a_seat_of_five_card_stud_keeps_its_downcard() -> None:
    hands = FiveCardHands(Unseen(cards("Ah Kd")), cards("Ah"))
    pdd = hands.uniform
    assert hands.n_live == 50
    assert hands.lift(pdd) is pdd
    assert hands.pair_marginal(pdd, pdd) is pdd


def test_cards_of_holdings() -> None:
    sizes = [(DECK_SIZE, 1), (N_PAIRS, 2), (N_TRIPLES, 3)]
    assert [holding_cards(size).shape for size, _ in sizes] == sizes


# All games

BOARDS = ["7h 2h 3h 4h", "7h 2h 3h 8c", "7h 2h 3h 4h 8h", "7h 5h Kc 2d Qh", "2h 3h 4h", "Ah"]


@cache
def deuce_ranks() -> dict[tuple[int, ...], int]:
    ranks = [tuple(-part for part in rank) for rank in ranks_of_keys(deuce_tables().keys)]
    assert ranks == sorted(ranks)
    return {rank: number for number, rank in enumerate(ranks)}


def classes_in(game: Variant, hand: Sequence[Card]) -> list[int]:
    """The classes of seven cards in an htpd, by the clear rules alone."""
    high, low = (None if rank is None else rank(hand) for rank in (game.high, game.low))
    if high is None:
        assert low is not None
        return [deuce_ranks()[low]]
    lows = naive.low_ranks()
    if not game.eight_or_better:
        assert low is not None
        return [class_of(high), NO_LOW + lows.index(low)]
    if low is None:
        return [NO_LOW + class_of(high), LOWS]
    return [class_of(high), LOWS + 1 + lows.index(low) - (len(lows) - 56)]


SUITED = pytest.mark.parametrize("game", [STUD8, STUD_HL, DEUCE_RAZZ], ids=lambda game: game.key)


@SUITED
@pytest.mark.parametrize("up", few(BOARDS, 2))
def test_counts_of_random_hands(game: Variant, up: str) -> None:
    """The completions of pairs, many of them of one suit, are counted one by one."""
    board, rng = cards(up), random.Random(up)
    seen = naive.on_view(board, 20 + 5 * (4 - len(board)))
    unseen, hands = naive.unseen_cards(seen), Hands(Unseen(seen), board, showdown_of(game))
    hearts = [card for card in unseen if card & 3 == 2]
    n, values = 5 - len(board), np.random.default_rng(1).random(hands.showdown.n_classes)
    for pair in (rng.sample(hearts, 2), [hearts[0], unseen[-1]], rng.sample(unseen, 2)):
        rest = [card for card in unseen if card not in pair]
        futures = list(combinations(rest, n))
        expected = np.zeros(values.size)
        for future in futures:
            expected[classes_in(game, [*board, *pair, *future])] += 1 / len(futures)
        found = hands.htpd(certain(N_PAIRS, pair_index(*sorted(pair))))
        assert np.abs(found - expected).max() < 1e-12
        chance = hands.chances(values)[pair_index(*sorted(pair))]
        assert chance == pytest.approx(expected @ values, abs=1e-12)
    pdd = np.random.default_rng(2).random(N_PAIRS) * hands.live
    assert hands.htpd(pdd) @ values == pytest.approx(pdd @ hands.chances(values), rel=1e-12)


@pytest.mark.thorough
@SUITED
def test_classes_of_triples(game: Variant) -> None:
    for up in BOARDS[:2]:
        board, rng = cards(up), random.Random(up)
        unseen = Unseen(naive.on_view(board, 20))
        found = [triple_classes(unseen, board, t) for t in showdown_of(game).tables]
        for place in rng.sample(range(unseen.live_triples.size), 100):
            down = map(Card, TRIPLE_CARDS[unseen.live_triples[place]].tolist())
            tables = zip(showdown_of(game).tables, found, strict=True)
            made = [table.ends[0] + classes[place] for table, classes in tables]
            assert made == classes_in(game, [*board, *down])


def suited_hands() -> st.SearchStrategy[list[Card]]:
    """Seven cards, five or more of them of one suit."""
    suit = st.permutations([Card(4 * rank) for rank in range(13)])
    others = st.permutations([Card(card) for card in range(DECK_SIZE) if card & 3])
    return st.tuples(st.integers(5, 7), suit, others).map(
        lambda drawn: [*drawn[1][: drawn[0]], *drawn[2][: 7 - drawn[0]]]
    )


@pytest.mark.thorough
@given(st.one_of(seven_cards(), suited_hands()), st.randoms())
@examples(300)
def test_the_class_of_a_deuce_to_seven_low_is_its_rank(
    hand: list[Card], rng: random.Random
) -> None:
    rng.shuffle(hand)
    by_ranks, by_flush, _ = showdown_of(DEUCE_RAZZ).final
    found = class_of_hand(np.array(hand), np.zeros(8, np.int64), by_ranks, by_flush)
    assert found == deuce_ranks()[best_deuce_low(hand)]


@pytest.mark.parametrize("n_up", [1, 2, 3, 4, 5])
def test_the_parts_of_hi_lo_are_stud_high_and_the_lows_of_razz(n_up: int) -> None:
    up = cards("7h 2h 3h Kc 8h")[:n_up]
    unseen = Unseen(naive.on_view(up, 9))
    by_game = {g.key: Hands(unseen, up, showdown=showdown_of(g)) for g in (STUD, RAZZ, STUD8)}
    pdd = np.random.default_rng(3).random(N_PAIRS) * unseen.live_pairs
    pdd /= pdd.sum()
    showdown = by_game["stud8"].showdown
    found = showdown.parts([by_game["stud8"].htpd(pdd)])
    high, no_low, low = (part.value for part in found)
    assert np.allclose(high[0], by_game["stud"].htpd(pdd), rtol=0, atol=1e-12)
    assert np.allclose(low[0, 1:], by_game["razz"].htpd(pdd)[-56:], rtol=0, atol=1e-15)
    assert no_low.sum() == pytest.approx(low[0, 0], abs=1e-11)


@pytest.mark.parametrize(
    ("game", "hand", "categories"),
    [
        (STUD, "Ah Ad 5c 5d 9h 2s Kc", ["two pair"]),
        (STUD, "Ah 2h 3h 4h 5h 5d 5c", ["straight flush"]),
        (STUD8, "Ah Ad 5c 5d 9h 2s Kc", ["two pair", "no low"]),
        (STUD8, "8h 8s 2d 3c 4d Ah Kc", ["pair", "eight low"]),
        (STUD8, "Ah 2h 3h 4h 5h 5d 5c", ["straight flush", "wheel"]),
        (STUD_HL, "Ah Ad 5c 5d 9h 2s Kc", ["two pair", "king low"]),
        (STUD_HL, "Ah Ad 5c 5d 9h Ks Kc", ["two pair", "paired"]),
        (DEUCE_RAZZ, "Ah Ad 2c 4d 6h 7s Kc", ["king low"]),
        (DEUCE_RAZZ, "2h 3h 4h 5h 7h Ad Kc", ["king low"]),
        (DEUCE_RAZZ, "Ah Ad 5c 5d 9h Ks Kc", ["paired"]),
        (RAZZ, "Ah Ad 2c 2d 3h Ks Kc", ["paired"]),
        (RAZZ, "Ah Ad 2c 4d 6h 7s Kc", ["seven low"]),
        (RAZZ, "Ah 2h 3h 4h 5h 5d 5c", ["wheel"]),
    ],
)
def test_the_categories_of_a_whole_hand(game: Variant, hand: str, categories: list[str]) -> None:
    down, up = cards(hand)[:3], cards(hand)[3:]
    hands = LastHands(Unseen(up), up, showdown_of(game))
    found = hands.showdown.by_category(hands.htpd(certain(N_TRIPLES, triple_index(*down))))
    names = [hands.showdown.categories[place] for place in np.flatnonzero(found)]
    assert (names, found[found > 0.0].tolist()) == (categories, [1.0] * len(categories))
    places = category_places(game, game.ranks(cards(hand)))
    assert [hands.showdown.categories[place] for place in places] == categories


# What classes win

Hand = tuple[int, int]


@st.composite
def split_pmfs(draw: st.DrawFn) -> dict[Hand, float]:
    """A distribution over a few hands of hi/lo: high class and low, 0 for none."""
    hands = st.tuples(st.sampled_from((0, 7, 2000, 4823)), st.sampled_from((0, 1, 40, 56)))
    weights = draw(st.dictionaries(hands, st.integers(1, 5), min_size=1, max_size=4))
    return {hand: weight / sum(weights.values()) for hand, weight in weights.items()}


def split_htpd(pmf: Mapping[Hand, float]) -> np.ndarray:
    out = np.zeros(showdown_of(STUD8).n_classes)
    for (high, low), p in pmf.items():
        out[high + NO_LOW * (low == 0)] += p
        out[LOWS + low] += p
    return out


@pytest.mark.thorough
@given(st.lists(split_pmfs(), min_size=1, max_size=3))
@examples(80)
def test_hi_lo_against_enumeration(others: list[dict[Hand, float]]) -> None:
    showdown = showdown_of(STUD8)
    values = showdown.values([split_htpd(pmf) for pmf in others], *SPLIT.nodes(7))
    for high, low in product((0, 6, 7, 2000, 4823), (0, 1, 2, 56)):
        expected = 0.0
        for outcome in product(*(pmf.items() for pmf in others)):
            shares = naive.split_shares([(high, low), *(hand for hand, _ in outcome)])
            expected += prod(p for _, p in outcome) * shares[0]
        found = values[high + NO_LOW * (low == 0)] + values[LOWS + low]
        assert found == pytest.approx(expected, abs=1e-13)


@pytest.mark.thorough
@given(st.lists(split_pmfs(), min_size=1, max_size=4))
@examples(80)
def test_the_pot_of_hi_lo_is_given_out_whole(players: list[dict[Hand, float]]) -> None:
    showdown, htpds = showdown_of(STUD8), [split_htpd(pmf) for pmf in players]
    shares = showdown.chances(htpds, *SPLIT.nodes(7))
    assert shares.sum() == pytest.approx(1.0, abs=1e-12)
    for player, htpd in enumerate(htpds):
        others = htpds[:player] + htpds[player + 1 :]
        assert shares[player] == pytest.approx(
            htpd @ showdown.values(others, *SPLIT.nodes(7)), abs=1e-12
        )
    whole = showdown.chances(htpds[:1] * 2, *PAPER.nodes(7))
    assert whole[0] == pytest.approx(whole[1], abs=1e-12)


def test_one_player_alone_takes_the_pot() -> None:
    for game in GAMES.values():
        showdown = showdown_of(game)
        htpd = np.zeros(showdown.n_classes)
        htpd[[5, -3] if game.splits else 5] = 1.0
        assert showdown.chances([htpd], *SPLIT.nodes(7)) == pytest.approx([1.0])


@pytest.mark.parametrize("game", [*GAMES.values()][1:], ids=lambda game: game.key)
def test_an_htpd_of_another_game_is_refused(game: Variant) -> None:
    with pytest.raises(ValueError, match="broadcast"):
        showdown_of(game).values([np.zeros(N_CLASSES)], *SPLIT.nodes(7))


def test_a_game_without_counted_chances() -> None:
    with pytest.raises(ValueError, match="another game"):
        showdown_of(VARIANTS["other"])
