"""Shares of a player against the population: intervals, shrinkage, and possible claims.

The share p of a player is drawn from the beta distribution of the population, and the count out of
n chances is binomial. So the estimate of p is the mean of a beta distribution as well: the
population counts as ``strength`` further chances (beta-binomial shrinkage).
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple, Self

import numpy as np

from handread.arrays import Ints
from handread.game.rules import Variant, of_game
from handread.opponents.statistics import BY_GAME, PLACES, STATISTICS

MORE, LESS = "more", "less"

SURE = 0.05
"""The chance of any false claim about a player who is like the others."""

FEW = 10
"""With fewer chances a share says too little."""

LEAST_PLAYERS, LEAST_CHANCES = 20, 200
"""The fewest players, and chances of them together, for the fit of a population."""

SHIPPED_CHANCES = 100
"""The chances that the shipped mean counts for, beside fewer players."""

MOST_STRENGTH = 100.0
"""The largest strength of a fit: players are never all alike."""

MOST_TERMS = 10_000
"""The most terms of a continued fraction; 100 counts of each kind take 30."""

TAIL = 0.025
"""The probability beyond each end of a 95% interval."""

PRECISION = 1e-6
"""Precision of the ends of intervals; outputs show steps of 1e-4."""

SHIPPED = "population.json"


class Population(NamedTuple):
    """A statistic's beta distribution by mean and strength a + b; 0 ``players`` for a guess."""

    mean: float
    strength: float
    players: int


UNKNOWN = Population(0.5, 2.0, 0)
"""The uniform distribution, for a statistic without data."""

Populations = Mapping[str, Population]
"""The populations of a game by the keys of their statistics."""


@dataclass(frozen=True, slots=True)
class Share:
    """A player's count out of the chances, beside the ``population``.

    ``compared`` is the number of statistics with claims; ``alike`` the chances that count as one.
    """

    done: int
    of: int
    population: Population
    compared: int = 1
    alike: float = 1.0

    @classmethod
    def together(cls, shares: "Sequence[Share]") -> Self:
        """Return one share of several, at least one; others would do as in each on average."""
        done, of = sum(share.done for share in shares), sum(share.of for share in shares)
        mean = sum(share.of * share.population.mean for share in shares) / of
        return cls(done, of, shares[0].population._replace(mean=mean))

    @property
    def mean(self) -> float:
        """The share; NaN without a chance."""
        return self.done / self.of if self.of else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share by mid-P values; 0 to 1 without a chance.

        It covers shares near 0 and 1, too, in 92% of samples or more, even of ten chances; Wilson's
        (1927) may cover them in 84% (Berry and Armitage 1995).
        """
        done, of = self.done / self.alike, self.of / self.alike
        return lowest(done, of), 1.0 - lowest(of - done, of)

    @property
    def estimate(self) -> float:
        """The share shrunk toward the population."""
        mean, strength, _ = self.population
        return (self.done + mean * strength) / (self.of + strength)

    @property
    def is_little(self) -> bool:
        """True if the chances are too few to say anything."""
        return self.of < FEW

    @property
    def doubt(self) -> float:
        """The probability that the player is on the other side of the population's mean."""
        mean, strength, _ = self.population
        hits = self.done / self.alike + mean * strength
        misses = self.of / self.alike + strength - hits
        below = beta_below(mean, hits, misses)
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

    By the continued fraction of DLMF 8.17.22 with Lentz's method: loading SciPy for it would take
    longer than the first look at a kept log.
    """
    if not 0.0 < x < 1.0:
        return float(x >= 1.0)
    if x > (a + 1.0) / (a + b + 2.0):  # it converges slowly here, but not at the other end
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

    With this share, samples with as high a count have the probability ``TAIL``; equal counts weigh
    half.
    """

    def left(share: float) -> float:
        or_more = beta_below(share, done, of - done + 1.0)
        more = beta_below(share, done + 1.0, of - done) if done < of else 0.0
        return TAIL - (or_more + more) / 2.0

    return _crossing(left, 0.0, done / of if done else 0.0)


def shares_of(counts: Ints, game: Variant, populations: Populations) -> dict[str, Share]:
    """Return the share of each statistic of a game, from a player's counts (statistics, 2)."""
    keys = [statistic.key for statistic in BY_GAME[game.key] if counts[PLACES[statistic.key], 1]]
    compared = max(1, sum(int(counts[PLACES[key], 1]) >= FEW for key in keys))
    return {
        key: Share(done, of, populations.get(key, UNKNOWN), compared, STATISTICS[PLACES[key]].alike)
        for key in keys
        for done, of in [counts[PLACES[key]].tolist()]
    }


def populations_of(players: Sequence[Ints], game: Variant) -> dict[str, Population]:
    """Return the populations of a game, from its players and the shipped ones.

    With enough players a population is fitted to them. With fewer, they move the mean of the
    shipped one.

    Args:
        players: The counts (statistics, 2) of each player.
        game: The game.
    """
    populations = dict(of_game(shipped_populations(), game.key, {}))
    if not players:
        return populations
    table = np.stack(players)
    for statistic in BY_GAME[game.key]:
        done, of = table[:, PLACES[statistic.key]].T
        population = fitted_if_enough(done, of)
        if population is None:
            mean, strength, n = populations.get(statistic.key, UNKNOWN)
            chances = int(of.sum())
            mean = (float(done.sum()) + mean * SHIPPED_CHANCES) / (chances + SHIPPED_CHANCES)
            # A guess remains a guess until there is as much of this game.
            n += int((of > 0).sum()) if n or chances >= SHIPPED_CHANCES else 0
            population = Population(mean, strength, n)
        populations[statistic.key] = population
    return populations


def fitted_if_enough(done: Ints, of: Ints) -> Population | None:
    """Return ``fitted`` of the players with a chance; None if they are too few."""
    some = of > 0
    if some.sum() < LEAST_PLAYERS or of.sum() < LEAST_CHANCES:
        return None
    return fitted(done[some], of[some])


def fitted(done: Ints, of: Ints) -> Population:
    """Return the beta distribution with the largest likelihood, from the counts of players.

    One player who always does it and one who never does bound it: otherwise a statistic without
    differences would have infinite strength.

    Args:
        done: How often each player did it (players,).
        of: The chances of each (players,), not 0.
    """
    counts = np.append(done, (0, 1)), np.append(of - done, (1, 0)), np.append(of, (1, 1))
    did, left, all_of = map(_above, counts)

    def slopes(logit: float, strength: float) -> tuple[float, float]:
        """Return the slopes of the log likelihood by the logit of the mean and by log strength."""
        mean = 1.0 / (1.0 + math.exp(-logit))
        a, b = mean * strength, (1.0 - mean) * strength
        by_a = a * float((did / (a + np.arange(len(did)))).sum())
        by_b = b * float((left / (b + np.arange(len(left)))).sum())
        by_both = strength * float((all_of / (strength + np.arange(len(all_of)))).sum())
        return (1.0 - mean) * by_a - mean * by_b, by_a + by_b - by_both

    def best_logit(log_strength: float) -> float:
        return _crossing(lambda logit: slopes(logit, math.exp(log_strength))[0], -7.0, 7.0)

    def slope(log_strength: float) -> float:
        return slopes(best_logit(log_strength), math.exp(log_strength))[1]

    log_strength = _crossing(slope, 0.0, math.log(MOST_STRENGTH))
    mean = 1.0 / (1.0 + math.exp(-best_logit(log_strength)))
    return Population(mean, math.exp(log_strength), len(done))


def _above(counts: Ints) -> Ints:
    """Return how many counts are above 0, above 1 and so on, to their maximum."""
    return np.bincount(counts)[:0:-1].cumsum()[::-1]


def _crossing(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return where a falling function becomes 0, to ``PRECISION``, or the end that is nearest."""
    while high - low > PRECISION:
        middle = (low + high) / 2.0
        low, high = (middle, high) if falling(middle) > 0.0 else (low, middle)
    return (low + high) / 2.0


@cache
def shipped_populations() -> dict[str, dict[str, Population]]:
    """Return the shipped populations, by the keys of game and statistic."""
    text = resources.files("handread.opponents").joinpath(SHIPPED).read_text("utf-8")
    by_game = json.loads(text).items()
    return {game: {key: Population(*p) for key, p in of.items()} for game, of in by_game}
