"""Penalty and temper, chosen by what they are worth on hands that the fit has not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from handread.fitting.evidence import LN2, bits_on_truth, line_evidence
from handread.fitting.family import Family
from handread.fitting.optimum import Prior, most_probable
from handread.fitting.sample import Flags, Floats, Ints, Sample

PENALTIES = (30.0, 10.0, 3.0, 1.0, 0.3)
TEMPERS = (0.3, 0.5, 0.7, 0.85, 1.0)

FOLDS, FEW_HANDS, MORE_FOLDS = 5, 100, 10
"""How many folds, and how many where there are fewer hands than so many."""

MOST_HANDS = 200
"""How many hands the choice is made on: with more, the penalty hardly matters any longer."""

ENOUGH_TRUTHS = 30
"""From how many actions with known downcards on these, and not the surprise, choose the temper."""

BY_EVIDENCE = "log2 P(what a player did in a hand)"

Tick = Callable[[str], None]
"""Is told of each step that is done."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value chosen among others by a held-out score, the higher the better.

    ``by`` says what the scores are, in bits; ``errors`` are the standard errors, from hand to hand,
    of how far they are behind the best.
    """

    what: str
    by: str
    values: tuple[float, ...]
    scores: tuple[float, ...]
    errors: tuple[float, ...]
    chosen: float


def choice(
    what: str,
    by: str,
    values: Sequence[float],
    scores: Sequence[Floats],
    hands: Ints,
) -> Choice:
    """A value chosen by held-out scores, each an array of entries from ``hands``.

    ``values`` begin with the most cautious, and the first is taken whose score is behind the best
    by no more than the standard error of that: what is hardly better is not worth the risk.
    """
    means = [float(score.mean()) if score.size else 0.0 for score in scores]
    best = int(np.argmax(means))
    errors = [_error(scores[best] - score, hands) for score in scores]
    near = [means[best] - mean <= error for mean, error in zip(means, errors, strict=True)]
    chosen = values[near.index(True)]
    return Choice(what, by, tuple(values), tuple(means), tuple(errors), chosen)


def _error(differences: Floats, hands: Ints) -> float:
    """The standard error of a mean, the entries of a hand taken together."""
    if not differences.size:
        return 0.0
    off = differences - differences.mean()
    _, hand = np.unique(hands, return_inverse=True)
    return float(np.sqrt((np.bincount(hand, weights=off) ** 2).sum())) / differences.size


@dataclass(frozen=True, slots=True)
class Bench:
    """A family, its prior at penalty 1, and where a search begins: what every trial shares."""

    family: Family
    prior: Prior
    outset: Floats
    seed: int

    def way_down(self, sample: Sample, penalty: float) -> Floats:
        """The most probable parameters at a penalty, by way of all the stronger ones.

        A search from afar may end on a lesser peak; under a strong prior there is but one.
        """
        vector = self.outset
        for stronger in (*(value for value in PENALTIES if value > penalty), penalty):
            vector = most_probable(self.family, sample, self.at(stronger), vector)
        return vector

    def at(self, penalty: float) -> Prior:
        """The prior at a penalty."""
        return Prior(self.prior.centre, penalty * self.prior.precision)


def some_hands(sample: Sample, seed: int, most: int = MOST_HANDS) -> Sample:
    """The lines of at most so many hands, drawn by the seed."""
    hands = np.unique(sample.hand)
    if hands.size <= most:
        return sample
    chosen = np.random.default_rng(seed).permutation(hands)[:most]
    return sample.select(np.isin(sample.hand, chosen))


def folds_of(numbers: Ints, seed: int, folds: int | None = None) -> Iterator[Flags]:
    """Which entries of an array of numbers are held out in each fold; equal numbers together."""
    different = np.random.default_rng(seed).permutation(np.unique(numbers))
    if folds is None:
        folds = MORE_FOLDS if different.size < FEW_HANDS else FOLDS
    for fold in range(min(folds, different.size)):
        yield np.isin(numbers, different[fold::folds])


def choose_penalty(bench: Bench, sample: Sample, values: Sequence[float], tick: Tick) -> Choice:
    """The penalty under which hands that were held out are likeliest.

    Where downcards are known the score is that of the actions with them: -log2 of P(actions |
    downcards), which asks of a policy both to foresee the actions and to read the cards.
    """
    scores = []
    vector = bench.outset
    truths = sample.with_truths()
    # From the strongest down: each optimum is a good start for the next.
    for penalty in values:
        lines = np.zeros(truths.n_lines)
        vector = most_probable(bench.family, truths, bench.at(penalty), vector)
        for held_out in folds_of(sample.hand, bench.seed):
            trained = truths.select(~held_out)
            found = most_probable(bench.family, trained, bench.at(penalty), vector)
            lines[held_out] = line_evidence(bench.family, found, truths.select(held_out)) / LN2
            tick("penalty")
        scores.append(lines)
    return choice("penalty", BY_EVIDENCE, values, scores, sample.hand)


def choose_temper(bench: Bench, sample: Sample, penalty: float, tick: Tick) -> Choice:
    """The temper under which held-out reads are best, at a penalty.

    By the bits on the true downcards after each action where they are known, and then with caution;
    where hardly any are, by how well the read foresees the next action of the same player. That
    tells little of the read, so 1, which is Bayes' rule, must be shown to be wrong.
    """
    truths = sample.with_truths()
    start = bench.way_down(truths, penalty)
    by_truths = int(sample.turns[sample.known].sum()) >= ENOUGH_TRUTHS
    judged = sample.select(sample.known) if by_truths else sample
    tempers = TEMPERS if by_truths else TEMPERS[::-1]
    scores = [np.zeros(judged.n_turns) for _ in tempers]
    for held_out in folds_of(sample.hand, bench.seed):
        found = most_probable(bench.family, truths.select(~held_out), bench.at(penalty), start)
        lines = held_out[sample.known] if by_truths else held_out
        turns = lines[judged.line_of_turn]
        for temper, score in zip(tempers, scores, strict=True):
            bits, surprise = bits_on_truth(bench.family, found, judged.select(lines), temper)
            score[turns] = bits if by_truths else -surprise
        tick("temper")
    by = "bits on the true downcards" if by_truths else "log2 P(action)"
    hands = judged.hand[judged.line_of_turn]
    return choice("temper", by, tempers, scores, hands)
