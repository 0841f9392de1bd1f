"""The fit of learned values, and the check that luck has mean 0."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from handread.decisions.learned import CHANCES, LearnedValues
from handread.decisions.rollouts import Futures, HouseRake, Rollouts
from handread.decisions.states import KINDS
from handread.decisions.turns import LegalAction, Turn
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.inference.players import player_models
from handread.simulate import Setup, seated, watched_games
from handread.study.fit.learned_values import (
    CALLED,
    LEAST_ERROR,
    OF_ALL,
    RAISED,
    WAITING,
    _ridge,
    _ValueFit,
    fit_values,
)
from handread.study.fit.value_games import (
    GameData,
    ValuesPlan,
    _exact_pdds,
    game_data,
    random_setup,
)

PLAYERS = player_models("people-average")
PLAN = ValuesPlan(
    games=6,
    showdowns=6,
    draws=5,
    played_on=6,
    decisions=3,
    rollouts=12,
    rounds=25,
    penalties=(10.0, 300.0),
)


def pretended(
    turn: Turn, options: Sequence[LegalAction], futures: Futures, rake: HouseRake
) -> Rollouts:
    """Rollouts in which a call wins half the pot, and a raise a big bet more."""
    assert rake == HouseRake()
    half = turn.table.pot / 2.0
    of = {"fold": 0.0, "check": half, "call": half, "bet": half, "raise": half}
    more = [200.0 * (option.action in ("bet", "raise")) for option in options]
    noise = 100.0 * (futures.draws[:, 0, :1] - 0.5)
    nets = np.array([of[o.action] for o in options]) + more + noise
    return Rollouts(nets, futures.weights)


@pytest.fixture(scope="module")
def data() -> GameData:
    return game_data(PLAYERS, STUD, PLAN, pretended)


@pytest.fixture(scope="module")
def fit(data: GameData) -> _ValueFit:
    fit = _ValueFit(data, len(STUD.streets), PLAN)
    fit.acted()
    fit.to_results()
    fit.agree()
    fit.waiting()
    return fit


@pytest.mark.parametrize("game", [STUD, STUD8, RAZZ, FIVE_STUD], ids=lambda game: game.key)
def test_games_are_played_at_legal_tables(game: Variant) -> None:
    setups = [random_setup(PLAYERS, game, 1, number) for number in range(40)]
    assert len({len(setup.seats) for setup in setups}) > 4
    assert any(seat.stack is None for setup in setups for seat in setup.seats)
    assert any(seat.stack is not None for setup in setups for seat in setup.seats)


@pytest.mark.thorough
def test_states_lead_to_a_later_value_of_their_game(data: GameData) -> None:
    games = np.array(data.games)
    assert {state.kind for state in data.states} == set(KINDS)
    part_of: dict[int, set[int]] = {}
    for node, state, _ in data.parts:
        part_of.setdefault(node, set()).add(data.games[state])
    for state, node, _ in data.follows:
        assert part_of.get(node, {games[state]}) == {games[state]}
    weights = np.zeros(len(data.constants))
    for node, _, weight in data.parts:
        weights[node] += weight
    assert weights.max() <= 1.0 + 1e-9


def test_rollouts_are_kept_with_their_noise(data: GameData) -> None:
    for (_, called, raised), (passive, active), noise in zip(
        data.after, data.values, data.noise, strict=True
    ):
        assert called >= 0 or raised >= 0
        if called >= 0 and raised >= 0:
            # The value after an action is the net, and what the action put in.
            assert active > passive
            assert noise[2] == pytest.approx(0.0, abs=1e-12)
        assert max(noise[0], noise[1] if raised >= 0 else 0.0) < 0.01


def test_draws_before_a_showdown_share_the_pot(data: GameData) -> None:
    games: dict[int, list[tuple[float, float]]] = {}
    for state, value, weight in data.shown:
        assert data.states[state].kind == "over"
        games.setdefault(data.games[state], []).append((value, weight))
    assert games
    for found in games.values():
        values, weights = np.array(found).T
        players = round(weights.sum())
        assert weights.sum() == pytest.approx(players)
        assert players >= 2
        pot = max(values.max(), values @ weights)
        assert values @ weights == pytest.approx(pot)


def test_exact_pdds_are_those_of_a_read_without_exponent() -> None:
    players = player_models("default")
    for read in watched_games(Setup(players, seated(players, 3)), 2, range(4)):
        exact = _exact_pdds(read)
        after = read.observed[-1].after
        assert set(exact) == {seat.number for seat in read.replay.history.seats}
        for seat, pdd in after.pdds.items():
            assert exact[seat] == pytest.approx(pdd, abs=1e-12)


def test_the_means_of_values_agree_with_what_they_lead_to(fit: _ValueFit) -> None:
    for kind in (RAISED, CALLED, WAITING):
        rows, targets = fit._targets(kind)
        apart = targets - fit.value(rows)
        for street in np.unique(fit.street[rows]):
            own = fit.street[rows] == street
            assert abs(apart[own].mean()) < 0.03, (KINDS[kind], street)


def test_ridge_regression_shrinks_all_but_the_free_terms() -> None:
    rng = np.random.default_rng(2)
    x = np.concatenate([np.ones((200, 1)), rng.normal(size=(200, 3))], axis=1)
    y = x @ np.array([5.0, 1.0, 0.0, -2.0]) + 0.01 * rng.normal(size=200)
    games, ones = np.arange(200), np.ones(200)
    terms, held_out, penalty = _ridge(x, y, ones, games, np.array([0]), [10.0, 100.0])
    assert penalty == 10.0
    gram = x.T @ x + np.diag([1e-3, penalty, penalty, penalty])
    assert terms == pytest.approx(np.linalg.solve(gram, x.T @ y))
    assert np.sqrt(((y - held_out) ** 2).mean()) < 0.3


def test_values_are_fitted_and_printed(data: GameData) -> None:
    found = fit_values(PLAYERS, STUD, PLAN, data, "as here")
    again = LearnedValues.from_record(json.loads(json.dumps(found.record())))
    assert again.record() == found.record()
    assert (found.policy, found.made["command"]) == ("people-average", "as here")
    assert found.made["called_r2"] > 0.4
    assert set(found.errors) == {"called", "raised", "gain"}
    assert {each.shape for each in found.errors.values()} == {(len(STUD.streets), len(CHANCES) + 1)}


def test_errors_of_a_cell_lean_to_those_of_all(fit: _ValueFit) -> None:
    """The slow twin: squares are averaged by hand, with those of all as ``OF_ALL`` more."""
    states = np.arange(0, len(fit.street), 7)
    off = np.random.default_rng(3).normal(0.02, 0.05, states.size)
    found = fit._errors(states, off)
    for street in range(found.shape[0]):
        for band in range(found.shape[1]):
            own = [
                value
                for state, value in zip(states, off, strict=True)
                if fit.street[state] == street
                and sum(fit.numbers[state][0] > edge for edge in CHANCES) == band
            ]
            square = (sum(own) + OF_ALL * off.mean()) / (len(own) + OF_ALL)
            assert found[street, band] == pytest.approx(max(LEAST_ERROR, max(0.0, square) ** 0.5))


def test_extreme_decisions_are_played_on_as_well(data: GameData) -> None:
    chances = [
        data.states[raised if raised >= 0 else called].numbers[0]
        for _, called, raised in data.after
    ]
    extreme = [not 0.04 < chance < 0.82 for chance in chances]
    assert sum(extreme) >= PLAN.played_on / 3
    assert len(data.after) <= PLAN.played_on * (PLAN.decisions + PLAN.extremes)
