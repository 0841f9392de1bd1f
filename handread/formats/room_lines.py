"""Print the play of a hand in the lines of a poker room."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import handread.history as hh
from handread.cards import Card, MaybeCard
from handread.formats.room_print import YES, LinePrinter, Printed
from handread.game.replay import written_out
from handread.game.rules import STREET_NAMES, variant_of
from handread.game.steps import Replay, Step, put_in
from handread.game.table import Table
from handread.known_cards import known_downcards


@dataclass(slots=True)
class _ToldCards:
    """Cards of a seat that the printed log has shown so far.

    ``n_first`` is the number of downcards of the first street. ``loose`` are three downcards, any
    of which may have come last.
    """

    n_first: int = 2
    down: list[Card] = field(default_factory=list)
    up: list[Card] = field(default_factory=list)
    river: list[Card] = field(default_factory=list)
    loose: list[Card] = field(default_factory=list)

    @property
    def cards(self) -> list[Card]:
        """All cards shown, in dealt order; downcards come first if their order is not known."""
        return [*(self.loose or self.down), *self.up, *self.river]

    @property
    def hand(self) -> list[Card]:
        """All cards shown, if they include the downcards of the first street; else none."""
        return self.cards if self.loose or len(self.down) == self.n_first else []

    @property
    def slots(self) -> list[MaybeCard]:
        """All cards of the seat before a last downcard, including unseen ones."""
        return [*(self.down or (None,) * self.n_first), *self.up]

    def add_hidden(self, cards: Sequence[Card]) -> None:
        """Add cards that are shown: the first downcards, then the river, if they are new."""
        for card in cards:
            if card not in self.cards:
                (self.down if len(self.down) < self.n_first else self.river).append(card)


class PlayLines:
    """Print the lines of the play, tracking the cards that they have shown.

    ``blind`` are seats with an unseen upcard. ``showed`` is True, for each seat that had to show or
    muck, if it showed its hand.
    """

    def __init__(self, printer: LinePrinter, played: Replay) -> None:
        events = played.moves
        shared = [event.card for event in events if isinstance(event, hh.SharedCard)]
        if None in shared:
            raise ValueError("a log cannot hold a shared card that nobody saw")
        self.printer = printer
        self.shared = [card for card in shared if card is not None]
        self.game = variant_of(played.history.variant)
        n_first = self.game.streets[0].down
        self.told = {seat.number: _ToldCards(n_first) for seat in played.history.seats}
        # A hand shown in any order loses the dealt order, so the deals must list its downcards.
        in_order = printer.grammar.cards.shown_in_order
        self.foreseen = {} if in_order else known_downcards(written_out(played))
        deals = [event for event in events if isinstance(event, hh.Deal)]
        self.blind = {deal.seat for deal in deals if None in deal.up}
        posted = [event for event in events if isinstance(event, hh.Ante)]
        self.antes = {ante.seat: ante.amount or 0 for ante in posted}
        self.showed: dict[int, bool] = {}

    def lines(self, step: Step) -> list[Printed]:
        """Return the lines of a step, if the log has any; ``ValueError`` for one without a form."""
        if isinstance(step.event, hh.Deal):
            return self._deal(step.event, step.after.street)
        line = self._line(step)
        return [] if line is None else [line]

    def _line(self, step: Step) -> Printed | None:
        match step.event:
            case hh.StreetStart(street=street):
                return self._start_street(street)
            case hh.Wager(seat=seat, action=hh.Action.CHECK | hh.Action.FOLD as action):
                return self.printer.must(action, {}, seat)
            case hh.Show() | hh.Muck() as event:
                return self.reveal(event, step.after)
            case hh.Ante() as event:
                return self._ante(event)
            case hh.Wager() as event:
                return self._bet(event, step)
        return None

    def see(self, event: hh.Show | hh.Muck) -> list[Card]:
        """Track the cards that a seat shows or that a summary reveals, and return them."""
        cards, told = [card for card in event.cards if card is not None], self.told[event.seat]
        hidden = [card for card in cards if card not in self.shared]
        if not event.any_order or len(told.down) == told.n_first or self.shared:
            told.add_hidden(hidden)
        else:
            told.loose = [card for card in hidden if card not in told.up]
        if not told.loose or not event.any_order:
            return cards
        # Upcards out of position signal to a reader that the dealt order is unknown.
        return cards if not self.printer.grammar.cards.shown_in_order else told.cards

    def reveal(self, event: hh.Show | hh.Muck, table: Table) -> Printed | None:
        """Return the line of a hand shown or mucked, if the room has one for it."""
        cards, seat, left = self.see(event), event.seat, table.active
        if isinstance(event, hh.Show) and self._shows(seat, cards, table):
            cards = self._whole(seat, cards, left)
            self.showed[seat] = True
            shown = {"cards": self.printer.cards(cards)}
            write = self.printer.must if self.printer.has("show") else self.printer.line
            return write("show", shown, seat) if cards else None
        if seat in self.showed:
            return None
        self.showed[seat] = False
        alone = YES if len(left) == 1 else ""
        hand = self.printer.cards(self.told[seat].hand)
        return self.printer.line("muck", {"cards": hand, "alone": alone}, seat)

    def _shows(self, seat: int, cards: list[Card], table: Table) -> bool:
        """Return True if a room would write a show: a complete hand, or before the showdown."""
        left = table.active
        early = table.street < self.game.last or len(left) < 2 or seat not in left
        whole = self.game.n_cards - len(self.shared)
        return early or not cards or len(self._whole(seat, cards, left)) >= whole

    def _whole(self, seat: int, cards: list[Card], left: Sequence[int]) -> list[Card]:
        """Return the cards that a room shows: the complete hand in order, if the log has it."""
        size, told = self.game.n_cards - len(self.shared), self.told[seat].cards
        return told if len(cards) < size == len(told) and len(left) > 1 else cards

    def _start_street(self, street: int) -> Printed | None:
        card = self.printer.cards(self.shared if street == self.game.last else [])
        values = {"street": STREET_NAMES[street], "card": card}
        by_deals = self.printer.grammar.by_deals
        line = (self.printer.line if by_deals else self.printer.must)("street", values)
        if card and (line is None or "card" not in line.values):
            raise ValueError(f"{self.printer.grammar.title} logs have no line for a shared card")
        return line

    def _deal(self, event: hh.Deal, street: int) -> list[Printed]:
        """Return the lines that deal a seat its cards, if they were seen.

        On the first street the upcard comes last. No log can list only one of two downcards.
        """
        seat, told = event.seat, self.told[event.seat]
        first = street == self.game.first
        up = [card for card in event.up if card is not None]
        dealt = self._downcards(event, street)
        down = [card for card in dealt if card is not None]
        if len(up) < len(event.up):
            return []
        hidden = self.printer.grammar.cards.hidden  # the texts for an unseen card
        old: Sequence[MaybeCard] = told.slots if hidden else told.cards
        new: Sequence[MaybeCard] = event.up or dealt if hidden else up or down
        if first:
            if len(up) != 1 or len(event.down) != told.n_first:
                name = STREET_NAMES[street]
                raise ValueError(f"the deal of seat {seat} on {name} street is not whole")
            told.down = down if len(down) == told.n_first else []
            old = told.slots if hidden else told.down
        told.up += up
        told.river += [] if first else down
        if not new:
            return []
        if first and self.printer.grammar.one_by_one:
            return [self._deal_line(seat, street, [], [card]) for card in (*old, *new)]
        return [self._deal_line(seat, street, old, new)]

    def _downcards(self, event: hh.Deal, street: int) -> Sequence[MaybeCard]:
        known = self.foreseen.get(event.seat, ())
        n_first = self.game.streets[0].down
        foreseen = known[:n_first] if street == self.game.first else known[n_first:]
        return foreseen if event.down and foreseen else event.down

    def _deal_line(
        self, seat: int, street: int, old: Sequence[MaybeCard], new: Sequence[MaybeCard]
    ) -> Printed:
        cards = {"old": old, "new": new, "all": [*old, *new]}
        cards["cards"] = cards["all"] if street == self.game.first else new
        values = {name: self.printer.cards(some) for name, some in cards.items()}
        return self.printer.must("deal", values | {"street": STREET_NAMES[street]}, seat)

    def _ante(self, event: hh.Ante) -> Printed | None:
        if not event.amount:
            return None
        all_in = YES if event.all_in else ""
        values = {"added": self.printer.money(event.amount), "all_in": all_in}
        return self.printer.must("ante", values, event.seat)

    def _bet(self, event: hh.Wager, step: Step) -> Printed:
        """Return the line of a wager, in the first wording that the room has."""
        words, values = _words(step), self._amounts(event, step)
        lines = (self.printer.line(word, values, event.seat) for word in words)
        line = next(filter(None, lines), None)
        # A room may have a separate line for an all-in, whatever the action.
        bare = event.all_in and not (line and "all_in" in line.values)
        if bare and event.action is not hh.Action.BRING_IN:
            plain = {name: text for name, text in values.items() if name != "to"}
            fitting = values if event.action is hh.Action.RAISE else plain
            line = self.printer.line("all_in", fitting, event.seat) or line
        return line or self.printer.must(words[-1], values, event.seat)

    def _amounts(self, event: hh.Wager, step: Step) -> dict[str, str]:
        player = step.before.player(event.seat)
        added = put_in(step.before, step.after)
        to = player.put + added
        sizes = {"increase": to - step.before.bet_to, "added": added}
        by = sizes.get(self.printer.print_rules.raise_by)
        in_hand = player.paid - self.antes.get(event.seat, 0) + added
        return {
            "hand_total": self.printer.money(in_hand),
            "added": self.printer.money(added),
            "to": self.printer.money(to),
            "by": "" if by is None else self.printer.money(by),
            "all_in": YES if event.all_in else "",
            "double": YES if event.double else "",
        }


def _words(step: Step) -> tuple[str, ...]:
    assert isinstance(step.event, hh.Wager)
    word = step.event.action.replace("-", "_")
    completes = step.decision is not None and step.decision.completes
    return ("complete", word) if completes else (word,)
