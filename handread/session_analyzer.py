"""Analyze the hands of a session one by one, and count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from handread.game.replay import without_analysis
from handread.game.steps import Replay
from handread.history import Problem
from handread.inference.analysis import after_hand, analyze_replay
from handread.inference.hand import Analysis
from handread.inference.readers import (
    PolicyReader,
    Reader,
    cannot_be_read,
    policies_of,
    reader_of_hand,
)
from handread.inference.viewpoint import HERO, Viewpoint, is_by_person, session_viewpoint
from handread.report.tables import hands_words
from handread.session import Session


class SessionHand(NamedTuple):
    """A hand of a session, and its analysis unless it was skipped or is impossible.

    ``reader`` is the reader of the hand, with what it learned from those before. ``problem`` is the
    reason why the hand cannot be analyzed to the end.
    """

    played: Replay
    reader: Reader
    analysis: Analysis | None
    problem: Problem | None

    @property
    def refused_for(self) -> list[Problem]:
        """The problems with which the session refuses it; empty if it accepts it."""
        if self.problem is None:
            return []
        found = () if self.analysis is None else self.analysis.problems
        return [*found[:-1], without_analysis(self.played, self.problem)]


class SessionAnalyzer:
    """Analyses the hands of a session one by one.

    Attributes:
        reader: The reader, with what it learned from the hands so far.
    """

    def __init__(
        self,
        session: Session,
        reader: Reader,
        viewpoint: str | None,
        ties: str,
        needed: Callable[[Replay, Reader], bool] | None = None,
        stages: bool = True,
    ) -> None:
        """Prepare to analyze hands that ``session`` counts, the first by ``reader``.

        ``viewpoint`` is "public", "hero", "seat:N", "omniscient" or the name of a player. None
        takes the hero's, and says nothing of hands without one. ``needed`` is given a hand and its
        reader, and returns True if the hand is to be analyzed; others are only checked. If it is
        set, findings about accepted hands are not listed. Without ``stages``, analyses have only
        the actions.
        """
        self.reader = reader
        self._session = session
        self._viewpoint = viewpoint
        self._ties = ties
        self._needed = needed
        self._stages = stages
        players = policies_of(reader)
        self._unused, self._met = set(players.seats if players is not None else ()), False
        self._viewers: Counter[str] = Counter()
        self._names: set[str] = set()
        self._given: Counter[str] = Counter()

    def analyze(self, played: Replay) -> SessionHand:
        """Analyze a hand; if that is impossible, return the reason as its problem."""
        history, analysis = played.history, None
        problem = cannot_be_read(played, self.reader)
        self._met = True
        self._unused -= {seat.number for seat in history.seats}
        reader = reader_of_hand(self.reader, history)
        given, players = policies_of(self.reader), policies_of(reader)
        if given is not None and players is not None and given.draws and not players.draws:
            self._given[reader.name] += 1
        if problem is None:
            try:
                viewpoint = self._viewpoint_of(played)
                if self._needed is None or self._needed(played, reader):
                    plain = reader
                    if self._needed is not None and players is not None:
                        # An analysis that only checks a hand needs no ranges.
                        plain = PolicyReader(replace(players, drawn={}))
                    analysis = analyze_replay(
                        played, plain, viewpoint, self._ties, stages=self._stages
                    )
            except ValueError as error:  # the viewpoint is not possible for this hand
                problem = history.problem(0, str(error))
        if analysis is not None:
            self.reader = after_hand(self.reader, analysis)
            problem = None if analysis.complete else analysis.problems[-1]
        return SessionHand(played, reader, analysis, problem)

    def count(self, hand: SessionHand) -> None:
        """Count a hand as accepted or refused, and list its problems."""
        if problems := hand.refused_for:
            self._session.refuse(hand.played.history, problems)
            return
        found = () if hand.analysis is None else hand.analysis.problems
        self._session.accept(found if self._needed is None else ())

    def _viewpoint_of(self, played: Replay) -> Viewpoint:
        """Return the viewpoint of a hand; count the hands by what they show of the viewer."""
        found = session_viewpoint(played, self._viewpoint)
        if self._viewpoint is not None and is_by_person(self._viewpoint):
            self._names |= {seat.name for seat in played.history.seats}
            shows = "seen" if found.known else "hidden"
            self._viewers["absent" if found.you is None else shows] += 1
        return found

    def finish(self) -> None:
        """Print what the options ask for in vain: seats, the viewer, and ranges."""
        if self._met and self._unused:
            seats = ", ".join(map(str, sorted(self._unused)))
            self._session.say(f"no hand has a seat {seats}: --seat unused")
        self._say_viewers()
        for name, n in self._given.items():
            self._session.say(
                f"no ranges for {hands_words(n)}: the parameters of {name} were given, not fitted"
            )

    def _say_viewers(self) -> None:
        """Print the number of hands in which the viewer does not sit or hides the downcards."""
        who = self._viewpoint
        absent, hidden = self._viewers["absent"], self._viewers["hidden"]
        who = None if who is None else self._session.real_name(who)
        if who is not None and absent == self._viewers.total() > 0:
            self._session.lacks_viewer(who, [*map(self._session.real_name, self._names)])
        elif who is not None and absent + hidden:
            one, whose = ("a hero", "the hero's") if who == HERO else (who, f"{who}'s")
            told = [
                *[f"{hands_words(absent)} without {one}"] * bool(absent),
                *[f"{hands_words(hidden)} without {whose} downcards"] * bool(hidden),
            ]
            self._session.say(f"{' and '.join(told)}: read as the public sees them")


def analyses(
    session: Session,
    hands: Iterable[Replay],
    reader: Reader,
    viewpoint: str | None = "public",
    ties: str = "split",
) -> Iterator[SessionHand]:
    """Analyze hands in turn; the evidence about a player carries over to the next hand.

    Each hand is counted as accepted or refused, and its problems are listed, before the next. The
    arguments are those of ``SessionAnalyzer``.
    """
    analyzer = SessionAnalyzer(session, reader, viewpoint, ties)
    for played in hands:
        hand = analyzer.analyze(played)
        yield hand
        analyzer.count(hand)
    analyzer.finish()
