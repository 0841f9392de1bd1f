"""Templates: the notation in which a grammar describes the lines of a log.

A template is the line itself, with

* ``{name}`` or ``{name:kind}``: a field; without a kind the name tells it (``NAMED_KINDS``);
* ``{? piece}``: a piece that may be missing, shown by the fields in it;
* ``{? and is all-in=all_in}``: the same for a piece without fields, noted as a flag;
* ``{Calls|Call}``: one of several wordings, the first of them for printing;
* ``{{`` and ``}}``: braces.

A run of blanks in a template stands for any run of blanks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import pyparsing as pp

from handread.cards import RANKS, SUITS, MaybeCard, card_text, parse_card
from handread.game.rules import STREET_NAMES
from handread.spelling import nearest

RANK_PATTERN = f"(?:10|[{RANKS}])"
NUMBER_PATTERN = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.[0-9]{1,6})?"

_WORD = re.compile("[^ ,]+")

STREET_WORDS = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}
"""The streets in words; ``STREET_NAMES`` has them in digits."""

_STREETS = {
    name: number for names in (STREET_NAMES, STREET_WORDS) for number, name in names.items()
}
UNREADABLE_PATTERN = r"[^\s,\[\](){}<>]{1,3}"
"""A word that stands where a card was dealt, and may be one that was damaged."""

STREET_PATTERN = f"(?i:{'|'.join(_STREETS)})"


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
    def pattern(self) -> str:
        """The regular expression of a card, seen or not."""
        suits = SUITS.upper() if self.suit_first else SUITS
        seen = f"[{suits}]{RANK_PATTERN}" if self.suit_first else f"{RANK_PATTERN}[{suits}]"
        unreadable = [UNREADABLE_PATTERN] if self.damaged else []
        return f"(?:{'|'.join([seen, *map(re.escape, self.hidden), *unreadable])})"

    @cached_property
    def list_pattern(self) -> str:
        """The regular expression of one card or more."""
        between = "," if "" in self.hidden else "[ ,]+"
        return f"{self.pattern}(?:{between}{self.pattern})*"

    @cached_property
    def _words(self) -> re.Pattern[str]:
        return _WORD if self.damaged else re.compile(self.pattern)

    @cached_property
    def _cards(self) -> Mapping[str, MaybeCard]:
        """The card of every text for one; looking up is faster than parsing."""
        cards = {rank + suit: parse_card(rank + suit) for rank in (*RANKS, "10") for suit in SUITS}
        if self.suit_first:
            cards = {text[-1].upper() + text[:-1]: card for text, card in cards.items()}
        return {**cards, **dict.fromkeys(self.hidden)}

    def parse(self, text: str) -> tuple[MaybeCard, ...]:
        """Parse a text that ``list_pattern`` matches; an unreadable word is an unseen card."""
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
    def pattern(self) -> str:
        """The regular expression of an amount."""
        symbol, blank = f"[{re.escape(self.symbols)}]", " ?" if self.apart else ""
        if not self.symbols:
            return NUMBER_PATTERN
        return f"(?:{symbol}{blank}{NUMBER_PATTERN}|{NUMBER_PATTERN}(?:{blank}{symbol})?)"

    def text(self, number: str, symbol: str) -> str:
        """Return an amount as the site writes it; ``number`` has no symbol."""
        if not symbol:
            return number
        blank = " " if self.apart else ""
        return f"{number}{blank}{symbol}" if self.after else f"{symbol}{blank}{number}"


def street_number(text: str) -> int:
    """Return the street that a text of ``STREET_PATTERN`` names."""
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


@dataclass(frozen=True, slots=True)
class Literal:
    """Literal text of a line."""

    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A place for a value."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Wordings:
    """One of several wordings that mean the same."""

    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionalPieces:
    """Pieces that may be missing together; ``flag`` names them if they hold no field."""

    pieces: tuple[Piece, ...]
    flag: str


Piece = Literal | Field | Wordings | OptionalPieces


@dataclass(frozen=True, slots=True)
class FieldKind:
    """FieldKind of a field: the text that it matches, and its name for people.

    ``too_large`` is the pattern of what is such a thing but for its size, ``meant`` tells what a
    word was probably meant to be that is none.
    """

    pattern: str
    title: str
    too_large: str = ""
    meant: Callable[[str], str] | None = None


_HUGE_AMOUNT = r"[-+]?(?:[^\w\s] ?)?[0-9](?:,?[0-9]){15,}"

EXAMPLE_CARDS = (parse_card("7h"), parse_card("Ts"))
"""Cards that messages show."""


NAMED_KINDS = {
    "player": "player",
    "seat": "int",
    "street": "street",
    "cards": "cards",
    "card": "card",
    "old": "cards",
    "new": "card",
    "all": "cards",
    "amount": "amount",
    "of": "amount",
    "stack": "amount",
    "added": "amount",
    "to": "amount",
    "by": "signed",
    "small": "amount",
    "big": "amount",
    "ante": "amount",
    "bring_in": "amount",
    "rake": "amount",
    "fee": "amount",
    "net": "signed",
    "currency": "code",
    "hand_id": "word",
    "order": "int",
}
"""The kind of a field that a template gives by name alone; any other name is a text."""


FIRST_FIELDS = frozenset(
    {
        *("hand_id", "game", "small", "big", "ante", "currency", "date", "table", "hero"),
        *("tournament", "stacks_after_antes"),
    }
)
"""The fields and flags that say something in the first lines of a hand."""

TELLING = frozenset(
    {
        *FIRST_FIELDS,
        *NAMED_KINDS,
        *("winners", "pot", "remark", "hand_total"),
        *("all_in", "double", "sitting_out", "me", "mucked", "alone"),
    }
)
"""The fields and flags that say something anywhere; any other is of no account."""


def field_kinds(cards: CardStyle, money: MoneyStyle) -> Mapping[str, FieldKind]:
    """Return the kinds of fields of a site that writes cards and money in these styles."""
    return {
        "player": FieldKind(".+?", "a player of this hand"),
        "amount": FieldKind(money.pattern, "an amount", _HUGE_AMOUNT),
        "close": FieldKind(money.pattern, "an amount", _HUGE_AMOUNT),
        "signed": FieldKind(f"[-+]?{money.pattern}", "an amount", _HUGE_AMOUNT),
        "cards": FieldKind(cards.list_pattern, f"cards such as {cards.text(EXAMPLE_CARDS)}"),
        "card": FieldKind(cards.pattern, f"a card such as {cards.text(EXAMPLE_CARDS[:1])}"),
        "street": FieldKind(STREET_PATTERN, "3rd, 4th, 5th, 6th or 7th", meant=street_meant),
        "int": FieldKind("[0-9]{1,15}", "a number", "[0-9]{16,}"),
        "code": FieldKind("[A-Z]{3,4}", "a currency such as USD"),
        "stamp": FieldKind(r"[0-9][0-9/:. -]*[0-9]", "a date and time"),
        "word": FieldKind(r"\S+", "a word"),
        "text": FieldKind(".+?", "some text"),
        "plain": FieldKind(r"[^()\[\]]+?", "some text without brackets"),
    }


def damaged_kinds(kinds: Mapping[str, FieldKind], cards: CardStyle) -> Mapping[str, FieldKind]:
    """The kinds of fields with those of cards as the style ``cards`` reads them."""
    patterns = {"cards": cards.list_pattern, "card": cards.pattern}
    loose = {name: replace(kinds[name], pattern=pattern) for name, pattern in patterns.items()}
    return {**kinds, **loose}


def parse_template(template: str) -> tuple[Piece, ...]:
    """Parse a template; ``ValueError`` if it is none."""
    try:
        pieces = _TEMPLATE.parse_string(template.rstrip(), parse_all=True)
    except pp.ParseException as error:
        message = f"column {error.column} of the template {template!r}: {error.msg}"
        raise ValueError(message) from error
    check_names(found := tuple(pieces))
    return found


def check_names(pieces: Sequence[Piece]) -> None:
    """Raise ``ValueError`` if a field or flag stands in a template twice."""
    twice = [name for name, n in Counter(_names(pieces)).items() if n > 1]
    if twice:
        name = twice[0]
        message = f"{{{name}}} occurs twice; give one of them another name"
        kind = NAMED_KINDS.get(name)
        raise ValueError(f"{message}, such as {{other:{kind}}}" if kind else message)


def _names(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield the name of each field and flag, as often as it occurs."""
    for piece in pieces:
        if isinstance(piece, Field):
            yield piece.name
        elif isinstance(piece, OptionalPieces):
            yield from _names(piece.pieces)
            if piece.flag:
                yield piece.flag


def pattern(pieces: Sequence[Piece], kinds: Mapping[str, FieldKind]) -> str:
    """Return the regular expression of the line, with a named group for every field and flag."""
    return "".join(_piece_pattern(piece, kinds) for piece in pieces)


def _piece_pattern(piece: Piece, kinds: Mapping[str, FieldKind]) -> str:
    match piece:
        case Literal(text):
            return blank_tolerant(text)
        case Field(name, kind):
            return f"(?P<{name}>{kinds[kind].pattern})"
        case Wordings(wordings):
            return f"(?:{'|'.join(map(blank_tolerant, wordings))})"
        case OptionalPieces(inner, flag):
            group = f"?P<{flag}>" if flag else "?:"
            return f"({group}{pattern(inner, kinds)})?"


def blank_tolerant(text: str) -> str:
    """Return the regular expression of a literal text in which any run of blanks will do."""
    return r"\s+".join(re.escape(part) for part in re.split(" +", text))


def fields(pieces: Sequence[Piece]) -> dict[str, str]:
    """Return the kind of each field by name; flags are of the kind ``flag``."""
    found: dict[str, str] = {}
    for piece in pieces:
        if isinstance(piece, Field):
            found[piece.name] = piece.kind
        elif isinstance(piece, OptionalPieces):
            found |= fields(piece.pieces)
            if piece.flag:
                found[piece.flag] = "flag"
    return found


def printed(pieces: Sequence[Piece], values: Mapping[str, str]) -> str:
    """Return the line of the template for the values of its fields.

    A piece that may be missing is printed if its flag, or every field in it, has a value.
    ``KeyError`` for a field without a value elsewhere.
    """
    return "".join(_printed_piece(piece, values) for piece in pieces)


def _printed_piece(piece: Piece, values: Mapping[str, str]) -> str:
    match piece:
        case Literal(text):
            return text
        case Field(name, _):
            return values[name]
        case Wordings(wordings):
            return wordings[0]
        case OptionalPieces(inner, flag):
            wanted = [flag] if flag else fields(inner)
            return printed(inner, values) if all(map(values.get, wanted)) else ""


def _field_piece(tokens: pp.ParseResults) -> Field:
    name = str(tokens[0])
    kind = str(tokens[1]) if len(tokens) > 1 else NAMED_KINDS.get(name, "text")
    return Field(name, kind)


def _optional_piece(tokens: pp.ParseResults) -> OptionalPieces:
    pieces = tuple(piece for piece in tokens if not isinstance(piece, str))
    flag = next((piece for piece in tokens if isinstance(piece, str)), "")
    return OptionalPieces(pieces, flag)


def _exactly(terminal: pp.ParserElement) -> pp.ParserElement:
    """Stop a terminal from skipping the blanks before it: in templates they count."""
    terminal.leave_whitespace()
    return terminal


def _mark(text: str) -> pp.ParserElement:
    return pp.Suppress(_exactly(pp.Literal(text)))


def _template_grammar() -> pp.ParserElement:
    """Return the pyparsing grammar of templates; it yields pieces."""
    opens, closes = _mark("{"), _mark("}")
    name = _exactly(pp.Regex("[a-z_]+").set_name("a name"))
    text = _exactly(pp.Regex(r"(?:[^{}]|\{\{|\}\})+").set_name("text"))
    text.add_parse_action(lambda tokens: Literal(tokens[0].replace("{{", "{").replace("}}", "}")))
    flagged_text = _exactly(pp.Regex(r"[^{}=]+"))
    flagged_text.add_parse_action(lambda tokens: Literal(tokens[0]))
    wording = _exactly(pp.Regex(r"[^{}|?][^{}|]*").set_name("a wording"))

    field = opens + name + pp.Opt(_mark(":") + name) + closes
    field.add_parse_action(_field_piece)
    choice = opens + wording + (_mark("|") + wording)[1, ...] + closes
    choice.add_parse_action(lambda tokens: Wordings(tuple(tokens)))
    optional = pp.Forward()
    pieces: pp.ParserElement = (optional | choice | field | text)[1, ...]
    flagged = flagged_text + _mark("=") + name
    optional <<= _mark("{?") + (flagged + closes | pieces + closes)
    optional.add_parse_action(_optional_piece)
    return pieces


_TEMPLATE = _template_grammar()
