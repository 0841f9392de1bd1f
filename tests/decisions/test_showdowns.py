"""Exact values: the last call of a hand, or a last check, is a sum over the reads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES
from handread.decisions.decision_values import LearnedValuation, decision_value
from handread.decisions.particles import particle_rollouts
from handread.decisions.rollouts import HouseRake, draw_futures
from handread.decisions.showdowns import Showdowns, chances_without
from handread.decisions.turns import LegalAction, Turn, turns
from handread.game.rules import VARIANTS, Variant
from handread.odds.htpd import holding_cards
from tests.decisions.values import invented, played

RAKE = HouseRake(0.05, 300)


def last_turns(game: Variant, n: int = 3) -> Iterator[tuple[Turn, LegalAction]]:
    """The decisions of a few games with an action that ends the betting, and that action."""
    for stack in (None, 600):
        for analysis in played(game, n, stack, games=4):
            for turn in turns(analysis):
                for option in turn.options:
                    if option.action != "fold" and option.table.is_over:
                        yield turn, option


@pytest.mark.thorough
def test_the_last_call_is_worth_what_rollouts_say() -> None:
    apart, noise = [], []
    games = ("stud", "stud8", "razz", "5stud")
    found = (last for key in games for last in last_turns(VARIANTS[key]))
    for number, (turn, option) in enumerate(found):
        (known,) = Showdowns(turn, RAKE).nets([option])
        assert known is not None
        futures = draw_futures(turn, 120, np.random.default_rng(number))
        rolled = particle_rollouts(turn, [option], futures, RAKE)
        value = rolled.weights @ rolled.nets[:, 0] / rolled.weights.sum()
        off = (rolled.nets[:, 0] - value) * rolled.weights / rolled.weights.sum()
        apart.append((known - value) / turn.big_bet)
        noise.append(np.sqrt(off @ off) / turn.big_bet)
    assert len(apart) >= 8
    # An odd chip of each pot goes to one of the winners: less than .02 of a big bet of 200.
    scores = np.array(apart) / np.hypot(noise, 0.02)
    assert np.abs(scores).max() < 4.0
    assert np.sqrt((scores**2).mean()) < 1.6


@pytest.mark.parametrize("own", [DECK_SIZE, N_PAIRS, N_TRIPLES])
@pytest.mark.parametrize("size", [DECK_SIZE, N_PAIRS, N_TRIPLES])
def test_a_seat_lacks_the_cards_of_a_holding_by_inclusion_and_exclusion(
    own: int, size: int
) -> None:
    pdd = np.random.default_rng(1).dirichlet(np.full(own, 0.01))
    held, cards = holding_cards(own), holding_cards(size)
    found = chances_without(pdd, size)
    for row in range(0, size, 1 + size // 20):
        apart = ~np.isin(held, cards[row]).any(axis=1)
        assert found[row] == pytest.approx(pdd[apart].sum(), abs=1e-9)


def test_a_last_call_has_no_interval_and_needs_no_rollouts() -> None:
    for turn, _ in last_turns(VARIANTS["stud"]):
        known = Showdowns(turn, RAKE).nets(turn.options)
        if None not in known:
            break
    value = decision_value(turn, None, known)
    assert (value.rollouts, value.error) == (0, 0.0)
    assert [(one.q, one.error, one.gain_error) for one in value.actions] == [
        (each, 0.0, 0.0) for each in known
    ]
    assert value.cost == max(one.q for one in value.actions) - value.taken.q
    assert value.verdict in ("best", "costly")


def test_rollouts_of_a_raise_lean_on_the_known_call() -> None:
    turn, call = next(
        (turn, option) for turn, option in last_turns(VARIANTS["stud"]) if len(turn.options) == 3
    )
    options = turn.options
    known = Showdowns(turn, RAKE).nets(options)
    futures = draw_futures(turn, 400, np.random.default_rng(3))
    rolled = particle_rollouts(turn, options, futures, RAKE)
    alone, leaning = (decision_value(turn, rolled, some) for some in ((), known))
    for one, other, value in zip(alone.actions, leaning.actions, known, strict=True):
        assert other.error <= one.error
        assert (other.error == 0.0) == (value is not None)
        assert abs(one.q - other.q) <= 4.0 * one.error
    assert call.action in ("call", "check")


def test_learned_values_of_a_last_call_are_the_same() -> None:
    for analysis in played(VARIANTS["stud"], 3, None, games=4):
        learned = {
            v.decision.n: v for v in LearnedValuation(invented(), rake=RAKE).of_hand(analysis)
        }
        for turn in turns(analysis):
            known = Showdowns(turn, RAKE).nets(turn.options)
            for action, value in zip(learned[turn.decision.n].actions, known, strict=True):
                if value is not None:
                    assert (action.q, action.error) == (value, 0.0)
