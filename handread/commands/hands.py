"""What the commands that read hands do: drive a session over files and print what comes of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from handread.cli.console import emit
from handread.game.replay import no_cards, replay
from handread.game.steps import Replay
from handread.history import Problem, Remark
from handread.inference.players import Roster
from handread.session import GivenSeats, Reads, Session


@dataclass(frozen=True, slots=True)
class AnalyzeOptions:
    """What ``handread analyze`` was asked for."""

    roster: Roster
    viewpoint: str
    ties: str
    top: int
    hand: str | None
    as_json: bool


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What ``handread check`` was asked for; ``strict`` refuses all that is not understood."""

    as_json: bool
    strict: bool


def run_analyze(files: list[str], reads: Reads, options: AnalyzeOptions) -> int:
    """Print the analysis of each hand; the exit status."""
    from rich.console import Console

    from handread.inference.analysis import analyze_replay
    from handread.report.build import hand_report
    from handread.report.json import analysis_object
    from handread.report.tables import output_width
    from handread.report.text import report_text

    session = Session(files, reads)
    console = Console(highlight=False, emoji=False)
    console.width = output_width()
    wanted = 0
    roster = options.roster
    given = GivenSeats(roster.seats)
    for played in session.replays(options.hand):
        wanted += 1
        given.meet(played.history)
        nothing = no_cards(played)
        if nothing is not None:
            session.refuse(played.history, [nothing])
            continue
        try:
            with session.slow_start():
                players = roster.lineup(played.history)
                analysis = analyze_replay(played, players, options.viewpoint, options.ties)
        except ValueError as error:  # a viewpoint that this hand does not allow
            session.refuse(played.history, [played.history.problem(0, str(error))])
            continue
        roster = roster.after(played.history, analysis.members)
        if options.as_json:
            emit(json.dumps(analysis_object(analysis, options.top), allow_nan=False) + "\n")
        else:
            emit(report_text(hand_report(analysis, options.top), console))
        if analysis.complete:
            session.accept(analysis.problems)
        else:
            session.refuse(played.history, analysis.problems)
    given.tell(session)
    if not wanted and options.hand is not None:
        session.say(session.lacks(options.hand))
        return 2
    session.tell()
    return session.status


def run_check(files: list[str], reads: Reads, options: CheckOptions) -> int:
    """Say of each hand whether its record is whole and legal; the exit status."""
    session = Session(files, reads, prints=options.as_json)
    for reading in session.readings():
        played: Replay | None = None
        if isinstance(reading, Problem):
            problems = [reading]
        else:
            played = replay(reading)
            problems = [played.problem] if played.problem else []
            if options.strict and not reading.other_game:
                problems = list(reading.problems) or problems
                problems += _shortcomings(played)
            session.unfinished += not (problems or played.finished)
        if problems:
            session.refuse(played.history if played else None, problems)
        else:
            session.accept()
        if options.as_json:
            emit(json.dumps(_check_object(played, problems)) + "\n")
    if options.as_json:
        session.tell()
    else:
        session.tell_of_other_games()
        emit(session.summary() + "\n")
    return session.status or int(options.strict and bool(session.other_games))


def _shortcomings(played: Replay) -> list[Problem]:
    """What of a hand was not understood, if it is else in order, and whether its end is missing."""
    history = played.history
    unread = [one for one in history.events if isinstance(one, Remark) and not one.known]
    expected = f"a line of a {history.source.dialect} log"
    found = [history.problem(one.line, "this line has no known form", expected) for one in unread]
    found += history.contradictions
    if played.problem is None and not played.finished:
        last = history.end_line or history.source.line
        if played.played_out:
            message = "the hand ends before the pot is paid"
            found.append(history.problem(last, message, "who is paid"))
        else:
            found.append(history.problem(last, "the hand stops in the middle", "the rest of it"))
    return found


def _check_object(played: Replay | None, problems: list[Problem]) -> dict[str, Any]:
    if played is not None:
        where = played.history.source
        source = {"file": where.file, "line": where.line, "dialect": where.dialect}
    else:
        problem = problems[0]
        source = {"file": problem.file, "line": problem.line, "dialect": problem.dialect or None}
    return {
        "hand_id": None if played is None else played.history.hand_id,
        "source": source,
        "variant": None if played is None else played.history.variant,
        "accepted": not problems,
        "finished": played is not None and played.finished,
        "problems": [problem.record() for problem in problems],
    }
