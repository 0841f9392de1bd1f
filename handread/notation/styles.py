"""How a room writes cards, money and streets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from handread.cards import RANKS, SUITS, MaybeCard, card_text, parse_card
from handread.spelling import nearest
from handread.stud import STREET_NAMES

RANK_PATTERN = f"(?:10|[{RANKS}])"
NUMBER_PATTERN = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.[0-9]{1,6})?"

STREET_WORDS = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}
"""The streets in words; ``stud.STREET_NAMES`` has them in figures."""

_STREETS = {
    name: number for names in (STREET_NAMES, STREET_WORDS) for number, name in names.items()
}
STREET_PATTERN = f"(?i:{'|'.join(_STREETS)})"


@dataclass(frozen=True)
class CardStyle:
    """How cards are written: rank, then suit, or the other way round.

    ``hidden`` are the texts for a card that nobody saw, the first of them for printing; an empty
    one means that commas part the cards and nothing stands between two of them. ``ten`` is the
    rank of a ten, ``between`` what parts cards; both for printing, either is read.
    ``shown_in_order`` is False where the last downcard of a hand that is shown may stand anywhere.
    """

    hidden: tuple[str, ...] = ()
    ten: str = "T"
    between: str = " "
    suit_first: bool = False
    shown_in_order: bool = True

    @cached_property
    def pattern(self) -> str:
        """The regular expression of a card, seen or not."""
        suits = SUITS.upper() if self.suit_first else SUITS
        seen = f"[{suits}]{RANK_PATTERN}" if self.suit_first else f"{RANK_PATTERN}[{suits}]"
        return f"(?:{'|'.join([seen, *map(re.escape, self.hidden)])})"

    @cached_property
    def list_pattern(self) -> str:
        """The regular expression of one card or more."""
        between = "," if "" in self.hidden else "[ ,]+"
        return f"{self.pattern}(?:{between}{self.pattern})*"

    @cached_property
    def _card(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    def parse(self, text: str) -> tuple[MaybeCard, ...]:
        """The cards of a text of ``list_pattern``."""
        words = text.split(",") if "" in self.hidden else self._card.findall(text)
        return tuple(map(self._parse_card, words))

    def _parse_card(self, word: str) -> MaybeCard:
        if word in self.hidden:
            return None
        return parse_card(word[1:] + word[0] if self.suit_first else word)

    def text(self, cards: Iterable[MaybeCard]) -> str:
        """Cards as the room writes them; ``ValueError`` for one that it cannot hide."""
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
    """How money is written: ``symbols`` are those of the currencies that there are (``"$€"``).

    A symbol stands before an amount, or is printed ``after`` it; ``apart`` if a blank may stand,
    and is printed, between the two. ``codes`` has the word for a currency by its symbol.
    """

    symbols: str
    after: bool = False
    apart: bool = False
    codes: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def pattern(self) -> str:
        """The regular expression of an amount."""
        symbol, blank = f"[{re.escape(self.symbols)}]", " ?" if self.apart else ""
        if not self.symbols:
            return NUMBER_PATTERN
        return f"(?:{symbol}{blank}{NUMBER_PATTERN}|{NUMBER_PATTERN}(?:{blank}{symbol})?)"

    def text(self, number: str, symbol: str) -> str:
        """An amount as the room writes it, of a number without symbol."""
        if not symbol:
            return number
        blank = " " if self.apart else ""
        return f"{number}{blank}{symbol}" if self.after else f"{symbol}{blank}{number}"


def street_number(text: str) -> int:
    """The street that a text of ``STREET_PATTERN`` names."""
    return _STREETS[text.lower()]


def street_meant(word: str) -> str:
    """The street that was probably meant by a word that names none: by its figure, or spelling."""
    by_figure = re.match("[3-7](?=[a-z]{0,3}$)", word.lower())
    meant = STREET_NAMES[int(by_figure[0])] if by_figure else nearest(word, STREET_WORDS.values())
    return meant.upper() if word.isupper() else meant


def street_like(number: int, example: str) -> str:
    """A street spelt as in an example: in figures or words, in capitals or not."""
    names = STREET_WORDS if example.isalpha() else STREET_NAMES
    name = names[number]
    if example.isupper():
        return name.upper()
    return name.capitalize() if example[:1].isupper() else name
