"""A street read at once is, bit by bit, the street read action by action."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from handread.game.replay import replay
from handread.game.rules import GAMES
from handread.game.steps import Replay
from handread.history import Action
from handread.inference.observer import TIE_RULES, Belief, TieRule, Update, deal, expect, observe
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.inference.readers import PolicyObserver, as_reader, read_hand
from handread.inference.street_reading import StreetReading
from handread.policy import Panel, load_policy
from tests.hands import random_hand

PEOPLE, DEFAULT = load_policy("people"), load_policy("default")
TIPSY = load_policy("loose").with_lapse(0.1)
STRONG = load_policy("strong")


def careful(panel: object) -> Panel:
    """A panel whose evidence counts less: about the cards, about the members, and not at all."""
    assert isinstance(panel, Panel)
    members = tuple(
        replace(member, likelihood_exponent=0.6 + 0.1 * i) for i, member in enumerate(panel.members)
    )
    numbers = (0.1,) * 8
    return replace(
        panel, members=members, learning=0.7, idle=tuple((key, numbers) for key in GAMES)
    )


PLAYERS = {
    "people": PlayerModels(Model(PEOPLE)),
    "careful": PlayerModels(Model(careful(PEOPLE))),
    "mixed": PlayerModels(
        Model(DEFAULT),
        {
            1: Model(PEOPLE),
            2: Model(TIPSY, CARDS_ONLY),
            3: Model(STRONG),
            4: Model(PEOPLE, CARDS_ONLY),
        },
    ),
}


def same(one: Iterable[np.ndarray], other: Iterable[np.ndarray]) -> None:
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def assert_same_belief(at_once: Belief, step_by_step: Belief) -> None:
    assert [*at_once.pdds] == [*step_by_step.pdds]
    assert [*at_once.shares] == [*step_by_step.shares]
    same(at_once.pdds.values(), step_by_step.pdds.values())
    same(at_once.shares.values(), step_by_step.shares.values())
    same(at_once.htpds.values(), step_by_step.htpds.values())


def assert_same_update(at_once: Update, step: Update) -> None:
    assert at_once.decision is step.decision
    names = "chances action_probs likelihood before after"
    same(*([getattr(each, name) for name in names.split()] for each in (at_once, step)))
    same([at_once.view.htpd], [step.view.htpd])
    names = "evidence information_bits p_win probability"
    assert all(getattr(at_once, name) == getattr(step, name) for name in names.split())
    assert (at_once.shares is None) == (step.shares is None)
    if at_once.shares is not None and step.shares is not None:
        same([at_once.shares], [step.shares])


def assert_same(played: Replay, players: PlayerModels, ties: TieRule) -> int:
    """Read a hand both ways; return the number of actions."""
    players, belief, n = players.for_hand(played.history), None, 0
    for seen, street in zip(
        read_hand(as_reader(players), played, ties), played.streets, strict=False
    ):
        belief, _ = deal(belief, street)
        for update in seen.updates:
            n += 1
            model = players.of(update.decision.seat)
            belief, step = observe(belief, update.decision, model, ties)
            assert_same_update(update, step)
        assert_same_belief(seen.after, belief)
    return n


@pytest.mark.parametrize("who", PLAYERS)
@pytest.mark.parametrize("game", GAMES)
def test_in_all_games(game: str, who: str) -> None:
    ties = TIE_RULES["paper" if who == "mixed" else "split"]
    played = replay(random_hand(35, 4, game=GAMES[game]))
    assert assert_same(played, PLAYERS[who], ties) > 8


def test_with_a_shared_last_card() -> None:
    played = replay(random_hand(14613, n_players=8))
    assert played.streets[-1].shared is not None
    assert assert_same(played, PLAYERS["mixed"], TIE_RULES["split"]) > 20


def test_as_the_actions_come() -> None:
    """One by one, with the odds of an action asked for before some of them."""
    players, ties = PLAYERS["mixed"], TIE_RULES["split"]
    played = replay(random_hand(35, 4))
    observer, belief = PolicyObserver(players, ties), None
    for street in played.streets:
        observer.deal(street)
        belief, _ = deal(belief, street)
        for decision in street.decisions:
            model, holding = players.of(decision.seat), int(belief.hands[decision.seat].places[7])
            if decision.n % 3:
                odds = expect(belief, decision, model, ties).action_probs
                found = observer.odds_with(decision, holding)
                assert [*found] == [*odds]
                assert [*found.values()] == pytest.approx([p[holding] for p in odds.values()])
            update = observer.observe(decision)
            belief, step = observe(belief, decision, model, ties)
            assert_same_update(update, step)
        assert_same_belief(observer.belief, belief)


def test_two_hands_at_a_time() -> None:
    """Reads that take turns, in one thread and in another, do not disturb each other."""
    players, ties = PLAYERS["people"], TIE_RULES["split"]
    hands = [replay(random_hand(seed, 4)).streets[0] for seed in (35, 36)]
    alone = []
    for street in hands:
        observer = PolicyObserver(players, ties)
        observer.deal(street)
        alone.append([observer.observe(decision) for decision in street.decisions])
    observers = [PolicyObserver(players, ties) for _ in hands]
    for observer, street in zip(observers, hands, strict=True):
        observer.deal(street)
    with ThreadPoolExecutor(1) as thread:
        for i in range(max(len(street.decisions) for street in hands)):
            for observer, street, expected in zip(observers, hands, alone, strict=True):
                if i < len(street.decisions):
                    here, decision = i % 3, street.decisions[i]
                    observer.odds_with(decision, int(expected[i].view.hands.places[0]))
                    update = (
                        observer.observe(decision)
                        if here
                        else thread.submit(observer.observe, decision).result()
                    )
                    assert_same_update(update, expected[i])


def test_an_action_that_no_holding_takes() -> None:
    """A bet that the rules forbid, as in a damaged log, says nothing."""
    played = replay(random_hand(35, 4))
    belief, _ = deal(None, played.streets[0])
    decision = replace(played.streets[0].decisions[0], action=Action.BET, can_raise=False)
    models = {seat: Model(PEOPLE) for seat in belief.pdds}
    street = StreetReading.begin(belief, models, TIE_RULES["split"])
    assert street is not None
    _, step = observe(belief, decision, PEOPLE)
    assert_same_update(street.observe(decision), step)
    assert step.evidence == 0.0


def test_trees_are_read_step_by_step() -> None:
    played, trees = replay(random_hand(35, 4)), load_policy("trees")
    observer = PolicyObserver(PlayerModels(Model(trees)), TIE_RULES["split"])
    belief, _ = deal(None, played.streets[0])
    observer.deal(played.streets[0])
    for decision in played.streets[0].decisions:
        odds = expect(belief, decision, Model(trees), TIE_RULES["split"]).action_probs
        holding = int(belief.hands[decision.seat].places[0])
        found = observer.odds_with(decision, holding)
        assert found == {action: p[holding] for action, p in odds.items()}
        belief, step = observe(belief, decision, trees)
        assert_same_update(observer.observe(decision), step)
