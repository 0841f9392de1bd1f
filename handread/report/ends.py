"""The final hands of a game along an axis, for tables and pictures of a player's chances."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from handread.arrays import Floats, Ints
from handread.cards import RANKS
from handread.game.rules import DEFAULT, Variant
from handread.inference.hand import Analysis
from handread.inference.values import StageReading
from handread.odds.hand_types import CATEGORIES, rank_word
from handread.odds.showdown import showdown_of

BIN = 12
"""The width of a bin of an htpd: in stud high that many hand types, all of one category."""

LOW_WIDTH = 480
"""The width of a category of lows. Their good hands are too few to be drawn by number."""

_HIGH_MARKS = ("HC", "PH", "TP", "T", "S", "FL", "FH", "Q", "SF")
_HIGH_HEADS = ("high", "pair", "2 pair", "trips", "str", "flush", "full", "quads", "st.fl")


@dataclass(frozen=True, slots=True)
class EndGroup:
    """A set of categories that every final hand belongs to once: the highs, or the lows.

    ``heads`` has a few letters for each, ``first`` is the first one's place among all categories.
    """

    title: str
    heads: tuple[str, ...]
    first: int

    @property
    def places(self) -> slice:
        """The places of its categories."""
        return slice(self.first, self.first + len(self.heads))


@dataclass(frozen=True)
class HandAxis:
    """The final hands of a game from the worst to the best; in hi/lo the highs, then the lows.

    A category of highs is as wide as it has hand types; all categories of lows are equally wide.
    ``marks`` has one or two letters for each, ``starts`` the places where they begin, and the end.
    Bins do not cross categories: ``edges`` has their places, ``bounds`` their first hand types and
    the number of hand types.
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
        high, *lows = showdown_of(self.game).cut(htpd)
        htpd = np.concatenate([high, *lows[-1:]])
        return np.sqrt(np.add.reduceat(htpd, self.bounds[:-1]) / np.diff(self.edges))

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
    groups = tuple(_groups(game, names))
    n_high = len(CATEGORIES) if game.high is not None else 0
    starts, edges, bounds = [0], [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    first = 0
    for place, count in enumerate(np.concatenate([*counts]).tolist()):
        width = count if place < n_high else LOW_WIDTH
        types = max(1, round(BIN * count / width))
        ends = np.append(np.arange(types, count, types), count)
        edges.append(starts[-1] + np.rint(ends * width / count).astype(np.int64))
        bounds.append(first + ends)
        starts.append(starts[-1] + width)
        first += count
    return HandAxis(
        game,
        names,
        (*_HIGH_MARKS[:n_high], *(_low_mark(name, game.splits) for name in names[n_high:])),
        groups,
        tuple(starts),
        np.concatenate(edges),
        np.concatenate(bounds),
    )


def _groups(game: Variant, names: Sequence[str]) -> Iterator[EndGroup]:
    n_high = 0
    if game.high is not None:
        n_high = len(CATEGORIES)
        yield EndGroup("high hand" if game.splits else "ends with", _HIGH_HEADS, 0)
    if game.low is not None:
        lows = (name.removesuffix(" low") for name in names[n_high:])
        heads = tuple("none" if name == "no" else name for name in lows)
        yield EndGroup("low hand" if game.splits else "ends with", heads, n_high)


def _low_mark(name: str, splits: bool) -> str:
    """Return the mark of a category of lows: "8" for "eight low", "K", beside highs "k"."""
    marks = {"paired": "P", "no low": "–", "wheel": "W"}
    letter = {f"{rank_word(rank)} low": RANKS[rank] for rank in range(13)}.get(name, "")
    return marks.get(name) or (letter.lower() if splits else letter)


@dataclass(frozen=True, slots=True)
class StageEnds:
    """Heights of the htpd bins of the active seats at a stage; the rest as in ``StageReading``."""

    stage: str
    omniscience: str
    entropy_bits: float | None
    heights: Mapping[int, tuple[float, ...]]


def stage_ends(stage: StageReading) -> StageEnds:
    """Return the htpds of the active seats at a stage."""
    reads = stage.seats.items()
    heights = {s: tuple(hand_axis(r.game).heights(r.htpd).tolist()) for s, r in reads}
    return StageEnds(stage.stage, stage.omniscience, stage.entropy_bits, heights)


def street_ends(analysis: Analysis) -> tuple[StageEnds, ...]:
    """Return the ends after each street that left several seats; after its deal if it broke off."""
    last = {stage.street: stage for stage in analysis.stages}
    return tuple(stage_ends(stage) for stage in last.values() if len(stage.active) > 1)
