"""Suggestions for misspelt words."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache

CLOSE = 0.7
"""Least similarity ratio of a suggestion: about five of seven letters in order."""

SLIPS = 2
"""Most letters that may be wrong in a name; two transposed letters count as two."""

_SHORT = re.compile(r"\d+|\b[a-z]{1,3}\b")


def nearest(word: str, known: Iterable[str], close: float = CLOSE) -> str:
    """Return the known word most similar to another, ignoring case; "" if none is similar."""
    spelt = {text.lower(): text for text in known}
    matches = get_close_matches(word.lower(), spelt, 1, close)
    return spelt[matches[0]] if matches and spelt[matches[0]] != word else ""


def or_meant(word: str, known: Iterable[str], shown: str = "{!r}", close: float = CLOSE) -> str:
    """Return the end of a message, such as ``; did you mean 'fold'?``; "" if none is similar."""
    near = nearest(word, known, close)
    return f"; did you mean {shown.format(near)}?" if near else ""


@lru_cache(maxsize=256)  # one log has the same few names in all its hands
def misspelt(name: str, known: tuple[str, ...]) -> str:
    """Return the known name that differs from another in one or two letters; "" if none does.

    Numbers and words of up to three letters must be equal, as they distinguish names.
    """
    text = name.lower()
    slips = {word: _slips(text, word.lower()) for word in known if _alike(text, word.lower())}
    near = min(slips, key=slips.__getitem__, default="")
    return near if near and 0 < slips[near] <= SLIPS else ""


def _alike(name: str, other: str) -> bool:
    return abs(len(name) - len(other)) <= SLIPS and _SHORT.findall(name) == _SHORT.findall(other)


def _slips(name: str, other: str) -> int:
    """Return how many letters were added, left out or replaced."""
    changes = SequenceMatcher(None, name, other, autojunk=False).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in changes if tag != "equal")
