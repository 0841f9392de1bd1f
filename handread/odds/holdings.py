"""Names of holdings: "split queens", "aces in the hole", "two pair, jacks up".

They sum a pdd of a thousand pairs to a few lines that a poker player can read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handread.cards import N_PAIRS, Card, suit_of
from handread.game import rules as stud
from handread.odds.hand_types import CATEGORIES, class_tables, plural, rank_word
from handread.odds.htpd import PAIR_CARDS

Floats = npt.NDArray[np.float64]


class Kind(NamedTuple):
    """The name of a holding, "split queens", and its family without ranks, "split pair"."""

    words: str
    family: str


def made_kind(rank: stud.HandRank) -> str:
    """Return the name of a hand without kickers: "two pair, kings up", "pair of nines"."""
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
    """Return True if some straight lacks at most ``missing`` of its five ranks."""
    return any(len(five - ranks) <= missing for five in stud.STRAIGHTS.values())


def _pair_kind(rank: int, down: Sequence[int]) -> Kind:
    """Return a pair by its place: in the hole, split between hole and board, or on board."""
    return (
        Kind(f"{plural(rank)} on board", "pair on board"),
        Kind(f"split {plural(rank)}", "split pair"),
        Kind(f"{plural(rank)} in the hole", "pair in the hole"),
    )[down.count(rank)]


class _RankKind(NamedTuple):
    """The kind of holding that ranks make, whatever the suits; an unfinished one may have a draw.

    Attributes:
        kind: The kind without a draw.
        finished: True if no draw is named.
        paired: True for a pair.
        straight: The draw to a straight, "" if there is none.
    """

    kind: Kind
    finished: bool
    paired: bool
    straight: str


@lru_cache(maxsize=1 << 14)
def _kind_of_ranks(down: tuple[int, ...], up: tuple[int, ...]) -> _RankKind:
    """Return the kind of the ranks of downcards and upcards."""
    ranks = [*down, *up]
    present = set(ranks)
    groups = sorted(((ranks.count(rank), rank) for rank in present), reverse=True)
    (most, best), second = groups[0], groups[1][0] if len(groups) > 1 else 0
    if len(ranks) >= 5:
        if len(ranks) == 7 or most > 2 or second > 1 or _completes_straight(present, 0):
            # Suits in turn make no flush of seven cards.
            rank = stud.best_hand([Card(4 * r + n % 4) for n, r in enumerate(ranks)])
            return _RankKind(Kind(made_kind(rank), CATEGORIES[rank[0]]), True, False, "")
    elif most == 4:
        return _RankKind(Kind("quads", "quads"), True, False, "")
    elif most == 3:
        how = "rolled-up" if len(ranks) == 3 else "three"
        return _RankKind(Kind(f"{how} {plural(best)}", "trips"), True, False, "")
    elif second == 2:
        return _RankKind(Kind(f"two pair, {plural(best)} up", "two pair"), True, False, "")
    if most == 2:
        return _RankKind(_pair_kind(best, down), False, True, "")
    straight = ""
    if _completes_straight(present, 2 if len(ranks) == 3 else 1):
        straight = "three to a straight" if len(ranks) == 3 else "straight draw"
    return _RankKind(Kind(f"{rank_word(best)} high", "high card"), False, False, straight)


def kind_of(down: Sequence[Card], up: Sequence[Card]) -> Kind:
    """Return the kind of holding that three to seven cards make."""
    cards = [*down, *up]
    suits = [card & 3 for card in cards]
    suited = max(map(suits.count, range(4)))
    if suited > 4:
        rank = stud.best_hand(cards)
        return Kind(made_kind(rank), CATEGORIES[rank[0]])
    kind, finished, paired, draw = _kind_of_ranks(
        tuple(sorted(card >> 2 for card in down)), tuple(sorted(card >> 2 for card in up))
    )
    if finished:
        return kind
    if suited == 4:
        draw = "flush draw"
    elif suited == 3 and len(cards) < 5:
        draw = "three to a flush"
    if paired:
        if suited < 4:
            return kind
        return Kind(f"{kind.words} with a flush draw", "pair with a flush draw")
    return Kind(draw, draw) if draw else kind


class KindTable(NamedTuple):
    """The kinds of holding that a seat may have.

    Attributes:
        kinds: The kinds, sorted.
        number: Index of the kind of each pair (1326,), or of each class (4824,) of a final hand.
            That of a pair that contains an upcard has no meaning.
        family: Index of the family of each kind, counted from 0.
    """

    kinds: list[Kind]
    number: npt.NDArray[np.int64]
    family: npt.NDArray[np.int64]

    @property
    def complete(self) -> bool:
        """True for the kinds of final hands."""
        return self.number.size != N_PAIRS

    @classmethod
    def of(cls, found: Iterable[Kind], number: npt.NDArray[np.int64]) -> KindTable:
        """Return the table of some kinds, with the families numbered in order of their names."""
        kinds = list(found)
        family = np.unique([kind.family for kind in kinds], return_inverse=True)[1]
        return cls(kinds, number, family)


def kind_table(size: int, up: Sequence[Card]) -> KindTable:
    """Return the kinds of a seat.

    On 7th street, and with five upcards, the hand is complete: the kinds are those of its classes.

    Args:
        size: Number of holdings of its pdd, 1326 or 22100.
        up: Its upcards.
    """
    if size != N_PAIRS or len(up) == 5:
        return _kinds_of_classes()
    return _kinds_of_pairs(tuple(up))


@cache
def _kinds_of_classes() -> KindTable:
    """Return the kinds of final hands."""
    # Category and best rank decide the kind; the key of a class begins with them.
    heads = (class_tables().keys // 13**4).tolist()
    names = {head: Kind(made_kind(divmod(head, 13)), CATEGORIES[head // 13]) for head in set(heads)}
    kinds = sorted(set(names.values()))
    place = {kind: number for number, kind in enumerate(kinds)}
    return KindTable.of(kinds, np.array([place[names[head]] for head in heads]))


@lru_cache(maxsize=128)
def _kinds_of_pairs(up: tuple[Card, ...]) -> KindTable:
    """Return the kinds of pairs with one to four upcards."""
    # Pairs are alike that have equal ranks and bring equally many cards of one suit together; too
    # few for a flush draw are none. A straight flush needs three upcards of a suit: then it matters
    # which card is suited.
    ranks, suits = PAIR_CARDS >> 2, PAIR_CARDS & 3
    shown = Counter(map(suit_of, up))
    suited = np.stack([(suits == s).sum(axis=1) + shown[s] for s in range(4)]).max(axis=0)
    suited = np.maximum(suited, 2 if len(up) < 3 else 3)
    suit, n = shown.most_common(1)[0]
    which = (suited > 4) * ((suits == suit) @ np.array([1, 2])) if n > 2 else 0
    group = (ranks @ np.array([1, 13]) * 8 + suited) * 4 + which
    possible = np.flatnonzero(~np.isin(PAIR_CARDS, up).any(axis=1))
    _, first, alike = np.unique(group[possible], return_index=True, return_inverse=True)
    names = [kind_of(pair, up) for pair in PAIR_CARDS[possible[first]].tolist()]
    kinds = sorted(set(names))
    place = {kind: i for i, kind in enumerate(kinds)}
    number = np.zeros(N_PAIRS, dtype=np.int64)
    number[possible] = np.array([place[name] for name in names])[alike]
    return KindTable.of(kinds, number)


def kinds(pdd: Floats, htpd: Floats, up: Sequence[Card]) -> dict[Kind, float]:
    """Return the probability of every kind of holding of a seat that is possible.

    Args:
        pdd: Probabilities over pairs (1326,) or triples (22100,).
        htpd: Probabilities over classes (4824,).
        up: Upcards of the seat.
    """
    table = kind_table(pdd.size, up)
    weights = kind_weights(table, pdd, htpd).tolist()
    return {kind: p for kind, p in zip(table.kinds, weights, strict=True) if p > 0}


def kind_weights(table: KindTable, pdd: Floats, htpd: Floats) -> Floats:
    """Return the probability of each kind of a table; ``htpd`` is used for complete hands."""
    weights = htpd if table.complete else pdd
    return np.bincount(table.number, weights, len(table.kinds)).astype(np.float64)


def likely_kinds(found: Mapping[Kind, float], top: int) -> list[tuple[str, float]]:
    """Return the words of the ``top`` likeliest of ``kinds`` with probabilities, in order."""
    by_words = [(kind.words, p) for kind, p in found.items()]
    return sorted(by_words, key=lambda item: (-item[1], item[0]))[:top]


def families(found: Mapping[Kind, float]) -> dict[str, float]:
    """Return the probability of every family of ``kinds``, the likeliest first."""
    total: dict[str, float] = {}
    for kind, p in found.items():
        total[kind.family] = total.get(kind.family, 0.0) + p
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))
