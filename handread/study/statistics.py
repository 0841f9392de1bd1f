"""What the experiments of Saund 2006, section VI, measure: values that tables and pictures show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95% bootstrap interval, hands being what is drawn anew.

    ``mean`` is None when there is nothing to average or when one of the values is infinite;
    ``low`` and ``high`` then too, and when fewer than two hands have such a value.
    """

    mean: float | None
    low: float | None = None
    high: float | None = None


NOTHING = Interval(None)


@dataclass(frozen=True, slots=True)
class Scores:
    """How reads stood to the true downcards, over ``n`` of them.

    ``bits`` is log2 of what the read gave the truth against a blind guess among all that was
    possible: without a mean where a read ruled the truth out, which ``ruled_out`` of them did.
    ``floored`` counts those, and all below it, as -40 bits. ``place`` is the rank of the truth
    from 1, ``share`` the part of the possible holdings that stood before it (.5 is a blind guess).
    """

    n: int
    ruled_out: int
    bits: Interval
    floored: Interval
    place: Interval
    share: Interval


@dataclass(frozen=True, slots=True)
class Pair:
    """A figure in bits of the cards-only observer, of bet-inference, and what the bets gain.

    ``gain`` is how much bet-inference is better, and its interval that of the difference.
    ``ruled_out`` counts what one of the two gave no chance; there is no mean with such values,
    and the ``floored`` figures count them as 40 bits lost.
    """

    n: int
    ruled_out: int
    cards_only: Interval
    bet_inference: Interval
    gain: Interval
    floored_cards_only: Interval
    floored_bet_inference: Interval
    floored_gain: Interval


@dataclass(frozen=True, slots=True)
class StageScores:
    """The scores of a stage, over hands with two or more active there.

    ``active`` are of players still in, ``folded`` of those who folded on the street, at the read
    that they folded on; ``everybody`` is both. ``shown`` and ``otherwise`` part ``active`` by how
    the downcards are known: from a showdown only, or in another way. ``kl`` is
    the divergence from the omniscient observer where all downcards are known; ``partial`` counts
    the hands in which only some are. ``outcome`` is log2 of the chance given to who won.
    """

    stage: str
    active: Scores
    folded: Scores
    everybody: Scores
    shown: Scores
    otherwise: Scores
    kl: Pair
    partial: int
    outcome: Pair


@dataclass(frozen=True, slots=True)
class ActionScores:
    """The surprise of ``n`` actions in bits; ``unexplained`` are those of probability 0.

    With such actions there is no mean; ``floored`` counts 40 bits for each of them.
    """

    n: int
    unexplained: int
    surprise: Interval
    floored: Interval


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The events to which a chance from ``low`` to ``high`` was given: how many came true."""

    low: float
    high: float
    events: int
    chance: float
    happened: Interval


@dataclass(frozen=True, slots=True)
class Known:
    """How many players' downcards were known, in whatever hand, and in which way.

    ``shown``: from a showdown, or because the player chose to show them. ``hero``: the log is
    that player's own. ``published``: the record tells everybody's.
    """

    shown: int
    hero: int
    published: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.shown + self.hero + self.published


@dataclass(frozen=True, slots=True)
class Folds:
    """How an evaluation was cross-validated: ``k`` folds, ``by`` "hand" or "player".

    ``trained`` is the number of hands that each fold's policies were fitted to; by player, to the
    actions of the players of other folds in them. ``nameless``
    counts the players without a name whom no fold by player could score.
    """

    k: int
    by: str
    family: str
    trained: tuple[int, ...] = ()
    nameless: int = 0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well ``policy`` reads ``hands`` hands.

    ``fitted_on`` counts those among them to which the policy was fitted. ``reliability`` has its
    bins by kind of event. ``resamples`` and ``seed`` are those of the bootstrap.
    """

    policy: str
    ties: str
    hands: int
    fitted_on: int
    folds: Folds | None
    known: Known
    stages: tuple[StageScores, ...]
    actions: ActionScores
    reliability: Mapping[str, tuple[ReliabilityBin, ...]]
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over games and its standard error."""

    mean: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval."""
        return self.mean - 1.96 * self.error, self.mean + 1.96 * self.error


@dataclass(frozen=True, slots=True)
class StageGain:
    """One stage of Figure 6, averaged over the games with two or more active players.

    ``log2_n``, ``entropy``, ``cards_only`` and ``bet_inference`` (the K-L divergences of the two
    observers from the omniscient one) are in bits; ``gain`` is the fraction of the cards-only
    divergence that bet inference takes away. ``ruled_out`` games are left out of the averages:
    there an observer gave no chance to a player who had one.
    """

    stage: str
    games: int
    log2_n: Estimate
    entropy: Estimate
    cards_only: Estimate
    bet_inference: Estimate
    gain: Estimate
    ruled_out: int = 0


@dataclass(frozen=True, slots=True)
class InformationGain:
    """Figure 6: the ten stages, from ``games`` simulated games."""

    games: int
    policy: str
    stages: tuple[StageGain, ...]


@dataclass(frozen=True, slots=True)
class EntropyPaths:
    """Figure 7: the entropy of the outcome in bits, by game and stage, as far as two are active.

    ``picked`` is the game that stands out, ``marked`` its stages with a circle.
    """

    paths: Mapping[int, Mapping[str, float]]
    picked: int
    marked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rate:
    """What a seat, or a kind of player, puts in, wins and nets a hand, in small bets.

    ``precision`` is how many games dealt independently tell as much about the net as one of these.
    """

    label: str
    knowledge: str
    put_in: Estimate
    won: Estimate
    net: Estimate
    precision: float = 1.0


@dataclass(frozen=True, slots=True)
class WinRates:
    """Figure 9: rates a hand by seat and by kind of player (its players' mean).

    ``players`` says who played; ``deals`` counts different deals, ``games`` the games played with
    them. In duplicate dealing each deal is played once for every rotation of the players.
    """

    players: str
    deals: int
    games: int
    seats: tuple[Rate, ...]
    kinds: tuple[Rate, ...]


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The events to which a chance from ``low`` to ``high`` was given: how many came true.

    ``chance`` is their mean probability, ``happened`` the fraction that came true; its standard
    error is that of the difference, and allows for events of one game hanging together.
    """

    low: float
    high: float
    events: int
    chance: float
    happened: Estimate


@dataclass(frozen=True, slots=True)
class Calibration:
    """A reliability table over ``games`` simulated games, by kind of event."""

    games: int
    policy: str
    bins: Mapping[str, tuple[CalibrationBin, ...]]


@dataclass(frozen=True, slots=True)
class StageIndependence:
    """What independent seats cost at a stage, in bits, over the games with two or more active.

    ``cards_only`` and ``bet_inference`` are D(joint chances || independent chances), the cost on
    average over what an observer takes for possible; the ``_on_truth`` figures what it
    was on the cards that were dealt, with the same mean for the right policy and far more noise.
    ``equation_1`` is what the formula loses when all downcards are known. ``ruled_out`` games are
    left out, as in ``StageGain``.
    """

    stage: str
    games: int
    cards_only: Estimate
    bet_inference: Estimate
    cards_only_on_truth: Estimate
    bet_inference_on_truth: Estimate
    equation_1: Estimate
    ruled_out: int = 0


@dataclass(frozen=True, slots=True)
class IndependenceCost:
    """The cost of independence by stage, from ``draws`` joint deals a stage and observer."""

    games: int
    policy: str
    draws: int
    stages: tuple[StageIndependence, ...]


Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class Moments:
    """The mean and the scatter of vectors of ``size`` numbers, one vector an observation.

    ``scatter`` (size, size) sums the products of deviations from the mean; it is carried from
    observation to observation, because sums of squares would cancel (Chan, Golub and LeVeque).
    """

    size: int
    n: int = 0
    means: Floats = field(init=False)
    scatter: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.means = np.zeros(self.size)
        self.scatter = np.zeros((self.size, self.size))

    def add(self, values: Iterable[float]) -> None:
        """Count one more vector."""
        vector = np.fromiter(values, np.float64, self.size)
        self.n += 1
        before = vector - self.means
        self.means += before / self.n
        self.scatter += np.outer(before, vector - self.means)

    def merge(self, other: Moments) -> None:
        """Count all that another one has counted."""
        n = self.n + other.n
        if n:
            apart = other.means - self.means
            self.scatter += other.scatter + np.outer(apart, apart) * (self.n * other.n / n)
            self.means += apart * (other.n / n)
            self.n = n

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """Those of vectors, (n, size)."""
        n, size = values.shape
        moments = cls(size, n)
        if n:
            moments.means = values.mean(axis=0)
            apart = values - moments.means
            moments.scatter = apart.T @ apart
        return moments

    def record(self) -> dict[str, Any]:
        """Plain values that ``from_record`` takes back exactly."""
        return {"n": self.n, "means": self.means.tolist(), "scatter": self.scatter.tolist()}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Moments:
        """What ``record`` gave."""
        moments = cls(len(record["means"]), record["n"])
        moments.means = np.array(record["means"])
        moments.scatter = np.array(record["scatter"])
        return moments

    def mean(self, weights: Floats) -> Estimate:
        """The mean of a weighted sum of the numbers; NaN without observations."""
        if not self.n:
            return Estimate(math.nan, math.nan)
        return Estimate(float(weights @ self.means), math.sqrt(self.variance(weights) / self.n))

    def variance(self, weights: Floats) -> float:
        """The variance between observations of a weighted sum; NaN with fewer than two."""
        if self.n < 2:
            return math.nan
        return max(0.0, float(weights @ self.scatter @ weights)) / (self.n - 1)

    def ratio(self, over: Floats, under: Floats) -> Estimate:
        """One mean over another, with its standard error to first order (delta method)."""
        below = self.mean(under).mean
        if not below:
            return Estimate(math.nan, math.nan)
        quotient = self.mean(over).mean / below
        return Estimate(quotient, self.mean((over - quotient * under) / below).error)
