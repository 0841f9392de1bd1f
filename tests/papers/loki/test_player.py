"""Loki's players: the betting rules, and games that they play."""

from __future__ import annotations

import numpy as np
import pytest

from handread.cards import DECK
from handread.game.replay import replay
from handread.game.steps import DecisionPoint
from handread.inference.observer import SPLIT
from handread.inference.players import player_models
from handread.papers.loki.income import income, incomes, starts
from handread.papers.loki.player import (
    CALL,
    FOLD,
    LOOSE,
    MODERATE,
    PLAYERS,
    RAISE,
    TIGHT,
    Thresholds,
    later_wish,
    loki_player,
    start_place,
    start_wish,
)
from handread.papers.loki.reader import LokiReader, basic_reader
from handread.papers.loki.strength import HandStrength, StreetStrength, to_the_end
from handread.papers.tournament.study import table_of
from handread.simulate import Setup, play_game
from tests.hands import GOLDEN, cards, hand
from tests.strategies import spot

BET = 100


def facing(to_call: int, raises: int = 0, later_bets: int = 0) -> DecisionPoint:
    """A decision of a pot of 400."""
    return spot(to_call=to_call, raises=raises, pot=400, later_bets=later_bets)


@pytest.mark.parametrize(
    ("place", "to_call", "raises", "wish"),
    [
        (0.04, 300, 3, RAISE),  # the best starts raise whatever the bet
        (0.14, 25, 0, RAISE),  # good ones complete
        (0.14, 100, 1, CALL),  # and call a completion
        (0.14, 200, 2, CALL),  # or two bets
        (0.29, 100, 1, CALL),
        (0.29, 200, 2, FOLD),
        (0.39, 25, 0, CALL),
        (0.39, 100, 1, FOLD),
        (0.41, 25, 0, FOLD),
    ],
)
def test_starts_by_their_place(place: float, to_call: int, raises: int, wish: str) -> None:
    assert start_wish(MODERATE, facing(to_call, raises), place, BET) == wish


@pytest.mark.parametrize(
    ("strength", "potential", "to_call", "raises", "wish"),
    [
        (0.5, 0.0, 0, 0, RAISE),
        (0.4, 0.1, 0, 0, CALL),  # EHS .46: check
        (0.4, 0.2, 0, 0, RAISE),  # EHS .52
        (0.8, 0.0, 100, 1, RAISE),
        (0.79, 0.0, 100, 1, CALL),
        (0.85, 0.0, 200, 2, CALL),  # the second raise needs .9
        (0.9, 0.0, 200, 2, RAISE),
        (0.21, 0.0, 100, 1, CALL),  # pot odds 100 / 500
        (0.19, 0.0, 100, 1, FOLD),
        (0.0, 0.21, 100, 1, CALL),
        (0.1, 0.1, 100, 1, FOLD),  # EHS .19
    ],
)
def test_later_bets_by_effective_strength(
    strength: float, potential: float, to_call: int, raises: int, wish: str
) -> None:
    found = HandStrength(strength, potential)
    assert later_wish(MODERATE, facing(to_call, raises), found, BET) == wish


def test_a_semi_bluff_needs_the_odds_to_the_end() -> None:
    """A bet of 100 and later ones of 200 into 400, called once: 300 of 1,000."""
    for potential, wish in ((0.3, RAISE), (0.29, CALL)):
        found = HandStrength(0.0, potential)
        assert later_wish(MODERATE, facing(0, later_bets=200), found, BET) == wish
    assert later_wish(MODERATE, facing(0), HandStrength(0.0, 0.0), BET) == CALL


def test_potentials_to_the_end_are_near_those_of_the_paper() -> None:
    """Ppot1 .108 and Npot1 .145 against Ppot2 .208 and Npot2 .274, by counting."""
    assert to_the_end(0.108, 2) == pytest.approx(0.208, abs=0.006)
    assert to_the_end(0.145, 2) == pytest.approx(0.274, abs=0.006)
    assert to_the_end(0.108, 0) == 0.0


def test_styles_differ_in_every_threshold_and_in_one_direction() -> None:
    def looseness(style: Thresholds) -> tuple[float, ...]:
        starts = (style.limps, style.calls, style.opens, style.reraises)
        return (*starts, -style.bets, -style.raises, -style.caution)

    orders = zip(looseness(TIGHT), looseness(MODERATE), looseness(LOOSE), strict=True)
    for tight, moderate, loose in orders:
        assert tight < moderate < loose


def test_the_place_of_a_start_is_the_share_of_better_ones() -> None:
    for text in ("Ac Ad Ah", "2c 3d 7h", "Kc Kd 4s", "9h 8h 7h"):
        better = starts().ways[incomes() > income(cards(text))].sum()
        assert start_place(cards(text)) == pytest.approx(better / 22_100, abs=1e-12)
    assert start_place(cards("Ac Ad Ah")) == 0.0


@pytest.mark.parametrize("reader", [LokiReader(), basic_reader()])
def test_an_observer_that_follows_has_the_same_weights(reader: LokiReader) -> None:
    played = replay(hand(GOLDEN))
    follower, observer = (reader.observer(played.history, SPLIT) for _ in range(2))
    for street in played.streets:
        assert follower.deal(street) == pytest.approx(observer.deal(street), abs=1e-12)
        for decision in street.decisions:
            follower.follow(decision)
            observer.observe(decision)
            assert set(follower.pdds) == set(observer.belief.pdds)
            for seat, pdd in follower.pdds.items():
                expected = observer.belief.pdds[seat]
                np.testing.assert_allclose(pdd, expected, rtol=1e-12, atol=1e-15)
    for seat, htpd in observer.belief.htpds.items():
        np.testing.assert_allclose(follower.belief.htpds[seat], htpd, rtol=1e-9, atol=1e-15)


def test_one_holding_is_as_strong_as_among_all() -> None:
    rng = np.random.default_rng(3)
    for street in replay(hand(GOLDEN)).streets[1:]:
        strength = StreetStrength(street)
        size = strength.strength(street.active[0], {}).size
        weights = {seat: rng.random(size) for seat in street.active}
        weights[street.active[-1]][rng.random(size) < 0.7] = 0.0
        seat = street.active[0]
        every = strength.strength(seat, weights), strength.effective(seat, weights)
        live = np.flatnonzero(every[0])
        for holding in rng.choice(live, 40).tolist():
            found = strength.of(seat, holding, weights)
            expected = [values[holding] for values in every]
            assert (found.now, found.effective) == pytest.approx(expected, abs=1e-9)


TABLE = Setup(player_models("uniform"))


def test_every_kind_plays_legal_games_without_a_public_observer() -> None:
    players = tuple(map(loki_player, PLAYERS))
    for number in range(6):
        game = play_game(table_of(players, TABLE), 5, number)
        assert game.replay.finished
        assert not game.observed
        assert set(game.deck) == set(DECK)


def test_basic_players_share_one_reader() -> None:
    readers = {name: loki_player(name).reader for name in PLAYERS}
    assert readers["BPM"] is readers["BPT"] is readers["BPL"]
    assert len({id(reader) for reader in readers.values()}) == 3


def test_som_plays_as_gom_until_it_has_seen_enough() -> None:
    basic = loki_player("BPM"), loki_player("BPL")
    som, gom = ((loki_player(name), *basic) for name in ("SOM", "GOM"))
    learned = som[0].reader
    for number in range(6):
        played, other = (play_game(table_of(who, TABLE), 5, number).replay for who in (som, gom))
        assert played.decisions == other.decisions
        learned = learned.after(played, ())
    counts = learned.model.counts
    assert set(counts) == {"SOM-1", "BPM-2", "BPL-3"}  # by name, wherever they sit
    assert counts["BPM-2"].sum() < sum(found.sum() for found in counts.values())
