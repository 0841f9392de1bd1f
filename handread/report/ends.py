"""The final hands of a game along an axis, for tables and pictures of htpds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from handread.arrays import Floats, Ints
from handread.cards import RANKS
from handread.game.rules import DEFAULT, Variant
from handread.inference.hand_analysis import Analysis
from handread.inference.stages import StageReading
from handread.odds.hand_types import CATEGORIES, rank_word
from handread.odds.showdown import showdown_of

BIN = 12
"""The width of a bin of an htpd: in stud high that many hand types, all of one category."""

LOW_WIDTH = 480
"""The width of each category of lows: the good ones would be too narrow by number of hands."""

_HIGH_MARKS = ("HC", "PH", "TP", "T", "S", "FL", "FH", "Q", "SF")
_HIGH_HEADS = ("high", "pair", "2 pair", "trips", "str", "flush", "full", "quads", "st.fl")


@dataclass(frozen=True, slots=True)
class EndGroup:
    """The categories of highs, or of lows: every final hand belongs to one of them.

    ``heads`` are their short names, for columns; ``first`` is the index of the first category.
    """

    title: str
    heads: tuple[str, ...]
    first: int

    @property
    def places(self) -> slice:
        """The indices of its categories."""
        return slice(self.first, self.first + len(self.heads))


@dataclass(frozen=True)
class HandAxis:
    """The final hands of a game from the worst to the best; in hi/lo the highs, then the lows.

    A category of highs is as wide as its number of hand types; all categories of lows are equally
    wide. ``marks`` has one or two letters for each category. ``starts`` are the places where the
    categories begin, and the end of the axis. Bins do not cross categories: ``edges`` are their
    places, ``bounds`` the indices of their first hand types, both with the end.
    """

    game: Variant
    categories: tuple[str, ...]
    marks: tuple[str, ...]
    groups: tuple[EndGroup, ...]
    starts: tuple[int, ...]
    edges: Ints
    bounds: Ints

    @property
    def n_types(self) -> int:
        """The number of hand types; in hi/lo the highs and lows together."""
        return int(self.bounds[-1])

    def heights(self, htpd: Floats) -> Floats:
        """Return the height of each bin: the square root of its probability over its width.

        In stud high the root is of the mean probability of hand types (Saund 2006, Figure 1).
        """
        # In hi/lo "no low" may stand between the highs, which include it, and the lows.
        first, *rest = showdown_of(self.game).cut(htpd)
        drawn = np.concatenate([first, *rest[-1:]])
        return np.sqrt(np.add.reduceat(drawn, self.bounds[:-1]) / np.diff(self.edges))

    @property
    def marks_words(self) -> str:
        """The marks with their categories: "HC high card, PH pair"."""
        pairs = zip(self.marks, self.categories, strict=True)
        return ", ".join(f"{mark} {name}" for mark, name in pairs)


@cache
def hand_axis(game: Variant = DEFAULT) -> HandAxis:
    """Return the axis of the final hands of a game."""
    showdown = showdown_of(game)
    names, counts = showdown.categories, map(np.bincount, showdown.category_of)
    n_high = len(CATEGORIES) if game.high is not None else 0
    marks = (*_HIGH_MARKS[:n_high], *(_low_mark(name, game.splits) for name in names[n_high:]))
    starts, edges, bounds = [0], [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    for category, count in enumerate(np.concatenate([*counts]).tolist()):
        width = count if category < n_high else LOW_WIDTH
        per_bin = max(1, round(BIN * count / width))
        bin_ends = np.append(np.arange(per_bin, count, per_bin), count)
        edges.append(starts[-1] + np.rint(bin_ends * width / count).astype(np.int64))
        bounds.append(bounds[-1][-1] + bin_ends)
        starts.append(starts[-1] + width)
    groups, places = tuple(_groups(game, names, n_high)), (tuple(starts), np.concatenate(edges))
    return HandAxis(game, names, marks, groups, *places, np.concatenate(bounds))


def _groups(game: Variant, names: Sequence[str], n_high: int) -> Iterator[EndGroup]:
    """Yield the groups of categories, the highs first; ``n_high`` is the number of highs."""
    if n_high:
        yield EndGroup("high hand" if game.splits else "ends with", _HIGH_HEADS, 0)
    if game.low is not None:
        lows = (name.removesuffix(" low") for name in names[n_high:])
        heads = tuple("none" if name == "no" else name for name in lows)
        yield EndGroup("low hand" if game.splits else "ends with", heads, n_high)


def _low_mark(name: str, splits: bool) -> str:
    """Return the mark of a category of lows: "K" for "king low", or "k" if highs are marked."""
    marks = {"paired": "P", "no low": "–", "wheel": "W"}
    letter = {f"{rank_word(rank)} low": RANKS[rank] for rank in range(13)}.get(name, "")
    return marks.get(name) or (letter.lower() if splits else letter)


@dataclass(frozen=True, slots=True)
class StageEnds:
    """The heights of the htpd bins of each active seat at a stage of a hand."""

    stage: str
    omniscience: str
    entropy_bits: float | None
    heights: Mapping[int, tuple[float, ...]]


def stage_ends(stage: StageReading) -> StageEnds:
    """Return the heights of the htpd bins of the active seats at a stage."""
    bins = {seat: hand_axis(read.game).heights(read.htpd) for seat, read in stage.seats.items()}
    heights = {seat: tuple(row.tolist()) for seat, row in bins.items()}
    return StageEnds(stage.stage, stage.omniscience, stage.entropy_bits, heights)


def street_ends(analysis: Analysis) -> tuple[StageEnds, ...]:
    """Return the htpd bins at the last stage of each street, where several seats are active."""
    last = {stage.street: stage for stage in analysis.stages}
    return tuple(stage_ends(stage) for stage in last.values() if len(stage.active) > 1)
