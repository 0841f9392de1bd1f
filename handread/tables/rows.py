"""Rows of the tables: what the cells of a row are computed from, and the columns that all share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from handread.decisions.hand import HandValues
from handread.decisions.ledger import Ledger
from handread.decisions.values import DecisionValue
from handread.game.replay import is_unanalyzed
from handread.history import History, Problem
from handread.inference.hand import Analysis
from handread.inference.values import ActionReading, FamilyRead, SeatRead, StageReading
from handread.study.scores import ways_known
from handread.tables import ACTIONS, DECISIONS, HANDS, LEDGERS, STAGE_TABLE


class HandRow:
    """A hand analyzed to its end."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.replay = analysis.replay
        self.history: History = analysis.replay.history
        self.source = self.history.source
        self.stakes = analysis.replay.stakes
        self.known = ways_known(analysis.replay)
        self.names = {seat.number: seat.name or None for seat in self.history.seats}

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

    def rows(self) -> Iterator[tuple[str, object]]:
        """Yield all rows of the hand, each with the name of its table.

        A stage has a row for each active seat and for each seat that folded on the street.
        """
        yield HANDS, self
        for stage in self.analysis.stages:
            figures = stage.entropy_bits, stage.kl_bits  # costly, so once a stage
            for seat, read in stage.seats.items():
                yield STAGE_TABLE, StageRow(self, stage, *figures, seat, read, active=True)
            for seat, read in stage.folded.items():
                yield STAGE_TABLE, StageRow(self, stage, *figures, seat, read, active=False)
        for reading in self.analysis.actions:
            yield ACTIONS, ActionRow(self, reading)

    def value_rows(self, values: HandValues) -> Iterator[tuple[str, object]]:
        """Yield the rows of the hand's decisions and ledgers, each with the name of its table."""
        for value in values.decisions:
            yield DECISIONS, DecisionRow(self, value)
        for ledger in values.ledgers.values():
            yield LEDGERS, LedgerRow(self, ledger)


@dataclass(frozen=True)
class StageRow:
    """A seat at a stage, with the entropy and the K-L divergences of the stage in bits."""

    hand: HandRow
    stage: StageReading
    entropy_bits: float | None
    kl_bits: tuple[float, float] | None
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
class ActionRow:
    """A voluntary action."""

    hand: HandRow
    reading: ActionReading


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision of a player whose downcards are known, with the values of its actions."""

    hand: HandRow
    value: DecisionValue


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

    @property
    def joined_keys(self) -> str:
        """The keys of its hands as text."""
        return b"".join(self.keys).hex()


TEXT, FLAG, REAL, MONEY, COUNT = "text", "flag", "real", "money", "count"
"""Kinds of columns. A tuple of words is also a kind: each cell holds one of them."""

ACTION_WORDS = ("fold", "check", "call", "bet", "raise")
VERDICT_WORDS = ("best", "close", "costly", "mistake")
REJECT_WORDS = REFUSED, NOT_ANALYZED, OTHER_GAME, NOT_UNDERSTOOD = (
    "refused",
    "not analyzed",
    "other game",
    "not understood",
)
OMNISCIENCE = ("none", "partial", "full")

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of a table; ``value`` returns its cell for a row.

    A column that is not ``stable`` may change within a version of the tables.
    """

    name: str
    kind: str | tuple[str, ...]
    meaning: str
    value: Callable[[Row], object]
    stable: bool = True


HAND_KEY: tuple[Column[Any], ...] = (
    Column("file", TEXT, "as in hands", lambda r: r.hand.source.file),
    Column("line", COUNT, "as in hands", lambda r: r.hand.source.line),
    Column("hand_id", TEXT, "as in hands", lambda r: r.hand.history.hand_id),
    Column("variant", TEXT, "as in hands", lambda r: r.hand.history.variant),
)
"""The columns that join the rows of a hand to ``hands``."""
