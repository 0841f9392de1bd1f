"""The action strings of a PHH hand, one after the other, as events of its history."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

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
    undelivered: dict[int, tuple[int, list[MaybeCard]]] = field(default_factory=dict)

    def take(self, action: str, line: int, double: bool = False) -> None:
        """One action string; ``Slip`` when it cannot be read. ``#`` starts a comment.

        ``double`` marks a bet that the log calls double.
        """
        words = action.split()
        words = words[: words.index("#")] if "#" in words else words
        match words:
            case []:
                return
            case ["d", "dh", player, cards]:
                self.deal(self.seat(player), cards_of(cards), line)
                return
        self.deliver()
        match words:
            case ["d", "db", cards]:
                self.share(cards_of(cards), line)
            case [player, "pb"]:
                self.events.append(self.ledger.bring_in(self.seat(player), self.bring_in, line))
            case [player, "f"]:
                self.events.append(Fold(self.seat(player), line=line))
            case [player, "cc"]:
                self.events.append(self.ledger.check_or_call(self.seat(player), line))
            case [player, "cbr", amount]:
                seat, to = self.seat(player), self.money(amount)
                self.events.append(self.ledger.bet_or_raise(seat, to, double, line))
            case [player, "sm"]:
                self.events.append(Muck(self.seat(player), line=line))
            case [player, "sm", "-"]:
                seat = self.seat(player)
                self.events.append(Show(seat, tuple(self.dealt.get(seat, ())), line=line))
            case [player, "sm", cards]:
                self.events.append(Show(self.seat(player), cards_of(cards), line=line))
            case _:
                expected = "d dh, d db, or a player with pb, f, cc, cbr or sm"
                raise Slip(f"{action!r} is no action of stud", expected)

    def take_ending(self, words: str, line: int) -> None:
        """One string of ``_handread_ending``; ``Slip`` when it cannot be read."""
        self.deliver()
        match words.split(" ", 3):
            case ["pot", amount]:
                event: Event = TotalPot(self.money(amount), line=line)
            case ["pot", amount, "net"]:
                event = TotalPot(self.money(amount), before_rake=False, line=line)
            case ["rake", amount]:
                event = Rake(self.money(amount), line=line)
            case [player, "uncalled", amount]:
                event = Uncalled(self.seat(player), self.money(amount), line=line)
            case [player, "collect", amount, *pot]:
                event = Collect(self.seat(player), self.money(amount), "".join(pot), line=line)
            case [player, "show", cards]:
                event = Show(self.seat(player), cards_of(cards), line=line)
            case [player, "muck", *cards]:
                event = Muck(self.seat(player), cards_of("".join(cards)), line=line)
            case _:
                expected = "pot, rake, or a player with uncalled, collect, show or muck"
                raise Slip(f"{words!r} ends no hand", expected)
        self.events.append(event)

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

    def deal(self, seat: int, cards: Sequence[MaybeCard], line: int) -> None:
        """A seat gets cards: two down, four up, one down, in this order."""
        dealt = self.dealt.setdefault(seat, [])
        for card in cards:
            street = max(3, len(dealt) + 1)
            if street > CARDS_DEALT:
                raise Slip("a player gets an eighth card", "seven cards at most")
            if street > self.street:
                self.begin(street, line)
            dealt.append(card)
            self.undelivered.setdefault(seat, (line, []))[1].append(card)

    def share(self, cards: Sequence[MaybeCard], line: int) -> None:
        """One 7th card for all."""
        if len(cards) != 1:
            raise Slip("stud shares no more than one card", "one card")
        if self.street < CARDS_DEALT:
            self.begin(CARDS_DEALT, line)
        self.events.append(SharedCard(cards[0], line=line))

    def begin(self, street: int, line: int) -> None:
        """The next street."""
        self.deliver()
        self.street = street
        self.ledger.next_street()
        self.events.append(StreetStart(street, line=line))

    def deliver(self) -> None:
        """Writes down the cards that were held back."""
        for seat, (line, cards) in self.undelivered.items():
            before = len(self.dealt[seat]) - len(cards)
            down = tuple(card for n, card in enumerate(cards, before) if n in (0, 1, 6))
            up = tuple(card for n, card in enumerate(cards, before) if n not in (0, 1, 6))
            self.events.append(Deal(seat, down, up, line=line))
        self.undelivered = {}


def cards_of(text: str) -> tuple[MaybeCard, ...]:
    """Cards written without blanks, ``??`` for one not seen; ``Slip`` when one is no card."""
    words = [text[i : i + 2] for i in range(0, len(text), 2)]
    try:
        return tuple(None if word == UNSEEN_TEXT else parse_card(word) for word in words)
    except ValueError as error:
        raise Slip(str(error), "cards such as 7hTs, or ?? for one not seen") from None
