"""The study of wrong models: sums against plain averages, and readers whose answer is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from statistics import mean, stdev

import numpy as np
import pytest

from docs.site import misspecified as study
from handread.bits import divergence_bits, entropy_bits
from handread.cards import holding_index
from handread.game.rules import FIVE_STUD, STAGES, STUD8, Stakes, Variant
from handread.game.steps import Replay
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import TIE_RULES, holding_values_at
from handread.inference.players import Model, PlayerModels
from handread.policy import (
    Panel,
    PolicyFile,
    Single,
    legal_actions,
    load_policy,
)
from handread.runs import Run
from handread.simulate import Game, Setup, play_game, read_games, seated
from handread.study.fit.fitted import Fit, FitOptions, Usage
from handread.study.fit.intervals import Untold
from handread.study.statistics import Estimate
from handread.study.sums import Sums
from tests.papers.tables import table as table_of

SOME, SEED = 14, 5
TABLE = table_of("default", 4)
ALL = TABLE.players
DEFAULT, LOOSE, HONEST, UNIFORM = map(load_policy, ("default", "loose", "honest", "uniform"))
TWINS = Panel("twins", (LOOSE, replace(LOOSE, name="loose too")), (0.3, 0.7))
READERS = (
    study.ReaderModel("the true policy", study.TRUE, DEFAULT),
    study.ReaderModel("loose", study.NAMED, LOOSE),
    study.ReaderModel("twins", study.NAMED, TWINS),
    study.ReaderModel("honest", study.NAMED, HONEST),
    study.ReaderModel("uniform", study.NAMED, UNIFORM),
    study.ReaderModel("cards only", study.BLIND, None),
)


@cache
def games() -> list[tuple[Game, Analysis]]:
    return list(read_games(TABLE, SEED, range(SOME)))


@pytest.fixture(scope="module")
def table() -> study.Misreading:
    return study.misreading(TABLE, READERS, SOME, "ramps", Run(SEED))


def reader(table: study.Misreading, label: str) -> study.ReaderModel:
    return next(found for found in table.readers if found.label == label)


def of(table: study.Misreading, label: str, figure: str, place: str = "") -> Estimate:
    return table.of(reader(table, label), figure, place)


@cache
def readings(policy: Single) -> list[Analysis]:
    return [analyze_replay(game.replay, policy, ties=TABLE.ties) for game, _ in games()]


def own_odds() -> list[list[tuple[float, int]]]:
    """Of each game the probability that the players gave to what they did, and their choices.

    As the simulator saw it when it drew the action.
    """
    found = []
    for game, _ in games():
        updates = [update for street in game.observed for update in street.updates]
        full = game.full_hands
        rows = []
        for update in updates:
            seat, street = update.decision.seat, update.decision.street
            cards = full[seat]
            holding = (cards[0], cards[1], cards[6]) if street == 7 else (cards[0], cards[1])
            p = float(update.action_probs[holding_index(holding)])
            rows.append((p, len(legal_actions(update.decision))))
        found.append(rows)
    return found


# Readers whose answer is known


def test_the_true_policy_has_no_error_and_gains_all_of_it(table: study.Misreading) -> None:
    true = partial(table.of, table.readers[0])
    assert table.games == SOME
    assert true("surprise_bits").n == sum(len(rows) for rows in own_odds())
    assert true("model_error_bits").mean == 0.0
    assert true("surprise_over_true_bits").mean == 0.0
    assert true("impossible_fraction").mean == 0.0
    for place in table.places:
        assert true("gain_bits", place).infinite == 0
        assert true("bits_on_truth_over_true", place).mean == 0.0
        if true("gain_bits", place).n:
            assert true("gain_share_of_true", place).mean == pytest.approx(1.0)
    assert true("gain_share_of_true", study.POOLED).error == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("label", ["uniform", "cards only"])
def test_who_reads_no_bets_gains_nothing(table: study.Misreading, label: str) -> None:
    for place in table.places:
        gain = of(table, label, "gain_bits", place)
        assert of(table, label, "bits_on_truth", place).mean == pytest.approx(0.0, abs=1e-12)
        assert gain.infinite == 0
        if gain.n:
            assert gain.mean == pytest.approx(0.0, abs=1e-12)


def test_the_error_of_a_blind_guess_is_what_it_does_not_know(table: study.Misreading) -> None:
    """D(p || uniform) is log2 of the number of actions less the entropy of p.

    With two actions to choose from p is known from what the simulator drew by.
    """
    pairs = [pair for rows in own_odds() for pair in rows]
    two = [1.0 - entropy_bits(np.array([p, 1.0 - p])) for p, n in pairs if n == 2]
    three = [math.log2(3) for _, n in pairs if n == 3]
    error = of(table, "uniform", "model_error_bits")
    total = error.mean * error.n
    assert sum(two) <= total <= sum(two) + sum(three)
    surprise = of(table, "uniform", "surprise_bits")
    assert surprise.mean == pytest.approx(mean(math.log2(n) for _, n in pairs))


def test_two_alike_are_one(table: study.Misreading) -> None:
    """A panel of two policies that differ in name reads as either of them."""
    one, two = (partial(of, table, label) for label in ("loose", "twins"))
    for figure in ("model_error_bits", "surprise_bits"):
        assert two(figure).mean == pytest.approx(one(figure).mean)
    for place in table.places:
        expected = one("bits_on_truth", place).mean
        assert two("bits_on_truth", place).mean == pytest.approx(expected)


def test_a_panel_is_asked_as_the_reader_weighs_it_by_then() -> None:
    """Who has seen that uniform does not explain the players is nearer to their policy."""
    panel = Panel("half", (DEFAULT, replace(UNIFORM, name="far")), (0.5, 0.5))
    readers = (READERS[0], study.ReaderModel("half", study.NAMED, panel), READERS[-1])
    found = study.misreading(TABLE, readers, 6, run=Run(SEED))
    prior = [math.log2(p / (0.5 * p + 0.5 / n)) for rows in own_odds()[:6] for p, n in rows]
    # On average over actions drawn by the true policy this is D, had the panel learned nothing.
    assert 0.0 < of(found, "half", "model_error_bits").mean < mean(prior)


# Sums against plain averages


@pytest.mark.parametrize("label", ["loose", "honest"])
def test_gains_are_averages_over_the_games_that_a_reader_allows(
    table: study.Misreading, label: str
) -> None:
    found = partial(of, table, label)
    policy = reader(table, label).policy
    cards_all: list[list[float]] = []
    for place in (stage for stage in STAGES if stage.endswith("B")):
        figures = [
            (cards, bets, true)
            for read, (_, truly) in zip(readings(policy), games(), strict=True)
            for stage, same in zip(read.stages, truly.stages, strict=True)
            if stage.stage == place and len(stage.active) > 1
            for (cards, bets), (_, true) in [(stage.kl_bits or (0, 0), same.kl_bits or (0, 0))]
        ]
        kept = [row for row in figures if math.isfinite(row[1])]
        divergence, gain, share = (
            found(name, place) for name in ("kl_bits", "gain_bits", "gain_share_of_true")
        )
        assert (gain.n, gain.infinite) == (len(kept), len(figures) - len(kept))
        cards_all += [list(row) for row in kept]
        if len(kept) > 1:
            cards, bets, true = np.array(kept).T
            assert divergence.mean == pytest.approx(bets.mean())
            assert gain.mean == pytest.approx((cards - bets).mean())
            assert gain.error == pytest.approx(stdev(cards - bets) / math.sqrt(len(kept)))
            assert share.mean == pytest.approx((cards - bets).sum() / (cards - true).sum())
    cards, bets, true = np.array(cards_all).T
    assert found("gain_bits", study.POOLED).mean == pytest.approx((cards - bets).mean())
    pooled = found("gain_share_of_true", study.POOLED)
    assert pooled.mean == pytest.approx((cards - bets).sum() / (cards - true).sum())


@pytest.mark.parametrize("label", ["loose", "honest"])
def test_bits_and_surprise_are_averages_with_a_floor(table: study.Misreading, label: str) -> None:
    found = partial(of, table, label)
    policy = reader(table, label).policy
    reads = readings(policy)
    bits = [
        max(seat.truth.score_bits, -40.0)
        for read in reads
        for stage in read.stages
        if stage.stage.endswith("B")
        for seat in (*stage.seats.values(), *stage.folded.values())
        if seat.truth
    ]
    assert found("bits_on_truth", study.POOLED).mean == pytest.approx(mean(bits))
    surprises = [min(a.surprise_bits, 40.0) for read in reads for a in read.actions]
    assert found("surprise_bits").mean == pytest.approx(mean(surprises))
    true = [a.surprise_bits for _, read in games() for a in read.actions]
    excess = found("surprise_over_true_bits").mean
    assert excess == pytest.approx(mean(surprises) - mean(true))


def test_what_a_reader_rules_out_is_counted(table: study.Misreading) -> None:
    """The honest player never bluffs; these players always may."""
    assert 0 < of(table, "honest", "impossible_fraction").mean <= 1
    assert math.isfinite(of(table, "honest", "model_error_bits").mean)
    assert of(table, "loose", "impossible_fraction").mean == 0


def test_the_error_is_asked_at_the_true_players_outlook() -> None:
    """Before anybody has acted all readers see the same; D is then a plain divergence."""
    heads_up = table_of("default", 2)
    readers = (READERS[0], READERS[1], READERS[-1])
    total, n = 0.0, 0
    for number in range(8):
        sums = Sums()
        for row in study.misreading_rows(heads_up, readers, SEED, number):
            sums.add(*row)
        found = study.misreading_table(sums, readers, "default", "ramps")
        error = of(found, "loose", "model_error_bits")
        if error.n > 1:
            continue
        game = play_game(heads_up, SEED, number)
        update = game.observed[0].updates[0]
        decision = update.decision
        outlook = holding_values_at(game.observed[0].dealt, decision, ALL.rest, TIE_RULES["split"])
        own = holding_index(game.replay.downcards[decision.seat])
        odds = [
            [policy.probabilities(decision, outlook)[a][own] for a in legal_actions(decision)]
            for policy in (DEFAULT, LOOSE)
        ]
        expected = divergence_bits(np.array(odds[0]), np.array(odds[1]))
        assert error.mean == pytest.approx(expected)
        total, n = total + expected, n + 1
    assert n
    assert total > 0.0


# The readers


def test_the_usual_readers_are_others_than_the_players() -> None:
    readers = study.standing_readers(HONEST, None, study.DRIFTS)
    labels = [reader.label for reader in readers]
    assert labels[:5] == ["the true policy", "default", "tight", "loose", "uniform"]
    assert labels[-1] == "cards only"
    assert sum(reader.kind == study.DRIFTED for reader in readers) == len(study.DRIFTS)
    named = study.standing_readers(DEFAULT, ["tight", "tight"], [])
    assert [r.label for r in named] == ["the true policy", "tight", "uniform", "cards only"]


NOTHING_USED = Usage(0, 0, 0, 0, 0, "")


def test_fits_see_the_first_of_other_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[int, Sequence[Replay]] = {}

    def fit(hands: Sequence[Replay], wanted: FitOptions, read: object) -> Fit:
        assert (wanted.hidden, wanted.players, wanted.prior) == (True, False, None)
        asked[len(hands)] = hands
        policy = replace(LOOSE, name=f"of {len(hands)}")
        return Fit({}, PolicyFile(policy), (), NOTHING_USED, Untold())

    monkeypatch.setattr(study, "fit_hands", fit)
    readers = study.fitted_readers(Run(SEED), TABLE, (5, 2), "ramps")
    assert [reader.label for reader in readers] == ["fitted to 2 hands", "fitted to 5 hands"]
    assert [reader.policy and reader.policy.name for reader in readers] == ["of 2", "of 5"]
    assert {reader.kind for reader in readers} == {study.FITTED}
    downcards = {n: [hand.downcards for hand in hands] for n, hands in asked.items()}
    assert downcards[2] == downcards[5][:2]
    tested = [game.replay.downcards for game, _ in games()]
    assert not any(cards in tested for cards in downcards[5])


@pytest.mark.parametrize(("games", "sizes"), [(400, (50, 200, 1000)), (8, (1, 4, 20))])
def test_games_scale_the_fits(games: int, sizes: tuple[int, ...]) -> None:
    assert study.sizes_of_fits(games) == sizes


@pytest.mark.thorough
@pytest.mark.parametrize("game", [STUD8, FIVE_STUD], ids=lambda game: game.key)
def test_a_wrong_model_is_judged_on_every_street(game: Variant) -> None:
    models = PlayerModels(Model(LOOSE))
    stakes = Stakes(25, 25, game.bets(100, 200))
    setup = Setup(models, seated(models, 3), stakes, game=game)
    readers = (
        study.ReaderModel("the true policy", study.TRUE, LOOSE),
        study.ReaderModel("tight", study.NAMED, load_policy("tight")),
        READERS[-1],
    )
    found = study.misreading(setup, readers, games=4, run=Run(3))
    bets = tuple(stage for stage in game.stages if stage.endswith("B"))
    assert found.places == (*bets, study.POOLED)
    assert found.of(readers[0], "gain_bits", bets[0]).n
