"""Hand strength and potential: the figures of Billings et al. 1998, and slow twins in stud."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from docs.site.holdem import Comparison, compare_holdem
from handread.cards import Card, holding_index, pair_index, rank_of
from handread.game.ranks import best_hand
from handread.game.steps import DealtStreet
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS
from handread.papers.loki.strength import HandStrength, StreetStrength, reweighting
from tests.hands import cards
from tests.naive import street_play, unseen_cards

OWN = "Ad Qc"
FLOP = "3h 4c Jh"


def rank_of_hand(hand: Sequence[Card]) -> tuple[object, ...]:
    """The rank of three to seven cards: of fewer than five the groups of equal ranks count."""
    if len(hand) >= 5:
        return best_hand(hand)
    ranks = [rank_of(card) for card in hand]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return tuple(n for n, _ in groups), tuple(rank for _, rank in groups)


def state(mine: tuple[object, ...], other: tuple[object, ...]) -> int:
    """Return 0, 1 or 2 for ahead, tied or behind."""
    return 0 if mine > other else 1 if mine == other else 2


def random_weights(seed: int, live: Iterable[Card], size: int = 2) -> np.ndarray:
    """Weights of the holdings of some cards, some of them tiny."""
    rng = np.random.default_rng(seed)
    weights = np.zeros({2: 1326, 3: 22100}[size])
    for holding in combinations(sorted(live), size):
        weights[holding_index(holding)] = rng.random() * rng.choice([1.0, 0.01, 1e-6])
    return weights


# The paper


def test_the_sums_of_table_1_and_what_the_printed_code_makes_of_them() -> None:
    """Figure 2 divides by all tied hands, and leaves out those that are tied now and not later.

    ``test_published`` has the other figures of the paper.
    """
    later = compare_holdem(cards(OWN), cards(FLOP), to_come=2).later
    ahead, tied, behind = later.sum(axis=1)
    assert (ahead, tied, behind, later.sum()) == (621_720, 8_910, 439_560, 1_070_190)
    assert round((later[2, 0] + later[2, 1] / 2) / (behind + tied), 3) == 0.206
    assert round((later[0, 2] + later[0, 1] / 2) / (ahead + tied), 3) == 0.271
    assert compare_holdem(cards(OWN), cards(FLOP), to_come=1).later.sum() == 1081 * 45


def test_reweighting_of_the_paper() -> None:
    values = np.array([0.22, 0.4, 0.5, 0.6, 0.8, 0.9])
    assert reweighting(values, 0.6, 0.2).tolist() == pytest.approx([0.01, 0.01, 0.25, 0.5, 1, 1])
    assert reweighting(values, 0.6, 0.0).tolist() == [0.01, 0.01, 0.01, 1, 1, 1]


def test_hands_of_table_2_are_as_the_paper_calls_them() -> None:
    """The table compares with weighted hands: its words hold against all hands, not its digits."""
    by_strength = ["Jc 4h", "Ac Jc", "5s 5h", "5s 3s", "Ac Qd", "Qd Td", "7s 5s", "6s 5s", "5h 2h"]
    found = {name: compare_holdem(cards(name), cards(FLOP), to_come=2) for name in by_strength}
    strength = {name: comparison.strength for name, comparison in found.items()}
    assert sorted(strength, key=lambda name: -strength[name]) == by_strength
    assert round(strength["Qd Td"], 3) == 0.359
    potential = {name: comparison.positive_potential for name, comparison in found.items()}
    weak = sorted((name for name in found if strength[name] < 0.4), key=lambda n: -potential[n])
    # Very high, good, moderate and little potential.
    assert weak == ["5h 2h", "6s 5s", "7s 5s", "Qd Td"]
    # Moderate hands: low potential, moderate potential.
    assert potential["5s 5h"] < potential["Ac Qd"] < potential["5s 3s"]
    effective = [HandStrength(strength[name], potential[name]).effective for name in found]
    assert np.argsort(effective).tolist()[-2:] == [1, 0]


# Stud


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


def seen_on(street: DealtStreet) -> list[Card]:
    return [card for cards in street.upcards.values() for card in cards if card is not None]


@pytest.mark.parametrize(
    ("number", "shared"), [(3, ""), (4, ""), (5, ""), (6, ""), (7, ""), (7, "Qh")]
)
def test_strength_of_all_holdings_by_plain_counts(number: int, shared: str) -> None:
    street, size = street_of(number, shared), 3 if number == 7 and not shared else 2
    left = unseen_cards([*seen_on(street), *cards(shared)])
    # A third of the cards, so that holdings often share one.
    few = left[::3]
    ranks = {
        seat: {
            down: rank_of_hand([*down, *street.upcards[seat], *cards(shared)])
            for down in combinations(few, size)
        }
        for seat in (1, 2, 3)
    }
    weights = {seat: random_weights(seat, few, size) for seat in (2, 3)}
    found = StreetStrength(street).strength(1, weights)
    for down in list(ranks[1])[:: 7 if size == 2 else 40]:
        expected = 1.0
        for other in (2, 3):
            now = np.zeros(3)
            for held, rank in ranks[other].items():
                if not {*held} & {*down}:
                    now[state(ranks[1][down], rank)] += weights[other][holding_index(held)]
            expected *= Comparison(now, np.zeros((3, 3))).strength
        assert found[holding_index(down)] == pytest.approx(expected, rel=1e-9)
    live = np.isin(PAIR_CARDS if size == 2 else TRIPLE_CARDS, left).all(axis=1)
    assert (found[~live] == 0.0).all()
    if number == 7:
        assert StreetStrength(street).potential(1, weights).sum() == 0.0


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
    states = [state(key, now) for now, _, _ in hands]
    for card in left:
        if card in own:
            continue
        later = rank_of_hand([*own, *mine, card])
        for row, (_, then, weight) in zip(states, hands, strict=True):
            counts[row, state(later, then)] += weight
    return counts / counts.sum()


@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_potential_of_all_pairs_for_independent_cards(number: int) -> None:
    street = street_of(number)
    seen = seen_on(street)
    # Every other card is dead, for the sake of time.
    left = unseen_cards(seen)[::2]
    gone = set(unseen_cards(left)) - set(seen)
    street = replace(street, upcards={**street.upcards, 9: tuple(map(Card, gone))})
    weights = {seat: random_weights(seat, left) for seat in (1, 2, 3)}
    found = StreetStrength(street).potential(1, weights)
    for own in (left[2], left[3]), (left[5], left[9]), (left[-1], left[-2]):
        up = street.upcards[1]
        counts = sum(
            slow_counts(own, up, street.upcards[other], left, weights[other]) for other in (2, 3)
        )
        expected = Comparison(counts.sum(axis=1), counts).positive_potential
        assert found[pair_index(*own)] == pytest.approx(expected, rel=1e-9)
