"""The uncertainty of a read that comes from the parameters of a fitted policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from handread.game.steps import Replay
from handread.inference.analysis import analyze_replay
from handread.inference.players import player_models
from handread.policy import Policy
from handread.study.statistics import Estimate, FigureTable, Floats, Key

TAILS = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class ReadRanges(FigureTable):
    """The families of holdings of each seat, with the range that the parameters leave.

    The mean of each family is that over the drawn policies, its ends those of the 95% range.
    """

    def words(self, stage: str, seat: int, most: int = 3) -> str:
        """Return the likeliest families with their ranges: "split pair 23% (12 to 35)"."""
        place = (stage, f"seat {seat}")
        own = [(k.figure, e) for k, e in self.figures.items() if (k.stage, k.group) == place]
        own.sort(key=lambda item: -item[1].mean)
        return ", ".join(
            f"{family} {found.mean:.0%} ({100 * found.low:.0f} to {100 * found.high:.0f})"
            for family, found in own[:most]
        )


def read_ranges(hand: Replay, policies: Sequence[Policy]) -> ReadRanges:
    """Return the families of holdings of each seat after each street, by policies.

    Args:
        hand: The hand.
        policies: Policies drawn from the distribution of their parameters, as ``Fit.draws`` gives
            them.
    """
    reads: dict[Key, Floats] = {}
    for i, policy in enumerate(policies):
        for stage in analyze_replay(hand, player_models(policy)).stages:
            for seat, read in stage.seats.items():
                for family, p in read.families().items():
                    key = Key(family, stage=stage.stage, group=f"seat {seat}")
                    row = reads.setdefault(key, np.full(len(policies), np.nan))
                    row[i] = p.bet_inference
    return ReadRanges({key: _range(found) for key, found in reads.items()})


def _range(found: Floats) -> Estimate:
    """Return the mean and the 95% range; NaN where a read ended before."""
    low, high = np.nanquantile(found, TAILS)
    n = int(np.isfinite(found).sum())
    mean, spread = float(np.nanmean(found)), float(np.nanstd(found))
    return Estimate(mean, spread, float(low), float(high), n)
