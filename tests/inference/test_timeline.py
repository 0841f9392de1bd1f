"""A hand moment by moment, against the analysis and against an observer that is run anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread import Problem, read_hands
from handread.cards import parse_card
from handread.game.replay import replay
from handread.game.rules import Stakes
from handread.game.steps import Replay, StreetRecord
from handread.history import Action, Deal, History, Wager
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import TIE_RULES, Belief, chances_to_win, deal, observe
from handread.inference.stages import SeatRead
from handread.inference.timeline import (
    ACTION,
    BRING_IN,
    DEAL,
    END,
    TimelinePoint,
    public_reads,
    timeline_moments,
    timeline_points,
)
from handread.inference.viewpoint import StreetViews, even_views, on_street
from handread.policy import load_policy
from tests.beliefs import viewpoints
from tests.examples import examples
from tests.hands import GOLDEN, PARTLY_SEEN, WALKED_OFF, hand, random_hand, wagers
from tests.program import SAMPLES
from tests.strategies import (
    STAKES,
    bad_hands,
    half_hidden,
    legal_hands,
    seeds,
    spoilt,
    without_downcards,
)

DEFAULT = load_policy("default")
TIPSY = DEFAULT.with_lapse(0.05)
SPLIT = TIE_RULES["split"]


def read(history: History, viewpoint: str = "public") -> Analysis:
    return analyze_replay(replay(history), TIPSY, viewpoint)


@cache
def golden() -> Analysis:
    return read(hand(GOLDEN))


def logged(path: Path) -> Iterator[History]:
    return (found for found in read_hands(path) if not isinstance(found, Problem))


# The slow twin: the observer is run anew, and looks on from the viewpoint after every action


Chances = Mapping[int, float]


def looked_at(
    street: StreetRecord, belief: Belief, known: Mapping[int, tuple[int, ...]], blind: bool = False
) -> dict[int, float]:
    """The chances to win for somebody who knows some downcards."""
    views = StreetViews(street, known).of(even_views(belief) if blind else belief.seats)
    return chances_to_win({seat: view.htpd for seat, view in views.items()}, SPLIT)


def slow(analysis: Analysis, looker: Mapping[int, tuple[int, ...]]) -> Iterator[list[Chances]]:
    """Cards-only, bet-inference and all that is known, after every deal and every decision."""
    played = analysis.replay
    belief: Belief | None = None
    for street in played.streets:
        belief, _ = deal(belief, street)
        known = {seat: on_street(cards, street.number) for seat, cards in looker.items()}
        told = {s: on_street(cards, street.number) for s, cards in played.downcards.items()}
        for decision in (None, *street.decisions):
            if decision is not None:
                model = analysis.players.of(decision.seat)
                belief, _ = observe(belief, decision, model, SPLIT)
            seen = [looked_at(street, belief, known, blind=True), looked_at(street, belief, known)]
            if not told.keys().isdisjoint(belief.pdds):
                seen.append(looked_at(street, belief, told))
            yield seen


def assert_like_the_slow_twin(analysis: Analysis) -> None:
    kind, _, seat = analysis.viewpoint.partition(":")
    looker = {
        n: cards
        for n, cards in analysis.replay.downcards.items()
        if kind == "omniscient" or str(n) == seat
    }
    points = timeline_points(analysis)
    assert [(m.kind, m.street, m.action and m.action.decision) for m in points] == list(
        timeline_moments(analysis)
    )
    found = [m for m in points if m.kind in (DEAL, ACTION)]
    twin = list(slow(analysis, looker))
    assert len(found) == len(twin)
    for moment, chances in zip(found, twin, strict=True):
        own = [moment.cards_only, moment.bet_inference]
        own += [] if moment.omniscient is None else [moment.omniscient]
        assert len(own) == len(chances)
        for mine, theirs in zip(own, chances, strict=True):
            assert dict(mine) == pytest.approx(dict(theirs), abs=1e-9)


@pytest.mark.thorough
@pytest.mark.parametrize("stakes", STAKES, ids=["saund", "room"])
@given(data=st.data(), rng=seeds())
@examples(2)
def test_like_an_observer_that_is_run_anew(
    stakes: Stakes, data: st.DataObject, rng: Random
) -> None:
    played = replay(half_hidden(data.draw(legal_hands([stakes])), rng))
    viewpoint = rng.choice(viewpoints(played))
    assert_like_the_slow_twin(analyze_replay(played, TIPSY, viewpoint))


@pytest.mark.parametrize("viewpoint", ["public", "seat:2", "seat:6", "omniscient"])
def test_the_hand_of_the_notes_like_an_observer_that_is_run_anew(viewpoint: str) -> None:
    assert_like_the_slow_twin(read(hand(GOLDEN), viewpoint))


@pytest.mark.parametrize("viewpoint", ["public", "seat:1", "seat:3"])
def test_two_known_downcards_of_three_like_an_observer_that_is_run_anew(viewpoint: str) -> None:
    """The reference follows the read of a third downcard that nobody saw."""
    analysis = read(hand(PARTLY_SEEN), viewpoint)
    assert [s.omniscience for s in analysis.stages if s.stage[0] == "7"] == ["partial"] * 2
    assert_like_the_slow_twin(analysis)


def test_the_reference_ends_when_the_last_known_hand_folds() -> None:
    known = hand(GOLDEN)
    hidden = replace(
        known,
        events=tuple(
            without_downcards(event) if isinstance(event, Deal) and event.seat != 5 else event
            for event in known.events
        ),
    )
    analysis = read(hidden)
    assert list(analysis.replay.downcards) == [5]
    with_reference = [m.omniscient is not None for m in timeline_points(analysis)]
    fold = [m.action is not None and m.action.decision.seat == 5 for m in timeline_points(analysis)]
    assert with_reference == [i < fold.index(True) for i in range(len(fold))]


# Stages, and what a moment is


def assert_whole(analysis: Analysis) -> None:
    """Chances sum to 1 over those in, stages are the analysis', and no moment is missing."""
    found = timeline_points(analysis)
    stages = {stage.stage: stage for stage in analysis.stages}
    seen = {moment.stage for moment in found} - {None}
    after_bets = {
        f"{s.number}B" for s in analysis.replay.streets if s.finished and s.decisions
    } & stages.keys()
    assert seen == {name for name in stages if name[1] == "D"} | after_bets
    for moment in found:
        assert moment.active == moment.table.active
        for chances in (moment.cards_only, moment.bet_inference, moment.omniscient):
            if chances is not None:
                assert tuple(chances) == moment.active
                assert sum(chances.values()) == pytest.approx(1.0)
        if moment.stage is not None:
            stage = stages[moment.stage]
            for figure in ("cards_only", "bet_inference", "omniscient"):
                assert getattr(moment, figure) == getattr(stage, figure)
            assert moment.table.pot == stage.pot
            for seat, mine in {**stage.seats, **stage.folded}.items():
                assert same(moment.reads[seat], mine)
    assert_counted(analysis, found)


def assert_counted(analysis: Analysis, found: tuple[TimelinePoint, ...]) -> None:
    """The kinds of moments, in order and in number."""
    assert [m.action for m in found if m.kind == ACTION] == list(analysis.actions)
    deals = [stage.stage for stage in analysis.stages if stage.stage[1] == "D"]
    assert [moment.stage for moment in found if moment.kind == DEAL] == deals
    forced = len(wagers(analysis.replay.moves, Action.BRING_IN))
    assert sum(moment.kind == BRING_IN for moment in found) == (forced if deals else 0)
    ended = analysis.complete and analysis.replay.played_out and bool(deals)
    assert [i for i, m in enumerate(found) if m.kind == END] == [len(found) - 1] * ended


def same(a: SeatRead, b: SeatRead) -> bool:
    """Whether two reads believe the same."""
    return (
        (a.seat, a.up, a.holding) == (b.seat, b.up, b.holding)
        and np.array_equal(a.pdd, b.pdd)
        and np.array_equal(a.cards_only_pdd, b.cards_only_pdd)
        and np.array_equal(a.first_two, b.first_two)
        and np.allclose(a.htpd, b.htpd, rtol=0, atol=1e-12)
    )


@pytest.mark.laws
@given(legal_hands(), seeds())
@examples(5)
def test_moments_of_whole_hands(history: History, rng: Random) -> None:
    played = replay(half_hidden(history, rng))
    assert_whole(analyze_replay(played, TIPSY, rng.choice(viewpoints(played))))


@pytest.mark.parametrize("bad", [False, True])
def test_the_pot_of_a_deal_is_without_the_part_of_an_ante_that_nobody_matches(bad: bool) -> None:
    history = random_hand(309, 2, deepest=4)
    analysis = read(spoilt(history, Random(3)) if bad else history)
    assert (analysis.replay.paid, analysis.stages[0].pot) == ({2: 12, 3: 12}, 24)
    assert_whole(analysis)


@pytest.mark.laws
@given(bad_hands())
@examples(5)
def test_moments_of_what_is_left_of_a_bad_record(history: History) -> None:
    assert_whole(read(history))


@pytest.mark.parametrize(
    "name", ["hi-lo", "razz", "five-card", "eight-players", "stops-in-the-middle"]
)
def test_moments_of_the_samples(name: str) -> None:
    assert_whole(read(next(logged(SAMPLES / f"{name}.stud"))))


def test_moments_where_no_hand_of_the_policy_plays_so() -> None:
    analysis = analyze_replay(replay(hand(WALKED_OFF)), DEFAULT)
    assert not all(action.explained for action in analysis.actions)
    assert_whole(analysis)


def test_an_upcard_that_was_not_seen_ends_the_moments_with_the_analysis() -> None:
    analysis = read(hand(GOLDEN.replace("1=Js", "1=??")))
    assert not analysis.complete
    found = timeline_points(analysis)
    assert (found[-1].stage, found[-1].street) == ("4B", 4)
    assert_counted(analysis, found)


def test_no_stage_no_moment() -> None:
    assert timeline_points(read(hand("1a 2a\n 3: 1=7c.Qs/7h"))) == ()


def test_the_moments_of_the_golden_hand() -> None:
    found = timeline_points(golden())
    assert [m.kind for m in found].count(DEAL) == 5
    assert [m.stage for m in found if m.stage] == [s.stage for s in golden().stages]
    assert [m.table.pot for m in found[:5]] == [175, 200, 200, 200, 300]
    assert found[-1].table.pot == 2400
    assert found[2].reads[6] is found[-1].reads[6]  # who folds first is read no more
    assert [m.line for m in found if m.kind == DEAL] == [2, 4, 5, 6, 7]


@pytest.mark.parametrize("seat", [1, 2, 5, 6])
def test_public_reads_of_a_seat_are_those_of_the_moments_of_its_actions(seat: int) -> None:
    moments = [point for point in timeline_points(golden()) if point.kind in (ACTION, BRING_IN)]
    mine = [m for m in moments if m.action and m.action.decision.seat == seat]
    found = list(public_reads(golden(), seat))
    assert [action for action, _ in found] == [m.action for m in mine]
    for (_, read), moment in zip(found, mine, strict=True):
        if seat in moment.reads:  # it has not folded
            assert dict(read.kinds(9)) == pytest.approx(dict(moment.reads[seat].kinds(9)))


# Viewpoints


@pytest.mark.laws
@pytest.mark.parametrize("stakes", STAKES, ids=["saund", "room"])
@given(data=st.data(), rng=seeds())
@examples(2)
def test_what_a_viewpoint_knows_is_certain_and_what_it_told_is_public(
    stakes: Stakes, data: st.DataObject, rng: Random
) -> None:
    played = replay(data.draw(legal_hands([stakes])))
    viewpoint = rng.choice(viewpoints(played)[1:])
    mine = analyze_replay(played, TIPSY, viewpoint)
    public = analyze_replay(played, TIPSY)
    known = {n for n in played.downcards if viewpoint in ("omniscient", f"seat:{n}")}
    for seen, table in zip(timeline_points(mine), timeline_points(public), strict=True):
        assert seen.table == table.table
        assert seen.table_reads.keys() == known & table.reads.keys()
        assert table.table_reads == {}
        for seat in seen.table_reads:
            assert seen.reads[seat].pdd.max() == 1.0
            assert seen.reads[seat].truth is not None
            assert seen.reads[seat].truth.probability == 1.0  # type: ignore[union-attr]
            assert same(seen.table_reads[seat], table.reads[seat])
            assert seen.table_reads[seat].news_bits == pytest.approx(
                _public_news(table, seat), abs=1e-12
            )
    for own, told in zip(mine.actions, public.actions, strict=True):
        assert (own.table_bits, own.table_truth_bits) == (told.information_bits, told.truth_bits)
        assert (told.table_bits, told.table_truth_bits) == (told.information_bits, told.truth_bits)
        if own.decision.seat in known:
            assert own.information_bits == 0.0


def _public_news(moment: TimelinePoint, seat: int) -> float:
    return moment.reads[seat].news_bits


# Tables


def assert_ends_as_the_replay(played: Replay) -> None:
    """The last of the tables has the chips and the pot of the replay."""
    steps = played.steps
    if not steps:
        return
    assert [step.after for step in steps[:-1]] == [step.before for step in steps[1:]]
    assert [step.decision for step in steps if step.decision] == list(played.decisions)
    last = steps[-1].after
    assert last.pot == played.pot
    assert {p.seat: p.paid for p in last.players if p.dealt_in} == dict(played.paid)
    assert {
        p.seat: None if p.stack is None else p.stack + played.won.get(p.seat, 0)
        for p in last.players
    } == dict(played.stacks)
    for event, _, table, _ in steps:
        if isinstance(event, Wager) and event.action not in (Action.FOLD, Action.BRING_IN):
            assert event.seat in table.active
        elif isinstance(event, Wager) and event.action is Action.FOLD:
            assert event.seat not in table.active


@pytest.mark.laws
@given(legal_hands())
@examples(60)
def test_tables_end_as_the_replay_does(history: History) -> None:
    played = replay(history)
    assert played.problem is None
    assert_ends_as_the_replay(played)


@pytest.mark.laws
@given(bad_hands(), seeds())
@examples(200)
def test_tables_of_what_is_left_of_a_bad_record(history: History, rng: Random) -> None:
    assert_ends_as_the_replay(replay(half_hidden(history, rng)))


def test_tables_of_real_hands(real_hands: Path) -> None:
    for path in sorted(path for path in real_hands.glob("*/*") if path.is_file()):
        for history in logged(path):
            assert_ends_as_the_replay(replay(history))


def test_the_seventh_card_that_all_share() -> None:
    played = replay(random_hand(343, 8))
    assert played.streets[-1].shared is not None
    assert_ends_as_the_replay(played)
    last = timeline_points(analyze_replay(played, TIPSY))[-1]
    assert last.table.shared == (played.streets[-1].shared,)


def test_the_table_tells_whose_turn_it_is() -> None:
    """After a deal the betting is open; whoever acts next was to act."""
    found = timeline_points(golden())
    for before, after in pairwise(found):
        if after.action is not None:
            assert before.table.actor == after.action.decision.seat
    assert found[0].table.actor == 5
    assert found[0].table.player(5).up == (parse_card("3h"),)
