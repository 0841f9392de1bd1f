"""Ranges of reads, against an analysis for each draw."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import handread
from handread.game.replay import replay
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model, PlayerModels, player_models
from handread.inference.ranges import Range, ranges_of
from handread.inference.stages import SeatRead
from handread.inference.timeline import timeline_points
from handread.policy import Panel, load_policy
from handread.study.fit.uncertainty import drawn_players
from tests.hands import ALL_IN, GOLDEN, PARTLY_SEEN, WALKED_OFF, hand

N = 4
PEOPLE = load_policy("people")
HANDS = [GOLDEN, ALL_IN, WALKED_OFF, PARTLY_SEEN]


@cache
def models() -> PlayerModels:
    return drawn_players(PlayerModels(Model(PEOPLE), {2: Model(PEOPLE, "cards-only")}), N)


def read(text: str, viewpoint: str = "public") -> Analysis:
    return analyze_replay(replay(hand(text)), models(), viewpoint)


def slow(text: str, viewpoint: str = "public") -> list[Analysis]:
    """The hand analyzed by each draw on its own."""
    return [analyze_replay(replay(hand(text)), models().draw(i), viewpoint) for i in range(N)]


def share(read: SeatRead, family: str) -> float:
    """The probability of a family of holdings."""
    found = read.families().get(family)
    return 0.0 if found is None else found.bet_inference


def check(read: SeatRead, drawn: list[SeatRead]) -> None:
    """Compare the draws of a read, and its ranges, with reads by each draw."""
    assert read.drawn is not None
    for name in read.family_ranges:
        shares = [share(one, name) for one in drawn]
        point = share(read, name)
        low, high = np.quantile(shares, [0.05, 0.95])
        expected = (min(low, point), max(high, point))
        assert read.family_ranges[name] == pytest.approx(expected, abs=1e-12)
    for words, p in read.kinds(3):
        assert read.kind_ranges[words].low <= p <= read.kind_ranges[words].high


@pytest.mark.thorough
@pytest.mark.parametrize("text", HANDS)
def test_draws_are_reads_by_other_parameters(text: str) -> None:
    found, each = read(text), slow(text)
    for k, stage in enumerate(found.stages):
        twins = [one.stages[k] for one in each]
        for seat, range_ in stage.chance_ranges.items():
            chances = [twin.bet_inference[seat] for twin in twins]
            point = stage.bet_inference[seat]
            low, high = np.quantile(chances, [0.05, 0.95])
            assert range_ == pytest.approx((min(low, point), max(high, point)), abs=1e-12)
        assert stage.chance_ranges.keys() == stage.bet_inference.keys()
        for seat, own in {**stage.seats, **stage.folded}.items():
            check(own, [{**twin.seats, **twin.folded}[seat] for twin in twins])


@pytest.mark.thorough
@pytest.mark.parametrize("viewpoint", ["seat:1", "omniscient"])
def test_ranges_from_a_viewpoint(viewpoint: str) -> None:
    text = GOLDEN if viewpoint == "seat:1" else ALL_IN
    try:
        found, each = read(text, viewpoint), slow(text, viewpoint)
    except ValueError:
        pytest.skip("the hand does not show these downcards")
    for k, stage in enumerate(found.stages):
        for seat, own in {**stage.seats, **stage.folded}.items():
            twins = [{**one.stages[k].seats, **one.stages[k].folded}[seat] for one in each]
            check(own, twins)
    known = found.stages[-1].seats[1]
    assert all(range_ == (1.0, 1.0) for range_ in known.family_ranges.values())


@pytest.mark.thorough
def test_ranges_at_every_point_of_the_timeline() -> None:
    found = timeline_points(read(GOLDEN))
    each = [timeline_points(one) for one in slow(GOLDEN)]
    for k, point in enumerate(found):
        assert point.chance_ranges.keys() == point.bet_inference.keys()
        for seat, range_ in point.chance_ranges.items():
            chances = [*(one[k].bet_inference[seat] for one in each), point.bet_inference[seat]]
            assert min(chances) - 1e-12 <= range_.low <= range_.high <= max(chances) + 1e-12
        for seat, own in point.reads.items():
            check(own, [one[k].reads[seat] for one in each])


@pytest.mark.thorough
def test_before_any_action_there_is_nothing_to_doubt() -> None:
    stage = read(GOLDEN).at("3D")
    for seat, range_ in stage.chance_ranges.items():
        assert range_ == pytest.approx((stage.bet_inference[seat],) * 2)
    assert read(GOLDEN).at("5B").chance_ranges[1].low < read(GOLDEN).at("5B").chance_ranges[1].high


def test_an_analysis_without_draws_has_no_ranges() -> None:
    found = handread.analyze(hand(GOLDEN), "people")
    assert found.drawn is None
    assert found.at("3B").chance_ranges == {}
    assert found.at("3B").seats[1].kind_ranges == {}
    assert "ranges" not in found.to_dict()["stages"][0]
    assert "uncertainty" not in found.to_dict()


@pytest.mark.thorough
def test_the_public_function_draws() -> None:
    found = handread.analyze(hand(GOLDEN), "people", draws=2)
    again = handread.analyze(hand(GOLDEN), "people", draws=2)
    other = handread.analyze(hand(GOLDEN), "people", draws=2, seed=2)
    ranges = [one.at("5B").chance_ranges for one in (found, again, other)]
    assert ranges[0] == ranges[1] != ranges[2]
    assert found.at("5B").bet_inference == other.at("5B").bet_inference
    session = list(handread.analyze_hands([hand(GOLDEN)] * 2, "people", draws=2))
    assert [one.at("5B").chance_ranges for one in session] == [ranges[0]] * 2
    with pytest.raises(handread.PolicyError, match="no uncertainty"):
        handread.analyze(hand(GOLDEN), "default", draws=2)


def test_a_panel_keeps_what_it_has_learned() -> None:
    """The members are drawn, their weights are those after the hands so far."""
    panel = load_policy("panel")
    assert isinstance(panel, Panel)
    drawn = drawn_players(player_models(panel), 2)
    plain = hand(GOLDEN)
    history = replace(plain, seats=tuple(replace(s, name=f"N{s.number}") for s in plain.seats))
    first = analyze_replay(replay(history), drawn)
    after = drawn.after(history, first.members).for_hand(history)
    seat = min(first.members)
    learned, other = after.of(seat).policy, after.draw(1).of(seat).policy
    assert isinstance(learned, Panel)
    assert isinstance(other, Panel)
    assert learned.weights == other.weights != panel.weights
    assert other.members[0] != learned.members[0]
    assert other.members[1:] == learned.members[1:]


def test_ranges_add_up_the_shares_of_a_name() -> None:
    drawn = np.array([[0.1, 0.2, 0.7, 0.0], [0.3, 0.2, 0.5, 0.0]])
    found = ranges_of("aabc", drawn, np.array([0.3, 0.1, 0.6, 0.0]))
    assert found["a"] == pytest.approx((0.31, 0.49))
    assert found["b"] == pytest.approx((0.51, 0.69))
    assert "c" not in found
    certain = ranges_of("a", np.array([[0.2], [0.2]]), np.array([0.25]))
    assert certain["a"] == Range(0.2, 0.25)
