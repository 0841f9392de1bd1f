"""Figure 6 of Saund 2006 from tables: what the bets add to the cards, over hands of any source."""

from __future__ import annotations

import numpy as np
import polars as pl

from handread.experiments.gain import stage_gain
from handread.experiments.moments import Moments
from handread.experiments.values import InformationGain
from handread.score import STAGES as STAGE_TABLE
from handread.score.estimates import HAND
from handread.score.tables import Tables
from handread.stud import STAGES

_FIGURES = ("log2_n", "outcome_entropy_bits", "kl_cards_only_bits", "kl_bits")
"""In the order of the weights of ``experiments.gain``."""


class GainSums:
    """The sums behind the table: hands with all downcards known, two or more active."""

    def __init__(self) -> None:
        self._stages = {stage: Moments(len(_FIGURES)) for stage in STAGES}
        self._ruled_out = dict.fromkeys(STAGES, 0)

    def add(self, tables: Tables) -> None:
        """Count hands none of which was counted before."""
        rows = (
            tables.scan(STAGE_TABLE)
            .filter(pl.col("omniscience") == "full", pl.col("n_active") >= 2)
            .with_columns(log2_n=pl.col("n_active").cast(pl.Float64).log(2.0))
            .group_by(*HAND, "stage")
            .agg(pl.col(figure).first().cast(pl.Float64) for figure in _FIGURES)
            .sort(HAND)
            .collect(engine="streaming")
        )
        for (stage,), found in rows.group_by("stage"):
            values = found.select(_FIGURES).to_numpy()
            finite = values[np.isfinite(values).all(axis=1)]
            self._stages[str(stage)].merge(Moments.of(finite))
            self._ruled_out[str(stage)] += len(values) - len(finite)

    def table(self, hands: int, policy: str) -> InformationGain:
        """The averages; ``hands`` is how many have all downcards known."""
        found = self._stages.items()
        stages = (stage_gain(stage, sums, self._ruled_out[stage]) for stage, sums in found)
        return InformationGain(hands, policy, tuple(stages))
