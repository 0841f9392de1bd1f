"""The costly decisions of a window, the neighbours of each, and the questions of practice."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlencode
from zlib import crc32

from handread.report.html.page import PageLinks
from handread.report.index import CostlyDecision, IndexRow
from handread.window.marks import Learned

Costly = tuple[IndexRow, CostlyDecision]


def of_kind(dear: Sequence[Costly], kind: str) -> list[Costly]:
    """Return the decisions of a kind, "5th call"; all of them if it is empty."""
    return [(row, value) for row, value in dear if kind in ("", value.kind)]


LEVELS = (0.5, 0.25)
"""The least lead in big bets, or chance of the truth, of an easy and of a middling question."""


class Question(NamedTuple):
    """A question on a hand: a seat's holding after a moment or, with seat 0, the best action.

    ``level`` is 0 where the truth is clear, then 1 and 2; ``yours`` are on hands dealt to you.
    """

    hand: int
    moment: int
    seat: int
    level: int
    yours: bool


def questions(row: IndexRow) -> dict[str, Question]:
    """Return the questions on a hand, by an id that does not depend on the place of its log."""
    acts = () if row.worth is None else row.worth.asked
    asked = [(moment, 0, lead) for moment, lead in acts]
    asked += [(read.moment, read.seat, read.chance) for read in row.reads if read.chance < 1.0]
    return {
        f"{row.key} {moment}" + f" {seat}" * (seat > 0): Question(
            row.number, moment, seat, sum(clear < least for least in LEVELS), bool(row.in_hand)
        )
        for moment, seat, clear in asked
    }


def asked_for(rows: Sequence[IndexRow], learned: Mapping[str, Learned]) -> list[Mapping[str, int]]:
    """Return the questions on hands, as their page takes them, in an order that reveals nothing."""
    by_key = {key: question for row in rows for key, question in questions(row).items()}
    return [
        {**by_key[key]._asdict(), "due": learned[key].due if key in learned else 0}
        for key in sorted(by_key, key=lambda key: crc32(key.encode()))
    ]


def beside_mistake(
    dear: Sequence[Costly], links: PageLinks, at: tuple[str, int], kind: str
) -> PageLinks:
    """Return a hand page's links to the decisions before and after one, unchanged if not listed.

    ``at`` is the page and the moment of the decision.
    """
    places = [(row.page, value.moment) for row, value in dear]
    if at not in places:
        return links
    among = {"kind": kind} if kind else {}
    addresses = [
        f"{page}?{urlencode({'mistake': moment, **among})}#{moment + 1}" for page, moment in places
    ]
    before, n, after = ["", *addresses], places.index(at), [*addresses[1:], ""]
    return replace(links, previous=before[n], following=after[n], noun="mistake")
