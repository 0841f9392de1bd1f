"""Scores of reads: figures against plain averages, folds that hide what they score, faces."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from typer.testing import CliRunner

import handread
from handread.cli import app
from handread.game.replay import replay
from handread.game.rules import STAGES
from handread.game.steps import Replay
from handread.history import History, Show
from handread.inference.analysis import analyze_replay
from handread.inference.observer import TieRule
from handread.inference.players import player_models
from handread.inference.readers import Observer, as_reader
from handread.policy import PolicyFile, Provenance, fingerprint, load_policy, policy_text
from handread.report import figures as plots
from handread.report.evaluation import evaluation_object, evaluation_text
from handread.report.schemas import json_schema
from handread.sessions.opening import read_file
from handread.study.cross_validation import FoldError, dealt_out, fitter, held_out_scores
from handread.study.evaluation import Evaluation, Folds, KnownDowncards, evaluation
from handread.study.fit import intervals
from handread.study.fit.fit import _Fitter
from handread.study.fit.fitted import FitOptions
from handread.study.fit.sample import Sample
from handread.study.fit.stored import Lines
from handread.study.hand_sample import HandSample
from handread.study.measures import OBSERVERS
from handread.study.scores import (
    FIGURES,
    KINDS,
    HandScores,
    final_ranks,
    hand_scores,
    score_hands,
    showdown_shares,
    ways_known,
)
from handread.study.statistics import BIN_NAMES, BINS, FLOOR, NOTHING, Estimate
from tests.examples import examples
from tests.hands import GOLDEN, cards, hand
from tests.program import SAMPLES
from tests.strategies import legal_hands
from tests.study.evaluated import LOOSE, SOME, bins, games, marks, reads, scored

# Figures


def of(found: Evaluation, stage: str, group: str = "active") -> Estimate:
    """The bits on the truth of a group of players at a stage, infinite ones floored."""
    return found.at("bits_on_truth_floored", stage, group)


def pair(found: Evaluation, stage: str, what: str) -> list[Estimate]:
    """A figure of both observers, and the gain."""
    return [
        found.at(f"{what}_floored_{name}_bits", stage, "table")
        for name in ("cards_only", "bet_inference", "gain")
    ]


def plain_scores(found: Evaluation, stage: str, group: str, truths: Sequence[object]) -> None:
    """A table's scores are the plain averages over some truths."""
    bits = of(found, stage, group)
    assert bits.n == len(truths)
    assert bits.infinite == sum(math.isinf(t.score_bits) for t in truths)
    if not truths:
        assert bits == NOTHING
        return
    floored = [max(-FLOOR, t.score_bits) for t in truths]
    assert bits.mean == pytest.approx(mean(floored), abs=1e-12)
    exact = found.at("bits_on_truth", stage, group)
    assert math.isnan(exact.mean) if bits.infinite else exact == bits
    rank = found.at("rank_of_truth", stage, group)
    share = found.at("rank_share_of_truth", stage, group)
    assert rank.mean == pytest.approx(mean(t.rank for t in truths))
    assert share.mean == pytest.approx(mean((t.rank - 0.5) / t.live for t in truths))


@pytest.mark.thorough
@pytest.mark.parametrize("policy", ["loose", "default"])
def test_scores_are_plain_averages(policy: str) -> None:
    found = scored(policy)
    for name in STAGES:
        stages = [s for read in reads(policy) for s in read.stages if s.stage == name]
        active = [r.truth for s in stages if len(s.active) > 1 for r in s.seats.values()]
        folded = [r.truth for s in stages for r in s.folded.values()]
        plain_scores(found, name, "active", active)
        plain_scores(found, name, "folded", folded)
        plain_scores(found, name, "everybody", active + folded)
        plain_scores(found, name, "known_otherwise", active)
        assert of(found, name, "known_by_showdown").n == 0
        bits = [s.kl_bits for s in stages if len(s.active) > 1]
        kl = pair(found, name, "kl")
        assert kl[2].n == len(bits)
        assert found.at("kl_left_out", name, "table").n == 0
        if bits:
            cards_only, bets = (mean(min(FLOOR, b[i]) for b in bits) for i in (0, 1))
            assert kl[0].mean == pytest.approx(cards_only)
            assert kl[1].mean == pytest.approx(bets)
            assert kl[2].mean == pytest.approx(cards_only - bets)
    surprises = [a.surprise_bits for read in reads(policy) for a in read.actions]
    assert found.surprise.n == len(surprises)
    assert found.surprise.mean == pytest.approx(mean(min(FLOOR, s) for s in surprises))
    assert found.known == KnownDowncards(0, 0, 4 * SOME)


@pytest.mark.parametrize("policy", ["loose", "default"])
def test_promises_are_means_of_the_bits_under_the_read(policy: str) -> None:
    found = scored(policy)
    for name in STAGES:
        for left, crowd in (("two_left", {2}), ("more_left", {3, 4})):
            stages = [s for read in reads(policy) for s in read.stages if s.stage == name]
            seats = [r for s in stages if len(s.active) in crowd for r in s.seats.values()]
            promised = [
                sum(p * math.log2(p * r.truth.live) for p in r.pdd.tolist() if p > 0.0)
                for r in seats
            ]
            got = [max(-FLOOR, r.truth.score_bits) for r in seats]
            for figure, values in (
                ("promised_bits", promised),
                ("got_floored_bits", got),
                ("got_less_promised_bits", np.subtract(got, promised).tolist()),
            ):
                estimate = found.at(figure, name, left)
                assert estimate.n == len(seats)
                if seats:
                    assert estimate.mean == pytest.approx(mean(values), abs=1e-9)
    text = evaluation_text(found)
    assert "\ntwo players left\n" in text
    assert "\nthree or more players left\n" in text


def test_the_default_rules_out_what_loose_players_do() -> None:
    """The hands are such that infinite scores occur, so that the tests meet them."""
    found = scored("default")
    assert any(of(found, stage).infinite for stage in STAGES)
    assert found.surprise.infinite > 0
    assert math.isnan(found.surprise.exact.mean)
    low, high = found.surprise.low, found.surprise.high
    assert low < found.surprise.mean < high


@pytest.mark.thorough
def test_the_outcome_is_scored_among_those_who_showed_down() -> None:
    for stage in STAGES:
        _, bets, gain = pair(scored(), stage, "outcome")
        expected = []
        for read in reads():
            seats = read.replay.showdown
            table = next((s for s in read.stages if s.stage == stage), None)
            if not seats or table is None:
                continue
            ranks = final_ranks(read.replay)
            best = [seat for seat in seats if ranks[seat] == max(ranks[s] for s in seats)]
            total = sum(table.bet_inference[seat] for seat in seats)
            expected.append(mean(math.log2(table.bet_inference[s] / total) for s in best))
        assert gain.n == len(expected) > 0
        assert bets.mean == pytest.approx(mean(expected))


def test_reliability_counts_what_came_true() -> None:
    wins, categories = (bins(scored(), kind) for kind in KINDS)
    n_wins = n_categories = true_categories = shown = 0
    for read in reads():
        ranks = final_ranks(read.replay)
        for stage in read.stages:
            if len(stage.active) < 2:
                continue
            n_wins += len(read.replay.showdown)
            shown += bool(read.replay.showdown)
            for seat in set(stage.active) & set(ranks):
                chances = stage.seats[seat].categories()
                n_categories += sum(p > 0 for p in chances)
                true_categories += 1
    assert sum(p.n for p, _ in wins) == n_wins > 0
    assert sum(y.n * y.mean for _, y in wins) == pytest.approx(shown)
    assert sum(p.n * p.mean for p, _ in wins) == pytest.approx(shown)
    assert sum(p.n for p, _ in categories) == n_categories
    assert sum(y.n * y.mean for _, y in categories) == pytest.approx(true_categories)
    for kind in KINDS:
        places = [BIN_NAMES.index(group) for group in scored().groups(kind)]
        assert places == sorted(set(places))
        for place, (chance, _) in zip(places, bins(scored(), kind), strict=True):
            assert place / BINS <= chance.mean <= (place + 1) / BINS


def test_hands_of_which_nothing_is_known_have_actions_only() -> None:
    secret = hand("1a 2a \n 3: 1=??.??/7h 2=??.??/2d \n 2B 1r 2f")
    found = evaluation(list(score_hands([replay(secret)], as_reader(LOOSE), "split")), "p", "split")
    assert (found.known.total, found.surprise.n) == (0, 2)
    for stage in STAGES:
        assert of(found, stage, "everybody").n == 0
        assert pair(found, stage, "kl")[2].n == pair(found, stage, "outcome")[2].n == 0
    assert "No downcards are known" in evaluation_text(found)
    json.dumps(evaluation_object(evaluation([], "p", "split")), allow_nan=False)
    jsonschema.validate(evaluation_object(found), json_schema("evaluation"))


# Who won, and how downcards are known


def test_the_main_pot_goes_to_the_best_hand() -> None:
    golden = replay(hand(GOLDEN))
    assert showdown_shares(golden, final_ranks(golden)) == {1: 1.0, 2: 0.0}


def test_who_was_paid_tells_where_hands_are_not_known() -> None:
    hidden = GOLDEN.replace("1=7c.Qs", "1=??.??").replace("1=Jh/", "1=??/")
    played = replace(replay(hand(hidden)), won={1: 2400})
    assert showdown_shares(played, final_ranks(played)) == {1: 1.0, 2: 0.0}
    assert showdown_shares(replace(played, won={}), {}) == {}


@pytest.mark.laws
@examples(20)
@given(legal_hands())
def test_shares_agree_with_the_payment(history: object) -> None:
    played = replay(history)
    shares = showdown_shares(played, final_ranks(played))
    assert set(shares) == set(played.showdown)
    if shares:
        assert sum(shares.values()) == pytest.approx(1.0)
        main = played.pots[0].seats
        if set(main) == set(played.showdown):
            assert all(played.won.get(seat) for seat, share in shares.items() if share)


@pytest.mark.thorough
def test_the_ways_to_know_downcards() -> None:
    everybody = replay(hand(GOLDEN))
    assert set(ways_known(everybody).values()) == {"published"}
    as_log = GOLDEN
    for seat, down in (("1", "7c.Qs"), ("3", "5d.Ac"), ("4", "Jc.2h"), ("6", "9h.7s")):
        as_log = as_log.replace(f"{seat}={down}", f"{seat}=??.??")
    as_log = as_log.replace("1=Jh/", "1=??/")
    seven = cards("7c Qs 7h 8h Js 2c Jh")
    seen = replay(hand(as_log, Show(1, seven), hero=7))
    assert seen.problem is None
    assert ways_known(seen) == {1: "shown", 2: "shown", 5: "published", 7: "hero"}
    found = evaluation(list(score_hands([seen], as_reader(LOOSE), "split")), "p", "split", 100)
    assert found.known == KnownDowncards(2, 1, 1)
    ways = ("known_by_showdown", "known_otherwise")
    assert [of(found, "7B", way).n for way in ways] == [2, 0]
    assert pair(found, "7B", "kl")[2].n == 0
    assert found.at("kl_left_out", "7B", "table").n == 1
    assert "2 of the 4 players with known downcards showed them" in evaluation_text(found)
    assert "showed them" not in evaluation_text(scored())


# The bootstrap


@pytest.mark.thorough
def test_intervals_are_those_of_drawing_hands_anew() -> None:
    scores = marks()
    name = ("3B", "otherwise", "bits")
    place = FIGURES.index(name)
    sums = [m.all_sums()[place] for m in scores]
    rng = np.random.default_rng(9)
    draws = [rng.integers(0, len(scores), (50, len(scores))) for _ in range(4)]
    means = [
        sum(sums[i][1] for i in row) / sum(sums[i][0] for i in row) for d in draws for row in d
    ]
    found = HandSample(scores, 200, 9).mean(name)
    assert found.low == pytest.approx(np.percentile(means, 2.5))
    assert found.high == pytest.approx(np.percentile(means, 97.5))
    assert found == HandSample(scores, 200, 9).mean(name)
    assert found != HandSample(scores, 200, 10).mean(name)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Of 200 samples of 40 hands about 95% of the intervals hold the mean: within 4 errors."""
    rng = np.random.default_rng(3)
    place = FIGURES.index(("surprise",))
    hits = 0
    for _ in range(200):
        scores = []
        for _ in range(40):
            n = int(rng.integers(1, 5))
            sums = np.zeros((len(FIGURES), 3))
            sums[place] = (n, rng.normal(1.0 * n, n), 0.0)
            scores.append(HandScores.from_sums(sums, (0, 0, 0)))
        found = HandSample(scores, 200, 1).mean(("surprise",))
        hits += found.low <= 1.0 <= found.high
    assert hits / 200 == pytest.approx(0.93, abs=0.07)


def test_one_hand_has_no_interval() -> None:
    found = evaluation(marks()[:1], "loose", "split", 100)
    assert math.isfinite(found.surprise.exact.mean)
    assert math.isnan(found.surprise.low)
    assert math.isnan(found.surprise.high)


TABLE = ("chance to win", "call")
"""Figures that are of a whole table."""


@pytest.mark.thorough
def test_seats_apart_add_up_to_the_hand() -> None:
    for read, whole in zip(reads(), marks(), strict=True):
        parts = hand_scores(read, {1, 3}).plus(hand_scores(read, {2, 4}))
        seatwise = [
            i
            for i, figure in enumerate(FIGURES)
            if figure[1:2] not in {("kl",), ("outcome",)} and figure[0] not in TABLE
        ]
        assert np.allclose(parts.all_sums()[seatwise], whole.all_sums()[seatwise])
        assert parts.known == whole.known
        assert parts.all_sums()[[i for i in range(len(FIGURES)) if i not in seatwise]].sum() == 0


# Cross-validation


class Watchful:
    """A reader that knows what it was fitted to, and refuses to read that."""

    name = terms = "watchful"
    games = ("stud",)
    learns = False

    def __init__(self, train: Sequence[Replay], without: Collection[str]) -> None:
        self.n = len(train)
        self.prints = {fingerprint(played.history) for played in train}
        self.without = set(without)

    def observer(self, history: History, ties: TieRule) -> Observer:
        held_out = self.without & {seat.name for seat in history.seats}
        assert held_out or fingerprint(history) not in self.prints
        return as_reader(LOOSE).observer(history, ties)

    def after(self, replay: Replay, observed: object) -> Watchful:
        return self


@pytest.mark.thorough
def test_no_hand_is_scored_by_what_it_was_fitted_on() -> None:
    trained = []

    def fit(train: Sequence[Replay], without: Collection[str]) -> Watchful:
        assert not without
        trained.append(len(train))
        return Watchful(train, without)

    found = held_out_scores(games(), fit, Folds(4, "hand", "fake"), "split")
    assert found.folds.trained == tuple(trained)
    assert sum(SOME - n for n in trained) == SOME
    assert max(trained) - min(trained) <= 1
    for scores, expected in zip(found.scores, marks(), strict=True):
        assert np.allclose(scores.all_sums(), expected.all_sums())


def test_folds_do_not_depend_on_the_order_of_the_hands() -> None:
    names = [fingerprint(played.history) for played in games()]
    assert dealt_out(names, 3, 1) == dealt_out(names[::-1] * 2, 3, 1)
    assert dealt_out(names, 3, 1) != dealt_out(names, 3, 2)


@pytest.mark.thorough
def test_the_same_hand_twice_stays_in_one_fold() -> None:
    twice = [*games()[:6], *games()[:6]]
    found = held_out_scores(twice, Watchful, Folds(4, "hand", "fake"), "split")
    assert len(found.scores) == 12


def named(played: Replay, *names: str) -> Replay:
    seats = tuple(
        replace(seat, name=name) for seat, name in zip(played.history.seats, names, strict=True)
    )
    return replay(replace(played.history, seats=seats))


@pytest.mark.thorough
def test_no_player_is_scored_by_what_it_was_fitted_on() -> None:
    first = [named(played, "Ann", "Bob", "Cy", "Di") for played in games()[:2]]
    second = [named(played, "Eve", "Flo", "Gus", "") for played in games()[2:4]]
    fitted: list[Watchful] = []

    def fit(train: Sequence[Replay], without: Collection[str]) -> Watchful:
        fitted.append(Watchful(train, without))
        return fitted[-1]

    by_player = Folds(7, "player", "fake")
    found = held_out_scores([*first, *second], fit, by_player, "split")
    fold_of = dealt_out(["Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus"], 7, 1)
    for name, fold in fold_of.items():
        assert fitted[fold].without == {name}
    assert found.folds.trained == tuple(players.n for players in fitted) == (4,) * 7
    assert found.folds.nameless == 2
    table = evaluation(found.scores, "fake", "split", 100, folds=found.folds)
    assert (table.hands, table.known.total) == (4, 2 * 4 + 2 * 3)
    assert of(table, "3D").n == 2 * 4 + 2 * 3
    for stage in STAGES:
        assert pair(table, stage, "kl")[2].n == pair(table, stage, "outcome")[2].n == 0
    assert "2 players without a name are not scored" in evaluation_text(table)
    record = json.loads(json.dumps(evaluation_object(table)))
    jsonschema.validate(record, json_schema("evaluation"))


@pytest.mark.parametrize(
    ("by", "k", "message"),
    [
        ("hand", 30, "30 folds by hand need as many hands that .*; found 10"),
        ("player", 5, "5 folds by player need as many players with a name; found 4"),
    ],
)
def test_folds_that_cannot_be_made(by: str, k: int, message: str) -> None:
    with pytest.raises(FoldError, match=message):
        held_out_scores(games(), Watchful, Folds(k, by, "fake"), "split")


def test_nameless_players_cannot_be_held_out() -> None:
    nameless = [named(played, "", "", "", "") for played in games()]
    with pytest.raises(FoldError, match="players with a name; found 0"):
        held_out_scores(nameless, Watchful, Folds(2, "player", "fake"), "split")


@pytest.mark.thorough
def test_the_fit_does_not_see_who_is_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned from are the lines of the others, whose beliefs still see all actions."""
    samples: list[Sample] = []
    read = _Fitter._gathered

    def look(fit: _Fitter, *args: Any, **kwargs: Any) -> Lines:
        found = read(fit, *args, **kwargs)
        samples.append(Sample.join(found.parts()))
        return found

    monkeypatch.setattr(_Fitter, "_gathered", look)
    monkeypatch.setattr(intervals, "PROBES", 0)  # which would take most of the time
    quick = FitOptions(
        family="ramps", penalty=1.0, likelihood_exponent=1.0, rounds=1, players=False, seed=1
    )
    fit = fitter(quick)
    fit(games()[:3], {"Ann", "Bob"})
    fit(games()[:3], ())
    some, everybody = samples
    assert set(some.player) == {"Cy", "Di"}
    assert set(everybody.player) == {"Ann", "Bob", "Cy", "Di"}
    theirs = everybody.select(np.isin(everybody.player, ["Cy", "Di"]))
    assert np.array_equal(some.percentile, theirs.percentile)
    assert np.array_equal(some.action, theirs.action)


@pytest.mark.thorough
def test_python_cross_validates_as_the_command_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def fit(*_: object, **__: object) -> SimpleNamespace:
        return SimpleNamespace(file=PolicyFile(LOOSE))

    monkeypatch.setattr("handread.study.cross_validation.fit_hands", fit)
    found = handread.evaluate(games(), resamples=200, folds=2)
    assert found.folds == Folds(2, "hand", "logit", (SOME // 2, SOME // 2))
    assert found.figures == scored().figures
    with pytest.raises(ValueError, match="leave the policy out"):
        handread.evaluate(games(), "loose", folds=2)


# Faces


@pytest.mark.thorough
@pytest.mark.parametrize("policy", ["loose", "default"])
def test_json_meets_its_schema(policy: str) -> None:
    found = evaluation_object(scored(policy))
    jsonschema.validate(found, json_schema("evaluation"))
    json.dumps(found, allow_nan=False)
    third = found["stages"][1]
    assert (third["bits_on_truth"]["mean"] is None) == (third["ruled_out"] > 0)


def test_text_of_hostile_names_is_harmless() -> None:
    assert "\x1b" not in evaluation_text(replace(scored(), policy="\x1b[31mred"))


def test_the_points_of_the_reliability_curve() -> None:
    figure = plots.reliability_figure(scored())
    for axes, kind in zip(figure.axes, KINDS, strict=True):
        curve = axes.lines[1]
        assert list(curve.get_xdata()) == [100 * chance.mean for chance, _ in bins(scored(), kind)]
        assert list(curve.get_ydata()) == [100 * y.mean for _, y in bins(scored(), kind)]


# The command


def run(*args: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["evaluate", *map(str, args)])
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(("chosen", "which"), [("loki", "reader"), ("people", "policy")])
def test_the_heading_says_whether_a_policy_or_a_reader_read(
    chosen: str, which: str, tmp_path: Path
) -> None:
    drawn = ("--resamples", 100, "--plot", tmp_path / "p.png")
    code, out, err = run(SAMPLES / "all-cards-known.stud", "--reader", chosen, *drawn)
    assert code == 0, err
    assert out.splitlines()[0] == f"1 hand, {which} {chosen}, ties split"
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.thorough
def test_hands_that_were_fitted_to_are_told_of(tmp_path: Path) -> None:
    hands = list(read_file(str(SAMPLES / "session.phhs")))
    seen = tuple(fingerprint(history) for history in hands[:2])
    file = tmp_path / "fitted.toml"
    provenance = Provenance("0", 2, 10, 2, -3.0, 1.0, seen)
    file.write_text(policy_text(PolicyFile(LOOSE, {"Ann": LOOSE}, provenance)))
    evaluated = (SAMPLES / "session.phhs", "--resamples", 100)
    code, out, _ = run(*evaluated, "--policy", file)
    assert code == 0
    assert f"WARNING: the policy was fitted to 2 of these {len(hands)} hands" in out
    _, out, _ = run(*evaluated, "--policy", f"{file}#Ann", "--json")
    assert json.loads(out)["fitted_on"] == 2


@pytest.mark.thorough
def test_a_panel_goes_through_the_session() -> None:
    """Hands are read one after the other, and what is learned of a name goes on."""
    hands = games()[:3]
    panel = player_models("panel")
    scores = list(score_hands(hands, as_reader(panel), "split"))
    expected, players = [], panel
    for played in hands:
        read = analyze_replay(played, players.for_hand(played.history))
        players = players.after(played.history, read.members)
        expected.append(hand_scores(read))
    for found, wanted in zip(scores, expected, strict=True):
        assert np.array_equal(found.all_sums(), wanted.all_sums())
    fresh = [hand_scores(analyze_replay(p, panel.for_hand(p.history))) for p in hands]
    assert not np.allclose(scores[-1].all_sums(), fresh[-1].all_sums())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--by", "hand"), "--folds K"),
        (("--folds", 2, "--policy", "loose"), "leave --policy"),
        (("--folds", 1), "--folds"),
        (("--resamples", 1), "100"),
    ],
)
def test_wrong_usage(options: tuple[object, ...], message: str) -> None:
    code, out, err = run(SAMPLES / "showdown.stud", *options)
    assert code == 2
    assert out == ""
    assert message in err


@pytest.mark.thorough
def test_hit_rates_go_into_the_file_of_the_policy(tmp_path: Path) -> None:
    file, hands, few = tmp_path / "mine.toml", SAMPLES / "session.phhs", ("--resamples", 100)
    text = policy_text(PolicyFile(LOOSE))
    file.write_text(text)
    code, out, err = run(hands, "--policy", file, "--into", file, "--json", *few)
    assert code == 0, err
    active = {one["stage"]: one["measures"] for one in json.loads(out)["stages"]}
    measured = load_policy(file).measured
    assert (measured.hands, measured.folds) == (json.loads(out)["hands"], 0)
    assert measured.games == ("stud",)
    for stage, rates in measured.stages:
        for name, kept in (
            ("kind_in_top_1", rates.first_kind),
            ("kind_in_top_3", rates.one_of_three),
            ("family_in_top_1", rates.first_family),
        ):
            wanted = [active[stage][f"{name}_{who}"]["mean"] for who in OBSERVERS[::-1]]
            assert kept == pytest.approx(wanted, abs=5e-4)
    assert next(stage for stage, _ in measured.stages) == "3B"
    for options in (("--policy", "loose"), ("--policy", file, "--lapse", 0.1)):
        code, _, err = run(hands, *options, "--into", file)
        assert code == 2
        assert "use --policy" in err
    seen = tuple(map(fingerprint, read_file(str(hands))))
    fitted = PolicyFile(LOOSE, {}, Provenance("0", 3, 10, 2, -3.0, 1.0, seen))
    file.write_text(policy_text(fitted))
    code, _, err = run(hands, "--policy", file, "--into", file)
    assert code == 2
    assert "was fitted to" in err
    assert file.read_text() == policy_text(fitted)


@pytest.mark.thorough
def test_what_is_scored_is_not_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that stands on both sides, by slip or by a pattern, must not flatter the scores."""
    learned: list[set[str]] = []

    def fit(
        hands: Sequence[Replay], options: FitOptions, without: Collection[str]
    ) -> SimpleNamespace:
        learned.append({fingerprint(played.history) for played in hands})
        return SimpleNamespace(file=PolicyFile(LOOSE))

    monkeypatch.setattr("handread.study.cross_validation.fit_hands", fit)
    several, one = SAMPLES / "simulated.phhs", SAMPLES / "showdown.stud"
    sets = ("--train", several, "--train", one)
    code, _, err = run(several, "--folds", 2, "--workers", 1, *sets)
    assert code == 0, err
    scored = {fingerprint(history) for history in read_file(str(several))}
    other = {fingerprint(history) for history in read_file(str(one))}
    assert [found - scored for found in learned] == [other, other]
    assert not learned[0] & learned[1] & scored
    assert f"{len(scored)} of {len(scored) + 1} are among those scored: left out" in err
