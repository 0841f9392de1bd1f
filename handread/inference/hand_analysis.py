"""The analysis of a hand: its replay, and everything inferred from it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape

from handread.arrays import Floats
from handread.game.steps import Replay
from handread.history import Problem
from handread.inference.observer import ObservedStreet
from handread.inference.players import PlayerModels
from handread.inference.ranges import DrawnReads
from handread.inference.readers import Reader, policies_of
from handread.inference.stages import ActionReading, StageReading
from handread.inference.viewpoint import OMNISCIENT, PUBLIC
from handread.policy import members_of, panel_of


class AnalysisError(ValueError):
    """Raised for a hand that cannot be analyzed.

    Attributes:
        problem: The reason, with file, line and column.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem: Problem = problem


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Analysis:
    """A hand, its replay, and everything inferred from it.

    Attributes:
        replay: The replayed hand.
        reader: Reader that the hand was read with.
        ties: How tied hands share the pot, "split" or "paper".
        viewpoint: "public", "seat:N" or "omniscient".
        stages: The stages in order.
        actions: The voluntary actions in order.
        problems: Errors in the log, and findings such as an action that the policy never takes.
        complete: False if the hand could not be read to its end.
        members: Probabilities (members,) of the policies of a panel after the last action of each
            seat that it models; only seats that have acted.
        observed: The streets as read by the public-knowledge observer or another reader.
        you: The seat to address as you: the viewing seat, or else the hero's.
        drawn: The reads by draws of the policies; None for an analysis without ranges.
    """

    replay: Replay
    reader: Reader
    ties: str
    viewpoint: str
    stages: tuple[StageReading, ...]
    actions: tuple[ActionReading, ...]
    problems: tuple[Problem, ...]
    complete: bool
    members: Mapping[int, Floats] = field(default_factory=dict)
    observed: tuple[ObservedStreet, ...] = ()
    you: int | None = None
    drawn: DrawnReads | None = None

    @property
    def players(self) -> PlayerModels:
        """The policies that the hand was read with.

        Raises:
            ValueError: The reader has none.
        """
        players = policies_of(self.reader)
        if players is None:
            name = self.reader.name
            raise ValueError(f"the reader {name} has no policies by which a hand is played on")
        return players

    @property
    def draws(self) -> int:
        """The number of draws of the policies for ranges; 0 without ranges."""
        players = policies_of(self.reader)
        return 0 if players is None else players.draws

    @property
    def hero(self) -> int | None:
        """The seat of the log's owner, if the log says so."""
        return self.replay.history.hero

    @property
    def viewer(self) -> int | None:
        """The viewing seat; None from the public and the omniscient viewpoint."""
        return None if self.viewpoint in (PUBLIC.name, OMNISCIENT) else self.you

    @property
    def surprise_bits(self) -> float:
        """The surprise of all actions together: -log2 of their joint probability."""
        return sum(action.surprise_bits for action in self.actions)

    @property
    def styles(self) -> tuple[tuple[str, float], ...]:
        """The styles of the reads of all players, and their prior; empty without styles."""
        players = policies_of(self.reader)
        panel = None if players is None else panel_of(players.rest.policy)
        if panel is None:
            return ()
        names = (member.name for member in panel.members)
        return tuple(zip(names, panel.prior, strict=True))

    def style_factors(self, seat: int) -> tuple[float, ...]:
        """Return the factors that the hand gives the odds of a seat's styles (``Panel.factors``).

        Args:
            seat: Number of the seat.

        Returns:
            A factor for each style; empty without an action of the seat, or unless all players are
            read by the same styles.
        """
        players, shares = policies_of(self.reader), self.members.get(seat)
        if players is None or shares is None:
            return ()
        panel, rest = (panel_of(model.policy) for model in (players.of(seat), players.rest))
        if panel is None or rest is None or panel.members != rest.members:
            return ()
        return tuple(panel.factors(shares).tolist())

    @property
    def policies(self) -> dict[int, dict[str, float]]:
        """``members`` by seat and name of the policy."""
        by_seat = {}
        for seat, shares in sorted(self.members.items()):
            names = [policy.name for policy in members_of(self.players.of(seat).policy)]
            by_seat[seat] = dict(zip(names, shares.tolist(), strict=True))
        return by_seat

    def at(self, stage: str) -> StageReading:
        """Return a stage.

        Args:
            stage: Its name: "5D" is 5th street after the deal, "5B" after the betting.

        Raises:
            KeyError: The hand has no such stage.

        >>> hand = handread.read("sample_histories/showdown.stud")[0]
        >>> handread.analyze(hand, policy="people").at("5B")
        5B: seat 1 46%, seat 2 54%
        """
        by_stage = {reading.stage: reading for reading in self.stages}
        if stage not in by_stage:
            raise KeyError(f"no stage {stage!r}: expected one of {', '.join(by_stage)}")
        return by_stage[stage]

    def seat(self, name: str) -> int:
        """Return the number of a player's seat, the key of all figures by seat.

        Args:
            name: The name of the player.

        Raises:
            KeyError: Nobody in the hand has this name.

        >>> read = handread.analyze(handread.read("sample_histories/showdown.stud")[0])
        >>> read.seat("Ann")
        1
        """
        by_name = {seat.name: seat.number for seat in self.replay.history.seats if seat.name}
        if name not in by_name:
            players = ", ".join(by_name) or "without names"
            raise KeyError(f"no player {name!r}: the players are {players}")
        return by_name[name]

    def table(self) -> list[list[str]]:
        """Return the chances to win as text: a header, then a row with stage, pot and seats."""
        seats = [seat.number for seat in self.replay.history.seats]
        unit = self.replay.history.unit
        rows = [["stage", "pot", *(f"seat {seat}" for seat in seats)]]
        for stage in self.stages:
            chances = [stage.bet_inference.get(seat) for seat in seats]
            cells = ["" if p is None else f"{p:.1%}" for p in chances]
            rows.append([stage.stage, unit.text(stage.pot), *cells])
        return rows

    @property
    def heading(self) -> str:
        """A one-line summary of the hand."""
        history = self.replay.history
        surprise = f"{self.surprise_bits:.1f}" if math.isfinite(self.surprise_bits) else "infinite"
        return (
            f"hand {history.hand_id or '?'}, {len(history.seats)} seats, policy "
            f"{self.reader.name}, {self.viewpoint}: chances to win; {len(self.actions)} actions, "
            f"{surprise} bits of surprise"
        )

    def __repr__(self) -> str:
        return f"<Analysis of {self.heading}>"

    def __str__(self) -> str:
        rows = self.table()
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        heading = "".join(c if c.isprintable() else "?" for c in self.heading)
        return "\n".join([heading, *lines])

    def _repr_html_(self) -> str:
        return html_table(self.heading, self.table())


def html_table(caption: str, rows: Iterable[Iterable[object]]) -> str:
    """Return a table for a notebook; the first row is the header."""
    cells = [[escape(str(cell)) for cell in row] for row in rows]
    body = "".join(
        f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in row)}</tr>"
        for tag, row in zip(["th", *["td"] * len(cells)], cells, strict=False)
    )
    return f"<table><caption>{escape(caption)}</caption>{body}</table>"
