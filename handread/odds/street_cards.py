"""The cards of all seats of a street, as ``kernels.street_read`` takes them."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

import handread.odds.counting as counting
from handread.kernels.street_read import StreetCards
from handread.odds.five_card import FiveCardHands
from handread.odds.htpd import LastHands, Operator


def street_cards(hands: Sequence[Operator]) -> StreetCards:
    """Return the cards of a street, given the operators of its active seats."""
    first, n = hands[0], len(hands)
    unseen, n_hidden = first.unseen, counting.HAND_CARDS - len(first.up)
    size, tables, fixed = 2, first.showdown.tables, first.showdown.fixed
    completions = float(comb(unseen.n - 2, n_hidden - 2))
    ways: Any = np.empty(0)
    listed, listed_classes = np.empty((0, 0, 0)), np.empty((0, 0, 0), np.uint16)
    if isinstance(first, FiveCardHands):
        size, completions = 1, first.completions
        listed, listed_classes = _listed(hands)
        classes = np.empty((0, n, 0), np.uint16)
    elif isinstance(first, LastHands):
        size, classes = 3, np.empty((len(tables), n, first.n_live), np.uint16)
    else:
        known = [tuple(sorted(card >> 2 for card in each.up)) for each in hands]
        by_table = [[counting.class_table(t, up).value[0] for up in known] for t in tables]
        ways, classes = counting.hidden_ways(unseen.bits, n_hidden), np.array(by_table)
    return StreetCards(
        size=size,
        unseen=unseen.bits,
        n_hidden=n_hidden,
        completions=completions,
        hands=float(comb(unseen.n, n_hidden)),
        ways=ways,
        unions=counting.unions(),
        listed=listed,
        listed_classes=listed_classes,
        own=np.array([counting.cards_in(each.up) for each in hands]),
        up=np.array([each.up for each in hands], np.int64),
        classes=classes,
        known=np.zeros(n, np.int64),
        ranks=fixed[0],
        flushes=fixed[1],
        cards=unseen.cards,
        live=first.places,
        ends=fixed[2],
    )


def _listed(hands: Sequence[Any]) -> tuple[Any, Any]:
    """Return the completions of five-card stud by row; 0 ways behind the last of a row."""
    most = max(each.ways.shape[1] for each in hands)
    ways = np.zeros((len(hands), *hands[0].ways.shape[:1], most))
    classes = np.zeros(ways.shape, np.uint16)
    for row, each in enumerate(hands):
        ways[row, :, : each.ways.shape[1]] = each.ways
        classes[row, :, : each.ways.shape[1]] = each.classes
    return ways, classes
