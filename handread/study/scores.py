"""Scores of the reads of single hands against the true cards and outcomes."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product, repeat
from time import process_time
from typing import Self

import numpy as np
import numpy.typing as npt

import handread.study.measures as measures
from handread.arrays import Array, Floats, Ints
from handread.bits import surprise_bits
from handread.cards import MaybeCard
from handread.game.rules import ALL_STAGES as STAGES
from handread.game.rules import variant_of
from handread.game.steps import Replay
from handread.history import Deal
from handread.inference.analysis import after_hand, analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import TIE_RULES
from handread.inference.readers import Reader, cannot_be_read, read_hand
from handread.inference.stages import SeatRead, StageReading, Truth
from handread.odds.showdown import category_places
from handread.study.measures import MEASURES, OBSERVERS, Ranks
from handread.study.statistics import BINS, FLOOR, bins_of

SHOWN, HERO, PUBLISHED = WAYS = ("shown", "hero", "published")
"""How a player's downcards are known; see ``ways_known``."""


def final_ranks(replay: Replay) -> dict[int, Ranks]:
    """Return the final hand of each seat with all cards known."""
    game = variant_of(replay.history.variant)
    hands = {seat: replay.final_cards(seat) for seat in replay.downcards_on(game.last)}
    return {seat: game.ranks(cards) for seat, cards in hands.items() if cards is not None}


def showdown_shares(replay: Replay, ranks: Mapping[int, Ranks]) -> dict[int, float]:
    """Return the share of the main pot that each seat of the showdown won.

    The shares follow from the hands if they are known, else from the payments. Return no shares
    without a showdown, or if neither determines them.
    """
    seats = replay.showdown
    if not seats:
        return {}
    if all(seat in ranks for seat in seats):
        return measures.pot_shares({seat: ranks[seat] for seat in seats})
    winners = {seat for seat in seats if replay.won.get(seat)}
    # The winner of a side pot may be another player; the log does not say who won which half.
    if len(winners) > 1 and (len(replay.pots) > 1 or variant_of(replay.history.variant).splits):
        return {}
    return {seat: (seat in winners) / len(winners) for seat in seats} if winners else {}


def ways_known(replay: Replay) -> dict[int, str]:
    """Return how each seat's downcards are known: shown, hero's or published.

    "shown" are downcards that the record hides at the deal, and downcards of a showdown if the
    record does not have everybody's: the players who folded are then missing.
    """
    history = replay.history
    dealt = [seat for seat in replay.streets[0].active if seat != history.hero]
    everybody = all(seat in replay.downcards for seat in dealt)
    down: dict[int, list[MaybeCard]] = {seat.number: [] for seat in history.seats}
    for event in history.events:
        if isinstance(event, Deal) and event.seat in down:
            down[event.seat] += event.down
    ways = {}
    game = variant_of(history.variant)
    for seat in replay.downcards_on(game.last):
        if seat == history.hero:
            ways[seat] = HERO
        elif None in (*down[seat], None, None)[: game.streets[0].down] or (
            seat in replay.showdown and not everybody
        ):
            ways[seat] = SHOWN
        else:
            ways[seat] = PUBLISHED
    return ways


Places = npt.NDArray[np.int16]

KINDS = ("chance to win", "category of the hand")

GROUPS = ("shown", "otherwise", "folded")

SCORES = ("bits", "place", "share")

LEFT = ("two_left", "more_left")
"""The groups of players still in: two, or three and more."""

PROMISE = ("got", "promised")
"""The bits on the true downcards, and the mean number that a calibrated read gets."""

FAMILIES = "family of the holding"

EVENTS = (*KINDS, FAMILIES)
"""The kinds of event with a calibration error."""

NO_CHANCE = 1e-12
"""Rounding error of a sum of chances that cancel."""

CALLS = (*OBSERVERS, "oracle", "gain", "oracle_gain")
"""The figures of last calls: the chips of each reader, and the gain over the upcards alone."""

FIGURES: tuple[tuple[str, ...], ...] = (
    *((stage, group, score) for stage in STAGES for group in GROUPS for score in SCORES),
    *product(STAGES, GROUPS, ("oracle",)),
    *((stage, what, who) for stage in STAGES for what in ("kl", "outcome") for who in OBSERVERS),
    *((stage, "partial") for stage in STAGES),
    *((kind, str(place), what) for kind in KINDS for place in range(BINS) for what in ("p", "y")),
    ("surprise",),
    *product(("call",), CALLS),
    *product(STAGES, GROUPS, MEASURES, OBSERVERS),
    *product(EVENTS, STAGES, map(str, range(BINS)), OBSERVERS),
    *product(STAGES, ("surprise",)),
    ("unread",),
    *product(STAGES, LEFT, PROMISE),
)
"""The names of all figures, in the order of their places.

The last are the measures of seats; by bin of an event's chance the excess of its outcome; the
surprise of the actions by stage; 1 for a hand that the reader cannot read; and the promises.
"""

PLACES = {figure: place for place, figure in enumerate(FIGURES)}

EVENT_PLACES = len(STAGES) * BINS * len(OBSERVERS)

COUNT, SUM, INFINITE = range(3)


@dataclass(frozen=True, slots=True)
class HandScores:
    """The sums of a hand for the figures that it has values for.

    ``at`` are their ascending places (n,) in ``FIGURES``. ``sums`` (n, 3) has for each the number
    of values, their sum, and how many are infinite; ``known`` the number of seats with known
    downcards, in the order of ``WAYS``; ``seconds`` the processor time, 0 if not measured.
    """

    at: Places
    sums: Floats
    known: tuple[int, ...]
    seconds: float = field(default=0.0, compare=False)

    @classmethod
    def from_sums(cls, sums: Floats, known: Iterable[int]) -> Self:
        """Return the scores of a table of all figures, (figures, 3)."""
        at = np.flatnonzero(sums[:, COUNT])
        return cls(at.astype(np.int16), sums[at], tuple(known))

    @property
    def unread(self) -> bool:
        """True for a hand that the reader cannot read."""
        return PLACES["unread",] in self.at

    def all_sums(self) -> Floats:
        """Return the table of all figures, (figures, 3)."""
        sums = np.zeros((len(FIGURES), 3))
        sums[self.at] = self.sums
        return sums

    def plus(self, other: "HandScores") -> Self:
        """Return the sums of two scores of the same hand."""
        known = (a + b for a, b in zip(self.known, other.known, strict=True))
        sums = self.from_sums(self.all_sums() + other.all_sums(), known)
        return replace(sums, seconds=self.seconds + other.seconds)


UNREAD = HandScores(
    np.array([PLACES["unread",]], np.int16), np.array([(1.0, 1.0, 0.0)]), (0,) * len(WAYS)
)
"""The scores of a hand that the reader cannot read."""


def hand_scores(read: Analysis, only: Collection[int] | None = None) -> HandScores:
    """Score the read of a hand from the public viewpoint, of all seats or of ``only`` some.

    Figures of the whole table (divergences, the outcome, chances to win) need all seats.
    """
    scorer = _Scorer(read, only)
    for stage in read.stages:
        scorer.stage(stage)
    for action in read.actions:
        if scorer.wanted(action.decision.seat):
            scorer.add(action.surprise_bits, "surprise")
            scorer.add(action.surprise_bits, f"{action.decision.street}B", "surprise")
    scorer.add_events()
    scorer.add_calls(read)
    ways = [way for seat, way in scorer.ways.items() if scorer.wanted(seat)]
    return HandScores.from_sums(scorer.sums, (ways.count(way) for way in WAYS))


def score_hands(
    hands: Iterable[Replay],
    reader: Reader,
    ties: str,
    only: Iterable[Collection[int] | None] = repeat(None),
    seen: Iterable[Replay | None] = repeat(None),
) -> Iterator[HandScores]:
    """Read the hands of a session in order and yield their scores; panels learn on the way.

    A hand that the reader cannot read has the scores ``UNREAD``. ``only`` are the seats of each
    hand, as in ``hand_scores``; ``seen`` are hands that the reader sees in place of these.
    """
    for played, seats, shown in zip(hands, only, seen, strict=False):
        if cannot_be_read(played, reader):
            yield UNREAD
            continue
        start = process_time()
        observed = tuple(read_hand(reader, shown or played, TIE_RULES[ties]))
        seconds = process_time() - start
        read = analyze_replay(played, reader, ties=ties, observed=observed)
        reader = after_hand(reader, replace(read, replay=shown or played))
        yield replace(hand_scores(read, seats), seconds=seconds)


class _Scorer:
    def __init__(self, read: Analysis, only: Collection[int] | None) -> None:
        self.sums = np.zeros((len(FIGURES), 3))
        self.ways = ways_known(read.replay)
        self._only = only
        self._ranks = final_ranks(read.replay)
        self._won = showdown_shares(read.replay, self._ranks)
        self._seen: list[Floats] = []

    def wanted(self, seat: int) -> bool:
        return self._only is None or seat in self._only

    def add(self, value: float, *figure: str) -> None:
        """Count a value for a figure, clipped to the floor."""
        clipped = min(FLOOR, max(-FLOOR, value))
        self.sums[PLACES[figure]] += (1.0, clipped, math.isinf(value))

    def stage(self, stage: StageReading) -> None:
        """Score a stage: the players who folded on it, and the others if two are left."""
        self._truths(stage.stage, stage.folded, lambda _seat: "folded")
        if len(stage.active) < 2:
            return
        self._truths(stage.stage, stage.seats, self._group)
        self._promises(stage)
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
                measured = measures.seat_measures(read, read.truth)
                first = PLACES[stage, group(seat), MEASURES[0], OBSERVERS[0]]
                self.sums[first : first + measured.values.size, COUNT] += 1.0
                self.sums[first : first + measured.values.size, SUM] += measured.values.ravel()
                if group(seat) != "folded":
                    true = np.arange(measured.families.shape[1]) == measured.family
                    self._events(FAMILIES, stage, measured.families, true)

    def _promises(self, stage: StageReading) -> None:
        left = LEFT[len(stage.active) > 2]
        for seat, read in stage.seats.items():
            if read.truth is not None and self.wanted(seat):
                self.add(read.truth.score_bits, stage.stage, left, "got")
                promised = math.log2(read.truth.live) - read.entropy_bits
                self.add(promised, stage.stage, left, "promised")

    def _truth(self, truth: Truth, *group: str) -> None:
        self.add(truth.score_bits, *group, "bits")
        self.sums[PLACES[*group, "place"]] += (1.0, truth.rank, 0.0)
        self.add((truth.rank - 0.5) / truth.live, *group, "share")
        self.add(math.log2(truth.live), *group, "oracle")

    def _divergences(self, stage: StageReading) -> None:
        if stage.omniscience == "partial":
            self.add(0.0, stage.stage, "partial")
        elif stage.kl_bits is not None:
            for who, bits in zip(OBSERVERS, stage.kl_bits, strict=True):
                self.add(bits, stage.stage, "kl", who)

    def _outcome(self, stage: StageReading) -> None:
        if not self._won:
            return
        for who, chances in zip(OBSERVERS, (stage.cards_only, stage.bet_inference), strict=True):
            self.add(_share_bits(self._among(chances), self._won), stage.stage, "outcome", who)
        reads = (stage.cards_only, stage.bet_inference)
        both = np.array([list(self._among(read).values()) for read in reads])
        self._events(KINDS[0], stage.stage, both, np.array(list(self._won.values())))

    def _among(self, chances: Mapping[int, float]) -> dict[int, float]:
        """Return the chances of the players in the showdown, scaled to add up to 1 (or all 0)."""
        total = sum(chances[seat] for seat in self._won)
        return {seat: chances[seat] / total if total else 0.0 for seat in self._won}

    def _categories(self, stage: StageReading) -> None:
        for seat in stage.active:
            if seat in self._ranks and self.wanted(seat):
                read = stage.seats[seat]
                by_category = read.hands.showdown.by_category
                chances = np.array([by_category(read.cards_only_htpd), by_category(read.htpd)])
                places = category_places(read.game, self._ranks[seat])
                true = np.isin(np.arange(chances.shape[1]), places)
                self._events(KINDS[1], stage.stage, chances, true)

    def _events(self, kind: str, stage: str, chances: Floats, outcomes: Array) -> None:
        """Keep chances (observers, events) and outcomes (events,), 0 to 1, for ``add_events``."""
        places = np.full(outcomes.size, PLACES[kind, stage, "0", OBSERVERS[0]])
        self._seen.append(np.stack([places, outcomes, *chances]))

    def add_events(self) -> None:
        """Count the events by bin: their chances and outcomes, and the excess of the outcomes.

        Skip impossible events, which would inflate the score. Except for the chances to win, these
        are the events without a chance by the cards alone, in reliability tables by the read.
        """
        if not self._seen:
            return
        events = np.concatenate(self._seen, axis=1)
        first, outcomes, cards_only, bets = events
        first = first.astype(np.int64)
        kinds = (first - PLACES[KINDS[0], STAGES[0], "0", OBSERVERS[0]]) // EVENT_PLACES
        free = (kinds == 0) | (outcomes > 0.0)
        counted = free | (cards_only > NO_CHANCE)
        for who, chances in enumerate((cards_only, bets)):
            places = first + len(OBSERVERS) * bins_of(chances) + who
            self._count(places[counted], (outcomes - chances)[counted])
        counted = (free | (bets > NO_CHANCE)) & (kinds < len(KINDS))
        places = PLACES[KINDS[0], "0", "p"] + 2 * (BINS * kinds + bins_of(bets))
        self._count(places[counted], bets[counted])
        self._count(places[counted] + 1, outcomes[counted])

    def add_calls(self, read: Analysis) -> None:
        """Add the chips that readers win at last calls; they need all players' cards."""
        if self._only is not None:
            return
        for cards_only, bets, oracle in measures.call_values(read, self._ranks):
            values = (cards_only, bets, oracle, bets - cards_only, oracle - cards_only)
            for figure, value in zip(CALLS, values, strict=True):
                self.sums[PLACES["call", figure]] += (1.0, value, 0.0)

    def _count(self, places: Ints, values: Floats) -> None:
        self.sums[:, COUNT] += np.bincount(places, minlength=len(FIGURES))
        self.sums[:, SUM] += np.bincount(places, weights=values, minlength=len(FIGURES))


def _share_bits(chances: Mapping[int, float], shares: Mapping[int, float]) -> float:
    """Return the log score of a shared prize: log2 of each winner's chance, weighted by share."""
    return -sum(share * surprise_bits(chances[seat]) for seat, share in shares.items() if share)
