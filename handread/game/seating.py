"""Seats, chips and cards during a hand, and the rules for dealing and showing."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, Self, TypeVar

from handread.cards import DECK_SIZE, Card, MaybeCard, card_text, cards_text
from handread.game.pots import Pot, side_pots
from handread.game.ranks import HandRank, shows_pair
from handread.game.rules import DEFAULT, SAUND_UNIT, STREET_NAMES, Stakes, Unit, Variant
from handread.history import AGGRESSIVE, Action


class IllegalMove(Exception):  # noqa: N818 - a fault of the log, not of the program
    """A move that the rules forbid; ``line`` is its log line, 0 for the event being applied."""

    def __init__(self, message: str, expected: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.line = line


class PastAction(NamedTuple):
    """The street, the seat and the action of a decision."""

    street: int
    seat: int
    action: Action


def aggressions(past: Iterable[PastAction], seat: int) -> int:
    """Return the number of bets and raises of a seat among some decisions."""
    return sum(decision.seat == seat and decision.action in AGGRESSIVE for decision in past)


class Phase(Enum):
    """Phase of a hand, by its next events."""

    ANTES = "antes"
    DEAL = "cards"
    BET = "betting"
    CLOSED = "the next street, or the pay-out"


AT_ANTES, AT_DEAL, AT_BETS, AT_CLOSE = Phase  # looking up a member takes three times as long


@dataclass(frozen=True)
class Seated:
    """A seat during the hand.

    ``stack`` has the chips behind, ``put`` the chips bet on this street (without the ante),
    ``paid`` the chips put in during the hand. A player without an ante is not dealt in. ``loose``
    are three known downcards if it is unknown which came last.
    """

    seat: int
    name: str = ""
    stack: int | None = None
    put: int = 0
    paid: int = 0
    dealt_in: bool = False
    folded: bool = False
    all_in: bool = False
    down: tuple[MaybeCard, ...] = ()
    up: tuple[MaybeCard, ...] = ()
    loose: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return f"seat {self.seat} ({self.name})" if self.name else f"seat {self.seat}"

    @property
    def active(self) -> bool:
        """Dealt in and not folded."""
        return self.dealt_in and not self.folded

    @property
    def can_bet(self) -> bool:
        """Active with chips behind."""
        return self.dealt_in and not self.folded and not self.all_in


def clockwise(players: Sequence[Seated], seat: int) -> tuple[int, ...]:
    """Return the seats with chips to bet, clockwise from a seat and including it."""
    seats = [p.seat for p in players if p.dealt_in and not p.folded and not p.all_in]
    first = bisect_left(seats, seat)
    return (*seats[first:], *seats[:first])


def clockwise_after(players: Sequence[Seated], seat: int) -> tuple[int, ...]:
    """Return the other seats with chips to bet, clockwise after a seat."""
    seats = clockwise(players, seat)
    return seats[1:] if seats[:1] == (seat,) else seats


def seats_to_bring_in(game: Variant, players: Sequence[Seated]) -> tuple[int, ...]:
    """Return the seats that may have to bring in; more than one if door cards are unseen.

    If the player liable for it is all-in from the ante, the next one clockwise brings in.
    """
    doors = {player.seat: player.up[0] for player in players if player.active}
    seats = [seat for seat, card in doors.items() if card is None]
    seats += game.brings_in({s: card for s, card in doors.items() if card is not None})[:1]
    return tuple(sorted({clockwise(players, seat)[0] for seat in seats}))


def seats_to_open(
    game: Variant, players: Sequence[Seated], any_rule: bool = False
) -> tuple[int, ...]:
    """Return the seats that may open a later street: the best showing hand with chips to bet.

    There are several if cards are unseen or the best hands tie: rooms break ties differently. With
    ``any_rule`` the next seat with chips clockwise from the best of all hands follows them:
    PokerKit lets it open if the best hand is all-in.
    """
    best = _best_showing(game, [player for player in players if player.can_bet])
    if any_rule and any(player.all_in for player in players):
        of_all = _best_showing(game, [player for player in players if player.active])
        best += sorted({clockwise(players, seat)[0] for seat in of_all}.difference(best))
    return tuple(best)


def _best_showing(game: Variant, players: Sequence[Seated]) -> list[int]:
    """Return the seats of the players that may show the best hand, lowest first."""
    hands = {player.seat: player.up for player in players}
    seen = {s: [c for c in up if c is not None] for s, up in hands.items() if None not in up}
    unseen = [seat for seat in hands if seat not in seen]
    return sorted(unseen + (game.leads(seen) if seen else []))


def open_pair(players: Sequence[Seated]) -> bool:
    """Return True if an active player shows a pair, or may show one with an unseen upcard."""
    hands = [player.up for player in players if player.active]
    return any(None in up or shows_pair([c for c in up if c is not None]) for up in hands)


class Options(NamedTuple):
    """Options of a player to act.

    ``to_call`` is the amount to call with a deep enough stack, ``call`` the chips that a call adds,
    ``raises`` the legal street totals after a bet or raise, lowest first. ``forced`` is True if the
    bring-in is due: it and a completion are then the only options, and ``call`` is its amount.
    """

    seat: int
    to_call: int
    call: int
    raises: tuple[int, ...]
    raises_left: int | None
    forced: bool = False


T = TypeVar("T")


def fast_replace(value: T, **changes: Any) -> T:
    """Copy a dataclass without slots or ``__post_init__``; raise ``KeyError`` for a new field."""
    cells = value.__dict__
    state = cells | changes
    if len(state) > len(cells):
        raise KeyError(*(changes.keys() - cells.keys()))
    return fast_make(type(value), state)


def fast_make(kind: type[T], fields: dict[str, Any]) -> T:
    """Make a dataclass without slots and ``__post_init__`` from a mapping of all of its fields."""
    made = object.__new__(kind)
    object.__setattr__(made, "__dict__", fields)
    return made


@dataclass(frozen=True)
class Seating:
    """The players, their cards and their chips at one moment of a hand.

    ``street`` is 0 before the deal. ``shared`` is the seventh card that all players share if the
    deck runs short, ``cards`` are all known cards. ``any_opener`` comes from the ``History``.
    ``active`` are the seats dealt in and not folded. ``pot`` has all chips so far, less a returned
    uncalled bet. ``places`` has the index of each seat among the players.
    """

    stakes: Stakes
    players: tuple[Seated, ...]
    unit: Unit = SAUND_UNIT
    street: int = 0
    phase: Phase = Phase.ANTES
    shared: tuple[MaybeCard, ...] = ()
    cards: frozenset[Card] = frozenset()
    game: Variant = DEFAULT
    any_opener: bool = False
    active: tuple[int, ...] = ()
    pot: int = 0
    places: Mapping[int, int] = field(default_factory=dict, compare=False)

    def player(self, seat: int) -> Seated:
        """Return the player of a seat; raise ``IllegalMove`` for an empty seat."""
        if seat not in self.places:
            raise IllegalMove(f"nobody sits in seat {seat}", "a seat of this hand")
        return self.players[self.places[seat]]

    def missing(self, player: Seated) -> tuple[int, int]:
        """Return how many downcards and upcards a player still lacks on this street."""
        down, up = self.game.dealt[self.street]
        return down - len(self.shared) - len(player.down), up - len(player.up)

    @property
    def lacking(self) -> list[Seated]:
        """The active players who have not got all cards of this street."""
        down, up = self.game.dealt[self.street]
        down -= len(self.shared)
        return [p for p in self.players if p.active and (len(p.up) != up or len(p.down) != down)]

    @property
    def bettors(self) -> tuple[int, ...]:
        """The active seats with chips behind."""
        return tuple([p.seat for p in self.players if p.dealt_in and not p.folded and not p.all_in])

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The main pot and the side pots."""
        return side_pots({p.seat: p.paid for p in self.players if p.dealt_in}, self.active)

    @property
    def following(self) -> int:
        """Number of the next street."""
        return self.street + 1 if self.street else self.game.first

    @property
    def deck_runs_short(self) -> bool:
        """True if the deck lacks a last card for each, so that all share one."""
        undealt = DECK_SIZE - sum(len(p.down) + len(p.up) for p in self.players)
        return self.street == self.game.last and undealt < len(self.lacking)

    @property
    def is_over(self) -> bool:
        """True at the end of the hand: one player left, or the last street played."""
        last = self.street == self.game.last
        return self.phase is AT_CLOSE and (last or len(self.active) < 2)

    @property
    def expected(self) -> str:
        """The next event that is legal, in words."""
        return self.phase.value

    def hand_ranks(self) -> dict[int, tuple[HandRank | None, ...]]:
        """Return the ranks of the active players whose cards are all known, one for each half."""
        ranks = {}
        for player in self.players:
            down = player.loose or player.down
            cards = [c for c in (*down, *player.up, *self.shared) if c is not None]
            if player.active and len(cards) == self.game.n_cards:
                ranks[player.seat] = self.game.ranks(cards)
        return ranks

    def money(self, amount: int) -> str:
        """Return an amount as people write it."""
        return self.unit.text(amount)

    def deal(self, seat: int, down: Sequence[MaybeCard] = (), up: Sequence[MaybeCard] = ()) -> Self:
        """Deal cards of this street to a seat, all at once or one by one."""
        cards = (*down, *up)
        _check_cards(cards)
        player = self.player(seat)
        if self.phase is not AT_DEAL:
            raise IllegalMove(f"{player} is dealt {cards_text(cards)}", self.expected)
        if player.folded:
            raise IllegalMove(f"{player} has folded and is dealt {cards_text(cards)}")
        if not player.dealt_in and self.stakes.ante:
            raise IllegalMove(f"{player} is dealt in without an ante", "an ante first")
        missing_down, missing_up = self.missing(player)
        if len(down) > missing_down or len(up) > missing_up:
            many = f"too many cards on {STREET_NAMES[self.street]} street"
            message = f"{player} is dealt {cards_text(cards)} and has {many}"
            raise IllegalMove(message, f"{missing_down} down and {missing_up} up")
        return self.with_cards(player, down, up, self._see(player, cards))

    def with_cards(
        self,
        player: Seated,
        down: Sequence[MaybeCard],
        up: Sequence[MaybeCard],
        known: frozenset[Card],
    ) -> Self:
        """Return the table after a legal deal; ``known`` are all known cards after it."""
        cells = player.__dict__.copy()
        cells["dealt_in"] = True
        cells["down"], cells["up"] = (*player.down, *down), (*player.up, *up)
        return self._with(fast_make(Seated, cells), {"cards": known})

    def share(self, card: MaybeCard) -> Self:
        """Deal one seventh card for all, face up in the middle."""
        _check_cards((card,))
        if self.phase is not AT_DEAL or self.street != self.game.last or self.shared:
            raise IllegalMove(f"a shared card is dealt: {card_text(card)}", self.expected)
        if any(len(player.down) > 2 for player in self.players):
            raise IllegalMove("a shared card is dealt when players have their own 7th card")
        return fast_replace(self, shared=(card,), cards=self._see(None, (card,)))

    def reveal(self, seat: int, cards: Sequence[MaybeCard], any_order: bool = False) -> Self:
        """Return the table after a seat shows cards, or a summary lists them.

        Cards that are not upcards of the seat are its downcards, in dealt order if the list is
        complete and not in ``any_order``. Raises ``IllegalMove`` if the seat cannot have the cards.
        """
        _check_cards(cards)
        player = self.player(seat)
        known = [card for card in cards if card is not None]
        double = next((card for n, card in enumerate(known) if card in known[:n]), None)
        if double is not None:
            message = f"{player} shows the {card_text(double)} twice"
            raise IllegalMove(message, f"{len(known)} different cards")
        placed = {c for c in (*player.down, *player.up, *self.shared) if c is not None}
        own_cards = placed | set(player.loose)
        new = [card for card in known if card not in own_cards]
        unseen = player.down.count(None)
        hidden = player.up.count(None) + (0 if player.loose else unseen)
        if len(known) == self.game.n_cards and not own_cards <= set(known):
            missing = cards_text(sorted(own_cards - set(known)))
            raise IllegalMove(f"{player} shows a hand without {missing}", "its own cards")
        if len(new) > hidden:
            expected = f"cards among {cards_text(sorted(own_cards))}" if own_cards else ""
            raise IllegalMove(f"{player} shows {cards_text(new)}, not its cards", expected)
        seen = self._see(player, new)
        # Part of a hand, such as its best five cards, may leave open which downcards they are.
        placeable = set(player.up) <= set(known) or len(new) == player.down.count(None)
        if None in player.up or not placeable:
            return fast_replace(self, cards=seen)
        unplaced = [card for card in known if card not in placed]
        if any_order and len(player.down) == 3 and unseen > 1:
            if len(unplaced) < unseen:
                return fast_replace(self, cards=seen)
            loose = (*(card for card in player.down if card is not None), *unplaced)
            return self.with_downcards(seat, player.down, tuple(sorted(loose)))
        fresh = iter(unplaced)
        down = tuple(next(fresh, None) if card is None else card for card in player.down)
        return self.with_downcards(seat, down, () if None not in down else player.loose)

    def with_downcards(
        self, seat: int, down: tuple[MaybeCard, ...], loose: tuple[Card, ...]
    ) -> Self:
        """Return the table with other downcards of a seat, which the caller has checked."""
        player = fast_replace(self.player(seat), down=down, loose=loose)
        known = [card for card in (*down, *loose) if card is not None]
        return self._with(player, {"cards": self.cards.union(known)})

    def _with(self, player: Seated, changes: Mapping[str, Any]) -> Self:
        """Return the table with one player replaced, and other changes; pot and active follow."""
        cells = self.__dict__.copy()
        cells.update(changes)
        players, place = [*self.players], self.places[player.seat]
        before, players[place] = players[place], player
        cells["players"] = tuple(players)
        cells["pot"] += player.paid - before.paid
        if player.folded is not before.folded or player.dealt_in is not before.dealt_in:
            cells["active"] = tuple(sorted({*self.active} ^ {player.seat}))
        return fast_make(type(self), cells)

    def _see(self, player: Seated | None, cards: Sequence[MaybeCard]) -> frozenset[Card]:
        """Return all known cards after these are seen; raise ``IllegalMove`` for a known one."""
        new = [card for card in cards if card is not None]
        known = self.cards.union(new)
        if len(known) < len(self.cards) + len(new):
            twice = next(c for n, c in enumerate(new) if c in self.cards or c in new[:n])
            whom = f" for {player}" if player else ""
            message = f"the {card_text(twice)}{whom} is on the table already"
            raise IllegalMove(message, "another card")
        return known


def _check_cards(cards: Sequence[MaybeCard]) -> None:
    for card in cards:
        if card is not None and not 0 <= card < DECK_SIZE:
            raise IllegalMove(f"{card} is no card", f"0 to {DECK_SIZE - 1}")
