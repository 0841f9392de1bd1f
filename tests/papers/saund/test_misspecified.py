"""The study of wrong models: sums against plain averages, and readers whose answer is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.bits import divergence_bits, entropy_bits
from handread.cards import holding_index
from handread.cli.options import FamilyName
from handread.game.rules import STAGES
from handread.game.steps import Replay
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import TIE_RULES, holding_values_at
from handread.papers.saund import misspecified as study
from handread.papers.saund import misspecified_commands as command
from handread.papers.saund.figure import LINE, misreading_figure
from handread.parallel import RunError
from handread.policy import (
    LogitPolicy,
    Panel,
    PolicyFile,
    Ramp,
    RampPolicy,
    Single,
    legal_actions,
    load_policy,
)
from handread.policy.base import EvenHoldingValues, decision_point_at_odds
from handread.policy.logit import FEATURES
from handread.report import figures as plots
from handread.report.figures.panels import apart
from handread.runs import Run
from handread.simulate import Game, play_game, read_games
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


# Drifted policies

LOGIT = LogitPolicy(
    "l",
    tuple(0.1 * place for place in range(len(FEATURES))),
    tuple(-0.2 * place for place in range(len(FEATURES))),
    (0.3,) * len(FEATURES),
)


@given(st.floats(-5, 5), st.floats(-3, 3))
def test_a_moved_ramp_is_the_same_further_on(step: float, x: float) -> None:
    moved = study.drifted(DEFAULT, f"move={step}")
    for ramp, there in (
        (DEFAULT.bet, moved.bet),
        (DEFAULT.raise_, moved.raise_),
        (DEFAULT.fold, moved.fold),
    ):
        near = min(abs(x - ramp.x0), abs(x - ramp.x1))
        if near > 1e-6:
            assert there.at(np.array([x + step]))[0] == pytest.approx(
                ramp.at(np.array([x]))[0], abs=1e-6
            )


def test_a_policy_moved_up_plays_more_hands() -> None:
    chances = np.linspace(0.02, 0.98, 60)
    for policy, step in ((DEFAULT, ".1"), (LOGIT, ".5")):
        for odds, bold in ((None, "bet"), (0.2, "raise")):
            spot = decision_point_at_odds(4, odds)
            outlook = EvenHoldingValues(chances, 4)
            before = policy.probabilities(spot, outlook)
            after = study.drifted(policy, f"move={step}").probabilities(spot, outlook)
            assert (after[bold] >= before[bold] - 1e-12).all()
            assert (after[bold] > before[bold]).any()
            if odds:
                assert (after["fold"] <= before["fold"] + 1e-12).all()


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_shrunk_levels_keep_their_middle(factor: float, y0: float, y1: float) -> None:
    ramps = RampPolicy("r", *(Ramp(0.0, 1.0, y0, y1) for _ in range(3)))
    shrunk = study.drifted(ramps, f"shrink={factor}")
    for ramp in (shrunk.bet, shrunk.raise_, shrunk.fold):
        assert ramp.y0 + ramp.y1 == pytest.approx(y0 + y1, abs=1e-12)
        assert ramp.y1 - ramp.y0 == pytest.approx(factor * (y1 - y0), abs=1e-12)
        assert -1e-12 <= min(ramp.y0, ramp.y1) <= max(ramp.y0, ramp.y1) <= 1 + 1e-12


def test_a_policy_shrunk_to_nothing_tells_nothing() -> None:
    assert study.drifted(DEFAULT, "shrink=0").blind
    assert study.drifted(LOGIT, "shrink=0").blind
    assert not study.drifted(LOGIT, "shrink=.1").blind


def test_no_drift_is_no_change() -> None:
    chances = EvenHoldingValues(np.linspace(0.02, 0.98, 60), 4)
    for policy in (DEFAULT, LOGIT):
        for drift in ("move=0", "shrink=1"):
            for odds in (None, 0.2):
                spot = decision_point_at_odds(4, odds)
                before = policy.probabilities(spot, chances)
                after = study.drifted(policy, drift).probabilities(spot, chances)
                for action, p in before.items():
                    np.testing.assert_allclose(after[action], p, atol=1e-12)


@pytest.mark.parametrize("drift", ["", "move", "move=", "move=nan", "move=9", "shrink=-1", "x=1"])
def test_what_is_no_drift(drift: str) -> None:
    with pytest.raises(ValueError, match="expected move=STEP"):
        study.drifted(DEFAULT, drift)


def test_the_usual_readers_are_others_than_the_players() -> None:
    readers = study.standing_readers(HONEST, None, study.DRIFTS)
    labels = [reader.label for reader in readers]
    assert labels[:5] == ["the true policy", "default", "tight", "loose", "uniform"]
    assert labels[-1] == "cards only"
    assert sum(reader.kind == study.DRIFTED for reader in readers) == len(study.DRIFTS)
    named = study.standing_readers(DEFAULT, ["tight", "tight"], [])
    assert [r.label for r in named] == ["the true policy", "tight", "uniform", "cards only"]


def fitted_readers(folder: Path) -> tuple[study.ReaderModel, ...]:
    """The readers by policies fitted to two and five hands."""
    return command._fitted_readers(Run(SEED, resume=folder), TABLE, (2, 5), FamilyName.RAMPS)


NOTHING_USED = Usage(0, 0, 0, 0, 0, "")


def test_fits_see_the_first_of_other_hands_and_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: dict[int, Sequence[Replay]] = {}

    def fit(hands: Sequence[Replay], wanted: FitOptions, read: object) -> Fit:
        assert (wanted.hidden, wanted.players, wanted.prior) == (True, False, None)
        asked[len(hands)] = hands
        policy = replace(LOOSE, name=f"of {len(hands)}")
        return Fit({}, PolicyFile(policy), (), NOTHING_USED, Untold())

    monkeypatch.setattr("handread.study.fit.fit.fit_hands", fit)
    readers = fitted_readers(tmp_path)
    assert [reader.label for reader in readers] == ["fitted to 2 hands", "fitted to 5 hands"]
    assert [reader.hands for reader in readers] == [2, 5]
    assert "policies are fitted to 2, 5 hands; --set fitted=none leaves" in capsys.readouterr().err
    assert {reader.kind for reader in readers} == {study.FITTED}
    downcards = {n: [hand.downcards for hand in hands] for n, hands in asked.items()}
    assert downcards[2] == downcards[5][:2]
    tested = [game.replay.downcards for game, _ in games()]
    assert not any(cards in tested for cards in downcards[5])
    # What is there is not worked out again.
    monkeypatch.setattr("handread.study.fit.fit.fit_hands", None)
    assert fitted_readers(tmp_path) == readers
    (tmp_path / "fitted-5.toml").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match=r"fitted-5\.toml.*delete it"):
        fitted_readers(tmp_path)


# Faces


def test_the_picture_names_every_reader(table: study.Misreading) -> None:
    hostile = study.ReaderModel("a \x1b[1m$x$", study.NAMED, DEFAULT)
    loose = {key: found for key, found in table.figures.items() if key.group == "loose"}
    figures = {key._replace(group=hostile.label): found for key, found in loose.items()}
    more = replace(table, figures={**table.figures, **figures}, readers=(*table.readers, hostile))
    picture = plots.picture_bytes(misreading_figure(more), ".svg").decode()
    for label in ("the true policy", "loose", "honest", "uniform", "a \\x1b[1m$x$"):
        assert f">{label}<" in picture


@given(st.lists(st.floats(0, 1), max_size=14))
def test_labels_stand_apart(heights: list[float]) -> None:
    placed = apart(sorted(heights), LINE, 0.0, 1.0)
    assert all(b - a >= LINE - 1e-9 for a, b in pairwise(placed))
    assert all(height >= 0.0 for height in placed)
