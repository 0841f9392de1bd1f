"""The worth of a read: who knows what, whose choices are scored how, and the figures of sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from docs.site.decision_calibration import SampleOptions, actor_known
from handread.cards import holding_index
from handread.decisions.rollouts import Futures, HouseRake, Rollouts
from handread.decisions.turns import LegalAction, Turn, turns
from handread.inference.analysis import true_holding
from handread.inference.hand_analysis import Analysis
from handread.inference.joint import Hidden
from handread.inference.players import CARDS_ONLY
from handread.inference.readers import as_reader
from handread.papers.bench import read_value as study
from handread.policy import load_policy
from handread.simulate import read_games
from handread.study import decision_samples as samples
from tests.papers.tables import table

PEOPLE = str(Path(__file__).parents[2] / "docs" / "evening.toml")
"""A policy with a likelihood exponent below 1."""

SEED, GAMES = 5, 6


@cache
def games(policy: str, seats: int = 3) -> tuple[Analysis, ...]:
    return tuple(read for _, read in read_games(table(policy, seats), SEED, range(GAMES)))


def certain(hidden: Hidden, seat: int, cards: Sequence[int]) -> bool:
    return float(hidden.pdds[seat][holding_index(tuple(cards))]) == 1.0  # type: ignore[arg-type]


# Observers


def test_who_knows_what() -> None:
    met = 0
    for read in games(PEOPLE):
        for turn in turns(read):
            blind, seer = samples.by_cards_only(turn), samples.by_all_cards(turn, read.replay)
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
                    assert certain(seer.hidden, seat, own)
                assert turn.hidden.pdds[seat].sum() == pytest.approx(1.0)
    assert met > 20


def test_full_weight_is_the_product_of_what_the_policy_says() -> None:
    for read in games(PEOPLE):
        found = dict(samples.full_weight_pdds(read))
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
        found = dict(samples.full_weight_pdds(read))
        for turn in turns(read):
            for seat, pdd in turn.belief.pdds.items():
                assert found[turn.decision.n][seat] == pytest.approx(pdd, abs=1e-12)


def test_full_weight_is_an_observer_of_its_own_only_where_it_differs() -> None:
    for policy, there in ((PEOPLE, True), ("loose", False)):
        read = games(policy, 2)[0]
        assert (samples.FULL_WEIGHT in study.viewed(next(turns(read)), read)) is there


# Decisions


def test_records_that_tell_all() -> None:
    # A game in which somebody folds and others show down.
    read = next(r for r in games(PEOPLE, 4) if len(r.replay.showdown) in (2, 3))
    played = read.replay
    folded = next(iter({1, 2, 3, 4} - set(played.showdown)))
    hero = played.showdown[0]
    assert samples.tells_all(played)
    shown = {seat: played.downcards[seat] for seat in played.showdown}
    logged = replace(played, downcards=shown, history=replace(played.history, hero=hero))
    assert not samples.tells_all(logged)
    assert samples.tells_all(replace(logged, downcards=played.downcards))
    # The hero's own cards tell nothing about those of others.
    own = replace(logged, downcards={folded: played.downcards[folded], **shown})
    assert not samples.tells_all(replace(own, history=replace(played.history, hero=folded)))
    known = {d.seat for d in logged.decisions if actor_known(logged, d)}
    assert known == {hero}
    assert {d.seat for d in played.decisions if actor_known(played, d)} >= set(shown)
    for decision in logged.decisions:
        assert samples.all_known(logged, decision) is (set(decision.active) <= set(shown))
        assert samples.all_known(played, decision)


def test_decisions_are_drawn_without_repetition() -> None:
    read = games(PEOPLE)[0]
    all_of_them = read.replay.decisions
    rng = np.random.default_rng(1)
    drawn = [turn.decision.n for turn in samples.drawn_turns(read, all_of_them, 3, rng)]
    assert len(drawn) == 3
    assert drawn == sorted(set(drawn))
    for n in (0, len(all_of_them) + 5):
        found = [turn.decision for turn in samples.drawn_turns(read, all_of_them, n, rng)]
        assert found == list(all_of_them)
    assert not list(samples.drawn_turns(read, [], 2, rng))


def test_hands_of_several_sources_are_numbered_through(tmp_path: Path) -> None:
    played = [read.replay for read in games("loose", 2)[:3]]
    reader = as_reader(load_policy("loose"))
    some = samples.stored("files", played, tmp_path / "hands", reader, "split")
    sources = [some, samples.simulated("loose", 2, table("loose", 2), SEED)]
    hands = samples.source_hands(sources)
    assert [hand[:3] for hand in hands] == [(0, 0, 0), (0, 1, 1), (0, 2, 2), (1, 0, 3), (1, 1, 4)]
    for hand in hands:
        read = games("loose", 2)[hand.number]
        assert hand.analysis().replay.decisions == read.replay.decisions


# Scores


def knowing(hidden: Hidden) -> bool:
    """True if the downcards of all are known."""
    return all(pdd.max() == 1.0 for pdd in hidden.pdds.values())


def scripted(
    turn: Turn, options: Sequence[LegalAction], futures: Futures, rake: HouseRake
) -> Rollouts:
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
    return Rollouts(nets, np.ones(n))


def test_choices_are_scored_by_the_true_cards() -> None:
    options = study.ChoiceOptions(rollouts=4, scoring=3, roll_out=scripted)
    met = set()
    for read in games(PEOPLE):
        for turn in turns(read):
            legal = [option.action for option in turn.options]
            if len(legal) == 1:
                continue
            found = study.scored(turn, read, 0, options)
            worth = {"fold": 0.0, "check": -1.0, "call": -1.0, "bet": -3.0, "raise": -3.0}
            up = next((a for a in legal if a in ("bet", "raise")), None)
            down = "fold" if "fold" in legal else "check" if "check" in legal else "call"
            met.add((turn.taken, up, down))
            units = 100.0 / turn.big_bet
            for who in study.OBSERVERS:
                there, gain, promised, changed, agrees = found[:, study.OBSERVERS.index(who)]
                # With all cards known by luck, others choose as if they knew them too.
                view = study.viewed(turn, read)[who]
                chosen = down if knowing(view.hidden) or up is None else up
                believed = worth if knowing(view.hidden) else {**worth, str(up): 5.0}
                assert there == 1.0
                assert gain == pytest.approx(units * (worth[chosen] - worth[turn.taken]))
                assert promised == pytest.approx(units * (believed[chosen] - believed[turn.taken]))
                assert changed == (chosen != turn.taken)
                assert agrees == (chosen == down)
    assert len({taken for taken, _, _ in met}) >= 4


def test_a_share_is_that_of_the_gain_with_all_cards() -> None:
    options = study.ChoiceOptions(decisions=0, rollouts=4, scoring=3, roll_out=scripted)
    found = study.read_value([SOURCES[0]], options)
    gain, most = (
        found.at(study.GAIN, "", who, SOURCES[0].name) for who in (samples.READ, samples.ALL_CARDS)
    )
    assert most.low > 0.0
    share = found.at(study.SHARE, "", samples.READ, SOURCES[0].name)
    assert share.mean == pytest.approx(gain.mean / most.mean)


def test_terms_of_a_run_are_the_same_in_every_process() -> None:
    # An address in memory would keep a run from being resumed.
    for terms in (study.ChoiceOptions(), SampleOptions(), table(PEOPLE, 3), table("loose", 3)):
        assert " at 0x" not in repr(terms)


def noise(
    turn: Turn, options: Sequence[LegalAction], futures: Futures, rake: HouseRake
) -> Rollouts:
    """Rollouts of values without any meaning, some of them impossible."""
    assert turn.taken
    assert rake.share == 0.0
    n, rng = futures.weights.size, np.random.default_rng(int(futures.draws[0, 0, 0] * 2**53))
    weights = rng.integers(0, 3, n) + np.eye(n)[0]
    nets = rng.normal(0.0, 1000.0, (n, len(options)))
    return Rollouts(nets, weights / weights.mean())


OPTIONS = study.ChoiceOptions(decisions=2, rollouts=3, scoring=3, seed=2, roll_out=noise)
SOURCES = [
    samples.simulated("people players", GAMES, table(PEOPLE, 3), SEED),
    samples.simulated("loose players", 2, table("loose", 2), SEED),
]


@pytest.fixture(scope="module")
def found() -> study.ReadValue:
    return study.read_value(SOURCES, OPTIONS)


def test_figures_are_means_over_decisions(found: study.ReadValue) -> None:
    rows: dict[str, list[np.ndarray]] = {}
    for number, read in enumerate(games(PEOPLE)):
        for turn in study.sampled(read, number, OPTIONS):
            rows.setdefault("", []).append(study.scored(turn, read, number, OPTIONS))
            rows.setdefault(f"{turn.decision.street}B", []).append(rows[""][-1])
    for stage, of in rows.items():
        means = np.mean(of, axis=0)
        for who, column in zip(study.OBSERVERS, means.T, strict=True):
            for figure, mean in zip(
                (study.GAIN, study.PROMISED, study.CHANGED, study.AGREES), column[1:], strict=True
            ):
                estimate = found.at(figure, stage, who, "people players")
                assert estimate.mean == pytest.approx(mean)
                assert estimate.n == len(of)
        gains = dict(zip(study.OBSERVERS, means[1], strict=True))
        above = found.at(study.ABOVE, stage, samples.READ, "people players").mean
        assert above == pytest.approx(gains[samples.READ] - gains[CARDS_ONLY])
        share = found.at(study.SHARE, stage, samples.READ, "people players")
        best = found.at(study.GAIN, stage, samples.ALL_CARDS, "people players")
        assert (share.n > 0) is (best.low > 0.0)
        if share.n:
            assert share.mean == pytest.approx(gains[samples.READ] / gains[samples.ALL_CARDS])
    assert not found.at(study.GAIN, "", samples.FULL_WEIGHT, "loose players").n
