"""The examples of policies of trees in a sample: holdings, situations and choices as words.

Holdings of a line that pass the same tests at a turn are one *cell*. An *example* is a cell with
one of the legal actions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from handread.policy.features import CONDITIONS
from handread.policy.relations import (
    ACTION_TESTS,
    HOLDING_TESTS,
    SITUATION_TESTS,
    Holdings,
    Words,
    choice_words,
    holding_mask,
    holding_words,
)
from handread.policy.tree import TreePair
from handread.study.fit.evidence import sums_of
from handread.study.fit.sample import CODES, Flags, Floats, Grouping, Ints, Sample
from handread.study.fit.trees import Examples, Growth, Language, grow, leaf_odds

GROUPING = Grouping(128, (holding_mask(), *[0] * len(CONDITIONS)), situations=True)
"""The rule by which the holdings of a sample are taken together, before the tests do."""

ACTIONS = ("check", "bet", "fold", "raise", "call")
"""The actions by their code; a call has the code of a check, 0."""

LANGUAGE = Language.of(
    [test.name for test in SITUATION_TESTS],
    [test.name for test in HOLDING_TESTS],
    [test.name for test in ACTION_TESTS],
)
"""The tests of policies."""

THIRD = 1
"""The place of the feature ``third`` among those of a decision."""


class TreeSample:
    """The examples of a sample of lines.

    Args:
        sample: The sample, gathered by ``GROUPING``.

    Attributes:
        sample: The sample.
        words: Answers to the tests of each example.
        observed: True for the examples of actions that were taken.
        first: True for the examples of the first street.
        uniform: Probability of each example's action if all legal ones are equally likely.
    """

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        turn_of_row = sample.by_row(np.arange(sample.n_turns, dtype=float)).astype(np.int64)
        words, turns, self._cell_of_row = _cells(sample, turn_of_row)
        legal = np.concatenate([np.ones((sample.n_turns, 1), bool), sample.legal], axis=1)
        self._cell, code = np.nonzero(legal[turns])
        turn = turns[self._cell]
        self._n_cells = turns.size
        self.observed: Flags = sample.action[turn] == code
        self.first: Flags = sample.features[turn, THIRD] == 1.0
        self.uniform: Floats = 1.0 / legal[turn].sum(axis=1)
        calls = (code == 0) & ~sample.legal[turn, CODES["bet"] - 1]
        named = choice_words(ACTION_TESTS, ACTIONS)[np.where(calls, len(ACTIONS) - 1, code)]
        self.words = np.concatenate([sample.situation[turn], words[self._cell], named], axis=1)
        rows = sample.turns * sample.groups
        group = np.repeat(np.arange(sample.weight.size), np.repeat(sample.turns, sample.groups))
        assert group.size == rows.sum()
        self._group_of_row = group

    def probabilities(self, trees: Sequence[TreePair]) -> Floats:
        """Return the probability of each example's action by equation 4."""
        odds = self.uniform.copy()
        for pair in trees:
            odds *= self._odds(pair)
        totals = np.bincount(self._cell, weights=odds, minlength=self._n_cells)
        return odds / totals[self._cell]

    def _odds(self, pair: TreePair) -> Floats:
        odds = np.empty(self.observed.size)
        for first in (True, False):
            own = self.first == first
            odds[own] = leaf_odds(pair.of(first), self.words[own], LANGUAGE)
        return odds

    def log_odds(self, probabilities: Floats) -> Floats:
        """Return ln P(action | group) of each row (R,), given the probabilities of examples."""
        by_cell = np.empty(self._n_cells)
        by_cell[self._cell[self.observed]] = probabilities[self.observed]
        out: Floats = np.log(by_cell)[self._cell_of_row]
        return out

    def grow(
        self, against: str, before: Floats, log_odds: Floats, growth: Growth, lines: Flags
    ) -> TreePair:
        """Return the trees that tell the actions taken from those of a policy.

        Args:
            against: Name of that policy.
            before: Its probabilities of the examples.
            log_odds: ln P(action | group) of each row (R,), by which the holdings are weighed.
            growth: Rules of the trees.
            lines: True for the lines (L,) to learn from.
        """
        _, posterior = sums_of(self.sample, log_odds)
        posterior = posterior * np.repeat(lines, self.sample.groups)
        mass = np.bincount(
            self._cell_of_row, weights=posterior[self._group_of_row], minlength=self._n_cells
        )[self._cell]
        weights = np.stack([mass * before, mass * self.observed], axis=1)
        pair = []
        for first in (True, False):
            own = (self.first == first) & (mass > 1e-9)
            pair.append(grow(Examples(self.words[own], weights[own]), LANGUAGE, growth))
        return TreePair(against, *pair)


def _cells(sample: Sample, turn_of_row: Ints) -> tuple[Words, Ints, Ints]:
    """Return the words of each cell, its turn, and the cell of each row."""
    odds = np.full(sample.n_turns, -np.inf)
    staked = sample.odds_x != 0.0
    odds[staked] = -sample.odds_x[staked] * sample.log_n[staked]
    holdings = Holdings(
        sample.percentile,
        sample.log_chance,
        sample.code,
        sample.log_n[turn_of_row],
        odds[turn_of_row],
    )
    words = holding_words(holdings)
    different, kind = np.unique(words[:, 0], return_inverse=True)
    keys, cell = np.unique(turn_of_row * np.int64(different.size) + kind, return_inverse=True)
    turn, kind_of_cell = np.divmod(keys, max(1, different.size))
    return different[kind_of_cell][:, None], turn, cell
