"""Problems as text: place, message, and the line with a caret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.cells import cell_len

from handread.game.steps import Replay
from handread.history import Problem, Remark
from handread.report.words import visible

WIDTH = 200
"""Most characters that are shown of a line."""

_BEFORE = 60
"""Number of these before the fault in a longer line."""

_LONGEST_MESSAGE = 500
"""Most characters that are shown of a message, which may quote text of a file."""

INDENT = "    "


def problem_lines(problem: Problem, text: str = "") -> list[str]:
    """Return a problem as lines: the message, the wrong line, and a caret with the format.

    Args:
        problem: The problem.
        text: The wrong line, if the problem does not have it.
    """
    if len(problem.message) > _LONGEST_MESSAGE:
        half = _LONGEST_MESSAGE // 2
        message = f"{problem.message[:half]} ... {problem.message[-half:]}"
        problem = replace(problem, message=message)
    dialect = f"read as {problem.dialect}" if problem.dialect else ""
    line = (problem.text or text).expandtabs(1)
    if not line.strip():
        return [str(problem), *([INDENT + dialect] if dialect else [])]
    at = max(0, min(problem.column - 1, len(line)))
    start = 0 if at < WIDTH else at - _BEFORE
    caret = cell_len(visible(line[start:at]))
    return [
        str(problem),
        INDENT + line[start : start + WIDTH],
        f"{INDENT}{' ' * caret}^ {dialect}".rstrip(),
    ]


def shortcomings(played: Replay) -> list[Problem]:
    """Return the problems for ``check --strict``: unknown lines, contradictions, a missing end."""
    history = played.history
    unread = [one for one in history.events if isinstance(one, Remark) and not one.known]
    expected = f"a line of a {history.source.dialect} log"
    found = [
        history.problem(one.line, "this line matches no known pattern", expected) for one in unread
    ]
    found += played.findings
    if played.problem is None and not played.finished:
        last = history.end_line or history.source.line
        if played.played_out:
            message = "the hand ends before the pot is paid"
            found.append(history.problem(last, message, "who is paid"))
        else:
            found.append(history.problem(last, "the hand stops in the middle", "the rest of it"))
    return found


def check_object(
    played: Replay | None, problems: Sequence[Problem], findings: Sequence[Problem]
) -> dict[str, Any]:
    """Return the JSON object of ``check --json`` for a hand, or for text that is not a hand."""
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
        "problems": [problem.record() for problem in (*findings, *problems)],
    }
