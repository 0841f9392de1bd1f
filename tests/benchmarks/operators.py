"""The exact operators of 3rd street against brute force over the same completions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb

import numpy as np

from handread.arrays import Floats
from handread.cards import parse_card
from handread.game.rules import FIVE_STUD, Variant
from handread.inference.observer import TIE_RULES, values_against
from handread.odds.five_card import FiveCardHands
from handread.odds.htpd import Hands, Operator, Unseen
from handread.odds.showdown import showdown_of
from tests.benchmarks import brute
from tests.benchmarks.timing import GAMES, Row, alternating, as_time, by_game, median_seconds

DOORS = [parse_card(text) for text in ("7h", "8d", "9d", "4c", "3h", "3s", "Tc")]


def values_of_all_seats() -> list[Floats]:
    """For each seat what its classes are worth against the other six."""
    unseen = Unseen(DOORS)
    htpds = {}
    for seat, door in enumerate(DOORS):
        hands = Hands(unseen, [door])
        htpds[seat] = hands.htpd(hands.uniform)
    return [values_against(htpds, seat, TIE_RULES["split"]) for seat in htpds]


def by_counting(values: list[Floats]) -> list[Floats]:
    """The chances of every pair of every seat; the operators are built and applied once."""
    unseen = Unseen(DOORS)
    seats = [Hands(unseen, [door]) for door in DOORS]
    return [
        hands.chances(value)[unseen.live_pairs] for hands, value in zip(seats, values, strict=True)
    ]


def by_brute_force(values: list[Floats]) -> list[Floats]:
    """The same, every completion dealt and looked up."""
    cards = Unseen(DOORS).cards
    return [
        brute.third_street(cards, door, value) for door, value in zip(DOORS, values, strict=True)
    ]


def rows() -> Iterator[Row]:
    """The table's lines."""
    values = values_of_all_seats()
    pairs = zip(by_counting(values), by_brute_force(values), strict=True)
    apart = max(float(np.abs(fast - slow).max()) for fast, slow in pairs)
    if apart > 1e-11:
        raise AssertionError(f"counting and brute force differ by {apart}")
    counted, dealt = alternating(
        [partial(by_counting, values), partial(by_brute_force, values)], runs=5
    )
    n = Unseen(DOORS).n
    hands = comb(n, 2) * comb(n - 2, 4) * len(DOORS)
    yield Row("3rd street, 7 seats, by counting", as_time(counted), "built and applied once")
    yield Row(
        "3rd street, 7 seats, by brute force",
        as_time(dealt),
        f"{hands:,} hands, {dealt / hands * 1e9:.2f} ns each; differs by at most {apart:.0e}",
    )
    yield Row("ratio", f"{dealt / counted:.0f}")
    seats = [Hands(Unseen(DOORS), [door]) for door in DOORS]
    pdds = [hands.uniform for hands in seats]
    adjoint = median_seconds(
        lambda: [hands.htpd(pdd) for hands, pdd in zip(seats, pdds, strict=True)], runs=9
    )
    yield Row("3rd street, htpds of 7 seats", as_time(adjoint), "operators built before")


def first_street(game: Variant) -> None:
    """All that an action of each of seven seats takes: its values, its chances, its htpd."""
    unseen = Unseen(DOORS)
    seats: list[Operator] = (
        [FiveCardHands(unseen, [door]) for door in DOORS]
        if game is FIVE_STUD
        else [Hands(unseen, [door], showdown=showdown_of(game)) for door in DOORS]
    )
    htpds = {seat: hands.htpd(hands.uniform) for seat, hands in enumerate(seats)}
    for seat, hands in enumerate(seats):
        hands.chances(values_against(htpds, seat, TIE_RULES["split"], hands.showdown))


def games() -> Iterator[Row]:
    """The first street of each game, in turns."""
    notes = dict.fromkeys(GAMES, "built and applied both ways once")
    yield from by_game("first street, 7 seats,", first_street, notes, runs=25)
