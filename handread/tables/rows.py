"""Rows of the tables: what their figures are computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from handread.decisions.decision_values import DecisionValue
from handread.decisions.hand_values import HandValues
from handread.decisions.ledger import Ledger
from handread.formats.dates import Date, read_date
from handread.formats.grammar import date_styles
from handread.game.replay import is_unanalyzed
from handread.game.steps import Decision
from handread.history import History, Problem
from handread.inference.hand_analysis import Analysis
from handread.inference.stages import ActionReading, SeatRead, StageReading
from handread.opponents.records import SeatHand, seat_hands
from handread.study.scores import ways_known
from handread.tables import ACTIONS, DECISIONS, HANDS, LEDGERS, PLAYERS, STAGE_TABLE


class HandRow:
    """An analyzed hand."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.replay = analysis.replay
        self.history: History = analysis.replay.history
        self.source = self.history.source
        self.stakes = analysis.replay.stakes
        self.names = {seat.number: seat.name or None for seat in self.history.seats}

    @cached_property
    def known(self) -> Mapping[int, str]:
        """How each seat's downcards became known; seats with unknown downcards are left out."""
        return ways_known(self.replay)

    @property
    def winners(self) -> list[int] | None:
        """The seats that won money, in order; None for an unfinished hand."""
        won = self.replay.won
        return sorted(seat for seat in won if won[seat] > 0) if self.replay.finished else None

    @cached_property
    def played(self) -> Date | None:
        """When the hand was played; None if the log does not say, or says 1970."""
        date = read_date(self.history.played_at, date_styles())
        return None if date is None or date.local.year == 1970 else date

    @property
    def zone(self) -> str | None:
        """The time zone that the log names."""
        zone = "" if self.played is None else self.played.zone
        return zone if zone and zone[-5:] in self.history.played_at else None

    @property
    def played_utc(self) -> datetime | None:
        """When the hand was played, in UTC; None without a known time zone."""
        return None if self.played is None or self.zone is None else self.played.utc

    @cached_property
    def won_share(self) -> Mapping[int, float]:
        """Each seat's share of the payout; empty for an unfinished hand."""
        total = sum(self.replay.won.values())
        if not (self.replay.finished and total):
            return {}
        return {seat: self.replay.won.get(seat, 0) / total for seat in self.names}

    @cached_property
    def net(self) -> Mapping[int, int]:
        """Each seat's net result in minor units; empty for an unfinished hand."""
        if not self.replay.finished:
            return {}
        return {seat: self.replay.net(seat) for seat in self.names}

    def actions(self) -> Iterator[ActionRow]:
        """Yield the voluntary actions."""
        return (ActionRow(self, reading) for reading in self.analysis.actions)

    def stages(self) -> Iterator[StageRow]:
        """Yield the stages."""
        for stage in self.analysis.stages:
            yield StageRow(self, stage, stage.entropy_bits, stage.kl_bits)

    def seats(self) -> Iterator[SeatRow]:
        """Yield the active seats of each stage, then those that folded on the street."""
        for row in self.stages():
            yield from row.seats()

    def rows(self) -> Iterator[tuple[str, object]]:
        """Yield all rows of the hand, each with the name of its table."""
        yield HANDS, self
        yield from ((STAGE_TABLE, row) for row in self.seats())
        yield from ((ACTIONS, row) for row in self.actions())
        yield from ((PLAYERS, PlayerRow(self, play)) for play in seat_hands(self.replay))

    def value_rows(self, values: HandValues) -> Iterator[tuple[str, object]]:
        """Yield the rows of the hand's decisions and ledgers, each with the name of its table."""
        yield from ((DECISIONS, DecisionRow(self, value)) for value in values.decisions)
        yield from ((LEDGERS, LedgerRow(self, ledger)) for ledger in values.ledgers.values())


@dataclass(frozen=True, slots=True)
class ActionRow:
    """A voluntary action."""

    hand: HandRow
    reading: ActionReading

    @property
    def decision(self) -> Decision:
        """The action and its situation."""
        return self.reading.decision


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player in a hand, as the player's record counts it."""

    hand: HandRow
    play: SeatHand

    @property
    def styles(self) -> str | None:
        """The factors that the hand gives the player's styles (``Panel.factors``), as text.

        None without an action of the player, or if the players are read by different styles.
        """
        factors = self.hand.analysis.style_factors(self.play.seat)
        return " ".join(f"{factor:.4g}" for factor in factors) or None


@dataclass(frozen=True)
class StageRow:
    """A stage, with its entropy and its K-L divergences in bits."""

    hand: HandRow
    stage: StageReading
    entropy_bits: float | None
    kl_bits: tuple[float, float] | None

    def seats(self) -> Iterator[SeatRow]:
        """Yield the active seats, then those that folded on the street."""
        figures = self.hand, self.stage, self.entropy_bits, self.kl_bits  # costly, so once a stage
        for seat, read in self.stage.seats.items():
            yield SeatRow(*figures, seat, read, active=True)
        for seat, read in self.stage.folded.items():
            yield SeatRow(*figures, seat, read, active=False)


@dataclass(frozen=True)
class SeatRow(StageRow):
    """A seat at a stage."""

    seat: int
    read: SeatRead
    active: bool

    @cached_property
    def categories(self) -> dict[str, float]:
        """The probability of each category of final hands of the game, by name."""
        names = self.read.hands.showdown.categories
        return dict(zip(names, self.read.categories(), strict=True))


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision of a player whose downcards are known, with the values of its actions."""

    hand: HandRow
    value: DecisionValue

    @property
    def decision(self) -> Decision:
        """The action taken and its situation."""
        return self.value.decision


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A player's result in a hand, split into luck and play."""

    hand: HandRow
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class RejectRow:
    """A hand that is not in hands, or text that is no hand, with the problem and its line."""

    problem: Problem
    history: History | None
    line: str

    @property
    def kind(self) -> str:
        """One of ``REJECT_WORDS``."""
        if self.history is None:
            return NOT_UNDERSTOOD
        if self.history.other_game:
            return OTHER_GAME
        return NOT_ANALYZED if is_unanalyzed(self.problem) else REFUSED

    @property
    def file_line(self) -> int:
        """The first line of the hand."""
        return self.problem.line if self.history is None else self.history.source.line


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece of a file."""

    file: str
    first_line: int
    digest: str
    hands: int
    rejects: int
    keys: tuple[bytes, ...]


REJECT_WORDS = ("refused", "not analyzed", "other game", "not understood")
REFUSED, NOT_ANALYZED, OTHER_GAME, NOT_UNDERSTOOD = REJECT_WORDS
