"""What the experiments of Saund 2006, section VI, measure: values that tables and pictures show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
