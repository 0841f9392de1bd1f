"""Read hands in PHH: from TOML to the events of a history."""

from __future__ import annotations

import datetime
import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import accumulate
from typing import TypeGuard

from handread.cards import UNSEEN_TEXT, MaybeCard, parse_card
from handread.formats.amounts import Ledger
from handread.formats.format import LineError, Reading
from handread.formats.toml_places import Key, explain_error, key_places, line_and_column
from handread.game.rules import VARIANTS, Stakes, Unit
from handread.history import (
    Collect,
    Deal,
    Event,
    Fold,
    History,
    Muck,
    Problem,
    Rake,
    Seat,
    SharedCard,
    Show,
    Source,
    StreetStart,
    TotalPot,
    Uncalled,
)

GAME = re.compile(r"^[ \t]*[\"']?variant[\"']?[ \t]*=[ \t]*[\"']", re.M)
"""Finds the field that names the game of a hand."""

_BEGINNING = re.compile(
    r"(?P<header>^[ \t]*\[[ \t]*\"?\d+\"?[ \t]*\][ \t]*(?:#[^\n]*)?\r?$)|" + GAME.pattern, re.M
)
_ARRAY_PIECE = re.compile(
    r"""\#[^\n]*|(?P<open>\[)|(?P<close>\])
    |(?P<quote>\"{3}|'{3})(?P<long>.*?)(?P=quote)
    |"(?P<basic>(?:\\.|[^"\\\n])*+)"|'(?P<literal>[^'\n]*)'""",
    re.X | re.S,
)
MANY_PARTS = 100
"""A key of more parts (``a.b.c``) takes the parser the square of their number, time and memory."""

_LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:[\w"'-]+[ \t]*\.[ \t]*){{{MANY_PARTS}}}""")
# What may be given back (without the +) costs a hundred bytes a character of the string.
_STRING = re.compile(r""""(?:[^"\\\n]|\\.)*+"|'[^'\n]*'""")


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file, line and column from 1."""

    line: int
    column: int = 1


@dataclass
class Section:
    """The text of one hand with its values and problems."""

    file: str
    text: str
    first_line: int
    dialect: str
    values: dict[str, object] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @cached_property
    def _lines(self) -> list[str]:
        return [line.rstrip("\r") for line in self.text.split("\n")]

    def parse(self) -> None:
        """Read the values; a text that is not TOML is a problem and has none."""
        # A name in quotes may have as many points as it likes.
        if long := _LONG_KEY.search(_STRING.sub(lambda found: "s" * len(found[0]), self.text)):
            message = f"a key of more than {MANY_PARTS} parts"
            self.complain(self._spot(long.start()), message, "a hand in PHH")
            return
        try:
            self.values = tomllib.loads(self.text, parse_float=Decimal)
        except RecursionError:
            self.complain(
                Position(self.first_line), "values are nested too deeply", "a hand in PHH"
            )
        except (ValueError, ArithmeticError) as error:
            reason, line, column = explain_error(error, self.text)
            spot = Position(self.first_line + line - 1, column)
            self.complain(spot, f"this is not TOML: {reason}")

    def complain(self, where: Position | str, message: str, expected: str = "") -> None:
        """Add a problem at a place, or at the line of a field; each problem once."""
        spot = self.field_spot(where) if isinstance(where, str) else where
        at = spot.line - self.first_line
        text = self._lines[at] if 0 <= at < len(self._lines) else ""
        place = self.file, spot.line, spot.column
        problem = Problem(*place, message, expected, text, self.dialect)
        if problem not in self.problems:
            self.problems.append(problem)

    @property
    def end_line(self) -> int:
        """The last line that is not blank."""
        return self.first_line + self.text.rstrip().count("\n")

    def field_spot(self, key: str) -> Position:
        """Return where a field is defined; the beginning of the hand if it is not there."""
        return (
            self._spot(self._places[key][0]) if key in self._places else Position(self.first_line)
        )

    def item_spots(self, key: str, n: int) -> list[Position]:
        """Return where the ``n`` strings of an array stand, or the field if they are not found."""
        found = self._places.get(key)
        offsets = list(_string_offsets(self.text, found[1])) if found else []
        if len(offsets) != n:
            return [self.field_spot(key)] * n
        starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]
        rows = [bisect_right(starts, offset) for offset in offsets]
        return [
            Position(self.first_line + row - 1, offset - starts[row - 1] + 1)
            for row, offset in zip(rows, offsets, strict=True)
        ]

    @cached_property
    def _places(self) -> dict[Key, tuple[int, int]]:
        """The places where each field and its value begin; the first of two of a name."""
        places = reversed(key_places(self.text).items())
        return {path[-1]: place for path, place in places}

    def _spot(self, offset: int) -> Position:
        line, column = line_and_column(self.text, offset)
        return Position(self.first_line + line - 1, column)


def last_header(text: str) -> int:
    """Return where the last hand begins, if a header or another hand precedes it; else 0."""
    return max((begin for begin, _ in _beginnings(text)), default=0)


def _beginnings(text: str) -> Iterator[tuple[int, int]]:
    """Yield where hands begin, and where their headers end.

    Files of one hand that were joined end to end have no headers: there a hand begins with the
    field that names its game, as no hand has it twice.
    """
    named = False
    for found in _BEGINNING.finditer(text):
        is_header = found["header"] is not None
        if is_header:
            yield found.span()
        elif named:
            yield found.start(), found.start()
        named = not is_header


def sections(text: str, file: str, dialect: str, first_line: int = 1) -> Iterator[Section]:
    """Yield the hands of a text, parsed, in order; a blank text has none."""
    text = text.removeprefix("\ufeff")
    beginnings = list(_beginnings(text))
    starts = [0, *(behind for _, behind in beginnings)]
    ends = [*(begin for begin, _ in beginnings), len(text)]
    line = first_line
    for previous, start, end in zip([0, *starts], starts, ends, strict=False):
        line += text.count("\n", previous, start)
        section = Section(file, text[start:end], line, dialect)
        section.parse()
        if section.values or section.problems or start:
            yield section


def _string_offsets(text: str, start: int) -> Iterator[int]:
    """Yield the offsets of the strings in the array that begins after ``start``."""
    depth = 0
    for piece in _ARRAY_PIECE.finditer(text, start):
        if piece["open"]:
            depth += 1
        elif piece["close"]:
            depth -= 1
            if depth <= 0:
                return
        else:
            for kind in ("long", "basic", "literal"):
                if piece[kind] is not None:
                    yield piece.start(kind)


CARDS_DEALT = 7
AMOUNT = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")


@dataclass(slots=True)
class Actions:
    """Turn action strings into events; ``close`` ends the hand.

    ``players`` are the seats of p1, p2 ...; ``money`` turns an amount as text into minor units,
    or raises ``LineError``. Cards are held back until the deal of a street is through, so that the
    hand is the same whether each player got the cards of 3rd street at once or one by one.
    """

    players: Sequence[int]
    ledger: Ledger
    bring_in: int
    money: Callable[[str], int]
    events: list[Event] = field(default_factory=list)
    street: int = 2
    dealt: dict[int, list[MaybeCard]] = field(default_factory=dict)
    undelivered: dict[int, tuple[Position, list[MaybeCard]]] = field(default_factory=dict)

    def add(self, event: Event, spot: Position) -> None:
        """Note an event and where it is written."""
        self.events.append(replace(event, line=spot.line, column=spot.column))

    def take(self, action: str, spot: Position, double: bool = False) -> None:
        """Add the event of an action string, or raise ``LineError``; ``#`` starts a comment.

        ``double`` marks a bet that the log calls double.
        """
        words = action.split()
        words = words[: words.index("#")] if "#" in words else words
        match words:
            case []:
                return
            case ["d", "dh", player, cards]:
                self.deal(self.seat(player), cards_of(cards), spot)
                return
        self.deliver()
        match words:
            case ["d", "db", cards]:
                self.share(cards_of(cards), spot)
            case [player, "pb"]:
                self.add(self.ledger.bring_in(self.seat(player), self.bring_in), spot)
            case [player, "f"]:
                self.add(Fold(self.seat(player)), spot)
            case [player, "cc"]:
                self.add(self.ledger.check_or_call(self.seat(player)), spot)
            case [player, "cbr", amount]:
                seat, to = self.seat(player), self.money(amount)
                self.add(self.ledger.bet_or_raise(seat, to, double), spot)
            case [player, "sm"]:
                self.add(Muck(self.seat(player)), spot)
            case [player, "sm", "-"]:
                seat = self.seat(player)
                self.add(Show(seat, tuple(self.dealt.get(seat, ()))), spot)
            case [player, "sm", cards]:
                self.add(Show(self.seat(player), cards_of(cards)), spot)
            case _:
                expected = "d dh, d db, or a player with pb, f, cc, cbr or sm"
                raise LineError(f"{action!r} is no action of stud", expected)

    def take_ending(self, words: str, spot: Position) -> None:
        """Add the event of a string of ``_handread_ending``, or raise ``LineError``."""
        self.deliver()
        match words.split(" ", 3):
            case ["pot", amount]:
                event: Event = TotalPot(self.money(amount))
            case ["pot", amount, "net"]:
                event = TotalPot(self.money(amount), before_rake=False)
            case ["rake", amount]:
                event = Rake(self.money(amount))
            case [player, "uncalled", amount]:
                event = Uncalled(self.seat(player), self.money(amount))
            case [player, "collect", amount, *pot]:
                event = Collect(self.seat(player), self.money(amount), "".join(pot))
            case [player, "show", cards]:
                event = Show(self.seat(player), cards_of(cards))
            case [player, "muck", *cards]:
                event = Muck(self.seat(player), cards_of("".join(cards)))
            case _:
                expected = "pot, rake, or a player with uncalled, collect, show or muck"
                raise LineError(f"{words!r} ends no hand", expected)
        self.add(event, spot)

    def close(self, finishing: Mapping[int, int]) -> None:
        """End the hand; finishing stacks, where known, tell what each seat collects."""
        self.deliver()
        for seat, stack in finishing.items():
            left = self.ledger.stacks[seat]
            if left is not None and stack > left:
                self.events.append(Collect(seat, stack - left))

    def seat(self, player: str) -> int:
        """Return the seat of p1, p2 ..."""
        found = re.fullmatch(r"p([1-9][0-9]{0,2})", player)
        if not found or int(found[1]) > len(self.players):
            raise LineError(f"there is no player {player!r}", f"p1 to p{len(self.players)}")
        return self.players[int(found[1]) - 1]

    # Cards

    def deal(self, seat: int, cards: Sequence[MaybeCard], spot: Position) -> None:
        """Deal cards to a seat: two down, four up, one down, in this order."""
        dealt = self.dealt.setdefault(seat, [])
        for card in cards:
            street = max(3, len(dealt) + 1)
            if street > CARDS_DEALT:
                raise LineError("a player gets an eighth card", "seven cards at most")
            if street > self.street:
                self.begin(street, spot)
            dealt.append(card)
            self.undelivered.setdefault(seat, (spot, []))[1].append(card)

    def share(self, cards: Sequence[MaybeCard], spot: Position) -> None:
        """Deal one 7th card to all players."""
        if len(cards) != 1:
            raise LineError("stud shares no more than one card", "one card")
        if self.street < CARDS_DEALT:
            self.begin(CARDS_DEALT, spot)
        self.add(SharedCard(cards[0]), spot)

    def begin(self, street: int, spot: Position) -> None:
        """Begin a street."""
        self.deliver()
        self.street = street
        self.ledger.next_street()
        self.add(StreetStart(street), spot)

    def deliver(self) -> None:
        """Add the deals that were held back."""
        for seat, (spot, cards) in self.undelivered.items():
            before = len(self.dealt[seat]) - len(cards)
            down = tuple(card for n, card in enumerate(cards, before) if n in (0, 1, 6))
            up = tuple(card for n, card in enumerate(cards, before) if n not in (0, 1, 6))
            self.add(Deal(seat, down, up), spot)
        self.undelivered = {}


def cards_of(text: str) -> tuple[MaybeCard, ...]:
    """Parse cards without blanks between them, ``??`` for an unseen one, or raise ``LineError``."""
    words = [text[i : i + 2] for i in range(0, len(text), 2)]
    try:
        return tuple(None if word == UNSEEN_TEXT else parse_card(word) for word in words)
    except ValueError as error:
        raise LineError(str(error), "cards such as 7hTs, or ?? for one not seen") from None


MONEY_FIELDS = ("antes", "bring_in", "small_bet", "big_bet", "starting_stacks", "finishing_stacks")
FINEST = 9
LARGEST = 10**18
"""No number of a hand is as large; TOML has no such end."""


@dataclass(slots=True)
class HandFields:
    """Typed access to the values of a section; what is not there is empty or ``None``.

    ``decimals`` is how many digits behind the point the amounts of the hand have: none when all
    are whole, else two at least.
    """

    section: Section
    decimals: int = 0

    def __post_init__(self) -> None:
        digits = max((_digits(value) for value in self._amounts_written()), default=0)
        self.decimals = min(max(2, digits), FINEST) if digits else 0

    def text(self, key: str) -> str:
        """Return a string, empty if there is none."""
        value = self.section.values.get(key, "")
        if isinstance(value, str):
            return value
        self.section.complain(key, f"{key} is no text", "a text in quotes")
        return ""

    def label(self, key: str) -> str:
        """Return a string or a whole number as a string."""
        value = self.section.values.get(key, "")
        return str(value) if is_whole(value) else self.text(key)

    def whole(self, key: str) -> int | None:
        """Return a whole number, ``None`` if there is none."""
        value = self.section.values.get(key)
        if value is None:
            return None
        if is_whole(value):
            return value
        self.section.complain(key, f"{key} is no whole number", "a whole number")
        return None

    def items(self, key: str) -> list[object]:
        """Return a list of any values."""
        return self._list(key, self.section.values.get(key, []))

    def wholes(self, key: str) -> list[int]:
        """Return a list of whole numbers."""
        values = self.items(key)
        wholes = [value for value in values if is_whole(value)]
        if len(wholes) < len(values):
            self.section.complain(key, f"{key} holds what is no whole number", "whole numbers")
        return wholes

    def texts(self, key: str) -> list[tuple[Position, str]]:
        """Return a list of strings, each with its place in the file."""
        values = self.items(key)
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) < len(values):
            self.section.complain(key, f"{key} holds what is no text", "texts in quotes")
        return list(zip(self.section.item_spots(key, len(texts)), texts, strict=True))

    def table(self, key: str) -> dict[str, object]:
        """Return a table."""
        value = self.section.values.get(key, {})
        if isinstance(value, dict):
            return value
        self.section.complain(key, f"{key} is no table", "{ ante = 0.25, ... }")
        return {}

    def amount(self, key: str) -> int:
        """Return an amount, in minor units, of a field that the hand must have."""
        if key not in self.section.values:
            self.section.complain(key, f"the hand has no field {key}", f"{key} = an amount")
            return 0
        return self.minor(key, self.section.values[key]) or 0

    def amounts(self, key: str) -> list[int | None]:
        """Return a list of amounts in minor units, ``None`` for an infinite one (``inf``)."""
        return [self.minor(key, value, endless=True) for value in self.items(key)]

    def minor(self, key: str, value: object, endless: bool = False) -> int | None:
        """Return a value in minor units; ``None`` if it is infinite or no amount."""
        if endless and isinstance(value, Decimal) and value == Decimal("inf"):
            return None
        if isinstance(value, Decimal) and value.is_finite() and 0 <= value < LARGEST:
            if _digits(value) <= self.decimals:
                return int(value.scaleb(self.decimals))
        elif is_whole(value) and value >= 0:
            return int(value * 10**self.decimals)
        self.section.complain(key, f"{key} holds what is no amount", "an amount such as 2.50")
        return None

    def money(self, text: str) -> int:
        """Return an amount of an action in minor units; ``LineError`` if it is none."""
        value = _written(text)
        if value is None or value >= LARGEST or _digits(value) > self.decimals:
            raise LineError(f"{text!r} is no amount", "an amount such as 200 or 2.50")
        return int(value.scaleb(self.decimals))

    def _list(self, key: str, value: object) -> list[object]:
        if isinstance(value, list):
            return value
        self.section.complain(key, f"{key} is no list", "values in [ ]")
        return []

    def _amounts_written(self) -> Iterator[Decimal]:
        """Yield every amount of the hand that may have a fraction."""
        values = self.section.values
        yield from _decimals_in([values.get(key) for key in MONEY_FIELDS])
        yield from _decimals_in([values.get("_handread_stakes"), values.get("_handread_absent")])
        for key in ("actions", "_handread_ending"):
            strings = values.get(key)
            for action in strings if isinstance(strings, list) else []:
                words = action.split("#")[0].split()[1:3] if isinstance(action, str) else []
                yield from filter(None, map(_written, words))


def is_whole(value: object) -> TypeGuard[int]:
    """Return True for a whole number that a hand can hold; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST


def _digits(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _written(text: str) -> Decimal | None:
    """Parse an amount of an action, with or without commas for thousands."""
    return Decimal(text.replace(",", "")) if AMOUNT.fullmatch(text) else None


def _decimals_in(values: Sequence[object]) -> Iterator[Decimal]:
    for value in values:
        if isinstance(value, Decimal):
            yield value
        elif isinstance(value, list | dict):
            yield from _decimals_in(list(value.values() if isinstance(value, dict) else value))


_VARIANT_KEYS = {"F7S": "stud", "F7S/8": "stud8", "FR": "razz"}
_STAKES_EXPECTED = "{ ante, bets = [5 amounts], cap, open_pair_doubles, inferred }"


def read_hand(section: Section) -> Iterator[Reading]:
    """Yield the hand of a section, or its problems if it does not name a game.

    Hands of other games than stud keep their players and have no events.
    """
    variant = section.values.get("variant")
    if not isinstance(variant, str):
        if not section.problems:
            section.complain("variant", "the hand does not name its game", 'variant = "F7S"')
        yield from (replace(problem, end_line=section.end_line) for problem in section.problems)
        return
    key = _VARIANT_KEYS.get(variant, "other")
    fields = HandFields(section)
    numbers = _numbers(fields)
    stacks = dict(zip(numbers, fields.amounts("starting_stacks"), strict=True))
    stakes = _stakes(fields) if VARIANTS[key].readable else None
    history = History(
        hand_id=fields.label("hand"),
        source=Source(section.file, section.field_spot("variant").line, section.dialect),
        variant=key,
        unit=Unit(fields.decimals, fields.text("currency_symbol")),
        stakes=stakes,
        seats=_seats(fields, stacks),
        events=_events(fields, stacks, stakes) if stakes else (),
        hero=fields.whole("_handread_hero"),
        table=fields.label("table"),
        played_at=fields.text("_handread_played_at") or _date(section.values),
        end_line=section.end_line,
        problems=tuple(section.problems),
    )
    yield history


def _numbers(fields: HandFields) -> list[int]:
    """Return the seat numbers of p1, p2 ...: those of the field ``seats``, else 1, 2 ..."""
    n = len(fields.items("starting_stacks"))
    if n == 0:
        fields.section.complain("starting_stacks", "nobody has a stack", "starting_stacks = [...]")
    for key in ("antes", "players", "seats", "finishing_stacks"):
        if key in fields.section.values and len(fields.items(key)) != n:
            fields.section.complain(key, f"{key} is not as long as starting_stacks", f"{n} values")
    numbers = fields.wholes("seats") or list(range(1, n + 1))
    if len(set(numbers)) == n == len(numbers):
        return numbers
    fields.section.complain("seats", "seats does not name each player's own seat", f"{n} numbers")
    return list(range(1, n + 1))


def _seats(fields: HandFields, stacks: Mapping[int, int | None]) -> tuple[Seat, ...]:
    """Return the players, and those at the table who were not dealt in, by seat number."""
    names = [name for _, name in fields.texts("players")]
    names += [""] * (len(stacks) - len(names))
    unknown = fields.wholes("_handread_unknown_stacks")
    out = fields.wholes("_handread_sitting_out")
    seats = [
        Seat(number, name, None if number in unknown else stack, number in out)
        for (number, stack), name in zip(stacks.items(), names, strict=False)
    ]
    absent = [_absent(fields, item) for item in fields.items("_handread_absent")]
    return tuple(sorted([*seats, *absent], key=lambda seat: seat.number))


def _absent(fields: HandFields, item: object) -> Seat:
    key = "_handread_absent"
    match item:
        case {"seat": number, "name": str(name), "sitting_out": bool(out), **rest} if is_whole(
            number
        ):
            stack = fields.minor(key, rest["stack"]) if "stack" in rest else None
            return Seat(number, name, stack, out)
    fields.section.complain(key, f"{key} holds what is no seat", "{ seat, name, sitting_out }")
    return Seat(0)


def _stakes(fields: HandFields) -> Stakes:
    """Return the stakes; where PHH has no field, those of ``_handread_stakes`` or its rules."""
    antes = [ante for ante in fields.amounts("antes") if ante is not None]
    if not antes:
        fields.section.complain("antes", "the hand has no antes", "antes = [an amount a player]")
    bring_in = fields.amount("bring_in")
    small, big = fields.amount("small_bet"), fields.amount("big_bet")
    key = "_handread_stakes"
    match fields.table(key):
        case {
            "bets": [third, fourth, fifth, sixth, seventh],
            "cap": cap,
            "open_pair_doubles": bool(doubles),
            "inferred": bool(inferred),
            "ante": ante,
            **rest,
        } if _is_cap(cap):
            cap_heads_up = rest.get("cap_heads_up")
            if cap_heads_up is None or _is_cap(cap_heads_up):
                bets = (
                    fields.minor(key, third) or 0,
                    fields.minor(key, fourth) or 0,
                    fields.minor(key, fifth) or 0,
                    fields.minor(key, sixth) or 0,
                    fields.minor(key, seventh) or 0,
                )
                ante = fields.minor(key, ante) or 0
                return Stakes(ante, bring_in, bets, cap, cap_heads_up, doubles, inferred)
    if fields.table(key):
        fields.section.complain(key, f"{key} are no stakes", _STAKES_EXPECTED)
    bets = (small, small, big, big, big)
    ante = max(antes, default=0)
    return Stakes(ante, bring_in, bets, cap_heads_up=None, open_pair_doubles=True)


def _is_cap(value: object) -> TypeGuard[int]:
    """Return True for a number of bets and raises on a street."""
    return is_whole(value) and value > 0


def _events(
    fields: HandFields, stacks: Mapping[int, int | None], stakes: Stakes
) -> tuple[Event, ...]:
    """Return the events up to the end or to the first action that cannot be read."""
    actions = Actions(tuple(stacks), Ledger.start(stacks), stakes.bring_in, fields.money)
    antes = dict(zip(stacks, fields.amounts("antes"), strict=False))
    posting = fields.wholes("_handread_antes_from") or list(stacks)
    played, ending = fields.texts("actions"), fields.texts("_handread_ending")
    implied, doubled = fields.wholes("_handread_implied"), fields.wholes("_handread_double")
    finishing = _finishing_stacks(fields, tuple(stacks))
    if fields.section.problems:
        return ()
    spot = fields.section.field_spot("antes")
    for seat in posting:
        if ante := antes.get(seat):
            actions.add(actions.ledger.ante(seat, ante), spot)
    spot = fields.section.field_spot("actions")
    try:
        for n, (spot, text) in enumerate(played, start=1):
            if n not in implied:
                actions.take(text, spot, n in doubled)
        for spot, text in ending:
            actions.take_ending(text, spot)
    except LineError as why:
        fields.section.complain(spot, why.message, why.expected)
        finishing = {}
    actions.close(finishing)
    return tuple(actions.events)


def _finishing_stacks(fields: HandFields, seats: Sequence[int]) -> dict[int, int]:
    """Return the stacks after the hand, if nothing better tells what each seat collects."""
    if "_handread_ending" in fields.section.values:
        return {}
    finishing = zip(seats, fields.amounts("finishing_stacks"), strict=False)
    return {seat: stack for seat, stack in finishing if stack is not None}


def _date(values: Mapping[str, object]) -> str:
    """Return the day and time of play as far as the fields tell."""
    date = [values.get(key) for key in ("year", "month", "day")]
    days = [f"{part:02d}" for part in date if is_whole(part)]
    time = values.get("time")
    day = "-".join(days) if len(days) == 3 else ""
    return f"{day} {time}".strip() if isinstance(time, datetime.time) else day
