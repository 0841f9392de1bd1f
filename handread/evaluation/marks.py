"""The marks of a hand: all that an evaluation keeps of it, as sums that can be added up.

Every figure is the mean of some values. A hand adds to each figure how many values it has, their
sum, and how many of them are infinite; the hands of a sample are drawn anew by weighing their
marks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.analysis import analyze_replay
from handread.engine import Replay
from handread.evaluation.outcome import SHOWN, WAYS, final_ranks, showdown_shares, ways_known
from handread.information import surprise_bits
from handread.lineup import Roster
from handread.reading import Analysis, SeatRead, StageReading, Truth
from handread.stud import STAGES, HandRank

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int16]

FLOOR = 40.0
"""Bits that something infinite, or beyond this, counts as: 2**-40 is one in a million millions."""

BINS = 10
KINDS = ("chance to win", "category of the hand")

GROUPS = ("shown", "otherwise", "folded")
SCORES = ("bits", "place", "share")
OBSERVERS = ("cards_only", "bet_inference")
FIGURES: tuple[tuple[str, ...], ...] = (
    *((stage, group, score) for stage in STAGES for group in GROUPS for score in SCORES),
    *((stage, what, who) for stage in STAGES for what in ("kl", "outcome") for who in OBSERVERS),
    *((stage, "partial") for stage in STAGES),
    *((kind, str(place), what) for kind in KINDS for place in range(BINS) for what in ("p", "y")),
    ("surprise",),
)
"""The names of all figures, in the order of their places."""

PLACES = {figure: place for place, figure in enumerate(FIGURES)}
COUNT, SUM, INFINITE = range(3)


@dataclass(frozen=True, slots=True)
class HandMarks:
    """What a hand adds to the figures that it has values for.

    ``at`` (n,) are their places, ascending; ``sums`` (n, 3) are count, sum, infinite ones.
    ``known`` counts the seats whose downcards are known, in the order of ``outcome.WAYS``.
    """

    at: Places
    sums: Floats
    known: tuple[int, ...]

    def record(self) -> dict[str, Any]:
        """Plain values that ``from_record`` takes back exactly."""
        return {"known": list(self.known), "at": self.at.tolist(), "sums": self.sums.tolist()}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> HandMarks:
        """What ``record`` gave."""
        sums = np.array(record["sums"], np.float64).reshape(-1, 3)
        return cls(np.array(record["at"], np.int16), sums, tuple(record["known"]))

    @classmethod
    def from_sums(cls, sums: Floats, known: Iterable[int]) -> HandMarks:
        """The marks of a table of all figures, (figures, 3)."""
        at = np.flatnonzero(sums[:, COUNT])
        return cls(at.astype(np.int16), sums[at], tuple(known))

    def all_sums(self) -> Floats:
        """The table of all figures, (figures, 3)."""
        sums = np.zeros((len(FIGURES), 3))
        sums[self.at] = self.sums
        return sums

    def plus(self, other: HandMarks) -> HandMarks:
        """The marks of both together, which are of the same hand."""
        known = (a + b for a, b in zip(self.known, other.known, strict=True))
        return self.from_sums(self.all_sums() + other.all_sums(), known)


def hand_marks(read: Analysis, only: Collection[int] | None = None) -> HandMarks:
    """The marks of a hand that was read from the public viewpoint.

    With ``only``, those of the players in these seats alone; what concerns the whole table
    (divergences, the outcome, chances to win) is then left out.
    """
    marker = _Marker(read, only)
    for stage in read.stages:
        marker.stage(stage)
    for action in read.actions:
        if marker.wanted(action.decision.seat):
            marker.add(action.surprise_bits, "surprise")
    ways = [way for seat, way in marker.ways.items() if marker.wanted(seat)]
    return HandMarks.from_sums(marker.sums, (ways.count(way) for way in WAYS))


def mark_hands(hands: Iterable[Replay], roster: Roster, ties: str) -> Iterator[HandMarks]:
    """Read hands of a session one after the other and mark them; panels learn from hand to hand."""
    for played in hands:
        read = analyze_replay(played, roster.lineup(played.history), ties=ties)
        roster = roster.after(played.history, read.members)
        yield hand_marks(read)


class _Marker:
    """Adds up the marks of one hand."""

    def __init__(self, read: Analysis, only: Collection[int] | None) -> None:
        self.sums = np.zeros((len(FIGURES), 3))
        self.ways = ways_known(read.replay)
        self._only = only
        self._ranks = final_ranks(read.replay)
        self._won = showdown_shares(read.replay, self._ranks)

    def wanted(self, seat: int) -> bool:
        """Whether a seat's own marks count."""
        return self._only is None or seat in self._only

    def add(self, value: float, *figure: str) -> None:
        """Count a value for a figure; beyond the floor it counts as the floor."""
        clipped = min(FLOOR, max(-FLOOR, value))
        self.sums[PLACES[figure]] += (1.0, clipped, math.isinf(value))

    def stage(self, stage: StageReading) -> None:
        """Count what a stage shows: of those who folded, and of the others if two are left."""
        self._truths(stage.stage, stage.folded, lambda _seat: "folded")
        if len(stage.active) < 2:
            return
        self._truths(stage.stage, stage.seats, self._group)
        self._categories(stage)
        if self._only is None:
            self._divergences(stage)
            self._outcome(stage)

    def _group(self, seat: int) -> str:
        return "shown" if self.ways[seat] == SHOWN else "otherwise"

    def _truths(
        self, stage: str, reads: Mapping[int, SeatRead], group: Callable[[int], str]
    ) -> None:
        for seat, read in reads.items():
            if read.truth is not None and self.wanted(seat):
                self._truth(read.truth, stage, group(seat))

    def _truth(self, truth: Truth, *group: str) -> None:
        self.add(truth.score_bits, *group, "bits")
        self.sums[PLACES[*group, "place"]] += (1.0, truth.rank, 0.0)
        self.add((truth.rank - 0.5) / truth.live, *group, "share")

    def _divergences(self, stage: StageReading) -> None:
        if stage.omniscience == "partial":
            self.add(0.0, stage.stage, "partial")
        elif stage.kl_bits is not None:
            for who, bits in zip(OBSERVERS, stage.kl_bits, strict=True):
                self.add(bits, stage.stage, "kl", who)

    def _outcome(self, stage: StageReading) -> None:
        """Who won of those who showed down: the chances of the others are set aside."""
        if not self._won:
            return
        for who, chances in zip(OBSERVERS, (stage.cards_only, stage.bet_inference), strict=True):
            self.add(_share_bits(self._among(chances), self._won), stage.stage, "outcome", who)
        for seat, chance in self._among(stage.bet_inference).items():
            self._event(KINDS[0], chance, self._won[seat])

    def _among(self, chances: Mapping[int, float]) -> dict[int, float]:
        """The chances of those who showed down, scaled to add up to 1 (or all 0)."""
        total = sum(chances[seat] for seat in self._won)
        return {seat: chances[seat] / total if total else 0.0 for seat in self._won}

    def _categories(self, stage: StageReading) -> None:
        for seat in stage.active:
            if seat in self._ranks and self.wanted(seat):
                self._category(stage, seat, self._ranks[seat])

    def _category(self, stage: StageReading, seat: int, rank: HandRank) -> None:
        for category, chance in enumerate(stage.seats[seat].categories()):
            if chance > 0.0 or rank[0] == category:  # to rule out what cannot be is no skill
                self._event(KINDS[1], chance, float(rank[0] == category))

    def _event(self, kind: str, chance: float, outcome: float) -> None:
        place = str(min(int(chance * BINS), BINS - 1))
        self.add(chance, kind, place, "p")
        self.add(outcome, kind, place, "y")


def _share_bits(chances: Mapping[int, float], shares: Mapping[int, float]) -> float:
    """The log score of a shared prize: log2 of the chance of each who got some, by its share."""
    return -sum(share * surprise_bits(chances[seat]) for seat, share in shares.items() if share)
