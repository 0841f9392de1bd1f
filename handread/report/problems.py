"""Problems as text: place, message, and the line with a caret."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from rich.cells import cell_len
from rich.console import Console

from handread.game.steps import Replay
from handread.history import Problem, is_unknown
from handread.report.tables import as_prose
from handread.report.words import visible

WIDTH = 200
"""Most characters that are shown of a line."""

_BEFORE = 60
"""The number of characters before the fault in a longer line."""

_LONGEST_MESSAGE = 500
"""Most characters that are shown of a message, which may quote text of a file."""

_LEAST = 20
"""The least characters of a line, however narrow the terminal is."""

INDENT = "    "


def error_console() -> Console:
    """Return the console for messages on stderr."""
    return Console(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def on_screen(line: str, console: Console) -> str:
    """Return a line as a console shows it: escaped, and wrapped to the width of a terminal."""
    # Lines of a log are not wrapped, as a caret points at a place in them.
    shown = visible(line)
    if console.is_terminal and cell_len(shown) > console.width and not shown.startswith(INDENT):
        return as_prose(shown, hang=INDENT, width=console.width).removesuffix("\n")
    return shown


def screen_width(console: Console) -> int | None:
    """Return the width of a terminal; None if the output is not a terminal."""
    return console.width if console.is_terminal else None


def problem_lines(problem: Problem, text: str = "", width: int | None = None) -> list[str]:
    """Return a problem as lines: the message, the wrong line, and a caret with the format.

    ``text`` is the wrong line if the problem lacks it. Line and caret are cut to ``width``.
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
    room = WIDTH if width is None else max(width - len(INDENT), _LEAST)
    before = room if width is None else max(room - len(f"^ {dialect}"), 1)
    start = 0
    if _cells(line[:at]) >= before:
        start = at - min(_BEFORE, before // 2)
    while _cells(line[start:at]) >= before:  # wide and escaped characters
        start += 1
    shown = line[start : start + room]
    while width is not None and _cells(shown) > room:
        shown = shown[:-1]
    caret = " " * _cells(line[start:at])
    return [str(problem), INDENT + shown, f"{INDENT}{caret}^ {dialect}".rstrip()]


def _cells(text: str) -> int:
    """Return the cells that a text takes on a terminal."""
    return cell_len(visible(text))


def shortcomings(played: Replay) -> list[Problem]:
    """Return the problems for ``check --strict``: unknown lines, contradictions, a missing end."""
    history = played.history
    unread = filter(is_unknown, history.events)
    expected = f"a line of a {history.source.dialect} log"
    problems = [
        history.problem(event.line, "this line matches no known pattern", expected)
        for event in unread
    ]
    problems += played.findings
    if played.problem is None and not played.finished:
        last = history.end_line or history.source.line
        if played.played_out:
            message = "the hand ends before the pot is paid"
            problems.append(history.problem(last, message, "who is paid"))
        else:
            problems.append(history.problem(last, "the hand stops in the middle", "the rest of it"))
    return problems


def check_object(
    played: Replay | None, problems: Sequence[Problem], findings: Sequence[Problem]
) -> dict[str, Any]:
    """Return the JSON object of ``check --json`` for a hand, or for text that is not a hand."""
    if played is not None:
        source: dict[str, Any] = asdict(played.history.source)
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
