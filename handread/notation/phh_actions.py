"""The action strings of a PHH hand, one after the other, as events of its history."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from handread.cards import UNSEEN_TEXT, MaybeCard, parse_card
from handread.history import (
    Collect,
    Deal,
    Event,
    Fold,
    Muck,
    Rake,
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
)
from handread.notation.ledger import Ledger
from handread.notation.phh_text import Spot

CARDS_DEALT = 7
AMOUNT = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")


class Slip(Exception):  # noqa: N818 - a slip in the record, no error of the program
    """An action that cannot be read: what is wrong, and what was expected."""

    def __init__(self, message: str, expected: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected


@dataclass(slots=True)
class Actions:
    """Takes action strings and gathers events; ``close`` ends the hand.

    ``players`` are the seats of p1, p2 ...; ``money`` turns an amount as text into minor units,
    or raises ``Slip``. Cards are held back until the deal of a street is through, so that the
    hand is the same whether each player got the cards of 3rd street at once or one by one.
    """

    players: Sequence[int]
    ledger: Ledger
    bring_in: int
    money: Callable[[str], int]
    events: list[Event] = field(default_factory=list)
    street: int = 2
    dealt: dict[int, list[MaybeCard]] = field(default_factory=dict)
    undelivered: dict[int, tuple[Spot, list[MaybeCard]]] = field(default_factory=dict)

    def add(self, event: Event, spot: Spot) -> None:
        """Note an event and where it is written."""
        self.events.append(replace(event, line=spot.line, column=spot.column))

    def take(self, action: str, spot: Spot, double: bool = False) -> None:
        """One action string; ``Slip`` when it cannot be read. ``#`` starts a comment.

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
                raise Slip(f"{action!r} is no action of stud", expected)

    def take_ending(self, words: str, spot: Spot) -> None:
        """One string of ``_handread_ending``; ``Slip`` when it cannot be read."""
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
                raise Slip(f"{words!r} ends no hand", expected)
        self.add(event, spot)

    def close(self, finishing: Mapping[int, int]) -> None:
        """The end of the hand; finishing stacks, where known, tell what each seat collects."""
        self.deliver()
        for seat, stack in finishing.items():
            left = self.ledger.stacks[seat]
            if left is not None and stack > left:
                self.events.append(Collect(seat, stack - left))

    def seat(self, player: str) -> int:
        """The seat of p1, p2 ..."""
        found = re.fullmatch(r"p([1-9][0-9]{0,2})", player)
        if not found or int(found[1]) > len(self.players):
            raise Slip(f"there is no player {player!r}", f"p1 to p{len(self.players)}")
        return self.players[int(found[1]) - 1]

    # Cards

    def deal(self, seat: int, cards: Sequence[MaybeCard], spot: Spot) -> None:
        """A seat gets cards: two down, four up, one down, in this order."""
        dealt = self.dealt.setdefault(seat, [])
        for card in cards:
            street = max(3, len(dealt) + 1)
            if street > CARDS_DEALT:
                raise Slip("a player gets an eighth card", "seven cards at most")
            if street > self.street:
                self.begin(street, spot)
            dealt.append(card)
            self.undelivered.setdefault(seat, (spot, []))[1].append(card)

    def share(self, cards: Sequence[MaybeCard], spot: Spot) -> None:
        """One 7th card for all."""
        if len(cards) != 1:
            raise Slip("stud shares no more than one card", "one card")
        if self.street < CARDS_DEALT:
            self.begin(CARDS_DEALT, spot)
        self.add(SharedCard(cards[0]), spot)

    def begin(self, street: int, spot: Spot) -> None:
        """The next street."""
        self.deliver()
        self.street = street
        self.ledger.next_street()
        self.add(StreetStart(street), spot)

    def deliver(self) -> None:
        """Writes down the cards that were held back."""
        for seat, (spot, cards) in self.undelivered.items():
            before = len(self.dealt[seat]) - len(cards)
            down = tuple(card for n, card in enumerate(cards, before) if n in (0, 1, 6))
            up = tuple(card for n, card in enumerate(cards, before) if n not in (0, 1, 6))
            self.add(Deal(seat, down, up), spot)
        self.undelivered = {}


def cards_of(text: str) -> tuple[MaybeCard, ...]:
    """Cards written without blanks, ``??`` for one not seen; ``Slip`` when one is no card."""
    words = [text[i : i + 2] for i in range(0, len(text), 2)]
    try:
        return tuple(None if word == UNSEEN_TEXT else parse_card(word) for word in words)
    except ValueError as error:
        raise Slip(str(error), "cards such as 7hTs, or ?? for one not seen") from None
