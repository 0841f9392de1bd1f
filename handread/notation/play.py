"""From the understood lines of a hand to its events, in the same way for every room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from handread.cards import Card, cards_text
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
    Muck,
    RaiseTo,
    Rake,
    Remark,
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
)
from handread.notation.lines import Line, Misread
from handread.stud import STREET_NAMES, Unit

THIRD, SEVENTH = 3, 7


class Play:
    """A hand as its lines come in: the events so far and the little that they build on.

    Rooms name amounts in different ways and some tell the streets by the deals alone, so the
    chips that each seat has put in on the street and the cards it has are kept along.
    """

    def __init__(self, unit: Unit, pot_before_rake: bool) -> None:
        self.events: list[Event] = []
        self.full_deals: list[int] = []
        self._unit = unit
        self._pot_before_rake = pot_before_rake
        self._street = 0
        self._put_in: Counter[int] = Counter()
        self._seen: dict[int, set[Card]] = {}
        self._by_blocks = False
        self._block: set[int] = set()
        self._summary: list[Collect] = []

    def finish(self) -> None:
        """Take the winnings from the summary if the play did not tell them."""
        if not any(isinstance(event, Collect) for event in self.events):
            self.events += self._summary

    def take(self, line: Line) -> Misread | None:
        """Note what a line reports; what is wrong with it if it cannot be."""
        handler = _HANDLERS.get(line.rule.event)
        return handler(self, line) if handler else None

    def _money(self, line: Line, name: str) -> int:
        return line.minor(name, self._unit)

    def _add(self, event: Event) -> None:
        self.events.append(event)

    def _act(self, event: Event) -> None:
        """An action; a deal after it begins a new block."""
        self._block.clear()
        self._add(event)

    def _ante(self, line: Line) -> None:
        amount = self._money(line, "added")
        self._add(Ante(line.seat, amount, "all_in" in line, line=line.number))

    def _street_line(self, line: Line) -> None:
        self._start_street(int(line.word("street")[0]), line)

    def _blocks_line(self, line: Line) -> None:
        self._by_blocks = True
        self._start_street(THIRD, line)

    def _start_street(self, street: int, line: Line) -> None:
        self._street = street
        self._put_in.clear()
        self._block.clear()
        self._add(StreetStart(street, line=line.number))
        for card in line.cards("card"):
            self._add(SharedCard(card, line=line.number))

    def _deal(self, line: Line) -> Misread | None:
        """Cards for a seat; the cards it had before are listed too, hidden ones by some rooms."""
        seat, old, new = line.seat, line.cards("old"), line.cards("cards") + line.cards("new")
        if self._by_blocks and self._begins_block(seat):
            self._start_street(self._street + 1, line)
        self._block.add(seat)
        if self._street == THIRD:
            old, new = (), old + new
        why = self._miscounted(len(new))
        if why:
            return why
        missing = self._seen.get(seat, set()) - set(old)
        if old and missing:
            told = f"{cards_text(old)} is not what this player was dealt before"
            return Misread(1, told, f"{cards_text(sorted(missing))} among it")
        if set(old) - self._seen.get(seat, set()):
            self._reveal(Show(seat, old, line=line.number))
        self._seen.setdefault(seat, set()).update(new)
        if len(new) == 3:
            self.full_deals.append(seat)
        self._add(Deal(seat, *self._faces(new), line=line.number))
        return None

    def _begins_block(self, seat: int) -> bool:
        """Whether a deal is the first of a street that nothing else announces."""
        return seat in self._block if self._block else bool(self._seen)

    def _miscounted(self, n: int) -> Misread | None:
        """The problem of a number of cards that no player gets on the street."""
        if self._street == 0:
            return Misread(1, "a card is dealt before 3rd street", "the beginning of 3rd street")
        due = (1, 3) if self._street == THIRD else (1,)
        if n in due:
            return None
        where = f"on {STREET_NAMES.get(self._street, 'an 8th')} street"
        expected = "an upcard, or two downcards and an upcard" if len(due) > 1 else "one new card"
        return Misread(1, f"{n} cards dealt to one player {where}", expected)

    def _faces(self, new: Sequence[Card]) -> tuple[tuple[Card | None, ...], tuple[Card, ...]]:
        """Newly dealt cards as downcards and upcards."""
        if self._street == THIRD:
            return tuple(new[:-1]) or (None, None), (new[-1],)
        return ((new[0],), ()) if self._street == SEVENTH else ((), (new[0],))

    def _bet(self, line: Line) -> None:
        """Chips that go in: amounts are brought to what the history's events count."""
        seat, number, all_in = line.seat, line.number, "all_in" in line
        before, level = self._put_in[seat], max(self._put_in.values(), default=0)
        to = self._money(line, "to") if "to" in line else before + self._money(line, "added")
        event, double = line.rule.event, "double" in line
        if event == "all_in":
            event, all_in = _meaning(to, level), True
        if event == "bring_in":
            self._act(BringIn(seat, to - before, all_in, line=number))
        elif event == "call":
            self._act(Call(seat, to - before, all_in, line=number))
        elif event == "bet" or (event == "complete" and not level):
            self._act(Bet(seat, to - before, all_in, double, line=number))
        else:
            self._act(RaiseTo(seat, to, all_in, double, line=number))
        self._put_in[seat] = to

    def _check(self, line: Line) -> None:
        self._act(Check(line.seat, line=line.number))

    def _fold(self, line: Line) -> None:
        self._act(Fold(line.seat, line=line.number))

    def _uncalled(self, line: Line) -> None:
        self._add(Uncalled(line.seat, self._money(line, "amount"), line=line.number))

    def _show(self, line: Line) -> None:
        self._reveal(Show(line.seat, line.cards("cards"), line=line.number))

    def _muck(self, line: Line) -> None:
        self._reveal(Muck(line.seat, line.cards("cards"), line=line.number))

    def _reveal(self, event: Show | Muck) -> None:
        self._seen.setdefault(event.seat, set()).update(c for c in event.cards if c is not None)
        self._add(event)

    def _collect(self, line: Line) -> None:
        amount = self._money(line, "amount")
        self._add(Collect(line.seat, amount, line.word("pot"), line=line.number))

    def _total(self, line: Line) -> None:
        amount = self._money(line, "amount")
        self._add(TotalPot(amount, self._pot_before_rake, line=line.number))
        if "rake" in line:
            self._add(Rake(self._money(line, "rake"), line=line.number))

    def _revealed(self, line: Line) -> None:
        """The cards of a seat in the summary: an event only if the play did not show them."""
        cards = line.cards("cards")
        if set(cards) - self._seen.get(line.seat, set()):
            event = Muck if "mucked" in line else Show
            self._reveal(event(line.seat, cards, line=line.number))

    def _won(self, line: Line) -> None:
        amount = self._money(line, "amount")
        self._summary.append(Collect(line.seat, amount, line=line.number))
        self._revealed(line)

    def _remark(self, line: Line) -> None:
        self._add(Remark(line.text.strip(), line=line.number))


def _meaning(to: int, level: int) -> str:
    """What an all-in is that brings a seat to a total while the street's bet is at a level."""
    if level == 0:
        return "bet"
    return "call" if to <= level else "raise"


_HANDLERS: Mapping[str, Callable[[Play, Line], Misread | None]] = {
    "ante": Play._ante,
    "street": Play._street_line,
    "blocks": Play._blocks_line,
    "deal": Play._deal,
    "bring_in": Play._bet,
    "bet": Play._bet,
    "call": Play._bet,
    "raise": Play._bet,
    "complete": Play._bet,
    "all_in": Play._bet,
    "check": Play._check,
    "fold": Play._fold,
    "uncalled": Play._uncalled,
    "show": Play._show,
    "muck": Play._muck,
    "collect": Play._collect,
    "total": Play._total,
    "revealed": Play._revealed,
    "won": Play._won,
    "remark": Play._remark,
}
"""What each event does to the play; the others tell it nothing."""
