"""Cards as small integers, their text, and indices of pairs and triples.

A card is ``4 * rank + suit`` with ranks 0..12 for deuce..ace and suits 0..3 for clubs, diamonds,
hearts, spades: comparing two cards compares ranks, then the suit order that decides the bring-in.
"""

from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_SIZE = 52
N_PAIRS = DECK_SIZE * (DECK_SIZE - 1) // 2
N_TRIPLES = DECK_SIZE * (DECK_SIZE - 1) * (DECK_SIZE - 2) // 6

UNSEEN_TEXT = "??"


class Card(int):
    """A card that is known: an integer 0..51 that prints as rank and suit."""

    __slots__ = ()

    def __repr__(self) -> str:
        return RANKS[self >> 2] + SUITS[self & 3]


MaybeCard = Card | None
"""A card of the record; ``None`` was dealt but not seen."""

DECK = tuple(map(Card, range(DECK_SIZE)))

_CARD_OF_TEXT = {repr(card): card for card in DECK}


def rank_of(card: Card) -> int:
    """Return the rank of a card, 0 (deuce) to 12 (ace)."""
    return card >> 2


def suit_of(card: Card) -> int:
    """Return the suit of a card, 0..3 for clubs, diamonds, hearts, spades."""
    return card & 3


def parse_card(text: str) -> Card:
    """Return the card with a name such as "7h", "TS" or "10d"; ``ValueError`` for other text."""
    card = _CARD_OF_TEXT.get(text)  # nearly all are written so
    if card is None:
        folded = text[:-1].upper().replace("10", "T") + text[-1:].lower()
        card = _CARD_OF_TEXT.get(folded)
    if card is None:
        raise ValueError(f"{text!r} is not a card")
    return card


def card_text(card: MaybeCard) -> str:
    """Return a card as rank and suit, such as "7h"; "??" for a card that was not seen."""
    if card is None:
        return UNSEEN_TEXT
    return RANKS[card >> 2] + SUITS[card & 3]


def cards_text(cards: Iterable[MaybeCard], between: str = " ") -> str:
    """Return cards as text, with ``between`` between them."""
    return between.join(card_texts(cards))


def card_texts(cards: Iterable[MaybeCard]) -> list[str]:
    """Return the text of each card."""
    return [card_text(card) for card in cards]


def pair_index(a: Card, b: Card) -> int:
    """Return the index, 0..1325, of the unordered pair of two different cards."""
    low, high = (a, b) if a < b else (b, a)
    return high * (high - 1) // 2 + low


def triple_index(a: Card, b: Card, c: Card) -> int:
    """Return the index, 0..22099, of the unordered triple of three different cards."""
    low, mid, high = sorted((a, b, c))
    return high * (high - 1) * (high - 2) // 6 + mid * (mid - 1) // 2 + low


def holding_index(cards: Sequence[Card]) -> int:
    """Return the index of one to three downcards among the holdings of their number."""
    if len(cards) == 1:
        return cards[0]
    if len(cards) == 2:
        return pair_index(cards[0], cards[1])
    if len(cards) == 3:
        return triple_index(cards[0], cards[1], cards[2])
    raise ValueError(f"a holding is one to three downcards, not {len(cards)}")
