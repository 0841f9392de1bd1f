"""Where the keys of a TOML text are: the line of every key, however it is written."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from handread.formats.toml_places import Path, key_places, line_and_column

TEXT = """\
one = 1
two.inner = 2
"a key".'of three'.words = 3
[table]
four = 4
[table.inner . "a b"]
five = 5
[[array]]
six = 6
[[array]]
seven = 7
[array.inner]
eight = 8
[[array.inner.deep]]
nine = 9
[[array.inner.deep]]
ten = 10
[[other.array]]
eleven = 11
"""
LINES = dict(enumerate(TEXT.splitlines(), 1))


def paths(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every path of a TOML value, with what is there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*path, key), one
        if isinstance(one, dict | list):
            yield from paths(one, (*path, key))


PATHS = dict(paths(tomllib.loads(TEXT)))


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_every_key_has_its_line(path: Path) -> None:
    line, _ = line_and_column(TEXT, key_places(TEXT)[path][0])
    assert str(path[-1]) in LINES[line] or isinstance(path[-1], int)
    if isinstance(PATHS[path], int):
        assert LINES[line].endswith(f"= {PATHS[path]}")
    elif isinstance(path[-1], int):
        assert LINES[line].startswith("[[")
