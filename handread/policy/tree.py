"""Relational probability trees, and the family of policies made of them (Ponsen et al. 2008).

A tree separates examples of two sources: each branch has a test with a readable name, each leaf
P(the example is from the second source). By equation 4 of the paper the odds p / (1 - p) of a leaf
are the factor between the probabilities of the two sources. So the first tree of a policy, grown
between uniform choices and everybody's, is the prior; the tree of a player, grown between
everybody's examples and the player's, corrects it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from handread.arrays import Flags, Floats
from handread.game.steps import DecisionPoint
from handread.lazy import lazily
from handread.policy.base import HoldingValues, PolicyError, legal_actions
from handread.policy.family import ON_7TH, PolicyPart, Single
from handread.policy.fields import Fields, toml_value

with lazily():  # a hundred tests, which only trees use
    from handread.policy import relations


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of a path: P(the second source), and the number of examples behind it."""

    probability: float
    examples: float = 0.0

    @property
    def odds(self) -> float:
        """The factor of equation 4, p / (1 - p)."""
        return self.probability / (1.0 - self.probability)


@dataclass(frozen=True, slots=True)
class Branch:
    """A test by name, and the trees for the examples that pass it and that fail it."""

    test: str
    yes: Node
    no: Node


Node = Leaf | Branch


def tests_in(tree: Node) -> Iterator[str]:
    """Yield the names of the tests of a tree."""
    if isinstance(tree, Branch):
        yield tree.test
        yield from tests_in(tree.yes)
        yield from tests_in(tree.no)


def size_of(tree: Node) -> int:
    """Return the number of leaves."""
    return 1 if isinstance(tree, Leaf) else size_of(tree.yes) + size_of(tree.no)


def rounded(tree: Node) -> Node:
    """Return a tree as in a file: probabilities of four digits, whole numbers of examples."""
    if isinstance(tree, Branch):
        return Branch(tree.test, rounded(tree.yes), rounded(tree.no))
    probability = min(0.9999, max(0.0001, round(tree.probability, 4)))
    return Leaf(probability, float(round(tree.examples)))


def tree_lines(tree: Node, indent: str = "") -> Iterator[str]:
    """Yield a tree as text, a line a node; ``parse_tree`` reads it back."""
    if isinstance(tree, Leaf):
        yield f"{indent}{tree.probability:.4f} of {tree.examples:.0f}"
        return
    yield f"{indent}if {tree.test}"
    yield from tree_lines(tree.yes, indent + "  ")
    yield f"{indent}else"
    yield from tree_lines(tree.no, indent + "  ")


def parse_tree(text: str) -> Node:
    """Parse a tree; ``PolicyError`` names the line of a fault and the reason."""
    lines = [(n, line.rstrip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    tree, rest = _parsed(lines, 0)
    if rest:
        raise _fault(rest[0], "nothing after the tree")
    return tree


Lines = Sequence[tuple[int, str]]

DEEPEST = 100
"""Largest depth of a tree that is read."""


def _parsed(lines: Lines, depth: int) -> tuple[Node, Lines]:
    """Return the tree at the beginning of some lines, and the lines after it."""
    if depth > DEEPEST:
        raise PolicyError(f"line {lines[0][0]}: expected at most {DEEPEST} tests on a path")
    word = _word(lines, depth)
    if not word.startswith("if "):
        return _leaf(lines[0], word), lines[1:]
    test = word.removeprefix("if ")
    if not any(test in tests for tests in relations.TESTS):
        raise _fault(lines[0], "the name of a test")
    yes, rest = _parsed(lines[1:], depth + 1)
    if _word(rest, depth) != "else":
        raise _fault(rest[0], "else")
    no, rest = _parsed(rest[1:], depth + 1)
    return Branch(test, yes, no), rest


def _word(lines: Lines, depth: int) -> str:
    """Return the first line without its indent, which must match the depth."""
    if not lines:
        raise PolicyError("the tree ends too soon: expected a test or a leaf")
    indent, line = "  " * depth, lines[0][1]
    if not line.startswith(indent) or line[len(indent)] == " ":
        raise _fault(lines[0], f"an indent of {len(indent)} spaces")
    return line.removeprefix(indent)


def _leaf(line: tuple[int, str], word: str) -> Leaf:
    probability, _, examples = word.partition(" of ")
    try:
        leaf = Leaf(float(probability), float(examples))
    except ValueError:
        raise _fault(line, "if TEST, or a leaf such as 0.25 of 100") from None
    if not 0.0 < leaf.probability < 1.0 or not 0.0 <= leaf.examples < 1e12:
        raise _fault(line, "a probability between 0 and 1, and a number of examples")
    return leaf


def _fault(line: tuple[int, str], expected: str) -> PolicyError:
    return PolicyError(f"line {line[0]} is {line[1].strip()!r}, expected {expected}")


@dataclass(frozen=True, slots=True)
class TreePair:
    """The trees of the first street and of the later ones; ``against`` names their first source."""

    against: str
    third: Node
    later: Node

    @classmethod
    def read(cls, fields: Fields) -> TreePair:
        """Return the trees of a table of a policy file."""
        fields.nothing_else(("against", "third", "later"))
        return cls(fields.text("against"), _read(fields, "third"), _read(fields, "later"))

    def of(self, first_street: bool) -> Node:
        """Return the tree of a street."""
        return self.third if first_street else self.later


def _read(fields: Fields, name: str) -> Node:
    text = fields.text(name)
    try:
        return parse_tree(text)
    except PolicyError as error:
        raise fields.error(name, f", {error}") from None


UNIFORM, EVERYBODY = "uniform", "everybody"
"""The first sources: uniform choices for the prior, everybody's examples for a correction."""


class _Asked:
    """The answers to tests in a situation, each computed once; an unknown holding passes none."""

    def __init__(self, situation: relations.Situation, holdings: relations.Holdings | None) -> None:
        self._situation = situation
        self._holdings = holdings
        self._flags: dict[str, Flags] = {}
        self._plain: dict[str, bool] = {}

    def odds(self, tree: Node, choice: Collection[str]) -> Floats | float:
        """Return the odds of the leaves (holdings,), or one number for all.

        ``choice`` has the action and, for trees about outcomes, the outcome.
        """
        if isinstance(tree, Leaf):
            return tree.odds
        if tree.test in relations.HOLDINGS and self._holdings is not None:
            flags = self._flags.get(tree.test)
            if flags is None:
                flags = self._flags[tree.test] = relations.HOLDINGS[tree.test].of(self._holdings)
            return np.where(flags, self.odds(tree.yes, choice), self.odds(tree.no, choice))
        return self.odds(tree.yes if self._answer(tree.test, choice) else tree.no, choice)

    def _answer(self, name: str, choice: Collection[str]) -> bool:
        if name in relations.CHOICES:
            return not relations.CHOICES[name].among.isdisjoint(choice)
        if name in relations.HOLDINGS:
            return False
        if name not in self._plain:
            self._plain[name] = bool(relations.SITUATIONS[name].of(self._situation))
        return self._plain[name]


def by_equation_4(
    trees: Sequence[TreePair],
    situation: relations.Situation,
    holdings: relations.Holdings | None,
    choices: Sequence[Collection[str]],
) -> Floats:
    """Return P(choice | situation, holding) by equation 4 of Ponsen et al. 2008.

    A choice is an action, with the outcome in trees about outcomes. The shape is (choices,
    holdings), or (choices, 1) without holdings.
    """
    asked = _Asked(situation, holdings)
    first = situation.spot.street == situation.game.first
    odds = np.ones((len(choices), 1 if holdings is None else holdings.percentile.size))
    for place, choice in enumerate(choices):
        for pair in trees:
            odds[place] *= asked.odds(pair.of(first), choice)
    odds /= odds.sum(axis=0)
    return odds


def _trees_of(policy: Single) -> tuple[TreePair, ...]:
    return getattr(policy, "trees", ())


TREES_OF = {
    UNIFORM: "the prior: all players against uniform choices",
    EVERYBODY: "the correction: these players against everybody",
}


@dataclass(frozen=True)
class TreePolicy(Single):
    """A policy of relational trees: equation 4, once for each pair of trees, the prior first.

    P(action | holding) is proportional to the product of the odds of the action's leaves.
    """

    trees: tuple[TreePair, ...]

    family: ClassVar[str] = "tree"
    fields: ClassVar[tuple[str, ...]] = ("trees",)
    shown: ClassVar[str] = ON_7TH

    def probabilities(self, spot: DecisionPoint, outlook: HoldingValues) -> dict[str, Floats]:
        """Return the probability of each legal action by holding."""
        situation, legal = relations.Situation(spot, outlook.board), legal_actions(spot)
        choices = [(action,) for action in legal]
        odds = by_equation_4(self.trees, situation, relations.Holdings.of(spot, outlook), choices)
        odds = (1.0 - self.lapse) * odds + self.lapse / len(legal)
        return dict(zip(legal, odds, strict=True))

    @property
    def blind(self) -> bool:
        """True if its actions do not depend on the downcards: they carry no information."""
        trees = [tree for pair in self.trees for tree in (pair.third, pair.later)]
        return self.lapse == 1.0 or not any(
            name in relations.HOLDINGS for tree in trees for name in tests_in(tree)
        )

    @classmethod
    def read_own(cls, fields: Fields) -> dict[str, Any]:
        """Return the trees of a table of a file."""
        tables = fields.tables("trees", "against, third, later")
        return {"trees": tuple(map(TreePair.read, tables))}

    def own_lines(self, within: str) -> Iterator[str]:
        """Yield the lines of the trees."""
        for pair in self.trees:
            yield from ("", f"[[{within}trees]]", f"against = {toml_value(pair.against)}")
            for name, tree in (("third", pair.third), ("later", pair.later)):
                yield from (f'{name} = """', *tree_lines(tree), '"""')

    def after(self, everybody: Single) -> Self:
        """Return the policy with the trees of everybody before its own."""
        return replace(self, trees=(*_trees_of(everybody), *self.trees))

    def beyond(self, everybody: Single) -> Self:
        """Return the policy without the trees of everybody."""
        return replace(self, trees=self.trees[len(_trees_of(everybody)) :])

    def details(self) -> dict[str, Any]:
        """Return the fields of JSON: the text of its trees."""
        trees = [
            {
                "against": pair.against,
                "third": "\n".join(tree_lines(pair.third)),
                "later": "\n".join(tree_lines(pair.later)),
            }
            for pair in self.trees
        ]
        return super().details() | {"trees": trees}

    def parts(self) -> Iterator[PolicyPart]:
        """Yield the trees as text."""
        yield PolicyPart(
            "Each leaf has P(an example is of the second source) and the number of its examples. "
            "The odds p / (1 - p) of the leaves of all trees, multiplied and scaled to sum to 1 "
            "over the legal actions, are the probabilities of the actions."
        )
        for pair in self.trees:
            against = f"the correction: these players against {pair.against}"
            words = TREES_OF.get(pair.against, against)
            yield PolicyPart(lines=(f"{words}, on the first street", *tree_lines(pair.third, "  ")))
            yield PolicyPart(lines=(f"{words}, on later streets", *tree_lines(pair.later, "  ")))


@dataclass(frozen=True)
class OutcomeModel:
    """P(outcome | upcards, history) of a player, by equation 4 from a uniform distribution."""

    trees: tuple[TreePair, ...]

    def probabilities(
        self, situation: relations.Situation, action: str, outcomes: Sequence[str]
    ) -> Mapping[str, float]:
        """Return the probability of each possible outcome after an action in a situation."""
        choices = [(action, outcome) for outcome in outcomes]
        odds = by_equation_4(self.trees, situation, None, choices)[:, 0]
        return dict(zip(outcomes, odds.tolist(), strict=True))
