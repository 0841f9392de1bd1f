"""The value of each action from rollouts, and the cost of the action taken."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import handread
from handread.arrays import Floats
from handread.decisions.decision_values import (
    FEW_REAL,
    REACH,
    SURE,
    DecisionValue,
    Valuation,
    decision_value,
)
from handread.decisions.rollouts import Rollouts, draw_futures
from handread.decisions.turns import Turn, turns
from handread.inference.players import Model, PlayerModels, player_models
from handread.inference.viewpoint import certainty
from handread.policy import Panel, Single, load_policy, spot_kind
from tests.decisions.values import played
from tests.hands import GOLDEN, ROOM_STAKES, hand


def a_call() -> Turn:
    """A decision to call that may be a fold or a raise as well."""
    found = (turn for analysis in played() for turn in turns(analysis) if turn.taken == "call")
    return next(turn for turn in found if len(turn.options) == 3)


def valued(nets: Floats, weights: Floats | None = None, call: float | None = None) -> DecisionValue:
    """The call with these nets of a fold, a call and a raise; ``call`` is its exact value."""
    turn = a_call()
    actions = [option.action for option in turn.options]
    columns = [("fold", "call", "raise").index(action) for action in actions]
    weights = np.ones(len(nets)) if weights is None else weights
    exact = {} if call is None else {"fold": 0.0, "call": call}
    known = [exact.get(action) for action in actions]
    return decision_value(turn, Rollouts(nets[:, columns], weights), known)


@pytest.mark.parametrize("seed", range(5))
def test_a_sure_cost_has_no_error_whatever_the_weights(seed: int) -> None:
    """Rounding left 1e-15, which was shown as an error."""
    nets = np.tile([0.0, -111.1, -222.2], (30, 1))
    value = valued(nets, np.random.default_rng(seed).uniform(0.1, 2.0, 30))
    assert (value.cost, value.error) == (111.1, 0.0)


def test_the_best_action_of_a_half_is_scored_on_the_other() -> None:
    # The first half favours the fold by 30, the second the raise by 20.
    first, second = [[0.0, -30.0, -60.0]] * 5, [[0.0, 40.0, 60.0]] * 5
    value = valued(np.array(first + second))
    assert {one.action: one.q for one in value.actions} == {"fold": 0.0, "call": 5.0, "raise": 0.0}
    assert (value.verdict, value.cost) == ("best", 0.0)
    # The raise is worth 5 less, give or take the scatter of 60 about it, in ten rollouts.
    fold, raised = (value.actions[i].gain for i in (0, 2))
    assert (fold, raised) == (-5.0, -5.0)
    assert value.high == max(one.gain + REACH * one.gain_error for one in value.actions)
    value = valued(np.array(first + [[0.0, 40.0, 90.0]] * 5))
    assert value.best.action == "raise"
    # The fold scores -40 on the second half, the raise -30 on the first.
    assert value.cost == pytest.approx(-35.0)
    assert value.verdict == "close"


def test_a_sure_cost_is_the_difference_of_the_values_and_its_error() -> None:
    rng = np.random.default_rng(1)
    gains = rng.normal(50.0, 20.0, 400)
    nets = np.stack([np.zeros(400), np.full(400, 10.0), 10.0 + gains], axis=1)
    value = valued(nets)
    assert value.cost == pytest.approx(gains.mean())
    assert value.error == pytest.approx(gains.std() / math.sqrt(400), rel=0.02)
    assert (value.verdict, value.best.action) == ("costly", "raise")


def test_a_fold_that_is_exactly_better_than_a_call_leaves_no_doubt() -> None:
    # A raise scatters so much that it may have been the best action.
    raises = np.array([-400.0, 360.0] * 20)
    value = valued(np.stack([np.zeros(40), np.full(40, -50.0), raises], axis=1), call=-50.0)
    assert value.error > value.cost / SURE
    assert (value.best.action, value.least, value.low) == ("fold", 50.0, 50.0)
    assert value.verdict == "costly"
    # Without exact values, rollouts that never differ are still chance.
    assert valued(np.array([[0.0, -50.0, -80.0]] * 10)).least == 0.0


def test_a_half_in_which_the_reads_never_hold_says_nothing() -> None:
    nets = np.array([[0.0, 10.0, 50.0]] * 10)
    weights = np.array([2.0] * 5 + [0.0] * 5)
    value = valued(nets, weights)
    assert {one.action: one.q for one in value.actions} == {
        "fold": 0.0,
        "call": 10.0,
        "raise": 50.0,
    }
    assert (value.cost, value.verdict) == (0.0, "close")
    # The other half says that the raise is worth 40 more.
    assert value.high == pytest.approx(40.0)


def test_a_call_that_won_the_same_in_all_rollouts_moves_a_raise_by_its_error() -> None:
    # The mean of ten times -13.7 with such weights is not -13.7, by a rounding error.
    raises = np.array([-30.0, 5.0] * 5)
    nets = np.stack([np.zeros(10), np.full(10, -13.7), raises], axis=1)
    weights = np.random.default_rng(1).random(10)
    value = valued(nets, weights, call=2.3)
    (raised,) = (one for one in value.actions if one.action == "raise")
    assert raised.q == pytest.approx(weights @ raises / weights.sum() + 16.0)


def test_reads_that_contradict_each_other_are_mixed_with_the_cards() -> None:
    turn = a_call()
    others = [seat for seat in turn.hidden.pdds if seat != turn.seat]
    size = turn.hidden.pdds[others[0]].size
    free = [card for card in range(52) if card not in {*turn.hidden.seen, *turn.down}]
    same = certainty(size, [type(turn.down[0])(card) for card in free[:2]])
    pdds = {**turn.hidden.pdds, **dict.fromkeys(others, same)}
    clash = replace(turn, hidden=replace(turn.hidden, pdds=pdds))
    futures = draw_futures(clash, 40, np.random.default_rng(2))
    assert np.count_nonzero(futures.weights) > 20
    assert np.isfinite(futures.weights).all()


@pytest.mark.thorough
def test_costly_decisions_alone_are_valued_again_by_other_players() -> None:
    # At this table the number of raises has no limit heads-up.
    analysis = handread.analyze(hand(GOLDEN, stakes=ROOM_STAKES), "people-average")
    values = list(Valuation(rollouts=40, check=player_models("loose")).of_hand(analysis))
    assert {value.is_costly for value in values} == {True, False}
    assert [value.checked is not None for value in values] == [v.is_costly for v in values]
    for value in values:
        assert value.checked is None or value.checked.decision == value.decision
    alone = list(Valuation(rollouts=40).of_hand(analysis))
    assert [(one.cost, one.checked) for one in alone] == [(value.cost, None) for value in values]


def test_a_spot_of_few_real_decisions_gets_no_verdict() -> None:
    nets = np.stack([np.zeros(40), np.full(40, 10.0), np.full(40, 50.0)], axis=1)
    value = valued(nets)
    assert (value.real, value.verdict) == (None, "costly")  # a policy without counts says nothing
    few, enough = replace(value, real=FEW_REAL - 1), replace(value, real=FEW_REAL)
    assert (few.verdict, few.is_costly, few.is_mistake) == ("rare", False, False)
    assert (enough.verdict, enough.is_costly) == ("costly", True)
    assert replace(few, checked=value).verdict == "rare"


def test_a_call_that_cannot_win_is_judged_whatever_is_known() -> None:
    price = float(a_call().decision.to_call)
    nets = np.stack([np.zeros(40), np.full(40, -price), np.full(40, -3.0 * price)], axis=1)
    lost = replace(valued(nets, call=-price), real=0)
    assert (lost.is_lost, lost.is_rare, lost.verdict) == (True, False, "costly")
    open_still = replace(valued(nets, call=-0.9 * price), real=0)
    assert (open_still.is_lost, open_still.verdict) == (False, "rare")


def test_nothing_is_known_where_no_policy_explains_an_opponent() -> None:
    turn = a_call()
    rival = next(seat for seat in turn.table.active if seat != turn.seat)
    sighted, blind = load_policy("people-average"), load_policy("uniform")
    assert isinstance(sighted, Single)
    assert isinstance(blind, Single)
    known = PlayerModels(Model(replace(sighted, spots=((spot_kind("stud", turn.decision), 50),))))
    panel = Panel("two", (sighted, blind), (0.5, 0.5))
    players = replace(known, seats={rival: Model(panel)})

    def real(part: float) -> int | None:
        n = turn.belief.pdds[rival].size
        shares = np.stack([np.full(n, 1.0 - part), np.full(n, part)])
        belief = replace(turn.belief, shares={rival: shares})
        return replace(turn, players=players, belief=belief).real

    assert real(0.6) == 0
    assert real(0.4) != 0


def test_the_first_member_of_a_panel_says_how_many_decisions_it_knows() -> None:
    turn = a_call()
    panel = load_policy("panel")
    assert isinstance(panel, Panel)
    first, *rest = panel.members
    counted = replace(first, spots=((spot_kind("stud", turn.decision), 3),))
    known = replace(panel, members=(counted, *rest))
    assert replace(turn, players=PlayerModels(Model(known))).real == 3
    counted = replace(first, spots=(("stud-7-2-bet", 9),))
    assert spot_kind("stud", turn.decision) != "stud-7-2-bet"
    one = PlayerModels(Model(known), {turn.seat: Model(counted)})
    assert replace(turn, players=one).real == 0
    assert turn.real is None or turn.real >= 0


def test_a_cost_is_not_below_what_is_certain() -> None:
    """A raise that looks good in one half of the rollouts lowers no cost that is exact."""
    turn = next(t for t in turns(played(stack=None)[0]) if len(t.options) == 3)
    taken = turn.taken_at
    best, raised = (taken + 1) % 3, (taken + 2) % 3
    nets = np.zeros((200, 3))
    nets[:, taken] = -200.0
    nets[:100, raised], nets[100:, raised] = 100.0, -300.0
    known: list[float | None] = [None, None, None]
    known[taken], known[best] = -200.0, 0.0
    value = decision_value(turn, Rollouts(nets, np.ones(200)), known)
    assert value.cost == value.least == 200.0
