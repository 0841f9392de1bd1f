"""Laws of policies and panels: forecasts sum to 1, who ignores the cards tells nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handread.game.replay import replay
from handread.history import History
from handread.inference.analysis import analyze_replay
from handread.inference.observer import TIE_RULES, deal, observe
from handread.inference.players import Model, PlayerModels
from handread.inference.readers import as_reader, read_hand
from handread.policy import LogitPolicy, Panel, Policy, RampPolicy, legal_actions
from tests.beliefs import relabelled, updates_of
from tests.examples import examples
from tests.hands import GOLDEN, hand, random_hand
from tests.policies import DEFAULT, SMOOTH, TEMPERED, UNIFORM, UNLIKE, weights
from tests.strategies import legal_hands

SPLIT = TIE_RULES["split"]


@given(legal_hands())
@example(random_hand(14613, n_players=8))
@examples(3)
def test_probabilities_stay_probabilities(history: History) -> None:
    for seen in read_hand(as_reader(PlayerModels(Model(UNLIKE))), replay(history), SPLIT):
        for belief in (seen.dealt, seen.after):
            for seat, shares in belief.shares.items():
                assert shares.min() >= 0
                assert np.allclose(shares.sum(axis=0), 1.0, rtol=0, atol=1e-9)
                assert belief.pdds[seat].sum() == pytest.approx(1.0, abs=1e-12)
        for update in seen.updates:
            assert 0 < update.evidence <= 1
            assert float(update.before @ update.action_probs) == pytest.approx(update.evidence)
            assert float(update.before @ update.likelihood) == pytest.approx(update.evidence)


@given(legal_hands(), st.sampled_from([DEFAULT, SMOOTH, TEMPERED, UNIFORM]))
@examples(3)
def test_a_panel_of_one_is_the_policy(history: History, policy: RampPolicy | LogitPolicy) -> None:
    alone = updates_of(history, policy)
    panel = updates_of(history, Panel("one", (policy,), (1.0,)))
    for one, other in zip(alone, panel, strict=True):
        assert one.evidence == other.evidence
        assert (one.after == other.after).all()
        assert (one.likelihood == other.likelihood).all()
        assert one.shares is None
        assert other.shares is not None
        assert (other.shares == 1.0).all()


@given(legal_hands(), st.sampled_from([DEFAULT, TEMPERED]))
@examples(3)
def test_members_alike_keep_their_prior(history: History, policy: RampPolicy | LogitPolicy) -> None:
    twins = (policy, replace(policy, name="its twin"))
    alone = updates_of(history, policy)
    panel = updates_of(history, Panel("two", twins, (0.3, 0.7)))
    for one, other in zip(alone, panel, strict=True):
        assert other.evidence == pytest.approx(one.evidence, abs=1e-12)
        assert np.allclose(other.after, one.after, rtol=0, atol=1e-12)
        assert other.shares is not None
        assert other.shares @ other.after == pytest.approx([0.3, 0.7], abs=1e-12)


@given(legal_hands())
@examples(3)
def test_who_ignores_the_cards_gives_away_nothing_at_all(history: History) -> None:
    by_rule = replace(SMOOTH, bet=weights(constant=1.0), fold=weights(price=2.0), raise_=weights())
    smooth_and_blind = Panel("blind", (UNIFORM, by_rule), (0.5, 0.5))
    assert not smooth_and_blind.explains(np.array([0.5, 0.5]))
    for policy in (UNIFORM, by_rule, replace(by_rule, likelihood_exponent=0.3)):
        read = analyze_replay(replay(history), policy)
        assert [action.information_bits for action in read.actions] == [0.0] * len(read.actions)
        assert {action.truth_bits for action in read.actions} <= {0.0, None}
        for stage in read.stages:
            if stage.stage.endswith("B"):
                assert {seat.news_bits for seat in stage.seats.values()} <= {0.0}
    # The shares of several members are rounded holding by holding.
    for update in updates_of(history, smooth_and_blind):
        assert update.information_bits == pytest.approx(0.0, abs=1e-12)


@given(legal_hands(), st.sampled_from([TEMPERED, UNLIKE]))
@examples(3)
def test_what_could_be_done_adds_up_to_1(history: History, policy: Policy) -> None:
    """With an exponent, too, the evidences of all legal actions add up to 1."""
    belief = None
    for street in replay(history).streets:
        belief, _ = deal(belief, street)
        for decision in street.decisions:
            actions = legal_actions(decision)
            each = [replace(decision, action=action) for action in actions]
            done = [observe(belief, one, Model(policy), SPLIT) for one in each]
            assert sum(update.evidence for _, update in done) == pytest.approx(1.0, abs=1e-12)
            belief, _ = done[actions.index(decision.action)]


def line_evidence(history: History, seat: int, policy: Policy) -> float:
    """P(what a seat did, and that the cards that fell before were not its own), by one policy."""
    who = PlayerModels(Model(UNIFORM), {seat: Model(policy)})
    bits = until_action = 0.0
    for seen in read_hand(as_reader(who), replay(history), SPLIT):
        until_action += seen.news.get(seat, 0.0)
        for update in seen.updates:
            if update.decision.seat == seat:
                bits += until_action + update.surprise_bits
                until_action = 0.0
    return 2.0**-bits


@given(legal_hands())
@example(hand(GOLDEN))
@examples(3)
def test_the_evidence_of_each_member_decides_among_them(history: History) -> None:
    """Whatever their exponents: prior times evidence of the member alone, among blind others."""
    seat = replay(history).streets[0].active_after[0]
    read = analyze_replay(replay(history), PlayerModels(Model(UNIFORM), {seat: Model(UNLIKE)}))
    members = zip(UNLIKE.prior, UNLIKE.members, strict=True)
    alone = [prior * line_evidence(history, seat, member) for prior, member in members]
    for shares in read.members.values():
        assert shares == pytest.approx(np.array(alone) / sum(alone), rel=1e-6)


@pytest.mark.parametrize("policy", [SMOOTH, UNLIKE], ids=["smooth", "unlike"])
@given(history=legal_hands(), suits=st.permutations(range(4)))
@examples(3)
def test_suits_are_names_to_smooth_policies_too(
    policy: Policy, history: History, suits: list[int]
) -> None:
    played = replay(history)
    same_seats = {seat.number: seat.number for seat in history.seats}
    here = analyze_replay(played, policy)
    there = analyze_replay(relabelled(played, same_seats, suits), policy)
    for ours, theirs in zip(here.actions, there.actions, strict=True):
        assert theirs.evidence == pytest.approx(ours.evidence, abs=1e-9)
        assert theirs.information_bits == pytest.approx(ours.information_bits, abs=1e-9)
    for seat, shares in here.members.items():
        assert there.members[seat] == pytest.approx(shares, abs=1e-9)
