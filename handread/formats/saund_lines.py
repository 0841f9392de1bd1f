"""The grammar of single lines in Saund's notation, and their values.

``handread.formats.saund_read`` decides what the lines of a hand mean together;
``handread.formats.saund`` describes the notation.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypedDict

import pyparsing as pp

from handread.cards import UNSEEN_TEXT, MaybeCard, parse_card
from handread.formats.format import LineError
from handread.game.rules import DEFAULT, GAMES, SAUND_STAKES, SAUND_UNIT, Variant, variant_of
from handread.history import Action

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
A_CARD = "a card such as 7h, or ??"
UNKNOWN_STAKES = "unknown"
NO_CAP = "none"
ROOM_SEATS = "room-seats"


@dataclass(frozen=True, slots=True)
class Letter:
    """An action letter of a cell, its column from 1, and its size.

    ``total`` is the player's bet on the street after ``b(1.50)`` or ``r(1.50)``.
    """

    text: str
    column: int
    double: bool = False
    total: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A street of one seat: its card, empty if the cell has none, and its action letters.

    ``lead`` is True after ``.``. A 7th street with a shared card has cells without a card.
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

    @property
    def amounts(self) -> Sequence[Decimal]:
        """The amounts of its letters."""
        letters = (letter for cell in self.cells for letter in cell.letters)
        return [letter.total for letter in letters if letter.total is not None]


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


_Amounts = tuple[tuple[int, Decimal], ...]

UNPAID = "?"
"""In place of winnings: the hand was played out, and the record does not say who was paid."""

Headers = TypedDict(
    "Headers",
    {
        "hand": str,
        "table": str,
        "played": str,
        "game": GameLine,
        "stacks": _Amounts,
        "absent": tuple[tuple[int, str], ...],
        "sitting-out": tuple[int, ...],
        "room-seats": tuple[int, ...],
        "hero": int,
        "shared": MaybeCard,
        "any-order": tuple[tuple[int, Sequence[MaybeCard]], ...],
        "won": _Amounts,
        "rake": Decimal,
    },
    total=False,
)
"""The values of the header lines of a hand by key; pairs are a seat and its value."""


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """A header line: one of ``Headers``."""

    key: str
    value: Any

    @property
    def amounts(self) -> Sequence[Decimal]:
        """Every amount of the line."""
        match self.value:
            case Decimal():
                return [self.value]
            case GameLine(forced=forced):
                return forced
        if self.key in ("stacks", "won"):
            return [amount for _, amount in self.value]
        return []


def parse_line(text: str, variant: str = DEFAULT.key) -> SeatLine | HeaderLine | None:
    """Parse a line of a game; ``None`` for a comment, ``LineError`` if no hand has such a line."""
    start = text.lstrip()
    if not start or start.startswith("#"):
        return None
    if plain := _PLAIN_SEAT_LINES[variant].fullmatch(text):
        return _plain_seat_line(plain)
    if plain := _PLAIN_HEADER.fullmatch(text):
        return _plain_header(plain)
    return _by_grammar(text, start, variant)


@lru_cache(maxsize=16)  # the game is the same in many hands
def _by_grammar(text: str, start: str, variant: str) -> SeatLine | HeaderLine:
    key = text.partition(":")[0].strip(" \t\r\n")
    grammar = _SEAT_LINES[variant] if start[0].isdecimal() else _HEADERS.get(key, _ANY_LINE)
    # Every line of a text that is no record is at fault; parsing each would take long.
    if grammar is _ANY_LINE and not start.startswith(tuple(_HEADERS)):
        raise _misfit(text, len(text) - len(start), _ANY_HEADER)
    try:
        parsed: SeatLine | HeaderLine = grammar.parse_string(text, parse_all=False)[0]
    except pp.ParseBaseException as error:
        expected = error.msg.removeprefix("Expected ")
        raise _misfit(text, error.loc, expected) from None
    return parsed


def _misfit(text: str, loc: int, expected: str) -> LineError:
    loc = _behind_comment(text, loc)
    match = re.match(r"\s*([^\s|]+|\|)", text[loc:])
    message = "the line ends too early"
    if match is not None and not match[1].startswith("#"):
        message = f"{match[1]!r} does not fit here"
    return LineError(message, expected, loc + 1)


def _behind_comment(text: str, loc: int) -> int:
    return len(text) if text.startswith("#", loc) else loc


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
    """Return a word; of a quoted word the content, with its escapes replaced."""
    if not tokens[0].startswith('"'):
        return str(tokens[0])
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


def _card_of(word: str, loc: int) -> MaybeCard:
    if word == UNSEEN_TEXT:
        return None
    # Ranks in capitals only: "kc" is a check and a call, "Kc" the king of clubs.
    try:
        return parse_card(word if word.isascii() else "")
    except ValueError:
        expected = "a rank 2..9 T J Q K A and a suit c d h s, or ??"
        raise LineError(f"{word!r} is not a card", expected, loc + 1) from None


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


def _cell(text: str, _: int, tokens: pp.ParseResults | list[re.Match[str]]) -> Cell:
    match: re.Match[str] = tokens[0]
    loc = _behind_comment(text, match.end("bar"))
    word, lead, letters = match.group("card", "lead", "letters")
    card = (_card_of(word, loc),) if word else ()
    if lead and not letters:
        raise _misfit(text, match.end(), f"an action letter {' '.join(ACTIONS)}")
    start = match.start("letters")
    acts = [_letter(start, letter) for letter in _LETTER.finditer(letters)] if letters else ()
    return Cell(loc + 1, card, bool(lead), tuple(acts))


def _upcard_cell(text: str, loc: int, tokens: pp.ParseResults) -> Cell:
    if tokens[0]["card"] is None:
        raise _misfit(text, tokens[0].end("bar"), A_CARD)
    return _cell(text, loc, tokens)


def _seat_line(tokens: pp.ParseResults) -> SeatLine:
    named = {key: tokens[key] for key in ("name", "downcards", "cells") if key in tokens}
    downcards, cells = named.get("downcards", ()), named.get("cells", ())
    return SeatLine(tokens["seat"], named.get("name", ""), tuple(downcards), tuple(cells))


def _plain_seat_line(match: re.Match[str]) -> SeatLine:
    downcards = tuple([_card_of(word, 0) for word in match["downcards"].split()])
    cells = _CELL.re.finditer(match.string, *match.span("cells"))
    acts = tuple([_cell(match.string, 0, [cell]) for cell in cells])
    return SeatLine(int(match["seat"]), match["name"] or "", downcards, acts)


def _plain_header(match: re.Match[str]) -> HeaderLine:
    if match["named"]:
        return HeaderLine(match["named"], match["word"])
    words = match["pairs"].split()
    pairs = zip(map(int, words[::2]), map(Decimal, words[1::2]), strict=True)
    return HeaderLine(match["summed"], tuple(pairs))


def _game_line(tokens: pp.ParseResults) -> GameLine:
    named = tokens.as_dict()
    cap = named.get("cap", 4)
    heads_up = named.get("heads_up", cap)
    variant = named.get("variant", DEFAULT.key)
    forced = tuple(named.get("forced", ()))
    if not forced and "unknown" not in named:
        unit, bets = SAUND_UNIT, variant_of(variant).bets(SAUND_STAKES.small, SAUND_STAKES.big)
        amounts = (SAUND_STAKES.ante, SAUND_STAKES.bring_in, *bets)
        forced = tuple(Decimal(amount).scaleb(-unit.decimals) for amount in amounts)
    return GameLine(
        variant,
        forced,
        cap=cap,
        cap_heads_up=None if heads_up == NO_CAP else heads_up,
        open_pair_doubles="open_pair" in named,
        currency=named.get("currency", ""),
        inferred="inferred" in named,
    )


def _pairs(values: list[Any]) -> tuple[tuple[Any, Any], ...]:
    return tuple(zip(values[::2], values[1::2], strict=True))


def _token(pattern: str, name: str) -> pp.ParserElement:
    """Return the grammar of a word that ends where a word can; ``name`` is its name for people."""
    return pp.Regex(pattern + r"(?=[\s|#]|$)").set_name(name)


_WORD = pp.Regex(f"{_QUOTED_WORD}?|{_BARE_WORD}").set_name("a word, or a text in quotes")
_WORD.add_parse_action(_unquoted)
_SEAT = _token("[0-9]{1,3}", "a seat number").add_parse_action(lambda tokens: int(tokens[0]))
_COUNT = _token("[1-9][0-9]{0,17}", "a number of bets and raises")
_COUNT.add_parse_action(lambda tokens: int(tokens[0]))
_MONEY = _token(_AMOUNT, "an amount such as 2 or .25")
_MONEY.add_parse_action(lambda tokens: Decimal(tokens[0]))
_CARD_WORD = r"[0-9?TJQKA][^\s|#]*"
_CARD = pp.Regex(_CARD_WORD).set_name(A_CARD)
_CARD.add_parse_action(lambda _, loc, tokens: [_card_of(tokens[0], loc)])
# A cell is one token, as there are many of them: a bar, a card, the mark of the lead, letters.
_CELL = pp.Regex(
    rf"(?P<bar>\|[ \t\r\n]*)(?P<card>{_CARD_WORD})?[ \t\r\n]*"
    rf"(?P<lead>[{LEAD_MARK}])?[ \t\r\n]*(?P<letters>[^\s|#.0-9][^\s|#]*)?",
    as_match=True,
)


def _keyword(text: str) -> pp.ParserElement:
    return pp.Keyword(text).set_name(text).suppress()


def _flag(text: str, name: str) -> pp.ParserElement:
    return pp.Keyword(text).set_name(text)(name)


def _end(expected: str) -> pp.ParserElement:
    return pp.Regex(r"(?:#.*)?\Z").set_name(expected).suppress()


def _seat_grammar(game: Variant) -> pp.ParserElement:
    bar = pp.Literal("|").set_name("a bar |").suppress()
    street = _CELL.copy().set_name("a bar |").add_parse_action(_upcard_cell)
    # Where the 7th card is shared the cell of 7th street has no card, or nothing at all.
    seventh = _CELL.copy().add_parse_action(_cell)
    upcards = street[1, 4]
    cells = pp.Group(upcards + pp.Opt(seventh) if game.streets[-1].down else upcards)
    downcards = _CARD if game.streets[0].down == 1 else _CARD - _CARD
    dealt = bar - pp.Group(downcards)("downcards") - cells("cells")
    end = _end("a bar | or the end of the line")
    line = _SEAT("seat") + pp.Opt(_WORD)("name") - pp.Opt(dealt) - end
    # Columns are counted in the text as it is, tabs and all.
    return line.add_parse_action(_seat_line).parse_with_tabs()


def _plain_seat_regex(game: Variant) -> re.Pattern[str]:
    """Return the regular expression of nearly all seat lines: the grammar is ten times as slow."""
    card = r"(?:[2-9TJQKA][cdhs]|\?\?)(?=[\s|#]|$)"
    letter = rf"(?:[Bkfc]|[br](?:\+|\({_AMOUNT}\))?)"
    cell = rf"\|[ \t]*{card}[ \t]*(?:[{LEAD_MARK}][ \t]*{letter}+|{letter}*)[ \t]*"
    downcards = "[ \t]+".join([card] * game.streets[0].down)
    return re.compile(
        rf"[ \t]*(?P<seat>[0-9]{{1,3}})(?:[ \t]+(?P<name>{_BARE_WORD}))?[ \t]*"
        rf"\|[ \t]*(?P<downcards>{downcards})[ \t]*"
        rf"(?P<cells>(?:{cell}){{1,{4 + game.streets[-1].down}}})(?:\#.*)?"
    )


def _game_grammar() -> pp.ParserElement:
    name = f"ante, bring-in and bets, or {UNKNOWN_STAKES}"

    def stakes(game: Variant) -> pp.ParserElement:
        bets = _keyword("bets")
        for _ in game.streets:
            bets = bets - _MONEY
        forced = _keyword("ante") - _MONEY - _keyword("bring-in") - _MONEY - bets
        unknown = pp.Keyword(UNKNOWN_STAKES)("unknown")
        return (unknown | pp.Group(forced)("forced")).set_name(name)

    # A named game may leave out the stakes: they are the paper's.
    named = [pp.Keyword(game.key)("variant") - pp.Opt(stakes(game)) for game in GAMES.values()]
    return (
        pp.MatchFirst([*named, stakes(DEFAULT)]).set_name(name)
        - pp.Opt(_keyword("raises") - _COUNT("cap"))
        - pp.Opt(_keyword("heads-up") - (_COUNT | pp.Keyword(NO_CAP))("heads_up"))
        - pp.Opt(_flag("open-pair", "open_pair"))
        - pp.Opt(_keyword("currency") - _WORD("currency"))
        - pp.Opt(_flag("inferred", "inferred"))
        - _end("raises, heads-up, open-pair, currency, inferred in this order")
    ).add_parse_action(_game_line)


def _header_lines() -> dict[str, pp.ParserElement]:
    seats, amounts = pp.OneOrMore(_SEAT), pp.OneOrMore(_SEAT - _MONEY)
    first = itemgetter(0)
    values: dict[str, tuple[pp.ParserElement, Callable[[list[Any]], Any]]] = {
        "hand": (_WORD, first),
        "table": (_WORD, first),
        "played": (_WORD, first),
        "game": (_game_grammar(), first),
        "stacks": (amounts, _pairs),
        "absent": (pp.OneOrMore(_SEAT - _WORD), _pairs),
        "sitting-out": (seats, tuple),
        ROOM_SEATS: (seats, tuple),
        "hero": (_SEAT, first),
        "shared": (_CARD, first),
        "any-order": (pp.OneOrMore(_SEAT - pp.Group(_CARD - _CARD - _CARD)), _pairs),
        "won": (pp.Literal(UNPAID).suppress() | amounts, _pairs),
        "rake": (_MONEY, first),
    }
    return {key: _header_line(key, *value) for key, value in values.items()}


def _header_line(
    key: str, grammar: pp.ParserElement, value: Callable[[list[Any]], Any]
) -> pp.ParserElement:
    opening = pp.Keyword(key).suppress() + pp.Literal(":").suppress()
    line = opening - (grammar - _end("the end of the line"))
    line.add_parse_action(lambda tokens: HeaderLine(key, value(tokens.as_list())))
    return line.parse_with_tabs()


_PLAIN_HEADER = re.compile(
    rf"(?P<named>hand|table|played):[ \t]*(?P<word>{_BARE_WORD})[ \t]*"
    rf"|(?P<summed>stacks|won):[ \t]*(?P<pairs>(?:[0-9]{{1,3}}[ \t]+{_AMOUNT}(?:[ \t]+|$))+)"
)
_HEADERS = _header_lines()
_ANY_HEADER = f"a seat number, or one of {' '.join(f'{key}:' for key in _HEADERS)}"
_SEAT_LINES = {game.key: _seat_grammar(game) for game in GAMES.values()}
_PLAIN_SEAT_LINES = {game.key: _plain_seat_regex(game) for game in GAMES.values()}
_ANY_LINE = pp.MatchFirst(_HEADERS.values()).set_name(_ANY_HEADER).parse_with_tabs()
