"""Hand strength and potential: the figures of Billings et al. 1998, and slow twins in stud."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from handread.cards import N_PAIRS, Card, holding_index, pair_index, parse_card, rank_of
from handread.game.ranks import best_hand
from handread.game.steps import DealtStreet
from handread.odds.htpd import PAIR_CARDS
from handread.papers.loki.strength import (
    Comparison,
    StreetStrength,
    compare_holdem,
    compare_stud,
    effective_strength,
    reweighting,
)
from tests.naive import street_play, unseen_cards

OWN = "Ad Qc"
FLOP = "3h 4c Jh"


def cards_of(text: str) -> list[Card]:
    return [parse_card(name) for name in text.split()]


def rank_of_hand(hand: Sequence[Card]) -> tuple[object, ...]:
    """The rank of three to seven cards: of fewer than five the groups of equal ranks count."""
    if len(hand) >= 5:
        return best_hand(hand)
    ranks = [rank_of(card) for card in hand]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return tuple(n for n, _ in groups), tuple(rank for _, rank in groups)


def random_weights(seed: int, live: Iterable[Card], size: int = 2) -> np.ndarray:
    """Weights of the holdings of some cards, some of them tiny."""
    rng = np.random.default_rng(seed)
    weights = np.zeros({2: 1326, 3: 22100}[size])
    for holding in combinations(sorted(live), size):
        weights[holding_index(holding)] = rng.random() * rng.choice([1.0, 0.01, 1e-6])
    return weights


# The paper


def test_hand_strength_of_the_paper() -> None:
    found = compare_holdem(cards_of(OWN), cards_of(FLOP))
    assert found.now.tolist() == [628, 9, 444]
    assert round(found.strength, 3) == 0.585
    assert round(found.strength**5, 3) == 0.069


def test_potential_of_the_paper_two_cards_ahead() -> None:
    found = compare_holdem(cards_of(OWN), cards_of(FLOP), to_come=2)
    assert found.later[2].tolist() == [91_981, 1_036, 346_543]
    assert found.later.sum(axis=1).tolist() == [621_720, 8_910, 439_560]
    assert found.later.sum() == 1_070_190
    assert round(found.positive_potential, 3) == 0.208
    assert round(found.negative_potential, 3) == 0.274


def test_the_printed_code_gives_other_potentials_than_the_paper() -> None:
    """Figure 2 divides by all tied hands, and leaves out those that are tied now and not later."""
    later = compare_holdem(cards_of(OWN), cards_of(FLOP), to_come=2).later
    ahead, tied, behind = later.sum(axis=1)
    assert round((later[2, 0] + later[2, 1] / 2) / (behind + tied), 3) == 0.206
    assert round((later[0, 2] + later[0, 1] / 2) / (ahead + tied), 3) == 0.271


def test_potential_of_the_paper_one_card_ahead() -> None:
    found = compare_holdem(cards_of(OWN), cards_of(FLOP), to_come=1)
    assert found.later.sum() == 1081 * 45
    assert round(found.positive_potential, 3) == 0.108
    assert round(found.negative_potential, 3) == 0.145


def test_reweighting_of_the_paper() -> None:
    values = np.array([0.22, 0.4, 0.5, 0.6, 0.8, 0.9])
    assert reweighting(values, 0.6, 0.2).tolist() == pytest.approx([0.01, 0.01, 0.25, 0.5, 1, 1])
    assert reweighting(values, 0.6, 0.0).tolist() == [0.01, 0.01, 0.01, 1, 1, 1]


def test_hands_of_table_2_are_as_the_paper_calls_them() -> None:
    """The table compares with weighted hands: its words hold against all hands, not its digits."""
    by_strength = ["Jc 4h", "Ac Jc", "5s 5h", "5s 3s", "Ac Qd", "Qd Td", "7s 5s", "6s 5s", "5h 2h"]
    found = {
        name: compare_holdem(cards_of(name), cards_of(FLOP), to_come=2) for name in by_strength
    }
    strength = {name: comparison.strength for name, comparison in found.items()}
    assert sorted(strength, key=lambda name: -strength[name]) == by_strength
    assert round(strength["Qd Td"], 3) == 0.359
    potential = {name: comparison.positive_potential for name, comparison in found.items()}
    weak = sorted((name for name in found if strength[name] < 0.4), key=lambda n: -potential[n])
    # Very high, good, moderate and little potential.
    assert weak == ["5h 2h", "6s 5s", "7s 5s", "Qd Td"]
    # Moderate hands: low potential, moderate potential.
    assert potential["5s 5h"] < potential["Ac Qd"] < potential["5s 3s"]
    effective = effective_strength(np.array([*strength.values()]), np.array([*potential.values()]))
    assert effective.argsort().tolist()[-2:] == [1, 0]


def test_weights_count_holdings_in_part() -> None:
    """Doubling the weight of a pair that is behind moves HS by its share."""
    weights = np.ones(N_PAIRS)
    weights[pair_index(*cards_of("2c 7d"))] = 101.0
    found = compare_holdem(cards_of(OWN), cards_of(FLOP), weights)
    assert found.now.tolist() == [728, 9, 444]


@pytest.mark.parametrize(
    ("own", "board", "to_come"),
    [("Ad", FLOP, 0), (OWN, "3h 4c", 0), (OWN, "3h 4c Ad", 0), (OWN, "3h 4c Jh 2c 2d", 1)],
)
def test_other_hands_than_hold_em_are_refused(own: str, board: str, to_come: int) -> None:
    with pytest.raises(ValueError, match=r"hold'em compares|cards to come"):
        compare_holdem(cards_of(own), cards_of(board), to_come=to_come)


# Stud


def slow_comparison(
    own: Sequence[Card], up: Sequence[Card], dead: Sequence[Card], weights: np.ndarray
) -> Comparison:
    """Figures 1 and 2 as they are printed, with a next card for each player."""
    left = unseen_cards([*own, *up, *dead])
    now, later = np.zeros(3), np.zeros((3, 3))
    for pair in combinations(left, 2):
        weight = weights[pair_index(*pair)]
        mine, other = rank_of_hand(own), rank_of_hand([*pair, *up])
        row = 0 if mine > other else 1 if mine == other else 2
        now[row] += weight
        rest = [card for card in left if card not in pair]
        for next_own in rest:
            mine = rank_of_hand([*own, next_own])
            for next_up in rest:
                if next_up != next_own:
                    other = rank_of_hand([*pair, *up, next_up])
                    column = 0 if mine > other else 1 if mine == other else 2
                    later[row, column] += weight
    return Comparison(now, later)


DEAD = "2c 2d 3c 3d 4c 4d 5c 5d 7c 7s 9c 9d Tc Th Jc Jd Qc Qs Kc Kh 2h 8c 6s Ah 3s"


@pytest.mark.parametrize(
    ("own", "up"),
    [
        ("Qd Qh 8s", "As"),
        ("Qd 8d 4h 4s", "As Jh"),
        ("Qd 8d Ad Kd 4s", "9h 9s Jh"),
        ("6h 7h 8h 9h 4s Js", "As Ks Ts 8s"),
    ],
)
def test_stud_agrees_with_the_figures_as_printed(own: str, up: str) -> None:
    taken = {*cards_of(own), *cards_of(up)}
    dead = [card for card in cards_of(DEAD) if card not in taken]
    weights = random_weights(1, unseen_cards([]))
    fast = compare_stud(cards_of(own), cards_of(up), dead, weights, next_card=True)
    slow = slow_comparison(cards_of(own), cards_of(up), dead, weights)
    np.testing.assert_allclose(fast.now, slow.now, rtol=1e-12)
    np.testing.assert_allclose(fast.later, slow.later, rtol=1e-12)
    assert fast.now.sum() > 0.0
    assert fast.later.sum() > 0.0


def test_two_hands_of_other_streets_are_refused() -> None:
    with pytest.raises(ValueError, match="three to six cards"):
        compare_stud(cards_of("Qd Qh 8s"), cards_of("As Ks"))
    with pytest.raises(ValueError, match="three to six cards"):
        compare_stud(cards_of("Qd Qh"), ())
    with pytest.raises(ValueError, match="three to six cards"):  # 7th street
        compare_stud(cards_of("Qd Qh 8s 8h 8c 2d 3d"), cards_of("As Ks 2h 3h 4h"))
    with pytest.raises(ValueError, match="occurs twice"):
        compare_stud(cards_of("Qd Qh 8s"), cards_of("8s"))


STREETS = {
    3: {1: "8s", 2: "As", 3: "Kd", 4: "2c"},
    4: {1: "8s 8d", 2: "As Jh", 3: "Kd Kc", 4: "2c"},
    5: {1: "8s 9s Js", 2: "Ah Jh 4h", 3: "Kd Kc 3s", 4: "2c 5d"},
    6: {1: "8s 9s Js 2s", 2: "Ah Jh 4h 4s", 3: "Kd Kc 3s 3d", 4: "2c 5d"},
}


def street_of(number: int, shared: str = "") -> DealtStreet:
    """A street of three active seats; the fourth has folded."""
    shown = STREETS[6 if number == 7 else number]
    play = street_play(number, shown, "", shared)
    return DealtStreet(number, play.game, play.upcards, play.shared, (1, 2, 3), 0)


@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_strength_of_all_pairs_is_that_of_each(number: int) -> None:
    street = street_of(number)
    strengths = StreetStrength(street)
    seen = [card for cards in street.upcards.values() for card in cards if card is not None]
    left = unseen_cards(seen)
    weights = {seat: random_weights(seat, left) for seat in (1, 2, 3)}
    found = strengths.strength(1, weights)
    rng = np.random.default_rng(number)
    for a, b in rng.choice(left, (30, 2)):
        if a == b:
            continue
        own = [Card(a), Card(b), *street.upcards[1]]
        expected = 1.0
        for other in (2, 3):
            up = street.upcards[other]
            dead = [card for card in seen if card not in (*own, *up)]
            expected *= compare_stud(own, up, dead, weights[other]).strength
        assert found[pair_index(a, b)] == pytest.approx(expected, rel=1e-9)
    live = np.isin(PAIR_CARDS, left).all(axis=1)
    assert (found[~live] == 0.0).all()
    assert (found[live] > 0.0).any()


@pytest.mark.parametrize("shared", ["", "Qh"])
def test_strength_on_seventh_street(shared: str) -> None:
    street = street_of(7, shared)
    seen = [card for cards in street.upcards.values() for card in cards if card is not None]
    seen += cards_of(shared)
    left, size = unseen_cards(seen), 2 if shared else 3
    # A sixth of the cards, so that holdings often share one.
    few = left[::3]
    weights = {2: random_weights(1, few, size), 3: random_weights(2, few, size)}
    found = StreetStrength(street).strength(1, weights)
    ranks = {
        seat: {
            down: rank_of_hand([*down, *street.upcards[seat], *cards_of(shared)])
            for down in combinations(few, size)
        }
        for seat in (1, 2, 3)
    }
    for down in list(ranks[1])[:: 7 if shared else 40]:
        expected = 1.0
        for other in (2, 3):
            now = np.zeros(3)
            for held, rank in ranks[other].items():
                if not {*held} & {*down}:
                    mine = ranks[1][down]
                    row = 0 if mine > rank else 1 if mine == rank else 2
                    now[row] += weights[other][holding_index(held)]
            expected *= Comparison(now, np.zeros((3, 3))).strength
        assert found[holding_index(down)] == pytest.approx(expected, rel=1e-9)
    assert [values.sum() for values in StreetStrength(street).potential(1, weights)] == [0.0, 0.0]


def slow_counts(
    own: Sequence[Card],
    mine: Sequence[Card],
    up: Sequence[Card],
    left: Sequence[Card],
    weights: np.ndarray,
) -> np.ndarray:
    """States now and after a next card for each, any with any, (3, 3)."""
    hands = [
        (rank_of_hand([*pair, *up]), rank_of_hand([*pair, *up, card]), weights[pair_index(*pair)])
        for pair in combinations(left, 2)
        for card in left
        if card not in pair
    ]
    counts = np.zeros((3, 3))
    key = rank_of_hand([*own, *mine])
    states = [0 if key > now else 1 if key == now else 2 for now, _, _ in hands]
    for card in left:
        if card in own:
            continue
        later = rank_of_hand([*own, *mine, card])
        for state, (_, then, weight) in zip(states, hands, strict=True):
            counts[state, 0 if later > then else 1 if later == then else 2] += weight
    return counts / counts.sum()


@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_potential_of_all_pairs_for_independent_cards(number: int) -> None:
    street = street_of(number)
    seen = [card for cards in street.upcards.values() for card in cards if card is not None]
    # Every other card is dead, for the sake of time.
    left = unseen_cards(seen)[::2]
    gone = set(unseen_cards(left)) - set(seen)
    street = replace(street, upcards={**street.upcards, 9: tuple(map(Card, gone))})
    weights = {seat: random_weights(seat, left) for seat in (1, 2, 3)}
    positive, negative = StreetStrength(street).potential(1, weights)
    for own in (left[2], left[3]), (left[5], left[9]), (left[-1], left[-2]):
        up = street.upcards[1]
        counts = sum(
            slow_counts(own, up, street.upcards[other], left, weights[other]) for other in (2, 3)
        )
        expected = Comparison(counts.sum(axis=1), counts)
        place = pair_index(*own)
        assert positive[place] == pytest.approx(expected.positive_potential, rel=1e-9)
        assert negative[place] == pytest.approx(expected.negative_potential, rel=1e-9)
