"""The htpd as it is drawn: neighbouring hand types together, 4,824 of them have no room."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from handread.hand_types import CATEGORIES, N_CLASSES, class_categories

CATEGORY_MARKS = ("HC", "PH", "TP", "T", "S", "FL", "FH", "Q", "SF")
"""High card, pair, two pair, trips, straight, flush, full house, quads, straight flush."""

BIN = 12
"""How many neighbours of one category make a stretch."""


@cache
def category_starts() -> tuple[int, ...]:
    """The first hand type of each category, and where the last ends."""
    starts = np.searchsorted(class_categories(), np.arange(len(CATEGORIES)))
    return (*starts.tolist(), N_CLASSES)


@cache
def edges() -> npt.NDArray[np.int64]:
    """Where the stretches of neighbouring hand types begin, and where the last ends."""
    stretches = [np.arange(low, high, BIN) for low, high in pairwise(category_starts())]
    return np.concatenate([*stretches, [N_CLASSES]])


def heights(htpd: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The square root of the mean probability of a hand type in each stretch (Saund, Figure 1)."""
    bounds = edges()
    return np.sqrt(np.add.reduceat(htpd, bounds[:-1]) / np.diff(bounds))
