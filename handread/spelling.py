"""Words that are nearly right: what was probably meant by them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache

CLOSE = 0.7
"""How like a word is that was meant to be it: of seven letters about five, in their order."""

SLIPS = 2
"""How many letters of a longer name may be wrong; two that changed places are two."""

_SHORT = re.compile(r"\d+|\b[a-z]{1,3}\b")


def nearest(word: str, known: Iterable[str], close: float = CLOSE) -> str:
    """The known word that another was probably meant to be; empty if none is near.

    Capitals count for nothing.
    """
    spelt = {text.lower(): text for text in known}
    found = get_close_matches(word.lower(), spelt, 1, close)
    return spelt[found[0]] if found and spelt[found[0]] != word else ""


def or_meant(word: str, known: Iterable[str], shown: str = "{!r}", close: float = CLOSE) -> str:
    """``; did you mean 'fold'?`` for the end of a message; empty if no known word is near."""
    near = nearest(word, known, close)
    return f"; did you mean {shown.format(near)}?" if near else ""


@lru_cache(maxsize=256)  # one log has the same few names in all its hands
def misspelt(name: str, known: tuple[str, ...]) -> str:
    """The known name of which another is a slip or two away; empty if it is another name.

    In figures and in words of three letters or less there are no slips: they tell names apart.
    """
    text = name.lower()
    slips = {one: _slips(text, one.lower()) for one in known if _alike(text, one.lower())}
    near = min(slips, key=slips.__getitem__, default="")
    return near if near and 0 < slips[near] <= SLIPS else ""


def _alike(name: str, other: str) -> bool:
    return abs(len(name) - len(other)) <= SLIPS and _SHORT.findall(name) == _SHORT.findall(other)


def _slips(name: str, other: str) -> int:
    """How many letters are too many, missing or others."""
    changes = SequenceMatcher(None, name, other, autojunk=False).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in changes if tag != "equal")
