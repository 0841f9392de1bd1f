"""The play of a hand as lines of a room's log, event by event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from handread.cards import Card, MaybeCard
from handread.history import (
    Action,
    Ante,
    Bet,
    BringIn,
    Call,
    Check,
    Deal,
    Event,
    Fold,
    History,
    Muck,
    RaiseTo,
    SharedCard,
    Show,
    StreetStart,
    Uncalled,
    known_downcards,
)
from handread.notation.ledger import Ledger
from handread.notation.room_pen import YES, Pen, Printed
from handread.stud import STREET_NAMES

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
