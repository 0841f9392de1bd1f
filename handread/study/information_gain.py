"""The information gain stage by stage, and the entropy of the outcome."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from handread.study.statistics import Estimate, FigureTable, Key
from handread.study.sums import Sums, Weights


@dataclass(frozen=True)
class InformationGain(FigureTable):
    """Figure 6: averages by stage over the games with two or more active players.

    The divergences of ``GAIN_FIGURES`` are of two observers from the omniscient one; the gain is
    the fraction of the cards-only divergence that bet inference removes. Games are left out if an
    observer gave no chance to a player who had one.
    """

    games: int
    policy: str


LOG2_N, ENTROPY, CARDS_ONLY, BET_INFERENCE = np.eye(4)

GAIN_FRACTION = "gain_fraction"

GAIN_FIGURES: Mapping[str, Weights] = {
    "log2_n_bits": (LOG2_N,),
    "entropy_bits": (ENTROPY,),
    "kl_cards_only_bits": (CARDS_ONLY,),
    "kl_bet_inference_bits": (BET_INFERENCE,),
    GAIN_FRACTION: (CARDS_ONLY - BET_INFERENCE, CARDS_ONLY),
}


def gain_table(sums: Sums, policy: str) -> InformationGain:
    """Return Figure 6 from the sums of (log2 N, entropy, K-L of both observers) by stage."""
    figures = sums.by_stage(GAIN_FIGURES)
    figures |= {key: _skewed(gain) for key, gain in figures.items() if key.figure == GAIN_FRACTION}
    return InformationGain(figures, sums.games, policy)


def _skewed(gain: Estimate) -> Estimate:
    """Return a gain with the interval of the logarithm of the remaining divergence.

    The divergences have a long tail: in a sample that lacks a bad read, the gain is too high and
    its error too small.
    """
    left = 1.0 - gain.mean
    if left <= 0.0:
        return replace(gain, low=math.nan, high=math.nan)
    reach = math.exp((gain.high - gain.mean) / left)
    return replace(gain, low=1.0 - left * reach, high=1.0 - left / reach)


@dataclass(frozen=True)
class EntropyPaths(FigureTable):
    """Figure 7: the entropy of the outcome in bits, by game and stage, while two are active.

    ``picked`` is the game that stands out, ``marked`` its stages with a circle.
    """

    picked: int
    marked: tuple[str, ...] = ()

    @property
    def paths(self) -> dict[int, dict[str, float]]:
        """The entropies by game and stage."""
        paths: dict[int, dict[str, float]] = {}
        for key, estimate in self.figures.items():
            paths.setdefault(int(key.group), {})[key.stage] = estimate.mean
        return paths


PICTURED = ("3B", "5D")
"""The stages of Figure 1, circled in Figure 7."""


def entropy_paths(paths: Mapping[int, Mapping[str, float]], picked: int) -> EntropyPaths:
    """Return Figure 7 with one of the paths picked out."""
    figures = {
        Key("entropy_bits", stage, str(game)): Estimate(bits, n=1, hands=1)
        for game, path in paths.items()
        for stage, bits in path.items()
    }
    marked = tuple(stage for stage in PICTURED if stage in paths.get(picked, {}))
    return EntropyPaths(figures, picked, marked)
