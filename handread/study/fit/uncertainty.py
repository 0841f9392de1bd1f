"""The uncertainty of a read that comes from the parameters of a fitted policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from handread.game.steps import Replay
from handread.inference.analysis import analyze_replay
from handread.inference.players import player_models
from handread.policy import Policy
from handread.study.statistics import Estimate, Figure, FigureTable, Floats

TAILS = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class ReadRanges(FigureTable):
    """The families of holdings of each seat, with the range that the parameters leave.

    Attributes:
        reads: By stage, seat and family the probability under each drawn policy (draws,), NaN
            where a read ended before the stage.
    """

    reads: dict[tuple[str, int, str], Floats]

    def figures(self) -> Iterator[Figure]:
        """Yield the mean probability of each family, and the ends of its 95% range."""
        for (stage, seat, family), found in self.reads.items():
            low, high = np.nanquantile(found, TAILS)
            estimate = Estimate(
                float(np.nanmean(found)),
                float(np.nanstd(found)),
                float(low),
                float(high),
                int(np.isfinite(found).sum()),
            )
            yield Figure(family, estimate, f"seat {seat}", stage)

    def words(self, stage: str, seat: int, most: int = 3) -> str:
        """Return the likeliest families with their ranges: "split pair 23% (12 to 35)"."""
        own = [f for f in self.figures() if (f.stage, f.group) == (stage, f"seat {seat}")]
        own.sort(key=lambda figure: -figure.estimate.mean)
        return ", ".join(
            f"{one.figure} {one.estimate.mean:.0%} "
            f"({100 * one.estimate.low:.0f} to {100 * one.estimate.high:.0f})"
            for one in own[:most]
        )


def read_ranges(hand: Replay, policies: Sequence[Policy]) -> ReadRanges:
    """Return the families of holdings of each seat after each street, by policies.

    Args:
        hand: The hand.
        policies: Policies drawn from the distribution of their parameters, as ``Fit.draws`` gives
            them.
    """
    reads: dict[tuple[str, int, str], Floats] = {}
    for i, policy in enumerate(policies):
        for stage in analyze_replay(hand, player_models(policy)).stages:
            for seat, read in stage.seats.items():
                for family, p in read.families().items():
                    key = (stage.stage, seat, family)
                    row = reads.setdefault(key, np.full(len(policies), np.nan))
                    row[i] = p.bet_inference
    return ReadRanges(reads)
