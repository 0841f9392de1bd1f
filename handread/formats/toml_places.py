"""Places of keys and errors in TOML texts; ``tomllib`` does not report places of keys."""

import re
from collections.abc import Iterator, Mapping

Key = str | int
"""A step to a value of a TOML text: a key, or an index into an array of tables."""

Path = tuple[Key, ...]

_KEY = r"""(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)"""
_KEYS = rf"{_KEY}(?:[ \t]*+\.[ \t]*+{_KEY})*+"
# Possessive, as lines may be long and of blanks only.
_LINE = re.compile(
    rf"""^[ \t]*+(?:(?P<open>\[\[?)[ \t]*+(?P<table>{_KEYS})[ \t]*+\]\]?[ \t]*+(?:\#[^\n]*+)?\r?$"""
    rf"""|(?P<key>{_KEYS})[ \t]*+=)""",
    re.M,
)
_POSITION = re.compile(r"\s*\((?:at line (\d+), column (\d+)|at end of document)\)$")


def key_places(text: str) -> dict[Path, tuple[int, int]]:
    """Return the offsets of each key of a TOML text and of its value, except in inline tables.

    The place of a table is its first header. If a key is defined twice, the first one counts.
    """
    places: dict[Path, tuple[int, int]] = {}
    table: Path = ()
    last: dict[Path, int] = {}
    for match in _LINE.finditer(text):
        if match["key"] is not None:
            place = match.start("key"), match.end()
            for path in _paths(table, match["key"], {}):
                places.setdefault(path, place)
            continue
        place = match.span("table")
        for table in _paths((), match["table"], last):
            places.setdefault(table, place)
        if match["open"] == "[[":
            last[table] = last.get(table, -1) + 1
            table = (*table, last[table])
            places.setdefault(table, place)
    return places


def _paths(above: Path, keys: str, last: Mapping[Path, int]) -> Iterator[Path]:
    """Yield the path of each part of dotted keys; ``last`` numbers the last table of each array."""
    path = above
    for key in re.findall(_KEY, keys):
        path = (*path, key[1:-1] if key[0] in "'\"" else key)
        yield path
        if path in last:
            path = (*path, last[path])


def place_of(places: Mapping[Path, tuple[int, int]], path: Path) -> int:
    """Return the offset of a path, or of the nearest key or table that contains it."""
    above = (path[:length] for length in range(len(path), 0, -1))
    return next((places[key][0] for key in above if key in places), 0)


def line_and_column(text: str, place: int) -> tuple[int, int]:
    """Return the line and the column, both from 1, of an offset in a text."""
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)


def explain_error(error: Exception, text: str) -> tuple[str, int, int]:
    """Return the message, line and column of an error that ``tomllib`` raised for a text."""
    match = _POSITION.search(str(error))
    message = _POSITION.sub("", str(error))
    if match and match[1]:
        return message, int(match[1]), int(match[2])
    return message, *line_and_column(text, len(text))
