"""Fit policies of relational trees: everybody's prior, then a correction for each player.

Hidden downcards are missing data: a line counts with each of its possible holdings, weighed by the
pdd that its actions leave under the policy so far (expectation and maximisation, by turns). The
penalty of a fit is the smallest leaf, in examples; the shrinkage of a player is the weight added to
both sources at the leaves of the player's trees.

Holdings of a line that pass the same tests at a turn are one *cell*. An *example* is a cell with
one of the legal actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple, Self

import numpy as np

import handread.policy.relations as relations
from handread.arrays import Floats, Ints
from handread.policy import Exponents, Single, TreePolicy, Uncertainty
from handread.policy.features import CONDITIONS
from handread.policy.tree import EVERYBODY, UNIFORM, TreePair, size_of
from handread.study.fit.evidence import sums_of
from handread.study.fit.families import Ramps, loose
from handread.study.fit.intervals import Untold
from handread.study.fit.learners import Learner
from handread.study.fit.sample import ARRAYS, CODES, Grouping, Sample
from handread.study.fit.stored import KeptSample
from handread.study.fit.trees import ChoiceExamples, Growth, Language
from handread.study.statistics import Estimate, Figures, Key

GROUPING = Grouping(128, (relations.holding_mask(), *[0] * len(CONDITIONS)), situations=True)
"""The rule that groups the holdings of a sample, before the tests do."""

RAMPS = Ramps()

ACTIONS = ("check", "bet", "fold", "raise", "call")
"""The actions by their code in a sample; a call has the code of a check there, 0."""

CALL = ACTIONS.index("call")

LANGUAGE = Language.of(relations.SITUATION_TESTS, relations.HOLDING_TESTS, relations.ACTION_TESTS)
"""The tests of policies."""

THIRD = 1
"""The place of the feature ``third`` among the features of a decision."""

STEPS = 2
"""Number of times that trees are grown in a round, each with the holdings weighed anew."""

LEAST_OF_PLAYER = 20.0
"""Smallest leaf of the trees of a player."""

LEAVES = "leaves"
"""The part of a fit's table that holds the sizes of trees."""

Trees = tuple[TreePair, ...]


class _Cells(NamedTuple):
    """The examples of a sample, whose contexts are its cells, and the cell of each row (R,)."""

    examples: ChoiceExamples
    of_row: Ints


class TreeSample(Sample):
    """A sample gathered by the grouping of trees, with its examples."""

    @classmethod
    def of(cls, sample: Sample) -> Self:
        """Return a sample of lines with its examples."""
        return cls(**{name: getattr(sample, name) for name in ARRAYS})

    @cached_property
    def _cells(self) -> _Cells:
        turn_of_row = self.by_row(np.arange(self.n_turns, dtype=float)).astype(np.int64)
        words, turn, cell_of_row = self._cell_words(turn_of_row)
        legal = np.concatenate([np.ones((self.n_turns, 1), bool), self.legal], axis=1)
        answers = relations.choice_words(relations.ACTION_TESTS, ACTIONS)
        code = np.tile(np.arange(legal.shape[1]), (turn.size, 1))
        code[~self.legal[turn, CODES["bet"] - 1], 0] = CALL
        examples = ChoiceExamples(
            np.concatenate([self.situation[turn], words], axis=1),
            legal[turn],
            answers[code],
            chosen=self.action[turn],
            first=self.features[turn, THIRD] == 1.0,
            language=LANGUAGE,
        )
        return _Cells(examples, cell_of_row)

    def _cell_words(self, turn_of_row: Ints) -> tuple[relations.Words, Ints, Ints]:
        odds = np.full(self.n_turns, -np.inf)
        staked = self.odds_x != 0.0
        odds[staked] = -self.odds_x[staked] * self.log_n[staked]
        holdings = relations.Holdings(
            self.percentile, self.log_chance, self.code, self.log_n[turn_of_row], odds[turn_of_row]
        )
        words = relations.holding_words(holdings)
        different, kind = np.unique(words[:, 0], return_inverse=True)
        keys, cell = np.unique(turn_of_row * np.int64(different.size) + kind, return_inverse=True)
        turn, kind_of_cell = np.divmod(keys, max(1, different.size))
        return different[kind_of_cell][:, None], turn, cell

    @property
    def examples(self) -> ChoiceExamples:
        """The examples; their contexts are the cells."""
        return self._cells.examples

    def tree_odds(self, trees: Sequence[TreePair]) -> Floats:
        """Return ln P(action | group) of each row (R,), by equation 4."""
        by_cell = self.examples.of_chosen(self.examples.probabilities(trees))
        return np.log(by_cell)[self._cells.of_row]

    def grow(self, before: Sequence[TreePair], log_odds: Floats, growth: Growth) -> TreePair:
        """Return the trees that separate the actions taken from a policy's.

        The trees ``before`` are the policy, no trees uniform choices. The holdings are weighed by
        ``log_odds``, ln P(action | group) of each row (R,).
        """
        _, posterior = sums_of(self, log_odds)
        group_of_row = np.repeat(np.arange(self.weight.size), np.repeat(self.turns, self.groups))
        mass: Floats = np.bincount(
            self._cells.of_row, weights=posterior[group_of_row], minlength=self.examples.n_contexts
        ).astype(np.float64)
        against = EVERYBODY if before else UNIFORM
        base = self.examples.probabilities(before)
        return self.examples.grow_from(against, base, mass, growth)


@dataclass(frozen=True, slots=True)
class TreeLearner(Learner[TreeSample, Trees]):
    """The learner of trees; it starts from the first source of the policy's trees."""

    before: Trees
    growth: Growth = field(default_factory=Growth)

    penalty: ClassVar[str] = "smallest leaf"
    penalties: ClassVar[tuple[float, ...]] = (160.0, 80.0, 40.0, 20.0)
    most_hands: ClassVar[int] = 500
    approach: ClassVar[str] = "growing trees"

    @property
    def grouping(self) -> Grouping:
        """``GROUPING``."""
        return GROUPING

    def sample_of(self, sample: KeptSample) -> TreeSample:
        """Return the sample with its examples, in memory: a tree grows from all of them."""
        return TreeSample.of(Sample.join(sample.parts()))

    def at(self, penalty: float) -> Self:
        """Return the learner with leaves of at least ``penalty`` examples."""
        return type(self)(self.before, Growth(penalty))

    def of_player(self, everybody: Trees, shrinkage: float) -> Self:
        """Return the learner of a correction of everybody's trees."""
        return type(self)(everybody, Growth(LEAST_OF_PLAYER, shrinkage))

    def starts(self, _: TreeSample, penalties: Sequence[float]) -> list[Trees]:
        """Return the first trees, which weigh the holdings; without trees, loose ramps do."""
        return [self.before for _ in penalties]

    def learned(self, sample: TreeSample, start: Trees) -> Trees:
        """Return the trees with one more pair, the holdings first weighed by ``start``."""
        trees = start
        for _ in range(STEPS):
            pair = sample.grow(self.before, self.log_odds(trees, sample), self.growth)
            trees = (*self.before, pair)
        return trees

    def log_odds(self, fit: Trees, sample: TreeSample) -> Floats:
        """Return ln P(action | group) of each row (R,); of loose ramps without trees."""
        if fit:
            return sample.tree_odds(fit)
        return RAMPS.log_odds(RAMPS.vector(loose()), sample)

    def uncertainty(self, fit: Trees, sample: TreeSample, everybody: Uncertainty | None) -> None:
        """Return None: trees have no parameters."""

    def untold(self, *_: object) -> Untold:
        """Return nothing: trees have no parameters."""
        return Untold()

    def policy(self, fit: Trees, name: str, exponent: Exponents) -> Single:
        """Return the policy of trees."""
        return TreePolicy(name, fit, likelihood_exponent=exponent)

    def figures(self, fit: Trees, choices: Figures, *_: object) -> Figures:
        """Return the choices, and the number of leaves of each tree."""
        leaves = {
            Key(LEAVES, group=f"{street}, against {pair.against}", about=LEAVES): Estimate(
                size_of(tree)
            )
            for pair in fit
            for street, tree in (("3rd street", pair.third), ("later streets", pair.later))
        }
        return {**choices, **leaves}
