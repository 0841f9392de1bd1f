"""The grammar of single lines in Saund's notation, and their values.

The grammar knows one line at a time. What the lines of a hand mean together is decided in
``handread.formats.saund_read``; ``handread.formats.saund`` describes the notation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

import pyparsing as pp

from handread.cards import UNSEEN_TEXT, MaybeCard, parse_card
from handread.formats.format import LineError
from handread.game.rules import OTHER, SAUND_STAKES, SAUND_UNIT, STUD, VARIANTS, Variant, variant_of
from handread.history import Action

GAMES = {key: game for key, game in VARIANTS.items() if game is not OTHER}
"""The games that the notation holds, by the words that name them."""

ACTIONS = {
    "B": Action.BRING_IN,
    "k": Action.CHECK,
    "b": Action.BET,
    "f": Action.FOLD,
    "c": Action.CALL,
    "r": Action.RAISE,
}
DOUBLE_MARK = "+"
LEAD_MARK = "."
UNKNOWN_STAKES = "unknown"
NO_CAP = "none"
ROOM_SEATS = "room-seats"


@dataclass(frozen=True, slots=True)
class Letter:
    """An action letter of a cell, its column from 1, and its size.

    ``total`` is what the player has bet on the street after ``b(1.50)`` or ``r(1.50)``.
    """

    text: str
    column: int
    double: bool = False
    total: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A street of one seat: its card and its action letters; ``lead`` when ``.`` stands there.

    ``card`` is empty when the cell names no card, as on a 7th street with a shared card.
    """

    column: int
    card: tuple[MaybeCard, ...] = ()
    lead: bool = False
    letters: tuple[Letter, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat: its number, name, first downcards (or none yet) and the cells of the streets."""

    seat: int
    name: str
    downcards: tuple[MaybeCard, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class TextLine:
    """A header with a text: ``hand``, ``table`` or ``played``."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class HeroLine:
    """The seat from which the hand was seen."""

    seat: int
    key: str = "hero"


@dataclass(frozen=True, slots=True)
class AbsentLine:
    """Players at the table who are not dealt in, by seat."""

    players: tuple[tuple[int, str], ...]
    key: str = "absent"


@dataclass(frozen=True, slots=True)
class SittingOutLine:
    """The seats that are said to sit out."""

    seats: tuple[int, ...]
    key: str = "sitting-out"


@dataclass(frozen=True, slots=True)
class RoomSeatsLine:
    """The room's numbers of the seats, in their order here."""

    seats: tuple[int, ...]
    key: str = ROOM_SEATS


@dataclass(frozen=True, slots=True)
class SharedLine:
    """The seventh card that all players share."""

    card: MaybeCard
    key: str = "shared"


@dataclass(frozen=True, slots=True)
class LooseLine:
    """The three downcards of seats for which any may have come last."""

    hands: tuple[tuple[int, tuple[MaybeCard, ...]], ...]
    key: str = "any-order"


@dataclass(frozen=True, slots=True)
class AmountsLine:
    """Amounts by seat (``stacks``, ``won``), in the order of the line."""

    key: str
    amounts: tuple[tuple[int, Decimal], ...]


@dataclass(frozen=True, slots=True)
class RakeLine:
    """The rake."""

    amount: Decimal
    key: str = "rake"


@dataclass(frozen=True, slots=True)
class GameLine:
    """The game and the stakes; ``forced`` is ante, bring-in and bets, empty when unknown."""

    variant: str
    forced: tuple[Decimal, ...]
    cap: int
    cap_heads_up: int | None
    open_pair_doubles: bool
    currency: str
    inferred: bool
    key: str = "game"


TableLine = HeroLine | AbsentLine | SittingOutLine | RoomSeatsLine | SharedLine | LooseLine
HeaderLine = TextLine | TableLine | AmountsLine | RakeLine | GameLine


def parse_line(text: str, variant: str = STUD.key) -> SeatLine | HeaderLine | None:
    """Parse a line; ``None`` for a comment, ``LineError`` for text that is no line of a hand.

    ``variant`` is the game of the hand.
    """
    start = text.lstrip()
    if not start or start.startswith("#"):
        return None
    grammar = _SEAT_LINES[variant] if start[0].isdecimal() else _HEADER_LINE
    # Of a text that is no record every line is at fault; to parse each would take long.
    if grammar is _HEADER_LINE and not start.startswith(_HEADERS):
        loc = len(text) - len(start)
        raise LineError(_complaint(text, loc), _ANY_HEADER, loc + 1)
    try:
        parsed: SeatLine | HeaderLine = grammar.parse_string(text, parse_all=False)[0]
    except pp.ParseBaseException as error:
        expected = error.msg.removeprefix("Expected ")
        raise LineError(_complaint(text, error.loc), expected, error.loc + 1) from None
    return parsed


def _complaint(text: str, loc: int) -> str:
    found = re.match(r"\s*([^\s|]+|\|)", text[loc:])
    if found is None or found[1].startswith("#"):
        return "the line ends too early"
    return f"{found[1]!r} does not fit here"


def quoted(word: str) -> str:
    """Write a word: bare where that is safe, else quoted and escaped."""
    if word.isprintable() and re.fullmatch(_BARE_WORD, word):
        return word
    return '"' + "".join(_escaped(char) for char in word) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


_BARE_WORD = r'[^\s|"#\\]+'
_AMOUNT = r"(?:[0-9]{1,18}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})"
_LETTER = re.compile(r"(.)(\+|\(([^)]*)\)?)?")
_QUOTED_WORD = r'"(?:[^"\\]|\\.)*+"'
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))")


def _unquoted(_: str, loc: int, tokens: pp.ParseResults) -> str:
    """Return the word inside quotes with its escapes replaced."""
    if not re.fullmatch(_QUOTED_WORD, tokens[0]):
        raise LineError("these quotes are never closed", 'a closing "', loc + 1)

    def char(match: re.Match[str]) -> str:
        if match[4] is None:
            code = int(match[1] or match[2] or match[3], 16)
            if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
                return chr(code)
        elif match[4] in '"\\':
            return match[4]
        message = f"{match[0]!r} is no escape"
        expected = r"\" \\ \x1f \u2028 or \U0001f0a1"
        raise LineError(message, expected, loc + match.start() + 1)

    return _ESCAPE.sub(char, tokens[0])[1:-1]


def _card(_: str, loc: int, tokens: pp.ParseResults) -> list[MaybeCard]:
    word = tokens[0]
    if word == UNSEEN_TEXT:
        return [None]
    # Ranks in capitals only: "kc" is a check and a call, "Kc" the king of clubs.
    try:
        return [parse_card(word if word.isascii() else "")]
    except ValueError:
        expected = "a rank 2..9 T J Q K A and a suit c d h s, or ??"
        raise LineError(f"{word!r} is not a card", expected, loc + 1) from None


def _letters(_: str, loc: int, tokens: pp.ParseResults) -> list[Letter]:
    return [_letter(loc, match) for match in _LETTER.finditer(tokens[0])]


def _letter(loc: int, match: re.Match[str]) -> Letter:
    letter, mark, total = match.groups()
    column = loc + match.start() + 1
    if letter not in ACTIONS:
        expected = "B bring-in, k check, b bet, f fold, c call or r raise"
        raise LineError(f"there is no action {letter!r}", expected, column)
    if mark and letter not in "br":
        message = f"{match[0]!r}: only a bet or a raise can have a size"
        raise LineError(message, "b+, r+, b(1.50) or r(1.50)", column)
    if total is not None and not re.fullmatch(rf"\({_AMOUNT}\)", mark):
        raise LineError(f"{match[0]!r} has no amount", "b(1.50) or r(1.50)", column)
    return Letter(letter, column, mark == DOUBLE_MARK, Decimal(total) if total else None)


def _cell(_: str, loc: int, tokens: pp.ParseResults) -> Cell:
    named = tokens.as_dict()
    card, letters = named.get("card", ()), named.get("letters", ())
    return Cell(loc + 1, tuple(card), "lead" in named, tuple(letters))


def _seat_line(tokens: pp.ParseResults) -> SeatLine:
    named = tokens.as_dict()
    downcards, cells = named.get("downcards", ()), named.get("cells", ())
    return SeatLine(named["seat"], named.get("name", ""), tuple(downcards), tuple(cells))


def _game_line(tokens: pp.ParseResults) -> GameLine:
    named = tokens.as_dict()
    cap = named.get("cap", 4)
    heads_up = named.get("heads_up", cap)
    variant = named.get("variant", STUD.key)
    forced = tuple(named.get("forced", ()))
    if not forced and "unknown" not in named:
        unit, bets = SAUND_UNIT, variant_of(variant).bets(SAUND_STAKES.small, SAUND_STAKES.big)
        amounts = (SAUND_STAKES.ante, SAUND_STAKES.bring_in, *bets)
        forced = tuple(Decimal(amount).scaleb(-unit.decimals) for amount in amounts)
    return GameLine(
        variant,
        forced,
        cap,
        None if heads_up == NO_CAP else heads_up,
        "open_pair" in named,
        named.get("currency", ""),
        "inferred" in named,
    )


def _amounts_line(key: str, tokens: pp.ParseResults) -> AmountsLine:
    flat = tokens.as_list()
    return AmountsLine(key, tuple(zip(flat[::2], flat[1::2], strict=True)))


def _absent_line(tokens: pp.ParseResults) -> AbsentLine:
    flat = tokens.as_list()
    return AbsentLine(tuple(zip(flat[::2], flat[1::2], strict=True)))


def _loose_line(tokens: pp.ParseResults) -> LooseLine:
    flat = tokens.as_list()
    hands = zip(flat[::2], map(tuple, flat[1::2]), strict=True)
    return LooseLine(tuple(hands))


def _token(pattern: str, name: str) -> pp.ParserElement:
    """Return the grammar of a word that ends where one can end; ``name`` is its name for people."""
    return pp.Regex(pattern + r"(?=[\s|#]|$)").set_name(name)


_WORD = (pp.Regex(_QUOTED_WORD + "?").add_parse_action(_unquoted) | pp.Regex(_BARE_WORD)).set_name(
    "a word, or a text in quotes"
)
_SEAT = _token("[0-9]{1,3}", "a seat number").add_parse_action(lambda tokens: int(tokens[0]))
_COUNT = _token("[1-9][0-9]{0,17}", "a number of bets and raises").add_parse_action(
    lambda tokens: int(tokens[0])
)
_MONEY = _token(_AMOUNT, "an amount such as 2 or .25").add_parse_action(
    lambda tokens: Decimal(tokens[0])
)
_CARD = (
    pp.Regex(r"[0-9?TJQKA][^\s|#]*").set_name("a card such as 7h, or ??").add_parse_action(_card)
)
_LETTERS = pp.Regex(r"[^\s|#.0-9][^\s|#]*").set_name(f"an action letter {' '.join(ACTIONS)}")
_LETTERS.add_parse_action(_letters)


def _keyword(text: str) -> pp.ParserElement:
    return pp.Keyword(text).set_name(text).suppress()


def _flag(text: str, name: str) -> pp.ParserElement:
    return pp.Keyword(text).set_name(text)(name)


def _end(expected: str) -> pp.ParserElement:
    return pp.StringEnd().set_name(expected).suppress()


def _one_line(grammar: pp.ParserElement) -> pp.ParserElement:
    """Make columns those of the text, tabs and all, and skip comments."""
    grammar.parse_with_tabs()
    grammar.ignore(pp.python_style_comment)
    return grammar


def _seat_grammar(game: Variant) -> pp.ParserElement:
    """Return the grammar of a seat line: number, name, downcards, four upcards, perhaps the 7th."""
    bar = pp.Literal("|").set_name("a bar |").suppress()
    letters = pp.Group(_LETTERS)("letters")
    actions = pp.Opt(pp.Literal(LEAD_MARK)("lead") - letters | letters)
    street = (pp.Group(_CARD)("card") - actions).add_parse_action(_cell)
    # Where the 7th card is shared the cell of 7th street has no card, or nothing at all.
    seventh = (pp.Opt(pp.Group(_CARD)("card")) + actions).add_parse_action(_cell)
    upcards = (bar - street)[1, 4]
    cells = pp.Group(upcards + pp.Opt(bar - seventh) if game.streets[-1].down else upcards)
    downcards = _CARD if game.streets[0].down == 1 else _CARD - _CARD
    dealt = bar - pp.Group(downcards)("downcards") - cells("cells")
    end = _end("a bar | or the end of the line")
    line = _SEAT("seat") + pp.Opt(_WORD)("name") - pp.Opt(dealt) - end
    return _one_line(line.add_parse_action(_seat_line))


def _game_grammar() -> pp.ParserElement:
    """Return the grammar of the text after ``game:``."""
    name = f"ante, bring-in and bets, or {UNKNOWN_STAKES}"

    def stakes(game: Variant) -> pp.ParserElement:
        bets = _keyword("bets")
        for _ in game.streets:
            bets = bets - _MONEY
        forced = _keyword("ante") - _MONEY - _keyword("bring-in") - _MONEY - bets
        unknown = pp.Keyword(UNKNOWN_STAKES)("unknown")
        return (unknown | pp.Group(forced)("forced")).set_name(name)

    # A game that is named may leave out the stakes: they are those of the paper.
    named = [pp.Keyword(game.key)("variant") - pp.Opt(stakes(game)) for game in GAMES.values()]
    return (
        pp.MatchFirst([*named, stakes(STUD)]).set_name(name)
        - pp.Opt(_keyword("raises") - _COUNT("cap"))
        - pp.Opt(_keyword("heads-up") - (_COUNT | pp.Keyword(NO_CAP))("heads_up"))
        - pp.Opt(_flag("open-pair", "open_pair"))
        - pp.Opt(_keyword("currency") - _WORD("currency"))
        - pp.Opt(_flag("inferred", "inferred"))
        - _end("raises, heads-up, open-pair, currency, inferred in this order")
    ).add_parse_action(_game_line)


def _header_values() -> dict[str, pp.ParserElement]:
    """Return the grammars of the values of header lines by key."""
    end = _end("the end of the line")

    def text(key: str) -> pp.ParserElement:
        return (_WORD - end).add_parse_action(lambda tokens: TextLine(key, tokens[0]))

    def amounts(key: str) -> pp.ParserElement:
        pairs = pp.OneOrMore(_SEAT - _MONEY) - end
        return pairs.add_parse_action(lambda tokens: _amounts_line(key, tokens))

    return {
        "hand": text("hand"),
        "table": text("table"),
        "played": text("played"),
        "game": _game_grammar(),
        "stacks": amounts("stacks"),
        "absent": (pp.OneOrMore(_SEAT - _WORD) - end).add_parse_action(_absent_line),
        "sitting-out": (pp.OneOrMore(_SEAT) - end).add_parse_action(
            lambda tokens: SittingOutLine(tuple(tokens))
        ),
        ROOM_SEATS: (pp.OneOrMore(_SEAT) - end).add_parse_action(
            lambda tokens: RoomSeatsLine(tuple(tokens))
        ),
        "hero": (_SEAT - end).add_parse_action(lambda tokens: HeroLine(tokens[0])),
        "shared": (_CARD - end).add_parse_action(lambda tokens: SharedLine(tokens[0])),
        "any-order": (pp.OneOrMore(_SEAT - pp.Group(_CARD - _CARD - _CARD)) - end).add_parse_action(
            _loose_line
        ),
        "won": amounts("won"),
        "rake": (_MONEY - end).add_parse_action(lambda tokens: RakeLine(tokens[0])),
    }


def _header_grammar() -> pp.ParserElement:
    """Return the grammar of a header line: a key, a colon, and a value."""
    lines = [
        pp.Keyword(key).suppress() + pp.Literal(":").suppress() - value
        for key, value in _HEADER_VALUES.items()
    ]
    return _one_line(pp.MatchFirst(lines).set_name(_ANY_HEADER))


_HEADER_VALUES = _header_values()
_HEADERS = tuple(_HEADER_VALUES)
_ANY_HEADER = f"a seat number, or one of {' '.join(f'{key}:' for key in _HEADERS)}"
_SEAT_LINES = {game.key: _seat_grammar(game) for game in GAMES.values()}
_HEADER_LINE = _header_grammar()
