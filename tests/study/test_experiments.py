"""The experiments: sums against plain averages, figures against games worked by hand."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pytest

from handread.game.rules import STAGES
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.inference.values import Analysis
from handread.parallel import RunError
from handread.policy import load_policy
from handread.report.experiments import (
    calibration_csv,
    calibration_text,
    gain_csv,
    gain_text,
    rates_csv,
    rates_text,
)
from handread.simulate import Setup, play_game, read_games, seated
from handread.study.calibration import (
    Calibration,
    CalibrationSums,
    calibration_table,
    measure_calibration,
)
from handread.study.replication import (
    RateSums,
    entropy_path,
    gain_table,
    measure_gain,
    measure_rates,
)
from handread.study.statistics import Moments

LOOSE = load_policy("loose")
ALL_LOOSE = PlayerModels(Model(LOOSE))
TABLE = Setup(ALL_LOOSE, seated(ALL_LOOSE, 4), ties="paper")
MIXED = PlayerModels(Model(LOOSE), {2: Model(LOOSE, CARDS_ONLY)})
SOME = 24


@cache
def readings() -> list[Analysis]:
    return [read for _, read in read_games(TABLE, 4, range(SOME))]


def test_moments_are_means_and_their_errors() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(50, 3)) * 3 + 1
    all_, first, second = Moments(3), Moments(3), Moments(3)
    for i, row in enumerate(values):
        all_.add(row)
        (first if i < 20 else second).add(row)
    first.merge(Moments.from_record(second.record()))
    weights = np.array([1.0, -2.0, 0.5])
    for moments in (all_, first):
        found = moments.mean(weights)
        assert found.mean == pytest.approx(mean(values @ weights))
        assert found.error == pytest.approx(stdev(values @ weights) / math.sqrt(50))


def test_the_error_of_a_ratio_is_that_of_many_trials() -> None:
    rng = np.random.default_rng(2)
    ratios, errors = [], []
    for _ in range(300):
        moments = Moments(2)
        for below in rng.exponential(2.0, 60):
            moments.add((0.3 * below + 0.2 * rng.normal(), below))
        found = moments.ratio(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
        ratios.append(found.mean)
        errors.append(found.error)
    assert mean(ratios) == pytest.approx(0.3, abs=0.005)
    assert mean(errors) == pytest.approx(stdev(ratios), rel=0.15)


def test_nothing_measured_is_no_number() -> None:
    assert math.isnan(Moments(2).mean(np.ones(2)).mean)
    one = Moments(1)
    one.add([3.0])
    assert one.mean(np.ones(1)).mean == 3.0
    assert math.isnan(one.mean(np.ones(1)).error)
    assert math.isnan(Moments(1).ratio(np.ones(1), np.ones(1)).mean)


def test_the_gain_is_the_average_over_games_with_two_active(tmp_path: Path) -> None:
    for first, last in ((0, 10), (10, SOME)):
        measure_gain(TABLE, 4, range(first, last), tmp_path / f"{first:03d}")
    table = gain_table(sorted(tmp_path.iterdir()), "loose")
    assert table.games == SOME
    assert [stage.stage for stage in table.stages] == list(STAGES)
    for found in table.stages:
        live = [
            stage
            for read in readings()
            for stage in read.stages
            if stage.stage == found.stage and len(stage.active) > 1
        ]
        assert found.games == len(live)
        assert found.ruled_out == 0
        assert found.log2_n.mean == pytest.approx(mean(math.log2(len(s.active)) for s in live))
        assert found.entropy.mean == pytest.approx(mean(s.entropy_bits or 0.0 for s in live))
        cards, bets = zip(*(s.kl_bits for s in live), strict=True)
        assert found.cards_only.mean == pytest.approx(mean(cards))
        assert found.bet_inference.mean == pytest.approx(mean(bets))
        assert found.gain.mean == pytest.approx(1 - mean(bets) / mean(cards))
        assert found.cards_only.error == pytest.approx(stdev(cards) / math.sqrt(len(live)))


def test_before_any_bet_both_observers_know_the_same(tmp_path: Path) -> None:
    measure_gain(TABLE, 4, range(SOME), tmp_path / "all")
    first, *_, last = gain_table([tmp_path / "all"], "loose").stages
    assert first.gain.mean == pytest.approx(0.0, abs=1e-12)
    assert first.games == SOME
    assert last.entropy.mean < 0.2  # nothing is open on 7th street but ties


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
        if type(move).__name__ == "BringIn":
            put_in[move.seat] += move.amount
    for decision in played.decisions:
        put_in[decision.seat] += decision.amount
    gained = {seat: -put_in[seat] for seat in put_in}
    for seat, chips in played.won.items():
        gained[seat] += chips
    if played.returned:
        gained[played.returned[0]] += played.returned[1]
    won = {seat: (gained[seat] + put_in[seat]) / 100 for seat in put_in}
    return {seat: chips / 100 for seat, chips in put_in.items()}, won


@pytest.mark.thorough
def test_rates_are_chips_a_hand(tmp_path: Path) -> None:
    setup = replace(TABLE, players=MIXED)
    measure_rates(setup, False, 4, range(SOME), tmp_path / "rates")
    rates = RateSums.load([tmp_path / "rates"], 4).rates(setup)
    assert (rates.deals, rates.games) == (SOME, SOME)
    hands = [results(setup, 4, number) for number in range(SOME)]
    for place, rate in enumerate(rates.seats, 1):
        assert rate.put_in.mean == pytest.approx(mean(put[place] for put, _ in hands))
        assert rate.won.mean == pytest.approx(mean(won[place] for _, won in hands))
        net = [won[place] - put[place] for put, won in hands]
        assert rate.net.mean == pytest.approx(mean(net))
        assert rate.net.error == pytest.approx(stdev(net) / math.sqrt(SOME))
    readers, blind = rates.kinds
    assert (readers.label, blind.label) == ("bet-inference", "cards-only")
    assert blind.net.mean == pytest.approx(rates.seats[1].net.mean)
    assert 3 * readers.net.mean + blind.net.mean == pytest.approx(0.0, abs=1e-12)


def test_in_duplicate_deals_like_players_come_out_even(tmp_path: Path) -> None:
    """Players who play alike get the same cards in turn, and net nothing in the end."""
    measure_rates(TABLE, True, 4, range(6), tmp_path / "rates")
    rates = RateSums.load([tmp_path / "rates"], 4).rates(TABLE)
    assert (rates.deals, rates.games) == (6, 24)
    for rate in rates.seats:
        assert rate.net.mean == pytest.approx(0.0, abs=1e-12)
        assert rate.net.error == pytest.approx(0.0, abs=1e-9)


@pytest.mark.thorough
def test_a_rotation_moves_the_players_and_not_the_cards(tmp_path: Path) -> None:
    setup = replace(TABLE, players=MIXED)
    measure_rates(setup, True, 4, range(8), tmp_path / "rates")
    rates = RateSums.load([tmp_path / "rates"], 4).rates(setup)
    nets = []
    for number in range(8):
        by_turn = []
        for turn in range(4):
            seat = 1 + (1 + turn) % 4  # where the player of seat 2 sits
            players = PlayerModels(Model(LOOSE), {seat: Model(LOOSE, CARDS_ONLY)})
            put_in, won = results(replace(TABLE, players=players), 4, number)
            by_turn.append(won[seat] - put_in[seat])
        nets.append(mean(by_turn))
    assert rates.seats[1].net.mean == pytest.approx(mean(nets))
    assert rates.seats[1].net.error == pytest.approx(stdev(nets) / math.sqrt(8))
    assert rates.seats[1].precision > 0


@cache
def calibration(n: int) -> Calibration:
    """All players by a policy that bets on what it holds, so that bets tell something."""
    default = PlayerModels(Model(load_policy("default")))
    setup = Setup(default, seated(default, 5))
    sums = CalibrationSums()
    for game, read in read_games(setup, 8, range(n)):
        sums.add(game, read)
    return sums.table("default")


@pytest.mark.thorough
def test_the_observers_chances_come_true() -> None:
    """Of what it gives 30%, 30% happens: within 4 standard errors in every bin of 30 events.

    A whole table of bins: by chance one of about 16 bins is off by that much once in 1,000 runs.
    """
    table = calibration(250)
    bins = [b for kind in table.bins.values() for b in kind if b.events >= 30]
    assert len(bins) >= 12
    for b in bins:
        assert abs(b.happened.mean - b.chance) < 4 * b.happened.error + 0.005, b


def test_calibration_counts_every_event(tmp_path: Path) -> None:
    measure_calibration(TABLE, 4, range(12), tmp_path / "1")
    measure_calibration(TABLE, 4, range(12, SOME), tmp_path / "2")
    table = calibration_table([tmp_path / "1", tmp_path / "2"], "loose")
    live = [s for read in readings() for s in read.stages if len(s.active) > 1]
    wins, categories = table.bins.values()
    assert sum(b.events for b in wins) == sum(len(stage.active) for stage in live)
    assert sum(b.events for b in categories) == sum(
        chance > 0
        for stage in live
        for seat in stage.active
        for chance in stage.seats[seat].categories()
    )
    assert sum(b.happened.mean * b.events for b in wins) == pytest.approx(len(live))


def parsed(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_tables_say_the_same_as_text_and_as_csv(tmp_path: Path) -> None:
    measure_gain(TABLE, 4, range(SOME), tmp_path / "gain")
    gain = gain_table([tmp_path / "gain"], "loose")
    rows = parsed(gain_csv(gain))
    assert [row["stage"] for row in rows] == list(STAGES)
    assert float(rows[5]["entropy_bits_mean"]) == gain.stages[5].entropy.mean
    assert f"{gain.stages[5].entropy.mean:.3f}" in gain_text(gain)
    measure_rates(TABLE, True, 4, range(3), tmp_path / "rates")
    rates = RateSums.load([tmp_path / "rates"], 4).rates(TABLE)
    rows = parsed(rates_csv(rates))
    assert [row["player"] for row in rows] == [r.label for r in (*rates.kinds, *rates.seats)]
    assert float(rows[1]["won_small_bets_mean"]) == rates.seats[0].won.mean
    assert "3 deals played 4 times each, 12 games, loose" in rates_text(rates)
    rows = parsed(calibration_csv(calibration(250)))
    assert sum(int(row["events"]) for row in rows if row["event"] == "chance to win") > 1000
    assert "30 to 40%" in calibration_text(calibration(250))


def test_single_games_leave_errors_open(tmp_path: Path) -> None:
    """One game has no spread: empty cells in CSV, no NaN for people."""
    measure_gain(TABLE, 4, range(1), tmp_path / "gain")
    gain = gain_table([tmp_path / "gain"], "loose")
    assert "nan" not in gain_csv(gain).lower()
    assert "nan" not in gain_text(gain).lower()
    measure_rates(TABLE, False, 4, range(1), tmp_path / "rates")
    rates = RateSums.load([tmp_path / "rates"], 4).rates(TABLE)
    assert "nan" not in rates_csv(rates).lower()
    assert "nan" not in rates_text(rates).lower()


def test_measures_can_be_sent_to_workers() -> None:
    import pickle

    work = partial(measure_gain, TABLE, 4)
    assert pickle.loads(pickle.dumps(work)).args == work.args


def test_kinds_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Two policies may bear the same name; what is compared must not become one."""
    shy = replace(LOOSE, bet=replace(LOOSE.bet, y0=0.1))
    setup = replace(TABLE, players=PlayerModels(Model(LOOSE), {2: Model(shy)}))
    measure_rates(setup, False, 4, range(3), tmp_path / "rates")
    rates = RateSums.load([tmp_path / "rates"], 4).rates(setup)
    assert [kind.label for kind in rates.kinds] == ["loose (1, 3, 4)", "loose (2)"]
    assert rates.kinds[1].net.mean == pytest.approx(rates.seats[1].net.mean)


def test_eight_players_cannot_be_calibrated(tmp_path: Path) -> None:
    eight = Setup(ALL_LOOSE, seated(ALL_LOOSE, 8))
    with pytest.raises(ValueError, match="7 players at most"):
        measure_calibration(eight, 1, range(1), tmp_path / "x")


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    part = tmp_path / "000000000-50"
    measure_gain(TABLE, 4, range(2), part)
    part.write_text(part.read_text()[:-40])
    with pytest.raises(RunError, match="000000000-50: a damaged part"):
        gain_table([part], "loose")
