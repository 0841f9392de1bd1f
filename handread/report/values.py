"""What the charts over a hand draw, on a page and in a picture alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handread.cards import MaybeCard
from handread.inference.values import Analysis
from handread.odds.hand_types import CATEGORIES, N_CLASSES, class_categories


class Number(NamedTuple):
    """A number and the words that every face prints for it.

    ``value`` is a probability or bits, None where it is infinite.
    """

    value: float | None
    words: str


class Likely(NamedTuple):
    """Something that may be so, in words, and its probability."""

    what: str
    chance: Number


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat on a street: chances to win, and what it probably holds after the betting.

    ``after`` and ``cards_alone`` are None where the seat is not in any more, or nobody else
    is; ``fate`` is then "folded" or "wins".
    """

    seat: int
    label: str
    up: tuple[MaybeCard, ...]
    card_news: Number | None
    dealt: Number
    after: Number | None
    cards_alone: Number | None
    fate: str
    kinds: tuple[Likely, ...]


@dataclass(frozen=True, slots=True)
class ActionRow:
    """An action by choice: how probable it was, and what it told.

    ``surprise`` is None where no hand of the policy plays so. ``truth`` is how far it moved the
    read of the true downcards, None where they are not known; ``table`` and ``table_truth`` are
    what it told those who see no downcard.
    """

    n: int
    seat: int
    label: str
    words: str
    expected: Number
    one_in: str
    surprise: Number | None
    told: Number
    truth: Number | None
    table: Number
    table_truth: Number | None


@dataclass(frozen=True, slots=True)
class EndRow:
    """What a seat may end with: the nine categories, worst to best."""

    seat: int
    label: str
    categories: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class StreetPart:
    """A street: ``ends`` is empty where the betting left one player alone."""

    number: int
    name: str
    pot: str
    seats: tuple[SeatRow, ...]
    actions: tuple[ActionRow, ...]
    ends: tuple[EndRow, ...]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A seat whose downcards are known: what the read gave to them after each betting round.

    ``held`` are the downcards, None in the rows that are about chances to win (K-L), of which
    ``rests_on`` says how much is known.
    """

    label: str
    held: tuple[MaybeCard, ...] | None
    rests_on: str
    stages: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """What a hand told about a seat, in bits added up: by cards, by bets, and on the truth."""

    seat: int
    label: str
    card_news: Number
    bet_news: Number
    truth: Number | None


@dataclass(frozen=True, slots=True)
class ReadPart:
    """What is believed of a seat at a moment.

    ``grid`` (169,) are the probabilities of the first two downcards in parts of 10,000, by rank:
    rows and columns from ace to deuce, suited above the diagonal; ``live`` is the number of the
    grid of live combinations (``Steps.lives``). ``heights`` are those of the htpd's stretches
    in thousandths (Saund 2006, Number 1). ``families`` has, of each family of what the seat may
    hold now, its probability and that by the cards alone. ``entropy`` is that of the pdd.
    """

    seat: int
    street: int
    kinds: tuple[Likely, ...]
    holdings: tuple[Likely, ...]
    as_likely: str
    grid: tuple[int, ...]
    live: int
    combinations: str
    entropy: Number
    categories: tuple[Number, ...]
    heights: tuple[int, ...]
    families: tuple[tuple[str, float, float], ...]
    truth: TruthPart | None


@dataclass(frozen=True, slots=True)
class TruthPart:
    """How a read stands to the true downcards; for faces that hide it until asked.

    ``words`` say it in a sentence.
    """

    downcards: tuple[MaybeCard, ...]
    kind: str
    family: str
    chance: Number
    score: Number
    place: str
    words: str


@dataclass(frozen=True, slots=True)
class Place:
    """A seat as the table shows it: upcards, chips, and whether it is in."""

    seat: int
    up: tuple[MaybeCard, ...]
    state: str
    put: str
    stack: str


@dataclass(frozen=True, slots=True)
class Chance:
    """A seat's chance to win: by the bets, by the cards alone, and by all cards where known."""

    seat: int
    bets: Number
    cards: Number
    truth: Number | None


@dataclass(frozen=True, slots=True)
class Step:
    """A moment of the hand: what happened, the table after it, and what was believed.

    ``actor`` and ``to_act`` are seats, None where nobody is meant. ``news`` are the bits that a
    deal told about each seat. ``sentence`` says in plain words what the moment told,
    ``on_truth`` how that compares with the true cards. ``reads`` and ``table_reads`` are numbers of
    ``Steps.reads`` by seat.
    """

    kind: str
    street: int
    stage: str
    actor: int | None
    to_act: int | None
    line: int
    title: str
    mark: str
    pot: str
    places: tuple[Place, ...]
    shared: MaybeCard
    chances: tuple[Chance, ...]
    open_bits: Number
    true_bits: Number | None
    action: ActionRow | None
    news: Mapping[int, Number]
    notable: bool
    sentence: str
    on_truth: str
    reads: Mapping[int, int]
    table_reads: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Steps:
    """The moments of a hand, the reads that they show, and the live combinations of the reads."""

    steps: tuple[Step, ...]
    reads: tuple[ReadPart, ...]
    lives: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class HandReport:
    """A hand ready to show. ``facts`` trace its numbers: what read it, how, and from where.

    ``labels`` are the seats in tables, ``spoken`` those in sentences, where a number alone will
    not do. ``top`` is how many kinds of holding it lists a seat. ``told_table`` are the actions
    of the seat that looks on, which knows its own downcards. ``omniscience`` is what the
    references rest on: "full" where those of all stages know all downcards, "partial", or "none"
    where there is no reference.
    """

    analysis: Analysis
    title: str
    game: str
    facts: tuple[tuple[str, str], ...]
    top: int
    labels: Mapping[int, str]
    spoken: Mapping[int, str]
    streets: tuple[StreetPart, ...]
    result: tuple[str, ...]
    shown: tuple[str, ...]
    plays_like: tuple[tuple[str, str], ...]
    scores: tuple[ScoreRow, ...]
    ledger: tuple[LedgerRow, ...]
    told_table: tuple[ActionRow, ...]
    looks_on: str
    notes: tuple[str, ...]
    omniscience: str


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


def chances_of(steps: Sequence[Step], seat: int) -> Iterator[tuple[int, Chance]]:
    """The moments at which a seat is in, with its chances to win."""
    for moment, step in enumerate(steps):
        for chance in step.chances:
            if chance.seat == seat:
                yield moment, chance


class Bar(NamedTuple):
    """What a moment told about a seat: where, from what height to what height, and why.

    ``kind`` is "cards", "bets" or "table".
    """

    moment: int
    seat: int
    foot: float
    height: float
    figure: Number
    kind: str


def bars(
    steps: Sequence[Step], height: Callable[[Number], float], looks_on: int | None = None
) -> Iterator[Bar]:
    """The ledger of bits: "cards" for a deal, one on the other, "bets" for an action.

    "table" is what the seat that looks on told the others, who do not know its downcards.
    ``height`` says how high bits are drawn, which may be infinite.
    """
    for moment, step in enumerate(steps):
        foot = 0.0
        for seat, news in step.news.items():
            yield Bar(moment, seat, foot, height(news), news, "cards")
            foot += height(news)
        if step.action is not None:
            row = step.action
            yield Bar(moment, row.seat, 0.0, height(row.told), row.told, "bets")
            if row.seat == looks_on:
                yield Bar(moment, row.seat, 0.0, height(row.table), row.table, "table")


def finite(figure: Number) -> float:
    """A number of the report, 0 where it is infinite, which its words say."""
    return figure.value or 0.0
