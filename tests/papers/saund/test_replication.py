"""The experiments: sums against plain averages, figures against games worked by hand."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pytest
from scipy.stats import t as student

from handread.game.rules import STAGES
from handread.inference.hand_analysis import Analysis
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.papers.saund.figure import RATE_FIGURES
from handread.papers.saund.replication import (
    WinRates,
    entropy_path,
    gain_rows,
    information_gain,
    win_rates,
)
from handread.parallel import RunError
from handread.policy import load_policy
from handread.runs import Run
from handread.simulate import Setup, play_game, read_games
from handread.study import calibration as calibrated
from handread.study.information_gain import GAIN_FIGURES, InformationGain, gain_table
from handread.study.scores import KINDS
from handread.study.statistics import Estimate, Moments
from handread.study.sums import Sums, keep_sums
from handread.typed import packed, unpacked
from tests.papers.tables import table
from tests.study.evaluated import bins

LOOSE = load_policy("loose")
TABLE = table("loose", 4, ties="paper")
MIXED = PlayerModels(Model(LOOSE), {2: Model(LOOSE, CARDS_ONLY)})
SOME = 24
NET = RATE_FIGURES[-1]


@cache
def readings() -> list[Analysis]:
    return [read for _, read in read_games(TABLE, 4, range(SOME))]


def test_moments_are_means_and_their_errors() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(50, 3)) * 3 + 1
    all_, first, second = (Moments.none(3) for _ in range(3))
    for i, row in enumerate(values):
        all_.add(row)
        (first if i < 20 else second).add(row)
    first.merge(unpacked(Moments, packed(second)))
    weights = np.array([1.0, -2.0, 0.5])
    for moments in (all_, first):
        found = moments.mean(weights)
        assert found.mean == pytest.approx(mean(values @ weights))
        assert found.error == pytest.approx(stdev(values @ weights) / math.sqrt(50))


def test_the_error_of_a_ratio_is_that_of_many_trials() -> None:
    rng = np.random.default_rng(2)
    ratios, errors = [], []
    for _ in range(300):
        moments = Moments.none(2)
        for below in rng.exponential(2.0, 60):
            moments.add((0.3 * below + 0.2 * rng.normal(), below))
        found = moments.ratio(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
        ratios.append(found.mean)
        errors.append(found.error)
    assert mean(ratios) == pytest.approx(0.3, abs=0.005)
    assert mean(errors) == pytest.approx(stdev(ratios), rel=0.15)


@pytest.mark.parametrize("n", [5, 6, 20, 200])
def test_the_interval_of_a_ratio_written_out(n: int) -> None:
    rng = np.random.default_rng(n)
    over, under = rng.normal(1.0, 1.0, n), rng.exponential(1.0, n)
    found = Moments.of(np.stack([over, under], axis=1)).ratio(*np.eye(2))
    ratio = sum(over) / sum(under)
    apart = [(a - ratio * b) ** 2 for a, b in zip(over, under, strict=True)]
    error = math.sqrt(sum(apart) * n / (n - 1)) / sum(under)
    equal = math.floor(sum(under) ** 2 / sum(b * b for b in under))
    reach = student.ppf(0.975, max(1, equal - 1)) * error
    assert (found.mean, found.error) == pytest.approx((ratio, error))
    assert (found.low, found.high) == pytest.approx((ratio - reach, ratio + reach), rel=1e-6)
    # Equal weights make a mean of it.
    mean_of = Moments.of(np.stack([over, np.full(n, 2.0)], axis=1))
    half, plain = mean_of.ratio(*np.eye(2)), mean_of.mean(np.array([0.5, 0.0]))
    assert (half.low, half.high) == pytest.approx((plain.low, plain.high))


def test_few_games_have_no_interval() -> None:
    few = Moments.of(np.array([(1.0, 2.0), (2.0, 3.0), (0.5, 1.0), (1.0, 1.0)]))
    for found in (few.ratio(*np.eye(2)), few.mean(np.eye(2)[0])):
        assert math.isfinite(found.error)
        assert math.isnan(found.low)
        assert math.isnan(found.high)


@cache
def gain() -> InformationGain:
    return information_gain(TABLE, SOME, Run(4))


def seats(rates: WinRates, figure: str) -> list[Estimate]:
    return [rates.at(figure, "", group, "seat") for group in rates.groups("seat")]


def kinds(rates: WinRates, figure: str) -> list[Estimate]:
    return [rates.at(figure, "", group, "kind") for group in rates.groups("kind")]


def test_the_gain_is_the_average_over_games_with_two_active() -> None:
    found = gain()
    assert found.games == SOME
    for name in STAGES:
        live = [
            stage
            for read in readings()
            for stage in read.stages
            if stage.stage == name and len(stage.active) > 1
        ]
        log2_n, entropy, cards_only, bet_inference, fraction = (
            found.at(figure, name) for figure in GAIN_FIGURES
        )
        assert (log2_n.n, log2_n.infinite) == (len(live), 0)
        assert log2_n.mean == pytest.approx(mean(math.log2(len(s.active)) for s in live))
        assert entropy.mean == pytest.approx(mean(s.entropy_bits or 0.0 for s in live))
        cards, bets = zip(*(s.kl_bits for s in live), strict=True)
        assert cards_only.mean == pytest.approx(mean(cards))
        assert bet_inference.mean == pytest.approx(mean(bets))
        assert fraction.mean == pytest.approx(1 - mean(bets) / mean(cards))
        assert cards_only.error == pytest.approx(stdev(cards) / math.sqrt(len(live)))


def test_before_any_bet_both_observers_know_the_same() -> None:
    first = gain().at("gain_fraction", "3D")
    assert first.mean == pytest.approx(0.0, abs=1e-12)
    assert first.n == SOME
    assert gain().at("entropy_bits", "7B").mean < 0.2  # nothing is open on 7th street but ties


def test_an_entropy_path_ends_with_the_last_two_players() -> None:
    for read in readings():
        path = entropy_path(read)
        live = [stage.stage for stage in read.stages if len(stage.active) > 1]
        assert list(path) == live
        assert all(0 <= bits <= math.log2(4) + 1e-9 for bits in path.values())


def results(setup: Setup, seed: int, number: int) -> tuple[dict[int, float], dict[int, float]]:
    """Put in and won, in small bets, the uncalled bet on both sides: chip by chip."""
    played = play_game(setup, seed, number).replay
    put_in = dict.fromkeys(played.paid, setup.stakes.ante)
    for move in played.moves:
        if getattr(move, "action", "") == "bring-in":
            put_in[move.seat] += move.adds
    for decision in played.decisions:
        put_in[decision.seat] += decision.amount
    gained = {seat: -put_in[seat] for seat in put_in}
    for seat, chips in played.won.items():
        gained[seat] += chips
    if played.returned:
        gained[played.returned[0]] += played.returned[1]
    won = {seat: (gained[seat] + put_in[seat]) / 100 for seat in put_in}
    return {seat: chips / 100 for seat, chips in put_in.items()}, won


@pytest.mark.dear("games enough for a rate")
def test_rates_are_chips_a_hand() -> None:
    setup = replace(TABLE, players=MIXED)
    rates = win_rates(setup, SOME, run=Run(4))
    assert (rates.deals, rates.games) == (SOME, SOME)
    hands = [results(setup, 4, number) for number in range(SOME)]
    for place, group in enumerate(rates.groups("seat"), 1):
        put_in, gained, netted = (rates.at(name, "", group, "seat") for name in RATE_FIGURES)
        assert put_in.mean == pytest.approx(mean(put[place] for put, _ in hands))
        assert gained.mean == pytest.approx(mean(won[place] for _, won in hands))
        net = [won[place] - put[place] for put, won in hands]
        assert netted.mean == pytest.approx(mean(net))
        assert netted.error == pytest.approx(stdev(net) / math.sqrt(SOME))
    assert rates.groups("kind") == ["bet-inference", "cards-only"]
    readers, blind = kinds(rates, NET)
    assert blind.mean == pytest.approx(seats(rates, NET)[1].mean)
    assert 3 * readers.mean + blind.mean == pytest.approx(0.0, abs=1e-12)


def test_in_duplicate_deals_like_players_come_out_even() -> None:
    """Players who play alike get the same cards in turn, and net nothing in the end."""
    rates = win_rates(TABLE, 6, duplicate=True, run=Run(4))
    assert (rates.deals, rates.games) == (6, 24)
    for net in seats(rates, NET):
        assert net.mean == pytest.approx(0.0, abs=1e-12)
        assert net.error == pytest.approx(0.0, abs=1e-9)


@pytest.mark.dear("games in every rotation of their players")
def test_a_rotation_moves_the_players_and_not_the_cards() -> None:
    setup = replace(TABLE, players=MIXED)
    rates = win_rates(setup, 8, duplicate=True, run=Run(4))
    nets = []
    for number in range(8):
        by_turn = []
        for turn in range(4):
            seat = 1 + (1 + turn) % 4  # where the player of seat 2 sits
            players = PlayerModels(Model(LOOSE), {seat: Model(LOOSE, CARDS_ONLY)})
            put_in, won = results(replace(TABLE, players=players), 4, number)
            by_turn.append(won[seat] - put_in[seat])
        nets.append(mean(by_turn))
    assert seats(rates, NET)[1].mean == pytest.approx(mean(nets))
    assert seats(rates, NET)[1].error == pytest.approx(stdev(nets) / math.sqrt(8))
    assert seats(rates, "precision")[1].mean > 0


@pytest.mark.dear("games enough to hold chances against what came")
def test_the_observers_chances_come_true() -> None:
    """Of what it gives 30%, 30% happens: within 4 standard errors in every bin of 30 events.

    A whole table of bins: by chance one of about 16 bins is off by that much once in 1,000 runs.
    """
    # Of a policy that bets on what it holds, so that bets tell something.
    table_of_bins = calibrated.calibration(table("default", 5), 160, Run(8))
    found = [pair for kind in KINDS for pair in bins(table_of_bins, kind) if pair[0].n >= 30]
    assert len(found) >= 12
    for chance, happened in found:
        assert abs(happened.mean - chance.mean) < 4 * happened.error + 0.005


def test_calibration_counts_every_event() -> None:
    found = calibrated.calibration(TABLE, SOME, Run(4))
    live = [s for read in readings() for s in read.stages if len(s.active) > 1]
    wins, categories = (bins(found, kind) for kind in KINDS)
    assert sum(chance.n for chance, _ in wins) == sum(len(stage.active) for stage in live)
    assert sum(chance.n for chance, _ in categories) == sum(
        chance > 0
        for stage in live
        for seat in stage.active
        for chance in stage.seats[seat].categories()
    )
    assert sum(happened.mean * happened.n for _, happened in wins) == pytest.approx(len(live))


def test_kinds_of_one_name_are_told_apart() -> None:
    """Two policies may bear the same name; what is compared must not become one."""
    shy = replace(LOOSE, bet=replace(LOOSE.bet, y0=0.1))
    setup = replace(TABLE, players=PlayerModels(Model(LOOSE), {2: Model(shy)}))
    rates = win_rates(setup, 3, run=Run(4))
    groups = [f"{label}, bet-inference" for label in ("loose (1, 3, 4)", "loose (2)")]
    assert rates.groups("kind") == groups
    assert kinds(rates, NET)[1].mean == pytest.approx(seats(rates, NET)[1].mean)


def test_eight_players_cannot_be_calibrated() -> None:
    with pytest.raises(ValueError, match="7 players at most"):
        calibrated.calibration(table("loose", 8), 1)


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    part = tmp_path / "000000000-50"
    keep_sums(partial(gain_rows, TABLE, 4), range(2), part)
    part.write_bytes(part.read_bytes()[:-40])
    with pytest.raises(RunError, match="000000000-50: this part does not fit this run"):
        Sums.load([part])


def test_the_interval_of_the_gain_covers_it_at_few_games() -> None:
    """Of skewed divergences: few reads are far off. The symmetric interval covers too seldom."""
    rng = np.random.default_rng(5)

    def games(n: int) -> tuple[np.ndarray, np.ndarray]:
        cards = 0.3 + rng.exponential(0.7, n)
        return cards, cards * rng.lognormal(-0.5, 0.7, n)

    cards, bets = games(400_000)
    gain = 1 - bets.mean() / cards.mean()
    trials, covered, missed_above = 1500, Counter[str](), Counter[str]()
    for _ in range(trials):
        sums = Sums()
        sums.games = 20
        moments = Moments.of(np.stack([np.ones(20), np.ones(20), *games(20)], axis=1))
        sums.merge("7B", moments)
        found = gain_table(sums, "").at("gain_fraction", "7B")
        reach = 1.96 * found.error
        for way, low, high in (
            ("symmetric", found.mean - reach, found.mean + reach),
            ("skewed", found.low, found.high),
        ):
            covered[way] += low <= gain <= high
            missed_above[way] += gain < low
    assert covered["skewed"] > covered["symmetric"]
    assert covered["skewed"] > 0.9 * trials
    assert missed_above["skewed"] < missed_above["symmetric"]
