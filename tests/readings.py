"""All that a reader found in a text, to be compared."""

from __future__ import annotations

from handread.history import History, Problem


def contents(reading: History | Problem) -> object:
    """All that a reading says, sources, lines and problems with it."""
    if isinstance(reading, Problem):
        return reading
    lines = [(event, event.line, event.column) for event in reading.events]
    return reading, reading.source, lines, reading.problems, reading.end_line
