"""Laws of what is believed: probabilities sum to 1, bits add up, names do not matter."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handread.game.replay import replay
from handread.game.rules import Stakes
from handread.history import History
from handread.inference.analysis import analyze_replay
from handread.inference.observer import TIE_RULES, chances_to_win, deal, observe
from handread.inference.players import Model
from handread.inference.viewpoint import on_street
from handread.odds.htpd import PAIR_CARDS
from handread.policy import Ramp, RampPolicy, load_policy
from tests.beliefs import assert_no_nan, observed, plain_without, relabelled
from tests.examples import examples
from tests.hands import random_hand
from tests.strategies import STAKES, legal_hands

SPLIT = TIE_RULES["split"]
DEFAULT = load_policy("default")
TIPSY = DEFAULT.with_lapse(0.05)
FLAT = RampPolicy("flat", Ramp(0, 1, 0.4, 0.4), Ramp(0, 1, 0.3, 0.3), Ramp(0, 1, 0.2, 0.2))


@given(legal_hands())
@examples(5)
def test_bits_on_the_truth_add_up(history: History) -> None:
    """From even odds on 3D to 6B over pairs, and from 7D to 7B over triples."""
    played = replay(history)
    read = analyze_replay(played, TIPSY)
    pairs_at_first = math.comb(52 - len(played.streets[0].active), 2)
    shared = any(street.shared is not None for street in played.streets)
    last = {"7D", "7B"} if not shared else set()
    for seat in played.streets[0].active:
        total = 0.0
        at_7d = 0.0
        for stage in (stage for stage in read.stages if seat in stage.seats):
            street, deal = int(stage.stage[0]), stage.stage[1] == "D"
            truth = stage.seats[seat].truth
            assert truth is not None
            if deal and stage.stage not in last:
                total += stage.seats[seat].news_bits
            if not deal:
                total += sum(
                    action.truth_bits or 0.0
                    for action in read.actions
                    if (action.decision.street, action.decision.seat) == (street, seat)
                )
            if stage.stage == "7D" and stage.stage in last:
                total, at_7d = 0.0, math.log2(truth.probability)
            before = at_7d if stage.stage in last else -math.log2(pairs_at_first)
            assert total == pytest.approx(math.log2(truth.probability) - before, abs=1e-9)


@given(legal_hands())
@examples(4)
def test_scores_and_ranks_of_the_truth(history: History) -> None:
    for stage in analyze_replay(replay(history), TIPSY).stages:
        for read in stage.seats.values():
            assert read.truth is not None
            assert read.live <= read.truth.live
            cards_only_pdd = 1 / read.truth.live
            assert read.truth.score_bits == pytest.approx(
                math.log2(read.truth.probability / cards_only_pdd)
            )
            assert 1 <= read.truth.rank <= read.truth.live
            # Equal probabilities may differ by a rounding error, which depends on the processor.
            likelier = (read.pdd > read.truth.probability * (1 + 1e-9)).sum()
            as_likely = (read.pdd >= read.truth.probability * (1 - 1e-9)).sum()
            assert likelier + 1 <= read.truth.rank <= as_likely
            assert read.pairs.sum() == pytest.approx(1.0, abs=1e-9)
            assert read.entropy_bits <= math.log2(read.truth.live) + 1e-9


@pytest.mark.parametrize("stakes", STAKES, ids=["saund", "room"])
@given(data=st.data())
@examples(2)
def test_chances_to_win_sum_to_1_and_nothing_is_nan(stakes: Stakes, data: st.DataObject) -> None:
    history = data.draw(legal_hands([stakes]))
    read = analyze_replay(replay(history), DEFAULT)
    assert_no_nan(read)
    for stage in read.stages:
        assert stage.omniscient is not None
        for chances in (stage.cards_only, stage.bet_inference, stage.omniscient):
            assert tuple(chances) == stage.active
            assert sum(chances.values()) == pytest.approx(1.0)
            assert min(chances.values()) >= 0


@given(legal_hands(), st.permutations(range(1, 9)), st.permutations(range(4)))
@examples(4)
def test_seats_and_suits_are_names(history: History, numbers: list[int], suits: list[int]) -> None:
    played = replay(history)
    seats = dict(enumerate(numbers, start=1))
    here = analyze_replay(played, TIPSY)
    there = analyze_replay(relabelled(played, seats, suits), TIPSY)
    evidence = [action.evidence for action in here.actions]
    assert [action.evidence for action in there.actions] == pytest.approx(evidence, abs=1e-9)
    for ours, theirs in zip(here.stages, there.stages, strict=True):
        for name in ("cards_only", "bet_inference", "omniscient"):
            for seat, p in getattr(ours, name).items():
                assert getattr(theirs, name)[seats[seat]] == pytest.approx(p, abs=1e-9)
        for seat, read in ours.seats.items():
            other = theirs.seats[seats[seat]]
            assert other.entropy_bits == pytest.approx(read.entropy_bits, abs=1e-9)
            assert np.allclose(other.htpd, read.htpd, rtol=0, atol=1e-9)
            assert read.truth is not None
            assert other.truth is not None
            assert other.truth.probability == pytest.approx(read.truth.probability, abs=1e-9)


@given(legal_hands())
@examples(5)
def test_everything_sums_to_1(history: History) -> None:
    beliefs, updates = observed(replay(history).streets, DEFAULT.with_lapse(0.05))
    for belief in beliefs:
        for seat, pdd in belief.pdds.items():
            assert pdd.min() >= 0
            assert pdd.sum() == pytest.approx(1.0, abs=1e-12)
            assert belief.htpds[seat].min() >= 0
            assert belief.htpds[seat].sum() == pytest.approx(1.0, abs=1e-9)
        assert sum(chances_to_win(belief.htpds, SPLIT).values()) == pytest.approx(1.0)
    for update in updates:
        assert 0 < update.evidence <= 1 + 1e-12
        assert 0 <= update.information_bits < math.inf


@given(legal_hands())
@examples(4)
def test_actions_that_depend_on_no_cards_teach_nothing(history: History) -> None:
    streets = replay(history).streets
    for blind in (FLAT, DEFAULT.with_lapse(1.0)):
        beliefs, updates = observed(streets, blind)
        assert [update.information_bits for update in updates] == pytest.approx(
            [0.0] * len(updates), abs=1e-12
        )
        for seat, pdd in beliefs[-1].pdds.items():
            even = beliefs[-1].hands[seat].uniform
            assert np.allclose(pdd, even, rtol=0, atol=1e-12)


@given(legal_hands())
@examples(4)
def test_one_action_moves_one_seat(history: History) -> None:
    streets = replay(history).streets
    belief = None
    for street in streets:
        belief, _ = deal(belief, street)
        for decision in street.decisions:
            after, _ = observe(belief, decision, Model(DEFAULT), SPLIT)
            others = [seat for seat in after.pdds if seat != decision.seat]
            assert all(after.pdds[seat] is belief.pdds[seat] for seat in others)
            assert (decision.seat in after.pdds) == (decision.action != "fold")
            belief = after


@given(legal_hands(deepest=(None,)))
@example(random_hand(14613, n_players=8))  # eight players share the last card
@examples(3)
def test_what_is_known_of_the_first_two_downcards_survives_the_last(history: History) -> None:
    """Pairs from 6B to 7D: the marginal of the lifted pdd is the pdd that was lifted.

    A shared last card lies face up and takes out the pairs that hold it; no other card does.
    """
    streets = replay(history).streets
    shared = streets[-1].shared
    live = np.ones(len(PAIR_CARDS)) if shared is None else (PAIR_CARDS != shared).all(axis=1)
    beliefs, _ = observed(streets, DEFAULT.with_lapse(0.05))
    for before, after in pairwise(beliefs):
        if (before.street, after.street) == (6, 7):
            for seat, pdd in after.pdds.items():
                pairs = after.hands[seat].pair_marginal(after.first_two[seat], pdd)
                expected = before.pdds[seat] * live
                assert np.allclose(pairs, expected / expected.sum(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("stakes", STAKES, ids=["saund", "room"])
@given(data=st.data(), which=st.integers(0, 7))
@examples(2)
def test_a_seat_knows_its_own_cards_and_the_rest_in_public(
    stakes: Stakes, data: st.DataObject, which: int
) -> None:
    played = replay(data.draw(legal_hands([stakes])))
    me = sorted(played.downcards)[which % len(played.downcards)]
    policy = DEFAULT.with_lapse(0.05)
    public = analyze_replay(played, policy)
    mine = analyze_replay(played, policy, f"seat:{me}")
    for ours, theirs in zip(mine.stages, public.stages, strict=True):
        street = int(ours.stage[0])
        own = on_street(played.downcards[me], street)
        for seat, read in ours.seats.items():
            if seat == me:
                assert read.pdd.max() == read.pdd.sum() == 1.0
            else:
                expected = plain_without(theirs.seats[seat].pdd, own)
                assert np.allclose(read.pdd, expected, rtol=0, atol=1e-12)


@given(legal_hands())
@examples(3)
def test_the_omniscient_reader_is_the_reference(history: History) -> None:
    read = analyze_replay(replay(history), DEFAULT.with_lapse(0.05), "omniscient")
    for stage in read.stages:
        assert stage.omniscience == "full"
        assert stage.bet_inference == pytest.approx(stage.omniscient, abs=1e-12)
        assert stage.cards_only == pytest.approx(stage.omniscient, abs=1e-12)
