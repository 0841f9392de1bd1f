"""Choose penalty, likelihood exponent and shrinkage by cross-validation.

Hands are held out whole. Among the values tried, the most cautious one is chosen that is not worse
than the best by more than the standard error of the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from handread.study.fit.evidence import (
    LN2,
    Prior,
    bits_on_truth,
    line_evidence,
    most_probable,
)
from handread.study.fit.exponents import StreetRead, street_reads
from handread.study.fit.families import Family
from handread.study.fit.sample import Flags, Floats, Ints, Sample

PENALTIES = (30.0, 10.0, 3.0, 1.0, 0.3)
"""Weights of the prior that are tried, the strongest first."""

EXPONENTS = (0.3, 0.5, 0.7, 0.85, 1.0)
"""Likelihood exponents that are tried."""

SHRINKAGES = (100.0, 30.0, 10.0, 3.0, 1.0)
"""Weights that are tried of everybody's policy as the prior of a player's."""

FOLDS, FEW_HANDS, MORE_FOLDS = 5, 100, 10
"""Number of folds; below ``FEW_HANDS`` hands there are ``MORE_FOLDS``."""

MOST_HANDS = 200
"""Largest number of hands for the choice; with more, the penalty hardly matters any longer."""

MOST_HANDS_EACH = 60
"""Largest number of hands of each player for the choice of the shrinkage."""

ENOUGH_TRUTHS = 30
"""With this many actions by known downcards, the bits on these choose the exponent."""

BY_EVIDENCE = "log2 P(what a player did in a hand)"

Tick = Callable[[str], None]
"""Called after each step with its name."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value chosen among others by a held-out score.

    Attributes:
        what: Name of the parameter.
        by: Name of the score.
        values: Values tried.
        scores: Mean held-out score of each value, in bits; higher is better.
        errors: Standard errors, by hand, of the differences to the best score.
        chosen: The chosen value.
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
    """Choose a value by held-out scores.

    Args:
        what: Name of the parameter.
        by: Name of the score.
        values: Values tried, the most cautious first.
        scores: Scores (entries,) of each value, in bits; higher is better.
        hands: Number of the hand of each entry (entries,).

    Returns:
        The choice: the first value whose mean score is below the best by at most the standard
        error of the difference.
    """
    means = [float(score.mean()) if score.size else 0.0 for score in scores]
    best = int(np.argmax(means))
    errors = [_error(scores[best] - score, hands) for score in scores]
    near = [means[best] - mean <= error for mean, error in zip(means, errors, strict=True)]
    chosen = values[near.index(True)]
    return Choice(what, by, tuple(values), tuple(means), tuple(errors), chosen)


def _error(differences: Floats, hands: Ints) -> float:
    """Return the standard error of a mean, clustered by hand."""
    if not differences.size:
        return 0.0
    off = differences - differences.mean()
    _, hand = np.unique(hands, return_inverse=True)
    return float(np.sqrt((np.bincount(hand, weights=off) ** 2).sum())) / differences.size


@dataclass(frozen=True, slots=True)
class Search:
    """The settings that all searches of a fit share.

    Attributes:
        family: Family of policies.
        prior: Prior at penalty 1.
        start: Parameters (K,) at which the first search starts.
        seed: Random seed of the folds.
    """

    family: Family
    prior: Prior
    start: Floats
    seed: int

    def descend(self, sample: Sample, penalty: float) -> Floats:
        """Return the most probable parameters (K,) at a penalty, by way of all stronger ones.

        A search from afar may end at a lesser optimum; under a strong prior there is only one.
        """
        vector = self.start
        for stronger in (*(value for value in PENALTIES if value > penalty), penalty):
            vector = most_probable(self.family, sample, self.at(stronger), vector)
        return vector

    def at(self, penalty: float) -> Prior:
        """Return the prior at a penalty."""
        return Prior(self.prior.centre, penalty * self.prior.precision)


def some_hands(sample: Sample, seed: int, most: int = MOST_HANDS) -> Sample:
    """Return the lines of at most ``most`` hands, drawn at random."""
    hands = np.unique(sample.hand)
    if hands.size <= most:
        return sample
    chosen = np.random.default_rng(seed).permutation(hands)[:most]
    return sample.select(np.isin(sample.hand, chosen))


def folds_of(numbers: Ints, seed: int, folds: int | None = None) -> Iterator[Flags]:
    """Yield, for each fold, True at the entries held out; equal numbers stay together."""
    different = np.random.default_rng(seed).permutation(np.unique(numbers))
    if folds is None:
        folds = MORE_FOLDS if different.size < FEW_HANDS else FOLDS
    for fold in range(min(folds, different.size)):
        yield np.isin(numbers, different[fold::folds])


def choose_penalty(search: Search, sample: Sample, values: Sequence[float], tick: Tick) -> Choice:
    """Choose the penalty that makes held-out hands most probable.

    Where downcards are known the score is log2 P(actions | downcards), which rewards a policy both
    for predicting actions and for telling holdings apart.
    """
    scores = []
    vector = search.start
    truths = sample.with_truths()
    # From the strongest down: each optimum is a good start for the next.
    for penalty in values:
        lines = np.zeros(truths.n_lines)
        vector = most_probable(search.family, truths, search.at(penalty), vector)
        for held_out in folds_of(sample.hand, search.seed):
            trained = truths.select(~held_out)
            found = most_probable(search.family, trained, search.at(penalty), vector)
            lines[held_out] = line_evidence(search.family, found, truths.select(held_out)) / LN2
            tick("penalty")
        scores.append(lines)
    return choice("penalty", BY_EVIDENCE, values, scores, sample.hand)


def choose_exponent(search: Search, sample: Sample, penalty: float, tick: Tick) -> Choice:
    """Choose the likelihood exponent of the best held-out reads at a penalty.

    Reads are scored by the bits on the true downcards after each action. Where too few downcards
    are known, they are scored by how well they predict the player's next action. That says little
    about the downcards, so an exponent other than 1, Bayes' rule, must be clearly better.
    """
    truths = sample.with_truths()
    start = search.descend(truths, penalty)
    by_truths = int(sample.turns[sample.known].sum()) >= ENOUGH_TRUTHS
    judged = sample.select(sample.known) if by_truths else sample
    exponents = EXPONENTS if by_truths else EXPONENTS[::-1]
    scores = [np.zeros(judged.n_turns) for _ in exponents]
    for held_out in folds_of(sample.hand, search.seed):
        found = most_probable(search.family, truths.select(~held_out), search.at(penalty), start)
        lines = held_out[sample.known] if by_truths else held_out
        turns = lines[judged.line_of_turn]
        for exponent, score in zip(exponents, scores, strict=True):
            bits, surprise = bits_on_truth(search.family, found, judged.select(lines), exponent)
            score[turns] = bits if by_truths else -surprise
        tick("likelihood exponent")
    by = "bits on the true downcards" if by_truths else "log2 P(action)"
    hands = judged.hand[judged.line_of_turn]
    return choice("likelihood exponent", by, exponents, scores, hands)


def held_out_reads(search: Search, sample: Sample, penalty: float, tick: Tick) -> list[StreetRead]:
    """Return what lines with known downcards say of the exponents, each read by other hands."""
    truths = sample.with_truths()
    start = search.descend(truths, penalty)
    found: list[StreetRead] = []
    for held_out in folds_of(sample.hand, search.seed):
        vector = most_probable(search.family, truths.select(~held_out), search.at(penalty), start)
        tested = sample.select(held_out & sample.known)
        found += street_reads(tested, search.family.log_odds(vector, tested))
        tick("likelihood exponent")
    return found


def players_in(sample: Sample, least: int) -> dict[str, Sample]:
    """Return the lines of each named player with at least ``least`` actions, by name."""
    found = {}
    for name in np.unique(sample.player[sample.player != ""]).tolist():
        own = sample.select(sample.player == name)
        if own.n_turns >= least:
            found[name] = own
    return found


def choose_shrinkage(
    search: Search, everybody: Floats, players: Mapping[str, Sample], tick: Tick
) -> Choice:
    """Choose the shrinkage that makes players' held-out hands most probable."""
    own = [some_hands(one, search.seed, MOST_HANDS_EACH).with_truths() for one in players.values()]
    scores = []
    for shrinkage in SHRINKAGES:
        lines = [np.zeros(one.n_lines) for one in own]
        for sample, score in zip(own, lines, strict=True):
            for held_out in folds_of(sample.hand, search.seed, 3):
                found = own_vector(search, everybody, sample.select(~held_out), shrinkage)
                tested = sample.select(held_out)
                score[held_out] = line_evidence(search.family, found, tested) / LN2
            tick("players")
        scores.append(np.concatenate(lines))
    hands = np.concatenate([one.hand for one in own])
    return choice("shrinkage", BY_EVIDENCE, SHRINKAGES, scores, hands)


def own_vector(search: Search, everybody: Floats, sample: Sample, shrinkage: float) -> Floats:
    """Return a player's parameters (K,), with everybody's as their prior."""
    prior = player_prior(search, everybody, shrinkage)
    return most_probable(search.family, sample, prior, everybody)


def player_prior(search: Search, everybody: Floats, shrinkage: float) -> Prior:
    """Return the prior of a player's parameters, around everybody's."""
    return Prior(everybody, shrinkage * search.family.personal)
