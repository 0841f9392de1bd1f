"""The worth of a read: who knows what, whose choices are scored how, and the figures of sums."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from handread.cards import holding_index
from handread.decisions.rollouts import Futures, HouseRake, Rollouts
from handread.decisions.turns import Option, Turn, turns
from handread.inference.analysis import true_holding
from handread.inference.hand import Analysis
from handread.inference.joint import Hidden
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.inference.readers import as_reader
from handread.papers.bench.decision_calibration import SampleOptions
from handread.papers.bench.decisions_figure import read_value_figure
from handread.papers.bench.decisions_text import read_value_text
from handread.papers.bench.read_value import (
    ABOVE,
    AGREES,
    CHANGED,
    GAIN,
    OBSERVERS,
    PROMISED,
    SHARE,
    ChoiceOptions,
    ReadValue,
    read_value,
    sampled,
    scored,
    viewed,
)
from handread.policy import load_policy
from handread.runs import Run
from handread.simulate import Setup, read_games, seated
from handread.study.decision_samples import (
    ALL_CARDS,
    FULL_WEIGHT,
    READ,
    SimulatedHands,
    SourceHands,
    actor_known,
    all_known,
    by_all_cards,
    by_cards_only,
    drawn_turns,
    full_weight_pdds,
    stored,
    tells_all,
)
from tests.program import run

SEED, GAMES = 5, 6


def table(policy: str, seats: int = 3) -> Setup:
    players = PlayerModels(Model(load_policy(policy)))
    return Setup(players, seated(players, seats))


@cache
def games(policy: str, seats: int = 3) -> tuple[Analysis, ...]:
    return tuple(read for _, read in read_games(table(policy, seats), SEED, range(GAMES)))


def certain(hidden: Hidden, seat: int, cards: Sequence[int]) -> bool:
    return float(hidden.pdds[seat][holding_index(tuple(cards))]) == 1.0  # type: ignore[arg-type]


# Observers


def test_who_knows_what() -> None:
    met = 0
    for read in games("people"):
        for turn in turns(read):
            blind, seer = by_cards_only(turn), by_all_cards(turn, read.replay)
            for view in (blind, turn, seer):
                assert certain(view.hidden, turn.seat, turn.down)
            for seat in turn.hidden.pdds:
                if seat == turn.seat:
                    continue
                met += 1
                even = blind.hidden.pdds[seat]
                live = even[even > 0.0]
                assert live.min() == pytest.approx(live.max())
                assert (turn.hidden.pdds[seat] > 0.0).sum() <= live.size
                own = true_holding(read.replay, seat, turn.decision.street)
                if seat in turn.table.active:
                    assert own is not None
                    assert certain(seer.hidden, seat, own)
                assert turn.hidden.pdds[seat].sum() == pytest.approx(1.0)
    assert met > 20


def test_full_weight_is_the_product_of_what_the_policy_says() -> None:
    for read in games("people"):
        found = dict(full_weight_pdds(read))
        product = {seat: np.ones(1326) for seat in read.observed[0].dealt.pdds}
        for seen in read.observed:
            if seen.dealt.street == 7:
                break
            for seat, hands in seen.dealt.hands.items():
                product[seat] *= hands.unseen.live(1326)
            for update in seen.updates:
                for seat, weights in product.items():
                    assert found[update.decision.n][seat] == pytest.approx(weights / weights.sum())
                product[update.decision.seat] *= update.action_probs


def test_full_weight_is_the_read_where_the_policy_has_no_exponent() -> None:
    for read in games("loose", 2)[:3]:
        found = dict(full_weight_pdds(read))
        for turn in turns(read):
            for seat, pdd in turn.belief.pdds.items():
                assert found[turn.decision.n][seat] == pytest.approx(pdd, abs=1e-12)


def test_full_weight_is_an_observer_of_its_own_only_where_it_differs() -> None:
    for policy, there in (("people", True), ("loose", False)):
        read = games(policy, 2)[0]
        assert (FULL_WEIGHT in viewed(next(turns(read)), read)) is there


# Decisions


def test_records_that_tell_all() -> None:
    # A game in which somebody folds and others show down.
    read = next(r for r in games("people", 4) if len(r.replay.showdown) in (2, 3))
    played = read.replay
    folded = next(iter({1, 2, 3, 4} - set(played.showdown)))
    hero = played.showdown[0]
    assert tells_all(played)
    shown = {seat: played.downcards[seat] for seat in played.showdown}
    logged = replace(played, downcards=shown, history=replace(played.history, hero=hero))
    assert not tells_all(logged)
    assert tells_all(replace(logged, downcards=played.downcards))
    # The hero's own cards tell nothing about those of others.
    own = replace(logged, downcards={folded: played.downcards[folded], **shown})
    assert not tells_all(replace(own, history=replace(played.history, hero=folded)))
    known = {d.seat for d in logged.decisions if actor_known(logged, d)}
    assert known == {hero}
    assert {d.seat for d in played.decisions if actor_known(played, d)} >= set(shown)
    for decision in logged.decisions:
        assert all_known(logged, decision) is (set(decision.active) <= set(shown))
        assert all_known(played, decision)


def test_decisions_are_drawn_without_repetition() -> None:
    read = games("people")[0]
    all_of_them = read.replay.decisions
    rng = np.random.default_rng(1)
    drawn = [turn.decision.n for turn in drawn_turns(read, all_of_them, 3, rng)]
    assert len(drawn) == 3
    assert drawn == sorted(set(drawn))
    for n in (0, len(all_of_them) + 5):
        found = [turn.decision for turn in drawn_turns(read, all_of_them, n, rng)]
        assert found == list(all_of_them)
    assert not list(drawn_turns(read, [], 2, rng))


def test_hands_of_several_sources_are_numbered_through(tmp_path: Path) -> None:
    played = [read.replay for read in games("loose", 2)[:3]]
    reader = as_reader(load_policy("loose"))
    some = stored("files", played, tmp_path / "hands", reader, "split")
    sources = [some, SimulatedHands("loose", 2, table("loose", 2), SEED)]
    hands = SourceHands(sources)
    found = [one for first in range(len(hands)) for one in hands[first : first + 1]]
    assert [hand[:3] for hand in found] == [(0, 0, 0), (0, 1, 1), (0, 2, 2), (1, 0, 3), (1, 1, 4)]
    for hand in found:
        read = games("loose", 2)[hand.number]
        assert hand.analysis().replay.decisions == read.replay.decisions


# Scores


def knowing(hidden: Hidden) -> bool:
    """True if the downcards of all are known."""
    return all(pdd.max() == 1.0 for pdd in hidden.pdds.values())


def scripted(turn: Turn, options: Sequence[Option], futures: Futures, rake: HouseRake) -> Rollouts:
    """Rollouts in which a fold is best by the cards that were dealt, a raise by all other reads.

    In three futures, the number by which choices are scored, actions are worth their true value.
    """
    assert rake.share == 0.0
    n = futures.weights.size
    worth = {"fold": 0.0, "check": -100.0, "call": -100.0, "bet": -300.0, "raise": -300.0}
    promise = {**worth, "raise": 500.0, "bet": 500.0}
    seen = worth if n == 3 or knowing(turn.hidden) else promise
    values = np.array([seen[option.action] for option in options])
    nets = np.tile(values, (n, 1)) + np.array([[-7.0], [7.0], [0.0], [0.0]])[:n]
    return Rollouts(tuple(option.action for option in options), nets, np.ones(n))


def test_choices_are_scored_by_the_true_cards() -> None:
    options = ChoiceOptions(rollouts=4, scoring=3, roll_out=scripted)
    met = set()
    for read in games("people"):
        for turn in turns(read):
            legal = [option.action for option in turn.options()]
            if len(legal) == 1:
                continue
            found = scored(turn, read, 0, options)
            worth = {"fold": 0.0, "check": -1.0, "call": -1.0, "bet": -3.0, "raise": -3.0}
            up = next((a for a in legal if a in ("bet", "raise")), None)
            down = "fold" if "fold" in legal else "check" if "check" in legal else "call"
            met.add((turn.taken, up, down))
            units = 100.0 / turn.big_bet
            for who in OBSERVERS:
                there, gain, promised, changed, agrees = found[:, OBSERVERS.index(who)]
                # With all cards known by luck, others choose as if they knew them too.
                view = viewed(turn, read)[who]
                chosen = down if knowing(view.hidden) or up is None else up
                believed = worth if knowing(view.hidden) else {**worth, str(up): 5.0}
                assert there == 1.0
                assert gain == pytest.approx(units * (worth[chosen] - worth[turn.taken]))
                assert promised == pytest.approx(units * (believed[chosen] - believed[turn.taken]))
                assert changed == (chosen != turn.taken)
                assert agrees == (chosen == down)
    assert len({taken for taken, _, _ in met}) >= 4


def test_terms_of_a_run_are_the_same_in_every_process() -> None:
    # An address in memory would keep a run from being resumed.
    for terms in (ChoiceOptions(), SampleOptions(), table("people"), table("loose")):
        assert " at 0x" not in repr(terms)


# Figures


def noise(turn: Turn, options: Sequence[Option], futures: Futures, rake: HouseRake) -> Rollouts:
    """Rollouts of values without any meaning, some of them impossible."""
    assert turn.taken
    assert rake.share == 0.0
    n, rng = futures.weights.size, np.random.default_rng(int(futures.draws[0, 0, 0] * 2**53))
    weights = rng.integers(0, 3, n) + np.eye(n)[0]
    nets = rng.normal(0.0, 1000.0, (n, len(options)))
    return Rollouts(tuple(option.action for option in options), nets, weights / weights.mean())


OPTIONS = ChoiceOptions(decisions=2, rollouts=3, scoring=3, seed=2, roll_out=noise)
SOURCES = [
    SimulatedHands("people players", GAMES, table("people"), SEED),
    SimulatedHands("loose players", 2, table("loose", 2), SEED),
]


@pytest.fixture(scope="module")
def found() -> ReadValue:
    return read_value(SOURCES, OPTIONS)


def test_figures_are_means_over_decisions(found: ReadValue) -> None:
    rows: dict[str, list[np.ndarray]] = {}
    for number, read in enumerate(games("people")):
        for turn in sampled(read, number, OPTIONS):
            rows.setdefault("", []).append(scored(turn, read, number, OPTIONS))
            rows.setdefault(f"{turn.decision.street}B", []).append(rows[""][-1])
    for stage, of in rows.items():
        means = np.mean(of, axis=0)
        for who, column in zip(OBSERVERS, means.T, strict=True):
            for figure, mean in zip((GAIN, PROMISED, CHANGED, AGREES), column[1:], strict=True):
                estimate = found.at(figure, stage, who, "people players")
                assert estimate.mean == pytest.approx(mean)
                assert estimate.n == len(of)
        gains = dict(zip(OBSERVERS, means[1], strict=True))
        above = found.at(ABOVE, stage, READ, "people players").mean
        assert above == pytest.approx(gains[READ] - gains[CARDS_ONLY])
        share = found.at(SHARE, stage, READ, "people players")
        best = found.at(GAIN, stage, ALL_CARDS, "people players")
        assert (share.n > 0) is (best.low > 0.0)
        if share.n:
            assert share.mean == pytest.approx(gains[READ] / gains[ALL_CARDS])
    assert not found.at(GAIN, "", FULL_WEIGHT, "loose players").n


def test_figures_do_not_depend_on_the_parts(found: ReadValue, tmp_path: Path) -> None:
    assert repr(read_value(SOURCES, OPTIONS, Run(workers=2, resume=tmp_path))) == repr(found)
    assert len(list(tmp_path.iterdir())) > 1


def test_text_and_picture(found: ReadValue) -> None:
    text = read_value_text(found)
    assert "nan" not in text
    assert f"people players: {2 * GAMES} decisions of {GAMES} hands" in text
    assert text.count("full weight") == 3  # a row and a column for people, and the legend
    figure = read_value_figure(found)
    labels = [[label.get_text() for label in axes.get_yticklabels()] for axes in figure.axes]
    assert labels == [
        ["cards alone", "the read", "full weight", "all cards"],
        ["cards alone", "the read", "all cards"],
    ]


# The command

FEW = ("--seats", "2", "--rollouts", "2", "--set", "scoring=2", "--workers", "1")


def test_command(tmp_path: Path) -> None:
    file = tmp_path / "value.csv"
    done = run(
        "experiment", "read-value", "--players", "loose", "--games", "2", *FEW, "--csv", str(file)
    )
    assert done.returncode == 0
    assert "loose players: " in done.stdout
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert {row["group"] for row in rows} == {CARDS_ONLY, READ, ALL_CARDS}
    assert {row["about"] for row in rows} == {"loose players"}


def test_command_on_hands_of_files() -> None:
    done = run("experiment", "read-value", "sample_histories/showdown.stud", *FEW)
    assert done.returncode == 0
    assert "decisions of" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--players", "loki"), "has no policies by which hands are played on"),
        (("--players", "nobody"), "no player 'nobody'"),
        (("--rollouts", "0"), "--rollouts"),
        (("--game", "27razz"), "not analyzed"),
    ],
)
def test_command_refuses(words: tuple[str, ...], said: str) -> None:
    done = run("experiment", "read-value", *words)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())
