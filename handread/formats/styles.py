"""A site's styles of cards, amounts, streets, hand ids and tables."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from handread.cards import RANKS, SUITS, MaybeCard, card_text, parse_card
from handread.game.rules import STREET_NAMES
from handread.spelling import nearest

SIGNS = "♣♦♥♠"
"""The suits in the order of ``SUITS``, as some rooms write them in place of letters."""

RANK_REGEX = f"(?:10|[{RANKS}])"
NUMBER_REGEX = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.[0-9]{1,6})?"

BLANKS = " \u00a0\u202f"
"""The blanks that may stand within an amount: plain, no-break, narrow."""

_WORD = re.compile("[^ ,]+")

STREET_WORDS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}
"""The streets in words; ``STREET_NAMES`` has them in digits."""

_NAMES = (*STREET_NAMES.items(), *STREET_WORDS.items())
_STREETS = {name: number for number, name in _NAMES}
UNREADABLE_REGEX = r"[^\s,\[\](){}<>]{1,3}"
"""Any short word, as a damaged card in a deal may be one."""

STREET_REGEX = f"(?i:{'|'.join(_STREETS)})"

EXAMPLE_CARDS = (parse_card("7h"), parse_card("Ts"))


@dataclass(frozen=True)
class LabelStyle:
    """Style of a site's hand ids or table names.

    ``own`` matches labels of the site. Labels of other sites that ``other`` matches are written
    between ``before`` and ``after``, which are removed when they are read.
    """

    own: re.Pattern[str]
    other: re.Pattern[str]
    before: str
    after: str

    def holds(self, label: str) -> bool:
        """Return True if a label can be written in the site's style."""
        return bool(self.own.fullmatch(label) or self.other.fullmatch(label))

    def text(self, label: str) -> str:
        """Return a label in the site's style; unchanged if it cannot be written so."""
        if self.own.fullmatch(label) or not self.other.fullmatch(label):
            return label
        return f"{self.before}{label}{self.after}"

    def read(self, text: str) -> str:
        """Return the label that ``text`` wrote as this text."""
        label = text.removeprefix(self.before).removesuffix(self.after)
        return label if self.text(label) == text else text


@dataclass(frozen=True)
class CardStyle:
    """A site's style of cards.

    The first text of ``hidden`` is printed for an unseen card; with an empty text, cards are
    separated by commas and an unseen card is nothing between two. ``ten`` and ``between`` are
    printed; ``T`` and ``10``, blanks and commas, letters and signs of suits are read.
    ``suit_first`` is for ``DA``, the ace of diamonds. Without ``shown_in_order``, the last downcard
    of a shown hand may be anywhere in it. With ``owner_only``, a log may list only its owner's
    cards; with ``damaged``, any short word is read as a card, as an unseen one if it is not a card.
    """

    hidden: tuple[str, ...] = ()
    ten: str = "T"
    between: str = " "
    suit_first: bool = False
    shown_in_order: bool = True
    owner_only: bool = False
    damaged: bool = False

    @cached_property
    def regex(self) -> str:
        """The regular expression of a card, seen or not."""
        suits = (SUITS.upper() if self.suit_first else SUITS) + SIGNS
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
        """Cards by their texts: a look-up is several times as fast as ``parse_card``."""
        written = [*zip(SUITS, SUITS, strict=True), *zip(SUITS, SIGNS, strict=True)]
        ranks = (*RANKS, "10")
        cards = {rank + sign: parse_card(rank + suit) for rank in ranks for suit, sign in written}
        if self.suit_first:
            cards = {text[-1].upper() + text[:-1]: card for text, card in cards.items()}
        return {**cards, **dict.fromkeys(self.hidden)}

    def parse(self, text: str) -> tuple[MaybeCard, ...]:
        """Parse a text that ``list_regex`` matches; ``None`` is an unseen or unreadable card."""
        words = text.split(",") if "" in self.hidden else self._words.findall(text)
        return tuple(map(self._cards.get, words))

    def unreadable(self, text: str) -> list[tuple[int, str]]:
        """Return the words of a text that are not cards, with their indices in the text."""
        if not self.damaged:
            return []
        words = [(match.start(), match[0]) for match in _WORD.finditer(text)]
        return [(start, word) for start, word in words if word not in self._cards]

    def text(self, cards: Iterable[MaybeCard]) -> str:
        """Return cards as the site writes them; ``ValueError`` for an unseen one without a text."""
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
    """A site's style of amounts of money; chips have no ``symbols``.

    The symbol is printed ``after`` the amount and ``apart`` from it, but read on either side, with
    a blank or without. ``codes`` are currency codes, such as USD, by symbol. ``words`` are symbols
    of several letters, such as kr; with ``blanks``, a blank may separate thousands.
    """

    symbols: str
    after: bool = False
    apart: bool = False
    codes: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    blanks: bool = False

    @cached_property
    def regex(self) -> str:
        """The regular expression of an amount."""
        number = NUMBER_REGEX.replace("(?:,", f"(?:[,{BLANKS}]") if self.blanks else NUMBER_REGEX
        signs = [f"[{re.escape(self.symbols)}]"] if self.symbols else []
        sign = f"(?:{'|'.join([*signs, *map(re.escape, self.words)])})"
        blank = f"[{BLANKS}]?" if self.apart or self.words else ""
        if not signs and not self.words:
            return number
        return f"(?:{sign}{blank}{number}|{number}(?:{blank}{sign})?)"

    def text(self, number: str, symbol: str) -> str:
        """Return a number with its currency symbol as the site writes it."""
        if not symbol:
            return number
        blank = " " if self.apart else ""
        return f"{number}{blank}{symbol}" if self.after else f"{symbol}{blank}{number}"


def street_number(text: str) -> int:
    """Return the number of the street that a text names; ``STREET_REGEX`` matches it."""
    return _STREETS[text.lower()]


def street_meant(word: str) -> str:
    """Return the street that a misspelt word probably names; empty if none is similar."""
    digit = re.match("[2-7](?=[a-z]{0,3}$)", word.lower())
    meant = STREET_NAMES[int(digit[0])] if digit else nearest(word, STREET_WORDS.values())
    return meant.upper() if word.isupper() else meant


def street_like(number: int, example: str) -> str:
    """Return the name of a street, in digits or words and in capitals or not, as the example."""
    name = (STREET_WORDS if example.isalpha() else STREET_NAMES)[number]
    if example.isupper():
        return name.upper()
    return name.capitalize() if example[:1].isupper() else name
