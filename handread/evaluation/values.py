"""What an evaluation finds: values that its text, its JSON, its CSV and its picture show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
