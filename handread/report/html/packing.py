"""Rows of small numbers as short text that needs no escape in JSON or in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

RUN = "~"
"""Stands before the length of a run of zeros."""

DIGITS = "".join(sorted({*map(chr, range(0x21, 0x7F))} - set("\"\\<>&'" + RUN)))[:86]
"""Digits of base 43, and the same again: those of the second half say that another follows."""

BASE = len(DIGITS) // 2

SHORTEST_RUN = 3


def packed(values: Sequence[int]) -> str:
    """Numbers from 0 on as text, the zeros at the end left out."""
    end = max((i for i, value in enumerate(values, 1) if value), default=0)
    found: list[str] = []
    for zero, group in groupby(values[:end], lambda value: value == 0):
        run = list(group)
        short = not zero or len(run) < SHORTEST_RUN
        found += map(_number, run) if short else [RUN + _number(len(run))]
    return "".join(found)


def _number(value: int) -> str:
    """A number, its highest digits first."""
    text = DIGITS[value % BASE]
    while value := value // BASE:
        text = DIGITS[BASE + value % BASE] + text
    return text
