"""The totals of the values of many hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from handread import read_hands
from handread.decisions.decision_values import ActionValue, DecisionValue
from handread.decisions.hand_values import HandValues
from handread.decisions.ledger import PARTS, TERMS, Ledger
from handread.inference.hand_analysis import Analysis
from handread.inference.players import player_models
from handread.simulate import Setup, read_games, seated
from handread.study.session_values import SessionValues, player_names
from tests.program import SAMPLES

BIG_BET = 200


@pytest.fixture(scope="module")
def hands() -> list[Analysis]:
    players = player_models("default")
    setup = Setup(players, seated(players, 2, names=["Ann", "Ben"]))
    return [read for _, read in read_games(setup, 3, range(6))]


def ledger(rng: np.random.Generator, seat: int) -> Ledger:
    terms = dict(zip(TERMS, rng.integers(-90_000, 90_000, len(TERMS)).tolist(), strict=True))
    terms["own"] -= sum(terms.values()) % PARTS
    return Ledger(seat, sum(terms.values()) // PARTS, terms)


def decision(read: Analysis, cost: float, error: float) -> DecisionValue:
    taken = read.replay.decisions[0]
    names = {str(taken.action), "call" if taken.action == "fold" else "fold"}
    actions = tuple(
        ActionValue(name, 0, 0.0 if name == taken.action else cost, 1.0, cost, error, 0.0, None)
        for name in sorted(names)
    )
    return DecisionValue(taken, (), "default", BIG_BET, actions, cost, error, 100)


@pytest.fixture(scope="module")
def valued(hands: list[Analysis]) -> list[tuple[Analysis, HandValues]]:
    rng = np.random.default_rng(1)
    # The cost of 450 is the highest, but not sure to be.
    costs = iter(
        [(0.0, 10.0), (40.0, 10.0), (100.0, 10.0), (400.0, 10.0), (450.0, 200.0), (60.0, 10.0)]
    )
    return [
        (read, HandValues((decision(read, *next(costs)),), {1: ledger(rng, 1)})) for read in hands
    ]


@pytest.fixture(scope="module")
def added(valued: list[tuple[Analysis, HandValues]]) -> SessionValues:
    session = SessionValues(most=3)
    for read, values in valued:
        session.add(read, values)
    return session


def test_means_errors_and_ratio_are_those_of_the_hands(
    added: SessionValues, valued: list[tuple[Analysis, HandValues]]
) -> None:
    table = added.table()
    net = np.array([values.ledgers[1].net / BIG_BET for _, values in valued])
    own = np.array([values.ledgers[1].adjusted / BIG_BET / PARTS for _, values in valued])
    found = table.at("adjusted", group="Ann", about="hand")
    assert found.mean == pytest.approx(own.mean())
    assert found.error == pytest.approx(own.std(ddof=1) / np.sqrt(6))
    assert found.low < found.mean < found.high
    total = table.at("adjusted", group="Ann", about="all")
    assert total.mean == pytest.approx(own.sum())
    assert total.high - total.mean == pytest.approx(6 * (found.high - found.mean))
    ratio = table.at("variance_ratio", group="Ann", about="hand")
    assert ratio.mean == pytest.approx(own.var() / net.var())


def test_decisions_come_in_the_order_of_what_they_surely_cost(added: SessionValues) -> None:
    dear = added.table().expensive
    assert [each.place for each in dear] == [4, 3, 5]
    assert [round(each.low, 2) for each in dear] == [1.9, 0.4, 0.29]
    assert all(each.value.is_costly for each in dear)


def test_players_hands_and_verdicts_are_counted(
    added: SessionValues, valued: list[tuple[Analysis, HandValues]]
) -> None:
    table = added.table()
    assert table.hands == {"Ann": 6, "Ben": 6}
    verdicts = [value.verdict for _, values in valued for value in values.decisions]
    decided = {
        player_names(read.replay.history)[v.decisions[0].decision.seat] for read, v in valued
    }
    shares = [table.at("costly", group=name, about="decision") for name in decided]
    assert sum(each.mean * each.n for each in shares) == pytest.approx(verdicts.count("costly"))
    assert set(table.players) >= decided


def test_decisions_are_added_up_by_street_and_action(
    added: SessionValues, valued: list[tuple[Analysis, HandValues]]
) -> None:
    table = added.table()
    kinds = [(name, kind) for name, found in table.kinds.items() for kind in found]
    assert [kind.street for _, kind in kinds] == sorted(kind.street for _, kind in kinds)
    sums = [table.at("sum", group=name, about=str(kind)) for name, kind in kinds]
    means = [table.at("cost", group=name, about=str(kind)) for name, kind in kinds]
    assert sum(each.n for each in sums) == len(valued)
    values = [value for _, found in valued for value in found.decisions]
    cost = sum(value.cost / value.big_bet for value in values)
    assert sum(each.mean for each in sums) == pytest.approx(cost)
    assert [each.mean * each.n for each in means] == pytest.approx([each.mean for each in sums])


def test_players_without_names_are_not_told_apart_by_their_seats() -> None:
    (history,) = read_hands(SAMPLES / "bovada.txt")
    names = player_names(history)
    assert names.pop(history.hero) == "you"
    assert set(names.values()) == {"unnamed"}


def test_results_of_a_tournament_are_no_big_bets(
    valued: list[tuple[Analysis, HandValues]],
) -> None:
    session = SessionValues()
    for read, values in valued:
        history = replace(read.replay.history, tournament="7")
        session.add(replace(read, replay=replace(read.replay, history=history)), values)
    table = session.table()
    assert not table.at("net", group="Ann", about="all").n
    assert not table.at("adjusted", group="Ann", about="all").n
    assert sum(table.at("cost", group=name, about="decision").n for name in table.players) == 6


def test_a_session_without_hands_has_no_figures() -> None:
    table = SessionValues().table()
    assert (table.figures, table.players) == ({}, ())
    assert table.hero is None
