"""Styles in which a site writes cards, amounts, streets, hand ids and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from handread.cards import RANKS, SUITS, MaybeCard, card_text, parse_card
from handread.game.rules import STREET_NAMES
from handread.spelling import nearest

RANK_REGEX = f"(?:10|[{RANKS}])"
NUMBER_REGEX = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.[0-9]{1,6})?"

_WORD = re.compile("[^ ,]+")

STREET_WORDS = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}
"""The streets in words; ``STREET_NAMES`` has them in digits."""

_STREETS = {
    name: number for names in (STREET_NAMES, STREET_WORDS) for number, name in names.items()
}
UNREADABLE_REGEX = r"[^\s,\[\](){}<>]{1,3}"
"""A word that stands where a card was dealt, and may be one that was damaged."""

STREET_REGEX = f"(?i:{'|'.join(_STREETS)})"

EXAMPLE_CARDS = (parse_card("7h"), parse_card("Ts"))
"""Cards that messages show."""


@dataclass(frozen=True)
class LabelStyle:
    """The form of a room's hand ids or tables, and how those of other rooms take that form.

    Labels that match ``own`` have it. Of the others those that match ``other`` are written between
    ``before`` and ``after``, which reading takes off again.
    """

    own: re.Pattern[str]
    other: re.Pattern[str]
    before: str
    after: str

    def text(self, label: str) -> str:
        """Return a label in the room's form, or as it is where it cannot have that."""
        if self.own.fullmatch(label) or not self.other.fullmatch(label):
            return label
        return f"{self.before}{label}{self.after}"

    def read(self, text: str) -> str:
        """Return the label of a text."""
        label = text.removeprefix(self.before).removesuffix(self.after)
        return label if self.text(label) == text else text


@dataclass(frozen=True)
class CardStyle:
    """Style in which a site writes cards.

    ``hidden`` are the texts for a card that nobody saw, the first of them for printing; an empty
    one means that commas part the cards and nothing stands between two of them. ``ten`` is the
    rank of a ten, ``between`` what parts cards; both for printing, either is read.
    ``shown_in_order`` is False where the last downcard of a hand that is shown may stand anywhere.
    ``damaged`` reads any short word as a card, one that nobody saw if it is none.
    """

    hidden: tuple[str, ...] = ()
    ten: str = "T"
    between: str = " "
    suit_first: bool = False
    shown_in_order: bool = True
    damaged: bool = False

    @cached_property
    def regex(self) -> str:
        """The regular expression of a card, seen or not."""
        suits = SUITS.upper() if self.suit_first else SUITS
        seen = f"[{suits}]{RANK_REGEX}" if self.suit_first else f"{RANK_REGEX}[{suits}]"
        unreadable = [UNREADABLE_REGEX] if self.damaged else []
        return f"(?:{'|'.join([seen, *map(re.escape, self.hidden), *unreadable])})"

    @cached_property
    def list_regex(self) -> str:
        """The regular expression of one card or more."""
        between = "," if "" in self.hidden else "[ ,]+"
        return f"{self.regex}(?:{between}{self.regex})*"

    @cached_property
    def _words(self) -> re.Pattern[str]:
        return _WORD if self.damaged else re.compile(self.regex)

    @cached_property
    def _cards(self) -> Mapping[str, MaybeCard]:
        """The card of every text for one; looking up is faster than parsing."""
        cards = {rank + suit: parse_card(rank + suit) for rank in (*RANKS, "10") for suit in SUITS}
        if self.suit_first:
            cards = {text[-1].upper() + text[:-1]: card for text, card in cards.items()}
        return {**cards, **dict.fromkeys(self.hidden)}

    def parse(self, text: str) -> tuple[MaybeCard, ...]:
        """Parse a text that ``list_regex`` matches; an unreadable word is an unseen card."""
        words = text.split(",") if "" in self.hidden else self._words.findall(text)
        return tuple(map(self._cards.get, words))

    def unreadable(self, text: str) -> list[tuple[int, str]]:
        """Return the words of a text that are no cards, each with its index in the text."""
        if not self.damaged:
            return []
        words = [(found.start(), found[0]) for found in _WORD.finditer(text)]
        return [(start, word) for start, word in words if word not in self._cards]

    def text(self, cards: Iterable[MaybeCard]) -> str:
        """Return cards as the site writes them; ``ValueError`` for one that it cannot hide."""
        return self.between.join(map(self._card_text, cards))

    def _card_text(self, card: MaybeCard) -> str:
        if card is None:
            if not self.hidden:
                raise ValueError("these logs have no text for a card that nobody saw")
            return self.hidden[0]
        text = card_text(card)
        rank, suit = self.ten if text[0] == "T" else text[0], text[1]
        return suit.upper() + rank if self.suit_first else rank + suit


@dataclass(frozen=True)
class MoneyStyle:
    """Style in which a site writes money.

    A symbol stands before an amount, or is printed ``after`` it; ``apart`` if a blank may stand,
    and is printed, between the two. ``codes`` has the word for a currency by its symbol.
    """

    symbols: str
    after: bool = False
    apart: bool = False
    codes: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def regex(self) -> str:
        """The regular expression of an amount."""
        symbol, blank = f"[{re.escape(self.symbols)}]", " ?" if self.apart else ""
        if not self.symbols:
            return NUMBER_REGEX
        return f"(?:{symbol}{blank}{NUMBER_REGEX}|{NUMBER_REGEX}(?:{blank}{symbol})?)"

    def text(self, number: str, symbol: str) -> str:
        """Return an amount as the site writes it; ``number`` has no symbol."""
        if not symbol:
            return number
        blank = " " if self.apart else ""
        return f"{number}{blank}{symbol}" if self.after else f"{symbol}{blank}{number}"


def street_number(text: str) -> int:
    """Return the street that a text of ``STREET_REGEX`` names."""
    return _STREETS[text.lower()]


def street_meant(word: str) -> str:
    """Return the street that a word was probably meant to name; empty if none is near."""
    by_figure = re.match("[3-7](?=[a-z]{0,3}$)", word.lower())
    meant = STREET_NAMES[int(by_figure[0])] if by_figure else nearest(word, STREET_WORDS.values())
    return meant.upper() if word.isupper() else meant


def street_like(number: int, example: str) -> str:
    """Return a street spelt as in an example: in digits or words, capitals or not."""
    names = STREET_WORDS if example.isalpha() else STREET_NAMES
    name = names[number]
    if example.isupper():
        return name.upper()
    return name.capitalize() if example[:1].isupper() else name
