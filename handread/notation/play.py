"""From the statements of a hand to its events, in the same way for every room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from handread.cards import Card, MaybeCard, cards_text
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
from handread.notation.house import House
from handread.notation.statement import Misread, Statement
from handread.stud import STREET_NAMES, Unit

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
        self._dealt: Counter[int] = Counter()
        self._coming: dict[int, tuple[Statement, list[MaybeCard]]] = {}
        self._by_deals = house.by_deals
        self._block: set[int] = set()
        self._pots = 0
        self._summary: list[Collect] = []
        self._nets: dict[int, Statement] = {}
        self._balances: list[Statement] = []
        self.contradictions: list[tuple[Statement, Misread]] = []

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
        why = self._miscounted(len(new)) or self._mistaken(seat, old)
        if why:
            return why
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

    def _note_deal(self, seat: int, new: Sequence[MaybeCard]) -> None:
        seen = self._seen.setdefault(seat, set())
        seen.update(card for card in new if card is not None)
        self._dealt[seat] += len(new)
        if self._street == THIRD and self._dealt[seat] == len(seen) == 3:
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

    def _mistaken(self, seat: int, old: Sequence[MaybeCard]) -> Misread | None:
        """The problem of a list of earlier cards that lacks one of them."""
        missing = self._seen.get(seat, set()) - set(old)
        if not old or not missing:
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
