"""Figure 7 of Saund 2006: how uncertain single games are as they go on."""

from __future__ import annotations

from collections.abc import Mapping

from handread.reading import Analysis

PICTURED = ("3B", "5D")
"""The stages of Figure 1, circled in Figure 7."""


def entropy_path(analysis: Analysis) -> Mapping[str, float]:
    """The entropy of the outcome in bits, by stage, while two or more are active.

    Empty when not all downcards are known.
    """
    return {
        stage.stage: stage.entropy_bits
        for stage in analysis.stages
        if len(stage.active) > 1 and stage.omniscience == "full" and stage.entropy_bits is not None
    }
