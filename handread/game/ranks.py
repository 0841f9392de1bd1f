"""Ranks of hands, high and low, and the order of play by the cards on view.

They are clear rather than fast; the tables of ``odds`` and ``kernels`` are tested against them.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from handread.cards import Card, rank_of, suit_of

# Categories, worst to best. A rank of a hand is (category, then the ranks that break ties).
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)

HandRank = tuple[int, ...]
"""(category, tie-breaking ranks...): of two hands the greater tuple wins, equal ones share."""

RankHand = Callable[[Sequence[Card]], HandRank | None]
"""Rank of a whole hand; the greatest wins, ``None`` does not qualify."""

STRAIGHTS = {top: frozenset((top - below) % 13 for below in range(5)) for top in range(12, 2, -1)}
"""The ranks of each straight by its top rank (3 for the wheel), the best first."""


def straight_top(ranks: set[int]) -> int | None:
    """Return the top rank of the best straight in a set of ranks (3 for the wheel), or ``None``."""
    return next((top for top, five in STRAIGHTS.items() if five <= ranks), None)


_CATEGORIES = {
    (4,): QUADS,
    (4, 1): QUADS,
    (3, 2): FULL_HOUSE,
    (3,): TRIPS,
    (3, 1): TRIPS,
    (2, 2): TWO_PAIR,
    (2,): PAIR,
    (2, 1): PAIR,
}
"""Categories by how often the two most frequent ranks occur, without straights and flushes."""


def _groups(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Return (count, rank) of each rank that occurs, the most frequent and highest first."""
    return sorted([(ranks.count(rank), rank) for rank in set(ranks)], reverse=True)


def _grouped(ranks: Sequence[int]) -> HandRank:
    """Return the category of up to five ranks, then the ranks, the most frequent first."""
    if len({*ranks}) == len(ranks):  # the most frequent case, without counting
        return (HIGH_CARD, *sorted(ranks, reverse=True))
    groups = _groups(ranks)
    shape = tuple([n for n, _ in groups[:2]])
    return (_CATEGORIES.get(shape, HIGH_CARD), *[rank for _, rank in groups])


def rank_five(cards: Sequence[Card]) -> HandRank:
    """Return the rank of five cards; fewer, as in a showing hand, rank by pairs and high cards."""
    ranks = [card >> 2 for card in cards]  # ``rank_of``, written out for speed
    rank = _grouped(ranks)
    if len(rank) == 6:  # a category and five ranks: no pair
        flush = len({suit_of(card) for card in cards}) == 1
        top = straight_top(set(ranks))
        if top is not None:
            return (STRAIGHT_FLUSH if flush else STRAIGHT, top)
        if flush:
            return (FLUSH, *rank[1:])
    return rank


def best_hand(cards: Sequence[Card]) -> HandRank:
    """Return the rank of the best five of five to seven cards.

    It needs no search of all fives: seven cards with a flush hold neither quads nor a full house.
    """
    ranks = [rank_of(card) for card in cards]
    suits = [suit_of(card) for card in cards]
    for suit in range(4):
        if suits.count(suit) >= 5:
            high_first = sorted(cards, reverse=True)
            suited = [rank_of(card) for card in high_first if suit_of(card) == suit]
            top = straight_top(set(suited))
            return (FLUSH, *suited[:5]) if top is None else (STRAIGHT_FLUSH, top)
    groups = _groups(ranks)
    (n_first, first), (n_second, second) = groups[:2]
    if n_first == 4:
        return (QUADS, first, max(rank for rank in ranks if rank != first))
    if n_first == 3 and n_second > 1:
        return (FULL_HOUSE, first, second)
    top = straight_top(set(ranks))
    if top is not None:
        return (STRAIGHT, top)
    paired = [rank for n, rank in groups if n > 1][:2]
    singles = sorted((rank for rank in set(ranks) if rank not in paired), reverse=True)
    if n_first == 3:
        return (TRIPS, *paired, *singles[:2])
    category = (HIGH_CARD, PAIR, TWO_PAIR)[len(paired)]
    return (category, *paired, *singles[: 5 - 2 * len(paired)])


# Lows. The rank of a low is the rank of its cards, negated: the greatest tuple wins as for highs.


def low_rank_of(card: Card) -> int:
    """Return the rank of a card with the ace low, 0 (ace) to 12 (king)."""
    return (rank_of(card) + 1) % 13


def _negated(rank: HandRank) -> HandRank:
    return tuple(-part for part in rank)


def rank_low(cards: Sequence[Card]) -> HandRank:
    """Return the ace-to-five low rank of five cards, or of fewer as in a showing hand.

    Straights and flushes do not count. The wheel ranks highest, as (0, -4, -3, -2, -1, 0).
    """
    return _negated(_grouped([low_rank_of(card) for card in cards]))


def rank_deuce_low(cards: Sequence[Card]) -> HandRank:
    """Return the deuce-to-seven low rank of five cards, or of fewer as in a showing hand.

    Aces are high; straights and flushes count against the hand, but A-2-3-4-5 is no straight.
    """
    rank = rank_five(cards)
    if rank in ((STRAIGHT, 3), (STRAIGHT_FLUSH, 3)):
        category = HIGH_CARD if rank[0] == STRAIGHT else FLUSH
        rank = (category, 12, 3, 2, 1, 0)
    return _negated(rank)


def best_low(cards: Sequence[Card]) -> HandRank:
    """Return the rank of the best ace-to-five low of five to seven cards, as ``rank_low`` does."""
    return max(rank_low(five) for five in combinations(cards, 5))


EIGHT_OR_BETTER: HandRank = (-HIGH_CARD, -7, -6, -5, -4, -3)
"""The worst ace-to-five low that qualifies: 8-7-6-5-4."""


def best_eight_low(cards: Sequence[Card]) -> HandRank | None:
    """Return the rank of the best eight-or-better low; ``None`` if no low qualifies."""
    low = best_low(cards)
    return low if low >= EIGHT_OR_BETTER else None


def best_deuce_low(cards: Sequence[Card]) -> HandRank:
    """Return the rank of the best deuce-to-seven low of five to seven cards."""
    return max(rank_deuce_low(five) for five in combinations(cards, 5))


# Cards on view: who brings in by the door cards, and pairs.


def bring_in_seats(doors: Mapping[int, Card]) -> list[int]:
    """Return the seats in order of liability for the bring-in: lowest door card first."""
    return sorted(doors, key=doors.__getitem__)


def razz_bring_in_seats(doors: Mapping[int, Card]) -> list[int]:
    """Return the seats in order of liability in razz: highest first, aces low, spades first."""
    ranks = {seat: (low_rank_of(card), suit_of(card)) for seat, card in doors.items()}
    return sorted(doors, key=ranks.__getitem__, reverse=True)


def deuce_bring_in_seats(doors: Mapping[int, Card]) -> list[int]:
    """Return the seats in order of liability in deuce-to-seven: highest first, aces high."""
    return sorted(doors, key=doors.__getitem__, reverse=True)


def shows_pair(cards: Sequence[Card]) -> bool:
    """Return True if two of a player's upcards are of one rank."""
    return len({card >> 2 for card in cards}) < len(cards)
