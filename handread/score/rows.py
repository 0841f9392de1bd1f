"""What a row of each table is about: a hand, a seat at a stage, an action, a refused hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from handread.evaluation.outcome import ways_known
from handread.history import History, Problem
from handread.reading import ActionReading, Analysis, SeatRead, StageReading
from handread.score import ACTIONS, HANDS, STAGES


class HandRow:
    """A hand that was read to its end."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.replay = analysis.replay
        self.history: History = analysis.replay.history
        self.source = self.history.source
        self.stakes = analysis.replay.stakes
        self.known = ways_known(analysis.replay)
        self.names = {seat.number: seat.name or None for seat in self.history.seats}

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """The seats that were dealt in."""
        return self.replay.streets[0].active

    @property
    def unexplained(self) -> int:
        """How many actions no holding of the policy takes."""
        return sum(not action.explained for action in self.analysis.actions)

    @property
    def winners(self) -> str | None:
        """The seats that were paid, with blanks between; None when the hand did not end."""
        won = self.replay.won
        paid = " ".join(str(seat) for seat in sorted(won) if won[seat] > 0)
        return paid if self.replay.finished else None

    @cached_property
    def won_share(self) -> Mapping[int, float]:
        """The part of what was paid out that each seat got; empty when the hand did not end."""
        total = sum(self.replay.won.values())
        if not (self.replay.finished and total):
            return {}
        return {seat: self.replay.won.get(seat, 0) / total for seat in self.names}

    @cached_property
    def net(self) -> Mapping[int, int]:
        """What each seat won less what it put in, in minor units; empty as ``won_share``."""
        if not self.replay.finished:
            return {}
        won, paid = self.replay.won, self.replay.paid
        return {seat: won.get(seat, 0) - paid.get(seat, 0) for seat in self.names}

    def rows(self) -> Iterator[tuple[str, object]]:
        """All rows of the hand, each with its table.

        At a stage they are those of the active, and of who folded on the street.
        """
        yield HANDS, self
        for stage in self.analysis.stages:
            at = StageRow(stage)
            for seat, read in stage.seats.items():
                yield STAGES, SeatRow(self, at, seat, read, active=True)
            for seat, read in stage.folded.items():
                yield STAGES, SeatRow(self, at, seat, read, active=False)
        for reading in self.analysis.actions:
            yield ACTIONS, ActionRow(self, reading)


class StageRow:
    """What the rows of a stage have in common."""

    def __init__(self, reading: StageReading) -> None:
        self.reading = reading
        self.entropy = reading.entropy_bits
        kl = reading.kl_bits
        self.kl_cards_only = None if kl is None else kl[0]
        self.kl = None if kl is None else kl[1]


class SeatRow:
    """A seat at a stage."""

    def __init__(
        self, hand: HandRow, at: StageRow, seat: int, read: SeatRead, active: bool
    ) -> None:
        self.hand = hand
        self.at = at
        self.stage = at.reading
        self.seat = seat
        self.read = read
        self.active = active
        self.truth = read.truth

    @cached_property
    def categories(self) -> list[float]:
        """The probability of each of the nine categories; of those who folded nobody asks."""
        return self.read.categories() if self.active else []


@dataclass(frozen=True, slots=True)
class ActionRow:
    """An action."""

    hand: HandRow
    reading: ActionReading


@dataclass(frozen=True, slots=True)
class RejectRow:
    """A hand that was refused, or a text that is none: what stopped its reading, and the line."""

    problem: Problem
    history: History | None
    line: str

    @property
    def file_line(self) -> int:
        """The line that the hand begins at."""
        return self.problem.line if self.history is None else self.history.source.line


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece of a file, as it was read."""

    file: str
    first_line: int
    digest: str
    hands: int
    rejects: int
