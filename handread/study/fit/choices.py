"""Choose family, penalty, likelihood exponent and shrinkage by cross-validation.

Whole logs are held out, or hands if there are few logs. The family with the best mean score is
chosen. Of the other values, the most cautious one is chosen that is not worse than the best by more
than the standard error of the difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from handread.arrays import Flags, Floats, Ints
from handread.study.fit.evidence import LN2, scores_of, sums_of
from handread.study.fit.exponents import StreetRead, street_reads
from handread.study.fit.learners import Learner, P, S
from handread.study.fit.sample import Sample
from handread.study.fit.stored import Lines

EXPONENTS = (0.3, 0.5, 0.7, 0.85, 1.0)

SHRINKAGES = (100.0, 30.0, 10.0, 3.0, 1.0)
"""Weights tried of everybody's policy as the prior of a player's."""

FOLDS, FEW_HANDS, MORE_FOLDS = 5, 100, 10
"""Number of folds; below ``FEW_HANDS`` hands there are ``MORE_FOLDS``."""

MOST_HANDS_EACH = 60

ENOUGH_TRUTHS = 30
"""With this many actions by known downcards, the bits on these choose the exponent."""

BY_EVIDENCE = "log2 P(what a player did in a hand)"

Tick = Callable[[str], None]
"""Called after each step with its name."""

Players = Mapping[str, Lines]
"""The lines of players, by name."""

V = TypeVar("V", float, str)


@dataclass(frozen=True, slots=True)
class Choice(Generic[V]):
    """A value chosen among others by a held-out score named ``by``.

    ``scores`` are means in bits, higher is better; ``errors`` the standard errors, by log, of the
    differences to the best score.
    """

    what: str
    by: str
    values: tuple[V, ...]
    scores: tuple[float, ...]
    errors: tuple[float, ...]
    chosen: V


@dataclass(frozen=True, slots=True)
class Tuned(Generic[S, P]):
    """A learner with the penalty chosen for it.

    Attributes:
        learner: The learner, at penalty 1.
        start: Where a search at the chosen penalty starts.
        scores: Held-out log2 of the evidence of each line at that penalty (L,).
    """

    learner: Learner[S, P]
    penalty: Choice[float]
    start: P
    scores: Floats


def choice(
    what: str, by: str, values: Sequence[V], scores: Sequence[Floats], logs: Ints
) -> Choice[V]:
    """Choose the first value with a mean score at most a standard error below the best.

    ``what`` is the parameter, and ``by`` names the score. ``values`` begin with the most cautious;
    each has ``scores`` (entries,) in bits, higher is better. ``logs`` (entries,) numbers the logs.
    """
    means = [float(score.mean()) if score.size else 0.0 for score in scores]
    best = int(np.argmax(means))
    errors = [_error(scores[best] - score, logs) for score in scores]
    near = [means[best] - mean <= error for mean, error in zip(means, errors, strict=True)]
    chosen = values[near.index(True)]
    return Choice(what, by, tuple(values), tuple(means), tuple(errors), chosen=chosen)


def _error(differences: Floats, logs: Ints) -> float:
    if not differences.size:
        return 0.0
    off = differences - differences.mean()
    _, log = np.unique(logs, return_inverse=True)
    return float(np.sqrt((np.bincount(log, weights=off) ** 2).sum())) / differences.size


def hands_in(sample: Lines) -> Ints:
    """Return the different numbers of hands."""
    return np.unique(np.concatenate([part.hand for part in sample.parts()]))


def some_hands(sample: Lines, seed: int, most: int) -> Sample:
    """Return the lines of at most ``most`` hands, drawn at random."""
    chosen = np.random.default_rng(seed).permutation(hands_in(sample))[:most]
    first, *others = (part.select(np.isin(part.hand, chosen)) for part in sample.parts())
    return Sample.join([first, *others]) if others else first


def folds_of(numbers: Ints, seed: int, folds: int) -> Iterator[Flags]:
    """Yield, for each fold, True at the entries held out; equal numbers stay together."""
    different = np.random.default_rng(seed).permutation(np.unique(numbers))
    for fold in range(min(folds, different.size)):
        yield np.isin(numbers, different[fold::folds])


def n_folds(hands: int) -> int:
    """Return the number of folds of a choice by this many hands."""
    return MORE_FOLDS if hands < FEW_HANDS else FOLDS


def _folds(sample: Sample, seed: int) -> Iterator[Flags]:
    return folds_of(sample.log, seed, n_folds(np.unique(sample.hand).size))


def choose_penalty(
    learner: Learner[S, P],
    sample: S,
    seed: int,
    tick: Tick,
    penalties: Sequence[float] | None = None,
) -> Tuned[S, P]:
    """Choose the penalty that makes held-out hands most probable.

    For known downcards the score is log2 P(actions | downcards), which rewards a policy both for
    predicting actions and for telling holdings apart. ``penalties`` default to the learner's.
    """
    tried = learner.penalties if penalties is None else penalties
    truths = sample.with_truths()
    starts = learner.starts(truths, tried)
    scores = [np.zeros(truths.n_lines) for _ in starts]
    for held_out in _folds(truths, seed):
        trained, tested = truths.select(~held_out), truths.select(held_out)
        for penalty, start, lines in zip(tried, starts, scores, strict=True):
            lines[held_out] = _held_out_bits(learner.at(penalty), trained, tested, start)
            tick("penalty")
    decided = choice(learner.penalty, BY_EVIDENCE, tried, scores, truths.log)
    at = decided.values.index(decided.chosen)
    return Tuned(learner, decided, starts[at], scores[at])


def choose_family(tuned: Mapping[str, Tuned[S, P]], logs: Ints) -> Choice[str]:
    """Choose the family that makes held-out hands most probable, each at its own penalty.

    ``logs`` has the number of the log of each line (L,).
    """
    scores = [learner.scores for learner in tuned.values()]
    decided = choice("family", BY_EVIDENCE, tuple(tuned), scores, logs)
    return replace(decided, chosen=decided.values[int(np.argmax(decided.scores))])


def _held_out_bits(learner: Learner[S, P], trained: S, tested: S, start: P) -> Floats:
    """Return log2 of the evidence of each tested line, learned from other lines."""
    log_odds = learner.log_odds(learner.learned(trained, start), tested)
    return sums_of(tested, log_odds)[0] / LN2


def descended(learner: Learner[S, P], sample: S, penalty: float) -> P:
    """Return the start of a search at a penalty."""
    stronger = [value for value in learner.penalties if value > penalty]
    return learner.starts(sample, (*stronger, penalty))[-1]


def _held_out_policies(
    learner: Learner[S, P], sample: S, penalty: float, seed: int, start: P | None
) -> Iterator[tuple[Flags, P]]:
    truths = sample.with_truths()
    if start is None:
        start = descended(learner, truths, penalty)
    else:  # a coarse sample chose the penalty, so that this one need not be finer
        truths = learner.coarse(truths)
    for held_out in _folds(truths, seed):
        yield held_out, learner.at(penalty).learned(truths.select(~held_out), start)


def choose_exponent(
    learner: Learner[S, P], sample: S, penalty: float, seed: int, tick: Tick, start: P | None = None
) -> Choice[float]:
    """Choose the likelihood exponent of the best held-out reads at a penalty.

    The score is the bits on the true downcards after each action. If too few downcards are known,
    it is how well reads predict the player's next action. That depends little on the downcards, so
    an exponent other than 1, Bayes' rule, must be clearly better. Searches begin at ``start``.
    """
    by_truths = int(sample.turns[sample.known].sum()) >= ENOUGH_TRUTHS
    judged = sample.select(sample.known) if by_truths else sample
    exponents = EXPONENTS if by_truths else EXPONENTS[::-1]
    scores = [np.zeros(judged.n_turns) for _ in exponents]
    for held_out, policy in _held_out_policies(learner, sample, penalty, seed, start):
        lines = held_out[sample.known] if by_truths else held_out
        turns, tested = lines[judged.line_of_turn], judged.select(lines)
        log_odds = learner.log_odds(policy, tested)
        for exponent, score in zip(exponents, scores, strict=True):
            bits, surprise = scores_of(tested, log_odds, exponent)
            score[turns] = bits if by_truths else -surprise
        tick("likelihood exponent")
    by = "bits on the true downcards" if by_truths else "log2 P(action)"
    logs = judged.log[judged.line_of_turn]
    return choice("likelihood exponent", by, exponents, scores, logs)


def held_out_reads(
    learner: Learner[S, P], sample: S, penalty: float, seed: int, tick: Tick, start: P | None = None
) -> list[StreetRead]:
    """Return reads of lines with known downcards, each by a policy of other hands."""
    reads: list[StreetRead] = []
    for held_out, policy in _held_out_policies(learner, sample, penalty, seed, start):
        tested = sample.select(held_out & sample.known)
        reads += street_reads(tested, learner.log_odds(policy, tested))
        tick("likelihood exponent")
    return reads


def players_in(sample: Lines, least: int) -> Players:
    """Return the lines of each named player with at least ``least`` actions, by name."""
    turns = Counter[str]()
    for part in sample.parts():
        players, at = np.unique(part.player, return_inverse=True)
        turns.update(dict(zip(players.tolist(), np.bincount(at, part.turns), strict=True)))
    names = sorted(name for name, n in turns.items() if name and n >= least)
    if isinstance(sample, Sample):
        return {name: sample.select(sample.player == name) for name in names}
    by_name = sample.of_players(names)
    return {name: by_name[name] for name in names}


def choose_shrinkage(
    learner: Learner[Any, P], everybody: P, players: Players, seed: int, tick: Tick
) -> Choice[float]:
    """Choose the shrinkage that makes players' held-out hands most probable."""
    by_player, logs = [], []
    for player in players.values():
        sample = some_hands(player, seed, MOST_HANDS_EACH).with_truths()
        logs.append(sample.log)
        folds = [
            (held_out, sample.select(~held_out), sample.select(held_out))
            for held_out in folds_of(sample.log, seed, 3)
        ]
        scores = np.zeros((len(SHRINKAGES), sample.n_lines))
        for shrinkage, lines in zip(SHRINKAGES, scores, strict=True):
            of_player = learner.of_player(everybody, shrinkage)
            for held_out, trained, tested in folds:
                lines[held_out] = _held_out_bits(of_player, trained, tested, everybody)
            tick("players")
        by_player.append(scores)
    by_shrinkage = list(np.concatenate(by_player, axis=1))
    return choice("shrinkage", BY_EVIDENCE, SHRINKAGES, by_shrinkage, np.concatenate(logs))
