"""From a history in which every amount is written out to the log of a poker room."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from types import UnionType
from unicodedata import category
from zlib import crc32

from handread.cards import Card, MaybeCard
from handread.formats.amounts import Ledger
from handread.formats.dates import read_date
from handread.formats.format import Written
from handread.formats.grammar import Grammar, date_styles
from handread.formats.line_patterns import LABELS, LineRule, PrintRules, Statement
from handread.formats.room_read import read_block
from handread.formats.template import street_number
from handread.formats.text import BYTE_ORDER_MARK
from handread.game.rules import STREET_NAMES, VARIANTS, Stakes
from handread.history import (
    Action,
    Ante,
    Bet,
    BringIn,
    Call,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    History,
    Muck,
    Problem,
    RaiseTo,
    Rake,
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
    known_downcards,
)

YES = "yes"
"""The value of a flag."""

_NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Categories of characters that break lines, cannot be written, or steer a terminal."""

_LABELLED = ("hand", "about", "table", "collect")
"""The events whose lines have labels."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A line to be: its form, what stands in the fields it has a value for, its seat, its text."""

    rule: LineRule
    values: Mapping[str, str]
    seat: int
    text: str

    def is_read_as(self, line: object) -> bool:
        """Whether a line that was read says the same.

        The reader finds the player of an action among those seated, whatever the name holds.
        """
        if not isinstance(line, Statement) or line.rule is not self.rule:
            return False
        if self.rule.actor and line.seat != self.seat:
            return False
        flags = {name for name, kind in self.rule.fields.items() if kind == "flag"}
        told = {name: YES if name in flags else text for name, text in line.values.items()}
        meant = {**self.values, **self.rule.constants}
        return told.keys() == meant.keys() and all(
            told[name] == meant[name] for name in meant if name != self.rule.actor
        )


class Pen:
    """Prints the lines of one hand by a room's grammar."""

    def __init__(self, grammar: Grammar, rules: PrintRules, history: History) -> None:
        self.grammar = grammar
        self.rules = rules
        self.unit = history.unit
        self.names = _names(history)
        self.owner = history.hero or _only_full_deal(history)

    def line(self, event: str, values: Mapping[str, str], seat: int = 0) -> Printed | None:
        """The line of an event, of a seat if one is given; ``None`` if the room has no form.

        ``ValueError`` for a value that no line of the room can hold.
        """
        labels = {n: self._label(n, text) for n, text in values.items() if n in LABELS}
        known = self._known({**values, **labels}, seat)
        rule = self.grammar.form(event, known)
        return None if rule is None else self._written(rule, known, seat)

    def has(self, event: str) -> bool:
        """Whether the room has any form for an event; without one other lines tell it."""
        return any(rule.event == event and rule.printed for rule in self.grammar.rules)

    def every(self, event: str, values: Mapping[str, str]) -> Iterator[Printed]:
        """A line in each form of an event that tells something more than those before it."""
        labels = {n: self._label(n, text) for n, text in values.items() if n in LABELS}
        known, told = self._known({**values, **labels}, 0), set[str]()
        for rule in self.grammar.rules:
            news = {name for name in rule.fields if known.get(name)}
            if rule.event == event and rule.fit(known) and not told >= news:
                told |= news
                yield self._written(rule, known, 0)

    def _known(self, values: Mapping[str, str], seat: int) -> dict[str, str]:
        """Values with those that every line may have, and of a seat if one is given."""
        known = {"currency": self.grammar.money.codes.get(self.unit.symbol, ""), **values}
        if seat:
            known |= {"seat": str(seat), "place": str(seat), "player": self.names[seat]}
            known["me"] = YES if seat == self.owner else ""
        return known

    def must(self, event: str, values: Mapping[str, str], seat: int = 0) -> Printed:
        """The same; ``ValueError`` if the room has no form."""
        line = self.line(event, values, seat)
        if line is None:
            word = event.replace("_", "-")
            raise ValueError(f"{self.grammar.title} logs have no line for this {word}")
        return line

    def some(self, event: str, values: Mapping[str, str], seat: int = 0) -> Iterator[Printed]:
        """The same; nothing if the room has no form."""
        line = self.line(event, values, seat)
        if line is not None:
            yield line

    def money(self, amount: int) -> str:
        """An amount as the room writes it: whole coins without a point if they have a symbol."""
        symbol = "" if self.rules.bare else self.unit.symbol
        number = replace(self.unit, symbol="").text(amount)
        if self.unit.decimals == 2 and symbol and not self.rules.cents:
            number = number.removesuffix(".00")
        if not self.rules.thousands:
            number = number.replace(",", "")
        return self.grammar.money.text(number, symbol)

    def cards(self, cards: Iterable[MaybeCard]) -> str:
        """Cards as the room writes them; ``ValueError`` for one not seen where it has no text."""
        return self.grammar.cards.text(cards)

    @property
    def writes_hidden(self) -> bool:
        """Whether the room has a text for a card that nobody saw."""
        return bool(self.grammar.cards.hidden)

    def _label(self, name: str, text: str) -> str:
        """A label as the forms can hold it, or what stands for one that they cannot."""
        # A room's own name of a table may have two blanks: "Table  130001".
        text = re.sub(r"\s" if name == "table" else r"\s+", " ", text).strip()
        text = self._date(text) if name == "date" else text
        text = self._held(name, text) or self.rules.unknown.get(name, "")
        style = self.grammar.labels.get(name)
        return style.text(text) if style else text

    def _held(self, name: str, text: str) -> str:
        """A label that the forms hold, empty for one that they cannot."""
        if name == "hand_id":
            return self._hand_id(text) if text else ""
        held = all(
            self._fits(rule.fields[name], text)
            for rule in self.grammar.rules
            if rule.event in _LABELLED and name in rule.required
        )
        return text if held else ""

    def _date(self, text: str) -> str:
        """A date in the room's own form; as it is where it has none that is known."""
        own = self.grammar.dates
        date = read_date(text, date_styles()) if own.forms and not own.keeps(text) else None
        return text if date is None else own.text(date)

    def _hand_id(self, text: str) -> str:
        """What the hand is called; a number made from its name where hands are numbered."""
        first = (*self.grammar.headers, *self.grammar.abouts)
        numbered = any(rule.fields.get("hand_id") == "int" for rule in first)
        if numbered and not self._fits("int", text):
            return str(crc32(text.encode("utf-8", "replace")))
        return text.replace(" ", "_")

    def _fits(self, kind: str, text: str) -> bool:
        return re.fullmatch(self.grammar.kinds[kind].pattern, text) is not None

    def _written(self, rule: LineRule, known: Mapping[str, str], seat: int) -> Printed:
        values = {name: text for name in rule.fields if (text := known.get(name, ""))}
        if "street" in values:
            values["street"] = rule.spelt(street_number(values["street"]))
        close = [name for name in values if rule.fields[name] == "close"]
        values |= {name: values[name].replace(" ", "") for name in close}
        for name, text in values.items():
            kind = rule.fields[name]
            if kind != "flag" and not self._fits(kind, text):
                what = self.grammar.kinds[kind].title
                raise ValueError(f"{text!r} cannot stand in a {self.grammar.title} log as {what}")
        return Printed(rule, values, seat, rule.print(values))


def check_read_back(grammar: Grammar, printed: Sequence[Printed]) -> History:
    """The hand as the lines will be read; ``ValueError`` unless each is read as it is meant."""
    block = [(number, line.text) for number, line in enumerate(printed, start=1)]
    for _, text in block:
        if not _is_text(text):
            raise _unreadable(grammar, text, "it has a character that is no text")
    whole = "".join(f"{line.text}\n" for line in printed)
    if [found.start() for found in grammar.starts.finditer(whole)] != [0]:
        twice = next((t for n, t in block if n > 1 and grammar.starts.match(t)), block[0][1])
        raise _unreadable(grammar, twice)
    sheet = read_block(grammar, grammar.title, block)
    if isinstance(sheet, Problem):
        raise _unreadable(grammar, block[0][1])
    history = sheet.history()
    for problem in history.problems:
        raise _unreadable(grammar, block[problem.line - 1][1], problem.message)
    read = [sheet.header, *sheet.abouts, *sheet.seats, *sheet.said]
    by_number = {line.number: line for line in read if isinstance(line, Statement)}
    for number, line in enumerate(printed, start=1):
        if not line.is_read_as(by_number.get(number)):
            raise _unreadable(grammar, line.text)
    return history


def _is_text(line: str) -> bool:
    """Whether a line can stand in a file and be shown as it is."""
    return line.isprintable() or not any(
        category(character) in _NO_TEXT or character == BYTE_ORDER_MARK for character in line
    )


def _unreadable(grammar: Grammar, text: str, why: str = "") -> ValueError:
    reason = why or "it would be read as something else"
    return ValueError(f"a {grammar.title} log cannot hold the line {text!r}: {reason}")


def _names(history: History) -> dict[int, str]:
    """The name of each seat; who has none is called by the seat."""
    names = {seat.number: seat.name for seat in history.seats}
    taken = set(names.values())
    return {seat: name or _free_name(seat, taken) for seat, name in names.items()}


def _free_name(seat: int, taken: Collection[str]) -> str:
    plain = f"Player {seat}"
    others = (f"{plain}-{n}" for n in count(2))
    return plain if plain not in taken else next(name for name in others if name not in taken)


def _only_full_deal(history: History) -> int:
    """The seat whose downcards the log saw dealt, if it is the only one; 0 if not.

    A reader of the log takes that player for its owner.
    """
    full = [
        event.seat
        for event in history.events
        if isinstance(event, Deal) and len(event.down) == 2 and None not in event.down
    ]
    return full[0] if len(full) == 1 else 0


SEVENTH, CARDS = 7, 7
"""The last street, and how many cards a player has then."""


@dataclass(slots=True)
class Told:
    """The cards of a seat that the log has told.

    ``loose`` are three downcards of which any may have come last.
    """

    down: list[Card] = field(default_factory=list)
    up: list[Card] = field(default_factory=list)
    river: list[Card] = field(default_factory=list)
    loose: list[Card] = field(default_factory=list)

    @property
    def cards(self) -> list[Card]:
        """All of them, in dealt order; downcards first where their order is not known."""
        return [*(self.loose or self.down), *self.up, *self.river]

    @property
    def hand(self) -> list[Card]:
        """All of them, if both downcards of 3rd street are among them; else none."""
        return self.cards if self.loose or len(self.down) == 2 else []

    @property
    def slots(self) -> list[MaybeCard]:
        """All cards of the seat, those too that nobody saw, before the 7th."""
        return [*(self.down or (None, None)), *self.up]

    def add_hidden(self, cards: Sequence[Card]) -> None:
        """Cards that are shown: two downcards, then the river, as far as they are news."""
        for card in cards:
            if card not in self.cards:
                (self.down if len(self.down) < 2 else self.river).append(card)


class RoomPlay:
    """The lines of the play, and what is known of the hand after those so far.

    ``blind`` are seats with an upcard that nobody saw, ``broke`` those that went all-in, ``folded``
    the street on which a seat folded, ``showed`` whether a seat that had to at the end showed its
    hand. ``first_bet`` is the first bet or raise of the hand with its street and its level, and
    ``n_bets`` how many there were. ``overcalled`` is a call of the whole bring-in where less of it
    was posted.
    """

    def __init__(self, pen: Pen, history: History) -> None:
        seats = [seat.number for seat in history.seats]
        shared = [event.card for event in history.events if isinstance(event, SharedCard)]
        if None in shared:
            raise ValueError("a log cannot hold a shared card that nobody saw")
        self.pen = pen
        self.stakes = history.stakes
        self.shared = [card for card in shared if card is not None]
        self.ledger = Ledger.start(dict.fromkeys(seats))
        self.told = {seat: Told() for seat in seats}
        # A hand that is shown in any order does not tell what its deal must tell instead.
        in_order = pen.grammar.cards.shown_in_order
        self.foreseen = {} if in_order else known_downcards(history)
        self.street = 0
        self.dealt: set[int] = set()
        self.blind: set[int] = set()
        self.broke: set[int] = set()
        self.anted: dict[int, int] = {}
        self.folded: dict[int, int] = {}
        self.showed: dict[int, bool] = {}
        self.n_bets = 0
        self.put_in = False
        self.first_bet: tuple[int, int, bool] | None = None
        self.brought_in = False
        self.overcalled = False
        self._completable = False

    @property
    def left(self) -> list[int]:
        """The seats that were dealt in and have not folded."""
        return [seat for seat in sorted(self.dealt) if seat not in self.folded]

    def lines(self, event: Event) -> list[Printed]:
        """The lines of an event, none where the log says nothing of it.

        ``ValueError`` where the room has no form for it, and for an amount that is left open.
        """
        if isinstance(event, Deal):
            return self._deal(event)
        if isinstance(event, Action) and not self.street:
            raise ValueError(f"seat {event.seat} acts before 3rd street")
        line = self._line(event)
        return [] if line is None else [line]

    def _line(self, event: Event) -> Printed | None:
        match event:
            case StreetStart(street=street):
                return self._start_street(street)
            case Check(seat=seat):
                return self.pen.must("check", {}, seat)
            case Fold(seat=seat):
                self.folded[seat] = self.street
                return self.pen.must("fold", {}, seat)
            case Uncalled(seat=seat, amount=amount):
                return self.pen.line("uncalled", {"amount": self.pen.money(amount)}, seat)
            case Show() | Muck():
                return self._reveal(event)
            case Ante():
                return self._ante(event)
            case BringIn() | Call() | Bet() | RaiseTo():
                return self._bet(event)
        return None

    def see(self, event: Show | Muck) -> list[Card]:
        """Notes the cards that a seat shows or is known to have had; which they are."""
        cards, told = [card for card in event.cards if card is not None], self.told[event.seat]
        hidden = [card for card in cards if card not in self.shared]
        if not event.any_order or len(told.down) == 2 or self.shared:
            told.add_hidden(hidden)
        else:
            told.loose = [card for card in hidden if card not in told.up]
        if not told.loose or not event.any_order:
            return cards
        # Where upcards are not in their place a reader knows that the order is not known.
        return cards if not self.pen.grammar.cards.shown_in_order else told.cards

    def _reveal(self, event: Show | Muck) -> Printed | None:
        cards, seat = self.see(event), event.seat
        if isinstance(event, Show) and self._shows(seat, cards):
            cards = self._whole(seat, cards)
            self.showed[seat] = True
            shown = {"cards": self.pen.cards(cards)}
            write = self.pen.must if self.pen.has("show") else self.pen.line
            return write("show", shown, seat) if cards else None
        if seat in self.showed:
            return None
        self.showed[seat] = False
        alone = YES if len(self.left) == 1 else ""
        hand = self.pen.cards(self.told[seat].hand)
        return self.pen.line("muck", {"cards": hand, "alone": alone}, seat)

    def _shows(self, seat: int, cards: list[Card]) -> bool:
        """Whether a show is one for the room: of a whole hand, where others are left to beat."""
        early = self.street < SEVENTH or len(self.left) < 2 or seat not in self.left
        return early or not cards or len(self._whole(seat, cards)) >= CARDS - len(self.shared)

    def _whole(self, seat: int, cards: list[Card]) -> list[Card]:
        """The cards that a room shows: all in dealt order, if the log tells those left out."""
        size, told = CARDS - len(self.shared), self.told[seat].cards
        return told if len(cards) < size == len(told) and len(self.left) > 1 else cards

    # Cards

    def _start_street(self, street: int) -> Printed | None:
        if street not in STREET_NAMES:
            raise ValueError(f"there is no street {street}")
        self.street = street
        self.ledger.next_street()
        self._completable = street == 3
        card = self.pen.cards(self.shared if street == 7 else [])
        values = {"street": STREET_NAMES[street], "card": card}
        by_deals = self.pen.grammar.by_deals
        line = self.pen.line("street", values) if by_deals else self.pen.must("street", values)
        if card and (line is None or "card" not in line.values):
            raise ValueError(f"{self.pen.grammar.title} logs have no line for a shared card")
        return line

    def _deal(self, event: Deal) -> list[Printed]:
        """The cards of a seat, if they were seen, and those that it had before.

        On 3rd street the upcard stands last; of two downcards no log can tell one alone.
        """
        seat, told = event.seat, self.told[event.seat]
        if not self.street:
            raise ValueError(f"seat {seat} gets a card before 3rd street")
        up = [card for card in event.up if card is not None]
        down = [card for card in self._downcards(event) if card is not None]
        self.dealt.add(seat)
        if len(up) < len(event.up):
            self.blind.add(seat)
            return []
        hidden = self.pen.writes_hidden
        old: Sequence[MaybeCard] = told.slots if hidden else told.cards
        new: Sequence[MaybeCard] = event.up or self._downcards(event) if hidden else up or down
        if self.street == 3:
            if len(up) != 1 or len(event.down) != 2:
                raise ValueError(f"{event} is not written out")
            told.down = down if len(down) == 2 else []
            old = told.slots if hidden else told.down
        told.up += up
        told.river += down if self.street == 7 else []
        if not new:
            return []
        if self.street == 3 and self.pen.grammar.one_by_one:
            return [self._deal_line(seat, [], [card]) for card in (*old, *new)]
        return [self._deal_line(seat, old, new)]

    def _downcards(self, event: Deal) -> Sequence[MaybeCard]:
        """The downcards of a deal, as they were dealt or as they must be told."""
        known = self.foreseen.get(event.seat, ())
        foreseen = known[2:] if self.street == 7 else known[:2]
        return foreseen if event.down and foreseen else event.down

    def _deal_line(self, seat: int, old: Sequence[MaybeCard], new: Sequence[MaybeCard]) -> Printed:
        cards = {"old": old, "new": new, "all": [*old, *new]}
        cards["cards"] = cards["all"] if self.street == 3 else new
        values = {name: self.pen.cards(some) for name, some in cards.items()}
        return self.pen.must("deal", values | {"street": STREET_NAMES[self.street]}, seat)

    # Chips

    def _ante(self, event: Ante) -> Printed | None:
        seat, amount = event.seat, event.amount
        if amount is None:
            raise ValueError(f"{event} is not written out")
        self.dealt.add(seat)
        self.ledger.ante(seat, amount)
        self.anted[seat] = amount
        if not amount:
            return None
        self.broke |= {seat} if event.all_in else set()
        all_in = YES if event.all_in else ""
        return self.pen.must("ante", {"added": self.pen.money(amount), "all_in": all_in}, seat)

    def _bet(self, event: BringIn | Call | Bet | RaiseTo) -> Printed:
        """The line of chips that go in, in the first word for it that the room has."""
        to = self._total(event)
        values = self._amounts(event, to)
        lines = (self.pen.line(word, values, event.seat) for word in self._words(event))
        line = next(filter(None, lines), None)
        # A room may have a line of its own for an all-in, which its amount then explains.
        if event.all_in and not isinstance(event, BringIn) and "all_in" not in _fields(line):
            plain = {name: text for name, text in values.items() if name != "to"}
            fitting = values if isinstance(event, RaiseTo) else plain
            line = self.pen.line("all_in", fitting, event.seat) or line
        self._note(event, to)
        return line or self.pen.must(self._words(event)[-1], values, event.seat)

    def _total(self, event: BringIn | Call | Bet | RaiseTo) -> int:
        """What the seat will have put in on the street."""
        amount = event.to if isinstance(event, RaiseTo) else event.amount
        if amount is None:
            raise ValueError(f"{event} is not written out")
        return amount if isinstance(event, RaiseTo) else self.ledger.put[event.seat] + amount

    def _words(self, event: BringIn | Call | Bet | RaiseTo) -> tuple[str, ...]:
        match event:
            case BringIn():
                return ("bring_in",)
            case Call():
                return ("call",)
            case Bet():
                return ("complete", "bet") if self._completable else ("bet",)
            case RaiseTo():
                return ("complete", "raise") if self._completable else ("raise",)

    def _amounts(self, event: BringIn | Call | Bet | RaiseTo, to: int) -> dict[str, str]:
        added, increase = to - self.ledger.put[event.seat], to - self.ledger.bet_to
        by = {"increase": increase, "added": added}.get(self.pen.rules.raise_by)
        double = isinstance(event, Bet | RaiseTo) and (event.double or self._is_double(increase))
        seat = event.seat
        in_hand = self.ledger.paid[seat] - self.anted.get(seat, 0) + added
        return {
            "hand_total": self.pen.money(in_hand),
            "added": self.pen.money(added),
            "to": self.pen.money(to),
            "by": "" if by is None else self.pen.money(by),
            "all_in": YES if event.all_in else "",
            "double": YES if double else "",
        }

    def _is_double(self, increase: int) -> bool:
        """Whether a bet or raise is the big one that an open pair allows on 4th street."""
        stakes = self.stakes
        return self.street == 4 and stakes is not None and stakes.bet(4) < increase == stakes.bet(5)

    def _note(self, event: BringIn | Call | Bet | RaiseTo, to: int) -> None:
        if isinstance(event, Bet | RaiseTo):
            self._completable = False
            self.n_bets += 1
            self.first_bet = self.first_bet or (self.street, to, event.all_in)
        self.put_in = True
        self.brought_in |= isinstance(event, BringIn)
        self.overcalled |= isinstance(event, Call) and to > self.ledger.bet_to
        self.broke |= {event.seat} if event.all_in else set()
        self.ledger.bet_or_raise(event.seat, to)


def _fields(line: Printed | None) -> Sequence[str]:
    return list(line.values) if line else []


SEATS = 8
"""The seats of a table of stud, for logs that state them."""

DEEP = 100
"""Big bets in a stack that nobody counted and that lasted."""

UNSTATED = 10
"""A reader believes a rake that nobody states if it is at most this part of the pot."""

_PLAY = Ante | StreetStart | Deal | SharedCard | Action | Uncalled
"""Events of the play; cards shown after the last of them are the showdown."""


def write_hand(grammar: Grammar, rules: PrintRules, history: History) -> Written:
    """A hand as the log of a room; ``ValueError`` where the room cannot hold it."""
    variant = VARIANTS.get(history.variant, VARIANTS["other"])
    if not variant.readable or variant.key not in grammar.games:
        raise ValueError(
            f"only seven-card stud is written as a {grammar.title} log, not {variant.title}"
        )
    seats = {seat.number for seat in history.seats}
    for event in history.events:
        seat = getattr(event, "seat", None)
        if seat is not None and seat not in seats:
            raise ValueError(f"seat {seat} has a part in the hand, but nobody sits there")
    script = _Script(Pen(grammar, rules, history), history)
    lines = script.lines()
    read = check_read_back(grammar, lines)
    script.check_stakes(read.stakes)
    return Written("".join(f"{line.text}\n" for line in lines), read)


class _Script:
    """The lines of a hand: the play, and before and after it what the play amounts to."""

    def __init__(self, pen: Pen, history: History) -> None:
        self.pen = pen
        self.history = history
        self.stakes = history.stakes
        self.play = RoomPlay(pen, history)

    def lines(self) -> list[Printed]:
        """All lines of the hand; ``ValueError`` where the room has none for it."""
        play, ending = _in_order(self.history.events)
        told = [line for event in play for line in self.play.lines(event)]
        told += self._showdown(ending)
        payments = list(self._payments(ending))
        late = [line for line in payments if line.rule.part == "summary"]
        told += [line for line in payments if line not in late]
        self._check_upcards()
        end = self.pen.some("end", self._labels()) if ending else ()
        return [*self._head(), *told, *self._summary(ending, late), *end]

    # Before the play

    def _labels(self) -> dict[str, str]:
        history = self.history
        labels = {"hand_id": history.hand_id, "table": history.table, "date": history.played_at}
        return {**labels, "button": ""}

    def _head(self) -> Iterator[Printed]:
        history = self.history
        values = {
            **self._labels(),
            "game": self.pen.grammar.games[history.variant],
            "size": str(max([SEATS, *(seat.number for seat in history.seats)])),
            "players": str(len(history.seats)),
            "hero": self.pen.names.get(history.hero or 0, ""),
        }
        chips = not (history.unit.decimals or history.unit.symbol)
        tournament = self.pen.rules.tournament if chips else {}
        first = {**values, **self._stakes(), **tournament}
        header = self.pen.line("hand", first)
        abouts = list(self.pen.every("about", first))
        if header is None or not any("game" in line.values for line in (header, *abouts)):
            title = self.pen.grammar.title
            raise ValueError(f"a {title} log states the bets, which this hand does not tell")
        yield from (header, *abouts)
        yield from self.pen.some("table", values)
        for seat in sorted(history.seats, key=lambda seat: seat.number):
            stack = self._made_up_stack(seat.number) if seat.stack is None else seat.stack
            out = YES if seat.sitting_out else ""
            values = {"stack": self.pen.money(stack), "sitting_out": out}
            yield self.pen.must("seat", values, seat.number)
        yield from self.pen.some("antes", {})

    def _stakes(self) -> dict[str, str]:
        """What a header may say of the stakes; ``ValueError`` for what no room plays."""
        if self.stakes is None:
            return {}
        small, big, money = self.stakes.bet(3), self.stakes.bet(7), self.pen.money
        if self.stakes.bets != (small, small, big, big, big):
            bets = " ".join(map(money, self.stakes.bets))
            raise ValueError(f"a room has one small bet and, from 5th street, one big, not {bets}")
        if not self.stakes.bring_in:
            raise ValueError("a room has no games without a bring-in")
        cap = self.pen.grammar.house_rules.cap
        if self.stakes.cap != cap:
            title = self.pen.grammar.title
            raise ValueError(f"{title} takes {cap} bets a street, not {self.stakes.cap}")
        amounts = {"small": small, "big": big, "bring_in": self.stakes.bring_in}
        if self.stakes.ante:
            amounts["ante"] = self.stakes.ante
        return {name: money(amount) for name, amount in amounts.items()}

    def _made_up_stack(self, seat: int) -> int:
        """What a seat has whose stack is not known.

        What it put in if that was its last chip, else enough to bet on at any time.
        """
        paid = self.play.ledger.paid
        if seat in self.play.broke:
            return paid[seat]
        most = max(paid.values())
        big = self.stakes.bet(7) if self.stakes else max(1, most)
        stack = DEEP * big
        while stack < most + DEEP // 4 * big:
            stack *= 2
        return stack

    # After the play

    def _showdown(self, ending: Sequence[Event]) -> Iterator[Printed]:
        """The hands shown; where the record is silent, those of all who are left, if known."""
        reveals = [event for event in ending if isinstance(event, Show | Muck)]
        paid = any(isinstance(event, Collect) for event in ending)
        left = self.play.left
        if len(left) > 1 and paid and not reveals and not self.play.showed:
            reveals = self._implied_shows(left)
        if len(left) > 1 and (paid or reveals):
            yield from self.pen.some("showdown", {})
        for event in reveals:
            self.play.see(event)
        for event in reveals:
            yield from self.play.lines(event)

    def _implied_shows(self, left: Sequence[int]) -> list[Show | Muck]:
        hands = {seat: self.play.told[seat].cards for seat in left}
        whole = 7 - len(self.play.shared)
        if any(len(cards) < whole for cards in hands.values()):
            return []
        return [Show(seat, tuple(cards)) for seat, cards in hands.items()]

    def _payments(self, ending: Sequence[Event]) -> Iterator[Printed]:
        """What each seat is paid; where a room tells pots and not their total, it is in the first.

        Some rooms tell it in the summary alone.
        """
        if not self.pen.has("collect"):
            return
        collects = [event for event in ending if isinstance(event, Collect)]
        rest = self._stated_total(ending) - sum(event.amount for event in collects)
        for event in collects:
            values = {
                "amount": self.pen.money(event.amount),
                "of": self.pen.money(event.amount + max(0, rest)),
                "pot": event.pot,
            }
            rest = 0
            yield self.pen.must("collect", values, event.seat)

    def _summary(self, ending: Sequence[Event], payments: Sequence[Printed]) -> Iterator[Printed]:
        if not ending:
            return
        yield from self.pen.some("summary", {})
        yield from payments
        yield from self._total(ending)
        if self.play.shared:
            yield from self.pen.some("board", {"cards": self.pen.cards(self.play.shared)})
        won: Counter[int] = Counter()
        for event in ending:
            if isinstance(event, Collect):
                won[event.seat] += event.amount
        for seat in sorted(self.play.dealt):
            yield from self._result(seat, won[seat])

    def _stated_total(self, ending: Sequence[Event]) -> int:
        """The total of the pots as the room counts it, 0 where the record has none."""
        rake = _rake_of(ending)
        for total in ending:
            if isinstance(total, TotalPot):
                amount = total.amount + (0 if total.before_rake else rake)
                return amount - (0 if self.pen.grammar.pot_before_rake else rake)
        return 0

    def _total(self, ending: Sequence[Event]) -> Iterator[Printed]:
        rake, total = _rake_of(ending), self._stated_total(ending)
        stated = any(isinstance(event, TotalPot) for event in ending)
        if rake and not stated and self.pen.has("total"):
            raise ValueError("the rake stands without a total pot; is the hand written out?")
        values = {"amount": self.pen.money(total), "rake": self.pen.money(rake)}
        lines = list(self.pen.some("total", values)) if stated else []
        if stated or any(isinstance(event, Rake) for event in ending):
            lines += self.pen.some("rake", values)
        yield from lines
        pot = total + (0 if self.pen.grammar.pot_before_rake else rake)
        if rake > pot // UNSTATED and not any("rake" in line.values for line in lines):
            title = self.pen.grammar.title
            raise ValueError(f"{title} logs do not state the rake, and here it is a large one")

    def _result(self, seat: int, won: int) -> Iterator[Printed]:
        """What the summary says of a seat; the hand of one that did not show is news."""
        play = self.play
        showed, hand = play.showed.get(seat), self.pen.cards(play.told[seat].hand)
        money = self._balance(seat, won)
        if seat in play.folded:
            idle = play.ledger.paid[seat] == play.anted.get(seat, 0)
            street = {"street": STREET_NAMES[play.folded[seat]]}
            yield from self.pen.some("folded", street | {"without_bet": YES if idle else ""}, seat)
        elif won and self.pen.has("won"):
            told = {"cards": hand} if showed else {"mucked": YES if showed is False else ""}
            yield from self.pen.some("won", {**money, **told}, seat)
        elif showed is not None and hand:
            mucked = "" if showed else YES
            yield from self.pen.some("revealed", {**money, "cards": hand, "mucked": mucked}, seat)
        elif showed is False:
            yield from self.pen.some("mucked", {}, seat)

    def _balance(self, seat: int, won: int) -> dict[str, str]:
        """What a seat put in, less what nobody called, collected, won and lost, and has then."""
        others = [paid for other, paid in self.play.ledger.paid.items() if other != seat]
        # Not every log reports an uncalled bet, so it is counted.
        paid = min(self.play.ledger.paid[seat], max(others, default=0))
        stack = self.history.seat(seat).stack
        left = (self._made_up_stack(seat) if stack is None else stack) - paid + won
        amounts = {"amount": won, "collects": won, "bets": paid, "left": left}
        amounts |= {"wins": max(0, won - paid), "loses": max(0, paid - won)}
        values = {name: self.pen.money(amount) for name, amount in amounts.items()}
        sign = "+" if won > paid else "-"
        return {**values, "net": sign + self.pen.money(abs(won - paid))}

    # What a room cannot hold

    def _check_upcards(self) -> None:
        """Cards of which the log lists some must all be there, but for the owner's alone."""
        seen = {seat for seat, told in self.play.told.items() if told.up} - {self.pen.owner}
        if self.play.blind and (seen or self.pen.grammar.by_deals):
            seats = ", ".join(map(str, sorted(self.play.blind)))
            raise ValueError(f"a room lists all upcards; some of seat {seats} were not seen")

    def check_stakes(self, read: Stakes | None) -> None:
        """``ValueError`` if a reader of the log may not find the bets and the bring-in."""
        if self.stakes is None or self.stakes.inferred:
            if read is None and not self.play.put_in:
                title = self.pen.grammar.title
                raise ValueError(f"{title} logs do not state the stakes, and no bet tells them")
            return
        if read is None:
            self._check_first_bet(self.stakes)
        if self.play.overcalled and (read is None or read.bring_in != self.stakes.bring_in):
            raise ValueError(
                f"{self.pen.grammar.title} logs do not state the bring-in, "
                "and here nobody posted all of it, but somebody called it"
            )

    def _check_first_bet(self, stakes: Stakes) -> None:
        """Where a log does not state the stakes, its bring-in and its first bet must tell them."""
        small, first = stakes.bet(3), self.play.first_bet
        if first is None:
            told = self.play.brought_in
        else:
            street, to, all_in = first
            whole = to == stakes.bet(street) or (street == 4 and to == stakes.bet(5))
            alone = self.play.n_bets < 2 and 2 * stakes.bring_in <= small
            told = whole and (alone or not all_in)
        if stakes.bet(7) != 2 * small or not told:
            raise ValueError(
                f"{self.pen.grammar.title} logs do not state the stakes, "
                "and the first bets of this hand would not tell them"
            )


def _rake_of(events: Sequence[Event]) -> int:
    return sum(event.amount for event in events if isinstance(event, Rake))


def _in_order(events: Sequence[Event]) -> tuple[list[Event], list[Event]]:
    """The play, an uncalled bet after its last action, and what comes after the play."""
    rest = [event for event in events if not isinstance(event, Uncalled)]
    uncalled = [event for event in events if isinstance(event, Uncalled)]
    place = _after_last(rest, Action) or _after_last(rest, _PLAY)
    rest[place:place] = uncalled
    end = _after_last(rest, _PLAY)
    ending = [event for event in rest if isinstance(event, Collect | TotalPot | Rake)]
    return rest[:end], ending + [event for event in rest[end:] if isinstance(event, Show | Muck)]


def _after_last(events: Sequence[Event], kind: UnionType) -> int:
    """The place after the last event of a kind, 0 if there is none."""
    return max((n for n, event in enumerate(events, start=1) if isinstance(event, kind)), default=0)
