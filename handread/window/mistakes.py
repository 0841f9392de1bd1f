"""The costly decisions of a window: which come before and after one, and what a training asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from handread.report.html.page import PageLinks
from handread.report.index import CostlyDecision, IndexRow
from handread.window.library import Entry
from handread.window.marks import Learned

Costly = tuple[IndexRow, CostlyDecision]


def of_kind(dear: Sequence[Costly], kind: str) -> list[Costly]:
    """Return the decisions of a kind, "5th call"; all of them if it is empty."""
    return [(row, one) for row, one in dear if kind in ("", one.kind)]


def asked_for(
    dear: Sequence[Costly], learned: Mapping[str, Learned]
) -> list[Mapping[str, str | int]]:
    """Return what a training needs to know of each decision, as ``training_page`` takes it."""
    asked: list[Mapping[str, str | int]] = []
    for row, one in dear:
        key = f"{row.key} {one.moment}"
        due = learned[key].due if key in learned else 0
        asked.append({"id": key, "page": row.page, "moment": one.moment, "due": due})
    return asked


def is_costly(entry: Entry, moment: int) -> bool:
    """Return whether a hand has a costly decision at a moment."""
    worth = None if entry.row is None else entry.row.worth
    return worth is not None and any(one.moment == moment for one in worth.costly)


def beside_mistake(
    dear: Sequence[Costly], links: PageLinks, at: tuple[str, int], kind: str
) -> PageLinks:
    """Return the links of a hand's page with the decisions before and after one of them.

    ``at`` is the page of that one, and its moment. If it is not in the list, the links stay.
    """
    places = [(row.page, one.moment) for row, one in dear]
    if at not in places:
        return links
    addresses = ["", *(mistake_address(*place, kind) for place in places), ""]
    n = places.index(at)
    return replace(links, previous=addresses[n], following=addresses[n + 2], noun="mistake")


def mistake_address(page: str, moment: int, kind: str) -> str:
    """Return the address of a decision on the page of its hand, among those of a kind."""
    query = {"mistake": moment, **({"kind": kind} if kind else {})}
    return f"{page}?{urlencode(query)}#{moment + 1}"
