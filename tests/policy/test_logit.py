"""Logit policies: features and probabilities against plain sums, and their laws."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.game.replay import replay
from handread.game.steps import DecisionPoint
from handread.inference.observer import TIE_RULES, deal, holding_values_at, observe
from handread.inference.players import Model
from handread.policy import EvenHoldingValues, HoldingValues, LogitPolicy, PolicyFile, legal_actions
from handread.policy.features import (
    BOARD_FEATURES,
    CONDITIONS,
    SPOT_FEATURES,
    VALUE_FEATURES,
    conditions_of,
    feature_words,
    spot_features,
)
from handread.policy.logit import FEATURES, HEADS, HOLDING_FEATURES
from handread.policy.provenance import Provenance
from handread.report.policies import policy_object, policy_table
from tests.examples import examples
from tests.hands import GOLDEN, hand
from tests.policies import levels, weights
from tests.strategies import spots

FINITE = st.floats(-4, 4)
COMMON = (*SPOT_FEATURES, *BOARD_FEATURES)
PLAIN = (*SPOT_FEATURES, *VALUE_FEATURES)
MANY = st.tuples(*[FINITE] * len(PLAIN))


@st.composite
def outlooks(draw: st.DrawFn) -> HoldingValues:
    """Up to nine holdings, some dead, some equal, some hopeless."""
    n = draw(st.integers(1, 9))
    levels = st.sampled_from([0.0, 1e-9, 0.05, 0.2, 0.2, 0.5, 0.97, 1.0])
    chance = draw(st.lists(levels, min_size=n, max_size=n))
    live = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    return HoldingValues(np.array(chance), np.array(live))


SEATS = st.integers(1, 8)
SPOTS = st.builds(
    replace,
    spots(),
    street=st.integers(3, 7),
    raises=st.integers(0, 5),
    leader=st.none() | SEATS,
    acted=st.lists(SEATS, max_size=6).map(tuple),
)
"""Any spot: the leader and those who have acted are in or have folded since."""


# Against plain sums


def slow_features(at: DecisionPoint, outlook: HoldingValues, i: int) -> dict[str, float]:
    """Each feature of a holding, written out."""
    n = len(at.active)
    live = [p for p, alive in zip(outlook.chance, outlook.live, strict=True) if alive]
    public = sum(live) / len(live) if live else 0.0

    def log_share(share: float) -> float:
        return -2.0 if share == 0 else min(2.0, max(-2.0, math.log(n * share)))

    below = sum(p < outlook.chance[i] - 1e-11 for p in live)
    equal = sum(abs(p - outlook.chance[i]) <= 1e-11 for p in live)
    percentile = (below + equal / 2) / len(live) if outlook.live[i] else 0.0
    others = [seat for seat in at.active if seat != at.seat]
    return {
        "constant": 1.0,
        "third": 1.0 if at.street == 3 else 0.0,
        "street": {3: -1.0, 4: -0.5, 5: 0.0, 6: 0.5, 7: 1.0}[at.street],
        "raises": {0: 0.0, 1: 0.5, 2: 1.0}.get(at.raises, 1.5),
        "unraised": 1.0 if at.to_call and not at.raises else 0.0,
        "players": (n - 4) / 3,
        "odds": log_share(at.effective_odds),
        "price": 4 * at.to_call / (at.pot + at.to_call) if at.to_call else 0.0,
        "public": log_share(public),
        "led": 1.0 if at.leader == at.seat else 0.0,
        "follows": 1.0 if at.leader and at.leader != at.seat else 0.0,
        "behind": sum(seat not in at.acted for seat in others) / len(others),
        "acted": 1.0 if at.seat in at.acted else 0.0,
        "crowd": math.log((n if n < 6 else 6) / 4),
        "heads_up_3rd": 1.0 if at.street == 3 and len(others) == 1 else 0.0,
        "percentile": 2 * percentile - 1,
        "chance": log_share(outlook.chance[i]),
    }


@pytest.mark.thorough
@given(SPOTS, outlooks(), MANY, MANY, MANY, st.sampled_from([0.0, 0.1, 1.0]))
def test_probabilities_written_out(
    at: DecisionPoint,
    outlook: HoldingValues,
    bet: tuple[float, ...],
    fold: tuple[float, ...],
    raise_: tuple[float, ...],
    lapse: float,
) -> None:
    each = [weights(**dict(zip(PLAIN, own, strict=True))) for own in (bet, fold, raise_)]
    odds = LogitPolicy("any", *each, lapse=lapse).probabilities(at, outlook)
    legal = legal_actions(at)
    assert tuple(odds) == legal
    heads = {"bet": bet, "fold": fold, "raise": raise_}
    for i in np.flatnonzero(outlook.live).tolist():
        features = slow_features(at, outlook, i)
        pushed = {
            action: sum(w * features[f] for f, w in zip(PLAIN, heads[action], strict=True))
            if action in heads
            else 0.0
            for action in legal
        }
        for action in legal:
            share = 1 / sum(math.exp(other - pushed[action]) for other in pushed.values())
            expected = (1 - lapse) * share + lapse / len(legal)
            assert odds[action][i] == pytest.approx(expected, abs=1e-9)


def test_features_of_real_spots_are_middling() -> None:
    """None is a number of chips, or of cards: weights of all of them compare."""
    found = np.array([spot_features(d, 0.3, None) for d in replay(hand(GOLDEN)).decisions])
    assert len(found) == 19
    assert np.isfinite(found).all()
    assert np.abs(found).max() <= 3
    # 6 and 7 fold, 1 completes; of the four others that are left 2 has three behind it.
    behind = found[:, PLAIN.index("behind")]
    assert behind[:4] == pytest.approx([1, 1, 1, 3 / 4])


def test_every_feature_has_words() -> None:
    plain = {feature for feature in FEATURES if "@" not in feature}
    assert set(feature_words()) == plain
    assert {feature.partition("@")[2] for feature in FEATURES} - {""} == set(CONDITIONS)


def test_all_weights_written_out() -> None:
    """Those of upcards, of kinds of holdings and of conditions too, in a real hand."""
    rng = np.random.default_rng(4)
    drawn = dict(zip(HEADS, rng.normal(size=(3, len(FEATURES))), strict=True))
    policy = LogitPolicy("any", *(tuple(own.tolist()) for own in drawn.values()))
    belief = None
    for street in replay(hand(GOLDEN)).streets:
        belief, _ = deal(belief, street)
        for at in street.decisions:
            outlook = holding_values_at(belief, at, Model(policy), TIE_RULES["split"])
            odds = policy.probabilities(at, outlook)
            common = dict(
                zip(COMMON, spot_features(at, outlook.public, outlook.board), strict=True)
            )
            holds = [c for c, holds in zip(CONDITIONS, conditions_of(at), strict=True) if holds]
            for i in rng.choice(np.flatnonzero(outlook.live), 20):
                own = {
                    "percentile": 2 * outlook.percentile[i] - 1,
                    "chance": min(2, max(-2, math.log(at.n_active * max(1e-9, outlook.chance[i])))),
                    **levels(int(outlook.codes[i])),
                }
                features = common | own
                features |= {f"{name}@{c}": value for name, value in own.items() for c in holds}
                pushed = {
                    action: sum(
                        w * features.get(f, 0.0)
                        for f, w in zip(FEATURES, drawn[action], strict=True)
                    )
                    if action in drawn
                    else 0.0
                    for action in odds
                }
                for action, probability in odds.items():
                    share = 1 / sum(math.exp(p - pushed[action]) for p in pushed.values())
                    assert probability[i] == pytest.approx(share, abs=1e-9)
            belief, _ = observe(belief, at, policy)


# Standing


@given(outlooks())
def test_standing_is_between_the_worst_and_the_best(outlook: HoldingValues) -> None:
    percentile = outlook.percentile
    assert (percentile[~outlook.live] == 0).all()
    if outlook.live.any():
        assert percentile[outlook.live].mean() == pytest.approx(0.5)
        order = np.argsort(outlook.chance[outlook.live])
        assert (np.diff(percentile[outlook.live][order]) >= 0).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(0, 2**32 - 1))
def test_standing_does_not_see_rounding_errors(levels: list[float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    # In the middle of a digit, where to round would go either way.
    chance = np.repeat(np.round(levels, 3) + 1.5e-12, 4)
    shaken = chance + rng.uniform(-1e-15, 1e-15, chance.size)
    live = np.ones(chance.size, dtype=bool)
    assert (HoldingValues(shaken, live).percentile == HoldingValues(chance, live).percentile).all()


def test_an_outlook_of_nothing() -> None:
    outlook = HoldingValues(np.array([0.3, 0.0]), np.zeros(2, dtype=bool))
    assert (outlook.percentile == 0).all()
    assert outlook.public == 0.0


def test_an_even_outlook_stands_where_its_chance_puts_it() -> None:
    """Who stands at q beats each of three with probability q, all three with its cube."""
    outlook = EvenHoldingValues(np.array([0.0, 1 / 8, 1.0]), 4)
    assert outlook.percentile == pytest.approx([0.0, 0.5, 1.0])
    assert outlook.public == 0.25
    grid = np.linspace(0, 1, 20001)
    assert (grid**3).mean() == pytest.approx(0.25, abs=1e-4)


# Laws


@given(SPOTS, outlooks(), MANY)
def test_huge_weights_are_still_probabilities(
    at: DecisionPoint, outlook: HoldingValues, some: tuple[float, ...]
) -> None:
    huge = tuple(300 * w for w in some)
    odds = LogitPolicy("sure", huge, tuple(-w for w in huge), huge).probabilities(at, outlook)
    total = np.sum(list(odds.values()), axis=0)
    assert total[outlook.live] == pytest.approx(np.ones(outlook.live.sum()))


@given(SPOTS, st.floats(0.1, 4), st.floats(-2, 2))
@examples(40)
def test_better_holdings_bet_more_and_fold_less(
    at: DecisionPoint, pull: float, constant: float
) -> None:
    up = tuple({"constant": constant, "percentile": pull}.get(f, 0.0) for f in FEATURES)
    down = tuple(-w for w in up)
    chance = np.linspace(0, 1, 7)
    odds = LogitPolicy("keen", up, down, up).probabilities(
        at, HoldingValues(chance, np.ones(7, dtype=bool))
    )
    for action in ("bet", "raise"):
        assert (np.diff(odds.get(action, chance)) > 0).all()
    assert (np.diff(odds.get("fold", -chance)) < 0).all()


@pytest.mark.parametrize("head", ["bet", "fold", "raise_"])
def test_blind_is_who_looks_at_no_holding(head: str) -> None:
    none = (0.0,) * len(FEATURES)
    for feature in FEATURES:
        heads: dict[str, Any] = {"bet": none, "fold": none, "raise_": none}
        heads[head] = tuple(float(f == feature) for f in FEATURES)
        assert LogitPolicy("one", **heads).blind == (feature not in HOLDING_FEATURES), feature
        assert LogitPolicy("one", **heads, lapse=1.0).blind


def test_what_is_shown_is_harmless() -> None:
    some = weights(percentile=1.25)
    policy = LogitPolicy("mine", some, some, some, title="mine\x1b[2J")
    fit = Provenance("0.3", 1234, 5000, 70, -6000.0, 3.0, ("0123abcd",))
    content = PolicyFile(policy, {"Ann\x07": policy}, fit)
    text = policy_table(content, 4, 0.125)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "street  " not in text  # weighs nothing
    assert "seen" not in policy_object(content, 4, 0.125)["fit"]
