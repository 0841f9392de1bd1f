"""Summarize a read by family of holdings, beside what the upcards alone say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from handread.inference.values import SeatRead
from handread.report.values import Number
from handread.report.words import share_figure

LEAST_SHARE = 0.01
"""A family below this share, in the read and by the cards alone, is not listed."""

LEAST_CHANGE = 0.05
"""The smallest change of a share that is marked."""


class FamilyLine(NamedTuple):
    """A family of holdings with its share in the read and by the cards alone.

    ``change`` is "rise" or "fall" for the families that moved most, else "".
    """

    family: str
    read: Number
    cards_alone: Number
    change: str


def family_lines(read: SeatRead) -> tuple[FamilyLine, ...]:
    """Return the families of a read, the likeliest first."""
    shares = read.families()
    moves = {name: share.bet_inference - share.cards_only for name, share in shares.items()}
    marks = {}
    for change, family in (
        ("rise", max(moves, key=moves.__getitem__)),
        ("fall", min(moves, key=moves.__getitem__)),
    ):
        if abs(moves[family]) >= LEAST_CHANGE:
            marks[family] = change
    return tuple(
        FamilyLine(name, share_figure(read_share), share_figure(cards_alone), marks.get(name, ""))
        for name, (read_share, cards_alone) in shares.items()
        if max(read_share, cards_alone) >= LEAST_SHARE
    )


def headline(lines: Sequence[FamilyLine]) -> str:
    """Return the likeliest family and the largest rise: "split pair 38%; pair in the hole ..."."""
    told = [line for line in lines if line is lines[0] or line.change == "rise"]
    return "; ".join(f"{line.family} {line.cards_alone.words} → {line.read.words}" for line in told)
