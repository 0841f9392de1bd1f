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
from handread.policy.tree import EVERYBODY, UNIFORM, TreePair
from handread.study.fit.evidence import sums_of
from handread.study.fit.sample import CODES, Flags, Floats, Grouping, Ints, Sample
from handread.study.fit.trees import ChoiceExamples, Growth, Language

GROUPING = Grouping(128, (holding_mask(), *[0] * len(CONDITIONS)), situations=True)
"""The rule by which the holdings of a sample are taken together, before the tests do."""

ACTIONS = ("check", "bet", "fold", "raise", "call")
"""The actions by their code in a sample; a call has the code of a check there, 0."""

CALL = ACTIONS.index("call")

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
        examples: The examples; their contexts are the cells.
    """

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        turn_of_row = sample.by_row(np.arange(sample.n_turns, dtype=float)).astype(np.int64)
        words, turn, self._cell_of_row = _cells(sample, turn_of_row)
        legal = np.concatenate([np.ones((sample.n_turns, 1), bool), sample.legal], axis=1)
        answers = choice_words(ACTION_TESTS, ACTIONS)
        code = np.tile(np.arange(legal.shape[1]), (turn.size, 1))
        code[~sample.legal[turn, CODES["bet"] - 1], 0] = CALL
        self.examples = ChoiceExamples(
            np.concatenate([sample.situation[turn], words], axis=1),
            legal[turn],
            answers[code],
            sample.action[turn],
            sample.features[turn, THIRD] == 1.0,
            LANGUAGE,
        )
        self._group_of_row = np.repeat(
            np.arange(sample.weight.size), np.repeat(sample.turns, sample.groups)
        )

    def log_odds(self, trees: Sequence[TreePair]) -> Floats:
        """Return ln P(action | group) of each row (R,), by equation 4."""
        by_cell = self.examples.of_chosen(self.examples.probabilities(trees))
        out: Floats = np.log(by_cell)[self._cell_of_row]
        return out

    def grow(
        self, before: Sequence[TreePair], log_odds: Floats, growth: Growth, lines: Flags
    ) -> TreePair:
        """Return the trees that tell the actions taken from those of a policy.

        Args:
            before: The trees of the policy; none for uniform choices.
            log_odds: ln P(action | group) of each row (R,), by which the holdings are weighed.
            growth: Rules of the trees.
            lines: True for the lines (L,) to learn from.
        """
        _, posterior = sums_of(self.sample, log_odds)
        posterior = posterior * np.repeat(lines, self.sample.groups)
        mass: Floats = np.bincount(
            self._cell_of_row,
            weights=posterior[self._group_of_row],
            minlength=self.examples.n_contexts,
        ).astype(np.float64)
        against = EVERYBODY if before else UNIFORM
        base = self.examples.probabilities(before)
        return self.examples.grow_from(against, base, mass, growth)


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
