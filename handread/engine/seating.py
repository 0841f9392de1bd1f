"""Who sits at the table with what chips and cards, and what may be dealt and shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from handread.cards import DECK_SIZE, Card, MaybeCard, card_text, cards_text
from handread.engine.changed import changed
from handread.engine.player import IllegalMove, Phase, Player
from handread.engine.pots import Pot, side_pots
from handread.stud import SAUND_UNIT, STREET_NAMES, HandRank, Stakes, Unit, best_hand


@dataclass(frozen=True)
class Seating:
    """The players, their cards and their chips at one moment of a hand.

    ``street`` is 0 before the deal. ``shared`` is the one seventh card for all, where the deck
    ran short, and ``cards`` are all cards that are known.
    """

    stakes: Stakes
    players: tuple[Player, ...]
    unit: Unit = SAUND_UNIT
    street: int = 0
    phase: Phase = Phase.ANTES
    shared: tuple[MaybeCard, ...] = ()
    cards: frozenset[Card] = frozenset()

    def player(self, seat: int) -> Player:
        """The player of a seat; ``IllegalMove`` when nobody sits there."""
        for player in self.players:
            if player.seat == seat:
                return player
        raise IllegalMove(f"nobody sits at seat {seat}", "a seat of this hand")

    @property
    def active(self) -> tuple[int, ...]:
        """The seats still in."""
        return tuple([p.seat for p in self.players if p.dealt_in and not p.folded])

    @property
    def bettors(self) -> tuple[int, ...]:
        """The seats still in that have chips behind."""
        return tuple(player.seat for player in self.players if player.can_bet)

    @property
    def pot(self) -> int:
        """Everything put in so far, less an uncalled bet that went back."""
        return sum([player.paid for player in self.players])

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The main pot and the side pots, as they stand."""
        return side_pots({p.seat: p.paid for p in self.players if p.dealt_in}, self.active)

    @property
    def is_over(self) -> bool:
        """Whether the hand has come to its end: one player left, or 7th street played."""
        return self.phase is Phase.CLOSED and (len(self.active) < 2 or self.street == 7)

    @property
    def expected(self) -> str:
        """What the table is waiting for, in a person's words."""
        return self.phase.value

    def hand_ranks(self) -> dict[int, HandRank]:
        """The ranks of the active players whose seven cards are all known."""
        ranks = {}
        for player in self.players:
            down = player.loose or player.down
            cards = [c for c in (*down, *player.up, *self.shared) if c is not None]
            if player.active and len(cards) == 7:
                ranks[player.seat] = best_hand(cards)
        return ranks

    def money(self, amount: int) -> str:
        """An amount as people write it."""
        return self.unit.text(amount)

    def deal(self, seat: int, down: Sequence[MaybeCard] = (), up: Sequence[MaybeCard] = ()) -> Self:
        """A seat gets cards of this street, all at once or one by one."""
        _check_cards((*down, *up))
        player = self.player(seat)
        if self.phase is not Phase.DEAL:
            raise IllegalMove(f"{player} is dealt {cards_text((*down, *up))}", self.expected)
        if player.folded:
            raise IllegalMove(f"{player} has folded and is dealt {cards_text((*down, *up))}")
        if not player.dealt_in and self.stakes.ante:
            raise IllegalMove(f"{player} is dealt in without an ante", "an ante first")
        missing_down, missing_up = player.missing(self.street, self.shared)
        if len(down) > missing_down or len(up) > missing_up:
            raise IllegalMove(
                f"{player} is dealt {cards_text((*down, *up))} and has too many cards "
                f"on {STREET_NAMES[self.street]} street",
                f"{missing_down} down and {missing_up} up",
            )
        seen = self._see(player, (*down, *up))
        dealt = changed(player, dealt_in=True, down=(*player.down, *down), up=(*player.up, *up))
        return self._with(dealt, cards=seen)

    def share(self, card: MaybeCard) -> Self:
        """One seventh card for all, face up in the middle."""
        _check_cards((card,))
        if self.phase is not Phase.DEAL or self.street != 7 or self.shared:
            raise IllegalMove(f"a shared card is dealt: {card_text(card)}", self.expected)
        if any(len(player.down) > 2 for player in self.players):
            raise IllegalMove("a shared card is dealt when players have their own 7th card")
        return changed(self, shared=(card,), cards=self._see(None, (card,)))

    def reveal(self, seat: int, cards: Sequence[MaybeCard], any_order: bool = False) -> Self:
        """A seat's cards become known: shown, or told by a summary; any part of the hand.

        What is not among its upcards are downcards, in the order dealt if the list is whole,
        unless it says that they come in any order. ``IllegalMove`` when the cards cannot be its
        own.
        """
        _check_cards(cards)
        player = self.player(seat)
        known = [card for card in cards if card is not None]
        double = next((card for n, card in enumerate(known) if card in known[:n]), None)
        if double is not None and len(cards) <= 7:  # Bovada shows the best fives of high and low.
            message = f"{player} shows the {card_text(double)} twice"
            raise IllegalMove(message, f"{len(known)} different cards")
        placed = {c for c in (*player.down, *player.up, *self.shared) if c is not None}
        own = placed | set(player.loose)
        new = [card for card in known if card not in own]
        unseen = player.down.count(None)
        hidden = player.up.count(None) + (0 if player.loose else unseen)
        if len(known) == 7 and not own <= set(known):
            missing = cards_text(sorted(own - set(known)))
            raise IllegalMove(f"{player} shows a hand without {missing}", "its own cards")
        if len(new) > hidden:
            raise IllegalMove(
                f"{player} shows {cards_text(new)}, not its cards",
                f"cards among {cards_text(sorted(own))}" if own else "",
            )
        seen = self._see(player, new)
        # A part of a hand, such as its best five cards, need not say which downcards they are.
        told = set(player.up) <= set(known) or len(new) == player.down.count(None)
        if None in player.up or not told:
            return changed(self, cards=seen)
        unplaced = [card for card in known if card not in placed]
        if any_order and len(player.down) == 3 and unseen > 1:
            if len(unplaced) < unseen:
                return changed(self, cards=seen)
            loose = (*(card for card in player.down if card is not None), *unplaced)
            return self._with(changed(player, loose=tuple(sorted(loose))), cards=seen)
        fresh = iter(unplaced)
        down = tuple(next(fresh, None) if card is None else card for card in player.down)
        loose = () if None not in down else player.loose
        return self._with(changed(player, down=down, loose=loose), cards=seen)

    def _with(self, player: Player, **changes: Any) -> Self:
        """The table with one player as given, and other changes."""
        seat = player.seat
        players = tuple([player if p.seat == seat else p for p in self.players])
        return changed(self, players=players, **changes)

    def _see(self, player: Player | None, cards: Sequence[MaybeCard]) -> frozenset[Card]:
        """All cards known once these are seen; ``IllegalMove`` if one of them is known already."""
        seen = set(self.cards)
        for card in cards:
            if card is None:
                continue
            if card in seen:
                whom = f" for {player}" if player else ""
                raise IllegalMove(
                    f"the {card_text(card)}{whom} is on the table already", "a card not seen before"
                )
            seen.add(card)
        return frozenset(seen)


def _check_cards(cards: Iterable[MaybeCard]) -> None:
    for card in cards:
        if card is not None and not 0 <= card < DECK_SIZE:
            raise IllegalMove(f"{card} is no card", f"0 to {DECK_SIZE - 1}")
