"""Names of holdings in razz, hi/lo and five-card stud.

The kinds say how near a hand is to a low: "three to a seven", "eight-low draw, rough", "8-6 low".
In hi/lo they join the kinds of high and low: "split queens with three low cards", "two pair, jacks
up, with a 7-5 low".
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from handread.arrays import Ints
from handread.cards import N_PAIRS, Card
from handread.game.ranks import HIGH_CARD, TRIPS, best_hand
from handread.game.rules import Variant, variant_of
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
"""Ranks of cards as ``Variant.low_rank``, ascending: 0 (ace) to 12 (king), or 1 to 13 (ace)."""

FIVE, SEVEN, EIGHT, TEN = 4, 6, 7, 9
_COUNTS = ("no low card", "one low card", "two low cards", "three low cards")


def _low_ranks(cards: npt.ArrayLike, ace_is_low: bool = True) -> Ints:
    ranks = np.asarray(cards, np.int64) // 4 + 1
    return np.sort(ranks % 13 if ace_is_low else ranks, axis=-1)


def _made_low(ranks: Sequence[int]) -> Kind:
    """Return the kind of five different ranks, ascending: "8-6 low" of the family "eight low"."""
    if ranks[4] == FIVE:
        return Kind("wheel", "wheel")
    family = f"{low_rank_word(ranks[4])} low"
    figures = low_figures((ranks[4], ranks[3]))
    if ranks[3] == ranks[4] - 1:
        return Kind(f"{figures} low, rough", family, f"{figures}, rough")
    return Kind(f"{figures} low", family, figures)


def _low_draw(ranks: Sequence[int], best: int) -> Kind:
    """Return the kind of four different low ranks, ascending: "seven-low draw, rough"."""
    if ranks[3] <= best:
        draw = "wheel draw" if best == FIVE else "seven-low draw"
        return Kind(draw, draw)
    family = f"{low_rank_word(ranks[3])}-low draw"
    if ranks[2] == ranks[3] - 1:
        return Kind(f"{family}, rough", family, "rough")
    return Kind(family, family)


def _three_low(ranks: Sequence[int], best: int) -> Kind:
    """Return the kind of three different low ranks, ascending: "three to a seven"."""
    if ranks[2] <= best:
        words = "three to a wheel" if best == FIVE else "three to a seven"
        return Kind(words, words)
    word = low_rank_word(ranks[2])
    detail = f"three to an {word}" if word == "eight" else f"three to a {word}"
    return Kind(detail, "three low cards", detail)


def _paired(ranks: LowRanks) -> Kind:
    most = max(ranks, key=lambda rank: (ranks.count(rank), rank))
    words = "three" if ranks.count(most) > 2 else "pair of"
    detail = f"{words} {plural((most - 1) % 13)}"
    return Kind(detail, "paired", detail)


def _final_pairs(ranks: LowRanks) -> Kind:
    """Return the kind of seven cards without a low."""
    different = sorted(set(ranks))
    low = min([rank for rank in different if ranks.count(rank) > 1], default=0)
    few = {7: "flush", 3: "two pair", 2: "full house"}
    detail = few.get(len(different), f"pair of {plural((low - 1) % 13)}")
    return Kind(detail, "paired", detail)


def _best_five(ranks: LowRanks, suited: int, ace_is_low: bool) -> Sequence[int]:
    """Return the five different ranks, ascending, of the best low; none if it has a pair or worse.

    ``suited`` is the set of the ranks of a suit that has five or more cards, if any does.
    """
    beside = {rank for rank in ranks if not suited >> rank & 1 or ranks.count(rank) > 1}
    fives = sorted(combinations(sorted(set(ranks)), 5), key=lambda five: five[::-1])
    sound = (five for five in fives if ace_is_low or (five[4] - five[0] > 4 and beside & {*five}))
    return next(sound, ())


@lru_cache(maxsize=1 << 14)
def _razz_kind(ranks: LowRanks, suited: int, ace_is_low: bool) -> Kind:
    """Return the kind of three to seven cards in a game of lows, ``suited`` as in ``_best_five``.

    Until the last card, a hand with four low cards is a draw, not a jack, queen or king low.
    """
    different, best = sorted(set(ranks)), FIVE if ace_is_low else SEVEN
    low = [rank for rank in different if rank <= EIGHT]
    made, final = _best_five(ranks, suited, ace_is_low), len(ranks) == HAND_CARDS
    if made and (final or made[4] <= TEN):
        return _made_low(made)
    if final:
        return _final_pairs(ranks)
    if len(low) >= 4:
        return _low_draw(low[:4], best)
    if len(low) == 3:
        return _three_low(low, best)
    if len(ranks) == 3 and len(different) < 3:
        return _paired(ranks)
    if len(ranks) == 3 and len(low) == 2:
        detail = f"with a{'n' * (ranks[2] > 12)} {low_rank_word(ranks[2])}"
        return Kind(f"two low cards {detail}", "two low and a brick", detail)
    return Kind(_COUNTS[len(low)], _COUNTS[len(low)])


NO_LOW = Kind("", "")


@lru_cache(maxsize=1 << 14)
def _low_part(ranks: LowRanks, eight_or_better: bool) -> Kind:
    """Return the low part of three to seven cards of hi/lo: "a 7-5 low", "a low draw".

    A low above an eight counts in the end alone, where every low wins.
    """
    different = sorted(set(ranks))
    low = [rank for rank in different if rank <= EIGHT]
    if not eight_or_better and len(low) < 5 and len(different) >= 5 and len(ranks) == HAND_CARDS:
        figures = low_figures((different[4], different[3]))
        return Kind(f"a {figures} low", "a weak low", figures)
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
    rules = variant_of(game)
    if rules.n_cards == FIVE_CARDS:
        return _five_card_kinds(np.array([down]), up)[0]
    if not rules.wins_high:
        return _low_kinds(np.array([down]), up, rules).kinds[0]
    ranks = tuple(_low_ranks([*down, *up]).tolist())
    final = len(ranks) == HAND_CARDS
    return _joined(high_kind(down, up), _low_part(ranks, rules.eight_or_better), final)


@lru_cache(maxsize=128)
def kinds_in_game(size: int, up: tuple[Card, ...], game: str) -> KindTable:
    """Return the kinds of a seat outside stud high, by holding; its pdd has 52, 1326 or 22100."""
    held, rules = holding_cards(size), variant_of(game)
    if rules.n_cards == FIVE_CARDS:
        # Another holding stands in for one with an upcard.
        alive = np.where(np.isin(held, up), next(c for c in range(size) if c not in up), held)
        return KindTable.of(_five_card_kinds(alive, up))
    if not rules.wins_high:
        return _low_kinds(held, up, rules)
    final = held.shape[1] + len(up) == HAND_CARDS
    high = high_kinds(size, up)
    high_number = high.number[_final_classes(size, up)] if final else high.number
    low = _by_ranks(held, up, lambda ranks, _: _low_part(ranks, rules.eight_or_better), True)
    n_low = len(low.kinds)
    codes, number = np.unique(high_number * n_low + low.number, return_inverse=True)
    pairs = [divmod(code, n_low) for code in codes.tolist()]
    return _numbered([_joined(high.kinds[h], low.kinds[n], final) for h, n in pairs], number)


def _low_kinds(held: Ints, up: Sequence[Card], game: Variant) -> KindTable:
    return _by_ranks(held, up, partial(_razz_kind, ace_is_low=game.ace_is_low), game.ace_is_low)


def _by_ranks(
    held: Ints, up: Sequence[Card], kind: Callable[[LowRanks, int], Kind], ace_is_low: bool
) -> KindTable:
    ranks = _low_ranks(held, ace_is_low)
    suited = np.zeros(len(held), np.int64) if ace_is_low else _suited(held, up)
    codes = ranks @ 14 ** np.arange(held.shape[1]) << 14 | suited
    groups, inverse = np.unique(codes, return_inverse=True)
    first = np.zeros(len(groups), np.int64)
    first[inverse] = np.arange(len(held))
    shown = _low_ranks(up, ace_is_low).tolist()
    hands = zip(ranks[first].tolist(), suited[first].tolist(), strict=True)
    kinds = [kind(tuple(sorted([*down, *shown])), suits) for down, suits in hands]
    return _numbered(kinds, inverse)


def _suited(held: Ints, up: Sequence[Card]) -> Ints:
    """Return the ranks of the suit that has five or more cards, if any, as a set."""
    cards = np.hstack([held, np.tile(up, (len(held), 1))])[:, :, None]
    by_suit = np.where(cards & 3 == np.arange(4), 2 << (cards >> 2), 0).sum(axis=1)
    found: Ints = np.where(np.bitwise_count(by_suit) >= 5, by_suit, 0).sum(axis=1)
    return found


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
    (highs,) = showdown_of().tables
    classes[unseen.live_triples] = triple_classes(unseen, up, highs)
    return classes
