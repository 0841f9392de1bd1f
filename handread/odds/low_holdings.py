"""Names of holdings in razz, hi/lo and five-card stud.

The kinds say how near a hand is to a low: "three to a seven", "eight-low draw, rough", "8-6 low".
In hi/lo they join the kinds of high and low: "split queens with three low cards", "two pair, jacks
up, with a 7-5 low".
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from handread.arrays import Ints
from handread.cards import N_PAIRS, Card
from handread.game.ranks import HIGH_CARD, TRIPS, best_hand
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8
from handread.odds.counting import HAND_CARDS
from handread.odds.five_card import HAND_CARDS as FIVE_CARDS
from handread.odds.hand_types import class_of, low_figures, low_rank_word, plural
from handread.odds.high_holdings import (
    Kind,
    KindTable,
    high_kind,
    high_kinds,
    made_kind,
    pair_kind,
    unfinished_kinds,
)
from handread.odds.htpd import Unseen, holding_cards, triple_classes
from handread.odds.showdown import showdown_of

LowRanks = tuple[int, ...]
"""Ranks of cards, ascending, with the ace low: 0 (ace) to 12 (king)."""

FIVE, EIGHT, TEN = 4, 7, 9
_COUNTS = ("no low card", "one low card", "two low cards", "three low cards")


def _low_ranks(cards: npt.ArrayLike) -> Ints:
    return np.sort((np.asarray(cards, np.int64) // 4 + 1) % 13, axis=-1)


def _made_low(ranks: Sequence[int]) -> Kind:
    """Return the kind of five different ranks, ascending: "8-6 low" of the family "eight low"."""
    if ranks[4] == FIVE:
        return Kind("wheel", "wheel")
    family = f"{low_rank_word(ranks[4])} low"
    figures = low_figures((ranks[4], ranks[3]))
    if ranks[3] == ranks[4] - 1:
        return Kind(f"{figures} low, rough", family, f"{figures}, rough")
    return Kind(f"{figures} low", family, figures)


def _low_draw(ranks: Sequence[int]) -> Kind:
    """Return the kind of four different low ranks, ascending: "seven-low draw, rough"."""
    if ranks[3] <= FIVE:
        return Kind("wheel draw", "wheel draw")
    family = f"{low_rank_word(ranks[3])}-low draw"
    if ranks[2] == ranks[3] - 1:
        return Kind(f"{family}, rough", family, "rough")
    return Kind(family, family)


def _three_low(ranks: Sequence[int]) -> Kind:
    """Return the kind of three different low ranks, ascending: "three to a seven"."""
    if ranks[2] <= FIVE:
        return Kind("three to a wheel", "three to a wheel")
    word = low_rank_word(ranks[2])
    detail = f"three to an {word}" if word == "eight" else f"three to a {word}"
    return Kind(detail, "three low cards", detail)


def _paired(ranks: LowRanks) -> Kind:
    most = max(ranks, key=lambda rank: (ranks.count(rank), rank))
    words = "three" if ranks.count(most) > 2 else "pair of"
    detail = f"{words} {plural((most - 1) % 13)}"
    return Kind(detail, "paired", detail)


def _final_low(ranks: LowRanks) -> Kind:
    different = sorted(set(ranks))
    if len(different) >= 5:
        return _made_low(different)
    if len(different) == 4:
        low = min(rank for rank in different if ranks.count(rank) > 1)
        detail = f"pair of {plural((low - 1) % 13)}"
        return Kind(detail, "paired", detail)
    detail = "two pair" if len(different) == 3 else "full house"
    return Kind(detail, "paired", detail)


@lru_cache(maxsize=1 << 14)
def _razz_kind(ranks: LowRanks) -> Kind:
    """Return the kind of three to seven cards in razz.

    Until the last card, a hand with four low cards is a draw, not a jack, queen or king low.
    """
    different = sorted(set(ranks))
    low = [rank for rank in different if rank <= EIGHT]
    if len(ranks) == HAND_CARDS:
        return _final_low(ranks)
    if len(low) >= 5 or (len(different) >= 5 and different[4] <= TEN):
        return _made_low(different)
    if len(low) == 4:
        return _low_draw(low)
    if len(low) == 3:
        return _three_low(low)
    if len(ranks) == 3 and len(different) < 3:
        return _paired(ranks)
    if len(ranks) == 3 and len(low) == 2:
        detail = f"with a {low_rank_word(ranks[2])}"
        return Kind(f"two low cards {detail}", "two low and a brick", detail)
    return Kind(_COUNTS[len(low)], _COUNTS[len(low)])


NO_LOW = Kind("", "")


@lru_cache(maxsize=1 << 14)
def _eight_low_part(ranks: LowRanks) -> Kind:
    """Return the low part of three to seven cards of hi/lo: "a 7-5 low", "a low draw"."""
    low = [rank for rank in sorted(set(ranks)) if rank <= EIGHT]
    if len(low) >= 5:
        return _with_article(low[4], low[3], "")
    if len(low) == 4 and len(ranks) < HAND_CARDS:
        return _with_article(low[3], low[2], " draw")
    if len(low) == 3 and len(ranks) < 5:
        return Kind(_COUNTS[3], _COUNTS[3])
    return NO_LOW


def _with_article(top: int, second: int, draw: str) -> Kind:
    """Return the kind of a low, or of a ``draw`` to a low, by its two highest ranks."""
    if top <= FIVE:
        return Kind(f"a wheel{draw}", f"a low{draw}", "wheel")
    figures = low_figures((top, second))
    article = "an" if top == EIGHT else "a"
    return Kind(f"{article} {figures} low{draw}", f"a low{draw}", figures)


def _joined(high: Kind, low: Kind, final: bool) -> Kind:
    if low == NO_LOW:
        return high
    if high.family == "high card" and not final:
        return Kind(_bare(low.words), _bare(low.family), low.detail)
    join = " and " if " with " in high.words else ", with " if "," in high.words else " with "
    words = f"{high.words}{join}{low.words}"
    family = f"{high.family}{' and ' if ' with ' in high.family else ' with '}{low.family}"
    return Kind(words, family, ", ".join(filter(None, (high.detail, low.detail))))


def _bare(words: str) -> str:
    return words.removeprefix("a ").removeprefix("an ")


def _five_card_kinds(down: Ints, up: Sequence[Card]) -> list[Kind]:
    """Return the kind of each holding (holdings, cards) of two to five cards in five-card stud."""
    hands = [[*map(Card, holding), *up] for holding in down.tolist()]
    n = down.shape[1] + len(up)
    if n == FIVE_CARDS:
        return [made_kind(best_hand(cards)) for cards in hands]
    if n == 2:
        return [_kind_of_two(*(card >> 2 for card in cards)) for cards in hands]
    kinds = unfinished_kinds(down, up)
    return [_with_one_less(kind, cards) for kind, cards in zip(kinds, hands, strict=True)]


def _kind_of_two(first: int, second: int) -> Kind:
    return pair_kind(first, 1) if first == second else made_kind((HIGH_CARD, max(first, second)))


def _with_one_less(kind: Kind, cards: Sequence[Card]) -> Kind:
    """Return the kind of three or four of five cards, given the kind of as many of seven."""
    ranks = [card >> 2 for card in cards]
    if kind.family == "trips":
        return made_kind((TRIPS, max(ranks, key=ranks.count)))
    if len(cards) == 4 and kind.family in ("three to a flush", "three to a straight"):
        return made_kind((HIGH_CARD, max(ranks)))  # one card is to come
    return kind


def kind_in_game(down: Sequence[Card], up: Sequence[Card], game: str) -> Kind:
    """Return the kind of holding in a game other than stud high."""
    if game == FIVE_STUD.key:
        return _five_card_kinds(np.array([down]), up)[0]
    ranks = tuple(_low_ranks([*down, *up]).tolist())
    if game == RAZZ.key:
        return _razz_kind(ranks)
    final = len(ranks) == HAND_CARDS
    return _joined(high_kind(down, up), _eight_low_part(ranks), final)


@lru_cache(maxsize=128)
def kinds_in_game(size: int, up: tuple[Card, ...], game: str) -> KindTable:
    """Return the kinds of a seat outside stud high, by holding; its pdd has 52, 1326 or 22100."""
    held = holding_cards(size)
    if game == FIVE_STUD.key:
        # Another holding stands in for one with an upcard.
        alive = np.where(np.isin(held, up), next(c for c in range(size) if c not in up), held)
        return KindTable.of(_five_card_kinds(alive, up))
    if game == RAZZ.key:
        return _by_ranks(held, up, _razz_kind)
    assert game == STUD8.key, game
    final = held.shape[1] + len(up) == HAND_CARDS
    high = high_kinds(size, up)
    high_number = high.number[_final_classes(size, up)] if final else high.number
    low = _by_ranks(held, up, _eight_low_part)
    n_low = len(low.kinds)
    codes, number = np.unique(high_number * n_low + low.number, return_inverse=True)
    pairs = [divmod(code, n_low) for code in codes.tolist()]
    return _numbered([_joined(high.kinds[h], low.kinds[n], final) for h, n in pairs], number)


def _by_ranks(held: Ints, up: Sequence[Card], kind: Callable[[LowRanks], Kind]) -> KindTable:
    ranks = _low_ranks(held)
    groups, inverse = np.unique(ranks @ 13 ** np.arange(held.shape[1]), return_inverse=True)
    first = np.zeros(len(groups), np.int64)
    first[inverse] = np.arange(len(held))
    shown = _low_ranks(up).tolist()
    kinds = [kind(tuple(sorted([*downcards, *shown]))) for downcards in ranks[first].tolist()]
    return _numbered(kinds, inverse)


def _numbered(kinds: Sequence[Kind], number: Ints) -> KindTable:
    table = KindTable.of(kinds)
    return table._replace(number=table.number[number])


def _final_classes(size: int, up: Sequence[Card]) -> Ints:
    """Return the high class of each final hand; 0 for holdings that contain an upcard."""
    if size == N_PAIRS:
        held = holding_cards(size)
        dead = np.isin(held, np.array(up)).any(axis=1)
        classes = np.zeros(size, np.int64)
        for holding in np.flatnonzero(~dead):
            classes[holding] = class_of(best_hand([*map(Card, held[holding]), *up]))
        return classes
    unseen, classes = Unseen(up), np.zeros(size, np.int64)
    (highs,) = showdown_of(STUD).tables
    classes[unseen.live_triples] = triple_classes(unseen, up, highs)
    return classes
