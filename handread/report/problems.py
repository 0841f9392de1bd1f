"""Problems for a person: where, what, and the line itself with a caret."""

from __future__ import annotations

from dataclasses import replace

from rich.cells import cell_len

from handread.history import Problem
from handread.report.words import visible

WIDTH = 200
"""How many characters of a line are shown at the most."""

_BEFORE = 60
"""How many of them stand before the place at fault, where the line is longer."""

_LONGEST_MESSAGE = 500
"""How many characters of a message are shown: some repeat what a file says."""

INDENT = "    "


def problem_lines(problem: Problem, text: str = "") -> list[str]:
    """A problem in lines: the message, then if it is known the line at fault with a caret.

    ``text`` is that line where the problem does not hold it. Behind the caret stands what the
    text was read as.
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
