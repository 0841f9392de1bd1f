"""Measures of reads against slow twins that go through every holding, and the laws they obey."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread import read_hands
from handread.arrays import Floats
from handread.cards import Card, rank_of
from handread.game.ranks import best_hand
from handread.game.replay import replay
from handread.game.rules import STAGES
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.stages import SeatRead, StageReading
from handread.odds.high_holdings import Kind
from handread.odds.holdings import kind_of
from handread.odds.htpd import TRIPLE_CARDS, holding_cards
from handread.policy import load_policy
from handread.report.evaluation import MEASURE_TITLES, evaluation_text
from handread.study.evaluation import evaluation
from handread.study.hand_sample import HandSample
from handread.study.measures import (
    BRIER_SCORES,
    MEASURES,
    OBSERVERS,
    TOPS,
    call_values,
    hits,
    mean_reciprocal_rank,
    seat_measures,
)
from handread.study.scores import (
    EVENTS,
    FIGURES,
    KINDS,
    PLACES,
    HandScores,
    final_ranks,
    hand_scores,
)
from handread.study.statistics import BINS, Estimate
from tests.examples import examples
from tests.study.evaluated import bins, reads, scored

SIDE_POT = Path(__file__).parents[2] / "sample_histories" / "side-pot.stud"


def still_in(policy: str, stage: str) -> list[SeatRead]:
    """The reads of the players still in at a stage."""
    stages = [s for read in reads(policy) for s in read.stages if s.stage == stage]
    return [seat for s in stages if len(s.active) > 1 for seat in s.seats.values()]


# One seat


def plain_reciprocal_rank(chances: list[float], true: int) -> float:
    """The mean over all orders of the holdings that sort them by chance."""
    places = [
        order.index(true) + 1
        for order in permutations(range(len(chances)))
        if all(chances[a] >= chances[b] for a, b in pairwise(order))
    ]
    return mean(1 / place for place in places)


def plain_hit(chances: list[float], true: int, top: int) -> float:
    """The part of these orders in which the truth is among the first ``top``."""
    return mean(
        float(true in order[:top])
        for order in permutations(range(len(chances)))
        if all(chances[a] >= chances[b] for a, b in pairwise(order))
    )


SMALL = st.lists(st.integers(0, 3), min_size=1, max_size=6)


@examples(60)
@given(SMALL, st.integers(0, 5))
def test_ties_count_as_in_all_their_orders(counts: list[int], at: int) -> None:
    true = at % len(counts)
    chances = [float(n) for n in counts]
    better = sum(p > chances[true] for p in chances)
    equal = chances.count(chances[true])
    expected = plain_reciprocal_rank(chances, true)
    assert mean_reciprocal_rank(better, equal, len(chances)) == pytest.approx(expected)
    found = hits(np.array([[1.0] * len(chances), chances]), true)
    assert found.shape == (len(TOPS), len(OBSERVERS))
    for row, top in zip(found, TOPS, strict=True):
        assert row[0] == pytest.approx(min(1.0, top / len(chances)))
        assert row[1] == pytest.approx(plain_hit(chances, true, top))


def test_a_blind_guess_has_the_harmonic_floor() -> None:
    for n in (1, 2, 10, 903):
        assert mean_reciprocal_rank(0, n, n) == pytest.approx(
            sum(1 / k for k in range(1, n + 1)) / n
        )
        # The truth is anywhere with equal probability in any order: the mean is that floor too.
        anywhere = mean(mean_reciprocal_rank(place, 1, n) for place in range(n))
        assert anywhere == pytest.approx(mean_reciprocal_rank(0, n, n))


def test_what_is_impossible_takes_no_place() -> None:
    found = hits(np.array([[0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]), 1)
    assert found[0].tolist() == [0.5, 0.0]
    assert found[1].tolist() == [1.0, 1.0]


def holdings_with(read: SeatRead, pdd: Floats) -> Iterator[tuple[list[Card], float]]:
    """Each holding that the cards leave possible, with its probability."""
    for index in np.flatnonzero(read.cards_only_pdd):
        yield holding_cards(pdd.size)[index].tolist(), float(pdd[index])


def holds_ace(down: list[Card], _up: tuple[Card, ...]) -> bool:
    return "A" in {"23456789TJQKA"[rank_of(card)] for card in down}


def holds_pair(down: list[Card], up: tuple[Card, ...]) -> bool:
    ranks = [rank_of(card) for card in (*down, *up)]
    return any(ranks.count(rank_of(card)) > 1 for card in down)


@cache
def kind_held(down: tuple[Card, ...], up: tuple[Card, ...]) -> Kind:
    return kind_of(down, up)


def plain_brier(
    read: SeatRead, pdd: Floats, event: Callable[[list[Card], tuple[Card, ...]], bool]
) -> float:
    chance = math.fsum(p for down, p in holdings_with(read, pdd) if event(down, read.up))
    return (chance - event(list(read.truth.downcards), read.up)) ** 2


def plain_hits(read: SeatRead, pdd: Floats, family: bool) -> list[float]:
    """The hits, with the probability of each kind as the sum over its holdings or final hands."""
    chances: dict[str, float] = {}
    for down, p in holdings_with(read, pdd):
        kind = kind_held(tuple(down), read.up)
        name = kind.family if family else str(kind)
        chances[name] = chances.get(name, 0.0) + p
    kind = kind_of(read.truth.downcards, read.up)
    mark = chances[kind.family if family else str(kind)]
    better = sum(p > mark * (1 + 1e-9) for p in chances.values())
    equal = sum(abs(p - mark) <= mark * 1e-9 for p in chances.values())
    return [min(1.0, max(0.0, (top - better) / equal)) for top in TOPS]


@pytest.mark.thorough
@pytest.mark.parametrize("stage", ["3B", "6B", "7B"])
def test_measures_of_seats_are_those_of_their_twins(stage: str) -> None:
    for read in still_in("loose", stage)[:2]:
        check_against_twins(read)


def check_against_twins(read: SeatRead) -> None:
    values = seat_measures(read, read.truth).values
    found = dict(zip(MEASURES, values, strict=True))
    for who, pdd in enumerate((read.cards_only_pdd, read.pdd)):
        assert found["brier_ace"][who] == pytest.approx(plain_brier(read, pdd, holds_ace))
        assert found["brier_pair"][who] == pytest.approx(plain_brier(read, pdd, holds_pair))
        for what in ("kind", "family"):
            expected = plain_hits(read, pdd, what == "family")
            rates = [found[f"{what}_in_top_{top}"][who] for top in TOPS]
            assert rates == pytest.approx(expected)
    true = read.pdd[list(map(tuple, holding_cards(read.pdd.size))).index(held(read))]
    possible = read.pdd[read.cards_only_pdd > 0]
    places = np.arange((possible > true).sum(), (possible >= true).sum()) + 1
    assert found["reciprocal_rank"][1] == pytest.approx((1 / places).mean())
    n = possible.size
    assert found["reciprocal_rank"][0] == pytest.approx(sum(1 / k for k in range(1, n + 1)) / n)


def held(read: SeatRead) -> tuple[int, ...]:
    """The true downcards in the order of the table of holdings."""
    table = holding_cards(read.pdd.size)
    descending = bool(table[0][0] > table[0][-1])
    return tuple(sorted(read.truth.downcards, reverse=descending))


# Many hands


@pytest.mark.parametrize("policy", ["loose", "default"])
@pytest.mark.parametrize("stage", ["3B", "7B"])
def test_figures_are_plain_averages(policy: str, stage: str) -> None:
    seats = still_in(policy, stage)
    found = scored(policy)
    values = [seat_measures(read, read.truth).values for read in seats]
    averages = np.mean(values, axis=0)
    for measure, (cards_only, bets) in zip(MEASURES, averages, strict=True):
        figures = [found.at(f"{measure}_{of}", stage, "active") for of in (*OBSERVERS, "gain")]
        assert [figure.n for figure in figures] == [len(seats)] * 3
        gain = cards_only - bets if measure in BRIER_SCORES else bets - cards_only
        means = [figure.mean for figure in figures]
        assert means == pytest.approx([cards_only, bets, gain], abs=1e-12)
        assert all(figure.low <= figure.mean <= figure.high for figure in figures)
    bits = found.at("bits_on_truth_floored", stage, "active")
    ratio = found.at("true_state_ratio_floored", stage, "active")
    assert [ratio.mean, ratio.low] == pytest.approx([2**bits.mean, 2**bits.low])
    best = mean(math.log2(read.truth.live) for read in seats)
    share = found.at("share_of_oracle_bits_floored", stage, "active")
    assert share.mean == pytest.approx(bits.mean / best)


def test_a_read_of_the_cards_alone_gains_nothing() -> None:
    found = scored("uniform")
    gains = [key for key in found.figures if key.figure.endswith("_gain")]
    assert len(gains) > len(STAGES) * len(MEASURES)
    for key in gains:
        figure = found.figures[key]
        for value in (figure.mean, figure.low, figure.high):
            assert value == pytest.approx(0.0, abs=1e-9)
    for stage in STAGES:
        assert found.at("bits_on_truth", stage, "everybody").mean == pytest.approx(0.0, abs=1e-9)
        rank = found.at("rank_share_of_truth", stage, "everybody")
        assert rank.mean == pytest.approx(0.5, abs=1e-9)
        for what in ("kl", "outcome"):
            gain = found.at(f"{what}_gain_bits", stage, "table")
            assert gain.n
            assert gain.mean == pytest.approx(0.0, abs=1e-9)
        assert found.at("true_state_ratio", stage, "active").mean == pytest.approx(1.0)
        for name, group in (
            ("share_of_oracle_bits", "active"),
            ("kl_share_of_oracle_gain", "table"),
        ):
            assert found.at(name, stage, group).mean == pytest.approx(0.0, abs=1e-9)


def test_the_share_of_the_gain_is_that_of_the_sums() -> None:
    for stage in STAGES:
        stages = [s for read in reads() for s in read.stages if s.stage == stage]
        pairs = [s.kl_bits for s in stages if len(s.active) > 1]
        cards_only, bets = np.sum(pairs, axis=0)
        found = scored().at("kl_share_of_oracle_gain", stage, "table")
        assert found.mean == pytest.approx((cards_only - bets) / cards_only)
        assert found.low <= found.mean <= found.high


# Last calls


def plain_chances(read: Analysis, seat: int, rival: int, pdds: list[Floats]) -> list[float]:
    """The chances to win against one rival, who holds no card of the seat, triple by triple."""
    up = read.replay.streets[-1].upcards
    down = read.replay.downcards_on(7)
    mine = best_hand([card for card in (*down[seat], *up[seat]) if card is not None])
    theirs = [card for card in up[rival] if card is not None]
    won, total = np.zeros(2), np.zeros(2)
    for index in np.flatnonzero(pdds[0]).tolist():
        triple = [Card(card) for card in TRIPLE_CARDS[index].tolist()]
        if set(triple) & set(down[seat]):
            continue
        other = best_hand([*triple, *theirs])
        chance = np.array([pdd[index] for pdd in pdds])
        total += chance
        won += chance * (0.5 if mine == other else float(mine > other))
    return (won / total).tolist()


def plain_calls(read: Analysis) -> Iterator[list[float]]:
    """The chips of the three readers at the last calls of two players, in bets."""
    played = read.replay
    for step in played.steps:
        one = step.decision
        if one is None or one.street != 7 or one.to_call == 0 or len(one.active) != 2:
            continue
        rival = next(seat for seat in one.active if seat != one.seat)
        if rival in [seat for seat in step.before.queue if seat != one.seat]:
            continue
        street = read.observed[-1]
        before = [u for u in street.updates if u.decision.n < one.n and u.decision.seat == rival]
        pdds = [street.dealt.hands[rival].uniform, before[-1].after]
        ranks = final_ranks(played)
        share = 0.5 if ranks[one.seat] == ranks[rival] else float(ranks[one.seat] > ranks[rival])
        won = share * (one.pot + one.to_call) - one.to_call
        chances = plain_chances(read, one.seat, rival, pdds)
        calls = [chance * (one.pot + one.to_call) > one.to_call for chance in chances]
        yield [call * won / 200 for call in (*calls, won > 0)]


@pytest.mark.thorough
def test_last_calls_are_those_of_their_twin() -> None:
    twins, found = [], []
    for read in reads():
        street = read.observed[-1].dealt.street
        twins += list(plain_calls(read)) if street == 7 else []
        calls = call_values(read, final_ranks(read.replay))
        found += [list(call) for call, n in zip(calls, last_callers(read), strict=True) if n == 2]
    assert len(found) >= 3
    assert found == [pytest.approx(twin) for twin in twins]


def last_callers(read: Analysis) -> list[int]:
    """The number of players at each last call."""
    steps = [step for step in read.replay.steps if step.decision and step.decision.street == 7]
    return [
        len(step.decision.active)
        for step in steps
        if step.decision and step.decision.to_call and len(step.before.queue) == 1
    ]


def test_the_share_of_the_chips_is_that_of_the_sums() -> None:
    calls = [call for read in reads() for call in call_values(read, final_ranks(read.replay))]
    cards_only, bets, oracle = np.array(calls).sum(axis=0)
    found = scored().at("chip_share_of_oracle_gain", group="table")
    assert found.n == len(calls)
    assert found.mean == pytest.approx((bets - cards_only) / (oracle - cards_only))
    assert scored().at("call_gain_bets", group="table").mean == pytest.approx(
        (bets - cards_only) / len(calls)
    )
    assert all(max(call) == call.oracle for call in calls)
    # By the cards alone nothing is gained, and hands scored for some seats have no last calls.
    assert scored("uniform").at("chip_share_of_oracle_gain", group="table").mean == 0.0
    some = evaluation([hand_scores(read, [1, 2]) for read in reads()[:5]], "loose", "split", 100)
    assert not some.at("call_gain_bets", group="table").n


def test_calls_beside_an_all_in_are_left_out() -> None:
    """What a call wins then depends on side pots."""
    [history] = read_hands(SIDE_POT)
    played = replay(history)
    read, ranks = analyze_replay(played, load_policy("loose")), final_ranks(played)
    assert last_callers(read) == [3, 3]
    assert ranks.keys() == {1, 3, 5}
    assert not list(call_values(read, ranks))


# Calibration


def made_up(bins: list[tuple[int, float, float]], kind: str = EVENTS[2]) -> HandScores:
    """A hand with so many events of a bin, their excess for the cards alone and for the read."""
    sums = np.zeros((len(FIGURES), 3))
    for place, (n, *excesses) in enumerate(bins):
        for who, excess in zip(OBSERVERS, excesses, strict=True):
            sums[PLACES[kind, "4B", str(place), who]] = (n, excess, 0.0)
    return HandScores.from_sums(sums, (0, 0, 0))


def errors_of(hands: list[HandScores], resamples: int = 300) -> dict[str, Estimate]:
    return HandSample(hands, resamples, 1).calibration_errors(EVENTS[2], ["4B"])


def test_a_calibrated_read_has_no_error() -> None:
    found = errors_of([made_up([(10, 0.0, 0.0), (4, 1.0, 0.0)]) for _ in range(20)])
    assert found["bet_inference"].mean == found["bet_inference"].high == 0.0
    assert found["cards_only"].mean == pytest.approx(1 / 14)
    assert found["gain"].mean == pytest.approx(1 / 14)


@pytest.mark.thorough
def test_the_interval_allows_for_the_size_of_the_sample() -> None:
    """Of calibrated events the error is too large, but the interval holds 0 nearly always."""
    rng = np.random.default_rng(4)
    holds, means = 0, []
    for _ in range(100):
        hands = []
        for _ in range(40):
            chance = rng.uniform(0, 1, 3)
            excess = (rng.uniform(0, 1, 3) < chance) - chance
            bins = [(chance * BINS).astype(int) == place for place in range(BINS)]
            hands.append(made_up([(int(b.sum()), float(excess[b].sum()), 0.0) for b in bins]))
        found = errors_of(hands, 100)["cards_only"]
        holds += found.low == 0.0 < found.high
        means.append(found.mean)
    assert mean(means) > 0.05
    assert holds >= 90


def test_the_interval_of_a_wrong_read_does_not_reach_0() -> None:
    hands = [made_up([(3, 1.0 + wave % 2, 0.0)]) for wave in range(40)]
    found = errors_of(hands)["cards_only"]
    assert found.mean == pytest.approx(0.5)
    assert 0.3 < found.low < found.mean < found.high < 0.7


def plain_events(stage: StageReading, read: Analysis, who: int) -> Iterator[tuple[float, bool]]:
    """The families of all seats at a stage, with their chances."""
    for seat in stage.seats.values():
        true = kind_of(seat.truth.downcards, seat.up).family
        for family, chances in seat.families().items():
            if chances.cards_only > 0.0 or family == true:
                yield chances[1 - who], family == true


@pytest.mark.thorough
@pytest.mark.parametrize("policy", ["loose", "default"])
def test_calibration_errors_are_those_of_a_plain_loop(policy: str) -> None:
    for stage in (*STAGES[1::3], ""):
        for who, observer in enumerate(OBSERVERS):
            events = [
                event
                for read in reads(policy)
                for s in read.stages
                if s.stage == (stage or s.stage) and len(s.active) > 1
                for event in plain_events(s, read, who)
            ]
            error = 0.0
            for place in range(BINS):
                found = [(p, y) for p, y in events if min(int(p * BINS), BINS - 1) == place]
                error += abs(sum(p for p, _ in found) - sum(y for _, y in found))
            key = (f"calibration_error_{observer}", stage, EVENTS[2], "calibration error")
            assert scored(policy).at(*key).n == len(events)
            assert scored(policy).at(*key).mean == pytest.approx(error / len(events))


def test_calibration_errors_agree_with_the_reliability_tables() -> None:
    found = scored()
    for kind in KINDS:
        n = sum(chance.n for chance, _ in bins(found, kind))
        error = sum(c.n * abs(c.mean - true.mean) for c, true in bins(found, kind)) / n
        figure = found.at("calibration_error_bet_inference", "", kind, "calibration error")
        assert figure.mean * figure.n == pytest.approx(error * n)


def test_on_request_the_text_has_all_measures() -> None:
    short, long = evaluation_text(scored()), evaluation_text(scored(), every_measure=True)
    assert set(MEASURE_TITLES) == set(MEASURES)
    share = scored().at("chip_share_of_oracle_gain", group="table")
    row = next(line.split() for line in long.splitlines() if line.startswith("  last calls"))
    assert row[2] == str(share.n)
    for title in ("Last calls", *MEASURE_TITLES.values()):
        assert title not in short
        assert title in long
    assert max(map(len, long.splitlines())) <= 80
    assert "nan" not in long
