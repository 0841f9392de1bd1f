"""A player's holding at a decision, and the upcards of the opponents, in words."""

from collections.abc import Sequence

import handread.game.ranks as ranking
from handread.cards import Card, cards_text, rank_of, suit_of
from handread.game.rules import Variant, variant_of
from handread.game.steps import Decision, Replay, StreetRecord
from handread.history import Action
from handread.odds.hand_types import low_figures, plural, rank_word
from handread.odds.high_holdings import Kind
from handread.odds.holdings import kind_of
from handread.report.honesty import held_words, with_article

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

EIGHT = 7
"""The highest rank of a low in hi/lo, counted from the ace as 0."""

FEW = 3
"""The fewest upcards of one suit, or to a low in hi/lo, that are worth a word."""

_COUNTS = {3: "three", 4: "four"}


def spot_words(replay: Replay, decision: Decision) -> str:
    """Return "with split queens, into an ace showing"; empty if the downcards are not known."""
    street = next(street for street in replay.streets if street.number == decision.street)
    kind = kind_on(replay, street, decision.seat)
    if kind is None:
        return ""
    folded = {d.seat for d in street.decisions if d.n < decision.n and d.action == Action.FOLD}
    boards = [
        [card for card in street.upcards[seat] if card is not None]
        for seat in street.active
        if seat not in folded and seat != decision.seat
    ]
    showing = showing_words([up for up in boards if up], variant_of(replay.history.variant))
    passive = decision.action in (Action.FOLD, Action.CHECK)
    facing = "against" if passive else "into"
    return f"with {held_words(kind)}" + (f", {facing} {showing} showing" if showing else "")


def own_cards(replay: Replay, seat: int | None) -> tuple[tuple[str, ...], str]:
    """Return a seat's cards in the order of the deal, and its holding on its last street.

    The cards are the first downcards, the upcards, and the last downcard; none if unknown.
    """
    streets = [street for street in replay.streets if seat in street.active]
    if seat is None or not streets:
        return (), ""
    last = streets[-1]
    down, n = replay.downcards_on(last.number).get(seat, ()), last.game.streets[0].down
    if not down:
        return (), ""
    kind = kind_on(replay, last, seat)
    groups = (down[:n], last.upcards.get(seat, ()), down[n:])
    return tuple(map(cards_text, filter(None, groups))), "" if kind is None else kind.words


def kind_on(replay: Replay, street: StreetRecord, seat: int) -> Kind | None:
    """Return a seat's kind of holding on a street; None if not all of its cards are known."""
    down, up = replay.downcards_on(street.number).get(seat), street.upcards.get(seat)
    if down is None or not up:
        return None
    cards = [card for card in (*up, street.shared) if card is not None]
    if None in up or len(down) + len(cards) != sum(street.game.dealt[street.number]):
        return None
    return kind_of(down, cards, street.game.key)


def showing_words(boards: Sequence[Sequence[Card]], game: Variant) -> str:
    """Return the best of several players' upcards: "kings", "7-5-3", "kings and 7-5-3"."""
    if not boards:
        return ""
    if not game.wins_high:
        return _low_words(max(boards, key=game.showing), game)
    high = _high_words(boards)
    lows = [up for up in boards if _goes_low(up)] if game.low is not None else []
    if not lows:
        return high
    low, best = max(lows, key=ranking.rank_low), max(boards, key=ranking.rank_five)
    alike = ranking.rank_five(low) == ranking.rank_five(best) and high.endswith(" high")
    words = _low_words(low, game)
    return words if alike else f"{high} and {words}"


def _goes_low(up: Sequence[Card]) -> bool:
    ranks = {ranking.low_rank_of(card) for card in up}
    return len(ranks) == len(up) >= FEW and max(ranks) <= EIGHT


def _high_words(boards: Sequence[Sequence[Card]]) -> str:
    """Return the best upcards for a high: pairs, then three or four of a suit, then ranks."""
    best = max(boards, key=ranking.rank_five)
    category, *ranks = ranking.rank_five(best)
    names = [plural(rank) for rank in ranks[:2]]
    if category in (ranking.TRIPS, ranking.QUADS):
        return f"{_COUNTS[3 if category == ranking.TRIPS else 4]} {names[0]}"
    if category == ranking.TWO_PAIR:
        return " and ".join(names)
    if category == ranking.PAIR:
        return names[0]
    suited = [up for up in boards if len(up) >= FEW and _most_suited(up) >= FEW]
    if suited:
        most = max(suited, key=lambda up: (_most_suited(up), ranking.rank_five(up)))
        suits = [suit_of(card) for card in most]
        suit = max(suits, key=suits.count)
        return f"{_COUNTS[suits.count(suit)]} {SUIT_NAMES[suit]}"
    assert category == ranking.HIGH_CARD, category
    word = rank_word(ranks[0])
    return with_article(word) if len(best) == 1 else f"{word} high"


def _most_suited(up: Sequence[Card]) -> int:
    suits = [suit_of(card) for card in up]
    return max(map(suits.count, suits))


def _low_words(up: Sequence[Card], game: Variant) -> str:
    """Return upcards for a low: "a seven", "7-5-3", "a pair of fours"."""
    ranks = sorted({game.low_rank(card) for card in up}, reverse=True)
    if len(ranks) == len(up) > 1:
        return low_figures(ranks)
    if len(up) == 1:
        return with_article(rank_word(rank_of(up[0])))
    most = max((rank_of(card) for card in up), key=[rank_of(card) for card in up].count)
    return f"a pair of {plural(most)}"
