"""Statistics of hands: one type for a mean with its error, and the tables made of them.

The actions and stages of one hand are correlated, so every error and interval here is clustered by
hand (or by simulated game): whole hands are what is drawn.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import polars as pl

Floats = npt.NDArray[np.float64]

FLOOR = 40.0
"""Bits that count for infinitely many, or for more than this: 2**-40 is about 1e-12."""

NORMAL_975 = 1.96
FEWEST_HANDS = 5
"""The fewest hands for which Student's t gives an interval: a wider one says nothing."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error and 95% interval; NaN where there is none.

    Attributes:
        mean: The mean of the values. Bits are clipped to ``FLOOR`` on both sides.
        error: The standard error, by linearisation.
        low: The lower end of the 95% interval.
        high: The upper end of the 95% interval.
        n: The number of values.
        hands: The number of hands, or simulated games, that have values.
        infinite: The number of infinite values, which count as ``FLOOR`` bits in the mean.
    """

    mean: float
    error: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    hands: int = 0
    infinite: int = 0

    @property
    def exact(self) -> Estimate:
        """The same without mean and interval if any value is infinite."""
        if not self.infinite:
            return self
        return replace(NOTHING, n=self.n, hands=self.hands, infinite=self.infinite)

    @classmethod
    def normal(cls, mean: float, error: float, hands: int = 0) -> Estimate:
        """Return a mean over many hands, with the interval of a normal distribution."""
        reach = NORMAL_975 * error
        return cls(mean, error, mean - reach, mean + reach, hands, hands)

    @classmethod
    def student(
        cls,
        mean: float,
        error: float,
        n: int,
        hands: int,
        infinite: int = 0,
        least: float = -math.inf,
        most: float = math.inf,
    ) -> Estimate:
        """Return a mean with the interval of Student's t, within ``least`` and ``most``.

        There is no interval for fewer than ``FEWEST_HANDS`` hands.
        """
        if hands < FEWEST_HANDS:
            return cls(mean, error, n=n, hands=hands, infinite=infinite)
        reach = t_quantile(hands - 1) * error
        low, high = max(least, mean - reach), min(most, mean + reach)
        return cls(mean, error, low, high, n, hands, infinite)

    @classmethod
    def share(cls, mean: float, error: float, n: int, hands: int) -> Estimate:
        """Return a mean of zeros and ones with a Wilson interval (Wilson 1927).

        The values count as the number of independent ones that would have this error. The
        quantile is that of Student's t.
        """
        if hands < FEWEST_HANDS:
            return cls(mean, error, n=n, hands=hands)
        square = error**2
        certain = not 0.0 < mean < 1.0
        trials = hands if certain else min(n, mean * (1 - mean) / square if square else math.inf)
        z2 = t_quantile(hands - 1) ** 2 / trials
        middle = (mean + z2 / 2) / (1 + z2)
        reach = math.sqrt(z2 * mean * (1 - mean) + z2 * z2 / 4) / (1 + z2)
        low, high = max(0.0, min(mean, middle - reach)), min(1.0, max(mean, middle + reach))
        return cls(mean, error, low, high, n, hands)


NOTHING = Estimate(math.nan)


def t_quantile(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t; infinite for 0 degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975)) if freedom else math.inf


class Figure(NamedTuple):
    """A row of a tidy table: one figure of a group at a stage.

    Attributes:
        figure: The name of the figure.
        estimate: Its mean, error and interval, and how many values these stand for.
        group: The players, reader or observer that it is about; empty for all.
        stage: The stage, 3D to 7B; empty for all.
        about: The part of a larger table; empty where there is one part.
        chances: Of a bin of a reliability table: its lower and upper end and its mean chance.
    """

    figure: str
    estimate: Estimate
    group: str = ""
    stage: str = ""
    about: str = ""
    chances: tuple[float, float, float] = (math.nan, math.nan, math.nan)

    def row(self) -> dict[str, Any]:
        """Return the cells of the row by column; NaN where there is no number."""
        of = self.estimate
        return {
            "about": self.about,
            "group": self.group,
            "stage": self.stage,
            "figure": self.figure,
            "n": of.n,
            "hands": of.hands,
            "mean": of.mean,
            "error": of.error,
            "low": of.low,
            "high": of.high,
            "infinite": of.infinite,
            **dict(zip(("chance_low", "chance_high", "chance_mean"), self.chances, strict=True)),
        }


class FigureTable(ABC):
    """A result that is a table of figures."""

    __slots__ = ()

    @abstractmethod
    def figures(self) -> Iterator[Figure]:
        """Yield the rows of the table."""

    def to_frame(self) -> pl.DataFrame:
        """Return the table as a tidy frame: one row per figure, null where there is no number."""
        import polars as pl

        rows = [figure.row() for figure in self.figures()]
        texts, counts = ("about", "group", "stage", "figure"), ("n", "hands", "infinite")
        schema = {
            name: pl.String if name in texts else pl.Int64 if name in counts else pl.Float64
            for name in Figure("", NOTHING).row()
        }
        return pl.DataFrame(rows, schema).fill_nan(None)


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
            return NOTHING
        error = math.sqrt(self.variance(weights) / self.n)
        return Estimate.normal(float(weights @ self.means), error, self.n)

    def variance(self, weights: Floats) -> float:
        """The variance between observations of a weighted sum; NaN with fewer than two."""
        if self.n < 2:
            return math.nan
        return max(0.0, float(weights @ self.scatter @ weights)) / (self.n - 1)

    def ratio(self, over: Floats, under: Floats) -> Estimate:
        """One mean over another, with its standard error to first order (delta method)."""
        below = self.mean(under).mean
        if not below:
            return NOTHING
        quotient = self.mean(over).mean / below
        error = self.mean((over - quotient * under) / below).error
        return Estimate.normal(quotient, error, self.n)


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of reads on the true downcards.

    Attributes:
        bits: log2 of the probability of the truth over that of a uniform guess among all holdings
            that were possible. Infinite where a read ruled the truth out.
        place: The rank of the truth, from 1.
        share: The fraction of the possible holdings ranked before it (.5 for a uniform guess).
    """

    bits: Estimate
    place: Estimate
    share: Estimate

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name, bits with and without infinite ones."""
        return {
            "bits_on_truth": self.bits.exact,
            "bits_on_truth_floored": self.bits,
            "rank_of_truth": self.place,
            "rank_share_of_truth": self.share,
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """A figure in bits of both observers, and their difference.

    ``gain`` is positive where bet-inference is better. It counts the infinite values of both.
    """

    cards_only: Estimate
    bet_inference: Estimate
    gain: Estimate

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name, bits with and without infinite ones."""
        floored = {name: getattr(self, name) for name in ("cards_only", "bet_inference", "gain")}
        exact = {name: estimate.exact for name, estimate in floored.items()}
        return exact | {f"floored_{name}": estimate for name, estimate in floored.items()}


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

    @property
    def groups(self) -> dict[str, Scores]:
        """The scores by the name that tables give to the group of players."""
        return {
            "active": self.active,
            "folded": self.folded,
            "everybody": self.everybody,
            "known_by_showdown": self.shown,
            "known_otherwise": self.otherwise,
        }

    def figures(self) -> Iterator[Figure]:
        """Yield the rows of the stage; ``infinite`` counts truths ruled out in all of a group."""
        for group, scores in self.groups.items():
            for name, estimate in scores.figures().items():
                counted = replace(estimate, infinite=scores.bits.infinite)
                yield Figure(name, counted, group, self.stage)
        for what, pair in (("kl", self.kl), ("outcome", self.outcome)):
            for name, estimate in pair.figures().items():
                counted = replace(estimate, infinite=pair.gain.infinite)
                yield Figure(f"{what}_{name}_bits", counted, "table", self.stage)


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
class Evaluation(FigureTable):
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
    surprise: Estimate
    reliability: Mapping[str, tuple[CalibrationBin, ...]]
    resamples: int
    seed: int

    def figures(self) -> Iterator[Figure]:
        """Yield the scores by stage, the surprise of the actions, the reliability by bin."""
        for stage in self.stages:
            yield from stage.figures()
        for name, estimate in (("", self.surprise.exact), ("_floored", self.surprise)):
            yield Figure(f"surprise{name}_bits", estimate, "all")
        yield from reliability_figures(self.reliability, "active")


def reliability_figures(
    bins: Mapping[str, Iterable[CalibrationBin]], group: str = ""
) -> Iterator[Figure]:
    """Yield a row for each bin of reliability tables, by kind of event."""
    for kind, found in bins.items():
        for one in found:
            chances = (one.low, one.high, one.chance)
            yield Figure(kind, one.happened, group, chances=chances)


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

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name."""
        return {
            "log2_n_bits": self.log2_n,
            "entropy_bits": self.entropy,
            "kl_cards_only_bits": self.cards_only,
            "kl_bet_inference_bits": self.bet_inference,
            "gain_fraction": self.gain,
        }


@dataclass(frozen=True, slots=True)
class InformationGain(FigureTable):
    """Figure 6: the ten stages, from ``games`` simulated games."""

    games: int
    policy: str
    stages: tuple[StageGain, ...]

    def figures(self) -> Iterator[Figure]:
        """Yield the figures by stage; ``infinite`` counts the games left out."""
        return _by_stage(self.stages)


@dataclass(frozen=True, slots=True)
class EntropyPaths(FigureTable):
    """Figure 7: the entropy of the outcome in bits, by game and stage, as far as two are active.

    ``picked`` is the game that stands out, ``marked`` its stages with a circle.
    """

    paths: Mapping[int, Mapping[str, float]]
    picked: int
    marked: tuple[str, ...] = ()

    def figures(self) -> Iterator[Figure]:
        """Yield the entropy by game and stage; the group is the number of the game."""
        for game, path in self.paths.items():
            for stage, bits in path.items():
                yield Figure("entropy_bits", Estimate(bits, n=1, hands=1), str(game), stage)


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

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name."""
        return {
            "put_in_small_bets": self.put_in,
            "won_small_bets": self.won,
            "net_small_bets": self.net,
        }


@dataclass(frozen=True, slots=True)
class WinRates(FigureTable):
    """Figure 9: rates a hand by seat and by kind of player (its players' mean).

    ``players`` says who played; ``deals`` counts different deals, ``games`` the games played with
    them. In duplicate dealing each deal is played once for every rotation of the players.
    """

    players: str
    deals: int
    games: int
    seats: tuple[Rate, ...]
    kinds: tuple[Rate, ...]

    def figures(self) -> Iterator[Figure]:
        """Yield the rates by kind of player and by player."""
        for about, rates in (("kind", self.kinds), ("seat", self.seats)):
            for rate in rates:
                for name, estimate in rate.figures().items():
                    yield Figure(name, estimate, rate.label, about=about)


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
class Calibration(FigureTable):
    """A reliability table over ``games`` simulated games, by kind of event."""

    games: int
    policy: str
    bins: Mapping[str, tuple[CalibrationBin, ...]]

    def figures(self) -> Iterator[Figure]:
        """Yield what came true, by kind of event and bin."""
        return reliability_figures(self.bins)


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

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name."""
        return {
            "cards_only_bits": self.cards_only,
            "bet_inference_bits": self.bet_inference,
            "cards_only_on_truth_bits": self.cards_only_on_truth,
            "bet_inference_on_truth_bits": self.bet_inference_on_truth,
            "equation_1_bits": self.equation_1,
        }


@dataclass(frozen=True, slots=True)
class IndependenceCost(FigureTable):
    """The cost of independence by stage, from ``draws`` joint deals a stage and observer."""

    games: int
    policy: str
    draws: int
    stages: tuple[StageIndependence, ...]

    def figures(self) -> Iterator[Figure]:
        """Yield the figures by stage; ``infinite`` counts the games left out."""
        return _by_stage(self.stages)


def _by_stage(stages: Iterable[StageGain | StageIndependence]) -> Iterator[Figure]:
    for stage in stages:
        for name, estimate in stage.figures().items():
            counted = replace(estimate, n=stage.games, infinite=stage.ruled_out)
            yield Figure(name, counted, stage=stage.stage)
