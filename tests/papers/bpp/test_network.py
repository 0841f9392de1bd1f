"""BPP's network against the joint table of all its nodes, and against pyAgrum."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handread.papers.bpp.network import ACTIONS, AGGRESSIVE, PASSIVE, Network, bif_text, network
from handread.papers.bpp.types import NINE, PAPER
from tests.hands import cards

EVEN = np.full((len(PAPER), 2), 0.5)
"""An action matrix that tells nothing."""


def learned(n: int) -> np.ndarray:
    """An action matrix with which strong hands bet."""
    bet = np.linspace(0.1, 0.9, n)
    return np.stack([1.0 - bet, bet], axis=1)


def joint_table(net: Network, actions: np.ndarray, acted: tuple[int, ...]) -> np.ndarray:
    """P(own final, own current, opponent's final, current, upcards, actions taken) of all nodes."""
    taken = np.array([np.prod([actions[t, a] for a in acted]) for t in range(len(net.types))])
    own = net.final[:, None] * net.current
    other = (
        net.final[:, None, None] * net.current[:, :, None] * (net.upcards * taken[:, None])[None]
    )
    return own[:, :, None, None, None] * other[None, None]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("acted", [(), (AGGRESSIVE,), (PASSIVE, AGGRESSIVE)])
def test_beliefs_against_the_joint_table(n: int, acted: tuple[int, ...]) -> None:
    net, actions = network(n, NINE), learned(len(NINE))
    table = joint_table(net, actions, acted)
    checked = 0
    for own, up in np.ndindex(9, 9):
        given = table[:, own, :, :, up]  # own final, opponent's final, opponent's current
        if given.sum() <= 0.0:
            continue
        given = given / given.sum()
        found = net.beliefs(own, up, acted, actions)
        np.testing.assert_allclose(found.own_final, given.sum(axis=(1, 2)), atol=1e-12)
        np.testing.assert_allclose(found.opp_final, given.sum(axis=(0, 2)), atol=1e-12)
        np.testing.assert_allclose(found.opp_current, given.sum(axis=(0, 1)), atol=1e-12)
        win = sum(
            given[i, j].sum() * (0.5 if i == j else float(i > j)) for i, j in np.ndindex(9, 9)
        )
        assert found.win == pytest.approx(win)
        checked += 1
    assert checked >= 2


def test_without_evidence_everybody_has_an_even_chance() -> None:
    net = network(2)
    current = net.final @ net.current
    upcards = current @ net.upcards
    total = sum(
        current[own] * upcards[up] * net.beliefs(own, up, (), EVEN).win
        for own in np.flatnonzero(current)
        for up in np.flatnonzero(upcards)
    )
    assert total == pytest.approx(0.5)


def test_bets_of_a_player_who_bets_strong_hands_lower_the_chance() -> None:
    own, up = PAPER.hand(cards("Ks Kd")), PAPER.hand(cards("Qs"))
    net, actions = network(2), learned(17)
    chances = [net.beliefs(own, up, (AGGRESSIVE,) * n, actions).win for n in range(4)]
    assert chances == sorted(chances, reverse=True)
    assert net.beliefs(own, up, (PASSIVE,), actions).win > chances[0]
    # Even odds tell nothing.
    even = net.beliefs(own, up, (AGGRESSIVE,), EVEN).win
    assert even == pytest.approx(chances[0])


def test_after_the_last_card_the_own_hand_is_known() -> None:
    net = network(5)
    beliefs = net.beliefs(9, 4, (), EVEN)
    np.testing.assert_array_equal(np.flatnonzero(beliefs.own_final), [9])
    quads, ace = PAPER.hand(cards("2c 2d 2h 2s 3c")), PAPER.hand(cards("As"))
    assert net.beliefs(quads, ace, (), EVEN).win > 0.99


def test_evidence_that_cannot_be_is_dropped() -> None:
    net, never = network(2), np.array([[1.0, 0.0]] * 17)
    assert net.beliefs(4, 4, (AGGRESSIVE,), never).win == net.beliefs(4, 4, (), never).win
    with pytest.raises(ValueError, match="no hand of 2 cards is of type 16"):
        net.beliefs(16, 4, (), never)


def posteriors_of_pyagrum(path: Path, evidence: dict[str, str]) -> dict[str, np.ndarray]:
    # It keeps the numbers of a file in single precision.
    gum = pytest.importorskip("pyagrum", reason="needs pyAgrum: pip install handread[bif]")
    engine = gum.LazyPropagation(gum.loadBN(str(path)))
    engine.setEvidence(evidence)
    engine.makeInference()
    nodes = ("OPP_Final", "OPP_Current", "BPP_Final", "BPP_Win")
    return {node: engine.posterior(node).toarray() for node in nodes}


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_pyagrum_infers_the_same(n: int, tmp_path: Path) -> None:
    net, actions = network(n), learned(17)
    path = tmp_path / "bpp.bif"
    path.write_text(bif_text(net, actions), encoding="utf-8")
    for own, up, act in ((3, 1, 1), (7, 4, 0), (5, 2, 1)):
        evidence = {
            "BPP_Current": PAPER.labels[own],
            "OPP_Upcards": PAPER.labels[up],
            "OPP_Action": ACTIONS[act],
        }
        theirs = posteriors_of_pyagrum(path, evidence)
        ours = net.beliefs(own, up, (act,), actions)
        np.testing.assert_allclose(theirs["OPP_Final"], ours.opp_final, atol=1e-6)
        np.testing.assert_allclose(theirs["OPP_Current"], ours.opp_current, atol=1e-6)
        np.testing.assert_allclose(theirs["BPP_Final"], ours.own_final, atol=1e-6)
        assert theirs["BPP_Win"][1] == pytest.approx(ours.win, abs=1e-6)
