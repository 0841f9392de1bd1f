"""What people call a holding: "split queens", "aces in the hole", "two pair, jacks up".

A pdd over a thousand pairs says little to a person; summed by kind it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from handread import stud
from handread.cards import N_PAIRS, Card, rank_of, suit_of
from handread.hand_types import CATEGORIES, class_ranks, plural, rank_word
from handread.htpd import PAIR_CARDS

Floats = npt.NDArray[np.float64]


def made_kind(rank: stud.HandRank) -> str:
    """A rank in a few words, kickers left out: "two pair, kings up", "pair of nines"."""
    category, best = rank[:2]
    names = {
        stud.HIGH_CARD: f"{rank_word(best)} high",
        stud.PAIR: f"pair of {plural(best)}",
        stud.TWO_PAIR: f"two pair, {plural(best)} up",
        stud.TRIPS: f"three {plural(best)}",
        stud.FULL_HOUSE: f"{plural(best)} full",
    }
    return names.get(category, CATEGORIES[category])


def _completes_straight(ranks: set[int], missing: int) -> bool:
    """Whether some straight lacks at most ``missing`` of its five ranks."""
    return any(
        sum((top - below) % 13 in ranks for below in range(5)) >= 5 - missing
        for top in range(3, 13)
    )


def _pair_kind(rank: int, down: Sequence[Card]) -> str:
    """A pair by where it lies: in the hole, split between hole and board, on board."""
    hidden = sum(rank_of(card) == rank for card in down)
    return (f"{plural(rank)} on board", f"split {plural(rank)}", f"{plural(rank)} in the hole")[
        hidden
    ]


def _draw_kind(cards: Sequence[Card]) -> str:
    """The draw of a hand on 3rd to 6th street; empty when there is none worth a word."""
    suited = max(Counter(suit_of(card) for card in cards).values())
    ranks = {rank_of(card) for card in cards}
    if len(cards) <= 4 and suited == 3:
        return "three to a flush"
    if suited == 4:
        return "flush draw"
    if len(cards) == 3:
        return "three to a straight" if _completes_straight(ranks, 2) else ""
    return "straight draw" if _completes_straight(ranks, 1) else ""


def kind_of(down: Sequence[Card], up: Sequence[Card]) -> str:
    """What a player holds on 3rd to 6th street with these downcards and upcards."""
    cards = [*down, *up]
    groups = sorted(((n, rank) for rank, n in Counter(map(rank_of, cards)).items()), reverse=True)
    if len(cards) >= 5:
        rank = stud.best_hand(cards)
        if rank[0] not in (stud.HIGH_CARD, stud.PAIR):
            return made_kind(rank)
    elif groups[0][0] == 4:
        return "quads"
    elif groups[0][0] == 3:
        rolled_up = len(cards) == 3
        return f"rolled-up {plural(groups[0][1])}" if rolled_up else f"three {plural(groups[0][1])}"
    elif len(groups) == 2 and groups[1][0] == 2:
        return f"two pair, {plural(groups[0][1])} up"
    draw = _draw_kind(cards)
    if groups[0][0] == 2:
        pair = _pair_kind(groups[0][1], down)
        return f"{pair} with a flush draw" if draw == "flush draw" else pair
    return draw or f"{rank_word(groups[0][1])} high"


@cache
def _kinds_of_classes() -> tuple[list[str], npt.NDArray[np.int64]]:
    """The kinds of finished hands, and which of them each class is."""
    names = [made_kind(rank) for rank in class_ranks()]
    kinds, number = np.unique(names, return_inverse=True)
    return kinds.tolist(), number


def _by_probability(total: dict[str, float], top: int) -> list[tuple[str, float]]:
    likely = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    return [(kind, p) for kind, p in likely[:top] if p > 0]


def likely_kinds(
    pdd: Floats, htpd: Floats, up: Sequence[Card], top: int
) -> list[tuple[str, float]]:
    """The likeliest kinds of what a seat holds now, most likely first, with probabilities.

    On 7th street, and with five upcards, what it holds is what it ends with: the htpd.
    """
    if pdd.size != N_PAIRS or len(up) == 5:
        kinds, number = _kinds_of_classes()
        return _by_probability(
            dict(zip(kinds, np.bincount(number, weights=htpd).tolist(), strict=True)), top
        )
    # Pairs of the same ranks that leave equally many cards of one suit are of one kind.
    ranks, suits = PAIR_CARDS >> 2, PAIR_CARDS & 3
    suited = np.stack(
        [(suits == s).sum(axis=1) + sum(suit_of(card) == s for card in up) for s in range(4)]
    ).max(axis=0)
    group = (ranks[:, 1] * 13 + ranks[:, 0]) * 8 + suited
    live = np.flatnonzero(pdd)
    keys, first, member = np.unique(group[live], return_index=True, return_inverse=True)
    weights = np.bincount(member, weights=pdd[live], minlength=keys.size)
    total: dict[str, float] = {}
    for example, weight in zip(PAIR_CARDS[live[first]].tolist(), weights.tolist(), strict=True):
        kind = kind_of(example, up)
        total[kind] = total.get(kind, 0.0) + weight
    return _by_probability(total, top)
