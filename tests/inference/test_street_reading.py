"""A street read at once is, bit by bit, the street read action by action."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from handread.game.replay import replay
from handread.game.rules import GAMES, STUD
from handread.game.steps import Decision, Replay
from handread.inference.observer import TIE_RULES, Belief, TieRule, Update, deal, observe
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.inference.readers import PolicyObserver, as_reader, read_hand
from handread.inference.street_reading import observe_street
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


def test_an_action_that_no_holding_takes() -> None:
    """A call that the rules forbid, as in a damaged log, says nothing."""
    played = replay(random_hand(35, 4))
    belief, _ = deal(None, played.streets[0])
    decision = replace(played.streets[0].decisions[0], action="bet", can_raise=False)
    models = {seat: Model(PEOPLE) for seat in belief.pdds}
    found = observe_street(belief, [decision], models, TIE_RULES["split"])
    assert found is not None
    _, step = observe(belief, decision, PEOPLE)
    assert_same_update(found[1][0], step)
    assert step.evidence == 0.0


def test_a_street_without_actions() -> None:
    belief, _ = deal(None, replay(random_hand(35, 4)).streets[0])
    assert observe_street(belief, [], {}, TIE_RULES["split"]) == (belief, ())


def test_trees_are_read_action_by_action() -> None:
    played = replay(random_hand(35, 4))
    belief, _ = deal(None, played.streets[0])
    decisions: list[Decision] = [*played.streets[0].decisions]
    models = {seat: Model(load_policy("trees")) for seat in belief.pdds}
    assert observe_street(belief, decisions, models, TIE_RULES["split"]) is None
    observer = PolicyObserver(PlayerModels(models[decisions[0].seat]), TIE_RULES["split"])
    observer.deal(played.streets[0])
    updates = observer.observe_all(decisions)
    assert [update.decision for update in updates] == decisions
    assert played.history.variant == STUD.key
