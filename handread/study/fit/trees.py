"""Grow relational probability trees, which separate examples of two sources.

The learner has the role of TILDE (Blockeel & De Raedt 1998) in Ponsen et al. 2008. Splits are
chosen by information gain. A node is not split unless its best gain is more than chance would give:
the likelihood ratio of the split, 2 N x gain, must be above the quantile that the best of all tests
exceeds once in twenty nodes without any difference (Bonferroni's correction).

If half of the players' actions are bets, neither "the action is a bet" nor a good holding gives
information alone, but both together may. So a node without such a split looks ahead: it is split by
a test of the choice if this makes further splits possible.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from handread.arrays import Flags, Floats, Ints
from handread.kernels.trees import route, split_sums
from handread.policy.relations import ChoiceTest, HoldingTest, SituationTest, Words
from handread.policy.tree import Branch, Leaf, Node, TreePair, rounded


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples of two sources, with weights for the first and the second one (examples, 2).

    ``words`` are the answers to the tests (examples, words): test t is bit t % 64 of word t // 64.
    """

    words: Words
    weights: Floats


Tests = Sequence[SituationTest] | Sequence[HoldingTest] | Sequence[ChoiceTest]


@dataclass(frozen=True, slots=True)
class Language:
    """The tests of a tree by name, with the bit of each, counted over all words.

    ``choices`` is True for the tests of the choice, which may split a node to look ahead.
    """

    names: tuple[str, ...]
    places: Ints
    choices: Flags

    @classmethod
    def of(cls, *blocks: Tests) -> Self:
        """Return the language of blocks of tests; each begins a word, the last tests the choice."""
        places: list[int] = []
        first = 0
        for block in blocks:
            places += range(first, first + len(block))
            first += -(-len(block) // 64) * 64
        names = tuple(test.name for block in blocks for test in block)
        choices = np.arange(len(names)) >= len(names) - len(blocks[-1])
        return cls(names, np.array(places), choices)


@dataclass(frozen=True, slots=True)
class Growth:
    """The rules for growing a tree.

    Attributes:
        least: Smallest weight of the examples of a leaf, both sources together.
        added: Weight that is added to each source at a leaf (Laplace's rule for 1).
        deepest: Largest number of tests on a path.
        design_effect: Factor of the least likelihood ratio of a split: 1 for two samples of
            independent examples, 1/2 if the first source's examples have their expected weights,
            n if examples come in groups of n that are alike.
    """

    least: float = 20.0
    added: float = 1.0
    deepest: int = 16
    design_effect: float = 0.5


CHANCE = 0.05
"""Probability that a node is split though its sources do not differ."""


def grow(examples: Examples, tests: Language, growth: Growth) -> Node:
    """Return the tree that separates the second source of examples from the first.

    Among tests of equal gain the first is taken; nothing is random.
    """
    return _Grower(examples, tests, growth).grow(
        np.arange(len(examples.words)), growth.deepest, examples.weights.sum(axis=0)
    )


class _Grower:
    def __init__(self, examples: Examples, tests: Language, growth: Growth) -> None:
        self._examples = examples
        self._tests = tests
        self._growth = growth
        self._sums = np.empty((tests.places.size, 2))
        self._counts = np.empty(tests.places.size, dtype=np.int64)
        self._threshold = _threshold(tests.places.size) * growth.design_effect

    def grow(self, rows: Ints, depth: int, totals: Floats) -> Node:
        split = self._best(rows, totals) if depth else None
        if split is None:
            return self._leaf(totals)
        test, passed, significant = split
        place = int(self._tests.places[test])
        bits = self._examples.words[rows, place >> 6] >> np.uint64(place & 63)
        yes = (bits & np.uint64(1)).astype(bool)
        name = self._tests.names[test]
        passing = self.grow(rows[yes], depth - 1, passed)
        failing = self.grow(rows[~yes], depth - 1, totals - passed)
        if not significant and isinstance(passing, Leaf) and isinstance(failing, Leaf):
            return self._leaf(totals)
        return Branch(name, passing, failing)

    def _leaf(self, totals: Floats) -> Leaf:
        first, second = totals.tolist()
        added = self._growth.added
        return Leaf((second + added) / (first + second + 2.0 * added), max(0.0, first + second))

    def _best(self, rows: Ints, totals: Floats) -> tuple[int, Floats, bool] | None:
        """Return the test of a split, the weights that pass it, and True if it is significant.

        It is the test of the greatest gain, else the test of the choice of the greatest gain; None
        for a leaf.
        """
        if totals.sum() < 2.0 * self._growth.least:
            return None
        sums, counts = self._sums, self._counts
        examples = self._examples
        split_sums(examples.words, rows, examples.weights, self._tests.places, sums, counts)
        passed, failed = sums.sum(axis=1), (totals - sums).sum(axis=1)
        allowed = (
            (np.minimum(passed, failed) >= self._growth.least) & (counts > 0) & (counts < rows.size)
        )
        ratio = 2.0 * (entropy(totals) - entropy(sums) - entropy(totals - sums))
        ratio[~allowed] = -math.inf
        test = int(np.argmax(ratio))
        if ratio[test] > self._threshold:
            return test, sums[test].copy(), True
        test = int(np.argmax(np.where(self._tests.choices, ratio, -math.inf)))
        if not (self._tests.choices & allowed).any():
            return None
        return test, sums[test].copy(), False


def entropy(weights: Floats) -> Floats:
    """Return the total entropy in nats of the source, by the weights of both (..., 2)."""
    return np.asarray(_x_log_x(weights.sum(axis=-1)) - _x_log_x(weights).sum(axis=-1))


def _x_log_x(x: Floats) -> Floats:
    return np.asarray(np.where(x > 0.0, x * np.log(np.maximum(x, 1e-300)), 0.0))


def _threshold(tests: int) -> float:
    """Return the least likelihood ratio of a split, the best of this many tests."""
    from scipy.special import chdtri

    return float(chdtri(1, CHANCE / max(1, tests)))


def leaf_odds(tree: Node, words: Words, tests: Language) -> Floats:
    """Return the odds of the leaf of each example, (examples,)."""
    place_of = dict(zip(tests.names, tests.places.tolist(), strict=True))
    at: list[int] = []
    yes: list[int] = []
    no: list[int] = []
    odds: list[float] = []

    def add(node: Node) -> int:
        place = len(at)
        at.append(place_of[node.test] if isinstance(node, Branch) else -1)
        odds.append(node.odds if isinstance(node, Leaf) else math.nan)
        yes.append(-1)
        no.append(-1)
        if isinstance(node, Branch):
            yes[place] = add(node.yes)
            no[place] = add(node.no)
        return place

    add(tree)
    leaves = np.empty(len(words), dtype=np.int64)
    route(words, np.array(at), np.array(yes), np.array(no), leaves)
    return np.array(odds)[leaves]


class ChoiceExamples:
    """Examples of choices: each context with each of the choices that are possible in it.

    Args:
        contexts: Answers to the tests of each context (contexts, words).
        possible: True for the choices that are possible in a context (contexts, choices).
        answers: Answers to the tests of the choice, (contexts, choices, words).
        chosen: The choice made in each context (contexts,).
        first: True for the contexts on the first street (contexts,).
        language: The tests.

    By example there are the words of all tests, its context, whether the choice was made
    (``observed``) and on the first street, and its probability if all possible choices are equally
    likely (``uniform``).
    """

    def __init__(
        self,
        contexts: Words,
        possible: Flags,
        answers: Words,
        chosen: Ints,
        first: Flags,
        language: Language,
    ) -> None:
        self.context, choice = np.nonzero(possible)
        self.n_contexts = len(contexts)
        self.words = np.concatenate([contexts[self.context], answers[self.context, choice]], axis=1)
        self.observed: Flags = chosen[self.context] == choice
        self.first: Flags = first[self.context]
        self.uniform: Floats = 1.0 / possible.sum(axis=1)[self.context]
        self._language = language

    def odds(self, pair: TreePair) -> Floats:
        """Return the odds of the leaf of each example, (examples,)."""
        odds = np.empty(self.observed.size)
        for first in (True, False):
            here = self.first == first
            odds[here] = leaf_odds(pair.of(first), self.words[here], self._language)
        return odds

    def probabilities(self, trees: Sequence[TreePair]) -> Floats:
        """Return the probability of each example's choice by equation 4, (examples,)."""
        odds = self.uniform.copy()
        for pair in trees:
            odds *= self.odds(pair)
        totals = np.bincount(self.context, weights=odds, minlength=self.n_contexts)
        return odds / totals[self.context]

    def of_chosen(self, values: Floats) -> Floats:
        """Return values of examples (examples,) for the choices made, (contexts,)."""
        out = np.empty(self.n_contexts)
        out[self.context[self.observed]] = values[self.observed]
        return out

    def grow_from(self, against: str, before: Floats, mass: Floats, growth: Growth) -> TreePair:
        """Return the trees that separate the choices made from a policy's, context by context.

        The policy ``against`` gives the examples the probabilities ``before`` (examples,); ``mass``
        is the weight of each context (contexts,).
        """
        weights = mass[self.context][:, None] * np.stack([before, self.observed], axis=1)
        return self._pair(against, Examples(self.words, weights), self.first, growth)

    def grow_among(
        self, against: str, others: "ChoiceExamples", mass: Floats, growth: Growth
    ) -> TreePair:
        """Return the trees that separate the examples of a player from the examples of others.

        Both have the same total weight, as in the paper: P(D_p) = 1/2. ``mass`` (contexts,) is the
        weight of each context of the player.
        """
        mine = self.observed & (mass[self.context] > 0.0)
        pool = others.observed
        weights = np.zeros((int(mine.sum() + pool.sum()), 2))
        weights[: mine.sum(), 1] = mass[self.context][mine]
        weights[mine.sum() :, 0] = mass.sum() / max(1, pool.sum())
        words = np.concatenate([self.words[mine], others.words[pool]])
        first = np.concatenate([self.first[mine], others.first[pool]])
        return self._pair(against, Examples(words, weights), first, growth)

    def _pair(self, against: str, examples: Examples, first: Flags, growth: Growth) -> TreePair:
        pair = []
        for street in (True, False):
            here = (first == street) & (examples.weights.sum(axis=1) > NOTHING)
            part = Examples(examples.words[here], examples.weights[here])
            pair.append(rounded(grow(part, self._language, growth)))
        return TreePair(against, *pair)


NOTHING = 1e-9
"""Examples of less weight are left out."""
