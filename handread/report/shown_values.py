"""The values that text, pages and pictures show: each number with the words printed for it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, Self

from handread.cards import Card, MaybeCard
from handread.game.steps import Replay
from handread.report.families import FamilyLine
from handread.report.words import ActionFigures, Number, lines_words, visible
from handread.version import __version__


class HoldingLine(NamedTuple):
    """Possible downcards, and their probability."""

    cards: tuple[Card, ...]
    chance: Number


class KindLine(NamedTuple):
    """A kind of holding in a family, with its share in the read and by the cards alone."""

    family: str
    kind: str
    read: Number
    cards_alone: Number


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """A seat on a street: its chances to win, and its probable holdings after the betting.

    ``outcome`` is "folded", "wins" for the last one in, or empty; ``after`` and ``cards_alone`` are
    None unless it is empty. ``card_news`` is None on the first street. ``lines`` has the families
    beside the cards alone; ``only`` has kind and cards of a single holding left, else None.
    """

    seat: int
    up: tuple[MaybeCard, ...]
    card_news: Number | None
    dealt: Number
    after: Number | None
    cards_alone: Number | None
    outcome: str
    lines: tuple[FamilyLine, ...]
    only: tuple[str, tuple[Card, ...]] | None


@dataclass(frozen=True, slots=True)
class StreetPart:
    """A street; ``shared`` is a card dealt to all in words, "Js shared", empty without one.

    ``ends`` has the probabilities of final hands by seat and category, worst to best; in hi/lo the
    highs come first. It is empty if the betting left a single player.
    """

    number: int
    name: str
    pot: str
    shared: str
    seats: tuple[SeatFigures, ...]
    actions: tuple[ActionFigures, ...]
    ends: Mapping[int, tuple[Number, ...]]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """Scores after each betting round, as (stage, words), for known downcards ``held``.

    Without ``held``, they are the K-L divergence of the chances to win, where ``rests_on`` says how
    many downcards are known.
    """

    label: str
    held: tuple[MaybeCard, ...] | None
    rests_on: str
    stages: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BitsBySeat:
    """Total bits about a seat in a hand: by cards, by bets, and by bets on the true downcards."""

    seat: int
    card_news: Number
    bet_news: Number
    truth: Number | None


@dataclass(frozen=True, slots=True)
class TruthPart:
    """A read compared with the true downcards, in a sentence; pages hide it until asked."""

    downcards: tuple[MaybeCard, ...]
    kind: str
    family: str
    words: str


@dataclass(frozen=True, slots=True)
class ReadPart:
    """The belief about a seat after a moment.

    ``lines`` has the families of present holdings beside the cards alone, ``headline`` the one or
    two that sum the read up, ``kinds`` the kinds inside these. ``holdings`` is empty unless one
    stands out. ``openness`` says in a sentence how open the downcards are, ``entropy`` is the
    pdd's. ``families`` has every possible family's probability by the read and the cards alone.

    ``grid`` (169,) has the probabilities of the first two downcards in parts of 10,000, by rank:
    rows and columns from ace to deuce, suited above the diagonal; in five-card stud (52,), by suit
    and rank. ``live`` is the index in ``Steps.lives`` of the grid of live combinations.
    ``heights`` are the htpd's bins in thousandths (Saund 2006, Figure 1).
    """

    seat: int
    street: int
    lines: tuple[FamilyLine, ...]
    headline: tuple[FamilyLine, ...]
    kinds: tuple[KindLine, ...]
    holdings: tuple[HoldingLine, ...]
    as_likely: str
    grid: tuple[int, ...]
    live: int
    openness: str
    combinations: str
    entropy: Number
    categories: tuple[Number, ...]
    heights: tuple[int, ...]
    families: tuple[tuple[str, float, float], ...]
    truth: TruthPart | None


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat at the table: upcards, chips in front of it, stack; in, all-in or folded."""

    seat: int
    up: tuple[MaybeCard, ...]
    status: str
    put: str
    stack: str


@dataclass(frozen=True, slots=True)
class Chance:
    """A seat's chance to win: by the bets, by the cards alone, and with all known downcards."""

    bets: Number
    cards: Number
    truth: Number | None


@dataclass(frozen=True, slots=True)
class StepPart:
    """A step of the hand: the event, the table after it, and the beliefs.

    ``actor`` and ``to_act`` are seats. ``chances``, ``news`` (the bits of a deal) and the indices
    in ``Steps.reads``, ``reads`` and ``table_reads``, are by seat. ``sentence`` is the effect of
    the event in plain words, ``gist`` its largest in a few; ``on_truth`` is on the true cards.
    """

    kind: str
    street: int
    stage: str
    actor: int | None
    to_act: int | None
    title: str
    mark: str
    pot: str
    places: tuple[SeatState, ...]
    shared: MaybeCard
    chances: Mapping[int, Chance]
    open_bits: Number
    true_bits: Number | None
    action: ActionFigures | None
    news: Mapping[int, Number]
    notable: bool
    gist: str
    sentence: str
    on_truth: str
    reads: Mapping[int, int]
    table_reads: Mapping[int, int]


class OwnAction(NamedTuple):
    """An action of the viewing seat at a moment, and its effect on players without the downcards.

    ``told`` is their largest shift by family, "" if small; ``on_truth`` the true downcards' factor.
    """

    moment: int
    told: str
    on_truth: str


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a hand, their reads, live combinations, and the viewing seat's actions."""

    steps: tuple[StepPart, ...]
    reads: tuple[ReadPart, ...]
    lives: tuple[tuple[int, ...], ...]
    own_actions: tuple[OwnAction, ...]

    @property
    def turning_points(self) -> tuple[int, ...]:
        """The notable moments."""
        return tuple(moment for moment, step in enumerate(self.steps) if step.notable)


@dataclass(frozen=True, slots=True)
class KeptReport:
    """All rounded figures and words of a hand that depend on nothing but the hand.

    Its values are plain, so that a file can keep them. ``read_by`` has facts about the reader.
    ``viewer`` is the viewing seat, if any, ``looks_on`` the viewpoint in words; it knows the
    downcards of ``known_seats``. ``ranges`` explains the ranges, if any. ``labels`` name the seats
    in tables, ``spoken`` in sentences. ``top`` is the number of kinds of holding listed per seat.
    ``you`` is the seat addressed as you, if any. ``viewer_actions`` are the viewing seat's;
    ``on_viewer`` is the table's belief about it after the last of them. ``omniscience`` is "full"
    if every reference knows all downcards, "partial", or "none". ``honesty`` says whether the bets
    of players with known downcards were honest; pages hide it like ``TruthPart``. ``trust`` says
    how often the reads of the policy are right.
    """

    title: str
    game: str
    read_by: tuple[tuple[str, str], ...]
    viewer: int | None
    known_seats: tuple[int, ...]
    looks_on: str
    cards_seen: str
    ties: str
    ranges: str
    top: int
    labels: Mapping[int, str]
    spoken: Mapping[int, str]
    gist: tuple[tuple[str, str], ...]
    streets: tuple[StreetPart, ...]
    result: tuple[str, ...]
    shown: tuple[str, ...]
    plays_like: tuple[tuple[str, str], ...]
    scores: tuple[ScoreRow, ...]
    bits: tuple[BitsBySeat, ...]
    you: int | None
    viewer_actions: tuple[ActionFigures, ...]
    on_viewer: str
    notes: tuple[str, ...]
    omniscience: str
    honesty: tuple[str, ...]
    trust: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReport(KeptReport):
    """The report of a hand with its replay, the source of every output.

    ``made_by`` is its command, empty if unknown; ``known`` are notes by seat from earlier hands.
    """

    replay: Replay
    made_by: str
    known: Mapping[int, str]

    @classmethod
    def of(
        cls,
        kept: KeptReport,
        replay: Replay,
        made_by: str = "",
        known: Mapping[int, str] | None = None,
    ) -> Self:
        """Return a report that was kept, with the replay of its hand."""
        values = (getattr(kept, field.name) for field in fields(KeptReport))
        return cls(*values, replay=replay, made_by=made_by, known=known or {})

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Where the figures come from: policy, viewpoint, source, program."""
        source = self.replay.history.source
        lines = lines_words(source.line, self.replay.history.end_line)
        labelled = (
            ("viewpoint", self.looks_on),
            ("ties", self.ties),
            ("ranges", self.ranges),
            ("source", f"{visible(source.file)}, {lines} ({source.dialect})"),
            ("program", f"handread {__version__}"),
            ("made by", visible(self.made_by)),
        )
        return (*self.read_by, *((label, words) for label, words in labelled if words))


def chances_of(steps: Sequence[StepPart], seat: int) -> Iterator[tuple[int, Chance]]:
    """Yield the moments while a seat is in, with its chances to win."""
    for moment, step in enumerate(steps):
        if seat in step.chances:
            yield moment, step.chances[seat]


class BitsBar(NamedTuple):
    """A bar of a chart: bits about a seat at a step, drawn upwards from ``base``.

    ``kind`` is "cards" (a deal), "bets", or "table": the viewing seat's bets as others see them.
    """

    moment: int
    seat: int
    base: float
    height: float
    figure: Number
    kind: str


def bits_bars(
    steps: Sequence[StepPart], height: Callable[[Number], float], viewpoint: int | None = None
) -> Iterator[BitsBar]:
    """Yield bars of each step's bits, stacked for a deal; ``height`` gets infinite bits, too."""
    for moment, step in enumerate(steps):
        base = 0.0
        for seat, news in step.news.items():
            yield BitsBar(moment, seat, base, height(news), news, kind="cards")
            base += height(news)
        if step.action is not None:
            row = step.action
            told = [(row.information, "bets"), (row.table, "table")]
            for news, kind in told if row.seat == viewpoint else told[:1]:
                yield BitsBar(moment, row.seat, 0.0, height(news), news, kind=kind)


def finite(figure: Number) -> float:
    """Return the value of a number; 0 if it is infinite."""
    return figure.value or 0.0
