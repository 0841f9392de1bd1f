"""Analyze a hand of a session, or say why it cannot be analyzed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from handread.game.replay import without_analysis
from handread.game.steps import Replay
from handread.history import Problem
from handread.inference.analysis import after_hand, analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.readers import Reader, cannot_be_read, reader_of_hand
from handread.inference.viewpoint import session_viewpoint

if TYPE_CHECKING:
    from handread.decisions.terms import DecisionTerms


@dataclass(frozen=True, slots=True)
class HandView:
    """The way to read the hands of a session.

    ``decisions`` is the way to value decisions, None if they have no values. ``seats`` have valued
    decisions if their downcards are known; None is your seat, or all if nobody is you. If a policy
    has no learned values, ``rolls_all`` values all decisions by rollouts, which takes seconds a
    hand; without it they have no values in lists and totals.
    """

    viewpoint: str | None = None  # as in ``session_viewpoint``; None for the hero's
    ties: str = "split"  # how tied hands share the pot
    decisions: "DecisionTerms | None" = None
    seats: frozenset[int] | None = None
    everybody: bool = False  # the decisions of all seats are valued
    rolls_all: bool = True
    top: int = 4  # the number of kinds of holding on a page for each seat

    def valued_seats(self, you: int | None) -> set[int] | None:
        """Return the seats with valued decisions; None for all."""
        if self.seats is not None:
            return {*self.seats}
        return None if self.everybody or you is None else {you}


@dataclass(frozen=True, slots=True)
class AnalyzedHand:
    """A hand that was analyzed, or only checked."""

    played: Replay
    reader: Reader  # after learning from the hands before
    problem: Problem | None = None  # the reason for not reading the hand to its end
    findings: tuple[Problem, ...] = ()  # other findings
    analysis: Analysis | None = None  # large

    @property
    def refused_for(self) -> list[Problem]:
        """The problems of a hand that a session refuses; empty for an accepted hand."""
        if self.problem is None:
            return []
        return [*self.findings, without_analysis(self.played, self.problem)]

    @property
    def is_shown(self) -> bool:
        """True if part of the hand can be shown."""
        return self.problem is None or bool(self.analysis and self.analysis.stages)

    def after(self, reader: Reader) -> Reader:
        """Return the reader of the next hand, after learning from this one."""
        return reader if self.analysis is None else after_hand(reader, self.analysis)


def analyzed_hand(played: Replay, reader: Reader, view: HandView) -> AnalyzedHand:
    """Analyze a hand by the session's ``reader``; return its analysis, or the reason for none."""
    reader = reader_of_hand(reader, played.history)
    problem = cannot_be_read(played, reader)
    if problem is not None:
        return AnalyzedHand(played, reader, problem)
    try:
        viewpoint = session_viewpoint(played, view.viewpoint)
        analysis = analyze_replay(played, reader, viewpoint, view.ties)
    except ValueError as error:  # the viewpoint is not possible for this hand
        return AnalyzedHand(played, reader, played.history.problem(0, str(error)))
    if analysis.complete:
        return AnalyzedHand(played, reader, None, analysis.problems, analysis)
    *findings, stop = analysis.problems
    return AnalyzedHand(played, reader, stop, tuple(findings), analysis)
