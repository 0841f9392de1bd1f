"""Problems as text: place, message, and the line with a caret."""

from __future__ import annotations

from dataclasses import replace

from rich.cells import cell_len

from handread.history import Problem
from handread.report.words import visible

WIDTH = 200
"""The greatest number of characters shown of a line."""

_BEFORE = 60
"""The number of them before the fault, in a longer line."""

_LONGEST_MESSAGE = 500
"""The greatest number of characters shown of a message, which may repeat a file's text."""

INDENT = "    "


def problem_lines(problem: Problem, text: str = "") -> list[str]:
    """Return a problem as lines: the message, then the line at fault with a caret.

    After the caret stands the format that the text was read as.

    Args:
        problem: The problem.
        text: The line at fault, if the problem does not hold it.
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
