"""Rows of the tables: what the figures of a row are computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from handread.decisions.hand import HandValues
from handread.decisions.ledger import Ledger
from handread.decisions.values import DecisionValue
from handread.game.replay import is_unanalyzed
from handread.game.steps import Decision
from handread.history import History, Problem
from handread.inference.hand import Analysis
from handread.inference.readers import policies_of
from handread.inference.values import ActionReading, FamilyRead, SeatRead, StageReading
from handread.opponents.records import SeatHand, seat_hands
from handread.policy import panel_of
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
        """How the downcards of each seat became known; only seats whose downcards did."""
        return ways_known(self.replay)

    @property
    def winners(self) -> str | None:
        """The seats that won money, separated by spaces; None for an unfinished hand."""
        won = self.replay.won
        paid = " ".join(str(seat) for seat in sorted(won) if won[seat] > 0)
        return paid if self.replay.finished else None

    @cached_property
    def won_share(self) -> Mapping[int, float]:
        """The share of the payout of each seat; empty for an unfinished hand."""
        total = sum(self.replay.won.values())
        if not (self.replay.finished and total):
            return {}
        return {seat: self.replay.won.get(seat, 0) / total for seat in self.names}

    @cached_property
    def net(self) -> Mapping[int, int]:
        """The net result of each seat in minor units; empty for an unfinished hand."""
        if not self.replay.finished:
            return {}
        won, paid = self.replay.won, self.replay.paid
        return {seat: won.get(seat, 0) - paid.get(seat, 0) for seat in self.names}

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
        """The action, with the situation in which it was taken."""
        return self.reading.decision


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player in a hand, as the record of the player counts it."""

    hand: HandRow
    play: SeatHand

    @property
    def styles(self) -> str | None:
        """The factors that the hand gives the styles of the player (``Panel.factors``), as text.

        None without an action of the player, or if all players are not read by the same styles.
        """
        players = policies_of(self.hand.analysis.reader)
        shares = self.hand.analysis.members.get(self.play.seat)
        if players is None or shares is None:
            return None
        own, rest = (panel_of(p) for p in (players.of(self.play.seat).policy, players.rest.policy))
        if own is None or rest is None or own.members != rest.members:
            return None
        return " ".join(f"{factor:.4g}" for factor in own.factors(shares))


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

    @cached_property
    def leading(self) -> tuple[str, FamilyRead]:
        """The likeliest family of holdings."""
        return next(iter(self.read.families().items()))


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision of a player whose downcards are known, with the values of its actions."""

    hand: HandRow
    value: DecisionValue

    @property
    def decision(self) -> Decision:
        """The action taken, with the situation in which it was taken."""
        return self.value.decision


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A player's result in a hand, split into luck and play."""

    hand: HandRow
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class RejectRow:
    """A hand that is not in hands, or a text that is none: the problem and the line it is on."""

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


REJECT_WORDS = REFUSED, NOT_ANALYZED, OTHER_GAME, NOT_UNDERSTOOD = (
    "refused",
    "not analyzed",
    "other game",
    "not understood",
)
