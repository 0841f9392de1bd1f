"""Incomes of starting hands: the table shipped, and how it is made."""

from __future__ import annotations

import csv
from importlib.resources import files

import numpy as np
import pytest

from handread.cards import DECK_SIZE, Card, parse_card, triple_index
from handread.game.ranks import best_hand
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS
from handread.papers.loki.income import (
    FIGURE,
    GAMES,
    PLAYERS,
    income,
    incomes,
    incomes_by_pair,
    shares_of_start,
    starts,
)
from handread.papers.loki.study import starting_hands
from tests.hands import cards


def slow_shares(start: int, players: int, games: int, seed: int) -> list[float]:
    """The share of the pot in each game, from the same random draws."""
    rng = np.random.default_rng((seed, start))
    own = starts().cards[start].tolist()
    deck = [card for card in range(DECK_SIZE) if card not in own]
    shares = []
    for _ in range(games):
        dealt = 0

        def draw(n: int) -> list[Card]:
            nonlocal dealt
            for _ in range(n):
                other = dealt + int(rng.random() * (len(deck) - dealt))
                deck[dealt], deck[other] = deck[other], deck[dealt]
                dealt += 1
            return [Card(card) for card in deck[dealt - n : dealt]]

        mine, winners = best_hand([*map(Card, own), *draw(4)]), 1
        for _ in range(players - 1):
            other_hand = best_hand(draw(7))
            if other_hand > mine:
                winners = 0
                break
            winners += other_hand == mine
        shares.append(1 / winners if winners else 0.0)
    return shares


def test_starts_are_the_hands_that_differ_by_more_than_suits() -> None:
    found = starts()
    assert len(found.ways) == 1755
    assert found.ways.sum() == len(found.of_triple) == 22100
    for text, ways in {"Ah Ad Ac": 4, "Ac Ad Kc": 12, "Ac Ad Kh": 12, "Ac Kc Qc": 4}.items():
        assert found.ways[found.of_triple[triple_index(*cards(text))]] == ways
    same = [found.of_triple[triple_index(*cards(text))] for text in ("9c 5d 5h", "5s 9h 5c")]
    assert same[0] == same[1]
    assert found.of_triple[triple_index(*cards("9c 5c 5h"))] != same[0]


@pytest.mark.parametrize(("name", "players"), [("Ah Ad Ac", 7), ("Kc Jd 5h", 2)])
def test_games_agree_with_a_slow_twin(name: str, players: int) -> None:
    start = int(starts().of_triple[triple_index(*cards(name))])
    total, squares = shares_of_start(start, players, 300, 5)
    shares = slow_shares(start, players, 300, 5)
    assert total == pytest.approx(sum(shares))
    assert squares == pytest.approx(sum(share**2 for share in shares))
    assert 0 < total < 300


def test_the_table_is_that_of_the_experiment() -> None:
    """Its errors are those of its number of games, and its incomes sum to nothing."""
    text = files("handread.papers.loki").joinpath("income.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["group"] for row in rows] == [*starts().names]
    assert {(row["figure"], int(row["n"])) for row in rows} == {(FIGURE, GAMES)}
    errors = np.array([float(row["error"]) for row in rows])
    assert errors.max() < 0.012
    ways = starts().ways / starts().ways.sum()
    error = float(np.sqrt(ways**2 @ errors**2))
    assert abs(ways @ incomes()) < 4 * error + 1e-4
    found = starting_hands(PLAYERS, 60)
    again = np.array([estimate.mean for estimate in found.figures.values()])
    spread = np.array([estimate.error for estimate in found.figures.values()])
    # Both are estimates of the same incomes; 60 games of a weak hand have few wins.
    assert abs(ways @ (again - incomes())) < 4 * np.sqrt(ways**2 @ spread**2)
    assert np.corrcoef(again, incomes())[0, 1] > 0.7


def test_the_best_and_the_worst_hands() -> None:
    assert income(cards("Ah Ad Ac")) == incomes().max()
    assert income(cards("Ah Ad 5c")) > income(cards("Kh Kd 5c")) > income(cards("Kh Qd 5c"))
    assert income(cards("Ah Kh Qh")) > income(cards("Ah Kh Qd")) > 0


def test_incomes_of_pairs_are_those_of_three_cards() -> None:
    door = parse_card("9d")
    found = incomes_by_pair(door)
    for place in (0, 17, 500, 1325):
        assert found[place] == income([*map(Card, PAIR_CARDS[place]), door])
    dead = (PAIR_CARDS == door).any(axis=1)
    assert (found[dead] == 0.0).all()
    assert len(TRIPLE_CARDS) == starts().of_triple.size
