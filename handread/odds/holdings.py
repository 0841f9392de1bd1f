"""What people call a holding: "split queens", "aces in the hole", "two pair, jacks up".

A pdd over a thousand pairs says little to a person; summed by kind it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handread.cards import N_PAIRS, Card, rank_of, suit_of
from handread.game import rules as stud
from handread.odds.hand_types import CATEGORIES, class_tables, plural, rank_word
from handread.odds.htpd import PAIR_CARDS

Floats = npt.NDArray[np.float64]


class Kind(NamedTuple):
    """A kind of holding in words, "split queens", and the ``family`` it is of, "split pair".

    A family leaves the ranks out; there are few enough of them to guess at.
    """

    words: str
    family: str


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
    return any(len(five - ranks) <= missing for five in stud.STRAIGHTS.values())


def _pair_kind(rank: int, down: Sequence[Card]) -> Kind:
    """A pair by where it lies: in the hole, split between hole and board, on board."""
    hidden = sum(rank_of(card) == rank for card in down)
    return (
        Kind(f"{plural(rank)} on board", "pair on board"),
        Kind(f"split {plural(rank)}", "split pair"),
        Kind(f"{plural(rank)} in the hole", "pair in the hole"),
    )[hidden]


def _draw_kind(cards: Sequence[Card]) -> str:
    """The draw of a hand on 3rd to 6th street; empty when there is none worth a word."""
    suits = [suit_of(card) for card in cards]
    suited = max(map(suits.count, suits))
    ranks = {rank_of(card) for card in cards}
    if len(cards) <= 4 and suited == 3:
        return "three to a flush"
    if suited == 4:
        return "flush draw"
    if len(cards) == 3:
        return "three to a straight" if _completes_straight(ranks, 2) else ""
    return "straight draw" if _completes_straight(ranks, 1) else ""


def kind_of(down: Sequence[Card], up: Sequence[Card]) -> Kind:
    """What a player holds with these downcards and upcards, of which there are three to seven."""
    cards = [*down, *up]
    ranks = [rank_of(card) for card in cards]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    if len(cards) >= 5:
        rank = stud.best_hand(cards)
        if len(cards) == 7 or rank[0] not in (stud.HIGH_CARD, stud.PAIR):
            return Kind(made_kind(rank), CATEGORIES[rank[0]])
    elif groups[0][0] == 4:
        return Kind("quads", "quads")
    elif groups[0][0] == 3:
        how = "rolled-up" if len(cards) == 3 else "three"
        return Kind(f"{how} {plural(groups[0][1])}", "trips")
    elif len(groups) == 2 and groups[1][0] == 2:
        return Kind(f"two pair, {plural(groups[0][1])} up", "two pair")
    draw = _draw_kind(cards)
    if groups[0][0] == 2:
        pair = _pair_kind(groups[0][1], down)
        if draw != "flush draw":
            return pair
        return Kind(f"{pair.words} with a flush draw", "pair with a flush draw")
    return Kind(draw, draw) if draw else Kind(f"{rank_word(groups[0][1])} high", "high card")


@cache
def _kinds_of_classes() -> tuple[list[Kind], npt.NDArray[np.int64]]:
    """The kinds of finished hands, and which of them each class is."""
    # A kind is told by the category and the best rank, with which the key of a class begins.
    heads = (class_tables().keys // 13**4).tolist()
    names = {head: Kind(made_kind(divmod(head, 13)), CATEGORIES[head // 13]) for head in set(heads)}
    kinds = sorted(set(names.values()))
    place = {kind: number for number, kind in enumerate(kinds)}
    return kinds, np.array([place[names[head]] for head in heads])


@lru_cache(maxsize=128)
def _kinds_of_pairs(up: tuple[Card, ...]) -> tuple[list[Kind], npt.NDArray[np.int64]]:
    """The kinds that pairs of downcards make with one to four upcards, and which of them each is.

    Those of a pair that holds an upcard mean nothing.
    """
    # Alike are pairs of the same ranks that leave equally many cards of one suit; three upcards
    # of a suit may make a straight flush, and it then matters which of the two is of that suit.
    ranks, suits = PAIR_CARDS >> 2, PAIR_CARDS & 3
    shown = Counter(map(suit_of, up))
    suited = np.stack([(suits == s).sum(axis=1) + shown[s] for s in range(4)]).max(axis=0)
    suit, n = shown.most_common(1)[0]
    which = (suits == suit) @ np.array([1, 2]) if n > 2 else 0
    group = (ranks @ np.array([1, 13]) * 8 + suited) * 4 + which
    possible = np.flatnonzero(~np.isin(PAIR_CARDS, up).any(axis=1))
    example = dict(zip(group[possible].tolist(), PAIR_CARDS[possible].tolist(), strict=True))
    names = {alike: kind_of(pair, up) for alike, pair in example.items()}
    kinds = sorted(set(names.values()))
    place = {kind: i for i, kind in enumerate(kinds)}
    number = np.zeros(N_PAIRS, dtype=np.int64)
    number[possible] = [place[names[alike]] for alike in group[possible].tolist()]
    return kinds, number


def kinds(pdd: Floats, htpd: Floats, up: Sequence[Card]) -> dict[Kind, float]:
    """The probability of every kind of what a seat holds now; those without any are left out.

    On 7th street, and with five upcards, what it holds is what it ends with: the htpd.
    """
    if pdd.size != N_PAIRS or len(up) == 5:
        finished, number = _kinds_of_classes()
        weights = np.bincount(number, weights=htpd).tolist()
        return {kind: p for kind, p in zip(finished, weights, strict=True) if p > 0}
    held, number = _kinds_of_pairs(tuple(up))
    weights = np.bincount(number, weights=pdd, minlength=len(held)).tolist()
    return {kind: p for kind, p in zip(held, weights, strict=True) if p > 0}


def likely_kinds(
    pdd: Floats, htpd: Floats, up: Sequence[Card], top: int
) -> list[tuple[str, float]]:
    """The likeliest kinds of what a seat holds now, most likely first, with probabilities."""
    found = {kind.words: p for kind, p in kinds(pdd, htpd, up).items()}
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))[:top]


def families(pdd: Floats, htpd: Floats, up: Sequence[Card]) -> dict[str, float]:
    """The probability of every family of what a seat holds now, the likeliest first."""
    total: dict[str, float] = {}
    for kind, p in kinds(pdd, htpd, up).items():
        total[kind.family] = total.get(kind.family, 0.0) + p
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))
