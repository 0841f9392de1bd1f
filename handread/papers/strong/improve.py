"""Policy iteration: a policy that wins more in each round of games.

In a round the learner plays at random tables (``self_play``), each of its decisions with every
legal action. For decisions with features x, nets R(a) and probabilities p(a), the mean of
sum_a p(a) R(a) is the learner's net. Its gradient by the weights of the logit family is

    g = mean of p(a) (R(a) - sum_b p(b) R(b)) x,

and a step along F^-1 g, F the Fisher information of the actions, raises the log-odds of an action
by as much as it is better (a natural gradient, Kakade 2001). Steps are small, as the games assume
that everybody reads the learner by its present policy: one large step from 14,000 decisions with
twelve rollouts each gained .1 big bets a hand, a second one lost them again. Entropy with a small
weight keeps every action possible, and the policy readable.

Tried and dropped: the best action of each decision as the target of a fit (the noise of single
rollouts decides), a softmax of rollouts, and fits to Loki's players among the opponents.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from handread.arrays import Flags, Floats
from handread.decisions.particles import policy_arrays
from handread.inference.players import Model
from handread.papers.strong.ladder import TABLES, seats_words
from handread.papers.strong.self_play import DealGames, Features, Seen
from handread.policy import LogitPolicy, in_game, load_policy
from handread.runs import Run
from handread.simulate import Setup
from handread.study.statistics import Estimate, FigureTable, Key
from handread.study.sums import Row, Study
from handread.typed import read_typed, write_typed

POPULATION = {
    "people-average": 0.25,
    "people": 0.15,
    "default": 0.25,
    "tight": 0.12,
    "loose": 0.14,
    "honest": 0.09,
}
"""The shares of the opponents; at three tables of ten they are an earlier version."""

SEATS = (6, 6, 6, 2, 2, 3, 4, 5, 7)
"""Numbers of seats, each as likely as the others."""

GAMES = 24
"""Games with the same upcards on the first street."""

DEAL = 2
"""Time for a deal, its games and all their decisions, in plain games."""

RATE, TEMPERATURE, RIDGE = 1.0, 0.02, 3e-3
"""The log-odds that an advantage of a big bet adds in a round, the value of a nat of entropy in big
bets, and what is added to the diagonal of the Fisher information."""

LARGEST = 0.02
"""The largest step, in nats between the policies before and after it."""

KEPT = 0.5, 0.7
"""The parts of the gradient and of the Fisher information that come from earlier rounds."""

OLDER, EVERY = 6, 6
"""The number of earlier versions among the opponents, and the rounds between them."""

GAIN = "gain_big_bets"

HEADS = 1, 2, 3
"""The actions with weights, among the columns of ``Seen.legal``: bet, fold, raise."""


class Rounds(NamedTuple):
    """A policy iteration after some rounds."""

    round: int
    vector: Floats  # the weights (K,)
    mean: Floats  # their mean over the latter rounds (K,)
    gradient: Floats  # (K,)
    fisher: Floats  # (K, K)
    older: list[Floats]  # earlier versions, the oldest first

    def light(self) -> Rounds:
        """Return what the games of a round need, without megabytes."""
        return self._replace(gradient=np.zeros(0), fisher=np.zeros((0, 0)))


class _GradientSums(NamedTuple):
    n: int
    gradient: Floats
    fisher: Floats


@dataclass(frozen=True)
class Gains(FigureTable):
    """``GAIN`` of a policy: groups are the opponents, ``about`` is the number of seats."""

    deals: int


@dataclass(frozen=True)
class Iteration:
    """The terms of a policy iteration.

    Attributes:
        start: The policy of the first round.
        population: The shares of the opponents by name; those of one name are the frozen policy of
            a best answer.
        setup: The stakes and the game.
        itself: True if the learner and its earlier versions are among the opponents.
    """

    start: str
    setup: Setup
    rounds: int
    deals: int
    population: dict[str, float] = field(default_factory=lambda: dict(POPULATION))
    itself: bool = True

    def run(self, run: Run = Run()) -> Floats:
        """Return the weights after all rounds, the mean over the latter half (K,).

        A run with a folder begins where an earlier one ended.
        """
        kept = run.resume / "progress" if run.resume else None
        progress = read_typed(Rounds, kept) if kept and kept.exists() else self._begin()
        for number in range(progress.round, self.rounds):
            work = partial(_add_up, self, progress.light(), run.seed)
            with replace(run, resume=None).parts(work, self.deals, DEAL, "deals") as parts:
                sums = [read_typed(_GradientSums, part.file) for part in parts]
            progress = self._stepped(progress, sums, number)
            if kept:
                write_typed(progress, kept)
        return progress.mean

    def check(self) -> LogitPolicy:
        """Return the first policy; raise ``ValueError`` if a policy cannot play."""
        game = self.setup.game
        for other in map(load_policy, self.population):
            if policy_arrays((Model(other).in_game(game.key),), game) is None:
                raise ValueError(f"{other.name}: policies of trees do not play in compiled games")
        base = in_game(load_policy(self.start), game.key)
        if not isinstance(base, LogitPolicy):
            raise ValueError(f"{base.name} is no logit policy: expected one such as people-average")
        return base

    def _begin(self) -> Rounds:
        vector = self.check().vector()
        return Rounds(0, vector, vector, gradient=np.zeros(0), fisher=np.zeros((0, 0)), older=[])

    def _stepped(self, before: Rounds, sums: Sequence[_GradientSums], number: int) -> Rounds:
        n = sum(some.n for some in sums)
        gradient = np.stack([some.gradient for some in sums]).sum(axis=0) / n
        fisher = np.stack([some.fisher for some in sums]).sum(axis=0) / n
        if before.gradient.size:
            gradient = KEPT[0] * before.gradient + (1.0 - KEPT[0]) * gradient
            fisher = KEPT[1] * before.fisher + (1.0 - KEPT[1]) * fisher
        step = RATE * np.linalg.solve(fisher + RIDGE * np.eye(len(fisher)), gradient)
        size = float(step @ fisher @ step) / 2.0
        step *= min(1.0, math.sqrt(LARGEST / size)) if size > 0.0 else 1.0
        vector = before.vector + step
        late = number - self.rounds // 2
        mean = vector if late <= 0 else before.mean + (vector - before.mean) / (late + 1)
        older = before.older
        if number % EVERY == EVERY - 1:
            older = [*older, vector][-OLDER:]
        return Rounds(number + 1, vector, mean, gradient, fisher=fisher, older=older)

    def gains(self, vector: Floats, run: Run = Run(), deals: int = 200) -> Gains:
        """Return how much more the weights win a game than the first policy, in big bets.

        Both sit in the same seat, with the same cards against the same opponents.
        """
        pair = _model(vector), Model(self.check())
        sums = Study(partial(_gains, self, pair, run.seed), 20 * len(self.population), "deals")
        gained = sums.sums(deals, replace(run, resume=None))
        figures = {}
        for name in self.population:
            for n in TABLES:
                moments = gained.of(f"{name} {n}", 1).mean(np.ones(1))
                estimate = Estimate.normal(moments.mean, moments.error, deals)
                figures[Key(GAIN, "", name, seats_words(n))] = estimate
        return Gains(figures, deals)

    def table(self, rng: np.random.Generator, progress: Rounds) -> list[Model]:
        """Return the players of a table, the learner first."""
        learner = _model(progress.vector)
        names, shares = [*self.population], np.array([*self.population.values()])
        other = Model(load_policy(str(rng.choice(names, p=shares / shares.sum()))))
        if self.itself and progress.older and rng.random() < 0.3:
            other = _model(progress.older[int(rng.integers(len(progress.older)))])
        selves = 0.7 * rng.random() if self.itself else 0.0
        n = int(rng.choice(SEATS)) - 1
        return [learner, *(learner if rng.random() < selves else other for _ in range(n))]


def _model(vector: Floats) -> Model:
    return Model(LogitPolicy.of(vector, "learner"))


def _add_up(
    terms: Iteration, progress: Rounds, seed: int, deals: Iterable[int], path: Path
) -> None:
    """Keep the sums of some deals of a round."""
    n, k = 0, progress.vector.size
    gradient, fisher = np.zeros(k), np.zeros((k, k))
    for number in deals:
        rng = np.random.default_rng((seed, progress.round, number))
        models = [model.in_game(terms.setup.game.key) for model in terms.table(rng, progress)]
        deal = DealGames.drawn(models, GAMES, int(rng.integers(2**31)), number, terms.setup)
        seen = deal.decisions()
        n += len(seen.nets)
        more = slopes(seen, progress.vector)
        gradient, fisher = gradient + more[0], fisher + more[1]
    write_typed(_GradientSums(n, gradient, fisher), path)


def _gains(terms: Iteration, pair: tuple[Model, Model], seed: int, number: int) -> Iterator[Row]:
    for name in terms.population:
        other = Model(load_policy(name)).in_game(terms.setup.game.key)
        for n in TABLES:
            after, before = (
                DealGames.drawn([who, *[other] * (n - 1)], GAMES, seed, 10**9 + number, terms.setup)
                for who in pair
            )
            yield f"{name} {n}", (float((after.nets()[0] - before.nets()[0]).mean()),)


def odds_of(features: Features, legal: Flags, vector: Floats) -> Floats:
    """Return the probabilities of the actions by the weights (N, 4)."""
    log_odds = np.full(legal.shape, -np.inf)
    log_odds[:, 0] = 0.0
    pushes = features @ vector.reshape(len(HEADS), -1).T.astype(features.dtype)
    log_odds[:, 1:] = np.where(legal[:, 1:], pushes, -np.inf)
    odds: Floats = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return odds


def slopes(seen: Seen, vector: Floats) -> tuple[Floats, Floats]:
    """Return the sums over decisions of the gradient (K,) and of the Fisher information (K, K)."""
    odds = odds_of(seen.features, seen.legal, vector)
    worth = seen.nets - TEMPERATURE * np.log(np.maximum(odds, 1e-12)) * (odds > 0.0)
    better = worth - (odds * worth).sum(axis=1, keepdims=True)
    k = seen.features.shape[1]
    gradient, fisher = np.zeros((3, k)), np.zeros((3, k, 3, k))
    for i, head in enumerate(HEADS):
        gradient[i] = (odds[:, head] * better[:, head]) @ seen.features
        for j, other in enumerate(HEADS[: i + 1]):
            weights = odds[:, head] * ((head == other) - odds[:, other])
            weighted = seen.features * weights[:, None].astype(seen.features.dtype)
            fisher[i, :, j] = weighted.T @ seen.features
            fisher[j, :, i] = fisher[i, :, j].T
    return gradient.ravel(), fisher.reshape(3 * k, 3 * k)
