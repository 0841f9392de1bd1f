"""Places of keys and errors in TOML texts; ``tomllib`` does not report those of keys."""

from __future__ import annotations

import re
from collections.abc import Mapping

Key = str | int
"""A step to a value of a TOML text: a key, or an index into an array of tables."""

Path = tuple[Key, ...]

# Possessive, as lines may be long and of blanks only.
_LINE = re.compile(
    r"""^[ \t]*+(?:(?P<open>\[\[?)[ \t]*+(?P<table>[\w.-]++)[ \t]*+\]\]?[ \t]*+(?:\#[^\n]*+)?\r?$"""
    r"""|(?:"(?P<basic>[^"\n]*+)"|'(?P<literal>[^'\n]*+)'|(?P<bare>[\w.-]++))[ \t]*+=)""",
    re.M,
)
_POSITION = re.compile(r"\s*\((?:at line (\d+), column (\d+)|at end of document)\)$")


def key_places(text: str) -> dict[Path, tuple[int, int]]:
    """Return the offsets of each key of a TOML text and of its value.

    The place of a table is its header. Keys of inline tables are not found. Of a key that is
    defined twice, the first one counts.
    """
    places: dict[Path, tuple[int, int]] = {}
    table: Path = ()
    counts: dict[str, int] = {}
    for found in _LINE.finditer(text):
        kind = found.lastgroup or ""
        if kind != "table":
            path, place = (*table, found[kind]), (found.start(kind), found.end())
        else:
            table = tuple(found["table"].split("."))
            if found["open"] == "[[":
                counts[found["table"]] = counts.get(found["table"], -1) + 1
                table = (*table, counts[found["table"]])
            path, place = table, found.span("table")
        places.setdefault(path, place)
    return places


def place_of(places: Mapping[Path, tuple[int, int]], path: Path) -> int:
    """Return the offset of a path, or of the nearest key or table that contains it."""
    above = (path[:length] for length in range(len(path), 0, -1))
    return next((places[one][0] for one in above if one in places), 0)


def line_and_column(text: str, place: int) -> tuple[int, int]:
    """Return the line and the column, both from 1, of an offset in a text."""
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)


def explain_error(error: Exception, text: str) -> tuple[str, int, int]:
    """Return the message, line and column of an error that ``tomllib`` raised for a text."""
    found = _POSITION.search(str(error))
    message = _POSITION.sub("", str(error))
    if found and found[1]:
        return message, int(found[1]), int(found[2])
    return message, *line_and_column(text, len(text))
