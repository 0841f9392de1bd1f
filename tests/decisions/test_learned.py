"""Learned values: states, terms, files, and decisions valued by them."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import handread
from handread.cards import holding_index
from handread.decisions.decision_values import SURE, LearnedValuation
from handread.decisions.hand_values import hand_values
from handread.decisions.learned import CHANCES, USUAL_SIZE, bands, has_values, learned_values
from handread.decisions.ledger import changes
from handread.decisions.rollouts import HouseRake
from handread.decisions.states import (
    BY_STREET,
    KINDS,
    NUMBERS,
    HandTurns,
    State,
    States,
    _open_pots,
    expanded,
)
from handread.decisions.turns import turns
from handread.game.replay import replay
from handread.game.rules import VARIANTS
from handread.history import Action, Wager
from handread.inference.analysis import analyze_replay
from handread.inference.players import parse_seats, player_models
from handread.inference.readers import PolicyReader
from handread.inference.viewpoint import on_street
from handread.policy import PolicyError, load_policy
from tests.benchmarks.costs import compared
from tests.decisions.values import PLAYERS, invented, played
from tests.hands import GOLDEN, hand


def test_the_share_of_the_pot_is_that_of_equation_1() -> None:
    for analysis in played():
        states = States(analysis.ties)
        for turn in turns(analysis):
            state = states.of(turn.table, turn.belief, turn.seat, turn.down)
            chance = turn.expected.chances[holding_index(turn.down)]
            assert state.numbers[NUMBERS.index("chance")] == pytest.approx(chance)
            assert state.share == pytest.approx(chance * turn.table.pot)


def test_pots_are_the_side_pots_that_a_seat_can_win() -> None:
    split = 0
    for analysis in played(n=4, stack=100, games=4):
        for step in analysis.replay.steps:
            table = step.after
            if not table.betting_over or len(table.active) < 2:
                continue
            for seat in table.active:
                ours = [pot.amount for pot in table.pots if seat in pot.seats]
                found = _open_pots(table, seat)
                assert sum(amount for amount, _ in found) == sum(ours)
                assert set(found[0][1]) == set(table.active)
                split += len(ours) > 1
    assert split


def test_the_kinds_of_states_follow_the_play() -> None:
    met = set()
    for analysis in played():
        states = States(analysis.ties)
        for change in changes(analysis):
            table = change.table
            if len(table.active) < 2 or table.bring_in_due:
                continue
            for seat in table.active:
                down = on_street(analysis.replay.downcards[seat], table.street)
                state = states.of(table, change.belief, seat, down)
                met.add(state.kind)
                assert np.isfinite(state.numbers).all()
                assert state.scale > 0
                if change.seat == seat and not table.betting_over:
                    raised = table.past[-1].action in (Action.BET, Action.RAISE)
                    assert state.kind == ("raised" if raised else "called")
                assert (state.kind == "over") == table.betting_over
    assert met == set(KINDS)


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        # 4th street: seat 2 opens the betting, then seat 1 after its check, who raised on 3rd
        (0, {"to_call": 0, "owed": 0, "to_act": 1, "fresh": 1, "led_by_other": 1, "raises": 0}),
        (1, {"to_call": 0, "owed": 0, "to_act": 0, "leads": 1, "led_by_other": 0, "raises": 0}),
        # 5th street: seat 2 has checked and seat 1 bet 2.00, then seat 2 has raised to 4.00
        (4, {"to_call": 200, "owed": 0, "to_act": 0, "led_by_other": 1, "raises": 1 / 4}),
        (5, {"to_call": 200, "owed": 0, "to_act": 0, "led_by_other": 1, "raises": 2 / 4}),
    ],
)
def test_the_numbers_of_states_of_the_golden_hand(n: int, expected: dict[str, float]) -> None:
    analysis = handread.analyze(hand(GOLDEN), "default")
    turn = [turn for turn in turns(analysis) if turn.table.street >= 4][n]
    state = States(analysis.ties).of(turn.table, turn.belief, turn.seat, turn.down)
    found = dict(zip(NUMBERS, state.numbers.tolist(), strict=True))
    for name in ("to_call", "owed", "pot", "later"):
        found[name] *= state.scale
    always = {"fresh": 0, "closed": 0, "own_turn": 1, "leads": 0, "others": 1 / 7, "all_in": 0}
    always |= {"pot": turn.table.pot, "later": 200 * (7 - turn.table.street)}
    always |= {"raises_left": 1 - expected["raises"], "second_other": 0}
    expected = always | expected
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_terms_are_products_and_those_of_the_streets() -> None:
    numbers = np.random.default_rng(1).normal(size=(6, len(NUMBERS)))
    streets = np.array([0, 1, 2, 3, 4, 0])
    found = expanded(numbers, streets, 5)
    for row, (a, street) in enumerate(zip(numbers, streets, strict=True)):
        of = dict(zip(NUMBERS, a, strict=True))
        linear = [1.0, *a]
        products = [a[i] * a[j] for i in range(a.size) for j in range(i, a.size)]
        by_street = [x if street == k else 0.0 for k in range(4) for x in linear]
        more = [of["chance"] ** 3, *(of["chance"] * of[name] for name in BY_STREET)]
        last = [x if street == k else 0.0 for k in range(5) for x in more]
        assert found[row] == pytest.approx([*linear, *products, *by_street, *last])


def test_the_shift_is_the_same_for_like_states_of_a_street() -> None:
    learned, shifts = invented(), {}
    for analysis in played():
        states = States(analysis.ties)
        for turn in turns(analysis):
            state = states.of(turn.table, turn.belief, turn.seat, turn.down)
            shift = learned.of_state(state) - learned.of_state(state, in_play=False)
            fresh = state.numbers[NUMBERS.index("fresh")]
            place = state.kind, state.street, fresh
            assert shifts.setdefault(place, shift / state.scale) == pytest.approx(
                shift / state.scale
            )
    assert len(shifts) > 4


def test_values_are_exact_after_folds_and_before_the_bring_in() -> None:
    learned, analysis = invented(), played()[0]
    states = States(analysis.ties)
    first = next(changes(analysis))
    owner = first.table.may_act[0]
    down = analysis.replay.downcards[owner][:2]
    assert first.table.bring_in_due
    posted = first.table.play(Wager(owner, Action.BRING_IN))
    due = learned.value(states, first.table, first.belief, owner, down)
    after = learned.value(states, posted, first.belief, owner, down)
    assert due == pytest.approx(after - analysis.replay.stakes.bring_in)
    for change in changes(analysis):
        for player in change.table.players:
            if player.folded:
                assert learned.value(states, change.table, change.belief, player.seat, ()) == 0.0


def test_a_file_restores_the_values(tmp_path: Path) -> None:
    learned = invented()
    file = tmp_path / "values.json"
    file.write_text(json.dumps(learned.record()))
    again = learned_values(PLAYERS, "stud", file)
    assert again.record() == learned.record()
    file.write_text("{}")
    with pytest.raises(PolicyError, match="not learned values of this version"):
        learned_values(PLAYERS, "stud", file)


def test_policies_without_values_are_named() -> None:
    loose = player_models("loose")
    with pytest.raises(PolicyError, match="no values have been learned for the policy 'loose'"):
        learned_values(loose, "stud")
    analysis = replace(played()[0], reader=PolicyReader(loose))
    values = hand_values(analysis, LearnedValuation(invented()))
    assert values.ledgers


def test_learned_decisions_have_the_values_of_their_options() -> None:
    learned, analysis = invented(), played()[0]
    found = list(LearnedValuation(learned).of_hand(analysis))
    assert len(found) == len(analysis.replay.decisions)
    for value, turn in zip(found, turns(analysis), strict=True):
        q = {one.action: one.q for one in value.actions}
        if "fold" in q:
            assert q["fold"] == 0.0
        states = States(analysis.ties)
        for option in turn.options:
            paid = option.table.player(turn.seat).paid - turn.table.player(turn.seat).paid
            if option.action != "fold" and not option.table.is_over:  # those are exact
                state = states.of(option.table, option.belief, turn.seat, turn.down)
                worth = learned.of_state(state, in_play=False)
                assert q[option.action] == pytest.approx(worth - paid)
        assert value.cost == pytest.approx(max(q.values()) - q[turn.taken])
        assert value.rollouts == 0
        assert value.taken.gain == value.taken.gain_error == 0.0
        for one in value.actions:
            assert one.gain == pytest.approx(one.q - value.taken.q)
            assert one.error > 0.0 or one.action in ("fold", "check", "call")


CERTAIN = """
    1a 2a
    3: 1=2c.3d/5h 2=Ah.Qh/Ad  1B 2r 1c
    4: 1=7s 2=As  2b 1c
    5: 1=9c 2=Ac  2b 1c
    6: 1=Jd 2=Kd  2b 1c
    7: 1=8h/ 2=Jc/  """


@pytest.mark.parametrize(("last", "caller", "net"), [("2b 1c", 1, -200), ("2k 1b 2c", 2, None)])
def test_a_last_call_that_is_certain_has_no_error(last: str, caller: int, net: int | None) -> None:
    """Seat 1 cannot beat the aces on the board; what a raise leads to stays open."""
    analysis = analyze_replay(replay(hand(CERTAIN + last)), load_policy("people"))
    value = list(LearnedValuation(invented(), rake=HouseRake()).of_hand(analysis))[-1]
    (turn,) = [turn for turn in turns(analysis) if turn.decision == value.decision]
    _, call, raised = value.actions
    assert (turn.seat, call.action, call.error) == (caller, "call", 0.0)
    assert call.q == pytest.approx(turn.table.pot if net is None else net)
    assert raised.error > 0.0


def test_rake_lowers_every_action_but_a_fold() -> None:
    learned, analysis = invented(), played()[0]
    free = LearnedValuation(learned, rake=HouseRake()).of_hand(analysis)
    raked = LearnedValuation(learned, rake=HouseRake(0.1)).of_hand(analysis)
    for one, other in zip(free, raked, strict=True):
        for a, b in zip(one.actions, other.actions, strict=True):
            assert (b.q < a.q) == (a.action != "fold")


def test_seats_narrow_the_values_of_a_hand() -> None:
    analysis = played()[0]
    seat = analysis.replay.decisions[0].seat
    values = hand_values(analysis, LearnedValuation(invented()), {seat})
    assert set(values.ledgers) == {seat}
    assert {value.decision.seat for value in values.decisions} == {seat}


FILES = sorted(Path(handread.__file__).parent.glob("policies/values/*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_included_values_are_those_of_their_policy(file: Path) -> None:
    record = json.loads(file.read_text(encoding="utf-8"))
    players = player_models(record["policy"]).in_game(record["game"])
    learned = learned_values(players, record["game"])
    assert learned.record() == record
    assert file.stem == f"{learned.policy}-{learned.game}"
    assert set(learned.kinds) == set(KINDS)
    streets = len(VARIANTS[record["game"]].streets)
    for errors in learned.errors.values():
        assert errors.shape == (streets, len(CHANCES) + 1)
        assert 0.0 < errors.min() <= errors.max() < 0.6
    assert learned.made["plan"]["games"] >= 1000
    assert learned.made["called_r2"] > 0.9
    assert learned.made["command"].startswith("handread fit --values ")


def test_once_the_betting_is_over_nobody_wins_more_than_the_pot_or_loses_more() -> None:
    learned = learned_values(player_models("people"), "stud")
    numbers = np.zeros(len(NUMBERS))
    numbers[NUMBERS.index("pot")] = 0.5
    for share in (-900.0, 900.0):
        state = State("over", 4, share, 200.0, numbers)
        assert learned.of_state(state) == (0.0 if share < 0 else 100.0)
    for share, certain in ((0.0, True), (50.0, False), (100.0, True)):
        assert State("over", 4, share, 200.0, numbers).is_certain is certain


def test_learned_values_are_for_players_of_one_policy() -> None:
    mixed = parse_seats(player_models("people").rest, ["2=loose"])
    assert not has_values(mixed, "stud")
    with pytest.raises(PolicyError, match="all players follow one policy"):
        learned_values(mixed, "stud")
    assert has_values(parse_seats(player_models("people").rest, ["2=people"]), "stud")


def test_errors_grow_with_the_pot_and_the_distance_from_the_fit() -> None:
    weights = invented().kinds["called"]
    usual = weights.centre.copy()
    place = NUMBERS.index("size")
    usual[place] = math.log(USUAL_SIZE)
    weights = replace(weights, centre=usual)
    assert weights.stretch(usual) == 1.0
    large = usual.copy()
    large[place] = math.log(4.0 * USUAL_SIZE)
    assert weights.stretch(large) == pytest.approx(2.0)
    far = usual.copy()
    far[NUMBERS.index("chance")] += math.sqrt(len(NUMBERS) * 7.0)
    assert weights.stretch(far) == pytest.approx(2.0)


def test_errors_are_those_of_the_street_and_of_the_chance_to_win() -> None:
    assert bands(np.array([0.0, 0.049, 0.05, 0.3, 0.8, 0.81, 1.0])).tolist() == [
        0,
        0,
        0,
        2,
        3,
        4,
        4,
    ]
    learned, turns_of = learned_values(player_models("people"), "stud"), HandTurns.of(played()[0])
    for turn in turns_of.turns:
        found = learned.of_turn(turns_of.states, turn, HouseRake())
        for place, option in enumerate(turn.options):
            if found.errors[place] == 0.0:
                continue
            state = turns_of.states.of(option.table, option.belief, turn.seat, turn.down)
            cell = state.street, sum(state.numbers[0] > edge for edge in CHANCES)
            name = "raised" if state.kind == "raised" else "called"
            unit = learned.kinds[state.kind].stretch(state.numbers)
            unit *= math.sqrt(state.scale * turn.big_bet)
            assert found.errors[place] == pytest.approx(learned.errors[name][cell] * unit)
            assert found.apart[place] == pytest.approx(learned.errors["gain"][cell] * unit)


@pytest.mark.dear("a thousand rollouts of each of some decisions")
@pytest.mark.parametrize("game", ["stud", "stud8", "razz", "5stud"])
def test_a_thousand_rollouts_reverse_no_decision_called_costly(game: str) -> None:
    """Nor do they say anything else than the estimate, within its errors."""
    off = []
    for value, again in compared(game, 6):
        better = next(one for one in again.actions if one.action == value.best.action)
        assert better.gain > -SURE * better.gain_error
        error = math.hypot(better.gain_error, value.best.gain_error)
        off.append((better.gain - value.best.gain) / error)
    assert max(map(abs, off)) < 4.0
    assert np.mean(np.square(off)) < 4.0
