"""What the study of wrong models measures: values that tables and pictures show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from handread.experiments.readers import Reader
from handread.experiments.values import Estimate
from handread.stud import STAGES

BET_STAGES = tuple(stage for stage in STAGES if stage.endswith("B"))

POOLED = "all"
"""All betting stages together: a mean over games and stages."""

PLACES = (*BET_STAGES, POOLED)


@dataclass(frozen=True, slots=True)
class StageMisread:
    """What a reader makes of a stage, over the games with two or more active; in bits.

    ``divergence`` is the K-L divergence of its chances to win from those of who sees all cards,
    ``gain`` by how much that is below the cards-only divergence, ``share`` the gain as a fraction
    of what the true policy gains in the same games. ``ruled_out`` divergences are infinite and left
    out of the three. ``truth`` is the mean of log2 of what the read gives a player's true downcards
    against a blind guess (who folds counts at the fold), ``behind`` the same less what the true
    policy has.
    """

    games: int
    divergence: Estimate
    gain: Estimate
    share: Estimate
    ruled_out: int
    truth: Estimate
    behind: Estimate


@dataclass(frozen=True, slots=True)
class Misread:
    """How a reader does, on average over ``actions`` actions of the games; in bits an action.

    ``error`` is D(true policy || reader's policy): of the probabilities of the actions at the
    player's own downcards, with the chance to win that the player sees. ``impossible`` counts the
    actions at which the reader gives nothing to something that the player could do. ``surprise`` is
    -log2 of the probability that the read gave to what was done, ``excess`` the same less that of
    the true policy. What would be infinite counts as 40 bits. The reader by the cards alone
    expects nothing of the actions: there these figures are NaN. ``stages`` is by ``PLACES``.
    """

    reader: Reader
    actions: int
    error: Estimate
    impossible: int
    surprise: Estimate
    excess: Estimate
    stages: Mapping[str, StageMisread]


@dataclass(frozen=True, slots=True)
class Misreading:
    """The readers of the same ``games`` simulated games of ``players``, the true one first.

    ``family`` is that of the fitted readers.
    """

    games: int
    players: str
    family: str
    readers: tuple[Misread, ...]
