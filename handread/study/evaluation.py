"""Means of figures over hands, and how they scatter when the hands are drawn anew.

Players and stages of one hand hang together, so whole hands are drawn (the cluster
bootstrap; Efron and Tibshirani 1993, chapter 8), with percentile intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.bits import surprise_bits
from handread.cards import Card, MaybeCard
from handread.game.rules import STAGES, HandRank, best_hand
from handread.game.steps import Replay
from handread.history import Deal
from handread.inference.analysis import analyze_replay
from handread.inference.players import Roster
from handread.inference.values import Analysis, SeatRead, StageReading, Truth
from handread.policy import fingerprint
from handread.study.statistics import (
    FLOOR,
    NOTHING,
    CalibrationBin,
    Estimate,
    Evaluation,
    Floats,
    Folds,
    Known,
    Pair,
    Scores,
    StageScores,
)

SHOWN, HERO, PUBLISHED = WAYS = ("shown", "hero", "published")
"""The ways in which a player's downcards are known; see ``ways_known``."""


def final_ranks(replay: Replay) -> dict[int, HandRank]:
    """What the seats whose seven cards are all known end with."""
    up = replay.streets[-1].upcards if replay.streets else {}
    shared = tuple(street.shared for street in replay.streets)
    ranks = {}
    for seat, down in replay.downcards_on(7).items():
        cards: list[Card] = [c for c in (*down, *up.get(seat, ()), *shared) if c is not None]
        if len(cards) == 7:
            ranks[seat] = best_hand(cards)
    return ranks


def showdown_shares(replay: Replay, ranks: Mapping[int, HandRank]) -> dict[int, float]:
    """The part of the main pot that each seat of the showdown won; empty when that is not known.

    Empty without a showdown, too. From the hands where they are known, else from who was paid.
    """
    seats = replay.showdown
    if not seats:
        return {}
    if all(seat in ranks for seat in seats):
        best = max(ranks[seat] for seat in seats)
        winners = {seat for seat in seats if ranks[seat] == best}
    else:
        winners = {seat for seat in seats if replay.won.get(seat)}
        if len(winners) > 1 and len(replay.pots) > 1:  # the side pot's may be another
            return {}
    return {seat: (seat in winners) / len(winners) for seat in seats} if winners else {}


def ways_known(replay: Replay) -> dict[int, str]:
    """How the record comes to know each seat's downcards: shown, hero's or published.

    "shown" are those that were dealt face down, and those of a showdown in a record that does not
    tell everybody's: whoever folded is then missing among them.
    """
    history = replay.history
    dealt = [seat for seat in replay.streets[0].active if seat != history.hero]
    everybody = all(seat in replay.downcards for seat in dealt)
    down: dict[int, list[MaybeCard]] = {seat.number: [] for seat in history.seats}
    for event in history.events:
        if isinstance(event, Deal) and event.seat in down:
            down[event.seat] += event.down
    ways = {}
    for seat in replay.downcards_on(7):
        if seat == history.hero:
            ways[seat] = HERO
        elif None in (*down[seat], None, None)[:2] or (seat in replay.showdown and not everybody):
            ways[seat] = SHOWN
        else:
            ways[seat] = PUBLISHED
    return ways


Places = npt.NDArray[np.int16]

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


BY = ("hand", "player")

Fit = Callable[[Sequence[Replay], Collection[str]], Roster]
"""Learns from hands how players bet, but not from the actions of players of these names."""


class FoldError(ValueError):
    """Hands that cannot be parted as was asked; the message is for a person."""


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """The marks of hands, each read by policies fitted without it, and how that was done."""

    marks: tuple[HandMarks, ...]
    folds: Folds


def cross_validated(
    hands: Sequence[Replay],
    fit: Fit,
    folds: Folds,
    ties: str,
    seed: int,
    tick: Callable[[int], None] = lambda _done: None,
) -> CrossValidated:
    """Mark every hand, or every player, by policies fitted to the other folds.

    ``folds`` says into how many and by what; its ``trained`` and ``nameless`` are filled in. By
    hand, hands of one fingerprint stay together. By player, a fold's players are scored in all
    their hands by what was fitted to the actions of the others. ``tick`` is told of every hand
    read. Raises ``FoldError`` when there are too few hands or players.
    """
    if folds.by == "hand":
        return _by_hand(hands, fit, folds, ties, seed, tick)
    return _by_player(hands, fit, folds, ties, seed, tick)


def dealt_out(names: Sequence[str], k: int, seed: int) -> dict[str, int]:
    """The fold of each name, 0 to k - 1: shuffled by the seed, whatever order they come in."""
    ordered = sorted(set(names))
    shuffled = np.random.default_rng(seed).permutation(len(ordered))
    return {ordered[at]: place % k for place, at in enumerate(shuffled.tolist())}


def _by_hand(
    hands: Sequence[Replay],
    fit: Fit,
    folds: Folds,
    ties: str,
    seed: int,
    tick: Callable[[int], None],
) -> CrossValidated:
    prints = [fingerprint(played.history) for played in hands]
    fold_of = dealt_out(prints, folds.k, seed)
    _enough(len(fold_of), folds, "hands that differ in id, game or players")
    marks: dict[int, HandMarks] = {}
    trained = []
    for fold in range(folds.k):
        held = [i for i, name in enumerate(prints) if fold_of[name] == fold]
        train = [hands[i] for i, name in enumerate(prints) if fold_of[name] != fold]
        trained.append(len(train))
        found = mark_hands((hands[i] for i in held), fit(train, ()), ties)
        for i, hand in zip(held, found, strict=True):
            marks[i] = hand
            tick(1)
    return CrossValidated(tuple(marks[i] for i in range(len(hands))), _done(folds, trained, 0))


def _by_player(
    hands: Sequence[Replay],
    fit: Fit,
    folds: Folds,
    ties: str,
    seed: int,
    tick: Callable[[int], None],
) -> CrossValidated:
    names = [{s.number: s.name for s in played.history.seats if s.name} for played in hands]
    fold_of = dealt_out([name for seats in names for name in seats.values()], folds.k, seed)
    _enough(len(fold_of), folds, "players with a name")
    marks: dict[int, HandMarks] = {}
    trained = []
    for fold in range(folds.k):
        out = {name for name, own in fold_of.items() if own == fold}
        held = [{s for s, name in seats.items() if name in out} for seats in names]
        train = [
            played
            for played, seats in zip(hands, held, strict=True)
            if len(seats) < len(played.history.seats)
        ]
        trained.append(len(train))
        roster = fit(train, out)
        for i, found in _marks_of(hands, held, roster, ties):
            tick(i not in marks)
            marks[i] = marks[i].plus(found) if i in marks else found
    nameless = sum(not seat.name for played in hands for seat in played.history.seats)
    return CrossValidated(tuple(marks[i] for i in sorted(marks)), _done(folds, trained, nameless))


def _marks_of(
    hands: Sequence[Replay], held: Sequence[set[int]], roster: Roster, ties: str
) -> Iterator[tuple[int, HandMarks]]:
    """The marks of some seats of each hand, by the hand's number."""
    for i, (played, seats) in enumerate(zip(hands, held, strict=True)):
        if seats:
            read = analyze_replay(played, roster.lineup(played.history), ties=ties)
            yield i, hand_marks(read, seats)


def _enough(n: int, folds: Folds, what: str) -> None:
    if n < folds.k:
        raise FoldError(f"{folds.k} folds by {folds.by} need as many {what}; found {n}")


def _done(folds: Folds, trained: Sequence[int], nameless: int) -> Folds:
    return Folds(folds.k, folds.by, folds.family, tuple(trained), nameless)


Name = tuple[str, ...]
"""The name of a figure; see ``FIGURES``."""

RESAMPLES_AT_ONCE = 50
LOW, HIGH = 2.5, 97.5


class Sample:
    """The figures of some hands, and of ``resamples`` bootstrap samples of these hands.

    Whole hands are drawn (the cluster bootstrap; Efron and Tibshirani 1993, chapter 8), with
    percentile intervals. The same hands in the same order, resamples and seed give the same
    intervals.
    """

    def __init__(self, marks: Iterable[HandMarks], resamples: int, seed: int) -> None:
        hands = list(marks)
        self._totals = np.zeros((len(FIGURES), 3))
        self._there = np.zeros((len(hands), len(FIGURES)), bool)
        for there, hand in zip(self._there, hands, strict=True):
            self._totals[hand.at] += hand.sums
            there[hand.at] = True
        used = np.flatnonzero(self._there.any(axis=0))
        sums = np.zeros((len(hands), used.size, 2))
        for row, hand in zip(sums, hands, strict=True):
            row[np.searchsorted(used, hand.at)] = hand.sums[:, :INFINITE]
        flat = sums.reshape(len(hands), 2 * used.size)
        self._drawn = np.zeros((resamples, len(FIGURES), 2))
        rng = np.random.default_rng(seed)
        for first in range(0, resamples if hands else 0, RESAMPLES_AT_ONCE):
            n = min(RESAMPLES_AT_ONCE, resamples - first)
            draws = rng.integers(0, len(hands), (n, len(hands)))
            weights = np.array([np.bincount(draw, minlength=len(hands)) for draw in draws], float)
            self._drawn[first : first + n, used] = (weights @ flat).reshape(n, used.size, 2)

    def mean(self, *names: Name) -> Estimate:
        """Return the mean of the values of some figures together."""
        at = [PLACES[name] for name in names]
        n, total, infinite = self._totals[at].sum(axis=0).tolist()
        if not n:
            return NOTHING
        hands = int(self._there[:, at].any(axis=1).sum())
        found = Estimate(total / n, n=int(n), hands=hands, infinite=int(infinite))
        return self._with_interval(found, self._means(at))

    def difference(self, name: Name, less: Name) -> Estimate:
        """Return the mean of a figure less that of another, with values from the same hands.

        Its infinite values are those of both.
        """
        one, other = self.mean(name), self.mean(less)
        found = replace(one, mean=one.mean - other.mean, infinite=one.infinite + other.infinite)
        means = self._means([PLACES[name]]) - self._means([PLACES[less]])
        return self._with_interval(found, means)

    def _means(self, at: list[int]) -> Floats:
        """Return the mean of each bootstrap sample; NaN where it has no value."""
        drawn = self._drawn[:, at].sum(axis=1)
        with np.errstate(invalid="ignore"):
            means: Floats = drawn[:, SUM] / drawn[:, COUNT]
        return means

    @staticmethod
    def _with_interval(found: Estimate, means: Floats) -> Estimate:
        means = means[np.isfinite(means)]
        if found.hands < 2 or not means.size:
            return found
        low, high = np.percentile(means, (LOW, HIGH)).tolist()
        return replace(found, low=low, high=high)


def evaluation(
    marks: Sequence[HandMarks],
    policy: str,
    ties: str,
    resamples: int = 1000,
    seed: int = 1,
    fitted_on: int = 0,
    folds: Folds | None = None,
) -> Evaluation:
    """How well the reads behind the marks were, each figure with its interval.

    ``policy`` and ``ties`` say how the hands were read, ``fitted_on`` how many of them the policy
    was fitted to, ``folds`` how they were cross-validated.
    """
    sample = Sample(marks, resamples, seed)
    known = [sum(hand.known[way] for hand in marks) for way in range(3)]
    return Evaluation(
        policy=policy,
        ties=ties,
        hands=len(marks),
        fitted_on=fitted_on,
        folds=folds,
        known=Known(*known),
        stages=tuple(_stage(sample, stage) for stage in STAGES),
        surprise=sample.mean(("surprise",)),
        reliability={kind: tuple(_bins(sample, kind)) for kind in KINDS},
        resamples=resamples,
        seed=seed,
    )


def _stage(sample: Sample, stage: str) -> StageScores:
    return StageScores(
        stage=stage,
        active=_scores(sample, stage, "shown", "otherwise"),
        folded=_scores(sample, stage, "folded"),
        everybody=_scores(sample, stage, "shown", "otherwise", "folded"),
        shown=_scores(sample, stage, "shown"),
        otherwise=_scores(sample, stage, "otherwise"),
        kl=_pair(sample, stage, "kl", least_is_best=True),
        partial=sample.mean((stage, "partial")).n,
        outcome=_pair(sample, stage, "outcome", least_is_best=False),
    )


def _scores(sample: Sample, stage: str, *groups: str) -> Scores:
    return Scores(*(sample.mean(*((stage, group, score) for group in groups)) for score in SCORES))


def _pair(sample: Sample, stage: str, what: str, least_is_best: bool) -> Pair:
    cards, bets = ((stage, what, who) for who in OBSERVERS)
    better, worse = (cards, bets) if least_is_best else (bets, cards)
    return Pair(sample.mean(cards), sample.mean(bets), sample.difference(better, worse))


def _bins(sample: Sample, kind: str) -> Iterator[CalibrationBin]:
    """Yield the bins of a reliability table that have events."""
    for place in range(BINS):
        chance, happened = (sample.mean((kind, str(place), what)) for what in ("p", "y"))
        if chance.n:
            low, high = place / BINS, (place + 1) / BINS
            yield CalibrationBin(low, high, chance.n, chance.mean, happened)
