"""Fit policies of relational trees: everybody's prior, then a correction for each player.

Hidden downcards are missing data: a line counts with each of its possible holdings, weighed by the
pdd that its actions leave under the policy so far (expectation and maximisation, by turns). The
penalty of a fit is the smallest leaf, in examples; the shrinkage of a player is what is added to
both sources at the leaves of the player's trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from handread.game.steps import Replay
from handread.policy import Exponents, PolicyFile, Provenance, TreePolicy, fingerprint
from handread.policy.tree import TreePair, size_of
from handread.study.fit.choices import (
    BY_EVIDENCE,
    ENOUGH_TRUTHS,
    EXPONENTS,
    MOST_HANDS_EACH,
    SHRINKAGES,
    Choice,
    Tick,
    choice,
    folds_of,
    players_in,
    some_hands,
)
from handread.study.fit.evidence import LN2, scores_of, sums_of
from handread.study.fit.exponents import StreetRead, street_reads
from handread.study.fit.families import Ramps, loose
from handread.study.fit.fitted import (
    LEAVES,
    Fit,
    FitInProgress,
    FitOptions,
    Gather,
    choice_figures,
)
from handread.study.fit.sample import Flags, Floats, Sample
from handread.study.fit.tree_sample import GROUPING, TreeSample
from handread.study.fit.trees import Growth
from handread.study.statistics import Estimate, Key

LEASTS = (160.0, 80.0, 40.0, 20.0)
"""Smallest leaves that are tried, in examples."""

MOST_HANDS = 500
"""Largest number of hands for the choice of the smallest leaf and of the exponent."""

STEPS = 2
"""Number of times that trees are grown in a round, each with the holdings weighed anew."""

LEAST_OF_PLAYER = 20.0
"""Smallest leaf of the trees of a player."""

Trees = tuple[TreePair, ...]


class TreeFitter(FitInProgress):
    """A fit of trees."""

    def __init__(
        self,
        hands: Sequence[Replay],
        options: FitOptions,
        read: Gather,
        tick: Tick,
        phase: Tick,
        without: Collection[str],
    ) -> None:
        super().__init__(hands, options, read, tick, phase, without)
        prior = options.prior
        self._before: Trees = getattr(prior, "trees", ())
        self._growth = Growth()

    def fit(self) -> Fit:
        """Choose leaf and exponent, then grow everybody's trees and those of players."""
        options = self._options
        sample = self._gathered(PolicyFile(options.prior or loose()))
        self._choose(some_hands(sample, options.seed, MOST_HANDS))
        data = TreeSample(sample.with_truths())
        trees = self._grown(data, self._start(data))
        for _ in range(options.rounds - 1):
            del sample, data  # two samples may not fit in memory
            sample = self._gathered(PolicyFile(self._policy(trees)))
            data = TreeSample(sample.with_truths())
            trees = self._grown(data, data.log_odds(trees))
        own: dict[str, Trees] = {}
        players = players_in(sample, options.least) if options.players else {}
        if players:
            shrinkage = self._shrinkage(trees, players)
            self._phase(f"fitting {len(players)} players")
            for name, lines in players.items():
                own[name] = self._corrected(trees, lines, shrinkage)
                self._tick("players")
        file = PolicyFile(
            self._policy(trees),
            {name: self._policy(one, f"#{name}") for name, one in own.items()},
            self._provenance(data, trees, players),
        )
        figures = choice_figures(self._choices, self._exponents)
        for pair in trees:
            for street, tree in (("3rd street", pair.third), ("later streets", pair.later)):
                key = Key(LEAVES, group=f"{street}, against {pair.against}", about=LEAVES)
                figures[key] = Estimate(size_of(tree))
        return Fit(figures, file, tuple(self._choices), self._usage)

    def _gathered(self, policies: PolicyFile) -> Sample:
        self._phase("reading the hands")
        return self._sample(policies, GROUPING)

    # Growing

    def _start(self, data: TreeSample) -> Floats:
        """Return ln P(action | group) by which the holdings are weighed at first."""
        if self._before:
            return data.log_odds(self._before)
        family = Ramps()
        return family.log_odds(family.vector(loose()), data.sample)

    def _grown(
        self, data: TreeSample, start: Floats, lines: Flags | None = None, least: float = 0.0
    ) -> Trees:
        """Return the trees of everybody, grown from lines (all by default)."""
        if lines is None:
            self._phase("growing trees")
        growth = replace(self._growth, least=least or self._growth.least)
        found = _em(data, self._before, start, growth, lines)
        self._tick("fit")
        return found

    def _corrected(self, everybody: Trees, sample: Sample, shrinkage: float) -> Trees:
        """Return the trees of a player: everybody's, and the correction."""
        data = TreeSample(sample.with_truths())
        start = data.log_odds(everybody)
        growth = Growth(LEAST_OF_PLAYER, shrinkage)
        return _em(data, everybody, start, growth, None)

    # Choosing

    def _choose(self, few: Sample) -> None:
        """Take leaf and exponent from the options, or choose them on a few hands."""
        options = self._options
        data = TreeSample(few.with_truths())
        start = self._start(data)
        least = options.penalty
        if least is None:
            self._phase("choosing the smallest leaf")
            least = self._chosen(self._by_leaf(data, start))
        self._growth = Growth(least)
        exponent = options.likelihood_exponent
        if exponent is None and options.by_stage:
            self._phase("choosing the likelihood exponents")
            exponent = self._by_stage(few, data, start)
        elif exponent is None:
            self._phase("choosing the likelihood exponent")
            exponent = self._chosen(self._by_exponent(few, data, start))
        self._exponent = exponent

    def _by_leaf(self, data: TreeSample, start: Floats) -> Choice:
        """Choose the smallest leaf that makes held-out hands most probable."""
        sample, scores = data.sample, []
        for least in LEASTS:
            lines = np.zeros(sample.n_lines)
            for held_out in folds_of(sample.hand, self._options.seed):
                found = self._grown(data, start, ~held_out, least)
                bits = sums_of(sample, data.log_odds(found))[0] / LN2
                lines[held_out] = bits[held_out]
            scores.append(lines)
        return choice("smallest leaf", BY_EVIDENCE, LEASTS, scores, sample.hand)

    def _by_exponent(self, few: Sample, data: TreeSample, start: Floats) -> Choice:
        """Choose the likelihood exponent of the best held-out reads, as ``choose_exponent``."""
        by_truths = int(few.turns[few.known].sum()) >= ENOUGH_TRUTHS
        judged = TreeSample(few.select(few.known) if by_truths else few)
        kept = few.known if by_truths else np.ones(few.n_lines, dtype=bool)
        exponents = EXPONENTS if by_truths else EXPONENTS[::-1]
        sample = judged.sample
        scores = [np.zeros(sample.n_turns) for _ in exponents]
        for held_out in folds_of(few.hand, self._options.seed):
            found = self._grown(data, start, ~held_out)
            log_odds = judged.log_odds(found)
            turns = held_out[kept][sample.line_of_turn]
            for exponent, score in zip(exponents, scores, strict=True):
                bits, surprise = scores_of(sample, log_odds, exponent)
                score[turns] = (bits if by_truths else -surprise)[turns]
        by = "bits on the true downcards" if by_truths else "log2 P(action)"
        hands = sample.hand[sample.line_of_turn]
        return choice("likelihood exponent", by, exponents, scores, hands)

    def _by_stage(self, few: Sample, data: TreeSample, start: Floats) -> Exponents:
        reads: list[StreetRead] = []
        for held_out in folds_of(few.hand, self._options.seed):
            found = self._grown(data, start, ~held_out)
            judged = TreeSample(few.select(held_out & few.known))
            log_odds = judged.log_odds(found)
            reads += street_reads(judged.sample, log_odds)
        return self._exponents_of(reads)

    def _shrinkage(self, everybody: Trees, players: Mapping[str, Sample]) -> float:
        """Choose the shrinkage that makes players' held-out hands most probable."""
        self._phase("choosing the shrinkage of players")
        seed = self._options.seed
        own = [
            TreeSample(some_hands(one, seed, MOST_HANDS_EACH).with_truths())
            for one in players.values()
        ]
        starts = [data.log_odds(everybody) for data in own]
        scores = []
        for shrinkage in SHRINKAGES:
            lines = [np.zeros(data.sample.n_lines) for data in own]
            for data, start, score in zip(own, starts, lines, strict=True):
                for held_out in folds_of(data.sample.hand, seed, 3):
                    growth = Growth(LEAST_OF_PLAYER, shrinkage)
                    found = _em(data, everybody, start, growth, ~held_out)
                    log_odds = data.log_odds(found)
                    score[held_out] = (sums_of(data.sample, log_odds)[0] / LN2)[held_out]
            scores.append(np.concatenate(lines))
            self._tick("players")
        hands = np.concatenate([data.sample.hand for data in own])
        return self._chosen(choice("shrinkage", BY_EVIDENCE, SHRINKAGES, scores, hands))

    # The result

    def _policy(self, trees: Trees, player: str = "") -> TreePolicy:
        name = self._options.name + player
        return TreePolicy(name, trees, likelihood_exponent=self._exponent)

    def _provenance(
        self, data: TreeSample, trees: Trees, players: Mapping[str, Sample]
    ) -> Provenance:
        sample, hands = data.sample, self._hands
        bits = sums_of(sample, data.log_odds(trees))[0].sum() / LN2
        own = [(name, int(np.unique(one.hand).size), one.n_turns) for name, one in players.items()]
        return Provenance(
            version=self._options.version,
            hands=len(hands),
            actions=sample.n_turns,
            known=int(sample.turns[sample.known].sum()),
            evidence_bits=round(float(bits), 1),
            penalty=self._growth.least,
            seen=tuple(sorted({fingerprint(hand.history) for hand in hands})),
            players=tuple(own),
            games=tuple(sorted(Counter(hand.history.variant for hand in hands).items())),
        )


def _em(
    data: TreeSample, before: Trees, start: Floats, growth: Growth, lines: Flags | None
) -> Trees:
    """Return trees ``before`` with one more pair, grown from lines.

    Args:
        data: The examples.
        before: The trees so far; their policy is the first source.
        start: ln P(action | group) by which the holdings are weighed at first.
        growth: Rules of the trees.
        lines: True for the lines to learn from; None for all.
    """
    chosen = np.ones(data.sample.n_lines, dtype=bool) if lines is None else lines
    log_odds, trees = start, before
    for step in range(STEPS):
        trees = (*before, data.grow(before, log_odds, growth, chosen))
        if step < STEPS - 1:
            log_odds = data.log_odds(trees)
    return trees
