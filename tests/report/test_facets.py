"""What results are sorted by: taken from the play, in all games."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import handread
from handread.game.replay import replay
from handread.report.facets import NO_FACETS, Facets, facets_of
from tests.program import ROOT, SAMPLES

STREETS = ("3rd", "4th", "5th", "6th", "7th")
EVENING = [replay(hand) for hand in handread.read(ROOT / "docs" / "first-evening.txt")]


def test_a_hand_of_the_evening() -> None:
    found = facets_of(EVENING[2], EVENING[2].history.hero)
    assert found == Facets(
        room="pokerstars",
        variant="seven-card stud",
        family="pair in the hole",
        start="jacks in the hole",
        kicker="jacks in the hole with a three",
        position="last",
        front="a completion",
        end="won at showdown",
    )


def test_all_facets_of_an_evening() -> None:
    """Slow twins: everybody folds once at most, and positions are all different."""
    for played in EVENING:
        each = {seat: facets_of(played, seat) for seat in played.streets[0].active}
        positions = Counter(one.position for one in each.values())
        assert set(positions.values()) == {1}
        assert positions["bring-in"] == positions["last"] == 1
        first = played.streets[0].decisions[0].seat
        assert each[first].position == "bring-in"
        folds = {
            decision.seat: f"folded on {STREETS[street.number - 3]} street"
            for street in played.streets
            for decision in street.decisions
            if decision.action == "fold"
        }
        for seat, one in each.items():
            assert one.end == folds.get(seat, one.end)
            assert one.end.startswith("folded") == (seat in folds)
            assert one.end.startswith("won") == (seat in played.won)
            assert (one.start == "") == (seat not in played.downcards_on(3))


def test_nobody_and_somebody_who_was_not_dealt_in() -> None:
    played = EVENING[0]
    assert facets_of(played, None) == Facets("pokerstars", "seven-card stud")
    assert facets_of(played, 99) == Facets("pokerstars", "seven-card stud")
    assert NO_FACETS == Facets()
    assert facets_of(replace(played, streets=()), played.history.hero)[2:] == ("",) * 6


@pytest.mark.parametrize("name", ["showdown.stud", "stops-in-the-middle.stud"])
def test_hands_of_the_paper(name: str) -> None:
    played = replay(next(iter(handread.read(SAMPLES / name))))
    ends = {facets_of(played, seat).end for seat in played.streets[0].active}
    assert ("" in ends) == (name != "showdown.stud")


def test_kickers_are_the_odd_cards_of_pairs() -> None:
    """Slow twin: the rank that the three first cards hold once, beside a pair."""
    pairs = 0
    for played in EVENING:
        for seat, down in played.downcards_on(3).items():
            found = facets_of(played, seat)
            ranks = [card // 4 for card in (*down, *played.streets[0].upcards[seat])]
            counts = sorted(map(ranks.count, ranks))
            assert (" pair" in f" {found.family}") == (counts == [1, 2, 2])
            assert (found.kicker != found.start) == (counts == [1, 2, 2])
            pairs += counts == [1, 2, 2]
    assert pairs > 3
