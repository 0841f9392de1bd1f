"""A hand of a room that writes lines, from its lines to a sheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import takewhile

from handread.cards import Card, MaybeCard, cards_text
from handread.formats.explain import MASK
from handread.formats.grammar import Grammar
from handread.formats.line_patterns import LineRule, Misread, Statement
from handread.formats.site import House
from handread.formats.template import EXAMPLE_CARDS, NUMBER_PATTERN
from handread.game.rules import STREET_NAMES, VARIANTS, Stakes, Unit
from handread.history import (
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
    Remark,
    Seat,
    SharedCard,
    Show,
    Source,
    StreetStart,
    TotalPot,
    Uncalled,
)
from handread.spelling import or_meant

THIRD, SEVENTH = 3, 7


class Play:
    """A hand as its statements come in: the events so far and the little that they build on.

    Rooms name amounts in different ways and some tell the streets by the deals alone, so the
    chips that each seat has put in and the cards it has are kept along. ``small`` is the small
    bet in minor units, 1 when it is not known.
    """

    def __init__(self, unit: Unit, house: House, small: int) -> None:
        self.events: list[Event] = []
        self.full_deals: list[int] = []
        self._unit = unit
        self._house = house
        self._small = small
        self._street = 0
        self._put_in: Counter[int] = Counter()
        self._forced = 0
        self._paid: Counter[int] = Counter()
        self._seen: dict[int, set[Card]] = {}
        self._shown_up: dict[int, set[Card]] = {}
        self._damaged: Counter[int] = Counter()
        self._dealt: Counter[int] = Counter()
        self._coming: dict[int, tuple[Statement, list[MaybeCard]]] = {}
        self._by_deals = house.by_deals
        self._block: set[int] = set()
        self._pots = 0
        self._summary: list[Collect] = []
        self._nets: dict[int, Statement] = {}
        self._balances: list[Statement] = []
        self.contradictions: list[tuple[Statement, Misread]] = []
        self.unreadable: list[tuple[Statement, Misread]] = []

    def finish(self) -> None:
        """Add what waited for more, and what is said of the winnings in other ways than by pots."""
        for seat, (line, cards) in self._coming.items():
            self.events.append(Deal(seat, tuple(cards), **line.place))
        if not any(isinstance(event, Collect) for event in self.events):
            self.events += self._summary
        self.events += self._unlisted_winnings()
        self._check_balances()
        if self._pots:
            last = max((e for e in self.events if isinstance(e, Collect)), key=lambda e: e.line)
            total = TotalPot(self._pots, self._house.pot_before_rake, line=last.line)
            self.events.append(total)

    def _unlisted_winnings(self) -> list[Collect]:
        """What the nets tell of pots that the log leaves out; an uncalled bet is none."""
        collected: Counter[int] = Counter()
        for event in self.events:
            if isinstance(event, Collect):
                collected[event.seat] += event.amount
        highest, second = [*sorted(self._paid.values(), reverse=True), 0, 0][:2]
        missing = []
        for seat, line in self._nets.items():
            uncalled = highest - second if self._paid[seat] == highest else 0
            won = self._paid[seat] + self._money(line, "net") - uncalled
            if won > collected[seat]:
                missing.append(Collect(seat, won - collected[seat], **line.place))
        return missing

    def _check_balances(self) -> None:
        """Compare what a summary says that seats put in and were paid with what the play told."""
        collected: Counter[int] = Counter()
        for event in self.events:
            if isinstance(event, Collect):
                collected[event.seat] += event.amount
        highest, second = [*sorted(self._paid.values(), reverse=True), 0, 0][:2]
        for line in self._balances:
            paid, won = self._paid[line.seat], collected[line.seat]
            back = highest - second if paid == highest else 0
            net = abs(won + back - paid)
            told = {"amount": (won,), "collects": (won, won + back), "bets": (paid - back,)}
            # A room may count the bet that comes back to its owner as won, and as put in.
            told |= {"wins": (net,), "loses": (net,), "net": (won + back - paid, won - paid)}
            for name, amounts in told.items():
                if name in line and self._money(line, name) not in amounts:
                    self._contradict(line, name, f"{self._unit.text(amounts[0])} by the play")

    def _contradict(self, line: Statement, name: str, expected: str) -> None:
        """Note that a field says something else than the play."""
        message = f"{line.word(name)!r} is not what the play tells"
        self.contradictions.append((line, Misread(line.column_of(name), message, expected)))

    def take(self, line: Statement) -> Misread | None:
        """Note what a line reports; what is wrong with it if it cannot be."""
        handler = _HANDLERS.get(line.rule.event)
        ends_deal = line.rule.event in _AFTER_A_DEAL
        why = self._passed_over() if ends_deal else None
        return why or (handler(self, line) if handler else None)

    def _passed_over(self) -> Misread | None:
        """Return the problem of a seat that the last deal left out.

        Where streets are told by the deals alone, no line says that all have their 7th card.
        """
        if not (self._by_deals and self._street == SEVENTH and self._block):
            return None
        folded = {event.seat for event in self.events if isinstance(event, Fold)}
        lacking = sorted(set(self._dealt) - folded - self._block)
        self._block.clear()
        if not lacking:
            return None
        return Misread(1, f"seat {lacking[0]} gets no card on 7th street", "a card for each player")

    def _money(self, line: Statement, name: str) -> int:
        return line.minor(name, self._unit)

    def _add(self, event: Event) -> None:
        self.events.append(event)

    def _act(self, event: Event) -> None:
        """An action; a deal after it begins a new block."""
        self._block.clear()
        self._add(event)

    def _ante(self, line: Statement) -> None:
        amount = self._total_of(line)
        all_in = "all_in" in line or line.rule.event == "all_in"
        self._paid[line.seat] += amount
        self._add(Ante(line.seat, amount, all_in, **line.place))

    def _street_line(self, line: Statement) -> None:
        """A heading; where streets are told by the deals, it may be one street behind."""
        if "card" in line:
            self._start_street(SEVENTH, line)
        elif not self._by_deals:
            self._start_street(line.street(), line)

    def _blocks_line(self, line: Statement) -> None:
        self._by_deals = True
        self._start_street(THIRD, line)

    def _start_street(self, street: int, line: Statement) -> None:
        self._street = street
        self._forced = 0
        self._put_in.clear()
        self._block.clear()
        self._add(StreetStart(street, **line.place))
        for card in line.cards("card"):
            self._add(SharedCard(card, **line.place))

    # Cards

    def _deal(self, line: Statement) -> Misread | None:
        """Cards for a seat; the cards it had before are listed too, hidden ones by some rooms."""
        unreadable = line.unreadable()
        self._note_unreadable(line, unreadable)
        seat, old, new = line.seat, line.cards("old"), line.cards("cards") + line.cards("new")
        if self._by_deals and self._begins_block(seat):
            self._start_street(self._street + 1 if self._street else THIRD, line)
        if "all" in line:
            old, new = self._split(seat, line.cards("all"))
            if not new:
                return None  # Some rooms repeat a hand that has folded.
        self._block.add(seat)
        if self._street == THIRD:
            old, new = (), old + new
        why = self._miscounted(len(new)) or self._mistaken(seat, old, len(unreadable))
        if why:
            return why
        self._mend(seat, old)
        exposed = {card for card in old if card is not None} - self._seen.get(seat, set())
        if exposed:
            self._reveal(Show(seat, tuple(c for c in old if c is not None), **line.place))
        self._note_deal(seat, new)
        if self._house.one_by_one and self._street == THIRD:
            new = self._gathered(seat, new, line)
        if new:
            down, up = self._faces(new)
            self._shown_up.setdefault(seat, set()).update(card for card in up if card is not None)
            self._add(Deal(seat, down, up, **line.place))
        return None

    def _gathered(
        self, seat: int, new: Sequence[MaybeCard], line: Statement
    ) -> tuple[MaybeCard, ...]:
        """The first three cards of a seat once they are all there, until then none."""
        _, before = self._coming.pop(seat, (line, []))
        cards = [*before, *new]
        if len(cards) >= 3:
            return tuple(cards)
        self._coming[seat] = line, cards
        return ()

    def _note_unreadable(self, line: Statement, words: Sequence[tuple[int, str]]) -> None:
        """Note the words that are no cards; they are read as cards that nobody saw."""
        expected = f"a card such as {self._house.cards.text(EXAMPLE_CARDS[:1])}"
        for column, word in words:
            why = Misread(column, f"the card {word!r} cannot be read", expected)
            self.unreadable.append((line, why))
        self._damaged[line.seat] += len(words)

    def _mend(self, seat: int, old: Sequence[MaybeCard]) -> None:
        """Fill in upcards that could not be read, from a list of the cards that a seat had."""
        deals = [n for n, e in enumerate(self.events) if isinstance(e, Deal) and e.seat == seat]
        if not self._damaged[seat] or len(old) < len(deals):
            return
        for n, card in zip(deals, old[len(old) - len(deals) :], strict=True):
            deal = self.events[n]
            if isinstance(deal, Deal) and deal.up == (None,) and card is not None:
                self.events[n] = replace(deal, up=(card,))
                self._seen.setdefault(seat, set()).add(card)
                self._shown_up.setdefault(seat, set()).add(card)

    def _note_deal(self, seat: int, new: Sequence[MaybeCard]) -> None:
        seen = self._seen.setdefault(seat, set())
        seen.update(card for card in new if card is not None)
        self._dealt[seat] += len(new)
        told = len(seen) + self._damaged[seat]
        if self._street == THIRD and self._dealt[seat] == told == 3:
            self.full_deals.append(seat)

    def _split(
        self, seat: int, cards: tuple[MaybeCard, ...]
    ) -> tuple[tuple[MaybeCard, ...], tuple[MaybeCard, ...]]:
        """A list of all cards of a seat as those it had and those it gets now."""
        return cards[: self._dealt[seat]], cards[self._dealt[seat] :]

    def _begins_block(self, seat: int) -> bool:
        """Whether a deal is the first of a street that nothing else announces."""
        if not self._street:
            return True
        if self._house.one_by_one and self._street == THIRD and self._dealt[seat] < 3:
            return False
        return seat in self._block if self._block else bool(self._dealt)

    def _miscounted(self, n: int) -> Misread | None:
        """The problem of a number of cards that no player gets on the street."""
        if self._street == 0:
            return Misread(1, "a card is dealt before 3rd street", "the beginning of 3rd street")
        if self._street > SEVENTH:
            return Misread(1, "a card is dealt after 7th street", "no more cards")
        due = (1, 3) if self._street == THIRD else (1,)
        if n in due:
            return None
        where = f"on {STREET_NAMES[self._street]} street"
        expected = "an upcard, or two downcards and an upcard" if len(due) > 1 else "one new card"
        return Misread(1, f"{n} cards dealt to one player {where}", expected)

    def _mistaken(self, seat: int, old: Sequence[MaybeCard], unreadable: int) -> Misread | None:
        """The problem of a list of earlier cards that lacks more of them than are unreadable."""
        missing = self._seen.get(seat, set()) - set(old)
        if not old or len(missing) <= unreadable:
            return None
        told = f"{cards_text(old)} is not what this player was dealt before"
        return Misread(1, told, f"{cards_text(sorted(missing))} among it")

    def _faces(
        self, new: Sequence[MaybeCard]
    ) -> tuple[tuple[MaybeCard, ...], tuple[MaybeCard, ...]]:
        """Newly dealt cards as downcards and upcards."""
        if self._street == SEVENTH:
            return (new[0],), ()
        if self._street > THIRD:
            return (), (new[0],)
        return tuple(new[:-1]) or (None, None), (new[-1],)

    def _bet(self, line: Statement) -> None:
        """Chips that go in: amounts are brought to what the history's events count."""
        seat, all_in = line.seat, "all_in" in line
        before, level = self._put_in[seat], max(self._put_in.values(), default=0)
        to = self._total_of(line)
        event, double = line.rule.event, "double" in line
        raised_by = {"increase": to - level, "added": to - before}.get(self._house.raised_by)
        if "by" in line and raised_by is not None and self._money(line, "by") != raised_by:
            self._contradict(line, "by", self._unit.text(raised_by))
        if event == "all_in":
            event, all_in = _meaning(to, level), True
        if event == "bring_in":
            self._forced = to
            self._act(BringIn(seat, to - before, all_in, **line.place))
        elif event == "call":
            self._act(Call(seat, to - before, all_in, **line.place))
        elif event == "bet" or (event == "complete" and not level):
            self._act(Bet(seat, to - before, all_in, double, **line.place))
        else:
            self._act(RaiseTo(seat, to, all_in, double, **line.place))
        self._put_in[seat] = to
        self._paid[seat] += to - before

    def _all_in(self, line: Statement) -> None:
        """All chips, in some rooms the word for an ante too."""
        if self._street:
            self._bet(line)
        else:
            self._ante(line)

    def _total_of(self, line: Statement) -> int:
        """What a player has put in on the street with the chips that a line tells of."""
        if "to" not in line:
            return self._put_in[line.seat] + self._money(line, "added")
        to = self._money(line, "to")
        below = "by" in line and self._money(line, "by") < 0
        # A raise by less than nothing may leave the bring-in out of its total (Winamax, 2016).
        return to + self._forced if below and to % self._small else to

    def _check(self, line: Statement) -> None:
        self._act(Check(line.seat, **line.place))

    def _fold(self, line: Statement) -> None:
        self._act(Fold(line.seat, **line.place))

    def _uncalled(self, line: Statement) -> None:
        self._add(Uncalled(line.seat, self._money(line, "amount"), **line.place))

    # The end

    def _show(self, line: Statement) -> None:
        self._reveal(self._hand(line, Show))

    def _muck(self, line: Statement) -> None:
        self._reveal(self._hand(line, Muck))

    def _hand(self, line: Statement, kind: type[Show | Muck]) -> Show | Muck:
        """Cards that become known; where rooms list downcards in any order, any may be the last.

        Of such a hand that is not whole the upcards alone are sure.
        """
        seat, cards = line.seat, line.cards("cards")
        whole = len(cards) == 7
        up = self._shown_up.get(seat, set())
        told = self._house.cards.shown_in_order or self._seen.get(seat, set()) > up
        if told or whole or not up:
            return kind(seat, cards, any_order=whole and not told, **line.place)
        self._add(Remark(line.text.strip(), **line.place))
        return kind(seat, tuple(card if card in up else None for card in cards), **line.place)

    def _reveal(self, event: Show | Muck) -> None:
        self._seen.setdefault(event.seat, set()).update(c for c in event.cards if c is not None)
        self._add(event)

    def _collect(self, line: Statement) -> None:
        if "of" in line:
            self._pots += self._money(line, "of")
        amount = self._money(line, "amount")
        self._add(Collect(line.seat, amount, line.word("pot"), **line.place))

    def _total(self, line: Statement) -> None:
        amount = self._money(line, "amount")
        self._add(TotalPot(amount, self._house.pot_before_rake, **line.place))
        self._rake(line)

    def _rake(self, line: Statement) -> None:
        """What the house keeps: the rake, and fees for a jackpot."""
        taken = [self._money(line, name) for name in ("rake", "fee") if name in line]
        if taken:
            self._add(Rake(sum(taken), **line.place))

    def _net(self, line: Statement) -> None:
        self._nets[line.seat] = line
        self._balances.append(line)

    def _revealed(self, line: Statement) -> None:
        """The cards of a seat in the summary: an event only if the play did not show them."""
        cards = [card for card in line.cards("cards") if card is not None]
        shown, seen = set(cards), self._seen.get(line.seat, set())
        if shown - seen:
            self._reveal(self._hand(line, Muck if "mucked" in line else Show))
        elif len(shown) < len(cards) or (len(cards) == 7 and shown != seen):
            self._contradict(line, "cards", f"{cards_text(sorted(seen))} by the play")
        self._balances.append(line)

    def _won(self, line: Statement) -> None:
        amount = self._money(line, "amount")
        if amount:
            self._summary.append(Collect(line.seat, amount, **line.place))
        self._revealed(line)

    def _remark(self, line: Statement) -> None:
        self._add(Remark(line.word("remark") or line.text.strip(), **line.place))


def _meaning(to: int, level: int) -> str:
    """What an all-in is that brings a seat to a total while the street's bet is at a level."""
    if level == 0:
        return "bet"
    return "call" if to <= level else "raise"


_AFTER_A_DEAL = ("check", "bet", "call", "raise", "complete", "fold", "all_in", "show", "muck")

_HANDLERS: Mapping[str, Callable[[Play, Statement], Misread | None]] = {
    "ante": Play._ante,
    "street": Play._street_line,
    "blocks": Play._blocks_line,
    "deal": Play._deal,
    "bring_in": Play._bet,
    "bet": Play._bet,
    "call": Play._bet,
    "raise": Play._bet,
    "complete": Play._bet,
    "all_in": Play._all_in,
    "check": Play._check,
    "fold": Play._fold,
    "uncalled": Play._uncalled,
    "show": Play._show,
    "muck": Play._muck,
    "collect": Play._collect,
    "total": Play._total,
    "rake": Play._rake,
    "net": Play._net,
    "revealed": Play._revealed,
    "won": Play._won,
    "remark": Play._remark,
}
"""What each event does to the play; the others tell it nothing."""

MAX_LINE = 500
"""Longer lines are no log lines; to match them could take for ever."""

_PLAY = re.compile(
    r"\[ *(?:10|[2-9TJQKA])[cdhs][ ,\]]"  # cards in brackets
    r"|(?:^|[\s(])[^\w\s]?\d[\d.,]*(?:\)|$| and is all[- ]in$)"  # (30), or an amount at the end
    r"|[$€£]\d"
)
"""What gives away that a line without a known form speaks of the play."""

_SHARE = re.compile(rf" \(([^\w\s]?{NUMBER_PATTERN}[^\w\s]?)\)(?:, |$)")
"""What stands behind the name of a winner in a list of them."""


Line = Statement
"""A line that was understood."""


@dataclass(slots=True)
class Seating:
    """The players of a hand, by name or, where a room has no names, by seat."""

    numbers: set[int] = field(default_factory=set)
    names: dict[str, int] = field(default_factory=dict)
    _tangled: bool = False

    def add(self, number: int, name: str) -> None:
        """Seat a player; ``name`` is empty in a room without names."""
        self.numbers.add(number)
        if name:
            # A name inside another one: only the longest that fits may count.
            self._tangled |= any(name in other or other in name for other in self.names)
            self.names[name] = number

    def find(self, rule: LineRule, line: str) -> tuple[re.Match[str], int] | None:
        """The match of a line that has that form, and the player's seat (0 where none is due).

        ``None`` if it has another form or means nobody of this hand. A name may hold the very
        words of the form, so each name is tried wherever it stands in the line, the longest
        first.
        """
        match = rule.match(line)
        if match is None or not rule.actor:
            return match and (match, 0)
        if rule.actor == "seat":
            number = int(match["seat"])
            return (match, number) if number in self.numbers else None
        if not self._tangled and match["player"] in self.names:
            return match, self.names[match["player"]]
        for name, masked in self.maskings(line):
            match = rule.match(masked)
            if match and not match["player"].strip(MASK):
                return match, self.names[name]
        return None

    def stranger(self, actor: str, who: str, column: int = 1) -> Misread:
        """The problem of a name, or of a ``seat``, that is nobody's in this hand."""
        if actor == "seat":
            seats = ", ".join(map(str, sorted(self.numbers)))
            return Misread(column, f"nobody sits on seat {who} in this hand", seats)
        message = f"nobody named {who!r} sits in this hand{or_meant(who, self.names)}"
        return Misread(column, message, ", ".join(self.names))

    def mask_first(self, line: str) -> str:
        """The line with the name that it begins with, or the first in it, masked."""
        masked = [text for _, text in self.maskings(line)]
        opening = (text for text in masked if text.startswith(MASK))
        return next(opening, masked[0] if masked else line)

    def begins(self, line: str) -> bool:
        """Whether a line begins with the name of a player."""
        return any(
            line.startswith(name) and not line[len(name) : len(name) + 1].isalnum()
            for name in self.names
        )

    def maskings(self, line: str) -> Iterator[tuple[str, str]]:
        """Each name wherever it stands, the longest first, and the line with it masked."""
        for name in sorted(self.names, key=len, reverse=True):
            start = line.find(name)
            while start >= 0:
                yield name, line[:start] + MASK * len(name) + line[start + len(name) :]
                start = line.find(name, start + 1)


def read_line(
    grammar: Grammar, seating: Seating, part: str, number: int, text: str
) -> Line | Misread | None:
    """What a line says; ``None`` for a line that has no form and says nothing of the play."""
    line = text.rstrip()
    if len(line) > MAX_LINE:
        return _too_long(line)
    play_like = line.startswith(grammar.openings)
    for rule in grammar.by_part[part]:
        # A chat that takes any text must not swallow a misspelt line of play.
        if rule.anchor not in line or (play_like and rule.event == "remark" and not rule.opening):
            continue
        found = seating.find(rule, line)
        if found:
            return Line(number, text, rule, _values(rule, found[0]), found[1])
    deal = _damaged_deal(grammar, seating, part, number, text)
    if deal is not None:
        return deal
    problem = _stranger(grammar, seating, part, line)
    if problem is None and (play_like or seating.begins(line) or _PLAY.search(line)):
        problem = grammar.explain(line, part, seating.mask_first(line))
    return problem


def _damaged_deal(
    grammar: Grammar, seating: Seating, part: str, number: int, text: str
) -> Line | None:
    """What a line says that deals cards of which some cannot be read; ``None`` for another."""
    for rule in grammar.by_part[part]:
        found = None if rule.damaged is None else seating.find(rule.damaged, text.rstrip())
        if rule.damaged is not None and found is not None:
            return Line(number, text, rule.damaged, _values(rule, found[0]), found[1])
    return None


def read_header(grammar: Grammar, number: int, text: str) -> Line | Misread:
    """What the first line of a hand says."""
    line = text.rstrip()
    if len(line) > MAX_LINE:
        return _too_long(line)
    said = _first_form(grammar.headers, number, text, line)
    if said is not None:
        return said
    message = f"this is no first line of a {grammar.title} hand"
    return replace(grammar.explain_header(line), message=message)


def read_about(grammar: Grammar, number: int, text: str) -> Line | None:
    """What a line says that completes a hand's first line; ``None`` if it is no such line."""
    line = text.rstrip()
    return None if len(line) > MAX_LINE else _first_form(grammar.abouts, number, text, line)


def _first_form(rules: Sequence[LineRule], number: int, text: str, line: str) -> Line | None:
    for rule in rules:
        match = rule.match(line)
        if match:
            return Line(number, text, rule, _values(rule, match))
    return None


def split_winners(seating: Seating, line: Line) -> list[tuple[int, str]] | Misread:
    """The seats and amounts of a list such as ``Lena ($1), Mr. X (Y) ($2)``.

    A name ends where its amount begins; of names that begin alike the longest counts.
    """
    rest, shares = line.word("winners"), []
    column = line.text.find(rest) + 1
    while rest:
        named = max(
            (name for name in seating.names if rest.startswith(f"{name} (")), key=len, default=""
        )
        share = _SHARE.match(rest, len(named)) if named else None
        if share is None:
            expected = f"one of {', '.join(seating.names)}, and an amount in brackets"
            return Misread(column, f"{rest!r} says of nobody here what was won", expected)
        shares.append((seating.names[named], share[1]))
        column += share.end()
        rest = rest[share.end() :]
    return shares


def _values(rule: LineRule, match: re.Match[str]) -> dict[str, str]:
    found = {name: value for name, value in match.groupdict().items() if value is not None}
    return {**rule.constants, **found}


def _too_long(line: str) -> Misread:
    return Misread(MAX_LINE + 1, f"a line of {len(line):,} characters", "a line of a log")


def _stranger(grammar: Grammar, seating: Seating, part: str, line: str) -> Misread | None:
    """The problem of a line that has the form of an action by nobody of this hand."""
    for rule in grammar.by_part[part]:
        match = rule.match(line) if rule.actor else None
        if match is None:
            continue
        who = match[rule.actor]
        if rule.actor == "player" and seating.begins(who):
            continue  # The trouble is what stands behind the name.
        return seating.stranger(rule.actor, who, match.start(rule.actor) + 1)
    return None


MAX_SEAT = 10
"""No room has tables with more seats."""

NumberedLine = tuple[int, str]


def problem_at(
    house: House, file: str, line: NumberedLine, why: Misread, end_line: int = 0
) -> Problem:
    """The problem of a line that cannot be read; of a text that is no hand with its last line."""
    where = file, line[0], why.column
    return Problem(*where, why.message, why.expected, line[1].rstrip(), house.name, end_line)


@dataclass(slots=True)
class Sheet:
    """What is gathered of a hand: seats, what was understood and what was not, problems.

    ``header`` is its first statement, ``abouts`` those that complete it. Lines of no form stay
    among ``said`` as they are, for remarks. ``end_line`` is the last line of the hand.
    """

    house: House
    file: str
    header: Statement
    end_line: int
    abouts: list[Statement] = field(default_factory=list)
    seating: Seating = field(default_factory=Seating)
    seats: list[Statement] = field(default_factory=list)
    said: list[Statement | NumberedLine] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def told(self, name: str) -> Statement | None:
        """The statement of the hand's first lines that has a field."""
        return next((one for one in (self.header, *self.abouts) if name in one), None)

    def word(self, name: str) -> str:
        """The text of a field of the first lines, empty when none has it."""
        statement = self.told(name)
        return statement.word(name) if statement else ""

    @property
    def variant(self) -> str:
        """The key of the game that is played."""
        return self.house.variant(self.word("game"))

    @property
    def readable(self) -> bool:
        """Whether it is a game that is read."""
        return VARIANTS[self.variant].readable

    def refuse(self, line: NumberedLine, why: Misread) -> None:
        """Note what is wrong with a line."""
        self.problems.append(problem_at(self.house, self.file, line, why))

    def refuse_statement(self, one: Statement, why: Misread) -> None:
        """Note what is wrong with a statement; columns count from where it begins."""
        column = why.column + one.column - 1
        self.refuse((one.number, one.text), replace(why, column=column))

    def take_seat(self, line: Statement, number: int) -> None:
        """Seat a player, unless the seat or the name is taken."""
        name = line.word("player")
        if not 1 <= number <= MAX_SEAT:
            why = Misread(1, f"there is no seat {number}", f"a seat from 1 to {MAX_SEAT}")
        elif number in self.seating.numbers:
            why = Misread(1, f"seat {number} is listed twice", "another seat")
        elif name in self.seating.names:
            why = Misread(1, f"{name!r} sits here twice", "another player")
        else:
            self.seating.add(number, name)
            self.seats.append(replace(line, seat=number))
            return
        self.refuse_statement(line, why)

    def history(self) -> History:
        """The hand; without seats and events if it is of a game that is not read."""
        if self.told("game") is None:
            why = Misread(1, "nothing says which game this is", "the game's name")
            self.refuse_statement(self.header, why)
        elif self.readable and not self.seats:
            why = Misread(1, "no player sits in this hand", "a line for each seat")
            self.refuse_statement(self.header, why)
        unit = self._unit()
        play = self._play(unit)
        antes = {event.seat: event.amount or 0 for event in play.events if isinstance(event, Ante)}
        # What follows a line that was not understood cannot be relied on; it may stand above it.
        sound = min((problem.line for problem in self.problems), default=self.end_line + 1)
        return History(
            hand_id=self.house.label("hand_id", self.word("hand_id")),
            source=Source(self.file, self.header.number, self.house.name),
            variant=self.variant,
            unit=unit,
            stakes=self._stakes(unit, antes) if self.readable else None,
            seats=tuple(sorted(self._seated(unit, antes), key=lambda seat: seat.number)),
            events=tuple(takewhile(lambda event: event.line < sound, play.events)),
            hero=self._hero(play),
            table=self._table(),
            played_at=self.word("date"),
            problems=tuple(
                sorted(self.problems, key=lambda problem: (problem.line, problem.column))
            ),
            end_line=self.end_line,
            game=self.house.other_games.get(self.word("game"), self.word("game")),
            meant=self.house.meant(self.word("game")),
            unpaid=not any(isinstance(event, Collect) for event in play.events),
            findings=tuple(sorted(self._findings(play), key=lambda found: found.line)),
            tournament=self.word("tournament"),
            bring_in_share=self._bring_in_share(),
        )

    def _findings(self, play: Play) -> Iterator[Problem]:
        for line, why in play.unreadable:
            yield problem_at(self.house, self.file, (line.number, line.text), why)
        for line, why in play.contradictions:
            found = problem_at(self.house, self.file, (line.number, line.text), why)
            yield replace(found, only_strict=True)

    def _understood(self, event: str = "") -> list[Statement]:
        """The statements of the play, or those of them that report an event."""
        found = [one for one in self.said if isinstance(one, Statement)]
        return [one for one in found if one.rule.event == event] if event else found

    def _unit(self) -> Unit:
        """Hundredths when any amount has a fraction or a currency, else whole chips."""
        said = [self.header, *self.abouts, *self.seats, *self._understood()]
        amounts = [amount for one in said for amount in one.amounts()]
        digits = max((-int(amount.as_tuple().exponent) for amount in amounts), default=0)
        symbol = next(filter(None, (one.symbol() for one in said)), "")
        return Unit(max(2, digits) if digits or symbol else 0, symbol)

    def _seated(self, unit: Unit, antes: Mapping[int, int]) -> Iterator[Seat]:
        after_antes = self.told("stacks_after_antes") is not None
        for line in self.seats:
            stack = line.minor("stack", unit) + after_antes * antes.get(line.seat, 0)
            yield Seat(line.seat, line.word("player"), stack, "sitting_out" in line)

    def _table(self) -> str:
        named = next((one.word("table") for one in self._understood("table")), "")
        return self.house.label("table", named or self.word("table"))

    def _play(self, unit: Unit) -> Play:
        stated = self.told("small")
        play = Play(unit, self.house, max(1, stated.minor("small", unit) if stated else 1))
        for one in self.said:
            if isinstance(one, Statement):
                why = play.take(one)
                if why:
                    self.refuse_statement(one, why)
            else:
                play.events.append(Remark(one[1].strip(), known=False, line=one[0]))
        play.finish()
        return play

    def _hero(self, play: Play) -> int | None:
        """The seat that the log marks as its own, or else the only one whose downcards it saw."""
        marked = [one.seat for one in self.seats if "me" in one]
        named = self.seating.names.get(self.word("hero"))
        own = marked or ([named] if named else play.full_deals)
        return own[0] if len(own) == 1 else None

    def _stakes(self, unit: Unit, antes: Mapping[int, int]) -> Stakes | None:
        """The stakes as the first lines have them, with ante and bring-in as they were posted."""
        stated = self.told("small")
        if stated is None or "big" not in stated:
            return None
        house = self.house.house_rules
        small, big = (stated.minor(name, unit) for name in ("small", "big"))
        return Stakes(
            ante=self._ante_asked(unit, antes),
            bring_in=self._bring_in_asked(unit, small),
            bets=(small, small, big, big, big),
            cap=house.cap,
            cap_heads_up=house.cap_heads_up,
            open_pair_doubles=house.open_pair_doubles,
        )

    def _ante_asked(self, unit: Unit, antes: Mapping[int, int]) -> int:
        stated = self.told("ante")
        return stated.minor("ante", unit) if stated else max(antes.values(), default=0)

    def _bring_in_asked(self, unit: Unit, small: int) -> int:
        asked = int(small * self._bring_in_share())
        for line in self._understood("bring_in"):
            amount = line.minor("added", unit)
            # A player who is all-in for the bring-in may have posted less than all of it.
            asked = max(amount, asked) if "all_in" in line else amount
        return asked

    def _bring_in_share(self) -> Fraction:
        """Return the share of the small bet that the room asks of the bring-in."""
        house = self.house.house_rules
        tournament = self.told("tournament") is not None
        return house.tournament_bring_in if tournament else house.cash_bring_in


MAX_LINES = 5_000
"""A hand of more lines is none, and to look at each of them would take for ever."""

_BEGINS_PLAY = ("antes", "ante", "street", "blocks", "deal")


def read_block(grammar: Grammar, file: str, block: Sequence[NumberedLine]) -> Sheet | Problem:
    """The sheet of the lines of a hand; a problem if the first of them is none of a hand's.

    Only the first lines of a hand of a game that is not read are looked at.
    """
    header = read_header(grammar, *block[0])
    if isinstance(header, Misread):
        return problem_at(grammar, file, block[0], header, block[-1][0])
    if len(block) > MAX_LINES:
        why = Misread(1, f"a hand of {len(block):,} lines", "the beginning of the next hand")
        return problem_at(grammar, file, block[0], why, block[-1][0])
    sheet = Sheet(grammar, file, header, block[-1][0])
    rest = list(_without_abouts(sheet, grammar, block[1:]))
    if sheet.readable:
        _read_lines(sheet, grammar, rest)
    return sheet


def _without_abouts(
    sheet: Sheet, grammar: Grammar, lines: Sequence[NumberedLine]
) -> Iterator[NumberedLine]:
    """The lines but for those that complete the first one, which go to the sheet.

    They stand before any player: each takes the first form that it fits, and ends the head.
    """
    head = bool(grammar.abouts)
    for number, text in lines:
        head = head and not _is_seat(grammar, text)
        said = read_about(grammar, number, text) if head else None
        if said is None:
            yield number, text
        else:
            sheet.abouts.append(said)


def _is_seat(grammar: Grammar, text: str) -> bool:
    line = text.rstrip()
    return any(rule.event == "seat" and rule.match(line) for rule in grammar.by_part["head"])


def _read_lines(sheet: Sheet, grammar: Grammar, lines: Sequence[NumberedLine]) -> None:
    """Every line on its own; what it is depends on the part of the hand it stands in."""
    part = "head"
    for number, text in lines:
        said = read_line(grammar, sheet.seating, part, number, text)
        if isinstance(said, Misread):
            sheet.refuse((number, text), said)
        elif said is None:
            sheet.said.append((number, text))
        elif said.rule.event == "seat":
            sheet.take_seat(said, int(said.word("seat")))
        elif "winners" in said:
            _take_winners(sheet, said)
        else:
            part = _part_after(part, said)
            sheet.said.append(said)


def _take_winners(sheet: Sheet, line: Line) -> None:
    """A line that lists who won what is as many statements as it has winners."""
    shares = split_winners(sheet.seating, line)
    if isinstance(shares, Misread):
        sheet.refuse_statement(line, shares)
        return
    for n, (seat, amount) in enumerate(shares):
        values = {**line.values, "amount": amount}
        if n:  # the pot itself is told once
            values.pop("of", None)
        sheet.said.append(replace(line, values=values, seat=seat))


def _part_after(part: str, line: Line) -> str:
    """The part of a hand's text that a line leaves the reader in."""
    if line.rule.event == "summary":
        return "summary"
    return "play" if part == "head" and line.rule.event in _BEGINS_PLAY else part
