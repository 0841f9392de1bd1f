"""Relational trees: kernels and their slow twins, growing trees, and fits of policies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from handread.cards import holding_index
from handread.game.steps import Replay
from handread.inference.analysis import true_holding
from handread.inference.players import Model, PlayerModels, player_models
from handread.inference.readers import as_reader, read_hand
from handread.kernels.trees import route, split_sums
from handread.papers.trees.study import drifted
from handread.policy import (
    PolicyError,
    PolicyFile,
    TreePolicy,
    load_policy,
    parse_policy_file,
    policy_text,
)
from handread.policy.relations import ChoiceTest, packed
from handread.policy.tree import Branch, Leaf, Node, TreePair, parse_tree, tree_lines
from handread.report.policies import policy_object, policy_table
from handread.simulate import Setup, play_games, seated
from handread.study.fit.fit import fit_hands, players_of
from handread.study.fit.fitted import Fit, FitOptions
from handread.study.fit.tree_fit import GROUPING, LANGUAGE, TreeSample
from handread.study.fit.trees import Examples, Growth, Language, entropy, grow, leaf_odds
from handread.study.hand_sets import policy_to_lean_on
from tests.fit_samples import read_all

Flags = np.ndarray


def bit(words: np.ndarray, place: int) -> bool:
    return bool(int(words[place // 64]) >> (place % 64) & 1)


def examples(seed: int, n: int, tests: int) -> tuple[Flags, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return rng.random((n, tests)) < 0.4, rng


def language(tests: int, choices: int = 1) -> Language:
    names = [f"t{i}" for i in range(tests)]
    every = [ChoiceTest(name, frozenset()) for name in names]
    return Language.of(every[: tests - choices], every[tests - choices :])


def of(flags: Flags, second: Flags, tests: Language) -> Examples:
    """Examples of these answers, whose last tests are about the choice."""
    n = int(tests.choices.sum())
    words = np.concatenate([packed(flags[:, :-n]), packed(flags[:, -n:])], axis=1)
    return Examples(words, np.stack([~second, second], axis=1).astype(float))


def test_sums_of_splits_agree_with_slow_ones() -> None:
    flags, rng = examples(1, 200, 90)
    tests = language(90, 10)
    found = of(flags, rng.random(200) < 0.5, tests)
    weights = rng.random((200, 2))
    rows = np.flatnonzero(rng.random(200) < 0.6)
    sums, counts = np.empty((90, 2)), np.empty(90, dtype=np.int64)
    split_sums(found.words, rows, weights, tests.places, sums, counts)
    for test in range(90):
        passing = [row for row in rows if bit(found.words[row], int(tests.places[test]))]
        assert passing == [row for row in rows if flags[row, test]]
        assert counts[test] == len(passing)
        assert sums[test] == pytest.approx(weights[passing].sum(axis=0))


def slow_odds(tree: Node, flags: Flags) -> float:
    while isinstance(tree, Branch):
        tree = tree.yes if flags[int(tree.test[1:])] else tree.no
    return tree.odds


def test_examples_are_routed_to_their_leaves() -> None:
    flags, _ = examples(2, 300, 70)
    tests = language(70, 5)
    tree = Branch("t3", Branch("t69", Leaf(0.2), Leaf(0.4)), Branch("t1", Leaf(0.6), Leaf(0.9)))
    words = of(flags, flags[:, 0], tests).words
    assert leaf_odds(tree, words, tests) == pytest.approx([slow_odds(tree, row) for row in flags])
    assert (leaf_odds(Leaf(0.75), words, tests) == 3.0).all()
    leaves = np.empty(300, dtype=np.int64)
    route(words, np.array([-1]), np.array([-1]), np.array([-1]), leaves)
    assert not leaves.any()


def test_entropy_in_nats() -> None:
    assert entropy(np.array([[1.0, 1.0], [3.0, 0.0]])) == pytest.approx([2 * math.log(2), 0.0])


def test_a_tree_finds_what_tells_the_sources_apart() -> None:
    flags, rng = examples(3, 20_000, 40)
    share = np.where(flags[:, 7], np.where(flags[:, 20], 0.8, 0.3), 0.5)
    tests = language(40)
    tree = grow(of(flags, rng.random(20_000) < share, tests), tests, Growth(design_effect=1.0))
    assert tree.test in ("t7", "t20")
    odds = leaf_odds(tree, of(flags, flags[:, 0], tests).words, tests)
    assert odds / (1 + odds) == pytest.approx(share, abs=0.04)


def test_noise_makes_a_leaf() -> None:
    leaves = 0
    for seed in range(20):
        flags, rng = examples(seed, 2000, 40)
        second = rng.random(2000) < 0.5
        tests = language(40)
        tree = grow(of(flags, second, tests), tests, Growth(design_effect=1.0))
        leaves += isinstance(tree, Leaf)
        if isinstance(tree, Leaf):
            assert tree == Leaf((second.sum() + 1) / 2002, 2000.0)
    assert leaves >= 14  # each of three nodes is split by chance once in twenty times


def test_a_tree_looks_ahead_by_the_choice() -> None:
    """Bets with good holdings and checks with bad ones: neither alone tells anything."""
    flags, rng = examples(4, 4000, 10)
    flags[:] = rng.random(flags.shape) < 0.5
    second = flags[:, 2] == flags[:, 9]
    tests = language(10)
    tree = grow(of(flags, second, tests), tests, Growth(added=0.5, design_effect=1.0))
    assert tree.test == "t9"
    odds = leaf_odds(tree, of(flags, second, tests).words, tests)
    assert ((odds > 100.0) == second).all()


def leaves_of(tree: Node) -> list[float]:
    """The numbers of examples of the leaves."""
    if isinstance(tree, Leaf):
        return [tree.examples]
    return leaves_of(tree.yes) + leaves_of(tree.no)


def test_leaves_are_not_smaller_than_allowed() -> None:
    flags, rng = examples(5, 3000, 30)
    second = rng.random(3000) < np.where(flags[:, :6].sum(axis=1) > 3, 0.9, 0.2)
    tests = language(30)
    weights = of(flags, second, tests)
    big = grow(weights, tests, Growth(least=400.0))
    small = grow(weights, tests, Growth(least=40.0))

    assert min(leaves_of(big)) >= 400.0
    assert min(leaves_of(small)) >= 40.0
    assert len(leaves_of(small)) > len(leaves_of(big)) > 1
    assert sum(leaves_of(small)) == pytest.approx(3000.0)


# Policies


def table(*policies: str, names: Sequence[str] | None = None) -> Setup:
    seats = {n: Model(load_policy(name)) for n, name in enumerate(policies, 1)}
    models = PlayerModels(player_models("people-average").rest, seats)
    return Setup(models, seated(models, len(policies), names=names))


@pytest.fixture(scope="module")
def hands() -> list[Replay]:
    setup = table("loose", "tight", "people-average", "people-average", names="abcd")
    return [game.replay for game in play_games(setup, 7, range(12))]


TREES = (
    TreePair(
        "uniform",
        Branch(
            "the action is a raise",
            Branch("the holding is among the best 20%", Leaf(0.7), Leaf(0.2)),
            Branch("there is somebody yet to act on this street", Leaf(0.6), Leaf(0.5)),
        ),
        Branch(
            "the action is a bet or a raise",
            Branch(
                "the hand has one pair",
                Leaf(0.8),
                Branch("the last raiser shows a king or an ace", Leaf(0.1), Leaf(0.3)),
            ),
            Branch("the chance to win is the effective odds or more", Leaf(0.6), Leaf(0.4)),
        ),
    ),
)


@pytest.mark.thorough
def test_a_sample_and_a_policy_give_the_same_probabilities(hands: list[Replay]) -> None:
    """P(action | true holding) of a sample, computed from words, is that of the policy."""
    policy = TreePolicy("trees", TREES)
    file = PolicyFile(policy)
    sample = read_all(hands[:3], file, GROUPING).with_truths()
    log_odds = TreeSample.of(sample).tree_odds(TREES)
    assert np.isfinite(log_odds).all()
    expected = []
    for hand in hands[:3]:
        own: dict[int, list[float]] = {}
        for street, observed in zip(
            hand.streets, read_hand(as_reader(players_of(file)), hand), strict=True
        ):
            for update in observed.updates:
                seat = update.decision.seat
                true = true_holding(hand, seat, street.number)
                own.setdefault(seat, []).append(float(update.action_probs[holding_index(true)]))
        expected += [p for line in own.values() for p in line]
    assert np.exp(log_odds) == pytest.approx(expected)


def test_probabilities_of_a_sample_sum_to_1(hands: list[Replay]) -> None:
    data = TreeSample.of(read_all(hands[:5], PolicyFile(TreePolicy("trees", TREES)), GROUPING))
    shares = data.examples.probabilities(TREES)
    for values in (shares, data.examples.uniform, data.examples.observed):
        sums = np.bincount(data.examples.context, weights=values)
        assert sums == pytest.approx(np.ones(data.examples.n_contexts))
    assert data.examples.words.shape[1] * 64 > LANGUAGE.places.max()


OPTIONS = FitOptions("tree", name="t", likelihood_exponent=1.0, penalty=8.0, rounds=1, least=15)


@pytest.fixture(scope="module")
def fitted(hands: list[Replay]) -> Fit:
    return fit_hands(hands, OPTIONS)


@pytest.mark.thorough
def test_a_fit_of_trees(hands: list[Replay], fitted: Fit) -> None:
    policy = fitted.file.policy
    assert [pair.against for pair in policy.trees] == ["uniform"]
    assert not policy.blind
    assert set(fitted.file.players) == set("abcd")
    for player in fitted.file.players.values():
        assert player.trees[:1] == policy.trees
        assert [pair.against for pair in player.trees] == ["uniform", "everybody"]
    # A surprise of less than that of uniform choices.
    bits = -fitted.file.provenance.evidence_bits / fitted.file.provenance.actions
    assert bits < 1.2
    text = policy_text(fitted.file)
    assert policy_text(parse_policy_file(text, "x.toml")) == text
    assert policy_text(fit_hands(hands[::-1], OPTIONS).file) == text


def test_trees_are_shown(fitted: Fit) -> None:
    text = policy_table(fitted.file, 4, 0.125)
    assert "the prior: all players against uniform choices, on later streets" in text
    for line in tree_lines(fitted.file.policy.trees[0].third, "  "):
        assert f"{line}\n" in text
    shown = policy_object(fitted.file, 4, 0.125)
    assert shown["family"] == "tree"
    assert parse_tree(shown["trees"][0]["later"]) == fitted.file.policy.trees[0].later
    ann = PolicyFile(fitted.file.players["a"])
    assert "the correction: these players against everybody" in policy_table(ann, 4, 0.125)


@pytest.mark.thorough
def test_a_fit_may_lean_on_trees(hands: list[Replay], fitted: Fit) -> None:
    """The trees of the prior stay; one more pair corrects them."""
    prior = fitted.file.policy
    options = FitOptions(
        "tree", likelihood_exponent=1.0, penalty=8.0, rounds=1, players=False, prior=prior
    )
    found = fit_hands(hands[:8], options).file.policy
    assert found.trees[:-1] == prior.trees
    assert found.trees[-1].against == "everybody"


def test_only_trees_can_be_leant_on(tmp_path: Path, fitted: Fit) -> None:
    file = tmp_path / "trees.toml"
    file.write_text(policy_text(fitted.file), encoding="utf-8")
    leaning = policy_to_lean_on(str(file), "tree")
    assert leaning.policy == fitted.file.policy
    assert policy_to_lean_on(None, "tree") is None
    with pytest.raises(PolicyError, match="no policy of trees"):
        policy_to_lean_on("people", "tree")
    with pytest.raises(PolicyError, match="cannot lean on it"):
        policy_to_lean_on(str(file), "logit")


def test_trees_have_no_drifts(fitted: Fit) -> None:
    with pytest.raises(ValueError, match="a policy of trees, which has no drifts"):
        drifted(fitted.file.policy, "move=.1")


def test_hidden_downcards_are_missing_data(hands: list[Replay]) -> None:
    """Each possible holding counts by its probability: the weights of a turn sum to 1."""
    sample = read_all(hands[:4], PolicyFile(TreePolicy("trees", TREES)), GROUPING).hidden()
    data = TreeSample.of(sample)
    assert (sample.groups > 1).all()
    pair = data.grow((), data.tree_odds(TREES), Growth())
    for tree, first in ((pair.third, True), (pair.later, False)):
        turns = (sample.street == 3) == first
        assert 2.0 * turns.sum() == pytest.approx(sum(leaves_of(tree)), abs=2.0)
