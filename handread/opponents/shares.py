"""Shares of a player against those of the population: intervals, shrinkage, and what may be said.

The share p of a player is drawn from the beta distribution of the population, and what the player
did of n chances is binomial. So the estimate of p is the mean of a beta distribution as well: the
population counts as ``strength`` further chances (beta-binomial shrinkage).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats, Ints
from handread.game.rules import Variant
from handread.opponents.statistics import BY_GAME, PLACES, STATISTICS

MORE, LESS = "more", "less"

SURE = 0.05
"""The chance that any claim about a player is wrong, if the player is like the others."""

FEW = 10
"""With fewer chances a share says too little."""

LEAST_PLAYERS, LEAST_CHANCES = 20, 200
"""The fewest players, and chances of them together, that a population is fitted to."""

SHIPPED_CHANCES = 100
"""The shipped mean counts as so many chances beside those of fewer players."""

MOST_STRENGTH = 100.0
"""The largest strength of a fit: players are never all alike."""

MOST_TERMS = 10_000
"""The most terms of a continued fraction; 100 counts of each kind take 30."""

TAIL = 0.025
"""The probability beyond each end of a 95% interval."""

PRECISION = 1e-6
"""The width to which the ends of intervals are found; outputs show steps of 1e-4."""

SHIPPED = "population.json"


class Population(NamedTuple):
    """The beta distribution of a statistic among players, by its mean and its strength a + b.

    ``players`` is the number of players that it comes from; 0 if it is a guess.
    """

    mean: float
    strength: float
    players: int


UNKNOWN = Population(0.5, 2.0, 0)
"""The uniform distribution, where nothing is known of any player."""

Populations = Mapping[str, Population]
"""The populations of a game by the keys of their statistics."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a player did of the chances, beside the ``population``.

    ``compared`` is the number of statistics among which claims are made; ``alike`` says how many
    chances count as one.
    """

    done: int
    of: int
    population: Population
    compared: int = 1
    alike: float = 1.0

    @property
    def mean(self) -> float:
        """The share; NaN without a chance."""
        return self.done / self.of if self.of else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share by mid-P values; 0 to 1 without a chance.

        It covers shares near 0 and 1, too, in 92% of samples or more, even of ten chances; that of
        Wilson (1927) may cover them in 84% (Berry and Armitage 1995).
        """
        done, of = self.done / self.alike, self.of / self.alike
        return lowest(done, of), 1.0 - lowest(of - done, of)

    @property
    def estimate(self) -> float:
        """The share shrunk to that of the population."""
        own = self.population
        return (self.done + own.mean * own.strength) / (self.of + own.strength)

    @property
    def is_little(self) -> bool:
        """True if the chances are too few to say anything."""
        return self.of < FEW

    @property
    def doubt(self) -> float:
        """The probability that the player is on the other side of the population's mean."""
        own = self.population
        hits = self.done / self.alike + own.mean * own.strength
        misses = self.of / self.alike + own.strength - hits
        below = beta_below(own.mean, hits, misses)
        return min(below, 1.0 - below)

    @property
    def claim(self) -> str:
        """``MORE`` or ``LESS`` if the player does this more or less than others, else empty.

        The limit is divided by the number of statistics compared (Bonferroni), on either side.
        """
        if self.is_little or not self.population.players:
            return ""
        if self.doubt >= SURE / 2 / self.compared:
            return ""
        return MORE if self.estimate > self.population.mean else LESS


def beta_below(x: float, a: float, b: float) -> float:
    """Return the probability that a beta distribution of ``a`` and ``b`` is below ``x``.

    By the continued fraction of DLMF 8.17.22, evaluated with Lentz's method: SciPy, which has the
    same function, takes longer to load than the first look at a kept log.
    """
    if not 0.0 < x < 1.0:
        return float(x >= 1.0)
    if x > (a + 1.0) / (a + b + 2.0):  # where it converges slowly, the other end does not
        return 1.0 - beta_below(1.0 - x, b, a)
    log_scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    value, c, d = 1.0, 1.0, 0.0
    for n in range(1, MOST_TERMS):
        m = n // 2
        top = m * (b - m) * x if n % 2 == 0 else -(a + m) * (a + b + m) * x
        term = top / ((a + n - 1) * (a + n))
        c, d = 1.0 + term / c, 1.0 / (1.0 + term * d)
        value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return math.exp(log_scale + a * math.log(x) + b * math.log1p(-x)) / (a * value)


@lru_cache(maxsize=10_000)
def lowest(done: float, of: float) -> float:
    """Return the lower end of the 95% interval of a share by mid-P values; 0 if never done.

    With this share a player does it as often or more in ``TAIL`` of all samples, where as often
    counts half.
    """
    low, high = 0.0, done / of if done else 0.0
    while high - low > PRECISION:
        share = (low + high) / 2.0
        or_more = beta_below(share, done, of - done + 1.0)
        more = beta_below(share, done + 1.0, of - done) if done < of else 0.0
        low, high = (share, high) if (or_more + more) / 2.0 < TAIL else (low, share)
    return (low + high) / 2.0


def shares_of(counts: Ints, game: Variant, populations: Populations) -> dict[str, Share]:
    """Return the share of each statistic of a game, from the counts (statistics, 2) of a player."""
    found = [one.key for one in BY_GAME[game.key] if counts[PLACES[one.key], 1]]
    compared = max(1, sum(int(counts[PLACES[key], 1]) >= FEW for key in found))
    return {
        key: Share(done, of, populations.get(key, UNKNOWN), compared, STATISTICS[PLACES[key]].alike)
        for key in found
        for done, of in [counts[PLACES[key]].tolist()]
    }


def populations_of(players: Sequence[Ints], game: Variant) -> dict[str, Population]:
    """Return the populations of a game: those of its players, started from the shipped ones.

    With enough players a population is fitted to them. With fewer, the shipped one stays, its mean
    moved by theirs.

    Args:
        players: The counts (statistics, 2) of each player.
        game: The game.
    """
    found = dict(shipped_populations().get(game.key, {}))
    if not players:
        return found
    table = np.stack(players)
    for statistic in BY_GAME[game.key]:
        done, of = table[:, PLACES[statistic.key]].T
        own = fitted_if_enough(done, of)
        if own is None:
            mean, strength, n = found.get(statistic.key, UNKNOWN)
            chances = int(of.sum())
            mean = (float(done.sum()) + mean * SHIPPED_CHANCES) / (chances + SHIPPED_CHANCES)
            # A guess stays one until there is as much of this game.
            n += int((of > 0).sum()) if n or chances >= SHIPPED_CHANCES else 0
            own = Population(mean, strength, n)
        found[statistic.key] = own
    return found


def fitted_if_enough(done: Ints, of: Ints) -> Population | None:
    """Return ``fitted`` of the players with a chance; None if they are too few for a fit."""
    some = of > 0
    if some.sum() < LEAST_PLAYERS or of.sum() < LEAST_CHANCES:
        return None
    return fitted(done[some], of[some])


def fitted(done: Ints, of: Ints) -> Population:
    """Return the beta distribution with the largest likelihood, from the counts of players.

    It is bounded by one player who always and one who never does it, so that a statistic in which
    nobody differs has no infinite strength.

    Args:
        done: How often each player did it (players,).
        of: The chances of each (players,), not 0.
    """
    from scipy.optimize import minimize
    from scipy.special import betaln, expit

    done, of = np.append(done, (0, 1)), np.append(of, (1, 1))

    def loss(point: Floats) -> float:
        mean, strength = expit(point[0]), math.exp(point[1])
        a, b = mean * strength, (1.0 - mean) * strength
        return -float((betaln(a + done, b + of - done) - betaln(a, b)).sum())

    mean = float(done.sum() / of.sum())
    start = np.array([math.log(mean / (1.0 - mean)), math.log(10.0)])
    bounds = [(-7.0, 7.0), (0.0, math.log(MOST_STRENGTH))]
    found = minimize(loss, start, method="L-BFGS-B", bounds=bounds).x
    return Population(float(expit(found[0])), math.exp(found[1]), len(done) - 2)


@cache
def shipped_populations() -> dict[str, dict[str, Population]]:
    """Return the populations that are shipped, by the key of the game and of the statistic."""
    text = resources.files("handread.opponents").joinpath(SHIPPED).read_text("utf-8")
    return {
        game: {key: Population(*numbers) for key, numbers in found.items()}
        for game, found in json.loads(text).items()
    }
