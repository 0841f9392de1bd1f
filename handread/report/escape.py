"""Text from logs is hostile: what it may look like on a terminal."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    """A text in which control and direction characters are spelled out, as in Python.

    Nothing that a log holds can then move the cursor, colour the screen or turn the line round.
    """
    return "".join(c if _harmless(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def _harmless(character: str) -> bool:
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
