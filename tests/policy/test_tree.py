"""Trees as text, and the policies made of them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from handread.policy import (
    EvenHoldingValues,
    PolicyError,
    PolicyFile,
    TreePolicy,
    legal_actions,
    load_policy,
    parse_policy_file,
    policy_hash,
    policy_text,
)
from handread.policy.relations import LOSE, OUTCOMES, WIN, Situation
from handread.policy.tree import (
    Branch,
    Leaf,
    Node,
    OutcomeModel,
    TreePair,
    parse_tree,
    rounded,
    size_of,
    tree_lines,
)
from tests.strategies import spot

BETTER = "the chance to win is a fair share or more"
AGGRESSIVE = "the action is a bet or a raise"

TREE = Branch(AGGRESSIVE, Branch(BETTER, Leaf(0.75, 40.0), Leaf(0.25, 60.0)), Leaf(0.5, 100.0))

INDIFFERENT = Leaf(0.5)
"""The tree that changes nothing."""

TEXT = f"""if {AGGRESSIVE}
  if {BETTER}
    0.7500 of 40
  else
    0.2500 of 60
else
  0.5000 of 100"""


def policy(*trees: Node, name: str = "trees") -> TreePolicy:
    return TreePolicy(name, tuple(TreePair("uniform", tree, tree) for tree in trees))


def test_a_tree_is_text_and_back() -> None:
    assert "\n".join(tree_lines(TREE)) == TEXT
    assert parse_tree(TEXT) == TREE
    assert parse_tree("0.5 of 3") == Leaf(0.5, 3.0)
    assert size_of(TREE) == 3


def test_a_rounded_tree_is_what_its_text_says() -> None:
    tree = Branch(BETTER, Leaf(0.123456, 10.4), Leaf(1e-9, 3.0))
    assert parse_tree("\n".join(tree_lines(rounded(tree)))) == rounded(tree)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ends too soon"),
        ("if the moon is full\n  0.5 of 1\nelse\n  0.5 of 1", "name of a test"),
        (f"if {BETTER}\n  0.5 of 1", "ends too soon"),
        (f"if {BETTER}\n0.5 of 1\nelse\n  0.5 of 1", "indent of 2"),
        (f"if {BETTER}\n  0.5 of 1\notherwise\n  0.5 of 1", "expected else"),
        ("1 of 5", "between 0 and 1"),
        ("nan of 5", "between 0 and 1"),
        ("0.5", "if TEST"),
        ("0.5 of 1\n0.5 of 1", "nothing after"),
        ("\n".join(f"{'  ' * n}if {BETTER}" for n in range(200)), "at most 100"),
    ],
)
def test_faults_of_trees_are_told(text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        parse_tree(text)


def test_a_path_has_at_most_a_hundred_tests() -> None:
    def of_depth(tests: int) -> str:
        tree: Node = Leaf(0.5, 1.0)
        for _ in range(tests):
            tree = Branch(BETTER, tree, Leaf(0.5, 1.0))
        return "\n".join(tree_lines(tree))

    assert size_of(parse_tree(of_depth(100))) == 101
    with pytest.raises(PolicyError, match="line 102: expected at most 100 tests on a path"):
        parse_tree(of_depth(101))


def test_equation_4() -> None:
    """P(action) is proportional to the product of p / (1 - p) over the trees."""
    better, worse = 0.6, 0.1
    values = EvenHoldingValues(np.array([better, worse]), 4)
    found = policy(TREE).probabilities(spot(), values)
    assert list(found) == list(legal_actions(spot()))
    for holding, odds in ((0, 3.0), (1, 1.0 / 3.0)):
        assert found["raise"][holding] == pytest.approx(odds / (odds + 2.0))
        assert found["call"][holding] == found["fold"][holding] == pytest.approx(1 / (odds + 2.0))
    twice = policy(TREE, TREE).probabilities(spot(), values)
    assert twice["raise"][0] == pytest.approx(9.0 / 11.0)
    same = policy(TREE, INDIFFERENT).probabilities(spot(), values)
    assert np.allclose(same["raise"], found["raise"])


def test_the_first_street_has_a_tree_of_its_own() -> None:
    own = TreePolicy("own", (TreePair("uniform", INDIFFERENT, TREE),))
    values = EvenHoldingValues(np.array([0.9]), 4)
    assert own.probabilities(spot(street=3), values)["raise"][0] == pytest.approx(1 / 3)
    assert own.probabilities(spot(street=4), values)["raise"][0] == pytest.approx(0.6)


def test_blind_policies_ask_nothing_about_holdings() -> None:
    assert policy(Branch(AGGRESSIVE, Leaf(0.6), Leaf(0.5))).blind
    assert not policy(TREE).blind
    assert policy(TREE).with_lapse(1.0).blind


def test_files_keep_trees_and_those_of_players() -> None:
    everybody = policy(TREE)
    player = TreePolicy("trees#ann", (*everybody.trees, TreePair("everybody", TREE, INDIFFERENT)))
    content = PolicyFile(everybody, {"ann": player})
    text = policy_text(content)
    back = parse_policy_file(text, "x.toml")
    assert back.policy == everybody
    assert back.players["ann"] == player
    assert policy_text(back) == text
    assert text.count("[[trees]]") == 1  # the player's file has the correction alone
    assert policy_hash(player) != policy_hash(everybody)


def test_faults_of_files_are_told() -> None:
    text = policy_text(PolicyFile(policy(TREE)))
    with pytest.raises(PolicyError, match=r"x\.toml: trees\.third, line 1"):
        parse_policy_file(text.replace(AGGRESSIVE, "the moon is full", 1), "x.toml")
    with pytest.raises(PolicyError, match="moon"):
        parse_policy_file(text.replace("against", "moon"), "x.toml")
    with pytest.raises(PolicyError, match=r"\[\[trees\]\]"):
        parse_policy_file(text.partition("[[trees]]")[0], "x.toml")


def test_outcomes() -> None:
    tree = Branch(
        "the player folds in the end", Leaf(0.8), Branch(AGGRESSIVE, Leaf(0.6), Leaf(0.5))
    )
    model = OutcomeModel((TreePair("uniform", tree, tree),))
    situation = Situation(spot(), None)
    found = model.probabilities(situation, "call", OUTCOMES)
    assert sum(found.values()) == pytest.approx(1.0)
    assert found[LOSE] == pytest.approx(4.0 / (4.0 + 9.0))
    after_raise = model.probabilities(situation, "raise", (LOSE, WIN))
    assert after_raise == pytest.approx({LOSE: 4.0 / 5.5, WIN: 1.5 / 5.5})


@pytest.mark.thorough
def test_the_trees_that_ship_are_a_reader_without_the_learner() -> None:
    code = (
        "import sys; from handread.named_readers import load_reader; "
        "print(load_reader('trees').players.rest.policy.name, "
        "[name for name in sys.modules if 'study' in name or 'scipy' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "trees []"
    shipped = load_policy("trees")
    assert isinstance(shipped, TreePolicy)
    assert not shipped.blind
