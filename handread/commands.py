"""What the commands do: drive a session over files and print what comes of it."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handread.engine import Replay, replay, written_out
from handread.history import History, Problem
from handread.notation import writer_named
from handread.policy import Policy
from handread.session import Session

PIPE_WIDTH = 110


@dataclass(frozen=True, slots=True)
class AnalyzeOptions:
    """What ``handread analyze`` was asked for."""

    policy: Policy
    viewpoint: str
    ties: str
    top: int
    hand: str | None
    as_json: bool


def run_analyze(files: list[str], dialect: str | None, options: AnalyzeOptions) -> int:
    """Print the analysis of each hand; the exit status."""
    from rich.console import Console

    from handread.analysis import analyze_replay
    from handread.report.record import analysis_object
    from handread.report.text import print_report

    session = Session(files, dialect)
    # A pipe has no width of its own; narrower than this the tables fold.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)
    found = False
    for played in _replays(session, options.hand):
        found = True
        if not played.streets:
            session.refuse(played.history, [played.problem] if played.problem else [])
            continue
        try:
            with session.slow_start():
                analysis = analyze_replay(played, options.policy, options.viewpoint, options.ties)
        except ValueError as error:  # a viewpoint that this hand does not allow
            session.refuse(played.history, [played.history.problem(0, str(error))])
            continue
        if options.as_json:
            print(json.dumps(analysis_object(analysis, options.top), allow_nan=False))
        else:
            print_report(analysis, console, options.top)
        if analysis.complete:
            session.accept(analysis.problems)
        else:
            session.refuse(played.history, analysis.problems)
    if not found and options.hand is not None and not session.refused:
        session.refuse(None, [Problem(files[0], 1, 1, f"no hand {options.hand!r} in the input")])
    return session.status


def _replays(session: Session, wanted: str | None = None) -> Iterator[Replay]:
    """The hands of a session, replayed; what is no hand is refused on the way."""
    number = 0
    for reading in session.readings():
        if isinstance(reading, Problem):
            session.refuse(None, [reading])
            continue
        number += 1
        if wanted is None or wanted in (reading.hand_id, f"#{number}"):
            yield replay(reading)


def run_check(files: list[str], dialect: str | None, as_json: bool) -> int:
    """Say of each hand whether its record is whole and legal; the exit status."""
    session = Session(files, dialect, quiet=as_json)
    for reading in session.readings():
        if isinstance(reading, Problem):
            history, problems = None, [reading]
        else:
            history = reading
            problem = replay(reading).problem
            problems = [problem] if problem else []
        if problems:
            session.refuse(history, problems)
        else:
            session.accept()
        if as_json:
            print(json.dumps(_check_object(history, problems)))
    session.say(session.summary())
    return session.status


def _check_object(history: History | None, problems: list[Problem]) -> dict[str, Any]:
    if history is not None:
        where = history.source
        source = {"file": where.file, "line": where.line, "dialect": where.dialect}
    else:
        source = {"file": problems[0].file, "line": problems[0].line, "dialect": None}
    return {
        "hand_id": None if history is None else history.hand_id,
        "source": source,
        "variant": None if history is None else history.variant,
        "accepted": not problems,
        "problems": [
            {
                "line": problem.line,
                "column": problem.column,
                "message": problem.message,
                "expected": problem.expected,
            }
            for problem in problems
        ],
    }


def run_convert(files: list[str], dialect: str | None, to: str, output: Path | None) -> int:
    """Write the legal hands in another notation; the exit status."""
    session = Session(files, dialect)
    target = writer_named(to)
    hands: list[History] = []
    for played in _replays(session):
        history = written_out(played)
        try:
            if played.problem is not None:
                session.refuse(played.history, [played.problem])
                continue
            target.write(history)
        except ValueError as error:  # something that the notation cannot hold
            session.refuse(played.history, [played.history.problem(0, str(error))])
            continue
        hands.append(history)
        session.accept()
    text = target.write(hands[0]) if len(hands) == 1 else "".join(target.write_all(hands))
    if output is None:
        sys.stdout.write(text)
        return session.status
    try:
        write_whole(output, text)
    except OSError as error:
        session.say(f"{output}: cannot be written: {error.strerror or error}")
        return 2
    return session.status


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old text or the new one, never a part."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=".handread-", delete=False
    ) as draft:
        draft.write(text)
    Path(draft.name).chmod(0o644)
    Path(draft.name).replace(path)
