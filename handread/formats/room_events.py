"""Events of a hand from the parsed lines of its log, for rooms that write lines or XML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from handread.cards import Card, MaybeCard, cards_text
from handread.formats.format import LineError
from handread.formats.line_patterns import ParsedLine
from handread.formats.site import SiteProfile
from handread.formats.styles import EXAMPLE_CARDS
from handread.game.rules import STREET_NAMES, Unit
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

THIRD, SEVENTH = 3, 7

_ENDS_DEAL = ("check", "bet", "call", "raise", "complete", "fold", "all_in", "show", "muck")
"""Events before which every player must have been dealt the card of the street."""


class EventBuilder:
    """Build the events of a hand from its lines, one at a time.

    Rooms state amounts in different ways, and some mark streets only by the deals. So the builder
    tracks what each seat has put in and the cards that it has.

    Args:
        unit: Unit of the amounts.
        site: The room's customs.
        small: Small bet in minor units; 1 if it is not known.

    Attributes:
        events: The events so far.
        full_deals: Seats of which the log shows all three cards of 3rd street.
        contradictions: Lines that disagree with the play, with the reason.
        unreadable: Deals with a word that is no card, with the reason.
    """

    def __init__(self, unit: Unit, site: SiteProfile, small: int) -> None:
        self.events: list[Event] = []
        self.full_deals: list[int] = []
        self.contradictions: list[tuple[ParsedLine, LineError]] = []
        self.unreadable: list[tuple[ParsedLine, LineError]] = []
        self._unit = unit
        self._site = site
        self._small = small
        self._street = 0
        self._put_in: Counter[int] = Counter()
        self._forced = 0
        self._paid: Counter[int] = Counter()
        self._seen: dict[int, set[Card]] = {}
        self._shown_up: dict[int, set[Card]] = {}
        self._damaged: Counter[int] = Counter()
        self._dealt: Counter[int] = Counter()
        self._coming: dict[int, tuple[ParsedLine, list[MaybeCard]]] = {}
        self._by_deals = site.by_deals
        self._block: set[int] = set()
        self._pots = 0
        self._summary: list[Collect] = []
        self._nets: dict[int, ParsedLine] = {}
        self._balances: list[ParsedLine] = []

    def take(self, line: ParsedLine) -> None:
        """Add the events of a line; ``LineError`` if it cannot be true at this point."""
        if line.pattern.event in _ENDS_DEAL:
            self._check_all_dealt()
        handler = _HANDLERS.get(line.pattern.event)
        if handler is not None:
            handler(self, line)

    def finish(self) -> None:
        """Add incomplete deals, and winnings that only a summary or net results state."""
        for seat, (line, cards) in self._coming.items():
            self.events.append(Deal(seat, tuple(cards), **line.place))
        if not any(isinstance(event, Collect) for event in self.events):
            self.events += self._summary
        self._add_unlisted_winnings()
        self._check_balances()
        if self._pots:
            last = max((e for e in self.events if isinstance(e, Collect)), key=lambda e: e.line)
            total = TotalPot(self._pots, self._site.pot_before_rake, line=last.line)
            self.events.append(total)

    def _collected(self) -> Counter[int]:
        """Return what each seat has collected."""
        collected: Counter[int] = Counter()
        for event in self.events:
            if isinstance(event, Collect):
                collected[event.seat] += event.amount
        return collected

    def _uncalled_part(self, seat: int) -> int:
        """Return what a seat has put in beyond every other seat."""
        highest, second = [*sorted(self._paid.values(), reverse=True), 0, 0][:2]
        return highest - second if self._paid[seat] == highest else 0

    def _add_unlisted_winnings(self) -> None:
        """Add the pots that the log leaves out, as net results tell; an uncalled bet is no pot."""
        collected = self._collected()
        for seat, line in self._nets.items():
            won = self._paid[seat] + self._money(line, "net") - self._uncalled_part(seat)
            if won > collected[seat]:
                self._add(Collect(seat, won - collected[seat], **line.place))

    def _check_balances(self) -> None:
        """Compare the amounts of summary lines with the play."""
        collected = self._collected()
        for line in self._balances:
            paid, won = self._paid[line.seat], collected[line.seat]
            back = self._uncalled_part(line.seat)
            net = abs(won + back - paid)
            told = {"amount": (won,), "collects": (won, won + back), "bets": (paid - back,)}
            # A room may count the uncalled bet both as won and as put in.
            told |= {"wins": (net,), "loses": (net,), "net": (won + back - paid, won - paid)}
            for name, amounts in told.items():
                if name in line and self._money(line, name) not in amounts:
                    self._contradict(line, name, f"{self._unit.text(amounts[0])} by the play")

    def _contradict(self, line: ParsedLine, name: str, expected: str) -> None:
        """Note that a field disagrees with the play."""
        message = f"{line.word(name)!r} is not what the play tells"
        self.contradictions.append((line, LineError(message, expected, line.column_of(name))))

    def _check_all_dealt(self) -> None:
        """Raise ``LineError`` if the deal of 7th street left out a player.

        Where deals alone mark the streets, no heading says that all have their 7th card.
        """
        if not (self._by_deals and self._street == SEVENTH and self._block):
            return
        folded = {event.seat for event in self.events if isinstance(event, Fold)}
        lacking = sorted(set(self._dealt) - folded - self._block)
        self._block.clear()
        if lacking:
            message = f"seat {lacking[0]} gets no card on 7th street"
            raise LineError(message, "a card for each player")

    def _money(self, line: ParsedLine, name: str) -> int:
        return line.minor(name, self._unit)

    def _add(self, event: Event) -> None:
        self.events.append(event)

    def _act(self, event: Event) -> None:
        """Add an action; a deal after it begins a new block of deals."""
        self._block.clear()
        self._add(event)

    def _ante(self, line: ParsedLine) -> None:
        amount = self._total_of(line)
        all_in = "all_in" in line or line.pattern.event == "all_in"
        self._paid[line.seat] += amount
        self._add(Ante(line.seat, amount, all_in, **line.place))

    def _street_line(self, line: ParsedLine) -> None:
        """Take a street heading; where deals mark the streets, it may be one street behind."""
        if "card" in line:
            self._start_street(SEVENTH, line)
        elif not self._by_deals:
            self._start_street(line.street(), line)

    def _blocks_line(self, line: ParsedLine) -> None:
        self._by_deals = True
        self._start_street(THIRD, line)

    def _start_street(self, street: int, line: ParsedLine) -> None:
        self._street = street
        self._forced = 0
        self._put_in.clear()
        self._block.clear()
        self._add(StreetStart(street, **line.place))
        for card in line.cards("card"):
            self._add(SharedCard(card, **line.place))

    # Cards

    def _deal(self, line: ParsedLine) -> None:
        """Deal cards to a seat; the line may repeat earlier cards, some rooms as hidden ones."""
        unreadable = line.unreadable()
        self._note_unreadable(line, unreadable)
        seat, old, new = line.seat, line.cards("old"), line.cards("cards") + line.cards("new")
        if self._by_deals and self._begins_block(seat):
            self._start_street(self._street + 1 if self._street else THIRD, line)
        if "all" in line:
            cards, before = line.cards("all"), self._dealt[seat]
            old, new = cards[:before], cards[before:]
            if not new:
                return  # Some rooms repeat a hand that has folded.
        self._block.add(seat)
        if self._street == THIRD:
            old, new = (), old + new
        self._check_count(len(new))
        self._check_earlier_cards(seat, old, len(unreadable))
        self._fill_in(seat, old)
        known = tuple(card for card in old if card is not None)
        if set(known) - self._seen.get(seat, set()):
            self._reveal(Show(seat, known, **line.place))
        self._note_deal(seat, new)
        if self._site.one_by_one and self._street == THIRD:
            new = self._gathered(seat, new, line)
        if new:
            down, up = self._faces(new)
            self._shown_up.setdefault(seat, set()).update(card for card in up if card is not None)
            self._add(Deal(seat, down, up, **line.place))

    def _gathered(
        self, seat: int, new: Sequence[MaybeCard], line: ParsedLine
    ) -> tuple[MaybeCard, ...]:
        """Return the first three cards of a seat once all have been dealt, none before."""
        _, before = self._coming.pop(seat, (line, []))
        cards = [*before, *new]
        if len(cards) >= 3:
            return tuple(cards)
        self._coming[seat] = line, cards
        return ()

    def _note_unreadable(self, line: ParsedLine, words: Sequence[tuple[int, str]]) -> None:
        """Note the words that are no cards; they count as cards that nobody saw."""
        expected = f"a card such as {self._site.cards.text(EXAMPLE_CARDS[:1])}"
        for column, word in words:
            why = LineError(f"the card {word!r} cannot be read", expected, column)
            self.unreadable.append((line, why))
        self._damaged[line.seat] += len(words)

    def _fill_in(self, seat: int, old: Sequence[MaybeCard]) -> None:
        """Fill in upcards that could not be read, from a list of a seat's earlier cards."""
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

    def _begins_block(self, seat: int) -> bool:
        """Return True for the first deal of a street that no heading announces."""
        if not self._street:
            return True
        if self._site.one_by_one and self._street == THIRD and self._dealt[seat] < 3:
            return False
        return seat in self._block if self._block else bool(self._dealt)

    def _check_count(self, n: int) -> None:
        """Raise ``LineError`` for a number of cards that no player gets on this street."""
        if self._street == 0:
            raise LineError("a card is dealt before 3rd street", "the beginning of 3rd street")
        if self._street > SEVENTH:
            raise LineError("a card is dealt after 7th street", "no more cards")
        third = self._street == THIRD
        if n != 1 and not (third and n == 3):
            message = f"{n} cards dealt to one player on {STREET_NAMES[self._street]} street"
            expected = "an upcard, or two downcards and an upcard" if third else "one new card"
            raise LineError(message, expected)

    def _check_earlier_cards(self, seat: int, old: Sequence[MaybeCard], unreadable: int) -> None:
        """Raise ``LineError`` if a list of earlier cards lacks more of them than are unreadable."""
        missing = self._seen.get(seat, set()) - set(old)
        if old and len(missing) > unreadable:
            message = f"{cards_text(old)} is not what this player was dealt before"
            raise LineError(message, f"{cards_text(sorted(missing))} among it")

    def _faces(
        self, new: Sequence[MaybeCard]
    ) -> tuple[tuple[MaybeCard, ...], tuple[MaybeCard, ...]]:
        """Split newly dealt cards into downcards and upcards."""
        if self._street == SEVENTH:
            return (new[0],), ()
        if self._street > THIRD:
            return (), (new[0],)
        return tuple(new[:-1]) or (None, None), (new[-1],)

    def _bet(self, line: ParsedLine) -> None:
        """Add a bet, with its amount as events count it: chips added, or the total of a raise."""
        seat, all_in = line.seat, "all_in" in line
        before, level = self._put_in[seat], max(self._put_in.values(), default=0)
        to = self._total_of(line)
        event, double = line.pattern.event, "double" in line
        raised_by = {"increase": to - level, "added": to - before}.get(self._site.raised_by)
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

    def _all_in(self, line: ParsedLine) -> None:
        """Take an all-in; before 3rd street it is an ante."""
        if self._street:
            self._bet(line)
        else:
            self._ante(line)

    def _total_of(self, line: ParsedLine) -> int:
        """Return what the player has put in on this street after the line."""
        if "to" not in line:
            return self._put_in[line.seat] + self._money(line, "added")
        to = self._money(line, "to")
        below = "by" in line and self._money(line, "by") < 0
        # A raise by less than nothing may leave the bring-in out of its total (Winamax, 2016).
        return to + self._forced if below and to % self._small else to

    def _check(self, line: ParsedLine) -> None:
        self._act(Check(line.seat, **line.place))

    def _fold(self, line: ParsedLine) -> None:
        self._act(Fold(line.seat, **line.place))

    def _uncalled(self, line: ParsedLine) -> None:
        self._add(Uncalled(line.seat, self._money(line, "amount"), **line.place))

    # The end

    def _show(self, line: ParsedLine) -> None:
        self._reveal(self._hand(line, Show))

    def _muck(self, line: ParsedLine) -> None:
        self._reveal(self._hand(line, Muck))

    def _hand(self, line: ParsedLine, kind: type[Show | Muck]) -> Show | Muck:
        """Return the show or muck of a line.

        Where a room lists downcards in any order, only the upcards of an incomplete hand count.
        """
        seat, cards = line.seat, line.cards("cards")
        whole = len(cards) == 7
        up = self._shown_up.get(seat, set())
        told = self._site.cards.shown_in_order or self._seen.get(seat, set()) > up
        if told or whole or not up:
            return kind(seat, cards, any_order=whole and not told, **line.place)
        self._add(Remark(line.text.strip(), **line.place))
        return kind(seat, tuple(card if card in up else None for card in cards), **line.place)

    def _reveal(self, event: Show | Muck) -> None:
        self._seen.setdefault(event.seat, set()).update(c for c in event.cards if c is not None)
        self._add(event)

    def _collect(self, line: ParsedLine) -> None:
        if "of" in line:
            self._pots += self._money(line, "of")
        amount = self._money(line, "amount")
        self._add(Collect(line.seat, amount, line.word("pot"), **line.place))

    def _total(self, line: ParsedLine) -> None:
        amount = self._money(line, "amount")
        self._add(TotalPot(amount, self._site.pot_before_rake, **line.place))
        self._rake(line)

    def _rake(self, line: ParsedLine) -> None:
        """Add what the room keeps: the rake and jackpot fees."""
        taken = [self._money(line, name) for name in ("rake", "fee") if name in line]
        if taken:
            self._add(Rake(sum(taken), **line.place))

    def _net(self, line: ParsedLine) -> None:
        self._nets[line.seat] = line
        self._balances.append(line)

    def _revealed(self, line: ParsedLine) -> None:
        """Take the cards of a seat in the summary; new ones are a show or a muck."""
        cards = [card for card in line.cards("cards") if card is not None]
        shown, seen = set(cards), self._seen.get(line.seat, set())
        if shown - seen:
            self._reveal(self._hand(line, Muck if "mucked" in line else Show))
        elif len(shown) < len(cards) or (len(cards) == 7 and shown != seen):
            self._contradict(line, "cards", f"{cards_text(sorted(seen))} by the play")
        self._balances.append(line)

    def _won(self, line: ParsedLine) -> None:
        amount = self._money(line, "amount")
        if amount:
            self._summary.append(Collect(line.seat, amount, **line.place))
        self._revealed(line)

    def _remark(self, line: ParsedLine) -> None:
        self._add(Remark(line.word("remark") or line.text.strip(), **line.place))


def _meaning(to: int, level: int) -> str:
    """Return the event of an all-in to a street total when the highest bet is ``level``."""
    if level == 0:
        return "bet"
    return "call" if to <= level else "raise"


_HANDLERS: Mapping[str, Callable[[EventBuilder, ParsedLine], None]] = {
    "ante": EventBuilder._ante,
    "street": EventBuilder._street_line,
    "blocks": EventBuilder._blocks_line,
    "deal": EventBuilder._deal,
    "bring_in": EventBuilder._bet,
    "bet": EventBuilder._bet,
    "call": EventBuilder._bet,
    "raise": EventBuilder._bet,
    "complete": EventBuilder._bet,
    "all_in": EventBuilder._all_in,
    "check": EventBuilder._check,
    "fold": EventBuilder._fold,
    "uncalled": EventBuilder._uncalled,
    "show": EventBuilder._show,
    "muck": EventBuilder._muck,
    "collect": EventBuilder._collect,
    "total": EventBuilder._total,
    "rake": EventBuilder._rake,
    "net": EventBuilder._net,
    "revealed": EventBuilder._revealed,
    "won": EventBuilder._won,
    "remark": EventBuilder._remark,
}
"""The method for each event; other events add nothing to the play."""
